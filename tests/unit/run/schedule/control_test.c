/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of control records: the effect of each record on clocks and threads. May use
 * schedule_fixture.h and the C library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define PAGE SMILE_PAGE_BYTES
#define LOCK 0x7000
#define BARRIER 0x8000

/* ---- building ------------------------------------------------------------------------------ */

static void schedule_create_that_makes_no_sense_is_refused(void **state)
{
	struct stage *stage = *state;
	const unsigned nodes[] = {0, 4};
	struct schedule_config config = {.machine = stage->machine};
	struct machine_config plain = {0};
	struct schedule *schedule = NULL;
	struct machine *machine;

	config.mapping = SCHEDULE_IN_BLOCKS;
	assert_int_equal(schedule_create(&schedule, &config, stage->memory), -EINVAL);
	config.mapping = SCHEDULE_BY_LIST;
	assert_int_equal(schedule_create(&schedule, &config, stage->memory), -EINVAL);
	config.list = nodes;
	config.list_count = 2;
	assert_int_equal(schedule_create(&schedule, &config, stage->memory), -EINVAL);
	config.mapping = SCHEDULE_ROUND_ROBIN;
	stage->header->version++;
	assert_int_equal(schedule_create(&schedule, &config, stage->memory), -EPROTO);
	stage->header->version--;
	assert_int_equal(machine_create(&machine, &plain, NULL, NULL), 0);
	config.machine = machine;
	assert_int_equal(schedule_create(&schedule, &config, stage->memory), -EINVAL);
	assert_null(schedule);
	machine_destroy(machine);
}

static void mapping_check(const struct schedule_config *config, const unsigned *nodes)
{
	struct stage *stage = stage_new(NULL, config);

	stage_crew_begin(stage, 5);
	stage_crew_end(stage);
	stage_play(stage, 1);
	for (unsigned t = 0; t < 6; t++)
		assert_int_equal(stage_thread(stage, t).node, nodes[t]);
	stage_free(stage);
}

static void schedule_create_mappings_say_where_threads_run(void **state)
{
	static const unsigned list[] = {3, 3, 1};

	mapping_check(&(struct schedule_config){0}, (const unsigned[]){0, 1, 2, 3, 0, 1});
	mapping_check(&(struct schedule_config){.mapping = SCHEDULE_IN_BLOCKS, .threads = 8},
		      (const unsigned[]){0, 0, 1, 1, 2, 2});
	mapping_check(&(struct schedule_config){.mapping = SCHEDULE_IN_BLOCKS, .threads = 3},
		      (const unsigned[]){0, 1, 2, 3, 3, 3});
	mapping_check(&(struct schedule_config){.mapping = SCHEDULE_BY_LIST,
						.list = list,
						.list_count = 3},
		      (const unsigned[]){3, 3, 1, 3, 3, 1});
}

/* ---- threads ------------------------------------------------------------------------------- */

static void schedule_run_thread_begins_at_its_creators_clock(void **state)
{
	struct stage *stage = *state;

	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_work(&stage->scripts[0], 500);
	script_control(&stage->scripts[0], STREAM_CREATE, 7, 1, (uint64_t)0);
	script_end(&stage->scripts[0]);
	script_begin(&stage->scripts[1], STAGE_PID, 7);
	script_work(&stage->scripts[1], 30);
	script_end(&stage->scripts[1]);
	stage_play(stage, 3);
	assert_int_equal(stage_thread(stage, 0).cycle, 500);
	assert_int_equal(stage_thread(stage, 1).begin_cycle, 500);
	assert_int_equal(stage_thread(stage, 1).cycle, 530);
	assert_int_equal(stage_thread(stage, 1).instructions, 30);
	assert_int_equal(stage_statistics(stage).creations, 1);
	assert_int_equal(stage_statistics(stage).instructions, 530);
}

static void schedule_run_join_waits_for_the_end(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[0], STREAM_JOIN, 11, 0);
	script_work(&stage->scripts[0], 5);
	script_work(&stage->scripts[1], 900);
	stage_crew_end(stage);
	stage_play(stage, 4);
	assert_int_equal(stage_thread(stage, 0).cycle, 905);
	assert_int_equal(stage_statistics(stage).joins, 1);
}

