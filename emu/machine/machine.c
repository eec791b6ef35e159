/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Creation of a machine, and its clocks. May use machine.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine_inside.h"

#define NS_PER_SECOND 1000000000ULL
#define FREQUENCY_MAX (10 * NS_PER_SECOND)

/* ---- building ------------------------------------------------------------------------------ */

static bool latency_valid(const struct latency_model *latency)
{
	for (size_t i = 0; i < (size_t)latency->pairs * latency->pairs; i++)
		if (latency->pair_cycles[i] == 0)
			return false;
	return latency->frequency_hz != 0 && latency->local_cycles != 0 &&
	       latency->remote_cycles[SMILE_TYPE_READ] != 0 &&
	       latency->remote_cycles[SMILE_TYPE_WRITE] != 0 &&
	       latency->remote_cycles[SMILE_TYPE_LOCK] != 0;
}

/* Set the defaults, and check the configuration. Return: 0; -EINVAL. */
static int config_settle(struct machine_config *config, const struct machine_ops *ops)
{
	if (config->nodes == 0)
		config->nodes = MACHINE_NODES_DEFAULT;
	if (!config->latency)
		config->latency = latency_find(LATENCY_DEFAULT);
	if (!config->placement)
		config->placement = placement_find(PLACEMENT_DEFAULT);
	if (config->frequency_hz == 0)
		config->frequency_hz = config->latency->frequency_hz;
	if (config->nodes > MACHINE_NODES_MAX || config->frequency_hz > FREQUENCY_MAX ||
	    config->processors > MACHINE_PROCESSORS_MAX ||
	    config->placement_node >= config->nodes || !latency_valid(config->latency) ||
	    (config->cache.bytes != 0 && config->caches.count != 0))
		return -EINVAL;
	if (config->watch != 0 && (!ops || !ops->frames))
		return -EINVAL;
	if (config->tally_bytes != 0 && (!ops || !ops->counted || !config->no_responses ||
					 config->tally_bytes & (config->tally_bytes - 1) ||
					 config->tally_bytes < SMILE_MAX_RANGE_MIN ||
					 config->tally_bytes > SMILE_MAX_RANGE_MAX))
		return -EINVAL;
	if (config->accessed_bytes != 0 && (!ops || !ops->accessed || config->caches.count == 0 ||
					    config->accessed_bytes & (config->accessed_bytes - 1) ||
					    config->accessed_bytes < SMILE_MAX_RANGE_MIN ||
					    config->accessed_bytes > SMILE_MAX_RANGE_MAX))
		return -EINVAL;
	return 0;
}

static void costs_fill(struct machine *machine)
{
	unsigned nodes = machine->config.nodes;

	for (unsigned n = 0; n < nodes; n++)
		for (unsigned home = 0; home < nodes; home++) {
			uint32_t *cost = machine->cost[n][home];

			for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++)
				cost[type] = latency_cycles(&machine->latency, n, home, type);
			cost[QUEUE_LINE] = cost[SMILE_TYPE_READ];
		}
}

static void machine_fill(struct machine *machine)
{
	struct machine_config *config = &machine->config;
	unsigned line_bytes;

	machine->latency = *config->latency;
	config->latency = &machine->latency;
	machine->placement.policy = config->placement;
	machine->placement.nodes = config->nodes;
	machine->placement.node = config->placement_node;
	if (NS_PER_SECOND % config->frequency_hz == 0)
		machine->ns_per_cycle = NS_PER_SECOND / config->frequency_hz;
	else if (config->frequency_hz % NS_PER_SECOND == 0)
		machine->cycles_per_ns = config->frequency_hz / NS_PER_SECOND;
	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++)
		machine->shape[type] = traffic_shape(type);
	costs_fill(machine);
	line_bytes = config->caches.count ? config->caches.levels[0].line_bytes
					  : config->cache.line_bytes;
	machine->shape[QUEUE_LINE] = traffic_line_shape(line_bytes);
	machine->shape[SHAPE_BACK] = traffic_back_shape(line_bytes);
	machine->frames_each = config->no_responses ? 1 : 2;
	steps_init(machine);
}

static int nodes_init(struct machine *machine)
{
	const struct machine_config *config = &machine->config;
	size_t payload = machine->shape[QUEUE_LINE].answer_bytes;
	int err = 0;

	for (unsigned n = 0; n < config->nodes && err == 0; n++) {
		machine->link[n].node = n;
		if (node_watched(machine, n))
			err = link_init(&machine->link[n], machine->ops, machine->opaque, n,
					payload);
		if (err == 0 && config->cache.bytes != 0)
			err = cache_init(&machine->cache[n], config->cache.bytes,
					 config->cache.line_bytes, config->cache.ways);
	}
	return err;
}

