/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See schedule_fixture.h. May use schedule_fixture.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "run/schedule/schedule_inside.h"
#include "tests/unit/run/schedule/schedule_fixture.h"

/* ---- scripts ------------------------------------------------------------------------------- */

void script_word(struct script *script, uint64_t word)
{
	if (script->count == script->room) {
		script->room = script->room * 2 + 64;
		script->words = realloc(script->words, script->room * sizeof(word));
		assert_non_null(script->words);
	}
	script->words[script->count++] = word;
}

void script_access(struct script *script, enum stream_kind kind, uint64_t address, unsigned size,
		   unsigned work)
{
	script_word(script, address | (uint64_t)kind << STREAM_KIND_SHIFT |
				    (uint64_t)size << STREAM_SIZE_SHIFT |
				    (uint64_t)work << STREAM_WORK_SHIFT);
}

/* The number of words of each control record. */
static const uint8_t words_of[STREAM_OP_COUNT] = STREAM_OP_WORDS;

void script_control(struct script *script, enum stream_op op, uint64_t value, unsigned more, ...)
{
	va_list words;

	assert_int_equal(1 + more, words_of[op]);
	script_word(script, value | (uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT |
				    (uint64_t)op << STREAM_OP_SHIFT);
	va_start(words, more);
	while (more-- > 0)
		script_word(script, va_arg(words, uint64_t));
	va_end(words);
}

void script_work(struct script *script, uint64_t instructions)
{
	script_control(script, STREAM_WORK, instructions, 0);
}

void script_begin(struct script *script, uint32_t pid, uint64_t key)
{
	script->pid = pid;
	script_control(script, STREAM_BEGIN, pid, 2, key, (uint64_t)pid);
}

void script_end(struct script *script)
{
	script_control(script, STREAM_END, 0, 0);
}

void script_text(struct script *script, enum stream_op op, const char *text)
{
	char bytes[STREAM_NAME_BYTES] = {0};
	uint64_t words[STREAM_NAME_WORDS];

	memcpy(bytes, text, strnlen(text, sizeof(bytes)));
	memcpy(words, bytes, sizeof(words));
	script_control(script, op, 0, 5, words[0], words[1], words[2], words[3], words[4]);
}

/* The number of words of the record at @at. */
static size_t record_words(const struct script *script, size_t at)
{
	uint64_t word = script->words[at];
	unsigned op = word >> STREAM_OP_SHIFT & STREAM_OP;

	if ((word >> STREAM_KIND_SHIFT & STREAM_KIND) != STREAM_CONTROL || op >= STREAM_OP_COUNT)
		return 1;
	return words_of[op];
}

/* ---- the stage ----------------------------------------------------------------------------- */

static uint64_t digest(uint64_t sum, const void *data, size_t bytes)
{
	const uint8_t *at = data;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ at[i]) * 0x100000001b3ULL;
	return sum;
}

static void stage_frames(void *opaque, unsigned node, const struct machine_frame *frames,
			 size_t count)
{
	struct stage *stage = opaque;

	for (size_t i = 0; i < count; i++) {
		assert_true(frames[i].time_ns >= stage->last_ns[node]);
		stage->last_ns[node] = frames[i].time_ns;
		stage->seen[node] = digest(stage->seen[node], frames[i].bytes, frames[i].length);
		stage->seen[node] = digest(stage->seen[node], &frames[i].time_ns, 8);
		stage->frames[node]++;
	}
}

static void stage_phase(void *opaque, const char *name, unsigned index, uint64_t time_ns)
{
	struct stage *stage = opaque;
	size_t used = strlen(stage->phases);

	snprintf(stage->phases + used, sizeof(stage->phases) - used, "%u %s @%" PRIu64 "\n", index,
		 name, time_ns);
}

static void stage_notice(void *opaque, enum schedule_notice kind, const char *text)
{
	struct stage *stage = opaque;

	assert_true(kind < SCHEDULE_NOTICE_COUNT);
	assert_true(strlen(text) > 20);
	stage->notices[kind]++;
	snprintf(stage->notice, sizeof(stage->notice), "%s", text);
}

static void stage_block(void *opaque, const struct schedule_block *block)
{
	struct stage *stage = opaque;

	stage->blocks++;
	stage->block = *block;
}

static void stage_frame(void *opaque, const struct schedule_frame *frame)
{
	struct stage *stage = opaque;

	stage->frame = *frame;
}

