# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of the deep trace instrument: compared with an independent program, and through `smile trace`. For more
# sequences: make check-trace TRACE_SEQUENCES=5000000
TRACE_SEQUENCES ?= $(if $(SANITIZE),10000,100000)

$(B)/tests/trace/differential_test: $(addprefix $(B)/tests/trace/,differential_test.o oracle.o) \
		$(B)/libinstrument.a $(B)/libcard.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

$(B)/tests/trace/hostile_test: $(B)/tests/trace/hostile_test.o $(B)/libinstrument.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

$(B)/tests/trace/reset_values: $(B)/tests/trace/reset_values.o $(B)/libinstrument.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

.PHONY: check-trace
check-trace: tools $(B)/tests/trace/differential_test $(B)/tests/trace/hostile_test $(B)/tests/trace/reset_values | $(OWNER)
	@$(RUN) "$(B)/tests/trace/differential_test $(TRACE_SEQUENCES)" \
		$(B)/tests/trace/hostile_test \
		"tests/trace/datasheet_test.py $(B)/tests/trace/reset_values" \
		"tests/trace/record_test.py $(B)/bin/smile $(B)/tests/trace/scratch"

CHECK_SUITES += check-trace
CHECK_SANITIZE += check-trace