/* A thread can use the processor of a thread that has ended. So there can be more threads. */
static void schedule_run_processors_are_used_again(void **state)
{
	const struct machine_config config = {.nodes = 2, .processors = 3};
	struct stage *stage = stage_new(&config, NULL);

	stage->count = 9;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	for (unsigned i = 1; i < 9; i++) {
		script_control(&stage->scripts[0], STREAM_CREATE, 10 + i, 1, (uint64_t)0);
		script_control(&stage->scripts[0], STREAM_JOIN, 10 + i, 0);
		script_begin(&stage->scripts[i], STAGE_PID, 10 + i);
		script_work(&stage->scripts[i], 10);
		script_end(&stage->scripts[i]);
	}
	script_end(&stage->scripts[0]);
	stage_play(stage, 5);
	assert_int_equal(machine_processors(stage->machine), 3);
	assert_int_equal(stage_statistics(stage).threads, 9);
	assert_int_equal(stage_statistics(stage).threads_most, 2);
	assert_int_equal(stage_thread(stage, 0).cycle, 80);
	stage_free(stage);
}

static void schedule_run_too_many_threads_at_a_time_is_reported(void **state)
{
	const struct machine_config config = {.nodes = 2, .processors = 2};
	struct stage *stage = stage_new(&config, NULL);

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_control(&stage->scripts[i], STREAM_BARRIER, BARRIER, 1, (uint64_t)3);
		stage_claim(stage, &stage->scripts[i], i);
		stage_write(stage, &stage->scripts[i], 100);
	}
	assert_int_equal(stage_run(stage), -ENOSPC);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_PROTOCOL], 1);
	assert_int_equal(schedule_finish(stage->schedule), -ENOSPC);
	stage_free(stage);
}

static void schedule_run_channel_is_given_back_after_the_end(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	stage_crew_end(stage);
	stage_claim(stage, &stage->scripts[0], 5);
	stage_claim(stage, &stage->scripts[1], 6);
	stage_write_all(stage, &stage->scripts[0]);
	stage_write(stage, &stage->scripts[1], 100);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_ended(stage));
	/* The channel that was released is free. The other channel is still in use. */
	stage->scripts[2].pid = STAGE_PID;
	stage_claim(stage, &stage->scripts[2], 5);
	stage_write_all(stage, &stage->scripts[1]);
	assert_int_equal(stage_run(stage), 0);
	stage->scripts[3].pid = STAGE_PID;
	stage_claim(stage, &stage->scripts[3], 6);
	assert_int_equal(schedule_finish(stage->schedule), 0);
}

static void schedule_run_unannounced_thread_is_reported(void **state)
{
	struct stage *stage = *state;

	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_work(&stage->scripts[0], 100);
	script_begin(&stage->scripts[1], STAGE_PID, 0);
	stage_crew_end(stage);
	for (unsigned i = 0; i < 2; i++) {
		stage_claim(stage, &stage->scripts[i], i);
		stage_write_all(stage, &stage->scripts[i]);
	}
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_ended(stage));
	assert_int_equal(stage_statistics(stage).unannounced, 1);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_UNANNOUNCED], 1);
	assert_int_equal(stage_statistics(stage).threads, 2);
}

/* If only one thread runs, its frames must not wait for other threads. */
static void schedule_run_frames_of_a_lonely_thread_do_not_pile_up(void **state)
{
	struct stage *stage = *state;

	stage->count = 1;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	for (unsigned i = 0; i < 50000; i++)
		script_access(&stage->scripts[0], STREAM_WRITE, PAGE, 2, 1);
	stage_claim(stage, &stage->scripts[0], 0);
	stage_write_all(stage, &stage->scripts[0]);
	assert_int_equal(stage_run(stage), 0);
	assert_in_range(stage->frames[1], 90000, 100000);
	script_end(&stage->scripts[0]);
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_int_equal(stage->frames[1], 100000);
}

/* ---- barriers and locks -------------------------------------------------------------------- */

