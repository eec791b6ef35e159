# The library that LD_PRELOAD loads into a program for `smile place`. It must run in any program, so it has no
# sanitizer, and uses only libc and libnuma.
PLACE := $(B)/smile-place.so
PLACE_SOURCES := $(wildcard run/place/*.c)
PLACE_OBJECTS := $(PLACE_SOURCES:%.c=$(B)/%.o)
# The files that this library shares with the preload library of `smile run`.
PLACE_BASE := $(addprefix $(PLAIN)/run/preload/base/,early_memory.o operator_new.o real_functions.o)

# An access to the library's thread-local data must not need a function call, which might allocate memory.
$(PLACE_OBJECTS): $(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -U_FORTIFY_SOURCE \
		-fno-builtin -fno-strict-aliasing -ftls-model=initial-exec -MMD -MP -c $< -o $@

-include $(PLACE_OBJECTS:.o=.d)

$(PLACE): $(PLACE_OBJECTS) $(PLACE_BASE)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-z,defs -Wl,-z,now $(LDFLAGS) -static-libgcc -o $@ $^ -lnuma

.PHONY: place
place: $(PLACE)
all: place
