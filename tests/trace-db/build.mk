# Tests of the trace database: `smile trace import` and the verbs that read it, against frames decoded in Python.
.PHONY: check-trace-db
check-trace-db: tools $(B)/tests/cable/cable_test | $(OWNER)
	@$(RUN) "python3 tests/trace-db/import_test.py $(B)/bin/smile $(B)/tests/trace-db/import" \
		"python3 tests/trace-db/query_test.py $(B)/bin/smile $(B)/tests/trace-db/query" \
		"python3 tests/trace-db/cable_db_test.py $(B)/bin/smile $(B)/tests/cable/cable_test \
		$(B)/tests/trace-db/cable"

CHECK_SANITIZE += check-trace-db

# The dissector, in tshark: frames of the tests, and all captures of the project. CAPTURE_FRAMES=0 tests all frames.
$(B)/tests/trace-db/adapter_capture: $(B)/tests/trace-db/adapter_capture.o \
		$(B)/tests/unit/adapter/adapter_fixture.o $(B)/libadapter.a $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lcmocka

.PHONY: check-dissector check-captures
check-dissector: dissector | $(OWNER)
	@$(RUN) "python3 tests/trace-db/dissector_test.py $(DISSECTOR) $(B)/tests/trace-db/dissector"

check-captures: tools sim dissector $(B)/tests/tools/mkcapture $(B)/tests/cable/cable_test \
		$(B)/tests/trace-db/adapter_capture | $(OWNER)
	@$(RUN) "python3 tests/trace-db/captures_test.py $(DISSECTOR) $(B)/bin/smile $(B)/tests \
		$(B)/tests/trace-db/captures"

CHECK_SUITES += check-dissector check-captures
CHECK_QUICK += check-dissector
