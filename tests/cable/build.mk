# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Packets of the SCI cable: encoded and decoded, and against a decoder written from their description.
$(B)/tests/cable/cable_test: $(addprefix $(B)/tests/cable/,cable_test.o cable_sample.o) $(B)/libcable.a $(B)/libpcapng.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

.PHONY: check-cable
check-cable: $(B)/tests/cable/cable_test | $(OWNER)
	@$(RUN) $(B)/tests/cable/cable_test \
		"tests/cable/cable_test.py $(B)/tests/cable/cable_test $(B)/tests/cable/scratch"

CHECK_QUICK += check-cable
CHECK_SANITIZE += check-cable
