// SPDX-License-Identifier: MIT
/*
 * run/sample: runs a sampling. It follows the program, and the processes that it starts, from the
 * start to the end of the program. See sample.h.
 */
#include "run/sample/sampling.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <base/array.h>
#include <base/clock.h>

#include "lib/analysis/place/place_plan.h"

/*
 * The shortest and the longest time between two looks, in milliseconds. A look reads the rings and
 * asks the kernel for the nodes of pages. The kernel should be asked for a page before it scans the
 * page a second time, which by default is a second later. Within these limits, the time between two
 * looks depends on the processor time that a look takes.
 */
#define LOOK_MS_MIN 20
#define LOOK_MS_MAX 1000
/*
 * The longest time, in milliseconds, between two looks before the kernel has scanned a new process
 * for the first time.
 */
#define LOOK_MS_NEW 100
/* The default time, in nanoseconds, after which the kernel scans a process for the first time. */
#define FIRST_SCAN_NS 1000000000U

void sample_message(const struct sample_config *config, const char *format, ...)
{
	char text[2048];
	va_list rest;

	va_start(rest, format);
	vsnprintf(text, sizeof(text), format, rest);
	va_end(rest);
	config->message(config->opaque, text);
}

uint64_t sample_now_ns(void)
{
	return clock_now_ns();
}

static uint64_t used_ns(int who)
{
	struct rusage used;

	getrusage(who, &used);
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000U +
	       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000U;
}

void sampling_no_memory(struct sampling *sampling)
{
	if (!sampling->failed)
		sample_message(sampling->config, "no memory for the samples: the program "
						 "continues, and nothing is recorded");
	sampling->failed = -ENOMEM;
}

/*
 * If @failed is -ENOMEM, report that memory is missing. @failed: the result of a call, 0 or
 * -ENOMEM.
 */
