// SPDX-License-Identifier: MIT
/*
 * run/sample: starts and follows the process of the program, and the processes that it starts. See
 * process.h.
 */
#include "run/sample/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <sample/log.h>

/*
 * Get the options for ptrace(2). @children: also follow the processes that the process starts,
 * beginning before their first instruction.
 */
static void *options_of(bool children)
{
	uintptr_t options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;

	if (children)
		options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	return (void *)options;
}

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* Set the environment of the program. If memory is missing, the library is not loaded. */
static void environment_set(const struct process_preload *preload)
{
	const char *others = getenv("LD_PRELOAD");
	char *list, *log, number[16];

	if (asprintf(&list, "%s%s%s", preload->library, others && *others ? ":" : "",
		     others ? others : "") < 0)
		return;
	if (asprintf(&log, "%d:/proc/%d/fd/%d", preload->children ? 0 : (int)getpid(),
		     (int)getppid(), preload->fd) < 0)
		return;
	setenv(SAMPLE_LOG_VARIABLE, log, 1);
	setenv("LD_PRELOAD", list, 1);
	if (preload->plan >= 0) {
		snprintf(number, sizeof(number), "%d", preload->plan);
		setenv(PLAN_VARIABLE, number, 1);
		/*
		 * `smile place` sets the same value. The same blocks are therefore separate
		 * mappings under `smile sample` and under `smile place`.
		 */
		setenv("MALLOC_MMAP_THRESHOLD_", "131072", 0);
	}
	free(list);
	free(log);
}

/*
 * The code of the child: wait, and execute the command. If the command cannot be executed, report
 * the error.
 */
static void child_run(char **command, const sigset_t *mask, const struct process_preload *preload,
		      const int go[2], const int report[2])
{
	char byte;
	int failure;

	/*
	 * Close this copy of the pipe's write end. Otherwise, the child would not notice that the
	 * parent has ended.
	 */
	close(go[1]);
	if (read(go[0], &byte, 1) != 1)
		_exit(126);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (preload->library)
		environment_set(preload);
	/* This setting is still valid after execve(2). */
	if (preload->small_pages)
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	/* Reset SIGPIPE, because ignored signals are still ignored after execve(2). */
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	failure = errno;
	if (write(report[1], &failure, sizeof(failure)) < 0)
		failure = 0;
	_exit(126);
}

int process_start(struct process *process, char **command, const sigset_t *signals,
		  const struct process_preload *preload)
{
	int go[2], report[2], failed = 0;
	sigset_t before;
	pid_t pid;

	*process = (struct process){.go = -1, .report = -1};
	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(report, O_CLOEXEC) < 0) {
		failed = -errno;
		close_both(go);
		return failed;
	}
	/*
	 * Reset SIGCHLD, because waitpid(2) returns no status of a child while SIGCHLD is ignored.
	 */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, signals, &before);
	pid = fork();
	if (!pid)
		child_run(command, &before, preload, go, report);
	if (pid < 0 || ptrace(PTRACE_SEIZE, pid, NULL, options_of(preload->children)) < 0)
		failed = -errno;
	close(go[0]);
	close(report[1]);
	*process = (struct process){
		.pid = pid > 0 ? pid : 0,
		.go = go[1],
		.report = report[0],
		.children = preload->children,
	};
	if (failed)
		process_kill(process);
	return failed;
}

int process_go(struct process *process)
{
	int failure = 0;
	ssize_t got;

	got = write(process->go, "", 1);
	close(process->go);
	process->go = -1;
	/* If execve(2) succeeds, it closes the child's end of the pipe, so the read returns 0. */
	do
		got = read(process->report, &failure, sizeof(failure));
	while (got < 0 && errno == EINTR);
	close(process->report);
	process->report = -1;
	if (got != (ssize_t)sizeof(failure))
		return 0;
	process_kill(process);
	return failure;
}

