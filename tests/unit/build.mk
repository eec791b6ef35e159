# Unit tests: tests/unit/FOLDER/X_test.c is one cmocka program for X.c of that folder. The folders are
# base/ (include/base/), lib/, run/, sisci/ (lib/sisci/), tools/, and those of emu/. A new file needs no line here.
#
# Each program is linked with the other .c files that it uses, and with objects that are in no library:
# UNIT_EXTRA_OBJECTS.
UNIT_FILES := $(wildcard $(addprefix tests/unit/,*.c */*.c */*/*.c */*/*/*.c))
UNIT_TESTS := $(patsubst %.c,$(B)/%,$(filter %_test.c,$(UNIT_FILES)))
UNIT_SHARED := $(B)/tests/unit/libshared.a
UNIT_EXTRA_OBJECTS := $(B)/emu/qemu/pcap_stream.o $(B)/lib/marks/marks.o $(B)/tests/harness/failing.o \
	$(B)/tools/stat/cluster_link.o $(B)/run/place/region_match.o $(B)/run/place/lock_order.o $(B)/tools/common/signals.o $(B)/tests/cable/cable_sample.o
UNIT_LIBRARIES := $(GAS_INSIDE) $(B)/libsisci.a $(TRACE_DB) $(B)/libadapter.a $(B)/librun.a $(B)/libsample.a \
	$(B)/liballocations.a $(B)/libschedule.a $(B)/libmachine.a $(ANALYSIS_INSIDE) $(ANALYSIS_RING) $(LIB_INSIDE) \
	$(B)/libcard.a $(EXCHANGE) $(ESTIMATE)

$(UNIT_SHARED): $(patsubst %.c,$(B)/%.o,$(filter-out %_test.c,$(UNIT_FILES))) $(UNIT_EXTRA_OBJECTS)
	$(archive)

$(UNIT_TESTS): %: %.o $(UNIT_SHARED) $(UNIT_LIBRARIES)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(TRACE_DB_LIBS) -ljansson -lcmocka $(UNIT_LIBS) -lm

# The estimator beside whole matrices.
$(addprefix $(B)/tests/unit/lib/estimate/,kalman_filter_test joint_process_test): UNIT_LIBS := -llapacke -lopenblas

# Where memory runs out when a test wants it to: no_memory.h.
NO_MEMORY := $(addprefix $(B)/tests/unit/,base/array_test base/hash_table_test \
	lib/analysis/live/live_sums_test lib/base/slab_test lib/counts/counts_test lib/counts/page_table_test \
	machine/tally_test)

$(NO_MEMORY): ALL_LDFLAGS += -Wl,--wrap=calloc -Wl,--wrap=aligned_alloc \
	-Wl,--wrap=reallocarray

# A thread that the system refuses.
$(B)/tests/unit/machine/backlog_test: ALL_LDFLAGS += -Wl,--wrap=pthread_create

# How often the library asks for memory: lib/estimate/allocations.h.
ALLOCATIONS := $(addprefix $(B)/tests/unit/lib/estimate/,cluster_test kalman_filter_test state_test)

$(ALLOCATIONS): ALL_LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc \
	-Wl,--wrap=reallocarray,--wrap=strdup

# Some look for variables and types of their own.
$(UNIT_TESTS:%=%.o): ALL_CFLAGS += -g

.PHONY: check-unit
check-unit: $(UNIT_TESTS) | $(OWNER)
	@$(RUN) $(UNIT_TESTS)

CHECK_QUICK += check-unit
CHECK_SANITIZE += check-unit

-include $(wildcard $(UNIT_FILES:%.c=$(B)/%.d))