static void schedule_run_barrier_lets_all_go_at_the_last_clock(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_work(&stage->scripts[i], 100 * (i + 1));
		script_control(&stage->scripts[i], STREAM_BARRIER, BARRIER, 1, (uint64_t)3);
		script_work(&stage->scripts[i], i);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(stage_thread(stage, i).cycle, 300 + i);
	assert_int_equal(stage_statistics(stage).barriers, 1);
}

/* Each thread has one lock, and waits for the other. On the host, one ran after the other. */
static void schedule_run_deadlock_of_the_replay_is_reported(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	for (unsigned i = 0; i < 2; i++) {
		script_control(&stage->scripts[i], STREAM_ACQUIRE, LOCK + 64 * i, 1, (uint64_t)0);
		script_work(&stage->scripts[i], 10);
		script_control(&stage->scripts[i], STREAM_ACQUIRE, LOCK + 64 * !i, 1, (uint64_t)0);
		script_work(&stage->scripts[i], 10);
		script_control(&stage->scripts[i], STREAM_RELEASE, LOCK + 64 * !i, 0);
		script_control(&stage->scripts[i], STREAM_RELEASE, LOCK + 64 * i, 0);
	}
	stage_crew_end(stage);
	stage_play(stage, 1);
	assert_int_equal(stage_statistics(stage).deadlocks, 1);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_DEADLOCK], 1);
	assert_int_equal(stage_statistics(stage).instructions, 40);
}

/* ---- waits --------------------------------------------------------------------------------- */

static void schedule_run_futex_waits_for_its_wake_up(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[0], STREAM_BLOCK, 202, 0);
	script_control(&stage->scripts[0], STREAM_UNBLOCK, 5, 0);
	script_work(&stage->scripts[0], 1);
	script_work(&stage->scripts[1], 700);
	script_control(&stage->scripts[1], STREAM_WAKE, 5, 0);
	script_work(&stage->scripts[1], 50);
	stage_crew_end(stage);
	stage_play(stage, 6);
	assert_int_equal(stage_thread(stage, 0).cycle, 701);
	assert_int_equal(stage_thread(stage, 1).cycle, 750);
	assert_int_equal(stage_statistics(stage).wakes, 1);
}

static void schedule_run_wake_up_that_was_before_is_remembered(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[1], STREAM_WAKE, 5, 0);
	script_work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_BLOCK, 202, 0);
	script_control(&stage->scripts[0], STREAM_UNBLOCK, 5, 0);
	stage_crew_end(stage);
	stage_play(stage, 6);
	assert_int_equal(stage_thread(stage, 0).cycle, 100);
}

/* Replay all words of thread 1, and those of thread 0 up to its BLOCK; do not wait for more. */
static void play_up_to_block(struct stage *stage)
{
	for (unsigned i = 0; i < 2; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write(stage, &stage->scripts[0], 3 + 2 + 1);
	stage_write_all(stage, &stage->scripts[1]);
	assert_int_equal(stage_run(stage), 0);
}

static void schedule_run_unknown_wait_lets_the_others_go_on(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[0], STREAM_BLOCK, 0, 0);
	script_control(&stage->scripts[0], STREAM_UNBLOCK, 0, 0);
	script_work(&stage->scripts[0], 1);
	script_work(&stage->scripts[1], 5000);
	script_end(&stage->scripts[0]);
	script_work(&stage->scripts[1], 5000);
	play_up_to_block(stage);
	assert_int_equal(stage_thread(stage, 1).cycle, 10000);
	assert_int_equal(stage_thread(stage, 0).cycle, 0);
	stage_write_all(stage, &stage->scripts[0]);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_thread(stage, 0).cycle >= 10000);
	assert_int_equal(stage_statistics(stage).host_waits, 1);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_HOST_WAIT], 1);
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_int_equal(stage_statistics(stage).unended, 1);
}

/* The processor runs at 200 MHz. */
static void schedule_run_wait_whose_time_is_over_takes_that_time(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_BLOCK, 35, 0);
	script_control(&stage->scripts[0], STREAM_PASS, 5000, 0);
	script_control(&stage->scripts[0], STREAM_UNBLOCK, 0, 0);
	script_work(&stage->scripts[0], 1);
	script_work(&stage->scripts[1], 700);
	stage_crew_end(stage);
	stage_play(stage, 6);
	assert_int_equal(stage_thread(stage, 0).cycle, 100 + 1000 + 1);
	assert_int_equal(stage_thread(stage, 1).cycle, 700);
	assert_int_equal(schedule_time_waits(stage->schedule, stage_thread(stage, 0).node), 1000);
	assert_int_equal(schedule_time_waits(stage->schedule, stage_thread(stage, 1).node), 0);
}