static void stage_epoch(void *opaque, uint64_t cycle, bool phase, uint64_t *delays)
{
	struct stage *stage = opaque;

	assert_true(stage->epoch_count < 64);
	stage->epochs[stage->epoch_count++] = cycle;
	for (unsigned n = 0; n < MACHINE_NODES_MAX; n++) {
		assert_int_equal(delays[n], 0);
		delays[n] = stage->delays[n];
	}
}

static void stage_meet(void *opaque, uint64_t cycle)
{
	struct stage *stage = opaque;

	if (stage->meet_count < 64)
		stage->meets[stage->meet_count++] = cycle;
}

struct stage *stage_new(const struct machine_config *machine,
			const struct schedule_config *schedule)
{
	static const struct machine_ops frames = {.frames = stage_frames};
	static const struct schedule_ops ops = {
		.phase = stage_phase,
		.notice = stage_notice,
		.block = stage_block,
		.frame = stage_frame,
		.epoch = stage_epoch,
		.meet = stage_meet,
	};
	struct machine_config nodes = {.watch = MACHINE_WATCH_ALL};
	struct schedule_config config = {0};
	struct stage *stage = calloc(1, sizeof(*stage));

	assert_non_null(stage);
	if (machine)
		nodes = *machine;
	if (schedule)
		config = *schedule;
	if (nodes.processors == 0)
		nodes.processors = 64;
	assert_int_equal(machine_create(&stage->machine, &nodes, &frames, stage), 0);
	stage->memory = mmap(NULL, STREAM_BYTES, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_true(stage->memory != MAP_FAILED);
	stage->header = stage->memory;
	schedule_prepare(stage->memory);
	config.machine = stage->machine;
	if (!config.ops)
		config.ops = &ops;
	config.opaque = stage;
	assert_int_equal(schedule_create(&stage->schedule, &config, stage->memory), 0);
	return stage;
}

void stage_free(struct stage *stage)
{
	schedule_destroy(stage->schedule);
	machine_destroy(stage->machine);
	munmap(stage->memory, STREAM_BYTES);
	for (size_t i = 0; i < STAGE_SCRIPTS; i++)
		free(stage->scripts[i].words);
	free(stage);
}

uint64_t stage_random(struct stage *stage)
{
	uint64_t number = stage->random += 0x9e3779b97f4a7c15ULL;

	number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ULL;
	number = (number ^ number >> 27) * 0x94d049bb133111ebULL;
	return number ^ number >> 31;
}

static struct stream_channel *stage_channel(const struct stage *stage, unsigned channel)
{
	return (struct stream_channel *)((char *)stage->memory + STREAM_CHANNELS_AT) + channel;
}

void stage_claim(struct stage *stage, struct script *script, unsigned channel)
{
	struct stream_channel *at = stage_channel(stage, channel);

	assert_int_equal(atomic_load(&at->state), STREAM_FREE_CHANNEL);
	assert_int_equal(atomic_load(&at->head), 0);
	assert_int_equal(atomic_load(&at->tail), 0);
	atomic_store(&at->pid, script->pid);
	atomic_store(&at->state, STREAM_OPEN);
	atomic_fetch_add(&stage->header->claimed, 1);
	script->claimed = true;
	script->channel = channel;
}

size_t stage_write(struct stage *stage, struct script *script, size_t words)
{
	struct stream_channel *channel = stage_channel(stage, script->channel);
	uint64_t *ring = (uint64_t *)((char *)stage->memory + STREAM_WORDS_AT) +
			 (size_t)script->channel * STREAM_CHANNEL_WORDS;
	uint64_t head = atomic_load(&channel->head), tail = atomic_load(&channel->tail);
	size_t written = 0;

	while (script->written < script->count) {
		size_t record = record_words(script, script->written);

		if (written + record > words || script->written + record > script->count)
			break;
		if (head - tail + record > STREAM_CHANNEL_WORDS) {
			atomic_store(&channel->full, 1);
			break;
		}
		for (size_t i = 0; i < record; i++)
			ring[head++ % STREAM_CHANNEL_WORDS] = script->words[script->written++];
		written += record;
	}
	atomic_store(&channel->written, head);
	if (!stage->unseen)
		atomic_store(&channel->head, head);
	return written;
}

static void script_let_go(struct stage *stage, struct script *script)
{
	if (script->over || script->written < script->count)
		return;
	script->over = true;
	atomic_store(&stage_channel(stage, script->channel)->state, STREAM_ENDED);
}

void stage_write_all(struct stage *stage, struct script *script)
{
	stage_write(stage, script, SIZE_MAX);
	script_let_go(stage, script);
}

bool stage_ended(const struct stage *stage)
{
	const struct schedule *schedule = stage->schedule;

	return schedule->threads_count > 0 && schedule->alive == 0 && schedule->pending == 0;
}

int stage_run(struct stage *stage)
{
	for (unsigned vain = 0; vain < 64;) {
		int64_t done = schedule_run(stage->schedule, 1000);

		if (done < 0)
			return (int)done;
		vain = done == 0 ? vain + 1 : 0;
	}
	return 0;
}

/* Return: a free channel. */
static unsigned stage_free_channel(const struct stage *stage)
{
	for (unsigned i = 0; i < STREAM_CHANNELS; i++) {
		if (atomic_load(&stage_channel(stage, i)->state) == STREAM_FREE_CHANNEL)
			return i;
	}
	fail_msg("no channel is free");
	return 0;
}

void stage_play(struct stage *stage, uint64_t seed)
{
	unsigned vain = 0;

	stage->random = seed;
	/* The script of the first thread must come first; the others may come in any order. */
	stage_claim(stage, &stage->scripts[0], 0);
	stage_write(stage, &stage->scripts[0], 3);
	assert_true(schedule_run(stage->schedule, 1) >= 0);
	while (!stage_ended(stage)) {
		struct script *script = &stage->scripts[stage_random(stage) % stage->count];
		size_t words = (size_t)1 << stage_random(stage) % 14;
		int64_t done = 0;

		if (!script->claimed)
			stage_claim(stage, script, stage_free_channel(stage));
		if (!script->over) {
			stage_write(stage, script, words + 6);
			script_let_go(stage, script);
		}
		for (size_t runs = stage_random(stage) % 4; runs > 0; runs--) {
			done = schedule_run(stage->schedule, 1 + stage_random(stage) % 3000);
			assert_true(done >= 0);
			/*
			 * Flush the machine at times, as smile run does while it waits for words.
			 */
			if (stage_random(stage) % 2)
				machine_flush(stage->machine);
		}
		vain = done > 0 ? 0 : vain + 1;
		if (vain > 100000)
			fail_msg("seed %" PRIu64 ": the replay hangs: %s", seed, stage->notice);
	}
	assert_int_equal(schedule_finish(stage->schedule), 0);
}

uint64_t stage_digest(struct stage *stage)
{
	uint64_t sum = 0xcbf29ce484222325ULL;

	for (unsigned n = 0; n < machine_nodes(stage->machine); n++) {
		struct machine_statistics node;

		assert_int_equal(machine_statistics(stage->machine, n, &node), 0);
		assert_int_equal(node.frames, stage->frames[n]);
		sum = digest(sum, &node, sizeof(node));
		sum = digest(sum, &stage->seen[n], sizeof(stage->seen[n]));
	}
	for (size_t i = 0; i < stage_statistics(stage).threads; i++) {
		struct schedule_thread thread = stage_thread(stage, i);
		uint64_t known[] = {thread.node, thread.pid, thread.begin_cycle, thread.cycle,
				    thread.instructions};

		sum = digest(sum, known, sizeof(known));
	}
	return digest(sum, stage->phases, strlen(stage->phases));
}

void stage_crew_begin(struct stage *stage, unsigned count)
{
	stage->count = 1 + count;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	for (unsigned i = 0; i < count; i++) {
		script_control(&stage->scripts[0], STREAM_CREATE, 11 + i, 1, (uint64_t)0);
		script_begin(&stage->scripts[1 + i], STAGE_PID, 11 + i);
	}
}

void stage_crew_end(struct stage *stage)
{
	for (size_t i = 0; i < stage->count; i++)
		script_end(&stage->scripts[i]);
}

struct schedule_statistics stage_statistics(const struct stage *stage)
{
	struct schedule_statistics statistics;

	schedule_statistics(stage->schedule, &statistics);
	return statistics;
}

struct schedule_thread stage_thread(const struct stage *stage, size_t number)
{
	struct schedule_thread thread;

	assert_int_equal(schedule_thread(stage->schedule, number, &thread), 0);
	return thread;
}

int stage_default_setup(void **state)
{
	*state = stage_new(NULL, NULL);
	return 0;
}

int stage_default_teardown(void **state)
{
	stage_free(*state);
	return 0;
}
