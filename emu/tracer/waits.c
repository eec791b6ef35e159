/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Waits of the program in the kernel, and the threads that each call wakes. The reader must know
 * which threads wait; otherwise it would wait for their next words. May use the channel, mappings
 * and fstat(2).
 */
#include "emu/tracer/syscalls.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "emu/tracer/channel.h"
#include "emu/tracer/mappings.h"
#include "emu/tracer/process.h"

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

/* Reads of a regular file never wait for another thread; reads of any other file may. */
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

/*
 * A lock inside libc or libgomp, such as malloc's. Which threads contend for it depends on the
 * host, and the waits are short. The program's locks lie elsewhere.
 */
static bool futex_inside(uint64_t address)
{
	struct mapping m;

	return mappings_find(address, &m) && m.kind == MAPPINGS_UNCOUNTED;
}

static _Atomic uint64_t *wake_of(uint64_t address)
{
	return &stream->wake[(address >> 2 ^ address >> 14) & (STREAM_WAKES - 1)];
}

/* Write the record before the woken threads run, so that its number is not too early for them. */
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
	/* Another record reports the reason for this wait. */
	if (thread->paused && (number == SYS_futex || number == SYS_wait4 || number == SYS_waitid))
		return;
	if (number == SYS_futex && futex_inside(args[0]))
		return;
	if (number == SYS_futex && futex_wakes(args[1])) {
		wake(thread, args[0]);
		if ((args[1] & FUTEX_CMD_MASK) != FUTEX_WAKE &&
		    (args[1] & FUTEX_CMD_MASK) != FUTEX_WAKE_BITSET &&
		    (args[1] & FUTEX_CMD_MASK) != FUTEX_UNLOCK_PI)
			wake(thread, args[4]);
		return;
	}
	if (!call_waits(number, args))
		return;
	channel_record(thread, STREAM_BLOCK, (uint64_t)number, NULL);
	thread->blocked = true;
}

void waits_leave(struct thread *thread, int64_t number, int64_t result)
{
	uint64_t cause = 0;

	if (!thread->blocked)
		return;
	thread->blocked = false;
	if (number == SYS_futex && !result)
		cause = atomic_load(wake_of(thread->args[0]));
	channel_record(thread, STREAM_UNBLOCK, cause, NULL);
}