/* The replay has stopped waiting for the thread. The time of its wait must count only once. */
static void schedule_run_time_of_a_wait_counts_from_its_begin(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[0], STREAM_BLOCK, 35, 0);
	script_control(&stage->scripts[0], STREAM_PASS, 100000, 0);
	script_control(&stage->scripts[0], STREAM_UNBLOCK, 0, 0);
	script_work(&stage->scripts[1], 5000);
	play_up_to_block(stage);
	stage_write_all(stage, &stage->scripts[0]);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_statistics(stage).host_waits, 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 20000);
	assert_int_equal(schedule_finish(stage->schedule), 0);
}

/* The program has called sched_yield(2). */
static void schedule_run_time_passes_without_a_wait(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_PASS, 5000, 0);
	script_control(&stage->scripts[0], STREAM_PASS, 5000, 0);
	script_work(&stage->scripts[1], 700);
	stage_crew_end(stage);
	stage_play(stage, 6);
	assert_int_equal(stage_thread(stage, 0).cycle, 100 + 2 * 1000);
	assert_int_equal(schedule_time_waits(stage->schedule, stage_thread(stage, 0).node), 2000);
}

/* ---- processes ----------------------------------------------------------------------------- */

static void schedule_run_child_process_has_locks_of_its_own(void **state)
{
	struct stage *stage = *state;

	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_control(&stage->scripts[0], STREAM_CREATE, 7, 1, (uint64_t)1);
	script_work(&stage->scripts[0], 1000);
	script_control(&stage->scripts[0], STREAM_RELEASE, LOCK, 0);
	script_end(&stage->scripts[0]);
	script_begin(&stage->scripts[1], STAGE_PID + 1, 7);
	script_control(&stage->scripts[1], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_EXIT, 3 << 8, 0);
	script_end(&stage->scripts[1]);
	stage_play(stage, 1);
	assert_int_equal(stage_thread(stage, 1).cycle, 10);
	assert_int_equal(stage_statistics(stage).processes, 2);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_EXIT], 1);
	assert_string_equal(stage->notice, "process 101 has ended with status 3");
}

static struct stream_region *stage_region(const struct stage *stage, unsigned index)
{
	return (struct stream_region *)((char *)stage->memory + STREAM_REGIONS_AT) + index;
}

static void schedule_run_processes_share_locks_in_shared_memory(void **state)
{
	struct stage *stage = *state;

	*stage_region(stage, 0) = (struct stream_region){
		.start = LOCK, .end = LOCK + PAGE, .kind = STREAM_REGION_SHARED};
	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_control(&stage->scripts[0], STREAM_REGION, 0, 0);
	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_control(&stage->scripts[0], STREAM_CREATE, 7, 1, (uint64_t)1);
	script_work(&stage->scripts[0], 1000);
	script_control(&stage->scripts[0], STREAM_RELEASE, LOCK, 0);
	script_begin(&stage->scripts[1], STAGE_PID + 1, 7);
	script_control(&stage->scripts[1], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_work(&stage->scripts[1], 10);
	stage_crew_end(stage);
	stage_play(stage, 1);
	assert_int_equal(stage_thread(stage, 1).cycle, 1010);
}

static void schedule_dead_process_ends_its_threads(void **state)
{
	struct stage *stage = *state;
	uint32_t pid = 0;

	stage_crew_begin(stage, 2);
	script_work(&stage->scripts[1], 40);
	for (unsigned i = 0; i < 2; i++) {
		stage_claim(stage, &stage->scripts[i], i);
		stage_write(stage, &stage->scripts[i], 100);
	}
	assert_int_equal(stage_run(stage), 0);
	assert_false(stage_ended(stage));
	assert_int_equal(schedule_pids(stage->schedule, &pid, 1), 1);
	assert_int_equal(pid, STAGE_PID);
	schedule_dead(stage->schedule, STAGE_PID);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_ended(stage));
	assert_int_equal(schedule_pids(stage->schedule, &pid, 1), 0);
	assert_int_equal(stage_thread(stage, 1).cycle, 40);
	assert_false(stage_thread(stage, 2).began);
	assert_int_equal(stage_statistics(stage).unended, 3);
	assert_int_equal(schedule_finish(stage->schedule), 0);
}

