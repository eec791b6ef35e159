# The preload library of `smile run`: LD_PRELOAD loads it into the traced program. It must run in any
# program, so it has no sanitizer and uses only libc.
PRELOAD := $(B)/smile-preload.so
PRELOAD_SOURCES := $(wildcard run/preload/*/*.c)
PRELOAD_OBJECTS := $(PRELOAD_SOURCES:%.c=$(PLAIN)/%.o)
PRELOAD_COPY := $(PLAIN)/run/preload/memory/copy.o $(PLAIN)/run/preload/memory/string.o
PRELOAD_LDFLAGS := -shared -Wl,-soname,smile-preload.so -Wl,-z,defs -Wl,-z,now -Wl,-z,start-stop-visibility=hidden

# The library is loaded when the program starts. For this reason, an access to its thread-local
# data needs no function call, which might allocate memory.
PRELOAD_CFLAGS = $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -U_FORTIFY_SOURCE -fno-builtin \
	-fno-strict-aliasing -fno-stack-protector -ftls-model=initial-exec

# The tracer counts the accesses of this code, so the flags fix the generated code as far as possible. The compiler must
# not replace a loop by a call of a function that this code itself defines.
PRELOAD_COPY_CFLAGS := -O2 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -fno-unroll-loops

$(PRELOAD_OBJECTS): $(PLAIN)/%.o: %.c
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
