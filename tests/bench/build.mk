# Speed: tables with ratios within one run. No test depends on the ratios.
BENCH_CAPTURE ?= $(B)/bench/capture.pcap

$(B)/tests/bench/card_bench: $(B)/tests/bench/card_bench.o $(B)/tests/bench/traffic.o \
		$(LIB_INSIDE) $(B)/libcard.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(B)/tests/bench/trace_bench: $(B)/tests/bench/trace_bench.o $(B)/tests/bench/traffic.o \
		$(LIB_INSIDE) $(B)/libcard.a $(B)/libinstrument.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

.PHONY: bench
bench: deps-bench
	+@$(MAKE) --no-print-directory bench-run

# The FFT capture if it exists; otherwise SOR's traffic.
$(B)/bench/capture.pcap: $(B)/bin/smile | sim
	@mkdir -p $(@D)
	if [ -f ../shared/captures/fft16k-node0.pcap.xz ]; then \
		xz -dc ../shared/captures/fft16k-node0.pcap.xz > $@; \
	else \
		$(B)/bin/smile sim sor --size 256 --iterations 4 --capture - --node 0 > $@; \
	fi

# The guest's programs, in a separate image with uio_pci_generic, which the tests do not need.
$(B)/tests/bench/guest_bench: $(addprefix $(B)/tests/bench/,guest_bench.o guest_driver.o guest_peer.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^

$(B)/tests/bench/guest_feed: $(B)/tests/bench/guest_feed.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread

BENCH_IMAGE := $(GUEST)/bench.initramfs

$(BENCH_IMAGE): $(B)/tests/bench/guest_bench $(GUEST)/kmod/smile_monitor.ko tests/guest/init \
		tests/guest/initramfs.sh | $(GUEST)/vmlinux
	B=$(B) GUEST=$(GUEST) tests/guest/initramfs.sh --output $@ --module $(GUEST_MODULE) \
		$$(find $(GUEST)/modules/ -name uio.ko -o -name uio_pci_generic.ko | \
			sed 's/^/--module /') $<

# `smile run` beside its peers. Only one table: make bench-tracing PARTS=sor; of other programs: PARTS=programs
$(B)/tests/bench/spend: $(B)/tests/bench/spend.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^

# The cost of an empty callback for each access in QEMU: a row of the tables.
EMPTY_CALLBACK := $(B)/tests/bench/empty_callback.so

$(EMPTY_CALLBACK): $(PLAIN)/tracer/tests/bench/empty_callback.o $(PLAIN)/tracer/run/tracer/qemu_plugin.o
	@mkdir -p $(@D)
	$(CC) -shared $(LDFLAGS) $^ -o $@

.PHONY: bench-run bench-card bench-trace bench-guest bench-tracing bench-report bench-state bench-fabric bench-gas bench-ring
bench-run: bench-card bench-trace bench-tracing bench-report bench-serve bench-trace-db bench-state bench-guest bench-fabric bench-gas bench-ring bench-sample

# `smile stat`'s estimates beside other methods and the truth. One program: make bench-state
# STATE_PROGRAMS=sor
$(B)/tests/bench/state_bench: $(addprefix $(B)/,tests/bench/state_bench.o tests/bench/state_rivals.o tools/stat/rotation.o) $(ESTIMATE)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lm

$(B)/tests/bench/state_hard: $(B)/tests/bench/state_hard.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread

bench-state: sim $(addprefix $(B)/tests/bench/,state_bench state_hard estimate_bench cluster_bench exchange_bench \
		cluster_share)
	B=$(B) $(if $(STATE_PROGRAMS),STATE_PROGRAMS="$(STATE_PROGRAMS)") tests/bench/state_bench.sh

# The improvement of estimates of a card's events by a processor's events, on guests.
.PHONY: bench-joint
bench-joint: $(CLUSTER_IMAGE) $(WORKLOAD_NODES) $(B)/emu/qemu/smile-monitor.so $(B)/bin/smile
	B=$(B) GUEST=$(GUEST) tests/bench/joint_bench.sh

$(B)/tests/bench/begin_timer: $(B)/tests/bench/begin_timer.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^

# The state of a cluster in guests: its cost, and the differences between the nodes' starts of intervals.
.PHONY: bench-begin
bench-begin: $(CLUSTER_IMAGE) $(B)/emu/qemu/smile-monitor.so $(B)/bin/smile $(B)/tests/bench/begin_timer
	B=$(B) GUEST=$(GUEST) tests/bench/begin_bench.sh

# The cost of names of the heap under `smile sample`.
$(B)/tests/bench/allocates: tests/bench/allocates.c
	@mkdir -p $(@D)
	$(CC) -O1 -g $(WARNINGS) -o $@ $<

.PHONY: bench-sample
bench-sample: place $(B)/bin/smile $(B)/tests/bench/allocates
	B=$(B) tests/bench/sample_bench.sh

bench-tracing: sim $(EMPTY_CALLBACK) $(addprefix $(B)/tests/bench/,spend mix) $(B)/tests/tracer/tracer_dump $(addprefix $(B)/tests/run/programs/,waits quarters)
	B=$(B) $(if $(PARTS),PARTS="$(PARTS)") tests/bench/run_bench.sh

# Reports beside SQLite, the page's first view, and the live page. Less of it: make bench-report RECORDS=10000000
# KINDS=program VIEWS=pages PEERS=upsert PARTS=report. Recordings need 16 bytes a record, SQLite
# some 50 bytes of memory for each.
$(B)/tests/bench/report_make: $(B)/tests/bench/report_make.o $(LIB_INSIDE)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(B)/tests/bench/report_peer: $(B)/tests/bench/report_peer.o $(B)/tests/bench/report_sqlite.o \
		$(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lsqlite3

$(B)/tests/bench/moved_quarters $(B)/tests/bench/mix: %: %.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread

bench-report: sim $(addprefix $(B)/tests/bench/,spend report_make report_peer moved_quarters) \
		$(B)/tests/view/recordings $(B)/tests/serve/feeder
	B=$(B) $(foreach name,RECORDS KINDS VIEWS PEERS PARTS MEGABYTES,$(if $($(name)),$(name)="$($(name))")) \
		tests/bench/report_bench.sh

# The merged view of many cards while they count. Less of it: make bench-serve SERVE_PAGES=65536
SERVE_PAGES ?= 1048576
.PHONY: bench-serve
bench-serve: $(B)/bin/smile $(B)/tests/serve/feeder
	python3 tests/bench/serve_bench.py $(B) $(B)/bench/serve $(SERVE_PAGES)

bench-card: $(B)/tests/bench/card_bench $(BENCH_CAPTURE)
	$(B)/tests/bench/card_bench $(BENCH_CAPTURE)

bench-trace: $(B)/tests/bench/trace_bench $(BENCH_CAPTURE)
	$(B)/tests/bench/trace_bench $(BENCH_CAPTURE)

# Only one part: make bench-guest BENCH_PARTS=loss
bench-guest: $(BENCH_IMAGE) $(B)/tests/bench/guest_feed qemu-plugin
	B=$(B) GUEST=$(GUEST) tests/bench/guest_bench.sh

# Accesses to another node's memory, on two guests; both cards count, and their records are read.
$(B)/tests/bench/fabric_bench: tests/bench/fabric_bench.c $(B)/libsisci.a
	@mkdir -p $(@D)
	$(CC) -Iinclude/sisci -D_GNU_SOURCE $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ -lpthread

bench-fabric: cluster $(B)/tests/bench/fabric_bench
	B=$(B) tests/bench/fabric_bench.sh

# Pages of libsmile-gas that move, on two guests.
$(B)/tests/bench/gas_bench: tests/bench/gas_bench.c $(GAS_STATIC) $(SISCI_STATIC)
	@mkdir -p $(@D)
	$(CC) -Iinclude -D_GNU_SOURCE $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ -lpthread -lm

bench-gas: cluster $(B)/tests/bench/gas_bench
	$(B)/bin/smile cluster --nodes 2 -- $(B)/tests/bench/gas_bench

# The papers' figures and tables. To make those in docs/: make papers PAPERS=docs/papers
PAPERS ?= $(B)/papers

.PHONY: papers papers-cluster
papers: sim papers-cluster
	PAPERS_CLUSTER=$(PAPERS_CLUSTER) tests/bench/papers.sh $(B)/bin/smile $(B)/workload $(PAPERS)

# The data of chapter 8: SOR on four guests. It is kept, and made again when the guests' programs change.
# PAPERS_CLUSTER=DIR uses another run.
PAPERS_CLUSTER ?= $(B)/bench/cluster-state

papers-cluster: $(PAPERS_CLUSTER)/view3.csv

$(B)/bench/cluster-state/view3.csv: tests/bench/cluster_state.sh $(CLUSTER_IMAGE) $(B)/workload/nodes/sor \
		$(B)/emu/qemu/smile-monitor.so $(B)/bin/smile
	B=$(B) GUEST=$(GUEST) tests/bench/cluster_state.sh $(@D)

# The time of a filter's step: blocks beside whole matrices.
$(B)/tests/bench/estimate_bench: $(addprefix $(B)/tests/,bench/estimate_bench.o unit/lib/estimate/dense.o) \
		$(ESTIMATE)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -llapacke -lopenblas -lm

papers: $(B)/tests/bench/estimate_bench

$(B)/tests/bench/exchange_bench: $(B)/tests/bench/exchange_bench.o $(EXCHANGE) $(ESTIMATE)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lm

$(B)/tests/bench/cluster_share: $(B)/tests/bench/cluster_share.o $(B)/tests/top/libtools.a $(TOOLS_LIBRARIES)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS) -ljansson -lm

$(B)/tests/bench/cluster_bench: $(B)/tests/bench/cluster_bench.o $(ESTIMATE)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lm

# The trace database. Less of it: make bench-trace-db PACKETS=1000000
$(B)/tests/bench/trace_db_peer: $(B)/tests/bench/trace_db_peer.o $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lsqlite3

.PHONY: bench-trace-db
bench-trace-db: tools dissector $(B)/tests/bench/spend $(B)/tests/bench/trace_db_peer $(BENCH_CAPTURE)
	B=$(B) $(if $(PACKETS),PACKETS=$(PACKETS)) tests/bench/trace_db_bench.sh $(BENCH_CAPTURE)

# The ring's simulation beside ns-3's of the same load, if ns-3 is installed: make bench-ring
$(B)/tests/bench/ring_bench: $(B)/tests/bench/ring_bench.o $(B)/libring.a $(B)/libcable.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

bench-ring: $(B)/tests/bench/ring_bench
	B=$(B) tests/bench/ring_bench.sh
