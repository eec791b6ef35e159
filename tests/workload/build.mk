# The papers' programs as ordinary programs: tests/workload/workload_test.sh. It also runs versions that
# compute wrong results on request, which their own checks must find, and versions that are linked with a
# library that reports their marks.
WORKLOAD_FAULTY := $(WORKLOAD_NAMES:%=$(B)/tests/workload/faulty/%)

# Programs that are traced, and the objects linked into them, have no sanitizer.
$(B)/tests/workload/trace_none.o: tests/workload/trace_none.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

$(WORKLOAD_TRACE_NONE): $(B)/tests/workload/trace_none.o
	$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -o $@ $^

$(B)/tests/workload/faulty/%.o: run/workload/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -DWORKLOAD_FAULT $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

$(B)/tests/workload/faulty/water: $(B)/tests/workload/faulty/water_model.o

$(WORKLOAD_FAULTY): %: %.o $(addprefix $(B)/tests/workload/faulty/,workload.o threads.o) $(WORKLOAD_TRACE_NONE)
	$(CC) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/..' -o $@ $^ -pthread -lm

.PHONY: check-workload
check-workload: $(WORKLOAD_PROGRAMS) $(WORKLOAD_FAULTY) | $(OWNER)
	@$(RUN) "tests/workload/workload_test.sh $(B)"

CHECK_SUITES += check-workload
CHECK_QUICK += check-workload

-include $(wildcard $(B)/tests/workload/faulty/*.d)
