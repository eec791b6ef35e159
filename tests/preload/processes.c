/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program of processes: shared and private locks, memory and waits.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tests/preload/named.h"

struct common {
	pthread_mutex_t mutex;
	pthread_barrier_t barrier;
	pthread_spinlock_t spin;
	pthread_rwlock_t readers;
	int sum;
};

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void work(struct common *common, int by)
{
	pthread_barrier_wait(&common->barrier);
	pthread_mutex_lock(&common->mutex);
	common->sum += by;
	pthread_mutex_unlock(&common->mutex);
	pthread_spin_lock(&common->spin);
	pthread_spin_unlock(&common->spin);
	pthread_rwlock_wrlock(&common->readers);
	pthread_rwlock_unlock(&common->readers);
	/* The lock has the same address in both processes, but it is not the same lock. */
	pthread_mutex_lock(&own);
	pthread_mutex_unlock(&own);
}

static int handled;

static void handle(void)
{
	handled++;
}

int main(void)
{
	struct common *common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t barrier;
	pthread_rwlockattr_t readers;
	pthread_mutexattr_t mutex;
	siginfo_t info;
	pid_t child;
	int status;

	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&common->mutex, &mutex);
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&common->barrier, &barrier, 2);
	pthread_rwlockattr_init(&readers);
	pthread_rwlockattr_setpshared(&readers, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(&common->readers, &readers);
	pthread_spin_init(&common->spin, PTHREAD_PROCESS_SHARED);
	named(&common->mutex, "mutex");
	named(&common->barrier, "barrier");
	named((void *)&common->spin, "spin");
	named(&common->readers, "readers");
	named(&own, "own");
	child = fork();
	if (child == 0) {
		work(common, 1);
		_exit(3);
	}
	work(common, 2);
	printf("%d", waitpid(child, &status, 0) == child);
	printf(" %d %d\n", WEXITSTATUS(status), common->sum);
	printf("%d", waitpid(child, &status, 0));
	printf(" %d\n", errno == ECHILD);
	fflush(stdout);
	/* vfork() calls none of these handlers. */
	pthread_atfork(handle, handle, handle);
	child = vfork();
	if (child == 0)
		_exit(4);
	printf("%d ", handled);
	printf("%d", wait(&status) == child);
	printf(" %d\n", WEXITSTATUS(status));
	fflush(stdout);
	child = _Fork();
	if (child == 0) {
		raise(SIGKILL);
		_exit(5);
	}
	printf("%d", waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	printf(" %d", waitid(P_PID, (id_t)child, &info, WEXITED));
	printf(" %d\n", info.si_pid == child && info.si_status == SIGKILL);
	/* Another program: its environment has no variable of the library. */
	return system("test -z \"$LD_PRELOAD$SMILE_TRACED\" && echo clean") != 0;
}
