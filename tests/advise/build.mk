# `smile advise`: shell suites over the built command, with recordings of known accesses, and, if QEMU is
# installed, the papers' programs and others.
.PHONY: check-advise
check-advise: all tools workloads $(B)/tests/tools/mkcapture $(B)/tests/run/bin/qemu-x86_64 \
		$(B)/tests/serve/feeder $(addprefix $(B)/tests/run/programs/,arena buffers constants counts critical meets openmp pools quarters roles shares sleeps weights.so) | $(OWNER)
	@RUN_BIN=$(abspath $(RUN_BIN)) FEEDER=$(abspath $(B)/tests/serve/feeder) \
		WORKLOADS=$(abspath $(B)/workload) RUN_PROGRAMS=$(abspath $(B)/tests/run/programs) $(RUN) \
		$(foreach suite,advise elsewhere papers programs words,"tests/advise/$(suite)_test.sh $(B)/bin/smile \
			$(B)/tests/tools/mkcapture $(B)/tests/advise/scratch-$(suite)")

CHECK_SUITES += check-advise
