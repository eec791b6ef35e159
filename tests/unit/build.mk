# Unit tests: tests/unit/X_test.c is one cmocka program for what X.c does; the other .c files here
# are shared by them.
UNIT_SOURCES := $(wildcard tests/unit/*_test.c)
UNIT_SHARED := $(filter-out $(UNIT_SOURCES),$(wildcard tests/unit/*.c))
UNIT_SHARED_OBJECTS := $(UNIT_SHARED:%.c=$(B)/%.o)
UNIT_TESTS := $(UNIT_SOURCES:%.c=$(B)/%)
UNIT_EXTRA_OBJECTS := $(B)/emu/qemu/pcap_stream.o $(B)/tests/failing.o $(B)/tools/run/feed.o
UNIT_LIBRARIES := $(B)/libschedule.a $(B)/libmachine.a $(ANALYSIS_INSIDE) $(LIB_INSIDE) \
	$(B)/libcard.a

$(UNIT_TESTS): $(B)/%: $(B)/%.o $(UNIT_SHARED_OBJECTS) $(UNIT_EXTRA_OBJECTS) $(UNIT_LIBRARIES)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(UNIT_SHARED_OBJECTS) $(UNIT_EXTRA_OBJECTS) \
		$(UNIT_LIBRARIES) $(LIB_LIBS) -ljansson -lcmocka -lm

# Where memory runs out when a test wants it to: no_memory.h.
NO_MEMORY := $(addprefix $(B)/tests/unit/,counts_test hash_table_test slab_test pages_test)

$(NO_MEMORY): ALL_LDFLAGS += -Wl,--wrap=calloc -Wl,--wrap=aligned_alloc

# Of the command, what needs nothing of it.
$(B)/tests/unit/run_frames_test: $(B)/tools/run/frames.o
$(B)/tests/unit/run_frames_test: UNIT_EXTRA_OBJECTS += $(B)/tools/run/frames.o

.PHONY: check-unit
check-unit: $(UNIT_TESTS) | $(OWNER)
	@$(RUN) $(UNIT_TESTS)
