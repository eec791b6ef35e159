# Tests of `smile sweep`: a shell suite over the built command, with captures in which every frame is known.
.PHONY: check-sweep
check-sweep: all tools $(B)/tests/tools/mkcapture | $(OWNER)
	@$(RUN) "tests/sweep/sweep_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture \
		$(B)/tests/sweep/scratch"

CHECK_SUITES += check-sweep
CHECK_SANITIZE += check-sweep
