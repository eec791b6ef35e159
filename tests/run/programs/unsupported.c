/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that makes the system calls that its arguments name, for the suite of `smile run`.
 * QEMU does not execute trace, filter, process, files, fs, newuts, tid, namespace, limit and
 * release. Later versions of QEMU execute reaper and pidfd. QEMU executes free, a limit of
 * infinity, fork and known. The kernel refuses sighand.
 */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static _Alignas(16) char stack[65536];

static int child(void *argument)
{
	return argument != NULL;
}

static long ended(long pid)
{
	if (!pid)
		_exit(0);
	return pid < 0 ? pid : waitpid((pid_t)pid, NULL, __WALL);
}

static long create(unsigned long flags)
{
	int number;

	return ended(syscall(SYS_clone, flags, 0L, &number, 0L, 0L));
}

/* @tids: number of process numbers that the call chooses. */
static long create_with(unsigned long tids)
{
	pid_t number = 31999;
	struct clone_args arguments = {
		.exit_signal = SIGCHLD,
		.set_tid = (unsigned long)&number,
		.set_tid_size = tids,
	};

	return ended(syscall(SYS_clone3, &arguments, sizeof(arguments)));
}

static long vforked(void)
{
	pid_t pid = vfork();

	return ended(pid);
}

static int spawn(char *program)
{
	char *arguments[] = {program, NULL};
	pid_t pid;
	int error = posix_spawn(&pid, program, NULL, NULL, arguments, environ);

	if (!error)
		waitpid(pid, NULL, 0);
	return error;
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
	if (!strcmp(what, "files"))
		return create(CLONE_FILES | SIGCHLD) < 0;
	if (!strcmp(what, "fs"))
		return create(CLONE_FS | SIGCHLD) < 0;
	if (!strcmp(what, "newuts"))
		return create(CLONE_NEWUTS | SIGCHLD) < 0;
	if (!strcmp(what, "pidfd"))
		return create(CLONE_PIDFD | SIGCHLD) < 0;
	/* The kernel itself refuses this flag without CLONE_VM. */
	if (!strcmp(what, "sighand"))
		return create(CLONE_SIGHAND | SIGCHLD) < 0;
	if (!strcmp(what, "fork"))
		return create(SIGCHLD) < 0;
	if (!strcmp(what, "clone3"))
		return create_with(0) < 0;
	if (!strcmp(what, "tid"))
		return create_with(1) < 0;
	if (!strcmp(what, "vfork"))
		return vforked() < 0;
	if (!strcmp(what, "spawn"))
		return spawn("./no_program");
	if (!strcmp(what, "spawns"))
		return spawn("/bin/true");
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