/* A killed thread has written words, but not published them. They must be replayed as well. */
static void schedule_dead_process_leaves_words_that_were_not_shown(void **state)
{
	struct stage *stage = *state;

	stage->count = 1;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_work(&stage->scripts[0], 40);
	script_work(&stage->scripts[0], 2);
	stage_claim(stage, &stage->scripts[0], 0);
	stage_write(stage, &stage->scripts[0], 4);
	stage->unseen = true;
	stage_write(stage, &stage->scripts[0], 1);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 40);
	schedule_dead(stage->schedule, STAGE_PID);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 42);
	assert_true(stage_ended(stage));
	assert_int_equal(schedule_finish(stage->schedule), 0);
}

static void schedule_run_exec_of_another_program_is_reported(void **state)
{
	struct stage *stage = *state;

	stage->count = 1;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_text(&stage->scripts[0], STREAM_EXEC, "/bin/ls\n");
	stage_claim(stage, &stage->scripts[0], 0);
	stage_write(stage, &stage->scripts[0], 100);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_EXEC], 1);
	assert_string_equal(stage->notice,
			    "process 100 executes /bin/ls?, which runs natively and is "
			    "not traced: it is linked statically or without glibc, has the "
			    "set-user-ID bit, was built with a sanitizer, is for another machine, "
			    "or too many programs were executed");
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_true(stage_ended(stage));
}

/* The thread executes another program, whose accesses are counted separately. */
static void schedule_run_exec_of_a_traced_program_continues_the_thread(void **state)
{
	struct stage *stage = *state;
	struct script *script = &stage->scripts[0];
	struct schedule_program program;

	stage->count = 1;
	script_begin(script, STAGE_PID, 0);
	script_access(script, STREAM_READ, 0x1000, 3, 0);
	script_text(script, STREAM_EXEC, "/bin/ls");
	script->words[script->count - 1 - STREAM_NAME_WORDS] |= 7;
	script_access(script, STREAM_WRITE, 0x1000, 3, 0);
	script_access(script, STREAM_WRITE, 0x1008, 3, 0);
	script_end(script);
	stage_claim(stage, script, 0);
	stage_write(stage, script, 100);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_EXEC], 0);
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_int_equal(schedule_program(stage->schedule, 0, &program), 0);
	assert_true(program.number == 0 && program.accesses == 1);
	assert_int_equal(schedule_program(stage->schedule, 1, &program), 0);
	assert_true(program.number == 7 && program.accesses == 2);
	assert_string_equal(program.name, "/bin/ls");
	assert_int_equal(schedule_program(stage->schedule, 2, &program), -EINVAL);
}

/* ---- memory and phases --------------------------------------------------------------------- */

/* After the end of a region was replayed, its entry in the table may be used for another region. */
static void schedule_run_entry_of_a_region_can_be_used_again(void **state)
{
	struct stage *stage = stage_new(NULL, NULL);
	struct script *script = &stage->scripts[0];
	struct stream_region *entry = stage_region(stage, 3);
	bool gone;

	*entry = (struct stream_region){
		.start = 0x100000, .end = 0x102000, .kind = STREAM_REGION_PRIVATE, .path = "one"};
	stage->count = 1;
	script_begin(script, STAGE_PID, 0);
	script_control(script, STREAM_REGION, 3, 0);
	stage_claim(stage, script, 0);
	stage_write(stage, script, 100);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(atomic_load(&entry->done), 0);
	script_control(script, STREAM_UNMAP, 3, 0);
	stage_write(stage, script, 100);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(atomic_load(&entry->done), 1);
	/* A region that is reported a second time is not a new region. */
	script_control(script, STREAM_REGION, 3, 0);
	stage_write(stage, script, 100);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(schedule_regions(stage->schedule), 1);
	assert_non_null(schedule_region(stage->schedule, 0, &gone));
	assert_false(gone);
	script_control(script, STREAM_UNMAP, 3, 0);
	stage_write(stage, script, 100);
	assert_int_equal(stage_run(stage), 0);
	*entry = (struct stream_region){
		.start = 0x300000, .end = 0x301000, .kind = STREAM_REGION_PRIVATE, .path = "two"};
	script_control(script, STREAM_REGION, 3, 0);
	script_end(script);
	stage_write_all(stage, script);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_int_equal(schedule_regions(stage->schedule), 2);
	assert_string_equal(schedule_region(stage->schedule, 0, &gone)->path, "one");
	assert_true(gone);
	assert_string_equal(schedule_region(stage->schedule, 1, &gone)->path, "two");
	assert_false(gone);
	stage_free(stage);
}

