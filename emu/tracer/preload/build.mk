# The program's side of `smile run`: goes into the traced program by LD_PRELOAD. It runs in programs
# of all kinds: no sanitizer, nothing but libc.
PRELOAD := $(B)/smile-preload.so
PRELOAD_SOURCES := $(wildcard emu/tracer/preload/*/*.c)
PRELOAD_OBJECTS := $(PRELOAD_SOURCES:%.c=$(B)/%.o)
PRELOAD_COPY := $(B)/emu/tracer/preload/memory/copy.o $(B)/emu/tracer/preload/memory/string.o
PRELOAD_LDFLAGS := -shared -Wl,-z,defs -Wl,-z,now -Wl,-z,start-stop-visibility=hidden

# It is there from the start: its thread-local data needs no call, which might allocate.
PRELOAD_CFLAGS = $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -U_FORTIFY_SOURCE -fno-builtin \
	-fno-strict-aliasing -fno-stack-protector -ftls-model=initial-exec

# Always the same code, as far as a compiler can be reported: its accesses are counted. It must not call
# what it defines.
PRELOAD_COPY_CFLAGS := -O2 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -fno-unroll-loops

$(PRELOAD_OBJECTS): $(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(PRELOAD_CFLAGS) $(if $(filter $@,$(PRELOAD_COPY)),\
		$(PRELOAD_COPY_CFLAGS)) -MMD -MP -c $< -o $@

-include $(PRELOAD_OBJECTS:.o=.d)

$(PRELOAD): $(PRELOAD_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_LDFLAGS) $(LDFLAGS) -o $@ $^

.PHONY: preload
preload: $(PRELOAD)
all: preload