static int processor_add(struct machine *machine, unsigned node)
{
	int err = machine->config.caches.count ? caches_add(&machine->caches, node) : 0;

	if (err == 0)
		machine->processors[machine->processors_count++].node = node;
	return err;
}

/*
 * If the machine counts both requests and accesses before the caches, three quarters of the
 * memory are for the accesses before the caches, and the rest is for the requests that the
 * caches do not serve.
 */
static void counts_limit(struct machine *machine, uint64_t bytes)
{
	uint64_t front = machine->front ? bytes / 4 * 3 : 0;

	if (bytes == 0)
		return;
	if (machine->front)
		tally_limit(machine->front, front);
	if (machine->tally)
		tally_limit(machine->tally, bytes - front);
}

static int backlog_start(struct machine *machine)
{
	struct backlog *backlog = &machine->backlog;
	int err = backlog_init(backlog, machine->config.counts_aside, counted_full, machine);

	backlog->tallies[BACKLOG_TALLY] = machine->tally;
	backlog->tallies[BACKLOG_FRONT] = machine->front;
	return err;
}

int machine_create(struct machine **out, const struct machine_config *config,
		   const struct machine_ops *ops, void *opaque)
{
	struct machine_config filled = *config;
	unsigned processors;
	struct machine *machine;
	int err = config_settle(&filled, ops);

	if (err < 0)
		return err;
	processors = filled.processors ? filled.processors : filled.nodes;
	machine = calloc(1, sizeof(*machine));
	if (!machine)
		return -ENOMEM;
	machine->config = filled;
	machine->ops = ops;
	machine->held = UINT64_MAX;
	machine->opaque = opaque;
	machine_fill(machine);
	machine->processors = calloc(processors, sizeof(machine->processors[0]));
	machine->merge = calloc(merge_words(processors), sizeof(machine->merge[0]));
	if (filled.tally_bytes != 0)
		machine->tally = tally_create(filled.nodes, filled.tally_bytes);
	if (filled.accessed_bytes != 0)
		machine->front = tally_create(filled.nodes, filled.accessed_bytes);
	counts_limit(machine, filled.counts_bytes);
	err = machine->processors && machine->merge && backlog_start(machine) == 0 &&
			      (machine->tally || filled.tally_bytes == 0) &&
			      (machine->front || filled.accessed_bytes == 0)
		      ? nodes_init(machine)
		      : -ENOMEM;
	if (err == 0)
		err = caches_init(&machine->caches, &filled.caches, filled.nodes, processors);
	if (err < 0) {
		machine_destroy(machine);
		return err;
	}
	for (unsigned n = 0; filled.processors == 0 && n < filled.nodes && err == 0; n++)
		err = processor_add(machine, n);
	if (err < 0) {
		machine_destroy(machine);
		return err;
	}
	*out = machine;
	return 0;
}

void machine_destroy(struct machine *machine)
{
	if (!machine)
		return;
	for (unsigned p = 0; p < machine->processors_count; p++)
		queue_free(&machine->processors[p].queue);
	for (unsigned n = 0; n < machine->config.nodes; n++) {
		link_free(&machine->link[n]);
		cache_free(&machine->cache[n]);
	}
	caches_free(&machine->caches);
	placement_free(&machine->placement);
	hash_table_free(&machine->locals);
	backlog_free(&machine->backlog);
	tally_destroy(machine->tally);
	tally_destroy(machine->front);
	hash_table_free(&machine->accesses);
	free(machine->processors);
	free(machine->merge);
	free(machine);
}

int machine_processor_add(struct machine *machine, unsigned node)
{
	unsigned there = 0;
	int err;

	if (node >= machine->config.nodes || machine->config.processors == 0)
		return -EINVAL;
	if (machine->processors_count == machine->config.processors)
		return -ENOSPC;
	for (unsigned p = 0; p < machine->processors_count; p++)
		there += machine->processors[p].node == node;
	if (there >= BLINK_TRANSACTIONS && machine->config.nodes > 1 &&
	    machine->config.watch != 0 && !machine->config.no_responses)
		return -ENOSPC;
	err = processor_add(machine, node);
	return err < 0 ? err : (int)machine->processors_count - 1;
}

static bool range_valid(uint64_t start, uint64_t bytes)
{
	return bytes > 0 && start < ADDRESS_END && bytes <= ADDRESS_END - start;
}

static uint64_t range_last(uint64_t start, uint64_t bytes)
{
	return (start + bytes - 1) / SMILE_PAGE_BYTES;
}

int machine_region(struct machine *machine, uint64_t start, uint64_t bytes)
{
	uint64_t first = start / SMILE_PAGE_BYTES;

	if (!range_valid(start, bytes))
		return -EINVAL;
	return placement_region(&machine->placement, first, range_last(start, bytes) - first + 1);
}

