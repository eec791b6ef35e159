// SPDX-License-Identifier: MIT
/*
 * run/sample: the program from its start to its end. See sample.h.
 */
#include "run/sample/sample_inside.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
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
#include "run/sample/data_source.h"
#include "run/sample/events.h"
#include "run/sample/process.h"

/*
 * How long samples wait: a page is best looked up before the kernel scans it again, which takes a
 * second by default. What a look costs decides between these two.
 */
#define LOOK_MS_MIN 20
#define LOOK_MS_MAX 1000
/* The kernel scans a process for the first time after so long, by default. */
#define FIRST_SCAN_NS 1000000000U
#define ADDRESS_END (1ULL << SMILE_ADDRESS_BITS)

/**
 * struct sampling - A run.
 * @plan: what is sampled
 * @periods: sum of the samples' periods
 * @pid: of the program, also once it has ended
 * @seen: what the kernel has said of the process when somebody looked
 * @batch: samples read and not taken in; shape [@batch_count], room @batch_size
 * @programs: that it has executed
 * @began_ns: when the first of them began
 * @used_ns: processor time of the sampling until then
 * @children: of the program
 * @phase: of the last sample
 * @several: another thread of the program than the first one had a fault or a sample
 * @huge_looked: the program's huge pages were looked at while it ran
 * @signals: a file from which signals come
 * @pidfd: file of the process that is attached to; -1: none
 * @fds: both files, then those of the events
 * @failed: what goes on has failed, after a message
 */
struct sampling {
	const struct sample_config *config;
	struct sample_result *result;
	struct sample_host host;
	struct sample_plan plan;
	double periods;
	struct sample_events events;
	struct process process;
	pid_t pid;
	struct process_seen seen;
	struct counts counts;
	struct mapped mapped;
	struct program_log log;
	struct sample *batch;
	size_t batch_count;
	size_t batch_size;
	unsigned programs;
	uint64_t began_ns;
	uint64_t used_ns;
	struct children children;
	uint32_t phase;
	bool several;
	bool huge_looked;
	int signals;
	int pidfd;
	struct pollfd *fds;
	int failed;
};

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

static void no_memory(struct sampling *sampling)
{
	if (!sampling->failed)
		sample_message(sampling->config, "no memory for the samples: the program goes on, "
						 "and nothing is recorded");
	sampling->failed = -ENOMEM;
}

/* ---- samples --------------------------------------------------------------------------------- */

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

/* Take an access, and ask the kernel for the page's node. Return: 0; -ENOMEM. */
static int access_take(struct sampling *sampling, const struct sample *sample, uint32_t node,
		       uint32_t phase)
{
	struct counts_access access = {
		.address = sample->address,
		.time_ns = sample->time_ns,
		.node = node,
		.home = COUNTS_NODE_UNKNOWN,
		.phase = phase,
	};
	struct data_source source;

	if (!data_source_read(sample->data_source, &source)) {
		sampling->result->no_source++;
		return 0;
	}
	access.type = source.type;
	access.behind = data_source_behind(&source);
	if (counts_latency_add(&sampling->counts, sample->address, source.served, sample->weight) <
	    0)
		return -ENOMEM;
	return counts_access(&sampling->counts, &access);
}

