# The man pages of section 3: each function has one, they are equal to those made from the headers, and
# their examples run. The man pages of the command: each has the options of its help text, and smile(1)
# names all pages.
.PHONY: check-man
check-man: all tools | $(GUEST_KERNEL) $(OWNER)
	@$(RUN) "tests/man/man_test.sh $(B) $(KERNEL_DOC)" "python3 tests/man/options.py $(B)/bin/smile docs/man"

CHECK_SUITES += check-man
