# Tests of `smile run`: a shell suite over the built command, with a program in QEMU's place that writes known
# words, and with real programs, if the tracer is built and QEMU is installed.
RUN_BIN := $(B)/tests/run/bin
RUN_PROGRAMS := $(addprefix $(B)/tests/run/programs/, $(basename $(notdir \
	$(wildcard tests/run/programs/*.c tests/run/programs/*.cpp tests/run/programs/*.f90))))

$(RUN_BIN)/qemu-x86_64: $(B)/tests/run/fake_qemu.o
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) -lpthread

$(RUN_BIN)/denies: $(B)/tests/run/denies.o
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS)

# This program is not under test, so it is built without a sanitizer.
$(B)/tests/run/sum_dump: tests/run/sum_dump.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -o $@ $< $(LDFLAGS)

# Built like a user's program, without this project's flags. They are traced, so they have no sanitizer.
$(B)/tests/run/programs/%: tests/run/programs/%.c
	@mkdir -p $(@D)
	$(CC) -Iinclude -O2 -g -Wall -Wextra $(RUN_FLAGS) -o $@ $(filter %.c %.a,$^) -lpthread -lm $(RUN_LIBS)

$(addprefix $(B)/tests/run/programs/,openmp tasks kept tries blocks processors): RUN_FLAGS := -fopenmp
$(addprefix $(B)/tests/run/programs/,blocks shares): $(TRACE_STATIC)
$(B)/tests/run/programs/homes: RUN_LIBS := -lnuma
# The compiler must not compute results of this program in advance.
$(B)/tests/run/programs/rounding: RUN_FLAGS := -frounding-math

$(B)/tests/run/programs/%.so: tests/run/plugins/%.c
	@mkdir -p $(@D)
	$(CC) -O2 -g -Wall -Wextra -shared -fPIC -o $@ $< -lpthread

$(B)/tests/run/programs/%: tests/run/programs/%.cpp
	@mkdir -p $(@D)
	$(CXX) -O2 -g -Wall -Wextra $(RUN_FLAGS) -o $@ $< -lpthread

$(B)/tests/run/programs/%: tests/run/programs/%.f90
	@mkdir -p $(@D)
	gfortran -O2 -g -Wall -fopenmp -o $@ $<

# Suites that compare or end runs of the tracer; a sanitizer finds nothing in them or cannot be used.
RUN_PLAIN := $(addprefix check-run-,repeat early counts cachegrind)
RUN_SUITES := $(addprefix check-run-,matrix run program begin)

.PHONY: check-run $(RUN_SUITES) $(RUN_PLAIN)
check-run: $(RUN_SUITES) $(if $(SANITIZE),,$(RUN_PLAIN))

check-run-cachegrind: workloads
$(RUN_SUITES) $(RUN_PLAIN): check-run-%: all tools $(B)/tests/tools/mkcapture $(RUN_BIN)/qemu-x86_64 \
		$(RUN_BIN)/denies $(RUN_PROGRAMS) $(B)/tests/run/sum_dump \
		$(B)/tests/run/programs/locks.so $(B)/tests/run/programs/stack_place.so | $(OWNER)
	@RUN_BIN=$(abspath $(RUN_BIN)) RUN_PROGRAMS=$(abspath $(B)/tests/run/programs) \
		WORKLOADS=$(abspath $(B)/workload) RUN_SUMS=$(abspath $(B)/tests/run/sum_dump) \
		$(RUN) "tests/run/$*_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/run/scratch-$*"

# The run as a library: run/session.
$(B)/tests/run/execute_test: $(B)/tests/run/execute_test.o $(TOOLS_LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) -ljansson -lcmocka -lm -lpthread

.PHONY: check-run-execute
check-run: check-run-execute
check-run-execute: all $(B)/tests/run/execute_test $(RUN_BIN)/qemu-x86_64 | $(OWNER)
	@mkdir -p $(B)/tests/run/scratch-execute
	@PATH=$(abspath $(RUN_BIN)):$$PATH SMILE_LIBDIR=$(abspath $(B)) \
		$(RUN) "$(B)/tests/run/execute_test $(B)/tests/run/scratch-execute"

CHECK_LONG += $(RUN_PLAIN)
CHECK_QUICK += check-run-run check-run-program
CHECK_SANITIZE += check-run
