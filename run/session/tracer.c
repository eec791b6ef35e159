// SPDX-License-Identifier: MIT
/*
 * run/session: starts the program under the tracer.
 *
 * What lives here: the memory into which the tracer writes; the paths of QEMU, of the tracer and of
 * the preload library; and the program's command line and environment.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <run/surroundings.h>

/*
 * Limit on the number of heaps. Each thread has one heap at a time. QEMU 7.2 allocates 0.8 MB for
 * each heap, even if the heap is small.
 */
#define RUN_ARENAS "512"
#define RUN_INSTALLED RUN_LIBDIR "/smile-monitor"
#define TRACER_WORDS 32 /* number of words of QEMU's command line, without the program's words */

/* ---- the memory ------------------------------------------------------------------------------ */

int run_stream_create(struct run *run)
{
	struct stream_header *header;
	int fd = memfd_create(RUN_STREAM_NAME, MFD_CLOEXEC);

	/* This descriptor has no close-on-exec flag, so that the tracer inherits it. */
	run->stream_fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD, SURROUNDINGS_FD_MIN);
	if (fd >= 0 && run->stream_fd < 0)
		run->stream_fd = fcntl(fd, F_DUPFD, 3);
	if (fd >= 0)
		close(fd);
	if (run->stream_fd < 0 || ftruncate(run->stream_fd, (off_t)STREAM_BYTES))
		return run_error(-ENOMEM, "no memory to be shared with the program: %s",
				 run_refusal(errno));
	run->stream =
		mmap(NULL, STREAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, run->stream_fd, 0);
	if (run->stream == MAP_FAILED) {
		run->stream = NULL;
		return run_error(-ENOMEM, "no memory to be shared with the program: %s",
				 strerror(errno));
	}
	schedule_prepare(run->stream);
	header = run->stream;
	header->processors = run->config.nodes;
	if (sched_getaffinity(0, sizeof(header->host), &header->host))
		CPU_ZERO(&header->host);
	header->file = (uint32_t)run->stream_fd;
	atomic_store(&header->hold, 1);
	if (run->config.host_order)
		atomic_store(&header->turns, 0);
	return run_files_make(run);
}

void run_stream_free(struct run *run)
{
	run_files_free(run);
	if (run->stream)
		munmap(run->stream, STREAM_BYTES);
	if (run->stream_fd >= 0)
		close(run->stream_fd);
	run->stream = NULL;
	run->stream_fd = -1;
}

