// SPDX-License-Identifier: MIT
/*
 * Run facts. See lib/analysis/run_facts.h.
 */
#include "lib/analysis/run_facts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/text.h"

/* ---- members --------------------------------------------------------------------------------- */

/*
 * The kinds of members. A COUNT is added to the old value. If an INDEX is missing, it is -1. An
 * OBJECT and an ARRAY are borrowed references.
 */
enum kind { COUNT, INDEX, NUMBER, TEXT, YES, NO, OBJECT, ARRAY, LIST };

/**
 * struct member - A member of a document that is stored in a member of a struct.
 * @path: the keys, or the indexes in arrays, separated by points; "": the item itself; NULL ends a
 *        table
 * @kind: kind of the member
 * @at: offset in the struct
 * @items: for a LIST, the members of its items
 * @bytes: for a LIST, the size of each item
 */
struct member {
	const char *path;
	enum kind kind;
	size_t at;
	const struct member *items;
	size_t bytes;
};

/* clang-format off */
#define OF(type, name) (((struct run_facts##type *)NULL)->name)
#define IN_AS(kind, type, name, path) {path, kind, offsetof(struct run_facts##type, name), NULL, 0}
#define IN(type, name, path) \
	IN_AS(_Generic(OF(type, name), uint64_t: COUNT, int64_t: INDEX, double: NUMBER, \
		       const char *: TEXT, bool: YES, json_t *: OBJECT), type, name, path)
