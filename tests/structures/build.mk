# Tests of data structure and location: programs of known layout in C, C++ and Fortran run under `smile run`, and
# print the correct name of each address; `smile report structures` must show the same names.
STRUCTURES := $(B)/tests/structures

.PHONY: check-structures
check-structures: all tools tracer preload $(B)/tests/tools/mkcapture | $(OWNER)
	@STRUCTURES_PROGRAMS=$(abspath tests/structures/programs) $(RUN) \
		"tests/structures/structures_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture \
			$(STRUCTURES)/scratch" \
		"tests/structures/callers_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture \
			$(STRUCTURES)/scratch-callers"

CHECK_LONG += check-structures
