# The library that runs a program on the machine with cards: a static library, for tools and tests.
RUN_SOURCES := $(wildcard run/session/*.c)
# The code that finds the regions of a placement is the same as in a native process.
RUN_OBJECTS := $(RUN_SOURCES:%.c=$(B)/%.o) $(B)/run/place/region_match.o

# The names of system calls, from the header that defines their numbers.
SYSCALL_NAMES := $(B)/generated/run/session/syscall_names.h

$(SYSCALL_NAMES): run/session/build.mk
	@mkdir -p $(@D)
	echo '#include <sys/syscall.h>' | $(CC) -E -dM - | \
		sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$$/[\2] = "\1",/p' >$@

$(B)/run/session/unsupported.o: ALL_CPPFLAGS += -I$(B)/generated
$(B)/run/session/unsupported.o: $(SYSCALL_NAMES)

$(B)/librun.a: $(RUN_OBJECTS)
	$(archive)
