// SPDX-License-Identifier: MIT
/* run/session: names the program's system calls that QEMU did not execute. */
#include "run/session/session_inside.h"

/* This table is generated from the kernel's numbers. */
static const char *const names[STREAM_SYSCALLS] = {
#include "run/session/syscall_names.h"
};

uint32_t run_unsupported(const struct run *run, unsigned number)
{
	const struct stream_header *header = run->stream;

	return atomic_load(&header->unsupported[number]);
}

const char *run_unsupported_name(unsigned number)
{
	return names[number] ? names[number] : "a call without a name";
}
