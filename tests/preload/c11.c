/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program of C11 threads.
 */
#include <threads.h>
#include <time.h>

#include "tests/preload/named.h"

static mtx_t plain, again;
static cnd_t condition;
static int flag;

static int run(void *argument)
{
	mtx_lock(&plain);
	flag = 1;
	cnd_signal(&condition);
	mtx_unlock(&plain);
	return (int)(long)argument;
}

static int busy(void *unused)
{
	struct timespec past = {1, 0};

	printf("%d", mtx_trylock(&plain) == thrd_busy);
	printf(" %d\n", mtx_timedlock(&again, &past) == thrd_timedout);
	return 0;
}

int main(void)
{
	struct timespec past = {1, 0};
	thrd_t thread;
	int result;

	mtx_init(&plain, mtx_timed);
	mtx_init(&again, mtx_timed | mtx_recursive);
	cnd_init(&condition);
	named(&plain, "plain");
	named(&again, "again");
	mtx_lock(&plain);
	thrd_create(&thread, run, (void *)42L);
	while (!flag)
		cnd_wait(&condition, &plain);
	printf("%d\n", cnd_timedwait(&condition, &plain, &past) == thrd_timedout);
	mtx_unlock(&plain);
	thrd_join(thread, &result);
	printf("%d\n", result);
	mtx_lock(&plain);
	mtx_lock(&again);
	mtx_lock(&again);
	thrd_create(&thread, busy, NULL);
	thrd_join(thread, NULL);
	mtx_unlock(&again);
	mtx_unlock(&again);
	mtx_unlock(&plain);
	printf("%d\n", mtx_trylock(&plain) == thrd_success);
	mtx_unlock(&plain);
	return 0;
}