static void shared_map(struct script *script, struct stage *stage, unsigned index, uint64_t start,
		       uint64_t inode, uint64_t offset)
{
	*stage_region(stage, index) = (struct stream_region){.start = start,
							     .end = start + 2 * PAGE,
							     .kind = STREAM_REGION_SHARED,
							     .inode = inode,
							     .offset = offset};
	script_control(script, STREAM_REGION, index, 0);
}

static void page_home_check(const struct stage *stage, uint64_t page, unsigned home)
{
	struct machine_page *pages;
	int64_t count = machine_pages(stage->machine, &pages), i;

	for (i = 0; i < count && pages[i].page != page; i++)
		;
	assert_true(i < count);
	assert_int_equal(pages[i].home, home);
	free(pages);
}

/* Page p is on node p modulo 4. If memory is mapped at another address, pages keep their homes. */
static void schedule_run_pages_of_shared_memory_keep_their_homes(void **state)
{
	struct stage *stage = stage_new(NULL, NULL);
	struct script *script = &stage->scripts[0];

	stage->count = 1;
	script_begin(script, STAGE_PID, 0);
	shared_map(script, stage, 0, 0x100 * PAGE, 7, 0);
	script_access(script, STREAM_READ, 0x100 * PAGE, 2, 0);
	script_access(script, STREAM_READ, 0x101 * PAGE, 2, 0);
	script_control(script, STREAM_UNMAP, 0, 0);
	/* The second page of this memory, and a page that has no home. */
	shared_map(script, stage, 1, 0x203 * PAGE, 7, PAGE);
	script_access(script, STREAM_READ, 0x203 * PAGE, 2, 0);
	script_access(script, STREAM_READ, 0x204 * PAGE, 2, 0);
	script_control(script, STREAM_UNMAP, 1, 0);
	/* Map other memory at the address of the second page, and then the first memory. */
	shared_map(script, stage, 2, 0x203 * PAGE, 8, 0);
	script_access(script, STREAM_READ, 0x203 * PAGE, 2, 0);
	shared_map(script, stage, 3, 0x301 * PAGE, 7, 0);
	script_access(script, STREAM_READ, 0x301 * PAGE, 2, 0);
	/* Map the same memory at addresses that overlap. */
	script_control(script, STREAM_UNMAP, 3, 0);
	shared_map(script, stage, 4, 0x302 * PAGE, 7, 0);
	script_access(script, STREAM_READ, 0x302 * PAGE, 2, 0);
	script_end(script);
	stage_play(stage, 1);
	/* The page got its home, node 1, when it was the second page of the first memory. */
	page_home_check(stage, 0x203, 3);
	page_home_check(stage, 0x204, 0);
	/* The first page is on node 0 at both of its addresses. */
	page_home_check(stage, 0x301, 0);
	page_home_check(stage, 0x302, 0);
	stage_free(stage);
}

