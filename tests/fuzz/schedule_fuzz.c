/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fuzzing the replay of a traced program: the program can write anything into the stream's memory.
 *
 * What lives here: the first byte selects the configuration. The rest of the input is a list of
 * steps, and each step begins with two bytes: the kind of the step, and a channel. A step writes
 * words into the channel, changes a member of the shared memory, reports the end of a process, or
 * replays words. Whatever the steps are, the replay ends, and its results are valid. It may use
 * fuzz.h, run/schedule and emu/machine.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/machine/machine.h"
#include "run/schedule/schedule.h"
#include "tests/fuzz/fuzz.h"

#define CHANNELS 8U
#define PID_FIRST 100U
#define PIDS 4U
#define PROCESSORS 16U
#define EPOCH_CYCLES 4000U
#define SPILL_BYTES 256U
#define TALLY_BYTES 64U

/* The bits of the first byte. */
#define CONFIG_ORDERED 1U /* accesses are replayed in the order of the clocks */
#define CONFIG_EPOCHS 2U
#define CONFIG_SPILL 4U /* little memory for words outside their channels */
#define CONFIG_SLEEPS 8U /* the system reports that each thread sleeps */
#define CONFIG_BLOCKS 16U
#define CONFIG_CACHES 32U
#define CONFIG_COUNTS 64U /* requests are counted by block, not delivered as frames */

enum step {
	STEP_RUN,
	STEP_BEGIN,
	STEP_ACCESS,
	STEP_WORD,
	STEP_HEAD,
	STEP_WRITTEN,
	STEP_STATE,
	STEP_WAITS,
	STEP_REGION,
	STEP_HEADER,
	STEP_DEAD,
	STEP_RECORD, /* from here on: a control record, by enum stream_op */
};

/**
 * struct play - A program, and its replay.
 * @memory: the stream's memory
 * @schedule: the replay
 * @machine: its machine
 * @words: number of words that were replayed
 * @now: the simulated time at the last check
 * @met: cycle of the last meeting
 * @last_ns: time of the last frame, by node
 */
struct play {
	uint8_t *memory;
	struct schedule *schedule;
	struct machine *machine;
	uint64_t words;
	uint64_t now;
	uint64_t met;
	uint64_t last_ns[MACHINE_NODES_DEFAULT];
};

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "schedule_fuzz: %s\n", what);
	abort();
}

/* A number that is small in most inputs, but can be any number. */
static uint64_t any_number(struct fuzz_input *input)
{
	uint8_t first = fuzz_byte(input);

	return first < 0xf8 ? first : fuzz_number(input, (first & 7) + 1);
}

/* ---- the program --------------------------------------------------------------------------- */

static struct stream_channel *channel_at(const struct play *play, unsigned number)
{
	return (struct stream_channel *)(play->memory + STREAM_CHANNELS_AT) + number;
}

static void word_write(const struct play *play, unsigned number, uint64_t word)
{
	struct stream_channel *channel = channel_at(play, number);
	uint64_t *ring = (uint64_t *)(play->memory + STREAM_WORDS_AT) +
			 (size_t)number * STREAM_CHANNEL_WORDS;
	uint64_t head = atomic_load(&channel->head);

	ring[head % STREAM_CHANNEL_WORDS] = word;
	atomic_store(&channel->written, head + 1);
	atomic_store(&channel->head, head + 1);
}