void run_stream_stop(struct run *run)
{
	struct stream_header *header = run->stream;
	struct stream_channel *channels =
		(struct stream_channel *)((char *)run->stream + STREAM_CHANNELS_AT);

	atomic_store(&header->stop, 1);
	for (size_t i = 0; i < STREAM_CHANNELS; i++)
		if (atomic_exchange(&channels[i].full, 0))
			syscall(SYS_futex, &channels[i].full, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void run_stream_go(struct run *run)
{
	struct stream_header *header = run->stream;

	atomic_store(&header->hold, 0);
	syscall(SYS_futex, &header->hold, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* ---- the paths ------------------------------------------------------------------------------- */

/*
 * Get the path DIRECTORY/NAME, if the file exists. A path with a comma, a colon or a blank cannot
 * be used. For example, QEMU would take the comma as the end of the path.
 */
static char *file_in(const char *directory, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return NULL;
	if (!access(path, R_OK) && !strpbrk(path, ",: "))
		return path;
	free(path);
	return NULL;
}

/*
 * Get the directory of the tree in which this command was built: the parent of the command's
 * directory.
 */
static char *build_directory(void)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[length < 0 ? 0 : length] = '\0';
	for (int up = 0; up < 2; up++) {
		slash = strrchr(self, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
	}
	return strdup(self);
}

static const char *given_directory(void)
{
	const char *given = getenv("SMILE_LIBDIR");

	return given && *given ? given : NULL;
}

char *run_file_look(const char *name)
{
	char *directory, *path = NULL;

	if (given_directory())
		return file_in(given_directory(), name);
	directory = build_directory();
	if (directory)
		path = file_in(directory, name);
	free(directory);
	return path ? path : file_in(RUN_INSTALLED, name);
}

void run_file_missing(const char *name, char *text, size_t bytes)
{
	if (given_directory())
		snprintf(text, bytes,
			 "%s/%s does not exist: set SMILE_LIBDIR to its directory, whose path must "
			 "have no commas, colons and blanks",
			 given_directory(), name);
	else
		snprintf(text, bytes,
			 "%s is neither beside this command's directory nor in " RUN_INSTALLED
			 ": install it with `make install`, or set SMILE_LIBDIR to its directory",
			 name);
}

static char *file_find(const char *name)
{
	char *path = run_file_look(name), text[2 * PATH_MAX];

	if (!path) {
		run_file_missing(name, text, sizeof(text));
		run_message("%s", text);
	}
	return path;
}

/* ---- the command line ------------------------------------------------------------------------ */

/**
 * struct tracer - The command to execute.
 * @qemu: path of QEMU
 * @words: the words of QEMU's command line; shape [@count]; tracer_free() frees all of them
 * @count: number of words
 * @traced: value of the environment variable SMILE_TRACED
 * @failed: memory was missing for a word
 */
struct tracer {
	char *qemu;
	char **words;
	size_t count;
	char *traced;
	int failed;
};

__attribute__((format(printf, 2, 3))) static void word_add(struct tracer *tracer,
							   const char *format, ...)
{
	va_list arguments;
	char *word;

	va_start(arguments, format);
	if (vasprintf(&word, format, arguments) < 0)
		tracer->failed = 1;
	else
		tracer->words[tracer->count++] = word;
	va_end(arguments);
}

/* If the user has not set an environment variable, set it for the program. */
static void variable_default(struct tracer *tracer, const char *name, const char *value)
{
	if (getenv(name))
		return;
	word_add(tracer, "-E");
	word_add(tracer, "%s=%s", name, value);
}

static void surroundings_add(struct tracer *tracer, const char *preload)
{
	const char *preloaded = getenv("LD_PRELOAD");

	word_add(tracer, "-E");
	/*
	 * Keep the user's LD_PRELOAD, unless it has a comma: QEMU would take the comma as the
	 * separator of two variables. In the list of libraries, the program's loader accepts a
	 * colon or a blank as the separator.
	 */
	if (preloaded && *preloaded && !strchr(preloaded, ','))
		word_add(tracer, "LD_PRELOAD=%s:%s", preload, preloaded);
	else
		word_add(tracer, "LD_PRELOAD=%s", preload);
	/*
	 * Each thread has a heap of its own, even on a host with few processors (see addresses.h).
	 */
	variable_default(tracer, "MALLOC_ARENA_MAX", RUN_ARENAS);
	/*
	 * This value is glibc's default. But if the value is set explicitly, free() does not change
	 * the value.
	 */
	variable_default(tracer, "MALLOC_MMAP_THRESHOLD_", "131072");
	/* If threads spin while they wait, the run depends on the host. */
	variable_default(tracer, "OMP_WAIT_POLICY", "passive");
	variable_default(tracer, "GOMP_SPINCOUNT", "0");
	/* With lazy binding, the first call of a function would execute additional instructions. */
	variable_default(tracer, "LD_BIND_NOW", "1");
}

/*
 * Hide QEMU's setting of G_SLICE from the program. QEMU 7.2 stores its translations in a tree of
 * glib slices. If another thread holds a lock of the slices during a fork, the child waits forever.
 * If glib uses malloc() instead of slices, this cannot happen. For this reason, tracer_execute()
 * sets G_SLICE for QEMU. The program must still see the user's value of G_SLICE, or no value. In
 * that value, a colon replaces each comma, because QEMU would take a comma as a separator. glib
 * accepts both separators.
 */
static void slices_hide(struct tracer *tracer)
{
	const char *slices = getenv("G_SLICE");

	if (!slices) {
		word_add(tracer, "-U");
		word_add(tracer, "G_SLICE");
		return;
	}
	word_add(tracer, "-E");
	word_add(tracer, "G_SLICE=%s", slices);
	for (char *word = tracer->words[tracer->count - 1]; !tracer->failed && *word; word++)
		if (*word == ',')
			*word = ':';
}

/*
 * If the size of the stack is not limited, set it to STREAM_STACK_BYTES: QEMU reserves the whole
 * stack in advance. All programs with an unlimited stack then have the same stack on each host.
 */
static void stack_add(struct tracer *tracer)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur != RLIM_INFINITY)
		return;
	word_add(tracer, "-s");
	word_add(tracer, "%lu", STREAM_STACK_BYTES);
}

/* Check whether the program has another value of this environment variable than this process. */
static bool variable_given(const struct tracer *tracer, const char *variable)
{
	size_t name = strcspn(variable, "=") + 1;

	for (size_t i = 1; i < tracer->count; i++)
		if (!strcmp(tracer->words[i - 1], "-E") &&
		    !strncmp(tracer->words[i], variable, name))
			return true;
	return !strncmp(variable, SURROUNDINGS_TRACED "=", name);
}

/*
 * Compute the value of SMILE_TRACED (see surroundings_padding()). This value is not part of QEMU's
 * command line, so that ps(1) does not show it.
 */
static void traced_make(struct tracer *tracer, const char *file)
{
	size_t bytes = 0;

	if (tracer->failed)
		return;
	for (char **variable = environ; *variable; variable++)
		if (!variable_given(tracer, *variable))
			bytes += surroundings_variable_bytes(*variable);
	for (size_t i = 1; i < tracer->count; i++)
		if (!strcmp(tracer->words[i - 1], "-E"))
			bytes += surroundings_variable_bytes(tracer->words[i]);
	bytes = surroundings_padding(file, bytes);
	tracer->failed = asprintf(&tracer->traced, "1%0*d", (int)bytes, 0) < 0;
	if (tracer->failed)
		tracer->traced = NULL;
}

static void words_make(struct tracer *tracer, const struct run *run,
		       const struct run_program *program, const char *plugin, const char *preload)
{
	word_add(tracer, RUN_QEMU);
	word_add(tracer, "-plugin");
	word_add(tracer, "%s,fd=%d%s%s%s", plugin, run->stream_fd,
		 run->config.stacks ? ",stacks=on" : "",
		 run->config.no_constants ? ",constants=off" : "",
		 run->config.libc ? ",libc=on" : "");
	/* tracer/follow.c expects that the plug-in is the first option. */
	word_add(tracer, "-L");
	word_add(tracer, "%s", run->files);
	stack_add(tracer);
	surroundings_add(tracer, preload);
	slices_hide(tracer);
	traced_make(tracer, program->file);
	word_add(tracer, "-0");
	word_add(tracer, "%s", program->argv[0]);
	word_add(tracer, "%s", program->file);
	for (char **word = program->argv + 1; *word; word++)
		word_add(tracer, "%s", *word);
}

static void tracer_free(struct tracer *tracer)
{
	for (size_t i = 0; i < tracer->count; i++)
		free(tracer->words[i]);
	free(tracer->words);
	free(tracer->traced);
	free(tracer->qemu);
}

/*
 * Execute QEMU, in the child. The child shares the memory of its parent until it executes QEMU or
 * ends.
 */
static void tracer_execute(const struct run *run, const struct tracer *tracer, pid_t parent)
{
	int persona = personality(0xffffffff), failure;

	/* If this command ends, even by a signal, the kernel kills the program. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(RUN_NOT_EXECUTABLE);

	/*
	 * If addresses were randomized, the heap, and thus every page number, would differ between
	 * two runs.
	 */
	if (persona < 0 || personality((unsigned long)persona | ADDR_NO_RANDOMIZE) < 0)
		run_message("addresses stay randomized (%s): counts are exact, but differ between "
			    "two runs",
			    run_refusal(errno));
	if (run->config.stdout_taken)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	/* Ignored signals stay ignored after execve(2), but caught signals do not. */
	signal(SIGPIPE, SIG_DFL);
	execv(tracer->qemu, tracer->words);
	failure = errno;
	run_message("%s cannot be run: %s", tracer->qemu, strerror(failure));
	_exit(failure == ENOENT ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE);
}

static int tracer_fork(struct run *run, const struct tracer *tracer)
{
	pid_t self = getpid();

	fflush(stdout);
	/*
	 * If the parent of one of the program's processes has ended, the process becomes a child of
	 * this process. The system then informs this process when the other process ends.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* These variables are for QEMU. No code of this process reads them. */
	setenv("G_SLICE", "always-malloc", 1);
	setenv(SURROUNDINGS_TRACED, tracer->traced, 1);
	/*
	 * vfork() does not copy the memory of this process, because the child does not need a copy.
	 */
	run->pid = vfork();
	if (run->pid < 0) {
		run->pid = 0;
		return run_error(-EAGAIN, "%s cannot be started: %s", tracer->qemu,
				 run_refusal(errno));
	}
	if (!run->pid)
		tracer_execute(run, tracer, self);
	return 0;
}

int run_tracer_start(struct run *run, const struct run_program *program)
{
	char *plugin = file_find(RUN_TRACER), *preload = NULL;
	struct tracer tracer = {0};
	char text[2 * PATH_MAX];
	size_t words = TRACER_WORDS;
	int status = -ENOENT;

	if (plugin)
		preload = file_find(RUN_PRELOAD);
	tracer.qemu = preload ? run_emulator_find() : NULL;
	if (preload && !tracer.qemu) {
		run_emulator_missing(text, sizeof(text));
		run_message("%s", text);
	}
	while (program->argv[words - TRACER_WORDS])
		words++;
	tracer.words = tracer.qemu ? calloc(words + 1, sizeof(*tracer.words)) : NULL;
	if (tracer.words) {
		words_make(&tracer, run, program, plugin, preload);
		status =
			tracer.failed ? run_error(-ENOMEM, "no memory") : tracer_fork(run, &tracer);
	} else if (tracer.qemu) {
		run_message("no memory");
	}
	tracer_free(&tracer);
	free(plugin);
	free(preload);
	return status;
}
