// SPDX-License-Identifier: MIT
/*
 * run/sample: writes the recordings.
 *
 * What lives here: the code that writes counting recordings through the library, like `smile run`.
 * There is one difference: the counts include the accesses of a node to its own memory, with this
 * node as source and destination. Otherwise, the recordings would not have the addresses of these
 * accesses.
 */
#include "run/sample/sample_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/file_lock.h>
#include <smile/monitor.h>

#include "emu/machine/traffic.h"

#define WORDS (COUNTS_PAGE_BYTES / COUNTS_WORD_BYTES)
#define UNFINISHED ".unfinished"

/**
 * struct writing - The data for all recordings.
 * @config: the configuration
 * @source: source of the samples
 * @counts: the samples
 * @mapped: the contents of the program's memory
 * @entries: the entries of @counts, in ascending order of phase, page, node, home and word; shape
 *           [@count]
 * @count: number of entries
 * @numbers: numbers of the pages that have had samples; shape [@number_count]
 * @number_count: number of pages in @numbers
 * @log: allocations and phases
 * @parameters: the parameters of the run
 * @mark: the parameters for the header, so that even an incomplete recording shows that it was
 *        sampled
 */
struct writing {
	const struct sample_config *config;
	enum sample_source source;
	const struct counts *counts;
	const struct mapped *mapped;
	const struct counts_entry *entries;
	size_t count;
	const uint64_t *numbers;
	size_t number_count;
	struct program_log *log;
	struct allocations_rows blocks;
	const char *parameters;
	const char *mark;
};

static int fail(const struct writing *writing, int error)
{
	const char *message = Monitor_error_message();

	/*
	 * After a semicolon, the library's message says that the written part of the recording can
	 * be read. Leave this out, because the incomplete recording is removed.
	 */
	sample_message(writing->config, "%.*s: what was written of %s-node*.rec is removed",
		       (int)strcspn(message, ";"), message, writing->config->prefix);
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
	config.max_range_bytes = COUNTS_WORD_BYTES;
	config.mode |= SMILE_MODE_ALIGNED;
	/*
	 * The tags have no types, because a fault does not show whether the memory was read or
	 * written.
	 */
	if (writing->source == SAMPLE_FAULTS)
		config.mode &= ~SMILE_MODE_TYPED_TAGS;
	failed = Monitor_config_set(*mon, &config);
	if (failed >= 0)
		failed = Monitor_record_only(*mon);
	if (failed >= 0)
		failed = Monitor_parameters_set(*mon, writing->mark);
	if (failed >= 0)
		failed = Monitor_save_counts(*mon, file, writing->config->command_line);
	return failed < 0 ? failed : Monitor_start(*mon);
}

static const unsigned types[COUNTS_TYPES] = {
	[COUNTS_READ] = SMILE_TYPE_READ,
	[COUNTS_WRITE] = SMILE_TYPE_WRITE,
	[COUNTS_LOCK] = SMILE_TYPE_LOCK,
};

/*
 * Get the number of samples of a type in an entry: only the transactions or, if @all is set, also
 * the accesses that caches have served.
 */
static uint32_t samples_of(const struct counts_entry *entry, unsigned type, bool all)
{
	uint64_t samples = entry->behind[type];

	if (all)
		samples += entry->cached[type];
	return samples < UINT32_MAX ? (uint32_t)samples : UINT32_MAX;
}

/**
 * struct row - The entries with the same phase, page, node and home.
 */
struct row {
	const struct counts_entry *first;
	const struct counts_entry *last;
};

/*
 * Write the samples of one type of a row. @all: write all accesses of the processors; otherwise
 * write only the transactions, which the caches did not serve.
 */
static int row_write_type(struct Monitor *mon, const struct row *row, unsigned type, bool all,
			  uint64_t time_ns)
{
	const struct counts_entry *first = row->first;
	uint32_t words[WORDS] = {0}, any = 0;
	uint64_t begin = counts_entry_word(first), request;
	size_t length = counts_entry_word(row->last) - begin + 1;

	for (const struct counts_entry *entry = first; entry <= row->last; entry++)
		any |= words[counts_entry_word(entry) - begin] = samples_of(entry, type, all);
	if (!any)
		return 0;
	request = Monitor_request(counts_entry_node(first), counts_entry_home(first), types[type],
				  begin * COUNTS_WORD_BYTES);
	if (all)
		return Monitor_accesses_add(mon, counts_entry_phase(first), request,
					    COUNTS_WORD_BYTES, words, length);
	return Monitor_counted(mon, request, words, length, time_ns);
}

