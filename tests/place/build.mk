# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# `smile place`: a shell suite over the built command on this machine, whatever its nodes are. Four nodes
# are in a guest: tests/guest/place_test.sh.
PLACE_TEST := $(B)/tests/place
PLACE_PROGRAMS := $(addprefix $(PLACE_TEST)/,several rebuilt/several static operators page_nodes roles large quarters)
PLACE_PROGRAM_FLAGS = -Iinclude -D_GNU_SOURCE -std=gnu11 -O1 -g $(WARNINGS) -pthread

# Built like a user's program, without a sanitizer.
$(PLACE_TEST)/several: tests/place/programs/several.c $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) $(PLACE_PROGRAM_FLAGS) -o $@ $^

# The same program after a change: other addresses, and another build.
$(PLACE_TEST)/rebuilt/several: tests/place/programs/several.c $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) $(PLACE_PROGRAM_FLAGS) -DREBUILT -o $@ $^

$(PLACE_TEST)/static: tests/place/programs/several.c $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) $(PLACE_PROGRAM_FLAGS) -static -o $@ $^

$(PLACE_TEST)/operators: tests/place/programs/operators.cpp
	@mkdir -p $(@D)
	$(CXX) -Wall $(WERROR_FLAG) -O1 -g -pthread -o $@ $<

$(PLACE_TEST)/large: tests/place/programs/large.c $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) $(PLACE_PROGRAM_FLAGS) -o $@ $^

# Threads that take their numbers under a lock.
$(PLACE_TEST)/roles: tests/run/programs/roles.c
	@mkdir -p $(@D)
	$(CC) $(PLACE_PROGRAM_FLAGS) -o $@ $^

# Data of which each thread uses a quarter.
$(PLACE_TEST)/quarters: tests/run/programs/quarters.c
	@mkdir -p $(@D)
	$(CC) $(PLACE_PROGRAM_FLAGS) -o $@ $^

$(PLACE_TEST)/page_nodes: tests/place/programs/page_nodes.c
	@mkdir -p $(@D)
	$(CC) $(PLACE_PROGRAM_FLAGS) -o $@ $< -lnuma

.PHONY: place-programs
place-programs: $(PLACE_PROGRAMS)

.PHONY: check-place
check-place: all tools $(PLACE_PROGRAMS) $(B)/tests/tools/mkcapture | $(OWNER)
	@PROGRAMS=$(abspath $(PLACE_TEST)) $(RUN) "tests/place/place_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(PLACE_TEST)/scratch"

CHECK_QUICK += check-place
CHECK_SANITIZE += check-place
