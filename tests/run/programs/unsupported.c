/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that makes the system calls that its arguments name, for the tests of `smile run`. QEMU
 * does not execute trace, filter, reaper, process, namespace, limit and release. It executes free,
 * a limit of infinity, and known.
 */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static _Alignas(16) char stack[65536];

static int child(void *argument)
{
	return argument != NULL;
}

static int limit(rlim_t bytes)
{
	struct rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};

	return setrlimit(RLIMIT_AS, &limit);
}

static int release(void)
{
	/* The kernel refuses this advice for private memory, but QEMU accepts it. */
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return madvise(memory, 4096, MADV_REMOVE);
}

static int call(const char *what)
{
	if (!strcmp(what, "trace"))
		return ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0;
	if (!strcmp(what, "filter"))
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) < 0;
	if (!strcmp(what, "reaper"))
		return prctl(PR_SET_CHILD_SUBREAPER, 1) < 0;
	if (!strcmp(what, "process"))
		return clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL) < 0;
	if (!strcmp(what, "namespace"))
		return unshare(CLONE_NEWUSER) < 0;
	if (!strcmp(what, "limit"))
		return limit(1UL << 40) < 0;
	if (!strcmp(what, "release"))
		return release() < 0;
	if (!strcmp(what, "free"))
		return limit(RLIM_INFINITY) < 0;
	return getpriority(PRIO_PROCESS, 0) < 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s %d\n", argv[i], call(argv[i]));
	return 0;
}
