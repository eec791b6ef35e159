// SPDX-License-Identifier: MIT
/*
 * run/session: detects a program that is not traced.
 *
 * What lives here: the wait for the start of the program's code, at which the tracer stops the
 * program; and the message with the reason and the remedy if the code does not start. Files are
 * created only after this wait, so a run that is not traced changes no files. This file also has
 * the message that reports that QEMU was killed later.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Interval at which this process checks whether the program has ended. */
#define AWAIT_NAP_NS 5000000L

const char run_nothing[] = "nothing was recorded, and older recordings are unchanged";

const char *run_refusal(int error)
{
	if (error == EPERM)
		return "not permitted: a container's seccomp filter?";
	if (error == EFBIG)
		return "a limit on the length of files: raise it (ulimit -f)";
	if (error == EMFILE)
		return "a limit on the number of open files: raise it (ulimit -n)";
	return strerror(error);
}

static int not_loaded(const struct run *run)
{
	char text[2 * PATH_MAX], *qemu = run_emulator_find();

	if (qemu && run_emulator_loads(qemu)) {
		run_message("%s has ended (status %d) without loading the tracer, see its message "
			    "above; %s. `smile doctor` checks what it can do",
			    qemu, run->status, run_nothing);
	} else {
		run_message("%s loads no plug-ins, so the program was not traced; %s",
			    qemu ? qemu : RUN_QEMU, run_nothing);
		run_emulator_missing(text, sizeof(text));
		run_message("%s", text);
	}
	free(qemu);
	return RUN_FAILED;
}

static int not_begun(const struct run *run)
{
	/* QEMU itself ends with status 255 after some errors. */
	if (run->status > 128 && run->status <= 128 + SIGRTMAX)
		return run_error(
			RUN_FAILED, "QEMU was ended by signal %d before the program began (%s); %s",
			run->status - 128,
			run->status == 128 + SIGSYS ? "a seccomp filter, such as a container's, "
						      "forbids system calls that QEMU needs"
						    : "out of memory? see dmesg",
			run_nothing);
	return run_error(RUN_FAILED,
			 "the program has ended (status %d) before its own code began, see the "
			 "messages above: do all its libraries exist (ldd)? %s",
			 run->status, run_nothing);
}

static int not_marked(void)
{
	return run_error(RUN_FAILED,
			 RUN_PRELOAD
			 " was not loaded into the program, see the dynamic linker's message "
			 "above: locks, threads and the heap cannot be followed. Is the "
			 "program linked with glibc, not set-user-ID, and may it read the "
			 "library? %s",
			 run_nothing);
}

/* Check whether the program has ended. */
static bool ended(struct run *run)
{
	int state;

	if (waitpid(run->pid, &state, WNOHANG) != run->pid)
		return false;
	run->child_ended = true;
	run->status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
	return true;
}

static bool asked_to_end(const struct run *run)
{
	struct run_signals signals = {0};

	if (run->config.ops->signals)
		run->config.ops->signals(run->config.opaque, &signals);
	return signals.ends || signals.hangups || getppid() != run->guard;
}

int run_tracer_await(struct run *run)
{
	static const struct timespec nap = {.tv_nsec = AWAIT_NAP_NS};
	struct stream_header *header = run->stream;
	uint32_t ready;

	while ((ready = atomic_load(&header->ready)) < STREAM_MARKED) {
		if (ended(run)) {
			ready = atomic_load(&header->ready);
			if (ready >= STREAM_MARKED)
				break;
			return ready == STREAM_LOADED || run->status > 128 ? not_begun(run)
									   : not_loaded(run);
		}
		if (asked_to_end(run))
			return run_error(RUN_FAILED, "ended before the program began; %s",
					 run_nothing);
		/* When the tracer has stopped the program, it wakes this process. */
		syscall(SYS_futex, &header->ready, FUTEX_WAIT, ready, &nap, NULL, 0);
	}
	return ready == STREAM_UNMARKED ? not_marked() : 0;
}

void run_tracer_broken(struct run *run)
{
	/*
	 * A program does not end itself with one of these two signals, and cannot catch and report
	 * them. If neither this command nor the user has ended the program, such a signal was sent
	 * from outside.
	 */
	if (run->interrupted || run->deadline_ns ||
	    (run->status != 128 + SIGKILL && run->status != 128 + SIGSYS))
		return;
	run->broken = true;
	run->failed = 1;
	run_message("the program was killed (%s): its last accesses are missing",
		    run->status == 128 + SIGSYS
			    ? "does a seccomp filter forbid system calls that QEMU needs?"
			    : "out of memory? see dmesg");
}

bool run_beyond(const struct run *run)
{
	const struct stream_header *header = run->stream;

	return atomic_load(&header->notes) & STREAM_NOTE_BEYOND;
}

void run_notes(const struct run *run)
{
	static const struct {
		enum stream_note note;
		const char *text;
	} texts[] = {
		{STREAM_NOTE_DEEPBIND,
		 "the program loaded a library with RTLD_DEEPBIND: the library was loaded without "
		 "this flag, since the tracer could not see its locks, threads and blocks "
		 "otherwise. If the program and the library both define a name, the program's is "
		 "used"},
		{STREAM_NOTE_NAMESPACE, "the program loaded a library into a namespace of its own "
					"(dlmopen(3)): the tracer "
					"does not see its locks, threads and blocks"},
		{STREAM_NOTE_ROBUST,
		 "the program uses robust mutexes: QEMU does not release such a mutex when its "
		 "owner ends, so that other threads can wait for it forever"},
		{STREAM_NOTE_POLICY,
		 "the program set a policy for memory (set_mempolicy(2)), as `numactl "
		 "--interleave=all` does: this had no effect, since --place determines the nodes "
		 "of "
		 "pages"},
		{STREAM_NOTE_AFFINITY,
		 "a thread requested to run on another node (sched_setaffinity(2)): this had no "
		 "effect, since --threads determines the nodes of threads"},
		{STREAM_NOTE_LOCKED,
		 "the program locked all its memory (mlockall(2)): Linux then allocates each page "
		 "when it is mapped, but here a page lies on the node that accesses it first"},
		{STREAM_NOTE_VFORK,
		 "the program created a process by vfork(2), which QEMU treats as fork(2): the "
		 "creator did not wait for the process, and does not see what it wrote to memory"},
		{STREAM_NOTE_SPAWN,
		 "a process of posix_spawn(3) could not execute its program: under QEMU, "
		 "posix_spawn(3) does not report this, and the process ends instead"},
	};
	const struct stream_header *header = run->stream;
	uint32_t notes = atomic_load(&header->notes);

	if (notes & STREAM_NOTE_AVX512)
		run_message("the program has executed an AVX-512 instruction, which QEMU does not "
			    "support, and so received signal 4 (SIGILL). Compile the program for "
			    "a processor without AVX-512: gcc -march=x86-64-v3");
	else if (run->status == 128 + SIGILL)
		run_message("signal 4 (SIGILL): the program has executed an instruction that "
			    "QEMU's processor does not support, or was compiled to end in this way "
			    "(__builtin_trap()). Compile it for an older processor, for example "
			    "with gcc -march=x86-64-v3");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (notes & texts[i].note)
			run_message("%s", texts[i].text);
	if (run_beyond(run))
		run_message("a forked process, or a program that was executed, uses more than %u "
			    "parts of %llu GB of its address space: addresses of some of them "
			    "cannot be distinguished",
			    STREAM_PARTS, STREAM_PART_BYTES >> 30);
}
