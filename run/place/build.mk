# The library in the program for `smile place`, loaded by LD_PRELOAD. It runs in programs of all kinds, so it has no
# sanitizer, and uses only libc and libnuma.
PLACE := $(B)/smile-place.so
PLACE_SOURCES := $(wildcard run/place/*.c)
PLACE_OBJECTS := $(PLACE_SOURCES:%.c=$(B)/%.o)
# Files that it shares with the preload library of `smile run`.
PLACE_BASE := $(addprefix $(PLAIN)/run/preload/base/,early_memory.o operator_new.o real_functions.o)

# Access to its thread-local data must not need a call, which might allocate.
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
