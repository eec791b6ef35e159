/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A simulated program, for the tests of the schedule.
 *
 * What lives here: scripts, and a stage. A script contains the words of a thread. The stage writes
 * the words to a stream's memory, in any interleaving of the threads, and replays them. May use
 * run/schedule, emu/machine, cmocka and the C library.
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
 * struct script - The words of one thread.
 * @words: all words of the thread
 * @count: number of words
 * @room: number of words that fit into @words
 * @pid: process of the thread
 * @written: number of words that were written to the channel
 * @claimed: true if the thread has claimed its channel
 * @channel: number of the channel
 * @over: true if the thread has released the channel
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

/* Add one word as it is. */
void script_word(struct script *script, uint64_t word);

/* Add an access of 1 << @size bytes. */
void script_access(struct script *script, enum stream_kind kind, uint64_t address, unsigned size,
		   unsigned work);

/* Add a control record, and @more words, which are passed as uint64_t. */
void script_control(struct script *script, enum stream_op op, uint64_t value, unsigned more, ...);

/* Add instructions without an access. */
void script_work(struct script *script, uint64_t instructions);

void script_begin(struct script *script, uint32_t pid, uint64_t key);
void script_end(struct script *script);

/* Add a record with a text. */
void script_text(struct script *script, enum stream_op op, const char *text);

/**
 * struct stage - A stream's memory, its replay, and the results.
 * @memory: the stream's memory
 * @header: the header in @memory
 * @machine: the machine
 * @schedule: the schedule
 * @scripts: the scripts of the threads
 * @count: number of scripts
 * @random: state of the generator
 * @unseen: true if written words are not published to the reader
 * @seen: digest of the frames of each node
 * @frames: number of frames of each node
 * @last_ns: time of the last frame of each node
 * @notices: number of notices of each kind; index: enum schedule_notice
 * @notice: text of the last notice
 * @phases: names of phases, each with its time and a newline
 * @blocks: number of reported blocks of the heap
 * @block: the last reported block
 * @frame: the last reported stack frame
 * @epochs: cycles at which epochs ended; @epoch_count elements
 * @delays: delays of the nodes at each end of an epoch
 * @meets: cycles at which threads met; @meet_count elements
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

/*
 * Make a stage. If an argument is NULL, use the defaults: four nodes, which are all watched. The
 * operations of @schedule get the stage as their argument.
 */
struct stage *stage_new(const struct machine_config *machine,
			const struct schedule_config *schedule);
void stage_free(struct stage *stage);

uint64_t stage_random(struct stage *stage);

/* Let a script claim channel @channel. */
void stage_claim(struct stage *stage, struct script *script, unsigned channel);

/* Write whole records of up to @words words. Return: the number of words that were written. */
size_t stage_write(struct stage *stage, struct script *script, size_t words);

/* Write all words for which there is room. Release the channel after the last word. */
void stage_write_all(struct stage *stage, struct script *script);

/* Replay until nothing changes for some time. Return: 0 or the error. */
int stage_run(struct stage *stage);

/* Return: true if at least one thread has begun and all threads have ended. */
bool stage_ended(const struct stage *stage);

/*
 * Begin a first thread that creates @count others, with keys from 11 on. stage_crew_end() ends all
 * of them.
 */
void stage_crew_begin(struct stage *stage, unsigned count);
void stage_crew_end(struct stage *stage);

/* Write all scripts in parts, in an order that depends on @seed, and replay them to the end. */
void stage_play(struct stage *stage, uint64_t seed);

/* A digest of all results that must be equal in each run. */
uint64_t stage_digest(struct stage *stage);

struct schedule_statistics stage_statistics(const struct stage *stage);
struct schedule_thread stage_thread(const struct stage *stage, size_t number);

/* Setup and teardown of a test whose state is a stage with the defaults. */
int stage_default_setup(void **state);
int stage_default_teardown(void **state);
#define STAGE_TEST(name)                                                                           \
	cmocka_unit_test_setup_teardown(name, stage_default_setup, stage_default_teardown)

#endif /* TESTS_UNIT_SCHEDULE_FIXTURE_H */
