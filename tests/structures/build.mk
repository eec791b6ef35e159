# Data structure and location: programs of known layout in C, C++ and Fortran, which print what each
# address should be called, under `smile run`; and what `smile report structures` calls it.
STRUCTURES := $(B)/tests/structures

.PHONY: check-structures
check-structures: all tools tracer preload $(B)/tests/tools/mkcapture | $(OWNER)
	@STRUCTURES_PROGRAMS=$(abspath tests/structures/programs) $(RUN) \
		"tests/structures/structures_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture \
			$(STRUCTURES)/scratch" \
		"tests/structures/callers_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture \
			$(STRUCTURES)/scratch-callers"

CHECK_LONG += check-structures
