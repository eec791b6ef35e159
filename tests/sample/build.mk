# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# `smile sample`: a shell suite over the built command on this machine, and on trees that look like machines with two
# nodes. Four nodes are in a guest: tests/guest/sample_test.sh.
SAMPLE_TEST := $(B)/tests/sample
# As a user builds a program: no sanitizer.
SAMPLE_PROGRAMS := $(addprefix $(SAMPLE_TEST)/,pinned as_nobody touch_pages)

$(SAMPLE_PROGRAMS): $(SAMPLE_TEST)/%: tests/sample/programs/%.c
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE -std=gnu11 -O1 -g $(WARNINGS) -pthread -o $@ $<

$(SAMPLE_TEST)/mksampled: $(B)/tests/sample/programs/mksampled.o $(B)/libsample.a $(B)/liballocations.a $(ANALYSIS_INSIDE) \
		$(B)/libsmile-monitor.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS) -ljansson -lm

$(SAMPLE_TEST)/homes: $(B)/tests/sample/programs/homes.o $(B)/libsmile-monitor.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

.PHONY: sample-programs
sample-programs: $(SAMPLE_PROGRAMS) $(SAMPLE_TEST)/homes

.PHONY: check-sample
check-sample: all tools $(SAMPLE_TEST)/mksampled $(SAMPLE_TEST)/touch_pages $(B)/tests/tools/mkcapture | $(OWNER)
	@PROGRAMS=$(abspath $(SAMPLE_TEST)) $(RUN) "tests/sample/sample_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(SAMPLE_TEST)/scratch"

CHECK_QUICK += check-sample
CHECK_SANITIZE += check-sample