static void sample_one(struct sampling *sampling, const struct sample *sample)
{
	struct sample_result *result = sampling->result;
	uint32_t node = sample->cpu < SAMPLE_CPUS_MAX ? sampling->host.of_cpu[sample->cpu]
						      : SAMPLE_NODE_NONE;
	uint32_t phase;
	int failed;

	sampling->periods += (double)sample->period;
	if ((pid_t)sample->pid == sampling->pid && sample->tid != sample->pid)
		sampling->several = true;
	if (sampling->plan.source == SAMPLE_MEMORY && !sample->address) {
		result->no_address++;
	} else if ((pid_t)sample->pid != sampling->pid) {
		result->others++;
		if (children_sampled(&sampling->children, sample->pid))
			no_memory(sampling);
	} else if (node == SAMPLE_NODE_NONE) {
		result->nowhere++;
	} else if (sample->address >= SAMPLE_KERNEL_BEGIN) {
		result->kernel++;
	} else if (sample->address >= ADDRESS_END) {
		result->outside++;
	} else {
		phase = program_log_phase(&sampling->log, sample->time_ns);
		sampling->phase = phase;
		sampling->counts.thread = threads_sampled(&sampling->counts.threads, sample->tid);
		failed = sampling->plan.source == SAMPLE_FAULTS
				 ? counts_fault(&sampling->counts, sample->address, node, phase,
						sample->time_ns)
				 : access_take(sampling, sample, node, phase);
		if (failed)
			no_memory(sampling);
	}
}

static void regions_look(struct sampling *sampling)
{
	char path[64], root[64];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)sampling->seen.thread);
	maps = fopen(path, "re");
	if (!maps)
		return;
	process_root(sampling->seen.thread, root);
	sampling->mapped.root = root;
	if (mapped_read(&sampling->mapped, maps) < 0)
		no_memory(sampling);
	sampling->mapped.root = NULL;
	fclose(maps);
}

/*
 * How much of the program's memory is in huge pages now. The kernel goes through all of its pages
 * to answer. It is asked once while the program runs, since memory may be gone at the end, and at
 * the end.
 */
static void huge_look(struct sampling *sampling)
{
	char path[64], line[256];
	uint64_t kb;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)sampling->seen.thread);
	file = sampling->plan.source == SAMPLE_FAULTS ? fopen(path, "re") : NULL;
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "AnonHugePages: %" SCNu64, &kb) == 1 &&
		    kb * 1024 > sampling->result->huge_bytes)
			sampling->result->huge_bytes = kb * 1024;
	fclose(file);
}

/* Is a sample of memory that is not known yet? */
static bool regions_miss(const struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->batch_count; i++)
		if ((pid_t)sampling->batch[i].pid == sampling->pid && sampling->batch[i].address &&
		    sampling->batch[i].address < ADDRESS_END &&
		    !mapped_have(&sampling->mapped, sampling->batch[i].address))
			return true;
	return false;
}

/* The rings say what the program's processes are called. */
static void children_follow(struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->events.count; i++)
		sampling->events.list[i].ring.children = &sampling->children;
}

static void homes_look(struct sampling *sampling, const uint64_t *numbers, size_t count)
{
	/* A process that is gone has no pages: what was known stays. */
	if (homes_ask(&sampling->counts, sampling->seen.thread, numbers, count) == -EPERM)
		sampling->result->hidden = true;
	counts_phase_seen(&sampling->counts, sampling->phase);
}

/* Read the rings, count what is in them, and ask where the pages lie now. */
static void look(struct sampling *sampling)
{
	struct counts *counts = &sampling->counts;
	int failed = sample_events_read(&sampling->events, batch_take, sampling);

	if (process_see(sampling->pid, &sampling->seen) && !sampling->result->attached) {
		sampling->result->others_ns = sampling->seen.children_ns;
		sampling->result->others_timed = true;
	}

	if (failed == -ENOMEM)
		no_memory(sampling);
	/* Then it has the phases of all samples that were read. */
	if (program_log_read(&sampling->log, &sampling->mapped) < 0)
		no_memory(sampling);
	if (!sampling->batch_count)
		return;
	qsort(sampling->batch, sampling->batch_count, sizeof(*sampling->batch), by_time);
	for (size_t i = 0; i < sampling->batch_count && !sampling->failed; i++)
		sample_one(sampling, &sampling->batch[i]);
	if (sampling->programs && regions_miss(sampling))
		regions_look(sampling);
	sampling->batch_count = 0;
	homes_look(sampling, counts->asked, counts->asked_count);
	counts_answered(counts);
	threads_look(&counts->threads, sampling->seen.thread);
}

