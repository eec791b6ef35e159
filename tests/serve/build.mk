# Tests of `smile serve`: its parts, without a client; every rule of its HTTP; its metrics, by a strict parser;
# several machines; and the live page in a real, headless browser, while a recording grows. Screenshots are kept in
# $(B)/serve/page.
$(B)/tests/serve/part_test: $(B)/tests/serve/part_test.o $(B)/tests/top/libtools.a $(TOOLS_LIBRARIES)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS) -ljansson -lmicrohttpd $(TRACE_DB_LIBS) -lcmocka -lm

$(B)/tests/serve/feeder: $(B)/tests/serve/feeder.o $(B)/libsmile-monitor.a
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

.PHONY: check-serve check-serve-http check-serve-page
check-serve: check-serve-http check-serve-page

check-serve-http: tools $(B)/tests/serve/part_test $(B)/tests/serve/feeder $(B)/tests/view/recordings | $(OWNER)
	@$(RUN) $(B)/tests/serve/part_test "python3 tests/serve/serve_test.py $(B)/bin/smile \
		$(B)/tests/view/recordings $(B)/tests/serve/feeder $(B)/serve" \
		"python3 tests/serve/changes_test.py $(B)/bin/smile $(B)/tests/serve/feeder $(B)/serve/changes" \
		"python3 tests/serve/remote_test.py $(B)/bin/smile $(B)/tests/view/recordings \
		$(B)/tests/serve/feeder $(B)/serve/remote"

check-serve-page: tools $(B)/tests/serve/feeder $(B)/tests/view/recordings $(B)/tests/sample/mksampled | $(OWNER)
	@$(RUN) "node tests/serve/live_test.mjs $(B) $(B)/serve/page" \
		"node tests/serve/packets_test.mjs $(B) $(B)/serve/packets"

CHECK_LONG += check-serve
