/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Data that the host supplies to the program. See host_data.h.
 *
 * What lives here: the system calls and instructions by which the program gets such data. This file
 * may use the channel and the process.
 */
#include "run/tracer/host_data.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/stream.h"
#include "run/tracer/channel.h"
#include "run/tracer/process.h"
#include "run/tracer/qemu_plugin.h"
#include "run/tracer/x86.h"

void host_data_count(enum stream_host_data what)
{
	atomic_fetch_add_explicit(&stream->host_data[what], 1, memory_order_relaxed);
}

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

static void host_data_file(uint64_t address)
{
	const char *path = (const char *)(uintptr_t)address;

	/* If the address is invalid, the kernel reports this in the system call. */
	if (access(path, F_OK) < 0)
		return;
	if (!strcmp(path, "/dev/random") || !strcmp(path, "/dev/urandom"))
		host_data_count(STREAM_HOST_DATA_RANDOM);
	/*
	 * Some files are excluded: `smile run` supplies the files that describe the machine, and
	 * the data about the process itself is the same in each run.
	 */
	else if ((begins_with(path, "/proc/") && !begins_with(path, "/proc/self/") &&
		  !begins_with(path, "/proc/thread-self/") && strcmp(path, "/proc/cpuinfo") != 0) ||
		 (begins_with(path, "/sys/") && !begins_with(path, "/sys/devices/system/node") &&
		  !begins_with(path, "/sys/devices/system/cpu")))
		host_data_count(STREAM_HOST_DATA_FILE);
}

void host_data_call(int64_t number, const uint64_t *args)
{
	if (!process.counting)
		return;
	switch (number) {
	case SYS_clock_gettime:
		/* See trace_ask_id(). */
		if (args[2] == STREAM_CALL)
			break;
		/* fall through */
	case SYS_time:
	case SYS_gettimeofday:
	case SYS_times:
	case SYS_getrusage:
		host_data_count(STREAM_HOST_DATA_TIME);
		break;
	case SYS_getrandom:
		/* glibc's malloc() makes this call. The number has no effect on accesses. */
		if (args[1] != sizeof(uint64_t) || args[2] != GRND_NONBLOCK)
			host_data_count(STREAM_HOST_DATA_RANDOM);
		break;
	case SYS_getpid:
	case SYS_gettid:
		/* See trace_ask_id(). */
		if (args[0] != STREAM_CALL)
			host_data_count(STREAM_HOST_DATA_PROCESS);
		break;
	case SYS_getppid:
	case SYS_sysinfo:
	/*
	 * The program has made this call by an instruction of its own, so it gets the host's
	 * processor.
	 */
	case SYS_getcpu:
		host_data_count(STREAM_HOST_DATA_PROCESS);
		break;
	case SYS_open:
		host_data_file(args[0]);
		break;
	case SYS_openat:
		host_data_file(args[1]);
		break;
	}
}

static void instruction_asks(unsigned int vcpu, void *data)
{
	host_data_count((enum stream_host_data)(uintptr_t)data);
}

void host_data_translated(struct qemu_plugin_insn *insn, const uint8_t *code, size_t bytes)
{
	enum x86_asks asks = x86_asks(code, bytes);

	if (asks != X86_ASKS_NOTHING)
		qemu_plugin_register_vcpu_insn_exec_cb(
			insn, instruction_asks, QEMU_PLUGIN_CB_NO_REGS,
			(void *)(uintptr_t)(asks == X86_ASKS_TIME ? STREAM_HOST_DATA_TIME
								  : STREAM_HOST_DATA_RANDOM));
}
