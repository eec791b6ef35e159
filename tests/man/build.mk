# The man pages of section 3: each function has one, they are those of the headers, and their examples
# run.
.PHONY: check-man
check-man: all tools | $(GUEST_KERNEL) $(OWNER)
	@$(RUN) "tests/man/man_test.sh $(B) $(KERNEL_DOC)"

CHECK_SUITES += check-man
