# The tests' programs under ThreadSanitizer. `make check` does not include them: only a change of such a program can
# change the result, and some machines do not allow a program to turn off address randomization.
.PHONY: check-races
check-races: | $(OWNER)
	@$(RUN) "tests/races/races_test.sh $(B)/tests/races"