static int row_write(struct Monitor *mon, unsigned node, const struct writing *writing,
		     const struct row *row, uint64_t time_ns)
{
	int failed = 0;

	for (unsigned type = 0; type < COUNTS_TYPES && failed >= 0; type++) {
		failed = row_write_type(mon, row, type, false, time_ns);
		if (failed >= 0 && writing->source == SAMPLE_MEMORY &&
		    counts_entry_node(row->first) == node)
			failed = row_write_type(mon, row, type, true, time_ns);
	}
	return failed;
}

static bool same_row(const struct counts_entry *a, const struct counts_entry *b)
{
	return counts_entry_phase(a) == counts_entry_phase(b) &&
	       counts_entry_word(a) / WORDS == counts_entry_word(b) / WORDS &&
	       counts_entry_node(a) == counts_entry_node(b) &&
	       counts_entry_home(a) == counts_entry_home(b);
}

/*
 * For a phase, write the accesses of the node, and the accesses of other nodes to its memory. @at:
 * index of the first entry of the phase; receives the index of the first entry of the next phase.
 */
static int phase_write(struct Monitor *mon, unsigned node, const struct writing *writing,
		       uint32_t phase, size_t *at, uint64_t time_ns)
{
	const struct counts_entry *list = writing->entries;
	size_t next;
	int failed = 0;

	for (; *at < writing->count && counts_entry_phase(&list[*at]) == phase && failed >= 0;
	     *at = next) {
		struct row row = {.first = &list[*at]};

		for (next = *at + 1; next < writing->count && same_row(row.first, &list[next]);
		     next++)
			;
		row.last = &list[next - 1];
		if (counts_entry_node(row.first) == node || counts_entry_home(row.first) == node)
			failed = row_write(mon, node, writing, &row, time_ns);
	}
	return failed;
}

/* Write a phase mark, and the name of the phase that begins. */
static int mark_write(struct Monitor *mon, unsigned node, const char *name, uint64_t time_ns)
{
	const struct traffic_frame frame = traffic_event(node, 0);
	uint8_t bytes[TRAFFIC_BYTES(0)] = {0};
	int failed;

	traffic_store(bytes, &frame);
	failed = Monitor_packet(mon, bytes, frame.length, time_ns);
	return failed < 0 ? failed : Monitor_phase_name_add(mon, time_ns, name);
}

/*
 * Write the phases of a recording one after the other. If several intervals have the same name,
 * their samples are added up in one phase.
 */
static int counts_write(struct Monitor *mon, unsigned node, const struct writing *writing)
{
	const struct program_log *log = writing->log;
	uint64_t time_ns = 0;
	size_t at = 0;
	int failed = 0;

	for (uint32_t i = 0; i < log->phase_count && failed >= 0; i++) {
		if (i)
			failed = mark_write(mon, node, log->phases[i].name, time_ns);
		time_ns += log->phases[i].elapsed_ns;
		if (failed >= 0)
			failed = phase_write(mon, node, writing, i, &at, time_ns);
	}
	return failed;
}

static int homes_write(struct Monitor *mon, const struct writing *writing)
{
	const uint64_t *numbers = writing->numbers;
	int failed = 0;

	for (size_t i = 0, next; i < writing->number_count && failed >= 0; i = next) {
		uint32_t home = counts_home_of(writing->counts, numbers[i]);

		for (next = i + 1;
		     next < writing->number_count && numbers[next] == numbers[i] + (next - i) &&
		     counts_home_of(writing->counts, numbers[next]) == home;
		     next++)
			;
		if (home != COUNTS_NODE_UNKNOWN)
			failed = Monitor_home_add(mon, numbers[i], next - i, home);
	}
	return failed;
}

static bool is_of_file(const struct Monitor_region *region)
{
	return (region->kind == MONITOR_REGION_GLOBAL || region->kind == MONITOR_REGION_CODE) &&
	       region->name[0] == '/';
}

/*
 * Check whether a region that the kernel lists was logged by the program, as a named region or as
 * the stack of a thread.
 */
static bool is_logged(const struct mapped *mapped, const struct Monitor_region *region)
{
	const struct Monitor_region *logged = mapped->list;
	bool shared = region->kind == MONITOR_REGION_SHARED;
	uint32_t kind = shared ? MONITOR_REGION_NAMED : MONITOR_REGION_STACK;

	if (!shared && region->kind != MONITOR_REGION_PRIVATE)
		return false;
	for (size_t i = 0; i < mapped->count; i++)
		if (logged[i].kind == kind && logged[i].start <= region->start &&
		    logged[i].end >= region->end)
			return true;
	return false;
}

/*
 * Write the stacks of threads after all other regions. A stack may be a part of a mapping. If two
 * regions have the same address, the later region applies.
 */
