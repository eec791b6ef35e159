/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program of POSIX threads; each argument names a case. It prints the results of its calls,
 * which must be the same with and without the library.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/preload/named.h"

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again, checked;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static int flag;

static const struct timespec past = {1, 0};

static void show(const char *what, int result)
{
	printf("%s %s\n", what, result ? strerror(result) : "ok");
}

static void typed(pthread_mutex_t *mutex, int type)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutex_init(mutex, &attributes);
}

/* Wait without a lock, which would be reported. */
static void await(void)
{
	while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
		nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void *locked_sum(void *argument)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&plain);
		flag += (int)(long)argument;
		pthread_mutex_unlock(&plain);
	}
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		__atomic_add_fetch(&flag, 100, __ATOMIC_RELAXED);
	return argument;
}

static void team(void)
{
	pthread_t threads[3];
	void *result;

	pthread_barrier_init(&barrier, NULL, 3);
	for (long i = 0; i < 3; i++)
		show("create", pthread_create(&threads[i], NULL, locked_sum, (void *)(i + 1)));
	for (int i = 0; i < 3; i++) {
		show("join", pthread_join(threads[i], &result));
		printf("%ld\n", (long)result);
	}
	printf("sum %d\n", flag);
}

static void *other(void *unused)
{
	struct timespec soon;

	show("trylock", pthread_mutex_trylock(&plain));
	show("timedlock", pthread_mutex_timedlock(&plain, &past));
	clock_gettime(CLOCK_MONOTONIC, &soon);
	show("clocklock", pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &soon));
	show("unlock of another's", pthread_mutex_unlock(&checked));
	show("trywrlock", pthread_rwlock_trywrlock(&readers));
	show("timedwrlock", pthread_rwlock_timedwrlock(&readers, &past));
	show("tryrdlock", pthread_rwlock_tryrdlock(&readers));
	show("unlock", pthread_rwlock_unlock(&readers));
	show("spin trylock", pthread_spin_trylock(&spin));
	return NULL;
}

/* Calls that fail, or that do not change the owner of a lock. */
static void failing(void)
{
	pthread_attr_t huge;
	pthread_t thread;

	show("lock", pthread_mutex_lock(&checked));
	show("lock again", pthread_mutex_lock(&checked));
	show("trylock again", pthread_mutex_trylock(&checked));
	show("lock", pthread_mutex_lock(&plain));
	show("rdlock", pthread_rwlock_rdlock(&readers));
	show("spin", pthread_spin_lock(&spin));
	show("create", pthread_create(&thread, NULL, other, NULL));
	show("join", pthread_join(thread, NULL));
	show("spin", pthread_spin_unlock(&spin));
	show("unlock", pthread_rwlock_unlock(&readers));
	show("unlock", pthread_mutex_unlock(&plain));
	show("unlock", pthread_mutex_unlock(&checked));
	show("unlock again", pthread_mutex_unlock(&checked));
	show("wrlock", pthread_rwlock_wrlock(&readers));
	show("wrlock again", pthread_rwlock_wrlock(&readers));
	show("unlock", pthread_rwlock_unlock(&readers));
	pthread_attr_init(&huge);
	pthread_attr_setstacksize(&huge, 1UL << 46);
	show("create", pthread_create(&thread, &huge, other, NULL));
	show("join of oneself", pthread_join(pthread_self(), NULL));
}

static void recursive(void)
{
	for (int i = 0; i < 3; i++)
		show("lock", pthread_mutex_lock(&again));
	show("trylock", pthread_mutex_trylock(&again));
	for (int i = 0; i < 4; i++)
		show("unlock", pthread_mutex_unlock(&again));
	show("unlock", pthread_mutex_unlock(&again));
	show("trylock", pthread_mutex_trylock(&again));
	show("unlock", pthread_mutex_unlock(&again));
}

static void *signaller(void *unused)
{
	pthread_mutex_lock(&plain);
	flag = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&plain);
	return NULL;
}

static void waiting(void)
{
	pthread_t thread;

	pthread_mutex_lock(&plain);
	pthread_create(&thread, NULL, signaller, NULL);
	while (!flag)
		show("wait", pthread_cond_wait(&condition, &plain));
	show("timedwait", pthread_cond_timedwait(&condition, &plain, &past));
	pthread_mutex_unlock(&plain);
	show("join", pthread_join(thread, NULL));
	pthread_mutex_lock(&checked);
	pthread_mutex_unlock(&checked);
	show("wait without the lock", pthread_cond_timedwait(&condition, &checked, &past));
}