/* ---- the program ----------------------------------------------------------------------------- */

/* What rights a program has of its own, another one must not make use of. */
static void rights_look(struct sampling *sampling)
{
	char program[PATH_MAX];

	process_program(sampling->pid, program);
	if (!sampling->failed && sample_events_ended(&sampling->events)) {
		sampling->failed = -EPERM;
		sample_message(sampling->config,
			       "the kernel has ended the sampling, since %s changes its user or "
			       "its group (setuid), or may not be read: sample it with -p once it "
			       "runs. The program goes on, and nothing is recorded",
			       program);
	} else if (geteuid() && process_has_rights(sampling->pid)) {
		sample_message(sampling->config,
			       "warning: %s has rights of its own (setuid, setgid or "
			       "capabilities), which the kernel does not give it here, since "
			       "it is followed by ptrace(2): run smile sample as root",
			       program);
	}
}

/* Another program is in its memory: what was sampled of the one before has no names any more. */
static void executes(struct sampling *sampling)
{
	struct counts *counts = &sampling->counts;
	uint64_t all;

	rights_look(sampling);
	look(sampling);
	/* This is the one that the rings report. */
	children_executed(&sampling->children, (uint32_t)sampling->pid);
	all = counts->samples + counts->first + counts->homeless + counts_waiting(counts);
	if (sampling->programs++ || sampling->plan.source == SAMPLE_MEMORY)
		sampling->result->before += all;
	else
		sampling->result->first += all;
	counts_free(counts);
	mapped_free(&sampling->mapped);
	sampling->result->huge_bytes = 0;
	sampling->several = false;
	sampling->phase = 0;
	program_log_executes(&sampling->log, sample_now_ns());
	regions_look(sampling);
}

/* Where everything lies at the end. */
static void ends(struct sampling *sampling)
{
	uint64_t *numbers;
	size_t count;

	look(sampling);
	regions_look(sampling);
	huge_look(sampling);
	numbers = counts_numbers(&sampling->counts, &count);
	if (!numbers) {
		no_memory(sampling);
		return;
	}
	homes_look(sampling, numbers, count);
	free(numbers);
}

