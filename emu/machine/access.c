/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Accesses: compute the cost of each access, and queue the transaction that it causes. May use
 * machine.h.
 */
#include <errno.h>

#include <base/field.h>

#include "machine_inside.h"

/*
 * If a page was given back, and its previous home is not @node, deliver the counts of the previous
 * home before the page gets a new home.
 */
static void front_leave(struct machine *machine, uint64_t page, unsigned node)
{
	uint64_t entry = pages_find(&machine->placement.pages, page);

	if (entry & PAGES_GONE && pages_home(entry) != node)
		front_settle(machine);
}

/* Get the home of the page of @address. Return: -1 if memory ran out. */
static inline int processor_home(struct machine *machine, struct processor *processor,
				 uint64_t address)
{
	uint64_t page = address / SMILE_PAGE_BYTES;
	unsigned slot = page % PROCESSOR_HOMES;
	uint64_t *known = &processor->homes[slot];

	if (pages_page(*known) != page || *known == 0) {
		uint64_t entry;

		if (machine->given_back)
			front_leave(machine, page, processor->node);
		entry = placement_entry(&machine->placement, page, processor->node);

		if (entry == 0 || locals_bring(machine, processor, slot) < 0) {
			machine_fail(machine, -ENOMEM);
			return -1;
		}
		*known = entry;
	}
	return (int)pages_home(*known);
}

int machine_touch(struct machine *machine, unsigned processor, uint64_t start, uint64_t bytes)
{
	unsigned node;

	if (processor >= machine->processors_count || bytes == 0 || start >= ADDRESS_END ||
	    bytes > ADDRESS_END - start)
		return -EINVAL;
	node = machine->processors[processor].node;
	for (uint64_t page = start / SMILE_PAGE_BYTES;
	     page <= (start + bytes - 1) / SMILE_PAGE_BYTES; page++) {
		if (machine->given_back)
			front_leave(machine, page, node);
		if (placement_entry(&machine->placement, page, node) == 0)
			return -ENOMEM;
	}
	return 0;
}

/* Compose the word for a transaction in a queue: see queue.h. */
static uint64_t queue_what(const struct machine *machine, unsigned node, unsigned kind,
			   unsigned home, uint64_t address, unsigned last)
{
	uint64_t what = address | (uint64_t)home << QUEUE_HOME_SHIFT;

	if (machine->tally)
		return what | SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)node) |
		       SMILE_PUT(BLINK_REQUEST_TYPE,
				 (uint64_t)(kind == QUEUE_LINE ? SMILE_TYPE_READ : kind));
	return what | (uint64_t)kind << QUEUE_KIND_SHIFT | (uint64_t)last << QUEUE_LAST_SHIFT;
}

/*
 * Queue a transaction until its frames can be sent in the order of time. @what: the flags of the
 * transaction: see queue.h.
 * Return: whether the transaction was queued.
 */
static bool processor_queue(struct machine *machine, struct processor *processor, uint64_t what)
{
	struct queue *queue = &processor->queue;
	int err = 0;

	if (processor->clock < machine->shown) {
		machine_fail(machine, -EINVAL);
		return false;
	}
	if (queue_full(queue)) {
		merge_drain_safe(machine);
		err = queue_make_room(queue);
	}
	if (err < 0) {
		machine_fail(machine, err);
		return false;
	}
	queue->items[queue->tail++] = (struct queue_item){
		.issue = processor->clock,
		.what = what,
	};
	return true;
}

/*
 * Pass a remote access to the node's cache. Only reads can be cached. Return: whether the access
 * was a hit.
 */
static bool node_cached(struct machine *machine, struct processor *processor, unsigned type,
			uint64_t address)
{
	struct cache *cache = &machine->cache[processor->node];

	if (type == SMILE_TYPE_LOCK)
		cache_drop(cache, address);
	return type == SMILE_TYPE_READ && cache_read(cache, address);
}

