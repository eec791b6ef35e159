/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * System calls that QEMU does not execute. See unsupported.h. This file may use
 * include/run/stream.h.
 *
 * What lives here: the detection of such calls. If QEMU does not know a call, it returns ENOSYS,
 * although the kernel may have the call. QEMU knows some calls, but refuses them with EINVAL or
 * ignores them; these calls are listed here. A refused call is not counted if the C library only
 * tries it first, and uses another call when the first call is refused.
 */
#include "run/tracer/unsupported.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

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

/*
 * Check whether the flags create a process that shares its creator's memory but does not suspend
 * its creator. QEMU refuses such a call.
 */
static bool refused_clone(uint64_t flags)
{
	return (flags & CLONE_VM) && !(flags & (CLONE_VFORK | CLONE_THREAD));
}

/*
 * Check whether the flags create a user namespace. Only a process with one thread can create a user
 * namespace, and QEMU has a thread of its own.
 */
static bool refused_namespace(uint64_t flags)
{
	return flags & CLONE_NEWUSER;
}

/*
 * Check whether the call sets a memory limit. QEMU ignores such a limit, because the limit would
 * apply to QEMU itself. The call has succeeded, so @limit can be read.
 */
static bool ignored_limit(uint64_t resource, uint64_t limit)
{
	const struct rlimit *set = (const struct rlimit *)(uintptr_t)limit;

	return (resource == RLIMIT_AS || resource == RLIMIT_DATA || resource == RLIMIT_STACK) &&
	       set && set->rlim_cur != RLIM_INFINITY;
}

/*
 * Check whether the call releases pages in a way that QEMU ignores. The pages then keep their
 * contents.
 */
static bool ignored_advice(uint64_t advice)
{
	return advice == MADV_REMOVE || advice == MADV_DONTNEED_LOCKED;
}

static bool unsupported(int64_t number, const uint64_t *args, int64_t result)
{
	if (result == -ENOSYS)
		return !replaced(number);
	switch (number) {
	case SYS_clone:
		return result == -EINVAL && refused_clone(args[0]);
	case SYS_unshare:
		return result == -EINVAL && refused_namespace(args[0]);
	case SYS_setns:
		return result == -EINVAL;
	case SYS_prctl:
		return result == -EINVAL &&
		       (args[0] == PR_SET_SECCOMP || args[0] == PR_SET_CHILD_SUBREAPER);
	case SYS_madvise:
		return result == 0 && ignored_advice(args[2]);
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
