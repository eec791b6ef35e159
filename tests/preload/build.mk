# The program's side of `smile run`, without the tracer: programs of all kinds run natively with the
# preload library, whose calls an observer records.
PRELOAD_TEST := $(B)/tests/preload
PRELOAD_OBSERVED := $(PRELOAD_TEST)/observed.so
PRELOAD_PROGRAMS := $(addprefix $(PRELOAD_TEST)/,posix c11 processes openmp heap_calls own_heap copy static region \
	region_static cxx fortran)
PRELOAD_PROGRAM_FLAGS = -Iinclude -I. -D_GNU_SOURCE -std=gnu11 $(WARNINGS) -g -pthread

$(PRELOAD_TEST)/observer.o: tests/preload/observer.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

$(PRELOAD_OBSERVED): $(filter-out %/tracer_call.o,$(PRELOAD_OBJECTS)) $(PRELOAD_TEST)/observer.o
	$(CC) $(PRELOAD_LDFLAGS) $(LDFLAGS) -o $@ $^

# Programs built like a user's: with their compiler's default options, and without a sanitizer.
$(PRELOAD_TEST)/%: tests/preload/%.c tests/preload/named.h
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_PROGRAM_FLAGS) -O1 -o $@ $<

$(PRELOAD_TEST)/openmp: tests/preload/openmp.c tests/preload/named.h
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_PROGRAM_FLAGS) -O1 -fopenmp -o $@ $<

$(PRELOAD_TEST)/static: tests/preload/posix.c tests/preload/named.h
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_PROGRAM_FLAGS) -O1 -static -o $@ $<

$(PRELOAD_TEST)/copy: tests/preload/copy.c
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_PROGRAM_FLAGS) -O1 -fno-builtin -o $@ $<

$(PRELOAD_TEST)/region: tests/preload/region.c tests/preload/named.h $(TRACE_SHARED)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_PROGRAM_FLAGS) -O1 -o $@ $< -L$(B) -lsmile-trace -Wl,-rpath,$(abspath $(B))

$(PRELOAD_TEST)/region_static: tests/preload/region.c tests/preload/named.h $(TRACE_STATIC)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_PROGRAM_FLAGS) -O1 -o $@ $< $(TRACE_STATIC)

$(PRELOAD_TEST)/cxx: tests/preload/threads.cpp tests/preload/named.h
	@mkdir -p $(@D)
	$(CXX) -I. -Wall $(WERROR_FLAG) -O1 -g -pthread -o $@ $<

$(PRELOAD_TEST)/fortran: tests/preload/openmp.f90
	@mkdir -p $(@D)
	gfortran -Wall -O1 -g -fopenmp -J$(@D) -o $@ $<

.PHONY: check-preload
check-preload: $(PRELOAD) $(PRELOAD_OBSERVED) $(PRELOAD_PROGRAMS) | $(OWNER)
	@$(RUN) "tests/preload/preload_test.sh $(B)"

CHECK_SUITES += check-preload
CHECK_QUICK += check-preload