/* Make an access to bytes within one block. */
static inline void processor_access(struct machine *machine, struct processor *processor,
				    unsigned type, uint64_t address, unsigned last)
{
	int home = processor_home(machine, processor, address);
	unsigned kind = type;

	if (home < 0)
		return;
	if (processor->clock > CLOCK_MAX - UINT32_MAX) {
		machine_fail(machine, -EOVERFLOW);
		return;
	}
	if ((unsigned)home == processor->node) {
		processor->local[type]++;
		processor->counts[address / SMILE_PAGE_BYTES % PROCESSOR_HOMES][type]++;
		processor->clock += machine->cost[home][home][SMILE_TYPE_READ];
		return;
	}
	if (machine->config.cache.bytes != 0) {
		if (node_cached(machine, processor, type, address)) {
			processor->hits++;
			processor->cached += machine->latency.local_cycles;
			processor->clock += machine->latency.local_cycles;
			return;
		}
		if (type == SMILE_TYPE_READ) {
			kind = QUEUE_LINE;
			address &= ~(uint64_t)(machine->config.cache.line_bytes - 1);
			last = TRAFFIC_BLOCK_BYTES - 1;
		}
	}
	if (machine->config.watch != 0 &&
	    !processor_queue(
		    machine, processor,
		    queue_what(machine, processor->node, kind, (unsigned)home, address, last)))
		return;
	processor->remote[type]++;
	processor->remote_cycles[type] += machine->cost[processor->node][home][kind];
	processor->counts[address / SMILE_PAGE_BYTES % PROCESSOR_HOMES][type]++;
	processor->clock += machine->cost[processor->node][home][kind];
	machine->sent[processor->node][home][type]++;
}

/* ---- caches for all memory ------------------------------------------------------------------- */

/* Compose the word for a line that is written back, in a queue: see queue.h. */
static uint64_t back_what(const struct machine *machine, unsigned node, unsigned home,
			  uint64_t address)
{
	uint64_t what = address | (uint64_t)home << QUEUE_HOME_SHIFT |
			(uint64_t)SMILE_TYPE_WRITE << QUEUE_KIND_SHIFT |
			(uint64_t)node << QUEUE_BACK_SHIFT;

	return machine->tally ? what : what | QUEUE_BACK;
}

/* Write a modified line back to its home. Return: false if the line could not be written. */
static bool line_back(struct machine *machine, struct processor *processor,
		      const struct caches_back *back)
{
	uint64_t address = back->line << machine->caches.shift, page = address / SMILE_PAGE_BYTES;
	uint64_t entry = placement_entry(&machine->placement, page, back->node);
	unsigned home = pages_home(entry);

	if (entry == 0 || locals_back(machine, page, back->node, home) < 0) {
		machine_fail(machine, -ENOMEM);
		return false;
	}
	if (home == back->node) {
		machine->backs[back->node].local++;
		return true;
	}
	if (machine->config.watch != 0 &&
	    !processor_queue(machine, processor, back_what(machine, back->node, home, address)))
		return false;
	machine->backs[back->node].remote++;
	machine->sent[back->node][home][SMILE_TYPE_WRITE]++;
	return true;
}

/*
 * Fetch a line from its home; for a lock, fetch only the block. Return: false if the line could not
 * be fetched.
 */
static bool line_fetch(struct machine *machine, struct processor *processor, unsigned type,
		       unsigned home, uint64_t address, unsigned last)
{
	unsigned slot = address / SMILE_PAGE_BYTES % PROCESSOR_HOMES, node = processor->node;
	unsigned kind = type == SMILE_TYPE_LOCK ? SMILE_TYPE_LOCK : QUEUE_LINE;
	unsigned counted = type == SMILE_TYPE_LOCK ? SMILE_TYPE_LOCK : SMILE_TYPE_READ;
	uint32_t cost = machine->cost[node][home][kind];

	if (home == node) {
		processor->local[counted]++;
		processor->counts[slot][counted]++;
		processor->clock += machine->cost[home][home][SMILE_TYPE_READ];
		return true;
	}
	if (kind == QUEUE_LINE) {
		address &= ~((1ULL << machine->caches.shift) - 1);
		last = TRAFFIC_BLOCK_BYTES - 1;
	}
	if (machine->config.watch != 0 &&
	    !processor_queue(machine, processor,
			     queue_what(machine, node, kind, home, address, last)))
		return false;
	processor->remote[counted]++;
	processor->remote_cycles[counted] += cost;
	processor->counts[slot][counted]++;
	processor->clock += cost;
	machine->sent[node][home][counted]++;
	return true;
}

