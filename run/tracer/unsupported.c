/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * System calls that QEMU does not execute: see unsupported.h. May use include/run/stream.h.
 *
 * What lives here: the recognition of such calls. QEMU returns ENOSYS for an unknown call, which
 * the kernel may have. Some known calls it refuses with EINVAL or ignores; those are listed. A call
 * is not counted if the C library tries it first and has a replacement if it is refused.
 */
#include "run/tracer/unsupported.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "run/stream.h"
#include "run/tracer/channel.h"
#include "run/tracer/process.h"

/* Does the C library have another way to do the same? */
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

/* A process that shares its creator's memory, and does not suspend its creator. */
static bool refused_clone(uint64_t flags)
{
	return (flags & CLONE_VM) && !(flags & (CLONE_VFORK | CLONE_THREAD));
}

/* A user namespace is for a process with one thread, and QEMU has a thread of its own. */
static bool refused_namespace(uint64_t flags)
{
	return flags & CLONE_NEWUSER;
}

/*
 * A memory limit that QEMU does not set, since QEMU itself would have to observe the limit. The
 * call has succeeded, so @limit can be read.
 */
static bool ignored_limit(uint64_t resource, uint64_t limit)
{
	const struct rlimit *set = (const struct rlimit *)(uintptr_t)limit;

	return (resource == RLIMIT_AS || resource == RLIMIT_DATA || resource == RLIMIT_STACK) &&
	       set && set->rlim_cur != RLIM_INFINITY;
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
		return result == -EINVAL && args[0] == PR_SET_SECCOMP;
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
