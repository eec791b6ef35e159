/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/session/session.h, with which any program can run another program on the emulated
 * machine.
 *
 * tests/run/fake_qemu.c is the first in PATH, so it runs instead of QEMU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/session/session.h"

/**
 * struct seen - The calls that the run has made, in memory that is shared with the process of the
 * run.
 */
struct seen {
	unsigned configured;
	unsigned ended;
	unsigned wrong; /* number of failed checks */
	uint64_t accesses;
	uint64_t records;
	int refuse; /* the cards cannot be configured */
	int status; /* for ended() to return */
	char message[512];
};

static struct seen *seen;

static void message(void *opaque, const char *text)
{
	struct seen *to = opaque;

	snprintf(to->message, sizeof(to->message), "%s", text);
}

static int configure(void *opaque, unsigned node, struct Monitor *mon)
{
	struct seen *to = opaque;
	struct smile_config config;

	to->configured++;
	if (to->refuse)
		return -5;
	Monitor_config_default(&config);
	config.node = node;
	return Monitor_config_set(mon, &config);
}

static int ended(void *opaque, const struct run *run)
{
	struct run_check checks[RUN_CHECKS_MAX];
	size_t count = run_account(run, checks);
	struct seen *to = opaque;
	struct run_totals totals;

	run_totals(run, &totals);
	to->ended++;
	to->accesses = totals.accesses;
	for (size_t i = 0; i < count; i++)
		to->wrong += checks[i].is != checks[i].should_be;
	for (unsigned n = 0; n < run->config.nodes; n++)
		to->records += run->cards[n].records;
	return to->status;
}

static int run(const char *prefix, const char *a, const char *b, const char *c)
{
	static const struct run_ops ops = {
		.message = message,
		.configure = configure,
		.ended = ended,
	};
	char *command[] = {(char *)"true", (char *)a, (char *)b, (char *)c, NULL};
	const struct run_config config = {
		.nodes = 2,
		.latency = *latency_find(LATENCY_DEFAULT),
		.prefix = prefix,
		.capture_node = -1,
		.command_line = "a test",
		.ops = &ops,
		.opaque = seen,
	};

	return run_execute(&config, command);
}

static int setup(void **state)
{
	memset(seen, 0, sizeof(*seen));
	return 0;
}

static void a_run_gives_its_counts_and_recordings(void **state)
{
	assert_int_equal(run("execute", "threads", "2", "3"), 0);
	assert_string_equal(seen->message, "");
	assert_int_equal(seen->configured, 2);
	assert_int_equal(seen->ended, 1);
	assert_int_equal(seen->wrong, 0);
	assert_true(seen->accesses > 0);
	assert_true(seen->records > 0);
	assert_int_equal(access("execute-node0.rec", R_OK), 0);
	assert_int_equal(access("execute-node1.rec", R_OK), 0);
}

static void without_a_prefix_there_are_no_cards(void **state)
{
	assert_int_equal(run(NULL, "threads", "2", "3"), 0);
	assert_int_equal(seen->configured, 0);
	assert_int_equal(seen->wrong, 0);
	assert_true(seen->accesses > 0);
}

static void the_program_s_exit_status_comes_before_the_caller_s(void **state)
{
	seen->status = 1;
	assert_int_equal(run(NULL, "exit", "7", NULL), 7);
	assert_int_equal(run(NULL, "exit", "0", NULL), 1);
	seen->status = RUN_FAILED;
	assert_int_equal(run(NULL, "exit", "7", NULL), RUN_FAILED);
}

static void a_card_that_cannot_be_configured_ends_the_run(void **state)
{
	seen->refuse = 1;
	assert_int_equal(run("execute", "exit", "0", NULL), RUN_FAILED);
	assert_int_equal(seen->configured, 1);
	assert_int_equal(seen->ended, 0);
}

static void a_program_that_is_not_there_is_reported_by_name(void **state)
{
	static const struct run_ops ops = {.message = message};
	const struct run_config config = {.nodes = 1, .ops = &ops, .opaque = seen};
	char *missing[] = {(char *)"/nowhere/program", NULL};
	char *folder[] = {(char *)"/", NULL};

	assert_int_equal(run_execute(&config, missing), RUN_NOT_FOUND);
	assert_non_null(strstr(seen->message, "/nowhere/program"));
	assert_int_equal(run_execute(&config, folder), RUN_NOT_EXECUTABLE);
	assert_non_null(strstr(seen->message, "directory"));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_run_gives_its_counts_and_recordings, setup),
		cmocka_unit_test_setup(without_a_prefix_there_are_no_cards, setup),
		cmocka_unit_test_setup(the_program_s_exit_status_comes_before_the_caller_s, setup),
		cmocka_unit_test_setup(a_card_that_cannot_be_configured_ends_the_run, setup),
		cmocka_unit_test_setup(a_program_that_is_not_there_is_reported_by_name, setup),
	};

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED || argc != 2 || chdir(argv[1]))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
