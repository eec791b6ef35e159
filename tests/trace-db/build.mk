# The trace database: `smile trace import` and what reads it, against frames that Python takes apart.
.PHONY: check-trace-db
check-trace-db: tools | $(OWNER)
	@$(RUN) "python3 tests/trace-db/import_test.py $(B)/bin/smile $(B)/tests/trace-db/import" \
		"python3 tests/trace-db/query_test.py $(B)/bin/smile $(B)/tests/trace-db/query"

CHECK_SUITES += check-trace-db
CHECK_QUICK += check-trace-db
CHECK_SANITIZE += check-trace-db

# The dissector, in tshark.
.PHONY: check-dissector
check-dissector: tools dissector $(B)/tests/tools/mkcapture | $(OWNER)
	@$(RUN) "python3 tests/trace-db/dissector_test.py $(DISSECTOR) $(B)/tests/tools/mkcapture \
		$(B)/bin/smile $(B)/tests/trace-db/dissector"

CHECK_SUITES += check-dissector
CHECK_QUICK += check-dissector
