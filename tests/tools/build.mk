# Tests of the command line, as a user has it: shell suites over the built `smile`.
$(B)/tests/tools/mkcapture: $(B)/tests/tools/mkcapture.o $(B)/libsmile-monitor.a
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

.PHONY: check-tools
check-tools: all tools $(B)/tests/tools/mkcapture | $(OWNER)
	@$(RUN) $(foreach suite,cli static doctor damage outputs names fft completion,"tests/tools/$(suite)_test.sh \
		$(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/tools/scratch-$(suite)")

# Every option in every form of every command. This is a separate suite, since it starts the command some 1,500
# times; some of the recordings are those of `smile sim`.
.PHONY: check-options
check-options: all tools sim $(B)/tests/tools/mkcapture $(B)/tests/sample/mksampled | $(OWNER)
	@$(RUN) "python3 tests/tools/options_test.py $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/sample/mksampled \
		$(B)/tests/tools/options"

.PHONY: check-install
check-install: all tools | $(OWNER)
	@$(RUN) "tests/tools/install_test.sh $(B)"

CHECK_SUITES += check-install check-options
CHECK_QUICK += check-tools
CHECK_SANITIZE += check-tools