/* Use one channel after another, each with a new process. */
static void schedule_run_more_processes_than_can_be_is_reported(void **state)
{
	struct stage *stage = stage_new(NULL, NULL);
	struct stream_channel *channels = (void *)((char *)stage->memory + STREAM_CHANNELS_AT);
	uint64_t *words = (void *)((char *)stage->memory + STREAM_WORDS_AT);
	struct script script = {0};
	int64_t done = 0;

	script_begin(&script, 0, 0);
	script_end(&script);
	for (uint32_t pid = 2; done >= 0 && pid < SCHEDULE_PROCESSES_MAX + 2000;) {
		for (unsigned c = 0; c < 1000; c++, pid++) {
			uint64_t *ring = words + (size_t)c * STREAM_CHANNEL_WORDS;

			assert_int_equal(atomic_load(&channels[c].state), STREAM_FREE_CHANNEL);
			memcpy(ring, script.words, script.count * sizeof(*ring));
			ring[0] |= pid;
			atomic_store(&channels[c].pid, pid);
			atomic_store(&channels[c].written, script.count);
			atomic_store(&channels[c].head, script.count);
			atomic_store(&channels[c].state, STREAM_ENDED);
			atomic_fetch_add(&stage->header->claimed, 1);
		}
		do
			done = schedule_run(stage->schedule, 100000);
		while (done > 0);
	}
	assert_int_equal(done, -EUSERS);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_PROCESSES], 1);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_PROTOCOL], 0);
	assert_in_range(stage_statistics(stage).processes, SCHEDULE_PROCESSES_MAX - 1000,
			SCHEDULE_PROCESSES_MAX);
	free(script.words);
	stage_free(stage);
}

/* A running thread keeps its channel, even if the replay has failed. */
static void schedule_finish_channel_of_the_living_stays_its_own(void **state)
{
	struct stage *stage = stage_new(NULL, NULL);
	struct stream_channel *channels = (void *)((char *)stage->memory + STREAM_CHANNELS_AT);

	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	stage->scripts[1].pid = STAGE_PID + 1;
	stage_claim(stage, &stage->scripts[0], 0);
	stage_claim(stage, &stage->scripts[1], 1);
	stage_write(stage, &stage->scripts[0], 100);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_int_equal(atomic_load(&channels[0].state), STREAM_OPEN);
	assert_int_equal(atomic_load(&channels[1].state), STREAM_OPEN);
	stage_free(stage);
}

static void schedule_run_regions_and_places_reach_the_machine(void **state)
{
	const struct machine_config config = {
		.nodes = 4, .watch = MACHINE_WATCH_ALL, .placement = placement_find("block")};
	struct stage *stage = stage_new(&config, NULL);
	struct script *script = &stage->scripts[0];
	struct machine_page *pages;
	bool gone = false;

	*stage_region(stage, 3) = (struct stream_region){
		.start = 0x100000, .end = 0x100000 + 8 * PAGE, .kind = STREAM_REGION_HEAP};
	memset(stage_region(stage, 3)->path, 'x', STREAM_PATH_BYTES);
	stage->count = 1;
	script_begin(script, STAGE_PID, 0);
	script_control(script, STREAM_REGION, 3, 0);
	script_control(script, STREAM_REGION, 3, 0);
	script_control(script, STREAM_PLACE, 0x100000 + PAGE, 2, (uint64_t)1, (uint64_t)3);
	script_control(script, STREAM_PLACE, 0x100000, 2, (uint64_t)1, (uint64_t)9);
	for (unsigned i = 0; i < 8; i++)
		script_access(script, STREAM_READ, 0x100000 + i * PAGE, 2, 0);
	script_control(script, STREAM_UNMAP, 3, 0);
	script_end(script);
	stage_play(stage, 1);
	assert_int_equal(schedule_regions(stage->schedule), 1);
	assert_int_equal(strlen(schedule_region(stage->schedule, 0, &gone)->path),
			 STREAM_PATH_BYTES - 1);
	assert_true(gone);
	assert_null(schedule_region(stage->schedule, 1, NULL));
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_PLACE], 1);
	assert_int_equal(machine_pages(stage->machine, &pages), 8);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(pages[i].page, 0x100 + i);
		assert_int_equal(pages[i].home, i == 1 ? 3 : i / 2);
	}
	free(pages);
	stage_free(stage);
}

