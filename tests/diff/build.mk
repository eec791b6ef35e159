# `smile diff`: a shell suite over the built command, with recordings of known accesses.
.PHONY: check-diff
check-diff: all tools $(B)/tests/tools/mkcapture $(B)/tests/run/bin/qemu-x86_64 | $(OWNER)
	@RUN_BIN=$(abspath $(RUN_BIN)) $(RUN) "tests/diff/diff_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/diff/scratch"

CHECK_SUITES += check-diff
CHECK_QUICK += check-diff
