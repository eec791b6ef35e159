# Tests of `smile stat`: shell suites over the built command; the captures are those of `smile sim`.
.PHONY: check-stat
check-stat: all tools sim $(B)/tests/tools/mkcapture | $(OWNER)
	@$(RUN) "tests/stat/stat_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/stat/scratch" \
		"tests/stat/count_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/stat/count"

CHECK_SUITES += check-stat
CHECK_QUICK += check-stat
