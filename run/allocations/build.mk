# The library that stores what a program has allocated: a static library, for `smile run` and `smile sample`. It needs
# the library.
ALLOCATIONS_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard run/allocations/*.c))

$(B)/liballocations.a: $(ALLOCATIONS_OBJECTS)
	$(archive)
