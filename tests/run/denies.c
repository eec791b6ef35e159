/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Runs a program in which one system call is refused, as by the seccomp filter of a container.
 *
 * What lives here: `denies CALL PROGRAM [ARGUMENT]...`, which sets the filter. CALL fails with
 * EPERM.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	unsigned number, query;
} calls[] = {
	{"memfd_create", SYS_memfd_create, 0},
	/* The program may query its present personality, as in Docker. */
	{"personality", SYS_personality, 0xffffffff},
	/* A clone of a process has no flags in this argument; a clone of a thread has some. */
	{"fork", SYS_clone, 0},
};

static int deny(unsigned number, unsigned query)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, query ? query : 0xfffffffe, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof(program) / sizeof(program[0]), .filter = program};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strcmp(argv[1], calls[i].name))
			continue;
		if (deny(calls[i].number, calls[i].query)) {
			perror("denies: no filter");
			return 1;
		}
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		return 1;
	}
	fprintf(stderr, "usage: denies memfd_create|personality|fork PROGRAM [ARGUMENT]...\n");
	return 1;
}