static int shell_status(int state)
{
	return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

/*
 * Handle a stop of a process. If it stopped because of a fork, an execve(2) or its end, return the
 * moment. Otherwise, let the process continue, and pass on the signal that has stopped it.
 */
static enum process_moment stop_take(pid_t pid, int state, struct process_event *event)
{
	int number = WSTOPSIG(state);
	unsigned long child = 0;

	switch (state >> 16) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		ptrace(PTRACE_GETEVENTMSG, pid, NULL, &child);
		event->child = (pid_t)child;
		return PROCESS_FORKS;
	case PTRACE_EVENT_EXEC:
		return PROCESS_EXECUTES;
	case PTRACE_EVENT_EXIT:
		return PROCESS_ENDS;
	case PTRACE_EVENT_STOP:
		if (number == SIGTRAP)
			return PROCESS_BEGINS;
		/*
		 * Job control has stopped the process. Leave it stopped until job control continues
		 * it.
		 */
		ptrace(PTRACE_LISTEN, pid, NULL, NULL);
		return PROCESS_RUNS;
	default:
		ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)number);
		return PROCESS_RUNS;
	}
}

enum process_moment process_moment(struct process *process, struct process_event *event)
{
	int state;

	*event = (struct process_event){.moment = PROCESS_RUNS};
	while (event->moment == PROCESS_RUNS && process->pid) {
		event->pid = waitpid(-1, &state, WNOHANG | __WALL);
		if (event->pid <= 0)
			break;
		if (WIFSTOPPED(state)) {
			event->moment = stop_take(event->pid, state, event);
			continue;
		}
		event->moment = PROCESS_ENDED;
		event->status = shell_status(state);
		if (event->pid == process->pid) {
			process->status = event->status;
			process->pid = 0;
		}
	}
	return event->moment;
}

void process_continue(pid_t pid)
{
	ptrace(PTRACE_CONT, pid, NULL, NULL);
}

/* ---- the files of /proc ---------------------------------------------------------------------- */

/**
 * struct stat_line - Fields of the file stat of a process or a thread.
 * @state: letter of the state
 * @parent: the present parent of the process
 * @children_ns: as in struct process_seen
 */
struct stat_line {
	char state;
	int parent;
	uint64_t children_ns;
};

/* Read the file stat at @path. Return: true if the file has all these fields. */
static bool stat_read(const char *path, struct stat_line *line)
{
	uint64_t user = 0, kernel = 0;
	char text[1024] = "";
	const char *behind;
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	/*
	 * Search for the end of the name, which is field 2, from the end of the text, because the
	 * name can contain any characters. cutime and cstime are fields 16 and 17.
	 */
	behind = strrchr(text, ')');
	if (!behind ||
	    sscanf(behind + 1, " %c%d%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%" SCNu64 "%" SCNu64,
		   &line->state, &line->parent, &user, &kernel) != 4)
		return false;
	line->children_ns = (user + kernel) * (1000000000U / (uint64_t)sysconf(_SC_CLK_TCK));
	return true;
}

static bool stat_of(pid_t pid, struct stat_line *line)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	return stat_read(path, line);
}

/* Find a thread that has not ended. If all threads have ended, return the first one. */
static pid_t thread_find(pid_t pid)
{
	char path[64 + NAME_MAX];
	const struct dirent *entry;
	struct stat_line line;
	pid_t found = pid;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	folder = opendir(path);
	while (folder && found == pid && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", (int)pid, entry->d_name);
		if (atoi(entry->d_name) > 0 && stat_read(path, &line) && !strchr("ZX", line.state))
			found = (pid_t)atoi(entry->d_name);
	}
	if (folder)
		closedir(folder);
	return found;
}

bool process_see(pid_t pid, struct process_seen *seen)
{
	struct stat_line line;

	if (!stat_of(pid, &line))
		return false;
	seen->children_ns = line.children_ns;
	seen->thread = line.state == 'Z' ? thread_find(pid) : pid;
	return true;
}

pid_t process_parent(pid_t pid)
{
	struct stat_line line;

	return stat_of(pid, &line) ? (pid_t)line.parent : 0;
}

bool process_lives(pid_t pid)
{
	struct stat_line line;

	return stat_of(pid, &line) &&
	       (!strchr("ZX", line.state) || (line.state == 'Z' && thread_find(pid) != pid));
}

#define WORDS_BYTES_MAX (1U << 20)

/*
 * Read the command line of a process. Each word in it ends with a NUL. Return: the bytes; NULL if
 * there is no command line.
 */
static char *words_read(pid_t pid, size_t *bytes)
{
	char path[64], *text = NULL;
	FILE *file;

	*bytes = 0;
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	file = fopen(path, "re");
	if (file)
		text = calloc(1, WORDS_BYTES_MAX);
	if (text)
		*bytes = fread(text, 1, WORDS_BYTES_MAX - 1, file);
	if (file)
		fclose(file);
	return text;
}

