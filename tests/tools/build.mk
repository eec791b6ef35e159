# The command line, as a user sees it: shell suites over the built `smile`.
$(B)/tests/tools/mkcapture: $(B)/tests/tools/mkcapture.o $(B)/libsmile-monitor.a
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

.PHONY: check-tools
check-tools: all tools $(B)/tests/tools/mkcapture | $(OWNER)
	@$(RUN) $(foreach suite,cli static doctor damage fft completion,"tests/tools/$(suite)_test.sh \
		$(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/tools/scratch-$(suite)")

.PHONY: check-install
check-install: all tools | $(OWNER)
	@$(RUN) "tests/tools/install_test.sh $(B)"

CHECK_SUITES += check-install
CHECK_QUICK += check-tools
CHECK_SANITIZE += check-tools