/*
 * Let the processor wait for a line that another node had modified. If that node is farther than
 * the home, this takes longer than the fetch from the home.
 */
static void transfer_wait(struct machine *machine, struct processor *processor, unsigned home,
			  unsigned from)
{
	uint32_t fetch = machine->cost[processor->node][home][SMILE_TYPE_READ];
	uint32_t transfer = machine->cost[processor->node][from][SMILE_TYPE_READ];

	processor->transfers++;
	if (transfer <= fetch)
		return;
	processor->clock += transfer - fetch;
	processor->cached += transfer - fetch;
}

void access_beyond(struct machine *machine, struct processor *processor, unsigned type,
		   uint64_t line, uint64_t address, unsigned last)
{
	unsigned p = (unsigned)(processor - machine->processors);
	struct caches_served served;
	int home;

	caches_fetch(&machine->caches, p, line, type != SMILE_TYPE_READ, &served);
	/* Write back the lines that are evicted before the new line is fetched. */
	for (unsigned i = 0; i < served.backs_count; i++)
		if (!line_back(machine, processor, &served.backs[i]))
			return;
	if (served.level != CACHES_NONE) {
		processor->hits++;
		processor->level_hits[served.level][type]++;
		processor->cached += level_cycles(machine, served.level);
		processor->clock += level_cycles(machine, served.level);
		return;
	}
	home = processor_home(machine, processor, address);
	if (home < 0 || !line_fetch(machine, processor, type, (unsigned)home, address, last))
		return;
	processor->misses[type]++;
	if (served.from != CACHES_NONE)
		transfer_wait(machine, processor, (unsigned)home, served.from);
}

/* Make an access to bytes within one line. */
static void cached_access(struct machine *machine, struct processor *processor, unsigned type,
			  uint64_t address, size_t bytes)
{
	struct caches_processor *mine =
		&machine->caches.processors[processor - machine->processors];
	uint64_t line = address >> machine->caches.shift;
	unsigned last = (unsigned)(address % TRAFFIC_BLOCK_BYTES + bytes - 1);

	if (processor->clock > CLOCK_MAX - UINT32_MAX) {
		machine_fail(machine, -EOVERFLOW);
		return;
	}
	if (!caches_first(&machine->caches, mine, &mine->level[0], line, type != SMILE_TYPE_READ)) {
		if (last >= TRAFFIC_BLOCK_BYTES)
			last = TRAFFIC_BLOCK_BYTES - 1;
		access_beyond(machine, processor, type, line, address, last);
		return;
	}
	processor->hits++;
	processor->level_hits[0][type]++;
	processor->cached += level_cycles(machine, 0);
	processor->clock += level_cycles(machine, 0);
}

/* ---- an access ------------------------------------------------------------------------------- */

void access_make(struct machine *machine, struct processor *from, unsigned type, uint64_t address,
		 size_t bytes)
{
	unsigned block =
		machine->config.caches.count ? 1U << machine->caches.shift : TRAFFIC_BLOCK_BYTES;

	/*
	 * Each function is called in only one line of the code, so that the compiler can inline it.
	 */
	for (;;) {
		unsigned first = address % block;
		size_t room = block - first;
		size_t part = bytes < room ? bytes : room;

		if (machine->config.caches.count)
			cached_access(machine, from, type, address, part);
		else
			processor_access(machine, from, type, address, first + (unsigned)part - 1);
		bytes -= part;
		if (bytes == 0)
			return;
		address += part;
	}
}

uint64_t machine_step(struct machine *machine, unsigned processor, uint64_t cycles, unsigned type,
		      uint64_t address, size_t bytes)
{
	struct processor *from = &machine->processors[processor];

	if (!processor_pass(machine, processor, cycles))
		return machine_clock(machine, processor);
	from->work += cycles;
	if (type == SMILE_TYPE_ANY || type >= SMILE_TYPE_COUNT || bytes == 0 ||
	    address >= ADDRESS_END || bytes > ADDRESS_END - address) {
		machine_fail(machine, -EINVAL);
		return from->clock;
	}
	access_make(machine, from, type, address, bytes);
	/* Count the access with the home that the page has had during the access. */
	from->accesses++;
	if (machine->front)
		backlog_add(&machine->backlog, front_request(from->node, type, address));
	return from->clock;
}
