/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/place/lock_order.c: threads must take a lock in the given order, however they start.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/place/lock_order.h"

#define THREADS 6U
/* If the order must be kept, a thread that waits for this time has stopped for ever. */
#define PATIENCE_S 300
/* Even a busy host starts and ends a pause in less than this time. */
#define STALL_PATIENCE_S 6

/**
 * struct stage - The order of a lock, and the threads that have taken it.
 */
struct stage {
	struct lock_order order;
	pthread_mutex_t lock;
	unsigned came[THREADS + 1];
	unsigned count;
	uint32_t given_up;
};

/**
 * struct visit - The parameters of a thread.
 */
struct visit {
	struct stage *stage;
	unsigned number;
	unsigned times;
};

static struct stage stage;

static int setup(void **state)
{
	memset(&stage, 0, sizeof(stage));
	pthread_mutex_init(&stage.lock, NULL);
	stage.order.given_up = &stage.given_up;
	stage.order.patience_s = PATIENCE_S;
	return 0;
}

static void order_is(const uint32_t *threads, size_t count)
{
	stage.order.threads = threads;
	stage.order.count = count;
}

static void *visit(void *argument)
{
	const struct visit *visit = argument;

	for (unsigned i = 0; i < visit->times; i++) {
		lock_order_wait(&stage.order, visit->number);
		pthread_mutex_lock(&stage.lock);
		if (!i)
			stage.came[stage.count++] = visit->number;
		lock_order_took(&stage.order, visit->number);
		pthread_mutex_unlock(&stage.lock);
	}
	return NULL;
}

/* Start threads 0 to @count - 1, in this order. */
static void visits(unsigned count, unsigned times)
{
	struct visit all[THREADS];
	pthread_t threads[THREADS];

	for (unsigned i = 0; i < count; i++) {
		all[i] = (struct visit){&stage, i, times};
		assert_int_equal(pthread_create(&threads[i], NULL, visit, &all[i]), 0);
	}
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(stage.count, count);
}

static void threads_come_in_the_order(void **state)
{
	static const uint32_t threads[] = {5, 2, 4, 0, 3, 1};

	order_is(threads, THREADS);
	visits(THREADS, 1000);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(stage.came[i], threads[i]);
	assert_int_equal(stage.given_up, 0);
}

static void a_thread_without_a_turn_does_not_wait(void **state)
{
	static const uint32_t threads[] = {7, 8};

	order_is(threads, 2);
	visits(3, 1);
	assert_int_equal(stage.given_up, 0);
}

static void a_thread_that_has_ended_is_not_waited_for(void **state)
{
	static const uint32_t threads[] = {9, 1, 0};

	order_is(threads, 3);
	lock_order_took(&stage.order, 9);
	visits(2, 1);
	assert_int_equal(stage.came[0], 1);
	assert_int_equal(stage.came[1], 0);
	assert_int_equal(stage.given_up, 0);
}

static void a_thread_that_does_not_come_ends_the_order(void **state)
{
	static const uint32_t threads[] = {9, 1, 0};

	order_is(threads, 3);
	stage.order.patience_s = LOCK_ORDER_PATIENCE_S;
	visits(2, 1);
	assert_int_equal(stage.given_up, 1);
}

/* Let another process stop this process for longer than threads wait for the order. */
static void stop_for(time_t seconds)
{
	pid_t parent = getpid(), child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
		kill(parent, SIGSTOP);
		nanosleep(&(struct timespec){.tv_sec = seconds}, NULL);
		_exit(kill(parent, SIGCONT) ? 1 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void a_machine_that_stalls_does_not_end_the_order(void **state)
{
	static const uint32_t threads[] = {1, 0};
	struct visit late = {&stage, 0, 1};
	pthread_t thread;

	order_is(threads, 2);
	stage.order.patience_s = STALL_PATIENCE_S;
	assert_int_equal(pthread_create(&thread, NULL, visit, &late), 0);
	stop_for(STALL_PATIENCE_S + 2);
	visit(&(struct visit){&stage, 1, 1});
	pthread_join(thread, NULL);
	assert_int_equal(stage.came[0], 1);
	assert_int_equal(stage.given_up, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(threads_come_in_the_order, setup),
		cmocka_unit_test_setup(a_thread_without_a_turn_does_not_wait, setup),
		cmocka_unit_test_setup(a_thread_that_has_ended_is_not_waited_for, setup),
		cmocka_unit_test_setup(a_thread_that_does_not_come_ends_the_order, setup),
		cmocka_unit_test_setup(a_machine_that_stalls_does_not_end_the_order, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