static void check(struct sampling *sampling, int failed)
{
	if (failed < 0)
		sampling_no_memory(sampling);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Begin to sample a process. Return: the data of the process; NULL if memory is missing. */
static struct sampled_process *process_add(struct sampling *sampling, pid_t pid)
{
	struct sampled_process *process =
		sampled_process_new(pid, sampling->plan.source, &sampling->host);

	if (process) {
		process->order = sampling->begun++;
		sampling->newest_ns = process->began_ns;
		if (sampling->look_ns > process->began_ns + LOOK_MS_NEW * 1000000ULL)
			sampling->look_ns = process->began_ns + LOOK_MS_NEW * 1000000ULL;
	}
	if (!process || process_table_add(&sampling->table, process) < 0) {
		sampling_no_memory(sampling);
		return NULL;
	}
	return process;
}

/*
 * Record that the kernel has ended the sampling of a process. The kernel does so if the process
 * executes a program that changes the user of the process, or that the user may not read.
 */
static void unsampled_set(struct sampling *sampling, struct sampled_process *process,
			  const char *program)
{
	if (!sampling->result->unsampled)
		sample_message(sampling->config,
			       "warning: the kernel has ended the sampling of process %d, since %s "
			       "changes its user or its group (setuid), or may not be read: this "
			       "process and the processes that it starts have no samples from now "
			       "on; sample it with -p once it runs",
			       (int)process->pid, program);
	if (!process->unsampled)
		sampling->result->unsampled++;
	process->unsampled = true;
}

/*
 * Handle a new process, which is stopped before its first instruction. Its parent is still in
 * fork(2).
 * @late: the process has begun earlier, so it may have executed a program, and may have another
 *        parent
 */
static struct sampled_process *process_begins(struct sampling *sampling, pid_t pid, pid_t parent,
					      bool late)
{
	struct sampled_process *from = process_table_find(&sampling->table, (uint32_t)parent);
	struct sampled_process *process = process_add(sampling, pid);

	if (!process)
		return NULL;
	process->parent = parent;
	process->followed = true;
	process_words(pid, &process->words);
	if (from && from->unsampled) {
		process->unsampled = true;
		sampling->result->unsampled++;
	}
	if (!from || late) {
		process->programs = 1;
		process->copy = !children_executed(&sampling->names, (uint32_t)pid);
		return process;
	}
	check(sampling, sampled_process_log(from, &sampling->logs));
	check(sampling, sampled_process_fork(process, from));
	return process;
}

/*
 * Handle a sample of a process that is not in the table. Either a thread that is not followed has
 * started the process, or the start of the process was not reported yet. Return: the data of the
 * process; NULL if the sample does not count.
 */
static struct sampled_process *process_found(struct sampling *sampling, const struct sample *sample)
{
	pid_t pid = (pid_t)sample->pid;
	struct process_seen seen = {.thread = 0};
	struct sampled_process *process;
	char program[PATH_MAX];
	int followed;

	if (!sampling->config->children || !process_lives(pid))
		return NULL;
	followed = process_follow(pid, true);
	if (followed == -ESRCH)
		return NULL;
	process = process_begins(sampling, pid, process_parent(pid), followed != 0);
	if (!process)
		return NULL;
	process->followed = followed >= 0;
	/*
	 * The first thread still exists. If perf has stopped following it, the reason is that the
	 * kernel has ended the sampling.
	 */
	if (children_left_since(&sampling->names, sample->pid, sample->time_ns) &&
	    process_see(pid, &seen) && seen.thread == pid) {
		process_program(pid, program);
		unsampled_set(sampling, process, program);
	}
	return process;
}

/* ---- looks ----------------------------------------------------------------------------------- */

static int batch_take(void *opaque, const struct sample *sample)
{
	struct sampling *sampling = opaque;

	if (array_reserve(&sampling->batch, &sampling->batch_size, sampling->batch_count,
			  sizeof(*sample)) < 0)
		return -ENOMEM;
	sampling->batch[sampling->batch_count++] = *sample;
	return 0;
}

static int by_time(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;

	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static void sample_one(struct sampling *sampling, const struct sample *sample)
{
	struct sampled_process *process = process_table_find(&sampling->table, sample->pid);

	if (!process)
		process = process_found(sampling, sample);
	if (process) {
		check(sampling, sampled_process_take(process, sample));
		return;
	}
	sampling->rest.others++;
	sampling->periods += (double)sample->period;
	check(sampling, children_sampled(&sampling->names, sample->pid, 1));
}

/* Request that the names of processes are read from the rings. */
static void names_follow(struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->events.count; i++)
		sampling->events.list[i].ring.children = &sampling->names;
}

/* Finish the processes that had ended before the rings were read. All their samples were read. */
static void ended_retire(struct sampling *sampling)
{
	struct sampled_process *process;
	size_t position = 0;

	while ((process = process_table_next(&sampling->table, &position))) {
		if (!process->ended || process == sampling->first)
			continue;
		sampling_retire(sampling, process, process->ended_ns);
		/* The table has changed, so start the iteration again. */
		position = 0;
	}
}

/* Find the processes that have ended without a report, because they are not followed. */
static void ended_find(struct sampling *sampling)
{
	struct sampled_process *process;
	size_t position = 0;

	while ((process = process_table_next(&sampling->table, &position))) {
		if (process->followed || process == sampling->first || process_lives(process->pid))
			continue;
		process->ended = true;
		process->ended_ns = sample_now_ns();
		process->result.status = -1;
	}
}

static bool is_known(void *opaque, pid_t pid)
{
	const struct sampling *sampling = opaque;

	return process_table_find(&sampling->table, (uint32_t)pid) != NULL;
}

/* Make a look: read the rings, count the samples, and ask the kernel for the nodes of the pages. */
static void look(struct sampling *sampling)
{
	int failed = sample_events_read(&sampling->events, batch_take, sampling);
	struct sampled_process *process, *first = sampling->first;
	size_t position = 0;

	if (failed == -ENOMEM)
		sampling_no_memory(sampling);
	/*
	 * Read the logs after the samples, so that the logs contain all phases in which these
	 * samples were taken.
	 */
	while ((process = process_table_next(&sampling->table, &position)))
		check(sampling, sampled_process_log(process, &sampling->logs));
	if (sampling->batch_count)
		qsort(sampling->batch, sampling->batch_count, sizeof(*sampling->batch), by_time);
	for (size_t i = 0; i < sampling->batch_count && !sampling->failed; i++)
		sample_one(sampling, &sampling->batch[i]);
	sampling->batch_count = 0;
	/*
	 * Ask for homes immediately, because the kernel reports the home of a page only until it
	 * scans the page again.
	 */
	for (position = 0; (process = process_table_next(&sampling->table, &position));)
		sampled_process_homes(process);
	for (position = 0; (process = process_table_next(&sampling->table, &position));)
		check(sampling, sampled_process_missed(process));
	if (process_see(first->pid, &first->seen) && !sampling->result->attached) {
		sampling->result->others_ns = first->seen.children_ns;
		sampling->result->others_timed = true;
	}
	if (!sampling->config->children)
		return;
	ended_retire(sampling);
	ended_find(sampling);
	log_file_sweep(&sampling->logs, is_known, sampling);
}

/* ---- moments --------------------------------------------------------------------------------- */

/*
 * Warn if the program of a process has additional rights, for example by setuid. The program does
 * not get these rights while the process is followed.
 * @ended: the kernel has ended the sampling of the process
 */
static void rights_look(struct sampling *sampling, struct sampled_process *process, bool ended)
{
	char program[PATH_MAX];
	pid_t pid = process->pid;

	process_program(pid, program);
	if (ended && process != sampling->first) {
		unsampled_set(sampling, process, program);
	} else if (!sampling->failed && (ended || sample_events_ended(&sampling->events))) {
		sampling->failed = -EPERM;
		sample_message(sampling->config,
			       "the kernel has ended the sampling, since %s changes its user or "
			       "its group (setuid), or may not be read: sample it with -p once it "
			       "runs. The program continues, and nothing is recorded",
			       program);
	} else if (geteuid() && !sampling->rights_warned && process_has_rights(pid)) {
		sampling->rights_warned = true;
		sample_message(sampling->config,
			       "warning: %s has rights of its own (setuid, setgid or "
			       "capabilities), which the kernel does not give it here, since "
			       "it is followed by ptrace(2): run smile sample as root",
			       program);
	}
}

/*
 * Handle a process that has executed a program. @by_first: the first thread has executed the
 * program. Otherwise, another thread has executed it, and has replaced the first thread.
 */
static void executes(struct sampling *sampling, struct sampled_process *process, bool by_first)
{
	uint32_t pid = (uint32_t)process->pid;

	look(sampling);
	/*
	 * If another thread replaces the first thread, perf stops following the first thread once
	 * more than otherwise. The first thread is stopped now, so it has not ended.
	 */
	rights_look(sampling, process,
		    children_left_since(&sampling->names, pid, process->began_ns) >
			    (by_first ? 0U : 1U));
	/* The rings report the same execution, so remove that report. */
	children_executed(&sampling->names, pid);
	check(sampling, sampled_process_executes(process));
}

static void ends(struct sampling *sampling, struct sampled_process *process)
{
	look(sampling);
	/*
	 * Thousands of processes may end before the kernel has scanned them. Read the data only of
	 * processes that have samples.
	 */
	if (process == sampling->first || sampled_process_has_samples(process))
		check(sampling, sampled_process_ends(process));
}

/*
 * Find the data of a process that exists. If the data belongs to an earlier process with the same
 * id, which has ended, finish that process first.
 */
static struct sampled_process *process_there(struct sampling *sampling, pid_t pid)
{
	struct sampled_process *process = process_table_find(&sampling->table, (uint32_t)pid);

	if (!process || !process->ended)
		return process;
	look(sampling);
	return process_table_find(&sampling->table, (uint32_t)pid);
}

static void moment_take(struct sampling *sampling, const struct process_event *event)
{
	struct sampled_process *process = process_there(sampling, event->pid);

	if (!process && event->moment != PROCESS_ENDED)
		process = process_begins(sampling, event->pid, process_parent(event->pid), false);
	if (process && event->moment == PROCESS_FORKS && !process_there(sampling, event->child))
		process_begins(sampling, event->child, event->pid, false);
	if (process && event->moment == PROCESS_EXECUTES)
		executes(sampling, process, true);
	if (process && event->moment == PROCESS_ENDS)
		ends(sampling, process);
	if (event->moment != PROCESS_ENDED) {
		process_continue(event->pid);
		return;
	}
	if (process) {
		process->ended = true;
		process->ended_ns = sample_now_ns();
		process->result.status = event->status;
	}
}

/*
 * Find the processes in which a thread other than the first thread has executed a program, and
 * follow them again. They are no longer followed after that.
 */
static void follow_again(struct sampling *sampling)
{
	struct sampled_process *process;
	size_t position = 0;
	int followed;

	while ((process = process_table_next(&sampling->table, &position))) {
		if (process->ended || !children_executed(&sampling->names, (uint32_t)process->pid))
			continue;
		followed = process_follow(process->pid, sampling->config->children);
		if (followed == 0 || followed == -ESRCH)
			continue;
		executes(sampling, process, false);
		/* Processes may have been added and removed, so start the iteration again. */
		position = 0;
	}
}

/* Read the signals that have arrived. Return: true if one of them ends the sampling. */
static bool signals_take(struct sampling *sampling)
{
	struct signalfd_siginfo info;
	bool over = false;

	while (read(sampling->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		over = over || sampling->pidfd >= 0;
		/*
		 * Do not pass on signals of a terminal, because the terminal sends them to the
		 * program too.
		 */
		if (info.ssi_signo != SIGCHLD && info.ssi_code <= 0 && sampling->process.pid)
			kill(sampling->process.pid, (int)info.ssi_signo);
	}
	return over;
}

/* ---- time ------------------------------------------------------------------------------------ */

/*
 * Compute the time until the next look, so that sampling stays within its limit on processor time.
 * @took_ns: processor time of the last look, and of all other work since the previous look.
 */
static uint64_t wait_ns(const struct sampling *sampling, uint64_t took_ns)
{
	double ms = (double)took_ns / 1e6 * 100 / sampling->config->overhead;
	uint64_t now = sample_now_ns();

	/*
	 * Before the kernel has scanned the program for the first time, it reports the homes of all
	 * pages, so look often.
	 */
	if (sampling->plan.source == SAMPLE_FAULTS && now - sampling->began_ns < FIRST_SCAN_NS)
		ms = LOOK_MS_MIN;
	else if (sampling->plan.source == SAMPLE_FAULTS && ms > LOOK_MS_NEW &&
		 now - sampling->newest_ns < FIRST_SCAN_NS)
		ms = LOOK_MS_NEW;
	return (uint64_t)((ms < LOOK_MS_MIN   ? LOOK_MS_MIN
			   : ms > LOOK_MS_MAX ? LOOK_MS_MAX
					      : ms) *
			  1e6);
}

#define FDS_BEFORE 2 /* The number of descriptors that precede the descriptors of the events. */

static int fds_make(struct sampling *sampling)
{
	sampling->fds = calloc(sampling->events.count + FDS_BEFORE, sizeof(*sampling->fds));
	if (!sampling->fds || sampling->signals < 0) {
		sample_message(sampling->config, "no memory, or no file, for signals");
		return -ENOMEM;
	}
	sampling->fds[0] = (struct pollfd){.fd = sampling->signals, .events = POLLIN};
	sampling->fds[1] = (struct pollfd){.fd = sampling->pidfd, .events = POLLIN};
	sample_events_poll(&sampling->events, sampling->fds + FDS_BEFORE);
	return 0;
}

/*
 * Wait until a process stops, or until the next look is due. A ring that is a quarter full, the end
 * of the attached process, and a signal also end the wait. If the next look is due when the wait
 * ends, make the look. Return: true if the sampling must end.
 */
static bool wait_and_look(struct sampling *sampling)
{
	nfds_t count = (nfds_t)sampling->events.count + FDS_BEFORE;
	uint64_t now = sample_now_ns(), used;
	bool over, due = now >= sampling->look_ns;

	/* If a thread has ended, its event reports a hang-up. Stop polling such an event. */
	for (nfds_t i = FDS_BEFORE; i < count; i++)
		if (sampling->fds[i].revents & (POLLHUP | POLLERR))
			sampling->fds[i].fd = -1;
	poll(sampling->fds, count, due ? 0 : (int)((sampling->look_ns - now + 999999U) / 1000000U));
	over = signals_take(sampling) || sampling->fds[1].revents;
	for (nfds_t i = FDS_BEFORE; i < count; i++)
		due = due || sampling->fds[i].revents;
	if (!over && !due && sample_now_ns() < sampling->look_ns)
		return false;
	look(sampling);
	if (!sampling->huge_looked && sample_now_ns() - sampling->began_ns >= FIRST_SCAN_NS) {
		sampling->huge_looked = true;
		sampled_process_huge(sampling->first);
	}
	used = used_ns(RUSAGE_SELF);
	sampling->look_ns = sample_now_ns() + wait_ns(sampling, used - sampling->looked_ns);
	sampling->looked_ns = used;
	return over;
}

static void follow(struct sampling *sampling)
{
	struct process_event event;

	while (sampling->process.pid) {
		if (process_moment(&sampling->process, &event) != PROCESS_RUNS) {
			moment_take(sampling, &event);
			continue;
		}
		wait_and_look(sampling);
		follow_again(sampling);
	}
}

/* ---- the run --------------------------------------------------------------------------------- */

static void began(struct sampling *sampling)
{
	sampling->began_ns = sampling->first->log.began_ns = sample_now_ns();
	sampling->used_ns = sampling->looked_ns = used_ns(RUSAGE_SELF);
}

/*
 * Finish the data of the processes that still run when the program has ended. The samples that they
 * have at this moment count.
 */
static void others_stop(struct sampling *sampling, uint64_t end_ns)
{
	struct sampled_process *process;
	size_t position = 0;

	while ((process = process_table_next(&sampling->table, &position))) {
		if (process == sampling->first)
			continue;
		if (!process->ended) {
			process->result.alive = true;
			process->result.status = -1;
			process_interrupt(process->pid);
			if (sampled_process_has_samples(process))
				check(sampling, sampled_process_ends(process));
			sampling->result->went_on++;
		}
		sampling_retire(sampling, process, process->ended ? process->ended_ns : end_ns);
		/* The table has changed, so start the iteration again. */
		position = 0;
	}
}

/* Finish the sampling: read the remaining records of the rings, and write the recordings. */
static void finish(struct sampling *sampling)
{
	const uint64_t end_ns = sample_now_ns();

	sampling->result->elapsed_ns = end_ns - sampling->began_ns;
	sample_events_stop(&sampling->events);
	look(sampling);
	others_stop(sampling, end_ns);
	if (sampling->result->went_on)
		process_leave();
	sampling_retire(sampling, sampling->first, end_ns);
	sampling->result->own_ns = used_ns(RUSAGE_SELF) - sampling->used_ns;
	sampling_record(sampling);
}

static int run(struct sampling *sampling, char **command)
{
	const struct sample_config *config = sampling->config;
	struct process_preload preload = {
		.library = config->library,
		.plan = config->plan ? config->plan->fd : -1,
		.small_pages = config->small_pages,
		.children = config->children,
	};
	sigset_t signals = config->passed_on;
	char why[1024];
	int failed;

	/*
	 * Check before the run whether recordings can be written. Otherwise, a long run could end
	 * with this error.
	 */
	if (write_try(config, &sampling->host) < 0)
		return SAMPLE_FAILED;
	sigaddset(&signals, SIGCHLD);
	sampling->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (preload.library &&
	    log_file_make(&sampling->logs, sampling->host.nodes,
			  config->bind ? sampling->host.count : 0, config->children) < 0) {
		sample_message(config, "warning: no memory for the program's log: its allocations "
				       "and phases have no names");
		preload.library = NULL;
	}
	if (preload.library)
		sampling->logs.header->scan = sampling->plan.source == SAMPLE_FAULTS;
	preload.fd = sampling->logs.fd;
	failed = process_start(&sampling->process, command, &signals, &preload);
	if (failed < 0) {
		sample_message(config, "%s cannot be started, or followed by ptrace(2): %s",
			       command[0], strerror(-failed));
		return SAMPLE_FAILED;
	}
	log_file_begin(&sampling->logs, sampling->process.pid);
	sampling->first = process_add(sampling, sampling->process.pid);
	if (!sampling->first)
		return SAMPLE_FAILED;
	if (sample_events_open(&sampling->events, &sampling->plan, sampling->process.pid, why,
			       sizeof(why)) < 0) {
		sample_message(config, "%s", why);
		return SAMPLE_FAILED;
	}
	sampling->result->user_only = sampling->events.user_only;
	names_follow(sampling);
	if (fds_make(sampling) < 0)
		return SAMPLE_FAILED;
	failed = process_go(&sampling->process);
	if (failed) {
		sample_message(config, "%s cannot be run: %s", command[0], strerror(failed));
		return failed == ENOENT ? SAMPLE_NOT_FOUND : SAMPLE_NOT_EXECUTABLE;
	}
	began(sampling);
	follow(sampling);
	sampling->result->program_ns = used_ns(RUSAGE_CHILDREN);
	sampling->result->status = sampling->process.status;
	finish(sampling);
	return sampling->failed ? SAMPLE_FAILED : sampling->process.status;
}

static int attach(struct sampling *sampling)
{
	const struct sample_config *config = sampling->config;
	char after[PATH_MAX], why[1024];
	uint64_t before, now;
	int failed;

	if (write_try(config, &sampling->host) < 0)
		return SAMPLE_FAILED;
	sampling->first = process_add(sampling, config->pid);
	if (!sampling->first)
		return SAMPLE_FAILED;
	sampling->pidfd = (int)syscall(SYS_pidfd_open, config->pid, 0);
	if (sampling->pidfd < 0) {
		sample_message(config, "process %d cannot be sampled: %s", (int)config->pid,
			       strerror(errno));
		return SAMPLE_FAILED;
	}
	sigprocmask(SIG_BLOCK, &config->ends, NULL);
	sampling->signals = signalfd(-1, &config->ends, SFD_CLOEXEC | SFD_NONBLOCK);
	before = process_file(config->pid);
	failed = sample_events_attach(&sampling->events, &sampling->plan, config->pid, why,
				      sizeof(why));
	if ((failed == -EACCES || failed == -EPERM) && process_is_foreign(config->pid))
		snprintf(why, sizeof(why),
			 "it is another user's, or has other rights than its user: only root may "
			 "sample it");
	if (failed < 0) {
		sample_message(config, "process %d: %s", (int)config->pid, why);
		return SAMPLE_FAILED;
	}
	sampling->result->user_only = sampling->events.user_only;
	names_follow(sampling);
	if (fds_make(sampling) < 0)
		return SAMPLE_FAILED;
	sampling->first->programs = 1;
	sampling->first->several = process_has_several(config->pid);
	began(sampling);
	process_see(config->pid, &sampling->first->seen);
	check(sampling, sampled_process_regions(sampling->first));
	while (!wait_and_look(sampling))
		;
	ends(sampling, sampling->first);
	now = process_file(config->pid);
	if ((now && now != before) || children_executed(&sampling->names, (uint32_t)config->pid)) {
		process_program(config->pid, after);
		sample_message(config,
			       "process %d has executed another program meanwhile, %s: nothing is "
			       "recorded",
			       (int)config->pid, after);
		return SAMPLE_FAILED;
	}
	finish(sampling);
	return sampling->failed ? SAMPLE_FAILED : 0;
}

/* Run a sampling. @command: the program and its arguments; NULL: attach to config->pid. */
static int sampling_run(const struct sample_config *config, char **command,
			struct sample_result *result)
{
	struct sampling *sampling = calloc(1, sizeof(*sampling));
	int status = SAMPLE_FAILED;

	*result = (struct sample_result){
		.attached = !command, .command = command, .plan = config->plan};
	if (!sampling) {
		sample_message(config, "no memory");
		return status;
	}
	*sampling = (struct sampling){
		.config = config,
		.result = result,
		.process = {.go = -1, .report = -1},
		.signals = -1,
		.pidfd = -1,
		.logs = {.fd = -1},
	};
	if (source_choose(config, &sampling->host, &sampling->plan) == 0) {
		result->source = sampling->plan.source;
		result->nodes = sampling->host.count;
		status = command ? run(sampling, command) : attach(sampling);
	}
	process_kill(&sampling->process);
	write_try_end();
	if (sampling->signals >= 0)
		close(sampling->signals);
	if (sampling->pidfd >= 0)
		close(sampling->pidfd);
	sample_events_close(&sampling->events);
	process_table_free(&sampling->table);
	log_file_free(&sampling->logs);
	children_free(&sampling->names);
	free(sampling->batch);
	free(sampling->fds);
	free(sampling);
	return status;
}

int sample_run(const struct sample_config *config, char **command, struct sample_result *result)
{
	return sampling_run(config, command, result);
}

int sample_attach(const struct sample_config *config, struct sample_result *result)
{
	return sampling_run(config, NULL, result);
}
