// SPDX-License-Identifier: MIT
/*
 * run/sample: the program from its start to its end. See sample.h.
 */
#include "run/sample/sample_inside.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include <base/array.h>

#include "lib/analysis/sampled.h"
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
 * @pid: of the program, also once it has ended
 * @batch: samples read and not taken in; shape [@batch_count], room @batch_size
 * @programs: that it has executed
 * @began_ns: when the first of them began
 * @signals: from a file: those passed on, and SIGCHLD
 * @fds: the file, then those of the events
 * @failed: what goes on has failed, after a message
 */
struct sampling {
	const struct sample_config *config;
	struct sample_result *result;
	struct sample_host host;
	struct sample_events events;
	struct process process;
	pid_t pid;
	struct faults faults;
	struct mapped mapped;
	struct sample *batch;
	size_t batch_count;
	size_t batch_size;
	unsigned programs;
	uint64_t began_ns;
	int signals;
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

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
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

static void sample_one(struct sampling *sampling, const struct sample *sample)
{
	struct sample_result *result = sampling->result;
	uint32_t node = sample->cpu < SAMPLE_CPUS_MAX ? sampling->host.of_cpu[sample->cpu]
						      : SAMPLE_NODE_NONE;

	if ((pid_t)sample->pid != sampling->pid)
		result->others++;
	else if (node == SAMPLE_NODE_NONE)
		result->nowhere++;
	else if (sample->address >= ADDRESS_END)
		result->outside++;
	else if (faults_add(&sampling->faults, sample->address, node) < 0)
		no_memory(sampling);
}

static void regions_look(struct sampling *sampling)
{
	char path[64];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)sampling->pid);
	maps = fopen(path, "re");
	if (!maps)
		return;
	if (mapped_read(&sampling->mapped, maps) < 0)
		no_memory(sampling);
	fclose(maps);
}

/* Is a sample of memory that is not known yet? */
static bool regions_miss(const struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->batch_count; i++)
		if ((pid_t)sampling->batch[i].pid == sampling->pid &&
		    !mapped_have(&sampling->mapped, sampling->batch[i].address))
			return true;
	return false;
}

