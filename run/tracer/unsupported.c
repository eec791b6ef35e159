/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * System calls that QEMU does not execute. See unsupported.h. May use include/run/stream.h.
 *
 * What lives here: the detection of such calls. If QEMU does not know a call, it returns ENOSYS,
 * although the kernel may have the call. QEMU knows some calls, but refuses them with EINVAL or
 * ignores them; these calls are listed here. Advice about memory that QEMU ignores is executed
 * here, and is counted only if the kernel refuses it. A refused call is not counted if the C
 * library only tries it first, and uses another call when the first call is refused.
 */
#include "run/tracer/unsupported.h"

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "run/stream.h"
#include "run/tracer/channel.h"
#include "run/tracer/process.h"

/* Check whether the C library uses another call if this one is refused. */
static bool replaced(int64_t number)
{
	switch (number) {
	case SYS_rseq:
	case SYS_clone3:
	case SYS_set_robust_list:
	case SYS_get_robust_list:
	case SYS_statx:
	case SYS_faccessat2:
	case SYS_close_range:
	case SYS_preadv2:
	case SYS_pwritev2:
	case SYS_copy_file_range:
	case SYS_renameat2:
		return true;
	default:
		return false;
	}
}

/* Check whether the kernel refuses to create a process or a thread with these flags. */
static bool kernel_refuses(uint64_t flags)
{
	static const struct {
		uint64_t with;
		uint64_t without;
	} refused[] = {
		{CLONE_NEWNS | CLONE_FS, 0},	   {CLONE_NEWUSER | CLONE_FS, 0},
		{CLONE_THREAD, CLONE_SIGHAND},	   {CLONE_SIGHAND, CLONE_VM},
		{CLONE_THREAD | CLONE_NEWUSER, 0}, {CLONE_THREAD | CLONE_NEWPID, 0},
		{CLONE_NEWIPC | CLONE_SYSVSEM, 0}, {CLONE_PIDFD | CLONE_PARENT_SETTID, 0},
		{CLONE_PIDFD | CLONE_DETACHED, 0}, {CLONE_PIDFD | CLONE_THREAD, 0},
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if ((flags & refused[i].with) == refused[i].with &&
		    (!refused[i].without || !(flags & refused[i].without)))
			return true;
	return false;
}

/*
 * Check whether clone3(2) has a parameter for which neither the C library nor the program can use
 * clone(2) instead. The address of the arguments may be invalid.
 */
static bool only_clone3(uint64_t address, uint64_t bytes)
{
	struct clone_args arguments = {0};
	struct iovec to = {&arguments, bytes < sizeof(arguments) ? bytes : sizeof(arguments)};
	struct iovec from = {(void *)(uintptr_t)address, to.iov_len};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) > 0 &&
	       (arguments.set_tid_size || (arguments.flags & CLONE_INTO_CGROUP));
}

/*
 * Check whether the flags create a user namespace. Only a process with one thread can create one,
 * and QEMU has a thread of its own.
 */
static bool refused_namespace(uint64_t flags)
{
	return flags & CLONE_NEWUSER;
}

/*
 * Check whether the call sets a memory limit. QEMU ignores such a limit, because it would apply to
 * QEMU itself. The call has succeeded, so @limit can be read.
 */
static bool ignored_limit(uint64_t resource, uint64_t limit)
{
	const struct rlimit *set = (const struct rlimit *)(uintptr_t)limit;

	return (resource == RLIMIT_AS || resource == RLIMIT_DATA || resource == RLIMIT_STACK) &&
	       set && set->rlim_cur != RLIM_INFINITY;
}

/*
 * Execute an advice that QEMU accepts but ignores. The program's memory has the same addresses in
 * QEMU, so the kernel can execute it. Return: whether the kernel refuses it.
 */
static bool refused_advice(uint64_t start, uint64_t bytes, uint64_t advice)
{
	switch (advice) {
	case MADV_REMOVE:
	case MADV_DONTNEED_LOCKED:
	case MADV_DONTFORK:
	case MADV_DOFORK:
	case MADV_WIPEONFORK:
	case MADV_KEEPONFORK:
		return madvise((void *)(uintptr_t)start, bytes, (int)advice) < 0;
	}
	return false;
}

static bool unsupported(int64_t number, const uint64_t *args, int64_t result)
{
	if (result == -ENOSYS)
		return !replaced(number) || (number == SYS_clone3 && only_clone3(args[0], args[1]));
	switch (number) {
	case SYS_clone:
		return result == -EINVAL && !kernel_refuses(args[0]);
	case SYS_unshare:
		return result == -EINVAL && refused_namespace(args[0]);
	case SYS_setns:
		return result == -EINVAL;
	case SYS_prctl:
		return result == -EINVAL &&
		       (args[0] == PR_SET_SECCOMP || args[0] == PR_SET_CHILD_SUBREAPER);
	case SYS_madvise:
		return result == 0 && refused_advice(args[0], args[1], args[2]);
	case SYS_setrlimit:
		return result == 0 && ignored_limit(args[0], args[1]);
	case SYS_prlimit64:
		return result == 0 && ignored_limit(args[1], args[2]);
	default:
		return false;
	}
}

void unsupported_leave(int64_t number, const uint64_t *args, int64_t result)
{
	if (process.counting && number >= 0 && number < STREAM_SYSCALLS &&
	    unsupported(number, args, result))
		atomic_fetch_add_explicit(&stream->unsupported[number], 1, memory_order_relaxed);
}
