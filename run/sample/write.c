// SPDX-License-Identifier: MIT
/*
 * run/sample: the recordings. They are counting recordings, made by the library as those of
 * `smile run`. Other than there, a node's accesses to its own memory are among the counts, too,
 * with the node as source and destination: nothing else would show them with their words.
 */
#include "run/sample/sample_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <smile/monitor.h>

#define WORDS (FAULTS_PAGE_BYTES / FAULTS_WORD_BYTES)
#define UNFINISHED ".unfinished"

/**
 * struct writing - What goes into all recordings.
 * @counts: ascending by page, node, home and word; shape [@count]
 */
struct writing {
	const struct sample_config *config;
	const struct faults *faults;
	const struct mapped *mapped;
	const struct faults_count *counts;
	size_t count;
	const uint64_t *numbers;
	size_t number_count;
	uint64_t time_ns;
	const char *parameters;
};

static int fail(const struct writing *writing, int error)
{
	sample_message(writing->config, "%s", Monitor_error_message());
	return error;
}

static int open_one(struct Monitor **mon, const char *file, unsigned node,
		    const struct writing *writing)
{
	struct smile_config config;
	int failed = Monitor_open(mon, "emu:");

	if (failed < 0)
		return failed;
	Monitor_config_default(&config);
	config.node = node;
	config.max_range_bytes = FAULTS_WORD_BYTES;
	/* A fault does not say whether memory was read or written. */
	config.mode = (config.mode & ~SMILE_MODE_TYPED_TAGS) | SMILE_MODE_ALIGNED;
	failed = Monitor_config_set(*mon, &config);
	if (failed >= 0)
		failed = Monitor_record_only(*mon);
	if (failed >= 0)
		failed = Monitor_save_counts(*mon, file, writing->config->command_line);
	return failed < 0 ? failed : Monitor_start(*mon);
}

/* The counts of one page, node and home, from @first to @last. */
static int row_write(struct Monitor *mon, const struct writing *writing,
		     const struct faults_count *first, const struct faults_count *last)
{
	uint32_t words[WORDS] = {0};
	uint64_t begin = faults_count_word(first);
	uint64_t request = Monitor_request(faults_count_node(first), faults_count_home(first),
					   SMILE_TYPE_READ, begin * FAULTS_WORD_BYTES);

	for (const struct faults_count *count = first; count <= last; count++)
		words[faults_count_word(count) - begin] =
			count->samples < UINT32_MAX ? (uint32_t)count->samples : UINT32_MAX;
	return Monitor_counted(mon, request, words, faults_count_word(last) - begin + 1,
			       writing->time_ns);
}

static bool same_row(const struct faults_count *a, const struct faults_count *b)
{
	return faults_count_word(a) / WORDS == faults_count_word(b) / WORDS &&
	       faults_count_node(a) == faults_count_node(b) &&
	       faults_count_home(a) == faults_count_home(b);
}

/* What the node has accessed, and what others have accessed of its memory. */
static int counts_write(struct Monitor *mon, unsigned node, const struct writing *writing)
{
	const struct faults_count *counts = writing->counts;
	int failed = 0;

	for (size_t i = 0, next; i < writing->count && failed >= 0; i = next) {
		for (next = i + 1; next < writing->count && same_row(&counts[i], &counts[next]);
		     next++)
			;
		if (faults_count_node(&counts[i]) == node || faults_count_home(&counts[i]) == node)
			failed = row_write(mon, writing, &counts[i], &counts[next - 1]);
	}
	return failed;
}

static int homes_write(struct Monitor *mon, const struct writing *writing)
{
	const uint64_t *numbers = writing->numbers;
	int failed = 0;

	for (size_t i = 0, next; i < writing->number_count && failed >= 0; i = next) {
		uint32_t home = faults_home_of(writing->faults, numbers[i]);

		for (next = i + 1;
		     next < writing->number_count && numbers[next] == numbers[i] + (next - i) &&
		     faults_home_of(writing->faults, numbers[next]) == home;
		     next++)
			;
		if (home != FAULTS_NODE_UNKNOWN)
			failed = Monitor_home_add(mon, numbers[i], next - i, home);
	}
	return failed;
}

static bool is_of_file(const struct Monitor_region *region)
{
	return (region->kind == MONITOR_REGION_GLOBAL || region->kind == MONITOR_REGION_CODE) &&
	       region->name[0] == '/';
}

