# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of `smile sample`: shell suites over the built command on this machine, on trees that describe machines with two
# nodes, and on perf.data files that the tests write. Tests with four nodes run in a guest: tests/guest/sample_test.sh.
SAMPLE_TEST := $(B)/tests/sample
# Built like a user's program, without a sanitizer.
SAMPLE_PROGRAMS := $(addprefix $(SAMPLE_TEST)/,pinned as_nobody touch_pages memory patterns process_kinds named_threads)

$(SAMPLE_PROGRAMS): $(SAMPLE_TEST)/%: tests/sample/programs/%.c $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE -Iinclude -std=gnu11 -O1 -g $(WARNINGS) -pthread -o $@ $^

$(SAMPLE_TEST)/mksampled: $(B)/tests/sample/programs/mksampled.o $(B)/libsample.a $(B)/liballocations.a \
		$(ANALYSIS_INSIDE) $(ANALYSIS_RING) $(B)/libsmile-monitor.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS) -ljansson -lm

$(SAMPLE_TEST)/homes: $(B)/tests/sample/programs/homes.o $(B)/libsmile-monitor.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

$(SAMPLE_TEST)/list_samples: $(B)/tests/sample/programs/list_samples.o $(B)/libsample.a $(B)/libsmile-monitor.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

$(SAMPLE_TEST)/two_arrays: tests/sample/programs/two_arrays.c
	@mkdir -p $(@D)
	$(CC) -O1 -g $(WARNINGS) -o $@ $<

# The 32-bit program needs only binutils.
$(SAMPLE_TEST)/pages_32: tests/sample/programs/pages_32.S
	@mkdir -p $(@D)
	as --32 -o $@.o $< && ld -m elf_i386 -o $@ $@.o

$(SAMPLE_TEST)/logs: tests/sample/programs/logs.c $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) -Iinclude -O1 -g $(WARNINGS) -o $@ $^

$(SAMPLE_TEST)/logs_static: tests/sample/programs/logs.c $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) -static -Iinclude -O1 -g $(WARNINGS) -o $@ $^

.PHONY: sample-programs
sample-programs: $(SAMPLE_PROGRAMS) $(SAMPLE_TEST)/homes

.PHONY: check-sample
check-sample: all tools $(addprefix $(SAMPLE_TEST)/,mksampled as_nobody touch_pages memory process_kinds named_threads pages_32 logs logs_static \
		list_samples two_arrays) \
		$(B)/tests/tools/mkcapture | $(OWNER)
	@PROGRAMS=$(abspath $(SAMPLE_TEST)) $(RUN) "tests/sample/sample_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(SAMPLE_TEST)/scratch" \
		"tests/sample/perf_data_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture \
		$(SAMPLE_TEST)/perf_data_scratch" \
		"tests/sample/children_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(SAMPLE_TEST)/children_scratch" \
		"tests/sample/readers_test.sh $(B)/bin/smile $(SAMPLE_TEST)/readers_scratch"

CHECK_QUICK += check-sample
CHECK_SANITIZE += check-sample

-include $(wildcard $(B)/tests/sample/programs/*.d)