/* Remove the page from the homes that the processors have stored. */
static int home_forget(struct machine *machine, uint64_t page)
{
	unsigned slot = page % PROCESSOR_HOMES;

	for (unsigned p = 0; p < machine->processors_count; p++) {
		struct processor *processor = &machine->processors[p];

		if (pages_page(processor->homes[slot]) != page)
			continue;
		if (locals_bring(machine, processor, slot) < 0)
			return -ENOMEM;
		processor->homes[slot] = 0;
	}
	return 0;
}

/* Remove the lines of the page from the caches for all memory. */
static void page_lines_drop(struct machine *machine, uint64_t page)
{
	unsigned shift = machine->caches.shift;
	uint64_t first = page * SMILE_PAGE_BYTES >> shift;

	if (machine->config.caches.count == 0 || machine->processors_count == 0)
		return;
	for (uint64_t line = first; line < first + (SMILE_PAGE_BYTES >> shift); line++)
		caches_drop(&machine->caches, line);
}

int machine_move(struct machine *machine, uint64_t page, unsigned node)
{
	if (node >= machine->config.nodes)
		return -EINVAL;
	if (!pages_find(&machine->placement.pages, page))
		return -ENOENT;
	front_settle(machine);
	if (home_forget(machine, page) < 0)
		return -ENOMEM;
	page_lines_drop(machine, page);
	pages_move(&machine->placement.pages, page, node);
	return 0;
}

static int page_discard(struct machine *machine, uint64_t page, uint64_t to)
{
	struct pages *pages = &machine->placement.pages;
	uint64_t entry = pages_find(pages, page);

	if (!entry || entry & PAGES_GONE)
		return 0;
	if (home_forget(machine, page) < 0)
		return -ENOMEM;
	page_lines_drop(machine, page);
	pages_give_back(pages, page);
	if (!to)
		return 0;
	if (!pages_find(pages, to))
		return pages_add(pages, to, pages_home(entry));
	if (home_forget(machine, to) < 0)
		return -ENOMEM;
	page_lines_drop(machine, to);
	pages_move(pages, to, pages_home(entry));
	return 0;
}

/*
 * Discard the pages of a range that has more pages than the table has entries: it is a large
 * reservation of which the program has used little. Make a list first, because a move may make the
 * table grow.
 */
static int pages_discard(struct machine *machine, uint64_t first, uint64_t last, uint64_t to)
{
	uint64_t *list;
	size_t count;
	int err = pages_list(&machine->placement.pages, first, last, &list, &count);

	for (size_t i = 0; i < count && err == 0; i++)
		err = page_discard(machine, list[i], to ? list[i] - first + to : 0);
	free(list);
	return err;
}

int machine_discard(struct machine *machine, uint64_t start, uint64_t bytes, uint64_t to)
{
	uint64_t first = start / SMILE_PAGE_BYTES, moved = to / SMILE_PAGE_BYTES, last;
	int err = 0;

	if (!range_valid(start, bytes) || (to && !range_valid(to, bytes)))
		return -EINVAL;
	last = range_last(start, bytes);
	if (to)
		err = placement_move(&machine->placement, first, last, to / SMILE_PAGE_BYTES);
	/*
	 * Pages that are given back keep their homes until the next access, so the counts of these
	 * homes need not be delivered now.
	 */
	if (to)
		front_settle(machine);
	else
		machine->given_back = true;
	if (err == 0 && last - first >= pages_slots(&machine->placement.pages))
		return pages_discard(machine, first, last, moved);
	for (uint64_t page = first; page <= last && err == 0; page++)
		err = page_discard(machine, page, to ? page - first + moved : 0);
	return err;
}

void machine_policy(struct machine *machine, const struct placement_policy *policy)
{
	machine->config.placement = policy;
	machine->placement.policy = policy;
}

int machine_place(struct machine *machine, uint64_t start, uint64_t bytes, unsigned node,
		  enum placement_priority priority)
{
	if (!range_valid(start, bytes) || node >= machine->config.nodes ||
	    priority >= PLACEMENT_PRIORITIES)
		return -EINVAL;
	return placement_place(&machine->placement, start / SMILE_PAGE_BYTES,
			       range_last(start, bytes), node, priority);
}

int machine_unplace(struct machine *machine, uint64_t start, uint64_t bytes)
{
	if (!range_valid(start, bytes))
		return -EINVAL;
	return placement_remove(&machine->placement, start / SMILE_PAGE_BYTES,
				range_last(start, bytes));
}

bool machine_ordered(const struct machine *machine)
{
	return machine->config.placement->ordered || machine->config.cache.bytes != 0 ||
	       machine->config.caches.count != 0;
}

const struct latency_model *machine_latency(const struct machine *machine)
{
	return &machine->latency;
}

const struct caches_shape *machine_caches(const struct machine *machine)
{
	return &machine->config.caches;
}

