# `smile advise` and `smile diff`: shell suites over the built command, with recordings of known
# accesses, and, where QEMU is there, the papers' programs.
.PHONY: check-advise
check-advise: all tools workloads $(B)/tests/tools/mkcapture $(RUN_BIN)/qemu-x86_64 \
		$(B)/tests/serve/feeder
	RUN_BIN=$(abspath $(RUN_BIN)) FEEDER=$(abspath $(B)/tests/serve/feeder) \
		tests/advise/advise_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/advise/scratch
	RUN_BIN=$(abspath $(RUN_BIN)) tests/advise/diff_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/advise/scratch-diff
	WORKLOADS=$(abspath $(B)/workload) tests/advise/papers_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/advise/scratch-papers
