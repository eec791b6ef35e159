# The tests' programs under ThreadSanitizer. Not part of make check: only a change of such a program can change the
# result, and some machines allow no program to have addresses that are not randomized.
.PHONY: check-races
check-races: | $(OWNER)
	@$(RUN) "tests/races/races_test.sh $(B)/tests/races"
