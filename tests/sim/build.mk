# Tests of `smile sim`: a shell suite over the built command, and, if QEMU is installed, the papers' programs.
# migrate_test.sh compares times of runs, without a sanitizer; sim_test.sh runs moving pages under the sanitizers.
.PHONY: check-sim check-sim-sim check-sim-migrate
check-sim: check-sim-sim $(if $(SANITIZE),,check-sim-migrate)

check-sim-sim check-sim-migrate: check-sim-%: all tools $(B)/tests/tools/mkcapture \
		$(B)/tests/workload/faulty/sor | $(OWNER)
	@SIM_BUILD=$(abspath $(B)) $(RUN) "tests/sim/$*_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/sim/scratch-$*"

CHECK_LONG += check-sim-migrate
CHECK_SANITIZE += check-sim
