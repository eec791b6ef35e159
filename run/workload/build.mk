# The papers' programs: executables of their own, for the machine at hand and for `smile run`. The objects of each are
# its own source, its model if it has one, common.c and threads.c. <smile/trace.h> is linked as a shared library, so
# that under `smile run` the tracer's functions can replace its functions. The library is the project's own
# (TRACE_SHARED) if it is built, otherwise the tests' library. Symbols are bound before the program starts. Otherwise
# the thread that first calls a function looks it up, and the instructions of the look-up would be that thread's, which
# can be another thread in the next run. The programs are traced, so they have no sanitizer.
WORKLOAD_NAMES := sor fft radix gauss water
WORKLOAD_PROGRAMS := $(WORKLOAD_NAMES:%=$(B)/workload/%)
# The same objects with nodes.c: programs for the nodes of `smile cluster`.
WORKLOAD_NODES := $(WORKLOAD_NAMES:%=$(B)/workload/nodes/%)
WORKLOAD_TRACE_NONE := $(B)/tests/workload/libtrace-none.so
WORKLOAD_TRACE := $(if $(TRACE_SHARED),$(TRACE_SHARED),$(WORKLOAD_TRACE_NONE))

# Directories of the library: beside the program's, that of the tests, and the directory where `make install` puts it.
WORKLOAD_RPATH := '$$ORIGIN/..:$$ORIGIN/../tests/workload:$$ORIGIN/../..'

$(B)/workload/water $(B)/workload/nodes/water: $(B)/run/workload/water_model.o

WORKLOAD_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard run/workload/*.c))

$(WORKLOAD_OBJECTS): $(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

$(WORKLOAD_PROGRAMS): $(B)/workload/%: $(B)/run/workload/%.o \
		$(B)/run/workload/common.o $(B)/run/workload/threads.o $(WORKLOAD_TRACE)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -Wl,-z,now -Wl,-rpath,$(WORKLOAD_RPATH) -o $@ $^ -pthread -lm

# The run-time system that moves their pages is the example of smile_gas(7).
$(B)/run/workload/nodes.o: ALL_CPPFLAGS += -Idocs/examples

# The libraries are shared, so that the libraries' own calls are not wrapped.
$(WORKLOAD_NODES): $(B)/workload/nodes/%: $(B)/run/workload/%.o $(B)/run/workload/common.o \
		$(B)/run/workload/nodes.o $(B)/docs/examples/adaptive.o $(WORKLOAD_TRACE) $(GAS_SHARED) \
		$(SISCI_SHARED) $(LIB_SHARED)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -Wl,-z,now -Wl,-rpath,'$$ORIGIN/../..:$$ORIGIN/../../tests/workload' \
		-Wl,--no-as-needed,--wrap=pthread_mutex_init,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock \
		-o $@ $^ -pthread -lm

.PHONY: workloads
# The guests in which they run have no library with a sanitizer.
workloads: $(WORKLOAD_PROGRAMS) $(if $(SANITIZE),,$(WORKLOAD_NODES))
all: workloads

# The directory in which `smile sim` finds the programs.
.PHONY: install-workloads
install: install-workloads
install-workloads: all
	install -d $(INSTALL_LIBDIR)/smile-monitor/workload
	install -m 755 $(WORKLOAD_PROGRAMS) $(INSTALL_LIBDIR)/smile-monitor/workload

-include $(wildcard $(B)/run/workload/*.d)
