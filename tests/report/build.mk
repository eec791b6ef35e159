# Tests of the output of `smile report` and similar commands: --csv cell by cell against --json, tables and
# maps at several widths, colours through a pseudo-terminal.
.PHONY: check-report
check-report: tools $(B)/tests/view/recordings $(B)/tests/tools/mkcapture | $(OWNER)
	@$(RUN) "python3 tests/report/report_test.py $(B)/bin/smile $(B)/tests/view/recordings \
		$(B)/tests/tools/mkcapture $(B)/report"

CHECK_SANITIZE += check-report
