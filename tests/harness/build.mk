# The tests' own tools: the owner of their processes (owner.c), the runner and the closing lines. The
# owner is the same for every tree: no sanitizer.
$(OWNER): tests/harness/owner.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 -g $(WARNINGS) -o $@ $<

.PHONY: check-harness
check-harness: | $(OWNER)
	@$(RUN) "tests/harness/harness_test.sh $(OWNER) $(B)/tests/harness-scratch"

CHECK_LONG += check-harness