void process_words(pid_t pid, char ***words)
{
	size_t bytes, count = 0, at = 0;
	char *text = words_read(pid, &bytes), *behind;

	*words = NULL;
	for (size_t i = 0; i < bytes; i++)
		count += !text[i];
	if (count)
		*words = malloc((count + 1) * sizeof(**words) + bytes);
	if (*words) {
		behind = (char *)(*words + count + 1);
		memcpy(behind, text, bytes);
		for (size_t i = 0; i < count; i++, at += strlen(behind + at) + 1)
			(*words)[i] = behind + at;
		(*words)[count] = NULL;
	}
	free(text);
}

void process_program(pid_t pid, char path[PATH_MAX])
{
	char link[64];
	ssize_t bytes;
	FILE *file;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	bytes = readlink(link, path, PATH_MAX - 1);
	path[bytes > 0 ? bytes : 0] = '\0';
	if (bytes > 0)
		return;
	/*
	 * If the user may not read the program, the link cannot be read. Read the name of the
	 * program instead.
	 */
	snprintf(link, sizeof(link), "/proc/%d/comm", (int)pid);
	file = fopen(link, "re");
	if (file && fgets(path, PATH_MAX, file))
		path[strcspn(path, "\n")] = '\0';
	if (file)
		fclose(file);
}

uint64_t process_file(pid_t pid)
{
	struct stat file;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	return stat(path, &file) == 0 ? file.st_ino : 0;
}

void process_root(pid_t pid, char root[64])
{
	char path[64], own[64] = "", its[64] = "";

	*root = '\0';
	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
	if (readlink("/proc/self/ns/mnt", own, sizeof(own) - 1) > 0 &&
	    readlink(path, its, sizeof(its) - 1) > 0 && strcmp(own, its) != 0)
		snprintf(root, 64, "/proc/%d/root", (int)pid);
}

bool process_has_several(pid_t pid)
{
	struct stat tasks;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	/* The link count of a directory is 2, plus 1 for each directory in it. */
	return stat(path, &tasks) == 0 && tasks.st_nlink > 3;
}

bool process_is_foreign(pid_t pid)
{
	struct stat process;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return geteuid() && stat(path, &process) == 0 && process.st_uid != geteuid();
}

bool process_has_rights(pid_t pid)
{
	struct stat program;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	return stat(path, &program) == 0 &&
	       ((program.st_mode & S_ISUID && program.st_uid != geteuid()) ||
		(program.st_mode & S_ISGID && program.st_gid != getegid()) ||
		getxattr(path, "security.capability", NULL, 0) > 0);
}

int process_follow(pid_t pid, bool children)
{
	char path[64], line[256];
	int tracer = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && tracer < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "TracerPid: %d", &tracer);
	if (file)
		fclose(file);
	if (tracer == (int)getpid())
		return 0;
	if (tracer)
		return tracer < 0 ? -ESRCH : -EPERM;
	return ptrace(PTRACE_SEIZE, pid, NULL, options_of(children)) == 0 ? 1 : -errno;
}

/*
 * The time, in milliseconds, for which process_leave() waits until the remaining processes have
 * stopped.
 */
#define LEAVE_MS 200

void process_interrupt(pid_t pid)
{
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
}

void process_leave(void)
{
	int state, waited_ms = 0;
	pid_t pid;

	while (waited_ms < LEAVE_MS && (pid = waitpid(-1, &state, WNOHANG | __WALL)) >= 0) {
		if (!pid) {
			usleep(1000);
			waited_ms++;
		} else if (WIFSTOPPED(state)) {
			/* Detach from the process, and pass on the signal that has stopped it. */
			ptrace(PTRACE_DETACH, pid, NULL,
			       (void *)(uintptr_t)(state >> 16 ? 0 : WSTOPSIG(state)));
		}
	}
}

void process_kill(struct process *process)
{
	int state;

	if (process->go >= 0)
		close(process->go);
	if (process->report >= 0)
		close(process->report);
	process->go = process->report = -1;
	if (!process->pid)
		return;
	kill(process->pid, SIGKILL);
	while (waitpid(process->pid, &state, __WALL) == process->pid && WIFSTOPPED(state))
		ptrace(PTRACE_CONT, process->pid, NULL, NULL);
	process->status = shell_status(state);
	process->pid = 0;
}