static int stacks_write(struct Monitor *mon, const struct mapped *mapped)
{
	int failed = 0;

	for (size_t i = 0; i < mapped->count && failed >= 0; i++)
		if (mapped->list[i].kind == MONITOR_REGION_STACK)
			failed = Monitor_region_add(mon, &mapped->list[i]);
	return failed;
}

/* Write the regions of the program's memory, and the builds of its files. */
static int regions_write(struct Monitor *mon, const struct mapped *mapped)
{
	int failed = 0;

	for (size_t i = 0; i < mapped->count && failed >= 0; i++) {
		const struct Monitor_region *region = &mapped->list[i];
		char build[MONITOR_BUILD_BYTES];
		bool known = !is_of_file(region);

		if (region->kind == MONITOR_REGION_STACK || is_logged(mapped, region))
			continue;
		failed = Monitor_region_add(mon, region);
		for (size_t j = 0; j < i && !known; j++)
			known = is_of_file(&mapped->list[j]) &&
				!strcmp(mapped->list[j].name, region->name);
		if (failed >= 0 && !known && mapped_build(mapped, region->name, build))
			failed = Monitor_object_add(
				mon,
				&(struct Monitor_object){.path = region->name, .build = build});
	}
	return failed < 0 ? failed : stacks_write(mon, mapped);
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
	if (failed >= 0 && writing->log->allocations)
		failed = allocations_write(writing->log->allocations, &writing->blocks, mon);
	/*
	 * Note that all accesses of the node to its own memory are known, because the counts have
	 * them.
	 */
	if (failed >= 0)
		failed = Monitor_local_node_add(mon, node);
	if (failed >= 0 && writing->source == SAMPLE_MEMORY)
		failed = Monitor_accesses_node_add(mon, node);
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

/*
 * After success, give the first @count recordings their names; after an error, remove them. Return:
 * 0 or -errno.
 */
static int names_settle(const struct writing *writing, const struct sample_host *host,
			unsigned count, int failed)
{
	for (unsigned i = 0; i < count; i++) {
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

/* The file of the first node that write_try() has locked; negative: none. */
static int tried = -1;
static char *tried_name;

int write_try(const struct sample_config *config, const struct sample_host *host)
{
	tried_name = name_of(config, host->nodes[0], UNFINISHED);
	if (!tried_name) {
		sample_message(config, "no memory");
		return -ENOMEM;
	}
	tried = file_lock_open(tried_name, O_WRONLY, NULL);
	if (tried == -EBUSY)
		sample_message(config,
			       "another program is writing %s-node*.rec: wait for its end, or "
			       "choose another name (-o)",
			       config->prefix);
	else if (tried < 0)
		sample_message(config, "%s cannot be written: %s", tried_name, strerror(-tried));
	return tried < 0 ? tried : 0;
}

void write_try_end(void)
{
	if (tried >= 0) {
		unlink(tried_name);
		close(tried);
	}
	tried = -1;
	free(tried_name);
	tried_name = NULL;
}

int write_recordings(const struct sample_config *config, const struct sample_host *host,
		     enum sample_source source, const struct counts *counts,
		     const struct mapped *mapped, struct program_log *log, const json_t *document)
{
	struct writing writing = {
		.config = config,
		.source = source,
		.counts = counts,
		.mapped = mapped,
		.log = log,
	};
	struct counts_entry *entries = counts_sorted(counts, &writing.count);
	uint64_t *numbers = counts_numbers(counts, &writing.number_count);
	char *mark = sample_mark_of(document), *parameters = json_dumps(document, JSON_COMPACT);
	int failed = entries && numbers && mark && parameters ? 0 : -ENOMEM;
	unsigned count = 0;

	if (!failed && log->allocations)
		failed = allocations_rows(log->allocations, &writing.blocks);
	/* Each recording locks its own file. */
	write_try_end();
	writing.entries = entries;
	writing.numbers = numbers;
	writing.mark = mark;
	writing.parameters = parameters;
	for (; count < host->count && failed >= 0; count++) {
		char *name = name_of(config, host->nodes[count], UNFINISHED);

		failed = name ? write_one(name, host->nodes[count], &writing) : -ENOMEM;
		free(name);
		/* Another program writes this file, so it is not removed. */
		if (failed == -EBUSY)
			break;
	}
	if (failed == -ENOMEM)
		sample_message(config, "no memory for the recordings");
	failed = names_settle(&writing, host, count, failed);
	free(entries);
	free(numbers);
	free(mark);
	free(parameters);
	free(writing.blocks.list);
	return failed < 0 ? failed : 0;
}