static void cleaned(void *unused)
{
	show("clean up", pthread_mutex_unlock(&plain));
}

static void *cancelled(void *unused)
{
	pthread_mutex_lock(&plain);
	pthread_cleanup_push(cleaned, NULL);
	__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
	for (;;)
		pthread_cond_wait(&condition, &plain);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *leaving(void *unused)
{
	pthread_exit((void *)7L);
}

static void cancel(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, cancelled, NULL);
	await();
	show("cancel", pthread_cancel(thread));
	show("join", pthread_join(thread, &result));
	printf("%d\n", result == PTHREAD_CANCELED);
	pthread_create(&thread, NULL, leaving, NULL);
	show("join", pthread_join(thread, &result));
	printf("%ld\n", (long)result);
}

/*
 * A thread that is cancelled while it waits for a thread that waits for it: its later waits are
 * still reported.
 */
static void *joining(void *thread)
{
	pthread_cleanup_push(cleaned, NULL);
	pthread_mutex_lock(&plain);
	__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
	pthread_join(*(pthread_t *)thread, NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *held(void *unused)
{
	pthread_mutex_lock(&checked);
	pthread_mutex_unlock(&checked);
	return NULL;
}

static void cancel_join(void)
{
	pthread_t first, second;

	pthread_mutex_lock(&checked);
	pthread_create(&first, NULL, held, NULL);
	pthread_create(&second, NULL, joining, &first);
	await();
	show("cancel", pthread_cancel(second));
	show("join", pthread_join(second, NULL));
	pthread_mutex_unlock(&checked);
	show("timedjoin", pthread_timedjoin_np(first, NULL, &(struct timespec){1UL << 40, 0}));
}

static void *stack(void *size)
{
	pthread_attr_t attributes;
	size_t bytes;
	void *start;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &start, &bytes);
	named(start, "stack");
	named((char *)start + bytes, "stack_end");
	pthread_attr_destroy(&attributes);
	return NULL;
}

static void stacks(void)
{
	static _Alignas(4096) char own[1 << 18];
	pthread_attr_t attributes;
	pthread_t thread;

	stack(NULL);
	pthread_create(&thread, NULL, stack, NULL);
	pthread_join(thread, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 1 << 18);
	pthread_create(&thread, &attributes, stack, NULL);
	pthread_join(thread, NULL);
	pthread_attr_setstack(&attributes, own, sizeof(own));
	pthread_create(&thread, &attributes, stack, NULL);
	pthread_join(thread, NULL);
	puts("done");
}

static void *nothing(void *unused)
{
	return NULL;
}

/* More threads than the library has records for, at the same time and one after another. */
static void many(void)
{
	enum { COUNT = 300, ROUNDS = 6 };
	pthread_t threads[COUNT];
	int failed = 0;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < COUNT; i++)
			failed += pthread_create(&threads[i], NULL, nothing, NULL) != 0;
		for (int i = 0; i < COUNT; i++)
			failed += pthread_join(threads[i], NULL) != 0;
	}
	for (int i = 0; i < 10; i++) {
		failed += pthread_create(&threads[0], NULL, nothing, NULL) != 0;
		failed += pthread_detach(threads[0]) != 0;
	}
	printf("failed %d\n", failed);
}

static atomic_int ends;

static void *alone(void *name)
{
	pthread_detach(pthread_self());
	munmap(name, 4096);
	ends++;
	return NULL;
}

/* Threads that detach themselves, and free the memory of their names. */
static void detached(void)
{
	enum { COUNT = 1000 };
	int failed = 0;

	for (int i = 0; i < COUNT; i++) {
		void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);
		pthread_t *name = page;

		failed += pthread_create(name, NULL, alone, page) != 0;
		while (i % 16 == 15 && ends < i)
			nanosleep(&(struct timespec){0, 100000}, NULL);
	}
	while (ends < COUNT)
		nanosleep(&(struct timespec){0, 100000}, NULL);
	printf("failed %d\n", failed);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {{"team", team},	   {"failing", failing},	 {"recursive", recursive},
		     {"waiting", waiting}, {"cancel", cancel},		 {"stacks", stacks},
		     {"many", many},	   {"cancel_join", cancel_join}, {"detached", detached}};

	typed(&again, PTHREAD_MUTEX_RECURSIVE);
	typed(&checked, PTHREAD_MUTEX_ERRORCHECK);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	named(&plain, "plain");
	named(&again, "again");
	named(&checked, "checked");
	named(&readers, "readers");
	named((void *)&spin, "spin");
	named(&barrier, "barrier");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run();
			return 0;
		}
	return 2;
}