/* Read the rings, count what is in them, and ask where the pages lie now. */
static void look(struct sampling *sampling)
{
	struct faults *faults = &sampling->faults;
	int failed = sample_events_read(&sampling->events, batch_take, sampling);

	if (failed == -ENOMEM)
		no_memory(sampling);
	if (!sampling->batch_count)
		return;
	qsort(sampling->batch, sampling->batch_count, sizeof(*sampling->batch), by_time);
	for (size_t i = 0; i < sampling->batch_count && !sampling->failed; i++)
		sample_one(sampling, &sampling->batch[i]);
	if (sampling->programs && regions_miss(sampling))
		regions_look(sampling);
	sampling->batch_count = 0;
	/* A process that is gone has no pages: what was known stays. */
	homes_ask(faults, sampling->pid, faults->asked, faults->asked_count);
	faults_answered(faults);
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Another program is in its memory: what was sampled of the one before has no names any more. */
static void executes(struct sampling *sampling)
{
	struct faults *faults = &sampling->faults;

	look(sampling);
	if (sampling->programs++)
		sampling->result->before += faults->samples + faults->first + faults->homeless;
	else
		sampling->result->first += faults->samples + faults->first + faults->homeless;
	faults_free(faults);
	mapped_free(&sampling->mapped);
	regions_look(sampling);
}

/* Where everything lies at the end. */
static void ends(struct sampling *sampling)
{
	uint64_t *numbers;
	size_t count;

	look(sampling);
	regions_look(sampling);
	numbers = faults_numbers(&sampling->faults, &count);
	if (!numbers) {
		no_memory(sampling);
		return;
	}
	homes_ask(&sampling->faults, sampling->pid, numbers, count);
	free(numbers);
}

static void signals_take(struct sampling *sampling)
{
	struct signalfd_siginfo info;

	while (read(sampling->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		/* The program gets a terminal's signals itself. */
		if (info.ssi_signo != SIGCHLD && info.ssi_code <= 0 && sampling->process.pid)
			kill(sampling->process.pid, (int)info.ssi_signo);
}

/* How long to wait after a look that took so long, to stay within the budget. */
static int wait_ms(const struct sampling *sampling, uint64_t look_ns)
{
	double ms = (double)look_ns / 1e6 * 100 / sampling->config->overhead;

	/* Before the first scan the kernel tells the homes of all pages. */
	if (now_ns() - sampling->began_ns < FIRST_SCAN_NS)
		return LOOK_MS_MIN;
	return ms < LOOK_MS_MIN ? LOOK_MS_MIN : ms > LOOK_MS_MAX ? LOOK_MS_MAX : (int)ms;
}

static void follow(struct sampling *sampling)
{
	nfds_t count = (nfds_t)sampling->events.count + 1;
	uint64_t before_ns = used_ns(RUSAGE_SELF), now;
	enum process_moment moment;

	sample_events_poll(&sampling->events, sampling->fds + 1);
	sampling->fds[0] = (struct pollfd){.fd = sampling->signals, .events = POLLIN};
	while ((moment = process_moment(&sampling->process)) != PROCESS_ENDED) {
		if (moment == PROCESS_EXECUTES)
			executes(sampling);
		else if (moment == PROCESS_ENDS)
			ends(sampling);
		if (moment != PROCESS_RUNS) {
			process_continue(&sampling->process);
			continue;
		}
		/* A ring of a processor that went off line hangs up: it is not waited for. */
		for (nfds_t i = 1; i < count; i++)
			if (sampling->fds[i].revents & (POLLHUP | POLLERR))
				sampling->fds[i].fd = -1;
		now = used_ns(RUSAGE_SELF);
		/* A ring that fills up, and the program's end, are not waited for. */
		poll(sampling->fds, count, wait_ms(sampling, now - before_ns));
		before_ns = now;
		signals_take(sampling);
		look(sampling);
	}
}

/* ---- the result ------------------------------------------------------------------------------ */

static void result_samples(struct sampling *sampling)
{
	struct sample_result *result = sampling->result;
	struct faults *faults = &sampling->faults;
	size_t position = 0, events = 0;
	const struct faults_count *count;
	uint64_t read = 0;

	for (; events < sampling->events.count; events++) {
		result->malformed += sampling->events.list[events].ring.malformed;
		read += sampling->events.list[events].ring.samples;
	}
	if (sample_events_counted(&sampling->events, &result->faults) < 0 ||
	    result->faults < read + result->malformed)
		result->faults = read + result->malformed;
	result->lost = result->faults - read - result->malformed;
	result->samples = faults->samples;
	result->first += faults->first;
	result->homeless = faults->homeless;
	result->moves = faults->moves;
	while ((count = hash_table_next(&faults->counts, &position, sizeof(*count))))
		if (faults_count_node(count) != faults_count_home(count))
			result->remote += count->samples;
}

static int result_pages(struct sampling *sampling)
{
	size_t count;
	const uint64_t words = FAULTS_PAGE_BYTES / FAULTS_WORD_BYTES;
	struct faults_count *counts = faults_sorted(&sampling->faults, &count);

	if (!counts)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		sampling->result->pages += !i || faults_count_word(&counts[i]) / words !=
							 faults_count_word(&counts[i - 1]) / words;
	free(counts);
	return 0;
}

static void record(struct sampling *sampling)
{
	struct sample_result *result = sampling->result;
	json_t *document = NULL;
	char *parameters = NULL;

	result_samples(sampling);
	if (!sampling->failed && result_pages(sampling) == 0)
		document = sample_report_json(result);
	parameters = document ? json_dumps(document, JSON_COMPACT) : NULL;
	json_decref(document);
	if (!parameters)
		no_memory(sampling);
	if (!sampling->failed)
		sampling->failed =
			write_recordings(sampling->config, &sampling->host, &sampling->faults,
					 &sampling->mapped, result->elapsed_ns, parameters);
	result->recorded = !sampling->failed;
	free(parameters);
}

json_t *sample_report_json(const struct sample_result *result)
{
	const struct {
		const char *reason;
		uint64_t faults;
	} left_out[] = {
		{"first fault at a page: says who has allocated it", result->first},
		{"page of which the kernel did not say where it lies", result->homeless},
		{"process that the program has started", result->others},
		{"before the program executed another one", result->before},
		{"processor of an unknown node", result->nowhere},
		{"address that no recording can hold", result->outside},
		{"record of the kernel that could not be read", result->malformed},
		{"lost: the kernel had no room for it", result->lost},
	};
	json_t *list = json_array(), *document;

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		json_array_append_new(list, json_pack("{s:s, s:I}", "reason", left_out[i].reason,
						      "accesses", (json_int_t)left_out[i].faults));
	document = json_pack(
		"{s:s, s:{s:s, s:s, s:i}, s:i, s:I, s:I, s:f, s:I, s:I, s:b, s:I, s:I, s:I, "
		"s:{s:s, s:I, s:I, s:o}}",
		"schema", "smile.sample/1", "sampled", "source", "faults", "unit",
		"NUMA hint faults", "period", 1, "nodes", (int)result->nodes, "samples",
		(json_int_t)result->samples, "remote", (json_int_t)result->remote, "remote_share",
		sampled_share(result->remote, result->samples).share, "pages",
		(json_int_t)result->pages, "moves", (json_int_t)result->moves, "user_only",
		(int)result->user_only, "elapsed_ns", (json_int_t)result->elapsed_ns, "program_ns",
		(json_int_t)result->program_ns, "own_ns", (json_int_t)result->own_ns, "account",
		"unit", "page faults", "accesses", (json_int_t)result->faults, "counted",
		(json_int_t)result->samples, "left_out", list);
	if (document) {
		sampled_count_set(document, "remote", result->remote);
		sampled_share_set(document, "remote_share", result->remote, result->samples);
	}
	return document;
}

/* ---- the run --------------------------------------------------------------------------------- */

bool sample_possible(char *why, size_t why_bytes)
{
	struct sample_events events = {.count = 0};
	struct sample_host host;

	if (sample_host_find(&host, why, why_bytes) < 0 ||
	    sample_events_open(&events, 0, why, why_bytes) < 0)
		return false;
	sample_events_close(&events);
	return true;
}

static int run(struct sampling *sampling, char **command)
{
	const struct sample_config *config = sampling->config;
	sigset_t signals = config->passed_on;
	char why[1024];
	int failed;

	/* An hour's run is not to end without recordings. */
	if (write_try(config, &sampling->host) < 0)
		return SAMPLE_FAILED;
	sigaddset(&signals, SIGCHLD);
	sampling->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	failed = process_start(&sampling->process, command, &signals);
	if (failed < 0) {
		sample_message(config, "%s cannot be started, or followed by ptrace(2): %s",
			       command[0], strerror(-failed));
		return SAMPLE_FAILED;
	}
	sampling->pid = sampling->process.pid;
	if (sample_events_open(&sampling->events, sampling->pid, why, sizeof(why)) < 0) {
		sample_message(config, "%s", why);
		return SAMPLE_FAILED;
	}
	sampling->result->user_only = sampling->events.user_only;
	sampling->fds = calloc(sampling->events.count + 1, sizeof(*sampling->fds));
	if (!sampling->fds || sampling->signals < 0) {
		sample_message(config, "no memory, or no file, for the program's signals");
		return SAMPLE_FAILED;
	}
	failed = process_go(&sampling->process);
	if (failed) {
		sample_message(config, "%s cannot be run: %s", command[0], strerror(failed));
		return failed == ENOENT ? SAMPLE_NOT_FOUND : SAMPLE_NOT_EXECUTABLE;
	}
	sampling->began_ns = now_ns();
	follow(sampling);
	sampling->result->elapsed_ns = now_ns() - sampling->began_ns;
	sampling->result->program_ns = used_ns(RUSAGE_CHILDREN);
	sample_events_stop(&sampling->events);
	look(sampling);
	sampling->result->own_ns = used_ns(RUSAGE_SELF);
	record(sampling);
	return sampling->failed ? SAMPLE_FAILED : sampling->process.status;
}

int sample_run(const struct sample_config *config, char **command, struct sample_result *result)
{
	struct sampling *sampling = calloc(1, sizeof(*sampling));
	int status = SAMPLE_FAILED;
	char why[1024];

	*result = (struct sample_result){.recorded = false};
	if (!sampling) {
		sample_message(config, "no memory");
		return status;
	}
	*sampling = (struct sampling){
		.config = config,
		.result = result,
		.process = {.go = -1, .report = -1},
		.signals = -1,
	};
	if (sample_host_find(&sampling->host, why, sizeof(why)) < 0) {
		sample_message(config, "%s", why);
	} else {
		result->nodes = sampling->host.count;
		status = run(sampling, command);
	}
	process_kill(&sampling->process);
	if (sampling->signals >= 0)
		close(sampling->signals);
	sample_events_close(&sampling->events);
	faults_free(&sampling->faults);
	mapped_free(&sampling->mapped);
	free(sampling->batch);
	free(sampling->fds);
	free(sampling);
	return status;
}
