/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A simulated program: shared by the tests of the schedule.
 *
 * What lives here: scripts, the words that threads would write, and a stage that writes them into a
 * stream's memory in any interleaving and replays them. May use run/schedule, emu/machine,
 * cmocka and the C library.
 */
#ifndef TESTS_UNIT_SCHEDULE_FIXTURE_H
#define TESTS_UNIT_SCHEDULE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <run/stream.h>

#include "emu/machine/machine.h"
#include "run/schedule/schedule.h"

#define STAGE_SCRIPTS 16U
#define STAGE_PID 100U

/**
 * struct script - What one thread writes.
 * @words: its words
 * @count: how many
 * @room: room for them
 * @pid: its process
 * @written: how many are in the channel, or were
 * @claimed: it has its channel
 * @channel: which
 * @over: the channel was let go
 */
struct script {
	uint64_t *words;
	size_t count;
	size_t room;
	uint32_t pid;
	size_t written;
	bool claimed;
	unsigned channel;
	bool over;
};

/* One word, as it is. */
void script_word(struct script *script, uint64_t word);

/* An access of 1 << @size bytes. */
void script_access(struct script *script, enum stream_kind kind, uint64_t address, unsigned size,
		   unsigned work);

/* A control record; @more words follow, as uint64_t. */
void script_control(struct script *script, enum stream_op op, uint64_t value, unsigned more, ...);

/* Instructions without an access. */
void script_work(struct script *script, uint64_t instructions);

void script_begin(struct script *script, uint32_t pid, uint64_t key);
void script_end(struct script *script);

/* A record with a text. */
void script_text(struct script *script, enum stream_op op, const char *text);

/**
 * struct stage - A memory, its replay, and what came of it.
 * @memory: the stream's
 * @header: the same
 * @machine: the machine
 * @schedule: the schedule
 * @scripts: of the threads
 * @count: how many
 * @random: state of the generator
 * @unseen: what is written is not shown to the reader
 * @seen: a digest of all frames, by node
 * @frames: how many, by node
 * @last_ns: time of the last one, by node
 * @notices: how often, by enum schedule_notice
 * @notice: the last one's text
 * @phases: names of phases, each with its time and a newline
 * @blocks: blocks of the heap reported
 * @block: the last one
 * @frame: the last that was reported
 * @epochs: cycles at which epochs ended; shape [@epoch_count]
 * @delays: of the nodes, at each of them
 * @meets: cycles at which threads met; shape [@meet_count]
 */
struct stage {
	void *memory;
	struct stream_header *header;
	struct machine *machine;
	struct schedule *schedule;
	struct script scripts[STAGE_SCRIPTS];
	size_t count;
	uint64_t random;
	bool unseen;
	uint64_t seen[MACHINE_NODES_MAX];
	uint64_t frames[MACHINE_NODES_MAX];
	uint64_t last_ns[MACHINE_NODES_MAX];
	unsigned notices[SCHEDULE_NOTICE_COUNT];
	char notice[512];
	char phases[1024];
	unsigned blocks;
	struct schedule_block block;
	struct schedule_frame frame;
	uint64_t epochs[64];
	unsigned epoch_count;
	uint64_t delays[MACHINE_NODES_MAX];
	uint64_t meets[64];
	unsigned meet_count;
};

/* A stage; NULL for the defaults: four nodes, all watched. @schedule->ops get the stage. */
struct stage *stage_new(const struct machine_config *machine,
			const struct schedule_config *schedule);
void stage_free(struct stage *stage);

uint64_t stage_random(struct stage *stage);

/* A script claims channel @channel. */
void stage_claim(struct stage *stage, struct script *script, unsigned channel);

/* Write up to @words of it, and no part of a record. Return: how many. */
size_t stage_write(struct stage *stage, struct script *script, size_t words);

/* Write all there is room for, and let the channel go if that was all. */
void stage_write_all(struct stage *stage, struct script *script);

/* Replay until nothing can be done for a while. Return: 0 or the error. */
int stage_run(struct stage *stage);

/* Has at least one thread begun, and have all ended? */
bool stage_ended(const struct stage *stage);

/* A first thread that makes @count others, with keys from 11 on; and the end of all. */
void stage_crew_begin(struct stage *stage, unsigned count);
void stage_crew_end(struct stage *stage);

/* Write all scripts, each in pieces, interleaved as @seed says, and replay to the end. */
void stage_play(struct stage *stage, uint64_t seed);

/* A digest of all that must be the same in each run. */
uint64_t stage_digest(struct stage *stage);

struct schedule_statistics stage_statistics(const struct stage *stage);
struct schedule_thread stage_thread(const struct stage *stage, size_t number);

/* A test whose state is a stage with the defaults. */
int stage_default_setup(void **state);
int stage_default_teardown(void **state);
#define STAGE_TEST(name)                                                                           \
	cmocka_unit_test_setup_teardown(name, stage_default_setup, stage_default_teardown)

#endif /* TESTS_UNIT_SCHEDULE_FIXTURE_H */
