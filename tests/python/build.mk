# The Python package: its structures against the C headers, its results against those of `smile report`,
# and its example.
$(B)/tests/python/layout: $(B)/tests/python/layout.o
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS)

.PHONY: check-python
check-python: all tools $(B)/tests/view/recordings $(B)/tests/tools/mkcapture $(B)/tests/python/layout | $(OWNER)
	@$(RUN) "python3 tests/python/python_test.py $(B) $(B)/python"

CHECK_SUITES += check-python
CHECK_QUICK += check-python
