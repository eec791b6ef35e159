# `smile sim`: a shell suite over the built command, and, if QEMU is installed, the papers' programs. migrate_test.sh
# compares times of runs; the sanitizers see pages move in sim_test.sh.
.PHONY: check-sim
check-sim: all tools $(B)/tests/tools/mkcapture $(B)/tests/workload/faulty/sor | $(OWNER)
	@SIM_BUILD=$(abspath $(B)) $(RUN) "tests/sim/sim_test.sh $(B)/bin/smile \
		$(B)/tests/tools/mkcapture $(B)/tests/sim/scratch" \
		$(if $(SANITIZE),,"tests/sim/migrate_test.sh $(B)/bin/smile \
			$(B)/tests/tools/mkcapture $(B)/tests/sim/scratch-migrate")

CHECK_LONG += check-sim
CHECK_SANITIZE += check-sim
