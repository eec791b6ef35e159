# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# driver_test: the driver's tests, a program that runs in the guest; perf_send, which sends frames by the
# same code. Part of build.mk.
DRIVER_TEST := $(B)/tests/guest/driver_test
DRIVER_TEST_SOURCES := $(wildcard tests/guest/driver_*.c)

PERF_SEND := $(B)/tests/guest/perf_send
PERF_SEND_SOURCES := $(addprefix tests/guest/,perf_send.c driver_fixture.c driver_traffic.c)

# The adapter's driver, from two nodes, from one, by random calls from both, and from a node with none.
ADAPTER_PAIR := $(B)/tests/guest/adapter_pair
ADAPTER_ALONE := $(B)/tests/guest/adapter_alone
ADAPTER_FUZZ := $(B)/tests/guest/adapter_fuzz
ADAPTER_PEER := $(B)/tests/guest/adapter_peer

GUEST_BINARIES += $(DRIVER_TEST) $(PERF_SEND) $(ADAPTER_PAIR) $(ADAPTER_ALONE) $(ADAPTER_FUZZ) \
	$(ADAPTER_PEER) $(B)/tests/guest/sisci_pair

# The same tests over the SISCI API, compiled like programs for it; sisci_nodes with the shared library.
SISCI_PROGRAMS := $(addprefix $(B)/tests/guest/,sisci_pair sisci_nodes sisci_calls sisci_survivor sisci_mutual \
	sisci_self sisci_failed sisci_removed sisci_changes stat_load)

SISCI_LINKED = $(SISCI_STATIC)
$(B)/tests/guest/sisci_nodes: SISCI_LINKED = $(SISCI_SHARED)
$(B)/tests/guest/sisci_self: SISCI_LINKED = $(SISCI_STATIC) $(LIB_SHARED)
$(B)/tests/guest/sisci_self: $(LIB_SHARED)

$(SISCI_PROGRAMS): $(B)/tests/guest/%: tests/guest/%.c $(SISCI_STATIC) $(SISCI_SHARED) tests/guest/sisci_check.h
	@mkdir -p $(@D)
	$(CC) -Iinclude/sisci -Iinclude -D_GNU_SOURCE $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(SISCI_LINKED) -lpthread

# Tests of the global address space.
GAS_PROGRAMS := $(addprefix $(B)/tests/guest/,gas_nodes gas_seen)

$(B)/tests/guest/gas_seen: GAS_LINKED = $(LIB_SHARED)
$(B)/tests/guest/gas_seen: $(LIB_SHARED)

$(GAS_PROGRAMS): $(B)/tests/guest/%: tests/guest/%.c $(GAS_STATIC) $(SISCI_STATIC)
	@mkdir -p $(@D)
	$(CC) -Iinclude -D_GNU_SOURCE $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(GAS_STATIC) $(SISCI_STATIC) $(GAS_LINKED) \
		-lpthread -lm

$(ADAPTER_PAIR): $(B)/tests/guest/adapter_pair.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^

$(ADAPTER_ALONE): $(B)/tests/guest/adapter_alone.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread

$(ADAPTER_FUZZ): $(B)/tests/guest/adapter_fuzz.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread

$(ADAPTER_PEER): $(B)/tests/guest/adapter_peer.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread

$(DRIVER_TEST): $(DRIVER_TEST_SOURCES:%.c=$(B)/%.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka -lpthread

$(PERF_SEND): $(PERF_SEND_SOURCES:%.c=$(B)/%.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka -lpthread

# The device file of the deep trace instrument.
TRACE_DEVICE := $(B)/tests/guest/trace_device

# The device file when the instrument loses its state.
TRACE_RESET := $(B)/tests/guest/trace_reset
TRACE_RESET_SOURCES := $(addprefix tests/guest/,trace_reset.c driver_monitor.c driver_fixture.c driver_traffic.c)

GUEST_BINARIES += $(TRACE_DEVICE) $(TRACE_RESET)

$(TRACE_RESET): $(TRACE_RESET_SOURCES:%.c=$(B)/%.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka -lpthread

$(TRACE_DEVICE): $(B)/tests/guest/trace_device.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^
