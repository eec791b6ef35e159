# Tests of `smile view`: the document of known recordings against the correct document, and the page in a real,
# headless browser. Screenshots are kept in $(B)/view/page.
$(B)/tests/view/recordings: $(B)/tests/view/recordings.o $(B)/libsmile-monitor.a
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

.PHONY: check-view check-view-data check-view-page
check-view: check-view-data check-view-page

check-view-data: tools $(B)/tests/view/recordings | $(OWNER)
	@$(RUN) "python3 tests/view/view_test.py $(B)/bin/smile $(B)/tests/view/recordings $(B)/view"

check-view-page: tools $(B)/tests/view/recordings $(B)/tests/sample/mksampled | $(OWNER)
	@$(RUN) "node tests/view/page_test.mjs $(B) $(B)/view/page"

CHECK_LONG += check-view
CHECK_QUICK += check-view-data
