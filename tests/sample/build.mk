# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# `smile sample`: a shell suite over the built command on this machine, and on trees that look like others. Four nodes
# are in a guest: tests/guest/sample_test.sh.
SAMPLE_TEST := $(B)/tests/sample
SAMPLE_PROGRAMS := $(SAMPLE_TEST)/pinned

# As a user builds a program: no sanitizer.
$(SAMPLE_TEST)/pinned: tests/sample/programs/pinned.c
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE -std=gnu11 -O1 -g $(WARNINGS) -pthread -o $@ $<

.PHONY: sample-programs
sample-programs: $(SAMPLE_PROGRAMS)