static void record_write(const struct play *play, unsigned number, enum stream_op op,
			 uint64_t value, struct fuzz_input *input)
{
	static const uint8_t words[STREAM_OP_COUNT] = STREAM_OP_WORDS;

	word_write(play, number,
		   (value & ~(STREAM_KIND << STREAM_KIND_SHIFT | STREAM_OP << STREAM_OP_SHIFT)) |
			   (uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT |
			   (uint64_t)op << STREAM_OP_SHIFT);
	for (unsigned i = 1; i < words[op]; i++)
		word_write(play, number, any_number(input));
}

static void thread_write(const struct play *play, unsigned number, struct fuzz_input *input)
{
	struct stream_header *header = (void *)play->memory;
	uint32_t pid = PID_FIRST + fuzz_byte(input) % PIDS;

	if (atomic_load(&channel_at(play, number)->state) == STREAM_FREE_CHANNEL) {
		atomic_store(&channel_at(play, number)->pid, pid);
		atomic_store(&channel_at(play, number)->state, STREAM_OPEN);
		atomic_fetch_add(&header->claimed, 1);
	}
	record_write(play, number, STREAM_BEGIN, pid, input);
}

static void access_write(const struct play *play, unsigned number, struct fuzz_input *input)
{
	uint64_t kind = fuzz_byte(input), address = any_number(input);

	word_write(play, number,
		   (address & STREAM_ADDRESS) | kind % STREAM_CONTROL << STREAM_KIND_SHIFT |
			   (kind >> 2 & STREAM_SIZE) << STREAM_SIZE_SHIFT |
			   (kind >> 5) << STREAM_WORK_SHIFT);
}

static void region_write(const struct play *play, struct fuzz_input *input)
{
	struct stream_region *regions = (void *)(play->memory + STREAM_REGIONS_AT);
	struct stream_region *region = &regions[fuzz_byte(input) % 16];

	region->start = any_number(input);
	region->end = region->start + any_number(input);
	region->kind = (uint32_t)any_number(input);
	memset(region->path, fuzz_byte(input), sizeof(region->path));
}

static void header_write(const struct play *play, struct fuzz_input *input)
{
	struct stream_header *header = (void *)play->memory;

	switch (fuzz_byte(input) % 4) {
	case 0:
		atomic_store(&header->refused, (uint32_t)any_number(input));
		break;
	case 1:
		atomic_store(&header->untaken, (uint32_t)any_number(input));
		break;
	case 2:
		atomic_store(&header->regions, (uint32_t)any_number(input));
		break;
	default:
		atomic_store(&header->claimed, (uint32_t)any_number(input));
	}
}

static void waits_write(const struct play *play, unsigned number, struct fuzz_input *input)
{
	uint8_t bits = fuzz_byte(input);

	atomic_store(&channel_at(play, number)->full, bits & 1);
	atomic_store(&channel_at(play, number)->waits, bits >> 1 & 1);
	atomic_store(&channel_at(play, number)->alone, bits >> 2);
}

/* ---- the replay ---------------------------------------------------------------------------- */

static void frames_check(void *opaque, unsigned node, const struct machine_frame *frames,
			 size_t count)
{
	struct play *play = opaque;

	for (size_t i = 0; i < count; i++) {
		must(frames[i].time_ns >= play->last_ns[node], "a frame before the last one");
		play->last_ns[node] = frames[i].time_ns;
	}
}

static void counts_check(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
			 size_t count, uint64_t time_ns)
{
	(void)opaque;
	(void)request;
	(void)time_ns;
	must(node < MACHINE_NODES_DEFAULT && counts && count > 0, "counts of no node");
}

static void notice_check(void *opaque, enum schedule_notice kind, const char *text)
{
	(void)opaque;
	must(kind < SCHEDULE_NOTICE_COUNT && *text, "a notice without a text");
}

static void phase_check(void *opaque, const char *name, unsigned index, uint64_t time_ns)
{
	(void)opaque;
	(void)time_ns;
	must(index > 0 && strlen(name) < STREAM_NAME_BYTES, "a phase without a name");
}

static void meet_check(void *opaque, uint64_t cycle)
{
	struct play *play = opaque;

	must(cycle >= play->met, "a meeting before the last one");
	play->met = cycle;
}

static bool sleeps(void *opaque, uint32_t tid)
{
	(void)opaque;
	(void)tid;
	return true;
}

static bool error_is_known(int64_t error)
{
	return error == -EPROTO || error == -ENOSPC || error == -EUSERS || error == -EOVERFLOW;
}

static void play_run(struct play *play, size_t words)
{
	int64_t done = schedule_run(play->schedule, words);

	must(done >= 0 || error_is_known(done), "an error that is not documented");
	play->words += done > 0 ? (uint64_t)done : 0;
	must(schedule_now(play->schedule) >= play->now, "time that goes back");
	play->now = schedule_now(play->schedule);
}

static void step_play(struct play *play, struct fuzz_input *input)
{
	unsigned kind = fuzz_byte(input) % (STEP_RECORD + STREAM_OP_COUNT);
	unsigned number = fuzz_byte(input) % CHANNELS;
	struct stream_channel *channel = channel_at(play, number);

	switch (kind) {
	case STEP_RUN:
		play_run(play, fuzz_byte(input));
		break;
	case STEP_BEGIN:
		thread_write(play, number, input);
		break;
	case STEP_ACCESS:
		access_write(play, number, input);
		break;
	case STEP_WORD:
		word_write(play, number, fuzz_number(input, 8));
		break;
	case STEP_HEAD:
		atomic_store(&channel->head, any_number(input));
		break;
	case STEP_WRITTEN:
		atomic_store(&channel->written, any_number(input));
		break;
	case STEP_STATE:
		atomic_store(&channel->state, fuzz_byte(input));
		break;
	case STEP_WAITS:
		waits_write(play, number, input);
		break;
	case STEP_REGION:
		region_write(play, input);
		break;
	case STEP_HEADER:
		header_write(play, input);
		break;
	case STEP_DEAD:
		schedule_dead(play->schedule, (uint32_t)any_number(input));
		break;
	default:
		record_write(play, number, kind - STEP_RECORD, any_number(input), input);
	}
}

/* ---- the results --------------------------------------------------------------------------- */

static void threads_check(const struct schedule *schedule, bool ended)
{
	struct schedule_thread thread;
	size_t count = 0;

	for (; schedule_thread(schedule, count, &thread) == 0; count++) {
		must(thread.node < MACHINE_NODES_DEFAULT, "a thread on no node");
		must(!thread.began || thread.processor < PROCESSORS, "a thread on no processor");
		must(thread.cycle >= thread.begin_cycle, "a thread that ends before it begins");
		must(thread.ended || !ended, "a thread that has not ended");
	}
}

static void regions_check(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule_regions(schedule); i++) {
		bool gone;
		const struct stream_region *region = schedule_region(schedule, i, &gone);

		must(region && region->start < region->end, "a region without memory");
		must(region->kind <= STREAM_REGION_CODE, "a region of no kind");
		must(strnlen(region->path, STREAM_PATH_BYTES) < STREAM_PATH_BYTES,
		     "a path without an end");
	}
}

