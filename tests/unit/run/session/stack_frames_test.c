/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of run/session/stack_frames.c: which stack frames are kept for the recordings. */
#include <string.h>

#include "tests/unit/lib_fixture.h"
#include "run/session/session_inside.h"

#define KEPT 16384U
#define CFA 0x7000000000ULL

static unsigned int messages;

static void count(void *opaque, const char *text)
{
	messages++;
}

static struct Monitor *opened(struct run *run, const char *name)
{
	static const struct run_ops ops = {.message = count};

	memset(run, 0, sizeof(*run));
	run_messages_to(&ops, NULL);
	messages = 0;
	run->config.prefix = "prefix";
	run->config.nodes = 1;
	write_recording(scratch_path(name), 0, NULL, 0, -1);
	assert_int_equal(Monitor_open(&run->cards[0].mon, scratch_path(name)), 0);
	return run->cards[0].mon;
}

static void report(struct run *run, uint64_t cfa, uint64_t bp, uint32_t pid)
{
	const struct schedule_frame frame = {
		.ip = 0x400000, .cfa = cfa, .sp = cfa - 64, .bp = bp, .thread = 2, .pid = pid};

	run_frames_frame(run, &frame);
}

static void a_frame_is_kept_once_whatever_rbp_is(void **state)
{
	static struct run run;
	struct Monitor *mon = opened(&run, "once.rec");
	struct Monitor_stack_frame frames[4];

	for (uint64_t i = 0; i <= KEPT; i++)
		report(&run, CFA, 5 + i, 1);
	report(&run, CFA + 16, 3, 1);
	/* A frame of another process, at another address, is kept, too. */
	report(&run, CFA + 32, 3, 2);
	run_frames_report(&run);
	assert_int_equal(messages, 0);
	assert_int_equal(Monitor_stack_frames(mon, frames, 4), 3);
	assert_true(frames[0].cfa == CFA && frames[0].bp == 5 && frames[0].thread == 2);
	assert_true(frames[1].cfa == CFA + 16 && frames[1].bp == 3);
	assert_int_equal(Monitor_close(mon), 0);
}

static void more_than_are_kept_are_reported_of(void **state)
{
	static struct run run;
	struct Monitor *mon = opened(&run, "more.rec");

	for (uint64_t i = 0; i <= KEPT; i++)
		report(&run, CFA + 16 * i, 0, 1);
	run_frames_report(&run);
	assert_int_equal(messages, 1);
	assert_int_equal(Monitor_stack_frames(mon, NULL, 0), KEPT);
	assert_int_equal(Monitor_close(mon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_is_kept_once_whatever_rbp_is),
		cmocka_unit_test(more_than_are_kept_are_reported_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
