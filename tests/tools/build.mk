# The command line, as a user sees it: shell suites over the built `smile`.
$(B)/tests/tools/mkcapture: $(B)/tests/tools/mkcapture.o $(B)/libsmile-monitor.a
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS)

.PHONY: check-tools
check-tools: all tools $(B)/tests/tools/mkcapture
	tests/tools/cli_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/tools/scratch
	tests/tools/static_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/tools/scratch
	tests/tools/doctor_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/tools/scratch
	tests/tools/damage_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/tools/scratch
	tests/tools/sweep_test.sh $(B)/bin/smile $(B)/tests/tools/mkcapture $(B)/tests/tools/scratch
	tests/tools/fft_test.sh $(B)/bin/smile $(B)/tests/tools/scratch

.PHONY: check-install
check-install: all tools
	tests/tools/install_test.sh $(B)
