# Tests of `smile top`: its parts, without a terminal, and the code that it shares with `smile serve`; the
# command, and its screen in a pseudo terminal. tests/unit/lib/monitor tests how the library follows a
# recording that grows.
$(B)/tests/top/libtools.a: $(filter-out $(B)/tools/smile.o,$(TOOLS_OBJECTS))
	@mkdir -p $(@D)
	$(archive)

$(B)/tests/top/part_test: $(B)/tests/top/part_test.o $(B)/tests/top/libtools.a $(TOOLS_LIBRARIES)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS) -ljansson -lcmocka -lm

$(B)/tests/top/grow: $(B)/tests/top/grow.o $(B)/libsmile-monitor.a
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

.PHONY: check-top
check-top: tools $(B)/tests/top/part_test $(B)/tests/top/grow $(B)/tests/view/recordings \
	$(B)/tests/tools/mkcapture | $(OWNER)
	@$(RUN) $(B)/tests/top/part_test "python3 tests/top/top_test.py $(B)/bin/smile \
		$(B)/tests/top/grow $(B)/tests/view/recordings $(B)/tests/tools/mkcapture $(B)/top"

CHECK_QUICK += check-top
CHECK_SANITIZE += check-top