static void schedule_run_heap_blocks_are_reported(void **state)
{
	struct stage *stage = *state;
	const uint64_t none = 0;

	stage->count = 1;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_control(&stage->scripts[0], STREAM_FREE, 0x5000, 0);
	script_work(&stage->scripts[0], 200);
	script_control(&stage->scripts[0], STREAM_CALLERS, 0, STREAM_SITES, (uint64_t)1,
		       (uint64_t)2, (uint64_t)3, none, none, none, none, none, none, none, none,
		       none, none, none, none, none);
	script_control(&stage->scripts[0], STREAM_ALLOCATE, 0x6000, 1, (uint64_t)48);
	script_end(&stage->scripts[0]);
	stage_play(stage, 1);
	assert_int_equal(stage->blocks, 2);
	assert_int_equal(stage->block.address, 0x6000);
	assert_int_equal(stage->block.bytes, 48);
	assert_int_equal(stage->block.sites[2], 3);
	assert_int_equal(stage->block.time_ns, 1000);
	assert_int_equal(stage->block.pid, STAGE_PID);
	assert_int_equal(stage_statistics(stage).blocks, 1);
}

/* Frames before the mark belong to the old phase. Both nodes have two requests before it. */
static void schedule_run_phase_mark_parts_the_traffic(void **state)
{
	struct stage *stage = *state;

	stage->count = 1;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_access(&stage->scripts[0], STREAM_WRITE, PAGE, 2, 0);
	script_text(&stage->scripts[0], STREAM_PHASE, "a\tb");
	script_access(&stage->scripts[0], STREAM_WRITE, PAGE, 2, 0);
	script_end(&stage->scripts[0]);
	stage_play(stage, 1);
	assert_string_equal(stage->phases, "1 a?b @100\n");
	assert_int_equal(stage->frames[1], 5);
	assert_int_equal(stage->frames[2], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(schedule_create_that_makes_no_sense_is_refused),
		STAGE_TEST(schedule_create_mappings_say_where_threads_run),
		STAGE_TEST(schedule_run_thread_begins_at_its_creators_clock),
		STAGE_TEST(schedule_run_join_waits_for_the_end),
		STAGE_TEST(schedule_run_processors_are_used_again),
		STAGE_TEST(schedule_run_too_many_threads_at_a_time_is_reported),
		STAGE_TEST(schedule_run_channel_is_given_back_after_the_end),
		STAGE_TEST(schedule_run_unannounced_thread_is_reported),
		STAGE_TEST(schedule_run_frames_of_a_lonely_thread_do_not_pile_up),
		STAGE_TEST(schedule_run_barrier_lets_all_go_at_the_last_clock),
		STAGE_TEST(schedule_run_deadlock_of_the_replay_is_reported),
		STAGE_TEST(schedule_run_futex_waits_for_its_wake_up),
		STAGE_TEST(schedule_run_wake_up_that_was_before_is_remembered),
		STAGE_TEST(schedule_run_unknown_wait_lets_the_others_go_on),
		STAGE_TEST(schedule_run_wait_whose_time_is_over_takes_that_time),
		STAGE_TEST(schedule_run_time_of_a_wait_counts_from_its_begin),
		STAGE_TEST(schedule_run_time_passes_without_a_wait),
		STAGE_TEST(schedule_run_child_process_has_locks_of_its_own),
		STAGE_TEST(schedule_run_processes_share_locks_in_shared_memory),
		STAGE_TEST(schedule_dead_process_ends_its_threads),
		STAGE_TEST(schedule_dead_process_leaves_words_that_were_not_shown),
		STAGE_TEST(schedule_run_exec_of_another_program_is_reported),
		STAGE_TEST(schedule_run_exec_of_a_traced_program_continues_the_thread),
		STAGE_TEST(schedule_run_entry_of_a_region_can_be_used_again),
		STAGE_TEST(schedule_run_pages_of_shared_memory_keep_their_homes),
		STAGE_TEST(schedule_run_more_processes_than_can_be_is_reported),
		STAGE_TEST(schedule_finish_channel_of_the_living_stays_its_own),
		STAGE_TEST(schedule_run_regions_and_places_reach_the_machine),
		STAGE_TEST(schedule_run_heap_blocks_are_reported),
		STAGE_TEST(schedule_run_phase_mark_parts_the_traffic),
	};

	return cmocka_run_group_tests_name("schedule_control", tests, NULL, NULL);
}
