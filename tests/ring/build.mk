# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of the ring against a second model, written from its datasheet; and of `smile ring`.
$(B)/tests/ring/ring_packets: $(B)/tests/ring/ring_packets.o $(B)/libring.a $(B)/libcable.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

.PHONY: check-ring
check-ring: tools $(B)/tests/ring/ring_packets | $(OWNER)
	@$(RUN) "tests/ring/ring_test.py $(B)/tests/ring/ring_packets" \
		"tests/ring/command_test.py $(B)/bin/smile $(B)/tests/ring/command"

CHECK_QUICK += check-ring
CHECK_SANITIZE += check-ring
