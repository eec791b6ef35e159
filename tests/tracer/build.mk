# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of the tracer, with programs each of whose accesses is known.

TRACER_GUESTS := $(patsubst tests/tracer/guest/%.c,$(B)/tests/tracer/guest/%,\
	$(wildcard tests/tracer/guest/*.c))
TRACER_TESTS := $(addprefix $(B)/tests/tracer/,parts_test displaced_test unwind_test stack_frames_test tracer_test tracer_dump)

$(B)/tests/tracer/tracer_test: $(addprefix $(B)/tests/tracer/,tracer_test.o check.o reader.o \
		access_cases.o memory_cases.o process_cases.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka

$(B)/tests/tracer/parts_test: $(B)/tests/tracer/parts_test.o \
		$(addprefix $(PLAIN)/tracer/run/tracer/,x86.o counted_pages.o address_ranges.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka

$(B)/tests/tracer/displaced_test: $(B)/tests/tracer/displaced_test.o $(PLAIN)/tracer/run/tracer/displaced.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka

$(B)/tests/tracer/unwind_test: $(B)/tests/tracer/unwind_test.o $(PLAIN)/tracer/run/tracer/unwind.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka

$(B)/tests/tracer/stack_frames_test: $(B)/tests/tracer/stack_frames_test.o \
		$(addprefix $(PLAIN)/tracer/run/tracer/,stack_frames.o unwind.o address_ranges.o displaced.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka

$(B)/tests/tracer/tracer_dump: $(B)/tests/tracer/dump.o $(B)/tests/tracer/reader.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^

# Traced programs never have a sanitizer, since the sanitizer's accesses would also be traced.
$(B)/tests/tracer/guest/%: tests/tracer/guest/%.c tests/tracer/guest/guest.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) \
		$(if $(filter %_static,$@),-static) -pthread $< -o $@

.PHONY: check-tracer
check-tracer: $(TRACER) $(B)/smile-preload.so $(TRACER_TESTS) $(TRACER_GUESTS) | $(OWNER)
	@$(RUN) $(addprefix $(B)/tests/tracer/,parts_test displaced_test unwind_test) \
		$(B)/tests/tracer/stack_frames_test \
		"$(B)/tests/tracer/tracer_test $(TRACER) $(abspath $(B)/smile-preload.so) \
		$(B)/tests/tracer/guest"

CHECK_SUITES += check-tracer
CHECK_QUICK += check-tracer
