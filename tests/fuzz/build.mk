# Fuzzing. With any compiler, check-fuzz passes every file of the corpora to all targets. With clang's
# libFuzzer, `make fuzz` looks for new faults, FUZZ_SECONDS in each target; `make fuzz-corpus` does the
# same, and then makes the corpora again from the inputs that were found. Only `make fuzz-corpus` writes
# into the source tree. The dissector, which is Lua, runs in tshark: dissector_fuzz.py.
FUZZ_CC := clang
FUZZ_SECONDS := 600
FUZZ_CORPUS := tests/fuzz/corpus
FUZZ_CARD_BYTES := 1024
FUZZ_CAPTURE_BYTES := 6144
FUZZ_TRACE_DB_BYTES := 2048
FUZZ_PERF_DATA_BYTES := 8192
FUZZ_SCHEDULE_BYTES := 1024
FUZZ_REFERENCE := $(filter-out %_test.c,$(wildcard tests/reference/*.c))
FUZZ_SOURCES_CARD := tests/fuzz/card_fuzz.c $(FUZZ_REFERENCE) $(CARD_SOURCES)
FUZZ_LIB := $(LIB_SOURCES) $(CARD_SOURCES) $(wildcard emu/trace/*.c)
FUZZ_SOURCES_CAPTURE := tests/fuzz/capture_fuzz.c emu/qemu/pcap_stream.c $(FUZZ_LIB)
FUZZ_SOURCES_TRACE_DB := tests/fuzz/trace_db_fuzz.c $(wildcard lib/trace-db/*.c emu/cable/*.c) $(FUZZ_LIB)
FUZZ_SOURCES_PERF_DATA := tests/fuzz/perf_data_fuzz.c $(addprefix run/sample/,perf_file.c perf_features.c \
	perf_sample.c data_source.c host.c)
FUZZ_SOURCES_SCHEDULE := tests/fuzz/schedule_fuzz.c $(SCHEDULE_SOURCES) $(MACHINE_SOURCES)

# ---- without libFuzzer -----------------------------------------------------------------------------

$(B)/tests/fuzz/card_fuzz: $(B)/tests/fuzz/card_fuzz.o $(B)/tests/fuzz/main.o \
		$(FUZZ_REFERENCE:%.c=$(B)/%.o) $(B)/libcard.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

$(B)/tests/fuzz/capture_fuzz: $(B)/tests/fuzz/capture_fuzz.o $(B)/tests/fuzz/main.o \
		$(B)/emu/qemu/pcap_stream.o $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpcap

$(B)/tests/fuzz/trace_db_fuzz: $(B)/tests/fuzz/trace_db_fuzz.o $(B)/tests/fuzz/main.o $(TRACE_DB) \
		$(B)/libcable.a $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(TRACE_DB_LIBS) -ljansson -lm

$(B)/tests/fuzz/perf_data_fuzz: $(B)/tests/fuzz/perf_data_fuzz.o $(B)/tests/fuzz/main.o $(B)/libsample.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

$(B)/tests/fuzz/schedule_fuzz: $(B)/tests/fuzz/schedule_fuzz.o $(B)/tests/fuzz/main.o $(B)/libschedule.a \
		$(B)/libmachine.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread

FUZZ_TARGETS := card_fuzz capture_fuzz trace_db_fuzz perf_data_fuzz schedule_fuzz

.PHONY: check-fuzz
check-fuzz: $(FUZZ_TARGETS:%=$(B)/tests/fuzz/%) | $(OWNER)
	@$(RUN) "$(B)/tests/fuzz/card_fuzz $(FUZZ_CORPUS)/card" \
		"$(B)/tests/fuzz/capture_fuzz $(FUZZ_CORPUS)/capture" \
		"$(B)/tests/fuzz/trace_db_fuzz $(FUZZ_CORPUS)/trace_db" \
		"$(B)/tests/fuzz/perf_data_fuzz $(FUZZ_CORPUS)/perf_data" \
		"$(B)/tests/fuzz/schedule_fuzz $(FUZZ_CORPUS)/schedule"

.PHONY: check-fuzz-dissector
check-fuzz-dissector: dissector | $(OWNER)
	@$(RUN) "python3 tests/fuzz/dissector_fuzz.py $(DISSECTOR) $(B)/tests/fuzz/dissector"

# ---- with libFuzzer --------------------------------------------------------------------------------

FUZZ_CFLAGS := -std=c11 -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined
FUZZ_LDFLAGS := -fsanitize=fuzzer,address,undefined

$(B)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(ALL_CPPFLAGS) $(FUZZ_CFLAGS) -MMD -MP -c $< -o $@

$(B)/fuzz/card_fuzz: $(FUZZ_SOURCES_CARD:%.c=$(B)/fuzz/%.o)
	$(FUZZ_CC) $(FUZZ_LDFLAGS) -o $@ $^

$(B)/fuzz/capture_fuzz: $(FUZZ_SOURCES_CAPTURE:%.c=$(B)/fuzz/%.o)
	$(FUZZ_CC) $(FUZZ_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpcap

$(B)/fuzz/trace_db_fuzz: $(FUZZ_SOURCES_TRACE_DB:%.c=$(B)/fuzz/%.o)
	$(FUZZ_CC) $(FUZZ_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(TRACE_DB_LIBS) -ljansson -lm

$(B)/fuzz/perf_data_fuzz: $(FUZZ_SOURCES_PERF_DATA:%.c=$(B)/fuzz/%.o)
	$(FUZZ_CC) $(FUZZ_LDFLAGS) -o $@ $^

$(B)/fuzz/schedule_fuzz: $(FUZZ_SOURCES_SCHEDULE:%.c=$(B)/fuzz/%.o)
	$(FUZZ_CC) $(FUZZ_LDFLAGS) -o $@ $^ -lpthread

$(B)/tests/fuzz/seeds: $(B)/tests/fuzz/seeds.o $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

# $(1): target, $(2): longest input
define fuzz_run
	@mkdir -p $(B)/fuzz/found/$(1)
	$(B)/fuzz/$(1)_fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=$(2) -len_control=0 \
		-timeout=60 -print_final_stats=1 -artifact_prefix=$(B)/fuzz/$(1)- \
		$(B)/fuzz/found/$(1) $(FUZZ_CORPUS)/$(1)
endef

# $(1): target, $(2): longest input. The smallest set of inputs with the same coverage.
define fuzz_merge
	rm -rf $(B)/fuzz/merged/$(1)
	mkdir -p $(B)/fuzz/merged/$(1) $(FUZZ_CORPUS)/$(1)
	$(B)/fuzz/$(1)_fuzz -set_cover_merge=1 -use_counters=0 -max_len=$(2) $(B)/fuzz/merged/$(1) \
		$(B)/fuzz/found/$(1) $(FUZZ_CORPUS)/$(1)
	rm -f $(FUZZ_CORPUS)/$(1)/*
	cp $(B)/fuzz/merged/$(1)/* $(FUZZ_CORPUS)/$(1)
endef

.PHONY: fuzz fuzz-corpus
fuzz: deps-fuzz
	+@$(MAKE) --no-print-directory fuzz-run

.PHONY: fuzz-run fuzz-merge fuzz-seeds
fuzz-run: $(FUZZ_TARGETS:%=$(B)/fuzz/%) dissector
	$(call fuzz_run,card,$(FUZZ_CARD_BYTES))
	$(call fuzz_run,capture,$(FUZZ_CAPTURE_BYTES))
	$(call fuzz_run,trace_db,$(FUZZ_TRACE_DB_BYTES))
	$(call fuzz_run,perf_data,$(FUZZ_PERF_DATA_BYTES))
	$(call fuzz_run,schedule,$(FUZZ_SCHEDULE_BYTES))
	python3 tests/fuzz/dissector_fuzz.py $(DISSECTOR) $(B)/fuzz/dissector $(FUZZ_SECONDS) $$(date +%s)

fuzz-seeds: $(B)/tests/fuzz/seeds
	@mkdir -p $(B)/fuzz/found/card $(B)/fuzz/found/capture
	$(B)/tests/fuzz/seeds $(B)/fuzz/found/card $(B)/fuzz/found/capture
	@mkdir -p $(B)/fuzz/found/perf_data
	for case in plain amd wide mixed physical forked compressed damaged short_sample other_build; do \
		python3 tests/sample/perf_data.py $$case $(B)/fuzz/found/perf_data/$$case || exit 1; done

fuzz-merge: $(FUZZ_TARGETS:%=$(B)/fuzz/%)
	$(call fuzz_merge,card,$(FUZZ_CARD_BYTES))
	$(call fuzz_merge,capture,$(FUZZ_CAPTURE_BYTES))
	$(call fuzz_merge,trace_db,$(FUZZ_TRACE_DB_BYTES))
	$(call fuzz_merge,perf_data,$(FUZZ_PERF_DATA_BYTES))
	$(call fuzz_merge,schedule,$(FUZZ_SCHEDULE_BYTES))

fuzz-corpus: deps-fuzz
	@mkdir -p $(FUZZ_CORPUS)/card $(FUZZ_CORPUS)/capture $(FUZZ_CORPUS)/schedule
	+@$(MAKE) --no-print-directory fuzz-seeds
	+@$(MAKE) --no-print-directory fuzz-run
	+@$(MAKE) --no-print-directory fuzz-merge

CHECK_SUITES += check-fuzz-dissector
CHECK_SANITIZE += check-fuzz

-include $(wildcard $(B)/fuzz/*/*.d $(B)/fuzz/*/*/*.d)
