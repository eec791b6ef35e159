/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Waits of the program in the kernel, and the threads that each call wakes.
 *
 * What lives here: reports of these waits and wake-ups. The reader must know which threads wait;
 * otherwise the reader would wait for the next words of these threads. This file may use the
 * channel, mappings, and system calls that only read.
 */
#include "run/tracer/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "run/tracer/atomics.h"
#include "run/tracer/channel.h"
#include "run/tracer/mappings.h"
#include "run/tracer/process.h"

/*
 * The time that sched_yield(2) takes if no other thread needs the processor. A thread that waits
 * for another thread often calls sched_yield(2) in a loop. If the call took no time, this loop
 * would have many more rounds than natively.
 */
#define YIELD_NS 300U

static bool futex_waits(uint64_t operation)
{
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	}
	return false;
}

static bool futex_wakes(uint64_t operation)
{
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_UNLOCK_PI:
		return true;
	}
	return false;
}

/*
 * Check whether a read or a write of this file can wait for another thread. A regular file or a
 * directory never makes a thread wait; any other file may.
 */
static bool file_waits(uint64_t fd)
{
	struct stat status;

	return !fstat((int)fd, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool call_waits(int64_t number, const uint64_t *args)
{
	switch (number) {
	case SYS_futex:
		return futex_waits(args[1]);
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
		return file_waits(args[0]);
	case SYS_fcntl:
		return args[1] == F_SETLKW || args[1] == F_OFD_SETLKW;
	case SYS_wait4:
	case SYS_waitid:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_select:
	case SYS_pselect6:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_accept:
	case SYS_accept4:
	case SYS_connect:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_recvmmsg:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_msgrcv:
	case SYS_msgsnd:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_mq_timedreceive:
	case SYS_mq_timedsend:
	case SYS_flock:
		return true;
	}
	return false;
}

/* ---- how long a call waits at most ----------------------------------------------------------- */

#define NS_PER_SECOND 1000000000
#define NS_PER_MS 1000000
/* Longer waits are treated as waits without a limit. */
#define LIMIT_SECONDS 100000

/*
 * Read a struct timespec or timeval of the program, in ns. The program may have passed an invalid
 * address, so the kernel copies the value. Return: the time; 0 if there is no valid time, or if the
 * time is too long.
 */
static int64_t time_get(uint64_t address, long units_per_second)
{
	int64_t value[2];
	struct iovec to = {value, sizeof(value)};
	struct iovec from = {(void *)(uintptr_t)address, sizeof(value)};

	if (!address || process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)sizeof(value) ||
	    value[0] < 0 || value[1] < 0 || value[1] >= units_per_second)
		return 0;
	/* The value can also be a time of day, which is a large number of seconds. */
	if (value[0] > INT64_MAX / NS_PER_SECOND - 1)
		return 0;
	return value[0] * NS_PER_SECOND + value[1] * (NS_PER_SECOND / units_per_second);
}

/* Get the time from now to a moment of @clock. */
static int64_t time_until(uint64_t address, clockid_t clock)
{
	int64_t moment = time_get(address, NS_PER_SECOND);
	struct timespec now;

	if (!moment || clock_gettime(clock, &now) < 0)
		return 0;
	return moment - ((int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec);
}

static int64_t futex_limit(const uint64_t *args)
{
	switch (args[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		return time_get(args[3], NS_PER_SECOND);
	case FUTEX_LOCK_PI:
		return time_until(args[3], CLOCK_REALTIME);
	default:
		return time_until(args[3], args[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME
									  : CLOCK_MONOTONIC);
	}
}

static int64_t call_limit(int64_t number, const uint64_t *args)
{
	switch (number) {
	case SYS_futex:
		return futex_limit(args);
	case SYS_nanosleep:
		return time_get(args[0], NS_PER_SECOND);
	case SYS_clock_nanosleep:
		return args[1] & TIMER_ABSTIME ? time_until(args[2], (clockid_t)args[0])
					       : time_get(args[2], NS_PER_SECOND);
	case SYS_poll:
		return (int64_t)(int32_t)args[2] * NS_PER_MS;
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return (int64_t)(int32_t)args[3] * NS_PER_MS;
	case SYS_ppoll:
	case SYS_rt_sigtimedwait:
		return time_get(args[2], NS_PER_SECOND);
	case SYS_pselect6:
		return time_get(args[4], NS_PER_SECOND);
	case SYS_select:
		return time_get(args[4], 1000000);
	case SYS_semtimedop:
		return time_get(args[3], NS_PER_SECOND);
	}
	return 0;
}

/*
 * Get the limit of a wait. Return: the limit in ns; 0 if there is no limit, if the limit is not
 * known, or if the limit is too long.
 */
static uint64_t limit_get(int64_t number, const uint64_t *args)
{
	int64_t limit = call_limit(number, args);

	return limit > 0 && limit <= (int64_t)LIMIT_SECONDS * NS_PER_SECOND ? (uint64_t)limit : 0;
}

/* Check whether the call has returned because its time limit was reached. */
static bool time_over(int64_t number, int64_t result)
{
	switch (number) {
	case SYS_futex:
		return result == -ETIMEDOUT;
	case SYS_rt_sigtimedwait:
	case SYS_semtimedop:
		return result == -EAGAIN;
	default:
		return result == 0;
	}
}

/* ---- reports --------------------------------------------------------------------------------- */

/*
 * Check whether this futex is a lock inside libc or libgomp, for example malloc's. Waits at such
 * locks are not reported, because the host decides which threads contend for them, and the waits
 * are short. The program's own locks are at other addresses.
 */
static bool futex_inside(uint64_t address)
{
	struct mapping m;

	return mappings_find(address, &m) && m.internal;
}

static _Atomic uint64_t *wake_of(uint64_t address)
{
	return &stream->wake[(address >> 2 ^ address >> 14) & (STREAM_WAKES - 1)];
}

static void futex_report(struct thread *thread, uint64_t address, uint64_t count)
{
	channel_record(thread, STREAM_FUTEX, mappings_common(address), &count);
}

/*
 * Check whether the futex has the value that the thread has passed. If the futex has another value,
 * the call returns immediately.
 */
static bool futex_holds(const uint64_t *args)
{
	uint32_t value = 0;
	struct iovec to = {&value, sizeof(value)};
	struct iovec from = {(void *)(uintptr_t)args[0], sizeof(value)};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)sizeof(value) &&
	       value == (uint32_t)args[2];
}

/* Check whether this is a wait that ends only by a wake-up at this futex or by its time limit. */
static bool futex_sleeps(const uint64_t *args)
{
	int command = args[1] & FUTEX_CMD_MASK;

	return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

void waits_handler(const uint64_t *args)
{
	/* The kernel's form of the handler, its flags, its restorer and its mask. */
	uint64_t action[4] = {0};
	struct iovec to = {action, sizeof(action)};
	struct iovec from = {(void *)(uintptr_t)args[1], sizeof(action)};

	if (!args[1] || process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)sizeof(action))
		return;
	if (action[0] != (uint64_t)(uintptr_t)SIG_DFL &&
	    action[0] != (uint64_t)(uintptr_t)SIG_IGN && !(action[1] & SA_RESTART))
		process.interrupts = true;
}

/*
 * Add the time of sched_yield(2) to the thread's clock, and make the thread take a turn. The thread
 * expects that other threads continue during this call.
 */
static void yield_order(struct thread *thread)
{
	if (!process.counting || !thread->begun || thread->quiet || thread->paused || thread->ended)
		return;
	pthread_mutex_lock(&thread->lock);
	channel_note(thread, STREAM_PASS, YIELD_NS, NULL);
	pthread_mutex_unlock(&thread->lock);
	atomics_poll(thread, SYS_sched_yield);
}

/*
 * Make the thread take a turn before a wait at a futex. Whether the thread sleeps depends on the
 * value of the futex, so the thread reads this value during its turn. Threads that change the value
 * by atomic instructions also take turns.
 */
void waits_order(struct thread *thread, int64_t number, const uint64_t *args)
{
	uint64_t name;

	/* If the preload library makes this call, see trace_yield(). */
	if (number == SYS_sched_yield && args[0] != STREAM_CALL)
		yield_order(thread);
	if (number != SYS_futex || !futex_waits(args[1]) || !futex_sleeps(args) ||
	    !atomics_take_turns(thread) || futex_inside(args[0]))
		return;
	name = mappings_common(args[0]);
	atomics_order(thread, name);
	if (!channel_alone(thread, STREAM_ALONE_RUN))
		atomics_await(thread, false);
	thread->looks = name;
}

/*
 * Report a wake-up. First, the record of the wake-up is written. Then the number of the record is
 * published, and then the woken threads run. Otherwise these threads could report a number for
 * which the reader has no record.
 */
static void wake(struct thread *thread, uint64_t address)
{
	uint64_t number = atomic_fetch_add(&stream->wakes, 1) + 1;
	uint64_t last = atomic_load(wake_of(address));

	channel_record(thread, STREAM_WAKE, number, NULL);
	while (last < number && !atomic_compare_exchange_weak(wake_of(address), &last, number))
		;
}

void waits_enter(struct thread *thread, int64_t number)
{
	const uint64_t *args = thread->args;

	if (!process.counting || thread->quiet || thread->blocked)
		return;
	/* Another record has already reported the reason for this wait. */
	if (thread->paused && (number == SYS_futex || number == SYS_wait4 || number == SYS_waitid))
		return;
	if (number == SYS_futex && futex_inside(args[0]))
		return;
	if (number == SYS_futex && futex_wakes(args[1])) {
		if ((args[1] & FUTEX_CMD_MASK) == FUTEX_WAKE)
			futex_report(thread, args[0], args[2]);
		wake(thread, args[0]);
		if ((args[1] & FUTEX_CMD_MASK) != FUTEX_WAKE &&
		    (args[1] & FUTEX_CMD_MASK) != FUTEX_WAKE_BITSET &&
		    (args[1] & FUTEX_CMD_MASK) != FUTEX_UNLOCK_PI)
			wake(thread, args[4]);
		return;
	}
	if (!call_waits(number, args))
		return;
	if (number == SYS_futex && futex_sleeps(args)) {
		bool holds = futex_holds(args);

		if (thread->looks)
			channel_record(thread, STREAM_RELEASE, thread->looks, NULL);
		thread->looks = 0;
		if (!holds)
			return;
		futex_report(thread, args[0], 0);
	}
	channel_record(thread, STREAM_BLOCK, (uint64_t)number, NULL);
	thread->blocked = true;
	thread->limit_ns = limit_get(number, args);
}

void waits_leave(struct thread *thread, int64_t number, int64_t result)
{
	uint64_t cause = 0;

	if (!thread->blocked)
		return;
	thread->blocked = false;
	if (number == SYS_futex && !result)
		cause = atomic_load(wake_of(thread->args[0]));
	if (thread->limit_ns && time_over(number, result))
		channel_record(thread, STREAM_PASS, thread->limit_ns, NULL);
	channel_record(thread, STREAM_UNBLOCK, cause, NULL);
}
