# `smile run`: a shell suite over the built command, with a program in QEMU's place that writes known
# words, and, where the tracer is built and QEMU is there, with real programs.
RUN_BIN := $(B)/tests/run/bin
RUN_PROGRAMS := $(patsubst tests/run/programs/%.c,$(B)/tests/run/programs/%, \
	$(wildcard tests/run/programs/*.c))

$(RUN_BIN)/qemu-x86_64: $(B)/tests/run/fake_qemu.o
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) -lpthread

# As a user builds a program: none of our flags. They are traced, so no sanitizer.
$(B)/tests/run/programs/%: tests/run/programs/%.c
	@mkdir -p $(@D)
	$(CC) -Iinclude -O2 -g -Wall -Wextra -o $@ $< -lpthread

.PHONY: check-run
check-run: all tools $(B)/tests/tools/mkcapture $(RUN_BIN)/qemu-x86_64 $(RUN_PROGRAMS)
	RUN_BIN=$(abspath $(RUN_BIN)) tests/run/run_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/run/scratch
	RUN_PROGRAMS=$(abspath $(B)/tests/run/programs) tests/run/program_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/run/scratch-programs