/* What lies where, and the builds of the program's files. */
static int regions_write(struct Monitor *mon, const struct mapped *mapped)
{
	int failed = 0;

	for (size_t i = 0; i < mapped->count && failed >= 0; i++) {
		const struct Monitor_region *region = &mapped->list[i];
		char build[MONITOR_BUILD_BYTES];
		bool known = !is_of_file(region);

		failed = Monitor_region_add(mon, region);
		for (size_t j = 0; j < i && !known; j++)
			known = is_of_file(&mapped->list[j]) &&
				!strcmp(mapped->list[j].name, region->name);
		if (failed >= 0 && !known && Monitor_object_build(region->name, build) == 0)
			failed = Monitor_object_add(
				mon,
				&(struct Monitor_object){.path = region->name, .build = build});
	}
	return failed;
}

static int write_one(const char *file, unsigned node, const struct writing *writing)
{
	struct Monitor *mon = NULL;
	int closed, failed = open_one(&mon, file, node, writing);

	if (failed >= 0)
		failed = counts_write(mon, node, writing);
	if (failed >= 0)
		failed = homes_write(mon, writing);
	if (failed >= 0)
		failed = regions_write(mon, writing->mapped);
	/* There are no other accesses to own memory than the counts have. */
	if (failed >= 0)
		failed = Monitor_local_node_add(mon, node);
	if (failed >= 0)
		failed = Monitor_parameters_set(mon, writing->parameters);
	if (failed >= 0)
		failed = Monitor_stop(mon);
	while (failed >= 0 && (failed = Monitor_swap(mon)) > 0)
		;
	if (failed < 0)
		fail(writing, failed);
	closed = Monitor_close(mon);
	if (failed >= 0 && closed < 0)
		failed = fail(writing, closed);
	return failed;
}

static char *name_of(const struct sample_config *config, unsigned node, const char *end)
{
	char *name;

	return asprintf(&name, "%s-node%u.rec%s", config->prefix, node, end) < 0 ? NULL : name;
}

/* Give the recordings their names, or remove them. Return: 0; -errno. */
static int names_settle(const struct writing *writing, const struct sample_host *host, int failed)
{
	for (unsigned i = 0; i < host->count; i++) {
		char *before = name_of(writing->config, host->nodes[i], UNFINISHED);
		char *after = name_of(writing->config, host->nodes[i], "");

		if (before && (failed < 0 || !after))
			unlink(before);
		else if (before && rename(before, after) < 0) {
			failed = -errno;
			sample_message(writing->config, "%s cannot be written: %s", after,
				       strerror(-failed));
			unlink(before);
		}
		free(before);
		free(after);
	}
	return failed;
}

int write_try(const struct sample_config *config, const struct sample_host *host)
{
	char *name = name_of(config, host->nodes[0], UNFINISHED);
	int failed = 0, fd;

	if (!name) {
		sample_message(config, "no memory");
		return -ENOMEM;
	}
	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		failed = -errno;
		sample_message(config, "%s cannot be written: %s", name, strerror(-failed));
	} else {
		close(fd);
		unlink(name);
	}
	free(name);
	return failed;
}

int write_recordings(const struct sample_config *config, const struct sample_host *host,
		     const struct faults *faults, const struct mapped *mapped, uint64_t time_ns,
		     const char *parameters)
{
	struct writing writing = {
		.config = config,
		.faults = faults,
		.mapped = mapped,
		.time_ns = time_ns,
		.parameters = parameters,
	};
	struct faults_count *counts = faults_sorted(faults, &writing.count);
	uint64_t *numbers = faults_numbers(faults, &writing.number_count);
	int failed = counts && numbers ? 0 : -ENOMEM;

	writing.counts = counts;
	writing.numbers = numbers;
	for (unsigned i = 0; i < host->count && failed >= 0; i++) {
		char *name = name_of(config, host->nodes[i], UNFINISHED);

		failed = name ? write_one(name, host->nodes[i], &writing) : -ENOMEM;
		free(name);
	}
	if (failed == -ENOMEM)
		sample_message(config, "no memory for the recordings");
	failed = names_settle(&writing, host, failed);
	free(counts);
	free(numbers);
	return failed < 0 ? failed : 0;
}