#define IS(type, name) IN(type, name, #name)
#define HAS_IN(type, name, path, items) \
	{path, LIST, offsetof(struct run_facts##type, name), items, sizeof(*OF(type, name).at)}
#define HAS(type, name, items) HAS_IN(type, name, #name, items)

static const struct member counts[] = {{"", COUNT, 0, NULL, 0}, {NULL}};
static const struct member numbers[] = {{"", NUMBER, 0, NULL, 0}, {NULL}};
static const struct member texts[] = {{"", TEXT, 0, NULL, 0}, {NULL}};
static const struct member rows[] = {{"", LIST, 0, numbers, sizeof(double)}, {NULL}};

static const struct member caches[] = {
	IS(_cache, level), IS(_cache, bytes), IS(_cache, line_bytes), IS(_cache, ways),
	IS(_cache, cycles), {NULL},
};

static const struct member nodes[] = {
	IS(_node, cache_hits), IS(_node, transfers), IN(_node, remote_reads, "remote.reads"),
	IN(_node, access_cycles, "local_cycles"), IN(_node, access_cycles, "cache_cycles"),
	IN(_node, access_cycles, "remote_cycles.reads"),
	IN(_node, access_cycles, "remote_cycles.writes"),
	IN(_node, access_cycles, "remote_cycles.locks"), {NULL},
};

static const struct member phases[] = {
	IS(_phase, name), IS(_phase, cycles), HAS(_phase, by_node, nodes), {NULL},
};

static const struct member threads[] = {
	IS(_thread, node), IS(_thread, begin_cycle), IS(_thread, end_cycle), {NULL},
};

static const struct member intervals[] = {
	IS(_interval, phase), IS(_interval, cycles),
	IN_AS(NO, _interval, not_handed_out, "handed_out"), HAS(_interval, threads, numbers),
	HAS(_interval, work_cycles, numbers), HAS(_interval, lock_wait_cycles, numbers),
	HAS(_interval, time_wait_cycles, numbers), {NULL},
};

static const struct member roles[] = {
	IS(_role, lock), IS(_role, site), IS(_role, turns), IS(_role, atomic), IS(_role, loop),
	IS(_role, even), IS(_role, later), HAS(_role, threads, numbers), {NULL},
};

static const struct member locks[] = {IS(_lock, lock), IS(_lock, site), {NULL}};
static const struct member lefts[] = {IS(_left, reason), IS(_left, accesses), {NULL}};

static const struct member crossings[] = {
	IS(_crossing, source), IS(_crossing, target), IS(_crossing, share), {NULL},
};

static const struct member served[] = {
	IS(_served, served), IS(_served, samples), IS(_served, cycles),
	IN(_served, low, "cycles_low_95"), IN(_served, high, "cycles_high_95"), {NULL},
};

static const struct member latencies[] = {
	IN(_latency, page, "0"), IN(_latency, served, "1"), IN(_latency, samples, "2"),
	IN(_latency, cycles, "3"), IN(_latency, squares, "4"), {NULL},
};

static const struct member named[] = {
	IS(_named, name), IS(_named, threads), IS(_named, samples), IS(_named, pages),
	IS(_named, transactions), IS(_named, remote), HAS(_named, by_node, counts), {NULL},
};

static const struct member homes[] = {
	IS(_homes, phase), IS(_homes, moves), HAS(_homes, pages, counts), {NULL},
};

static const struct member regions[] = {IS(_region, pages), IS(_region, placed), {NULL}};

static const struct member samples_of[] = {
	IN(, samples.object, "sampled"), IN(, samples.source, "sampled.source"),
	IN(, samples.unit, "sampled.unit"), {NULL},
};

static const struct member facts_of[] = {
	IS(, nodes), IS(, cycles), IS(, single_node_cycles), IS(, cache_hits), IS(, cache_misses),
	IS(, exit_status), IS(, threads), IS(, threads_bound), IS(, placement),
	IS(, placement_file), IS(, migration), IS(, transactions), IS(, remote), IS(, elapsed_ns),
	IS(, one_thread), IS(, others), IN(, process, "process.process"),
	IN(, copy, "process.copy"), IN(, parent, "process.parent"),
	HAS_IN(, latencies.served, "latency.served", served),
	HAS_IN(, latencies.names, "latency.names", texts),
	HAS_IN(, latencies.pages, "latency.pages", latencies),
	IN(, latencies.rows_left_out, "latency.rows_left_out"),
	IN_AS(ARRAY, , thread_names.array, "thread_names.rows"),
	HAS(, thread_names.rows, named), IS(, thread_names.rows_left_out),
	IS(, thread_names.samples_left_out), HAS(, homes.nodes, counts), HAS(, homes.start, counts),
	HAS(, homes.end, counts), IS(, homes.moved_pages), HAS(, homes.phases, homes),
	HAS_IN(, unscanned_nodes, "placement.unscanned_nodes", counts), HAS(, regions, regions),
	IS(, looked_up), HAS(, arguments, texts),
	IN(, input, "standard_input.path"), IN(, model, "machine.name"),
	IN(, machine.name, "latency.model"), IN(, machine.frequency_hz, "latency.frequency_hz"),
	IN(, machine.weights.local, "latency.local_cycles"),
	IN(, machine.weights.read, "latency.remote_cycles.read"),
	IN(, machine.weights.write, "latency.remote_cycles.write"),
	IN(, machine.weights.lock, "latency.remote_cycles.lock"),
	HAS_IN(, read_cycles, "latency.read_cycles", rows),
	IS(, cache.bytes), IS(, cache.line_bytes), IS(, cache.ways), HAS(, caches, caches),
	HAS(, by_node, nodes), HAS(, by_thread, threads), HAS(, phases, phases),
	HAS(, intervals, intervals), HAS(, work_by_phase, rows), HAS(, cache_by_phase, rows),
	HAS(, roles, roles), IS(, lock_waits.cycles), HAS(, lock_waits.locks, locks),
	IN(, account.object, "account"), IS(, account.unit), IS(, account.accesses),
	IS(, account.counted), IS(, account.incomplete), HAS(, account.left_out, lefts),
	IN(, network.object, "network"),
	IS(, network.topology), IS(, network.link_bytes_per_s), IS(, network.requests.read),
	IS(, network.requests.write), IS(, network.requests.lock),
	IN(, network.busiest.object, "network.busiest"),
	IS(, network.busiest.ringlet), IS(, network.busiest.from), IS(, network.busiest.to),
	IS(, network.busiest.load), IS(, network.busiest.full),
	HAS(, network.busiest.crossed_by, crossings), {NULL},
};
/* clang-format on */

/* ---- memory ---------------------------------------------------------------------------------- */

struct run_facts_block {
	struct run_facts_block *next;
	max_align_t memory[];
};

static void *memory_new(struct run_facts *facts, size_t count, size_t bytes)
{
	/*
	 * The multiplication does not overflow, because the document is in memory and has at least
	 * @count items.
	 */
	struct run_facts_block *block = analysis_memory(1, sizeof(*block) + count * bytes);

	if (!block)
		return NULL;
	block->next = facts->blocks;
	facts->blocks = block;
	return block->memory;
}

void run_facts_free(struct run_facts *facts)
{
	while (facts->blocks) {
		struct run_facts_block *block = facts->blocks;

		facts->blocks = block->next;
		free(block);
	}
	json_decref(facts->document);
	facts->document = NULL;
}

/* ---- decoding -------------------------------------------------------------------------------- */

static json_t *find(json_t *value, const char *path)
{
	char key[32];

	for (size_t length; *path; path += length + (path[length] == '.')) {
		length = strcspn(path, ".");
		if (json_is_array(value)) {
			value = json_array_get(value, strtoul(path, NULL, 10));
			continue;
		}
		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		value = json_object_get(value, key);
	}
	return value;
}

static int decode(struct run_facts *facts, json_t *from, const struct member *members, void *to);

static int list_decode(struct run_facts *facts, const json_t *from, const struct member *member,
		       void *to)
{
	/* The structs of all lists begin with the same members as struct run_facts_row. */
	struct run_facts_row list = {.count = json_array_size(from)};
	int failed = 0;

	if (!json_is_array(from))
		return 0;
	list.at = memory_new(facts, list.count, member->bytes);
	if (!list.at)
		return -ENOMEM;
	for (size_t i = 0; i < list.count && !failed; i++)
		failed = decode(facts, json_array_get(from, i), member->items,
				(char *)list.at + i * member->bytes);
	memcpy(to, &list, sizeof(list));
	return failed;
}

static int decode(struct run_facts *facts, json_t *from, const struct member *members, void *to)
{
	int failed = 0;

	for (const struct member *member = members; member->path && !failed; member++) {
		json_t *value = find(from, member->path);
		void *at = (char *)to + member->at;

		switch (member->kind) {
		case COUNT:
			if (json_integer_value(value) > 0)
				*(uint64_t *)at += (uint64_t)json_integer_value(value);
			break;
		case INDEX:
			*(int64_t *)at = json_is_integer(value) ? json_integer_value(value) : -1;
			break;
		case NUMBER:
			*(double *)at = json_number_value(value);
			break;
		case TEXT:
			*(const char **)at = json_string_value(value);
			break;
		case YES:
			*(bool *)at = json_is_true(value);
			break;
		case NO:
			*(bool *)at = json_is_false(value);
			break;
		case OBJECT:
			*(json_t **)at = json_is_object(value) ? value : NULL;
			break;
		case ARRAY:
			*(json_t **)at = json_is_array(value) ? value : NULL;
			break;
		case LIST:
			failed = list_decode(facts, value, member, at);
			break;
		}
	}
	return failed;
}

/* Clear the costs of accesses unless all of them are known. */
static void machine_settle(struct run_facts *facts)
{
	struct Monitor_weights *weights = &facts->machine.weights;

	/*
	 * If the machine has coherent caches, a write to memory is a cache line that is written
	 * back, and no processor waits for it.
	 */
	if (facts->caches.at)
		weights->write = 0;
	if (!weights->local || !weights->read || (!weights->write && !facts->caches.at) ||
	    !weights->lock || !facts->machine.frequency_hz)
		facts->machine.name = NULL;
}

int run_facts_decode(json_t *document, struct run_facts *facts)
{
	static const char *const schemas[] = {"smile.run/1", "smile.run/2", "smile.sample/1",
					      "smile.place/1"};
	const char *schema = json_string_value(json_object_get(document, "schema"));
	bool known;
	int failed;

	*facts = (struct run_facts){.document = document};
	failed = decode(facts, document, samples_of, facts);
	known = facts->samples.object;
	for (size_t i = 0; schema && i < sizeof(schemas) / sizeof(*schemas); i++)
		known |= !strcmp(schema, schemas[i]);
	if (!failed && known)
		failed = decode(facts, document, facts_of, facts);
	machine_settle(facts);
	for (size_t i = 0; i < facts->arguments.count; i++)
		if (!facts->arguments.at[i])
			facts->arguments.count = 0;
	if (!facts->input && json_is_object(json_object_get(document, "standard_input")))
		facts->input = "";
	if (!facts->samples.source)
		facts->samples.source = "?";
	if (!facts->samples.unit)
		facts->samples.unit = "?";
	if (failed)
		run_facts_free(facts);
	return failed;
}

int run_facts_load(struct Monitor *mon, struct run_facts *facts)
{
	const char *text = Monitor_parameters(mon);

	return run_facts_decode(text ? json_loads(text, 0, NULL) : NULL, facts);
}

bool run_facts_incomplete(struct Monitor *mon, char *why, size_t bytes)
{
	const char *text = Monitor_parameters(mon);
	struct run_facts facts;

	*why = '\0';
	/* The document can be long. Decode it only if it contains a reason. */
	if (!text || !strstr(text, "\"incomplete\":\"") || run_facts_load(mon, &facts) < 0)
		return false;
	if (facts.account.incomplete)
		snprintf(why, bytes, "%s", facts.account.incomplete);
	text_printable(why);
	run_facts_free(&facts);
	return *why;
}

/* ---- samples --------------------------------------------------------------------------------- */

struct run_facts *run_facts_sampled(struct Monitor *mon)
{
	const char *text = Monitor_parameters(mon);
	struct run_facts *facts = NULL;

	/* The text of an exact recording can be long, so do not decode it. */
	if (text && strstr(text, "\"sampled\""))
		facts = analysis_memory(1, sizeof(*facts));
	if (facts && run_facts_load(mon, facts) == 0 && facts->samples.object)
		return facts;
	run_facts_sampled_free(facts);
	return NULL;
}

void run_facts_sampled_free(struct run_facts *sampled)
{
	if (sampled)
		run_facts_free(sampled);
	free(sampled);
}

bool run_facts_are_sampled(struct Monitor *mon)
{
	struct run_facts *sampled = run_facts_sampled(mon);
	bool are = sampled;

	run_facts_sampled_free(sampled);
	return are;
}

size_t run_facts_missing(const struct run_facts *facts, size_t given)
{
	return facts->samples.object && facts->nodes > given ? (size_t)facts->nodes - given : 0;
}
