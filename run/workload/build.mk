# The papers' programs: executables that run natively and under `smile run`. Each program is linked from its own source,
# its model if it has one, workload.c and threads.c. The functions of <smile/trace.h> are in a shared library, so that the
# tracer's functions can replace them under `smile run`. This is the project's own library (TRACE_SHARED) if it is
# built, and the tests' library otherwise. All symbols are bound before the program starts. With lazy binding, the
# thread that first calls a function would execute the instructions of the look-up, and in the next run this could be
# another thread. The programs are traced, so they have no sanitizer.
WORKLOAD_NAMES := sor fft radix gauss water
WORKLOAD_PROGRAMS := $(WORKLOAD_NAMES:%=$(B)/workload/%)
# The same objects with nodes.c: programs for the nodes of `smile cluster`.
WORKLOAD_NODES := $(WORKLOAD_NAMES:%=$(B)/workload/nodes/%)
WORKLOAD_TRACE_NONE := $(B)/tests/workload/libtrace-none.so
WORKLOAD_TRACE := $(if $(TRACE_SHARED),$(TRACE_SHARED),$(WORKLOAD_TRACE_NONE))

# The directories in which the loader searches for the library: the directory next to the program's directory, the
# directory of the tests, and the directory into which `make install` installs the library.
WORKLOAD_RPATH := '$$ORIGIN/..:$$ORIGIN/../tests/workload:$$ORIGIN/../..'

$(B)/workload/water $(B)/workload/nodes/water: $(B)/run/workload/water_model.o

WORKLOAD_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard run/workload/*.c))

$(WORKLOAD_OBJECTS): $(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

$(WORKLOAD_PROGRAMS): $(B)/workload/%: $(B)/run/workload/%.o \
		$(B)/run/workload/workload.o $(B)/run/workload/threads.o $(WORKLOAD_TRACE)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -Wl,-z,now -Wl,-rpath,$(WORKLOAD_RPATH) -o $@ $^ -pthread -lm

# The run-time system that moves the programs' pages is the example of smile_gas(7).
$(B)/run/workload/nodes.o: ALL_CPPFLAGS += -Idocs/examples

# The libraries are shared, so that the libraries' own calls are not wrapped.
$(WORKLOAD_NODES): $(B)/workload/nodes/%: $(B)/run/workload/%.o $(B)/run/workload/workload.o \
		$(B)/run/workload/nodes.o $(B)/docs/examples/adaptive.o $(WORKLOAD_TRACE) $(GAS_SHARED) \
		$(SISCI_SHARED) $(LIB_SHARED)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -Wl,-z,now -Wl,-rpath,'$$ORIGIN/../..:$$ORIGIN/../../tests/workload' \
		-Wl,--no-as-needed,--wrap=pthread_mutex_init,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock \
		-o $@ $^ -pthread -lm

.PHONY: workloads
# These programs run in guests, which have no library with a sanitizer.
workloads: $(WORKLOAD_PROGRAMS) $(if $(SANITIZE),,$(WORKLOAD_NODES))
all: workloads

# The directory in which `smile sim` finds the programs.
.PHONY: install-workloads
install: install-workloads
install-workloads: all
	install -d $(INSTALL_LIBDIR)/smile-monitor/workload
	install -m 755 $(WORKLOAD_PROGRAMS) $(INSTALL_LIBDIR)/smile-monitor/workload

-include $(wildcard $(B)/run/workload/*.d)