/* Return: whether one has come that ends the sampling. */
static bool signals_take(struct sampling *sampling)
{
	struct signalfd_siginfo info;
	bool over = false;

	while (read(sampling->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		over = over || sampling->pidfd >= 0;
		/* The program gets a terminal's signals itself. */
		if (info.ssi_signo != SIGCHLD && info.ssi_code <= 0 && sampling->process.pid)
			kill(sampling->process.pid, (int)info.ssi_signo);
	}
	return over;
}

/* How long to wait after a look that took so long, to stay within the budget. */
static int wait_ms(const struct sampling *sampling, uint64_t look_ns)
{
	double ms = (double)look_ns / 1e6 * 100 / sampling->config->overhead;

	/* Before the first scan the kernel tells the homes of all pages. */
	if (sampling->plan.source == SAMPLE_FAULTS &&
	    sample_now_ns() - sampling->began_ns < FIRST_SCAN_NS)
		return LOOK_MS_MIN;
	return ms < LOOK_MS_MIN ? LOOK_MS_MIN : ms > LOOK_MS_MAX ? LOOK_MS_MAX : (int)ms;
}

#define FDS_BEFORE 2 /* the events */

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
 * Wait, and look. A ring that fills up, the program's end and signals are not waited for.
 * @before_ns: processor time at the last call. Return: whether the sampling is to end.
 */
static bool wait_and_look(struct sampling *sampling, uint64_t *before_ns)
{
	nfds_t count = (nfds_t)sampling->events.count + FDS_BEFORE;
	uint64_t now = used_ns(RUSAGE_SELF);
	bool over;

	/* An event of a thread that has ended hangs up. */
	for (nfds_t i = FDS_BEFORE; i < count; i++)
		if (sampling->fds[i].revents & (POLLHUP | POLLERR))
			sampling->fds[i].fd = -1;
	poll(sampling->fds, count, wait_ms(sampling, now - *before_ns));
	*before_ns = now;
	over = signals_take(sampling) || sampling->fds[1].revents;
	look(sampling);
	if (!sampling->huge_looked && sample_now_ns() - sampling->began_ns >= FIRST_SCAN_NS) {
		sampling->huge_looked = true;
		huge_look(sampling);
	}
	return over;
}

static void follow(struct sampling *sampling)
{
	uint64_t before_ns = used_ns(RUSAGE_SELF);
	enum process_moment moment;

	while ((moment = process_moment(&sampling->process)) != PROCESS_ENDED) {
		if (moment == PROCESS_EXECUTES)
			executes(sampling);
		else if (moment == PROCESS_ENDS)
			ends(sampling);
		if (moment != PROCESS_RUNS) {
			process_continue(&sampling->process);
			continue;
		}
		wait_and_look(sampling, &before_ns);
		if (children_executed(&sampling->children, (uint32_t)sampling->pid) &&
		    process_follow_again(&sampling->process))
			executes(sampling);
	}
}

/* ---- the result ------------------------------------------------------------------------------ */

/*
 * Memory that not every kernel scans, without samples; and the program has not said that the
 * kernel shall scan it.
 */
static uint64_t unscanned(struct sampling *sampling)
{
	const struct sample_log *log = sampling->log.memory;
	uint64_t scanned = log ? atomic_load(&log->scanned_bytes) : 0;
	uint64_t all = sampling->mapped.unscanned_bytes, without;
	const struct counts_page *page;
	size_t position = 0;

	while ((page = hash_table_next(&sampling->counts.table, &position, sizeof(*page))))
		if (page->sampled)
			mapped_sampled(&sampling->mapped, (page->key - 1) * COUNTS_PAGE_BYTES);
	without = mapped_unsampled(&sampling->mapped);
	all = all > scanned ? all - scanned : 0;
	return all < without ? all : without;
}

/* The kernel has counted all faults; of other samples it says in the rings how many are lost. */
static void result_samples(struct sampling *sampling)
{
	struct sample_result *result = sampling->result;
	uint64_t read = 0, counted;

	for (size_t i = 0; i < sampling->events.count; i++) {
		const struct sample_ring *ring = &sampling->events.list[i].ring;

		result->malformed += ring->malformed;
		result->lost += ring->lost;
		result->throttled += ring->throttled;
		read += ring->samples;
	}
	result->all = read + result->malformed + result->lost;
	if (sampling->plan.source == SAMPLE_FAULTS &&
	    sample_events_counted(&sampling->events, &counted) == 0) {
		result->all =
			counted > read + result->malformed ? counted : read + result->malformed;
		result->lost = result->all - read - result->malformed;
	}
	if (counts_settle(&sampling->counts, false) < 0)
		no_memory(sampling);
	sample_result_counts(result, &sampling->counts);
	result->thread_names = sample_threads_json(&sampling->counts, &sampling->host);
	result->homes = sample_homes_json(&sampling->counts, &sampling->host, &sampling->log);
	result->others_of = children_sums(&sampling->children, &result->others_count);
	if (!result->others_of || !result->thread_names)
		no_memory(sampling);
	result->processors_missed = sample_events_missed(&sampling->events);
	if (sampling->plan.source == SAMPLE_FAULTS) {
		result->unscanned_bytes = unscanned(sampling);
		result->one_thread = !sampling->several;
	}
	if (sampling->plan.source == SAMPLE_MEMORY) {
		result->kind_count = 1;
		result->kinds[0].samples = read;
		result->kinds[0].period = read ? sampling->periods / (double)read : 0;
		sample_plan_names(&sampling->plan, result->kinds[0].name,
				  sizeof(result->kinds[0].name));
	}
}

static void result_log(struct sampling *sampling)
{
	const struct program_log *log = &sampling->log;
	struct sample_result *result = sampling->result;

	if (!log->memory)
		return;
	result->logs = log->programs > 0;
	if (result->logs)
		result->threads = atomic_load(&log->memory->threads);
	if (result->logs && log->memory->nodes)
		result->bound = result->threads - atomic_load(&log->memory->unbound);
	result->blocks = log->allocations ? allocations_all(log->allocations) : 0;
	for (unsigned i = 0; i < SAMPLE_LOG_COUNTERS; i++)
		result->blocks_skipped += atomic_load(&log->memory->skipped[i].count);
	result->unscanned_nodes = atomic_load(&log->memory->unscanned_nodes);
	result->log_lost = atomic_load(&log->memory->lost);
	result->phases_lost = log->phases_lost;
}

static void record(struct sampling *sampling)
{
	struct sample_result *result = sampling->result;
	json_t *document = NULL;
	char *parameters = NULL;

	result_samples(sampling);
	result_log(sampling);
	if (!sampling->failed)
		document = sample_report_json(result);
	parameters = document ? json_dumps(document, JSON_COMPACT) : NULL;
	json_decref(document);
	if (!parameters)
		no_memory(sampling);
	if (!sampling->failed)
		sampling->failed = write_recordings(sampling->config, &sampling->host,
						    sampling->plan.source, &sampling->counts,
						    &sampling->mapped, &sampling->log, parameters);
	result->recorded = !sampling->failed;
	free(parameters);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* A plan that works on a machine with several nodes. Return: 0; -errno, with @why. */
static int plan_find(struct sample_plan *plan, enum sample_source source, double overhead,
		     char *why, size_t why_bytes)
{
	struct sample_events events = {.count = 0};
	int failed = 0;

	if (source == SAMPLE_FAULTS) {
		sample_plan_faults(plan);
		failed = sample_host_balances(why, why_bytes);
	} else {
		failed = sample_plan_memory(plan, overhead, why, why_bytes);
	}
	if (!failed)
		failed = sample_events_open(&events, plan, 0, why, why_bytes);
	sample_events_close(&events);
	return failed;
}

bool sample_possible(enum sample_source source, char *why, size_t why_bytes)
{
	struct sample_host host;
	struct sample_plan plan;

	return sample_host_nodes(&host, why, why_bytes) == 0 &&
	       plan_find(&plan, source, 1, why, why_bytes) == 0;
}

/* The source that is asked for, or the best that works. Return: 0; -errno after a message. */
static int source_choose(struct sampling *sampling)
{
	const struct sample_config *config = sampling->config;
	char why[1024], why_not_memory[1024], names[SAMPLE_NAME_BYTES];
	int failed = sample_host_nodes(&sampling->host, why, sizeof(why));

	if (!failed && config->source != SAMPLE_AUTO)
		failed = plan_find(&sampling->plan, config->source, config->overhead, why,
				   sizeof(why));
	if (failed)
		sample_message(config, "%s", why);
	if (failed || config->source != SAMPLE_AUTO)
		return failed;
	if (plan_find(&sampling->plan, SAMPLE_MEMORY, config->overhead, why_not_memory,
		      sizeof(why_not_memory)) == 0) {
		sample_plan_names(&sampling->plan, names, sizeof(names));
		if (!config->quiet)
			sample_message(config,
				       "source memory: the processors sample accesses (%s), "
				       "which says more than faults",
				       names);
		return 0;
	}
	failed = plan_find(&sampling->plan, SAMPLE_FAULTS, config->overhead, why, sizeof(why));
	if (failed)
		sample_message(config, "no source works here; faults: %s; memory: %s", why,
			       why_not_memory);
	else if (!config->quiet)
		sample_message(config,
			       "source faults: the kernel's NUMA hint faults; not memory: %s",
			       why_not_memory);
	return failed;
}

static void began(struct sampling *sampling)
{
	sampling->began_ns = sampling->log.began_ns = sample_now_ns();
	sampling->used_ns = used_ns(RUSAGE_SELF);
}

/* Read what is left, and write the recordings. */
static void finish(struct sampling *sampling)
{
	const uint64_t end_ns = sample_now_ns();

	sampling->result->elapsed_ns = end_ns - sampling->began_ns;
	sample_events_stop(&sampling->events);
	look(sampling);
	program_log_ends(&sampling->log, end_ns);
	sampling->result->own_ns = used_ns(RUSAGE_SELF) - sampling->used_ns;
	record(sampling);
}

static int run(struct sampling *sampling, char **command)
{
	const struct sample_config *config = sampling->config;
	struct process_preload preload = {
		.library = config->library,
		.plan = config->plan ? config->plan->fd : -1,
		.small_pages = config->small_pages,
	};
	sigset_t signals = config->passed_on;
	char why[1024];
	int failed;

	/* An hour's run is not to end without recordings. */
	if (write_try(config, &sampling->host) < 0)
		return SAMPLE_FAILED;
	sigaddset(&signals, SIGCHLD);
	sampling->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (preload.library && program_log_make(&sampling->log, sampling->host.nodes,
						config->bind ? sampling->host.count : 0) < 0) {
		sample_message(config, "warning: no memory for the program's log: its allocations "
				       "and phases have no names");
		preload.library = NULL;
	}
	if (preload.library)
		sampling->log.memory->scan = sampling->plan.source == SAMPLE_FAULTS;
	preload.fd = sampling->log.fd;
	failed = process_start(&sampling->process, command, &signals, &preload);
	if (failed < 0) {
		sample_message(config, "%s cannot be started, or followed by ptrace(2): %s",
			       command[0], strerror(-failed));
		return SAMPLE_FAILED;
	}
	sampling->pid = sampling->process.pid;
	if (sample_events_open(&sampling->events, &sampling->plan, sampling->pid, why,
			       sizeof(why)) < 0) {
		sample_message(config, "%s", why);
		return SAMPLE_FAILED;
	}
	sampling->result->user_only = sampling->events.user_only;
	children_follow(sampling);
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
	uint64_t used, before, now;
	int failed;

	if (write_try(config, &sampling->host) < 0)
		return SAMPLE_FAILED;
	sampling->pid = config->pid;
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
			 "it is another user's, or has other rights than its user: root alone may "
			 "sample it");
	if (failed < 0) {
		sample_message(config, "process %d: %s", (int)config->pid, why);
		return SAMPLE_FAILED;
	}
	sampling->result->user_only = sampling->events.user_only;
	children_follow(sampling);
	if (fds_make(sampling) < 0)
		return SAMPLE_FAILED;
	sampling->programs = 1;
	sampling->several = process_has_several(config->pid);
	began(sampling);
	process_see(config->pid, &sampling->seen);
	regions_look(sampling);
	used = sampling->used_ns;
	while (!wait_and_look(sampling, &used))
		;
	ends(sampling);
	now = process_file(config->pid);
	if ((now && now != before) ||
	    children_executed(&sampling->children, (uint32_t)config->pid)) {
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

/* @command: NULL: attach to config->pid. */
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
		.log = {.fd = -1, .phase_count = 1},
	};
	if (source_choose(sampling) == 0) {
		result->source = sampling->plan.source;
		result->nodes = sampling->host.count;
		status = command ? run(sampling, command) : attach(sampling);
	}
	process_kill(&sampling->process);
	if (sampling->signals >= 0)
		close(sampling->signals);
	if (sampling->pidfd >= 0)
		close(sampling->pidfd);
	sample_events_close(&sampling->events);
	counts_free(&sampling->counts);
	mapped_free(&sampling->mapped);
	program_log_free(&sampling->log);
	children_free(&sampling->children);
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