static void locks_check(const struct schedule *schedule, size_t threads)
{
	struct schedule_lock_wait wait;
	struct schedule_role role;
	size_t position = 0;

	while (schedule_role(schedule, &position, &role)) {
		for (size_t i = 0; i < role.count; i++)
			must(role.threads[i] < threads, "a role of no thread");
	}
	position = 0;
	while (schedule_lock_wait(schedule, &position, &wait))
		must(wait.cycles > 0, "a wait of no length");
	schedule_hands_out(schedule, 0, schedule_meetings(schedule));
}

static void results_check(const struct play *play, int error)
{
	struct schedule_statistics statistics;
	struct schedule_program program;

	schedule_statistics(play->schedule, &statistics);
	must(error < 0 || statistics.words >= play->words, "words that are not counted");
	threads_check(play->schedule, error == 0);
	regions_check(play->schedule);
	locks_check(play->schedule, statistics.threads);
	for (size_t i = 0; schedule_program(play->schedule, i, &program) == 0; i++)
		must(strnlen(program.name, STREAM_NAME_BYTES) < STREAM_NAME_BYTES,
		     "a program whose name has no end");
}

/* ---- the target ---------------------------------------------------------------------------- */

static int machine_make(struct play *play, uint8_t bits)
{
	static const struct machine_ops frames = {.frames = frames_check, .counted = counts_check};
	static const struct caches_shape caches = {
		2, {{"l1", 512, 64, 2, 1, false}, {"llc", 4096, 64, 4, 9, true}}};
	struct machine_config config = {.processors = PROCESSORS, .watch = MACHINE_WATCH_ALL};

	if (bits & CONFIG_ORDERED)
		config.placement = placement_find("first-touch");
	if (bits & CONFIG_CACHES)
		config.caches = caches;
	if (bits & CONFIG_COUNTS) {
		config.tally_bytes = TALLY_BYTES;
		config.no_responses = true;
	}
	return machine_create(&play->machine, &config, &frames, play);
}

static void play_create(struct play *play, uint8_t bits)
{
	static const struct schedule_ops ops = {
		.notice = notice_check, .phase = phase_check, .meet = meet_check};
	static const struct schedule_ops asleep = {
		.notice = notice_check, .phase = phase_check, .meet = meet_check, .sleeps = sleeps};
	struct schedule_config config = {.patience = 2, .opaque = play};

	must(machine_make(play, bits) == 0, "no machine");
	config.machine = play->machine;
	config.ops = bits & CONFIG_SLEEPS ? &asleep : &ops;
	config.epoch_cycles = bits & CONFIG_EPOCHS ? EPOCH_CYCLES : 0;
	config.epoch_phases = bits & CONFIG_EPOCHS;
	config.spill_bytes = bits & CONFIG_SPILL ? SPILL_BYTES : 0;
	config.mapping = bits & CONFIG_BLOCKS ? SCHEDULE_IN_BLOCKS : SCHEDULE_ROUND_ROBIN;
	config.threads = CHANNELS;
	schedule_prepare(play->memory);
	must(schedule_create(&play->schedule, &config, play->memory) == 0, "no schedule");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {data, size};
	struct play play = {0};
	int error;

	play.memory = mmap(NULL, STREAM_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	must(play.memory != MAP_FAILED, "no memory");
	play_create(&play, fuzz_byte(&input));
	while (input.left > 0)
		step_play(&play, &input);
	error = schedule_finish(play.schedule);
	must(error == 0 || error_is_known(error), "an error that is not documented");
	results_check(&play, error);
	schedule_destroy(play.schedule);
	machine_destroy(play.machine);
	munmap(play.memory, STREAM_BYTES);
	return 0;
}
