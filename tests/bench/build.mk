# Speed: tables with ratios within one run. No test depends on them.
BENCH_CAPTURE ?= $(B)/bench/capture.pcap

$(B)/tests/bench/card_bench: $(B)/tests/bench/card_bench.o $(B)/tests/bench/traffic.o \
		$(LIB_INSIDE) $(B)/libcard.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

.PHONY: bench
bench: deps
	+@$(MAKE) --no-print-directory bench-run

# The FFT capture where it is, SOR's traffic elsewhere.
$(B)/bench/capture.pcap: $(B)/bin/smile
	@mkdir -p $(@D)
	if [ -f ../shared/captures/fft16k-node0.pcap.xz ]; then \
		xz -dc ../shared/captures/fft16k-node0.pcap.xz > $@; \
	else \
		$(B)/bin/smile sim sor --size 256 --iterations 4 --capture - --node 0 > $@; \
	fi

.PHONY: bench-run
bench-run: $(B)/tests/bench/card_bench $(BENCH_CAPTURE) guest-image qemu-plugin
	$(B)/tests/bench/card_bench $(BENCH_CAPTURE)
	B=$(B) tests/bench/guest_bench.sh $(BENCH_CAPTURE)