uint64_t machine_time_ns(const struct machine *machine, uint64_t cycles)
{
	uint64_t frequency = machine->config.frequency_hz;

	if (machine->ns_per_cycle != 0)
		return cycles * machine->ns_per_cycle;
	/*
	 * The remainder is less than FREQUENCY_MAX, so its product with NS_PER_SECOND does not
	 * overflow.
	 */
	return cycles / frequency * NS_PER_SECOND + cycles % frequency * NS_PER_SECOND / frequency;
}

uint64_t machine_cycles(const struct machine *machine, uint64_t time_ns)
{
	uint64_t frequency = machine->config.frequency_hz;

	return time_ns / NS_PER_SECOND * frequency +
	       time_ns % NS_PER_SECOND * frequency / NS_PER_SECOND;
}

/* ---- clocks -------------------------------------------------------------------------------- */

void machine_fail(struct machine *machine, int error)
{
	if (machine->error == 0)
		machine->error = error;
}

void machine_work(struct machine *machine, unsigned processor, uint64_t cycles)
{
	if (processor_pass(machine, processor, cycles))
		machine->processors[processor].work += cycles;
}

static uint64_t cycles_until(const struct machine *machine, unsigned processor, uint64_t cycle)
{
	uint64_t now = machine_clock(machine, processor);

	return cycle > now ? cycle - now : 0;
}

void machine_wait(struct machine *machine, unsigned processor, uint64_t cycle)
{
	uint64_t cycles = cycles_until(machine, processor, cycle);

	if (processor_pass(machine, processor, cycles))
		machine->processors[processor].wait += cycles;
}

void machine_idle(struct machine *machine, unsigned processor, uint64_t cycle)
{
	uint64_t cycles = cycles_until(machine, processor, cycle);

	if (processor_pass(machine, processor, cycles))
		machine->processors[processor].idle += cycles;
}

void machine_reached(struct machine *machine, uint64_t cycle)
{
	if (cycle > machine->reached && cycle <= CLOCK_MAX)
		machine->reached = cycle;
}

void machine_hold(struct machine *machine, uint64_t cycle)
{
	machine->held = cycle;
}

void machine_synchronise(struct machine *machine, unsigned processor)
{
	if (machine->config.cache.bytes != 0 && processor < machine->processors_count)
		cache_empty(&machine->cache[machine->processors[processor].node]);
}

void machine_flush(struct machine *machine)
{
	merge_drain_safe(machine);
	for (unsigned n = 0; n < machine->config.nodes; n++) {
		if (node_watched(machine, n))
			link_flush(&machine->link[n]);
	}
}

int machine_barrier(struct machine *machine)
{
	uint64_t latest = machine->reached;

	for (unsigned p = 0; p < machine->processors_count; p++) {
		uint64_t clock = machine->processors[p].clock;

		latest = clock > latest ? clock : latest;
	}
	for (unsigned p = 0; p < machine->processors_count; p++)
		machine_wait(machine, p, latest);
	for (unsigned n = 0; n < machine->config.nodes && machine->config.cache.bytes != 0; n++)
		cache_empty(&machine->cache[n]);
	/*
	 * A processor waits for each response, so no response is later than the clock of its
	 * processor.
	 */
	merge_drain(machine, latest + 1, false);
	machine->shown = latest;
	machine_flush(machine);
	machine_counted(machine);
	return machine->error;
}

/* Send a global event on all B-Links. */
static void event_show(struct machine *machine, unsigned event, uint64_t cycle)
{
	uint64_t time_ns = machine_time_ns(machine, cycle);

	for (unsigned n = 0; n < machine->config.nodes; n++) {
		struct traffic_frame frame = traffic_event(n, event);

		machine->events[n]++;
		if (!node_watched(machine, n))
			continue;
		link_show(&machine->link[n], time_ns, &frame);
		link_flush(&machine->link[n]);
	}
}

/* Deliver all frames before a cycle. Return: 0, or the error of the machine. */
static int clock_show(struct machine *machine, uint64_t cycle)
{
	if (cycle < machine->shown || cycle > CLOCK_MAX)
		machine_fail(machine, -EINVAL);
	if (machine->error < 0)
		return machine->error;
	machine_reached(machine, cycle);
	merge_drain(machine, cycle, true);
	machine->shown = cycle;
	return 0;
}

int machine_show(struct machine *machine, uint64_t cycle)
{
	if (clock_show(machine, cycle) < 0)
		return machine->error;
	for (unsigned n = 0; n < machine->config.nodes; n++)
		if (node_watched(machine, n))
			link_flush(&machine->link[n]);
	return machine->error;
}

int machine_event(struct machine *machine, unsigned event, uint64_t cycle)
{
	if (clock_show(machine, cycle) < 0)
		return machine->error;
	machine_counted(machine);
	event_show(machine, event, cycle);
	return machine->error;
}
