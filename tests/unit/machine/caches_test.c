/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/machine/caches.c and directory.c. A slow model follows the same rules, but stores
 * times of use instead of an order of lines, and has no directory. Other tests check the costs and
 * counts that the machine computes from the caches. May use machine_fixture.h and the C library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>
#include <run/stream.h>

#include "tests/unit/machine/machine_fixture.h"

#define PAGE SMILE_PAGE_BYTES
#define PROCESSORS 6U
#define NODES 3U

/* ---- the model ------------------------------------------------------------------------------- */

/**
 * struct slot - A part of a cache that can hold one line.
 * @used: time of the last use; 0 if the slot is empty
 */
struct slot {
	uint64_t line;
	uint64_t used;
	bool dirty;
};

/**
 * struct store - One cache. The slots of a set are next to each other in @slots.
 */
struct store {
	struct slot *slots;
	uint64_t sets;
	unsigned ways;
};

/**
 * struct model - All caches. Processor p is on node p % NODES.
 * @own: private levels
 * @shared: the shared level of each node; has no slots if the shape has no shared level
 */
struct model {
	struct caches_shape shape;
	unsigned privates;
	struct store own[PROCESSORS][CACHES_LEVELS_MAX];
	struct store shared[NODES];
	uint64_t now;
};

static struct store store_new(const struct caches_level *level)
{
	uint64_t lines = level->bytes / level->line_bytes;
	struct store store = {
		.slots = calloc(lines, sizeof(struct slot)),
		.sets = lines / level->ways,
		.ways = level->ways,
	};

	assert_non_null(store.slots);
	return store;
}

static struct model *model_new(const struct caches_shape *shape)
{
	struct model *model = calloc(1, sizeof(*model));

	assert_non_null(model);
	model->shape = *shape;
	model->privates = shape->count - shape->levels[shape->count - 1].shared;
	for (unsigned p = 0; p < PROCESSORS; p++)
		for (unsigned i = 0; i < model->privates; i++)
			model->own[p][i] = store_new(&shape->levels[i]);
	for (unsigned n = 0; n < NODES && model->privates < shape->count; n++)
		model->shared[n] = store_new(&shape->levels[model->privates]);
	return model;
}

static void model_free(struct model *model)
{
	for (unsigned p = 0; p < PROCESSORS; p++)
		for (unsigned i = 0; i < model->privates; i++)
			free(model->own[p][i].slots);
	for (unsigned n = 0; n < NODES; n++)
		free(model->shared[n].slots);
	free(model);
}

static struct slot *store_find(const struct store *store, uint64_t line)
{
	struct slot *set;

	if (!store->slots)
		return NULL;
	set = store->slots + line % store->sets * store->ways;
	for (unsigned i = 0; i < store->ways; i++)
		if (set[i].used && set[i].line == line)
			return &set[i];
	return NULL;
}

/* Return: the slot that was replaced. */
static struct slot store_fill(struct model *model, const struct store *store, uint64_t line,
			      bool dirty)
{
	struct slot *set = store->slots + line % store->sets * store->ways, *oldest = set, gone;

	for (unsigned i = 1; i < store->ways; i++)
		if (set[i].used < oldest->used)
			oldest = &set[i];
	gone = *oldest;
	*oldest = (struct slot){line, ++model->now, dirty};
	return gone;
}

static bool clean(struct slot *slot)
{
	bool dirty = slot && slot->dirty;

	if (slot)
		slot->dirty = false;
	return dirty;
}

static void empty(struct slot *slot)
{
	if (slot)
		*slot = (struct slot){0};
}

/*
 * Clear a line's mark "modified" in all private levels of a processor. Return: whether it was set.
 */
static bool processor_clean(struct model *model, unsigned p, uint64_t line)
{
	bool dirty = false;

	for (unsigned i = 0; i < model->privates; i++)
		dirty |= clean(store_find(&model->own[p][i], line));
	return dirty;
}

static void back(struct caches_served *served, uint64_t line, unsigned node)
{
	served->backs[served->backs_count++] = (struct caches_back){line, node};
}

static void gone_settle(struct model *model, unsigned p, unsigned level, struct slot gone,
			struct caches_served *served)
{
	struct slot *slot = NULL;

	if (!gone.used || !gone.dirty)
		return;
	for (unsigned i = level + 1; i < model->privates && !slot; i++)
		slot = store_find(&model->own[p][i], gone.line);
	if (!slot && level < model->privates)
		slot = store_find(&model->shared[p % NODES], gone.line);
	if (slot)
		slot->dirty = true;
	else
		back(served, gone.line, p % NODES);
}

/* Look for a modified line, first at the other processors of the node, then at the other nodes. */
static bool model_modified(struct model *model, unsigned p, uint64_t line, unsigned *node)
{
	bool found = false;

	for (unsigned n = 0; n < NODES; n++) {
		bool dirty = n != p % NODES && clean(store_find(&model->shared[n], line));

		for (unsigned q = 0; q < PROCESSORS; q++)
			if (q != p && q % NODES == n)
				dirty |= processor_clean(model, q, line);
		/* The line can be modified on one node only. */
		assert_false(dirty && found);
		if (dirty)
			*node = n;
		found |= dirty;
	}
	return found;
}

static void model_invalidate(struct model *model, unsigned p, uint64_t line)
{
	for (unsigned n = 0; n < NODES; n++)
		if (n != p % NODES)
			empty(store_find(&model->shared[n], line));
	for (unsigned q = 0; q < PROCESSORS; q++)
		for (unsigned i = 0; i < model->privates && q != p; i++)
			empty(store_find(&model->own[q][i], line));
}

static void model_access(struct model *model, unsigned p, uint64_t line, bool write,
			 struct caches_served *served)
{
	struct store *shared = &model->shared[p % NODES];
	unsigned level = 0, node = CACHES_NONE;
	struct slot *slot = NULL;
	bool dirty = false;

	*served = (struct caches_served){.level = CACHES_NONE, .from = CACHES_NONE};
	for (; level < model->privates; level++) {
		slot = store_find(&model->own[p][level], line);
		if (slot)
			break;
	}
	if (!slot)
		slot = store_find(shared, line);
	if (slot) {
		served->level = level;
		slot->used = ++model->now;
		if (level == model->privates && model_modified(model, p, line, &node)) {
			assert_int_equal(node, p % NODES);
			slot->dirty = true;
		}
	} else {
		if (model_modified(model, p, line, &node)) {
			if (node != p % NODES)
				served->from = node;
			else
				served->level = model->shape.count;
			dirty = node == p % NODES && shared->slots;
			if (!dirty)
				back(served, line, node);
		}
		if (shared->slots)
			gone_settle(model, p, model->privates,
				    store_fill(model, shared, line, dirty), served);
	}
	if (write)
		model_invalidate(model, p, line);
	for (unsigned i = level < model->privates ? level : model->privates; i-- > 0;)
		gone_settle(model, p, i, store_fill(model, &model->own[p][i], line, false), served);
	if (write)
		store_find(&model->own[p][0], line)->dirty = true;
}

static void model_drop(struct model *model, uint64_t line)
{
	for (unsigned n = 0; n < NODES; n++)
		empty(store_find(&model->shared[n], line));
	for (unsigned p = 0; p < PROCESSORS; p++)
		for (unsigned i = 0; i < model->privates; i++)
			empty(store_find(&model->own[p][i], line));
}

/* ---- caches against the model ---------------------------------------------------------------- */

static uint32_t draw(uint64_t *random, uint32_t below)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (uint32_t)(*random >> 20) % below;
}

#define LINES 3000U

static const struct caches_shape shapes[] = {
	{1, {{"l1", 512, 64, 2, 1, false}}},
	{2, {{"l1", 512, 64, 2, 1, false}, {"llc", 4096, 64, 4, 9, true}}},
	{1, {{"l1", 1 << 16, 64, 2, 1, false}}},
	/* The shared level is smaller than the private ones. The sets are not a power of two. */
	{3,
	 {{"l1", 1024, 64, 4, 1, false},
	  {"l2", 3 * 512, 64, 2, 4, false},
	  {"llc", 2048, 64, 16, 9, true}}},
	{4,
	 {{"l1", 256, 16, 1, 1, false},
	  {"l2", 512, 16, 2, 2, false},
	  {"l3", 1024, 16, 4, 3, false},
	  {"l4", 2048, 16, 8, 4, true}}},
};

static bool first(struct caches *caches, unsigned p, uint64_t line, bool write)
{
	struct caches_processor *processor = &caches->processors[p];

	return caches_first(caches, processor, &processor->level[0], line, write);
}

static void caches_serve_as_the_model(void **state)
{
	bool grown = false, full = false;

	for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct model *model = model_new(&shapes[i]);
		uint64_t random = 88172645463325252ULL + i, hits[MACHINE_LEVELS] = {0};
		unsigned transfers = 0, backs = 0;
		struct caches caches;
		size_t size;

		assert_int_equal(caches_init(&caches, &shapes[i], NODES, PROCESSORS), 0);
		for (unsigned p = 0; p < PROCESSORS; p++)
			assert_int_equal(caches_add(&caches, p % NODES), 0);
		size = caches.directory.size;
		for (unsigned step = 0; step < 300000; step++) {
			struct caches_served served = {.level = 0, .from = CACHES_NONE}, expected;
			/* While only one processor runs, there is no directory. */
			unsigned p = step < 30000 ? 1 : draw(&random, PROCESSORS);
			/*
			 * Use a few lines often. There are more lines than the directory has room
			 * for.
			 */
			uint64_t line = draw(&random, draw(&random, 3) ? 40 : LINES);
			bool write = draw(&random, 4) == 0;

			if (draw(&random, 200) == 0) {
				caches_drop(&caches, line);
				model_drop(model, line);
			}
			if (!first(&caches, p, line, write))
				caches_fetch(&caches, p, line, write, &served);
			model_access(model, p, line, write, &expected);
			assert_memory_equal(&served, &expected, sizeof(served));
			if (served.level != CACHES_NONE)
				hits[served.level]++;
			transfers += served.from != CACHES_NONE;
			backs += served.backs_count;
		}
		/* Each kind of result must have occurred. */
		for (unsigned level = 0; level <= shapes[i].count; level++)
			if (!hits[level])
				fail_msg("shape %u: level %u has served nothing", i, level);
		assert_true(transfers > 100 && backs > 100);
		grown |= caches.directory.size > size;
		full |= caches.directory.room < LINES;
		caches_free(&caches);
		model_free(model);
	}
	/* The directory must have grown, and must have been full. */
	assert_true(grown && full);
}

/* The directory may forget lines. With another size of it, all results must be the same. */
static void caches_added_later_change_nothing(void **state)
{
	uint64_t random = 88172645463325252ULL;
	struct caches one, other;

	assert_int_equal(caches_init(&one, &shapes[3], NODES, PROCESSORS), 0);
	assert_int_equal(caches_init(&other, &shapes[3], NODES, PROCESSORS + 500), 0);
	for (unsigned p = 0; p < PROCESSORS; p++)
		assert_int_equal(caches_add(&one, p % NODES), 0);
	for (unsigned p = 0; p < PROCESSORS; p++)
		assert_int_equal(caches_add(&other, p % NODES), 0);
	for (unsigned step = 0; step < 100000; step++) {
		struct caches_served a = {.level = 0}, b = {.level = 0};
		unsigned p = draw(&random, PROCESSORS);
		uint64_t line = draw(&random, 2000);
		bool write = draw(&random, 3) == 0;

		if (step % 200 == 199)
			assert_int_equal(caches_add(&other, step % NODES), 0);
		if (!first(&one, p, line, write))
			caches_fetch(&one, p, line, write, &a);
		if (!first(&other, p, line, write))
			caches_fetch(&other, p, line, write, &b);
		assert_memory_equal(&a, &b, sizeof(a));
	}
	assert_true(other.directory.room > one.directory.room);
	caches_free(&one);
	caches_free(&other);
}

static void caches_that_cannot_be_are_refused(void **state)
{
	static const struct caches_shape bad[] = {
		{1, {{"l1", 512, 32, 2, 1, false}}},
		{1, {{"l1", 500, 64, 2, 1, false}}},
		{1, {{"l1", 512, 64, 0, 1, false}}},
		{1, {{"l1", 512, 64, 65, 1, false}}},
		{1, {{"l1", 0, 64, 2, 1, false}}},
		{1, {{"l1", 2ULL << 30, 64, 2, 1, false}}},
		{1, {{"l1", 512, 64, 2, 1, true}}},
		{2, {{"l1", 512, 64, 2, 1, false}, {"l2", 1024, 16, 2, 1, false}}},
		{3,
		 {{"l1", 512, 64, 2, 1, false},
		  {"l2", 1024, 64, 2, 1, true},
		  {"l3", 1024, 64, 2, 1, true}}},
	};
	struct machine *machine;

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct machine_config config = {.caches = bad[i]};

		assert_non_null(caches_shape_check(&bad[i]));
		assert_int_equal(machine_create(&machine, &config, NULL, NULL), -EINVAL);
	}
	for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct machine_config both = {
			.caches = shapes[i],
			.cache = {.bytes = 1024, .line_bytes = 64, .ways = 2},
		};

		assert_null(caches_shape_check(&shapes[i]));
		assert_int_equal(machine_create(&machine, &both, NULL, NULL), -EINVAL);
	}
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* Two nodes; page p is on node p % 2. */
static const struct machine_config two_config = {
	.nodes = 2,
	.processors = 3,
	.watch = MACHINE_WATCH_ALL,
	.locals = true,
	.accesses = true,
	.caches = {2, {{"l1", 512, 64, 2, 1, false}, {"llc", 4096, 64, 4, 9, true}}},
};

/* Processors 0 and 2 on node 0, processor 1 on node 1. */
static struct recorder *two_new(void)
{
	struct recorder *recorder = recorder_new(&two_config);

	for (unsigned p = 0; p < 3; p++)
		assert_int_equal(machine_processor_add(recorder->machine, p % 2), p);
	return recorder;
}

static void machine_fetches_lines_and_writes_them_back(void **state)
{
	struct recorder *recorder = two_new();
	struct machine *machine = recorder->machine;
	struct machine_statistics statistics;
	struct machine_local *list;

	/* Read and write two lines. Each line is fetched once; the other accesses are hits. */
	machine_read(machine, 0, PAGE + 8, 8);
	machine_read(machine, 0, PAGE + 56, 8);
	machine_write(machine, 0, PAGE + 64, 4);
	machine_write(machine, 0, PAGE + 70, 2);
	assert_int_equal(machine_clock(machine, 0), 2 * 1000 + 2);
	/* In local memory, the first access costs a local access, and the second a hit. */
	machine_read(machine, 2, 2 * PAGE, 8);
	machine_read(machine, 2, 2 * PAGE, 8);
	assert_int_equal(machine_clock(machine, 2), 2);
	/* Another processor of the node has modified the line, so the shared level has it. */
	machine_read(machine, 2, PAGE + 64, 8);
	assert_int_equal(machine_clock(machine, 2), 2 + 9);
	recorder_expect(recorder, "0: @0 40 0>1 #0 0x1000 +24\n"
				  "1: @0 40 0>1 #0 0x1000 +24\n"
				  "0: @5000 7e 1>0 #0 0 +88\n"
				  "1: @5000 7e 1>0 #0 0 +88\n"
				  "0: @5005 40 0>1 #1 0x1040 +24\n"
				  "1: @5005 40 0>1 #1 0x1040 +24\n"
				  "0: @10005 7e 1>0 #1 0 +88\n"
				  "1: @10005 7e 1>0 #1 0 +88\n");
	/*
	 * The home node of the line reads it. The other node writes it back, which takes as long as
	 * a read of that node's memory.
	 */
	machine_read(machine, 1, PAGE + 64, 8);
	assert_int_equal(machine_clock(machine, 1), 2002 + 1000);
	recorder_expect(recorder, "0: @10010 43 0>1 #2 0x1040 +88\n"
				  "1: @10010 43 0>1 #2 0x1040 +88\n"
				  "0: @10010 7c 1>0 #2 0 +24\n"
				  "1: @10010 7c 1>0 #2 0 +24\n");
	statistics = recorder_statistics(recorder, 1);
	assert_int_equal(statistics.local[SMILE_TYPE_READ], 1);
	assert_int_equal(statistics.local_cycles, 1);
	assert_int_equal(statistics.cache_cycles, 999);
	assert_int_equal(statistics.transfers, 1);
	assert_int_equal(statistics.misses[SMILE_TYPE_READ], 1);
	statistics = recorder_statistics(recorder, 0);
	assert_int_equal(statistics.remote[SMILE_TYPE_READ], 2);
	assert_int_equal(statistics.remote[SMILE_TYPE_WRITE], 1);
	assert_int_equal(statistics.remote_cycles[SMILE_TYPE_WRITE], 0);
	assert_int_equal(statistics.backs, 1);
	assert_int_equal(statistics.misses[SMILE_TYPE_WRITE], 1);
	assert_int_equal(statistics.level_hits[0][SMILE_TYPE_READ], 2);
	assert_int_equal(statistics.level_hits[0][SMILE_TYPE_WRITE], 1);
	assert_int_equal(statistics.level_hits[1][SMILE_TYPE_READ], 1);
	assert_int_equal(statistics.hits, 4);
	/* Only the accesses that no cache serves are counted for the page. */
	assert_int_equal(machine_accesses(machine, &list), 3);
	assert_int_equal(list[0].page, 1);
	assert_int_equal(list[0].node, 0);
	assert_int_equal(list[0].counts[SMILE_TYPE_READ], 2);
	assert_int_equal(list[0].counts[SMILE_TYPE_WRITE], 1);
	assert_int_equal(list[1].node, 1);
	assert_int_equal(list[1].counts[SMILE_TYPE_READ], 1);
	free(list);
	assert_int_equal(machine_locals(machine, &list), 2);
	assert_int_equal(list[0].page, 1);
	assert_int_equal(list[0].node, 1);
	assert_int_equal(list[1].page, 2);
	assert_int_equal(list[1].node, 0);
	free(list);
	recorder_free(recorder);
}

static void machine_lock_of_a_cached_line_is_a_hit(void **state)
{
	struct recorder *recorder = two_new();
	struct machine *machine = recorder->machine;

	machine_lock(machine, 0, PAGE + 8, 8);
	machine_lock(machine, 0, PAGE + 8, 8);
	assert_int_equal(machine_clock(machine, 0), 1001);
	assert_int_equal(recorder_statistics(recorder, 0).remote[SMILE_TYPE_LOCK], 1);
	assert_int_equal(recorder_statistics(recorder, 0).level_hits[0][SMILE_TYPE_LOCK], 1);
	/* The lock is a separate request. It modifies the line. */
	machine_read(machine, 1, PAGE + 8, 8);
	assert_int_equal(recorder_statistics(recorder, 0).backs, 1);
	recorder_expect(recorder, "0: @0 2f 0>1 #0 0x1008 +40\n"
				  "1: @0 2f 0>1 #0 0x1008 +40\n"
				  "0: @0 43 0>1 #1 0x1000 +88\n"
				  "1: @0 43 0>1 #1 0x1000 +88\n"
				  "0: @0 7c 1>0 #1 0 +24\n"
				  "1: @0 7c 1>0 #1 0 +24\n"
				  "0: @5000 7d 1>0 #0 0 +40\n"
				  "1: @5000 7d 1>0 #0 0 +40\n");
	recorder_free(recorder);
}

static void machine_splits_accesses_by_lines(void **state)
{
	struct recorder *recorder = two_new();
	struct machine *machine = recorder->machine;
	struct machine_statistics statistics;

	/* An access to two blocks of one line is one access; to two lines, two accesses. */
	machine_read(machine, 0, PAGE + 8, 16);
	machine_read(machine, 0, PAGE + 60, 8);
	statistics = recorder_statistics(recorder, 0);
	assert_int_equal(statistics.accesses, 2);
	assert_int_equal(statistics.split, 1);
	assert_int_equal(statistics.hits, 1);
	assert_int_equal(statistics.remote[SMILE_TYPE_READ], 2);
	recorder_free(recorder);
}

static void machine_forgets_lines_of_pages_that_go(void **state)
{
	struct recorder *recorder = two_new();
	struct machine *machine = recorder->machine;

	machine_write(machine, 0, PAGE, 8);
	assert_int_equal(machine_discard(machine, PAGE, PAGE, 0), 0);
	machine_read(machine, 0, PAGE, 8);
	assert_int_equal(recorder_statistics(recorder, 0).remote[SMILE_TYPE_READ], 2);
	assert_int_equal(machine_move(machine, 1, 0), 0);
	machine_read(machine, 0, PAGE, 8);
	assert_int_equal(recorder_statistics(recorder, 0).local[SMILE_TYPE_READ], 1);
	assert_int_equal(recorder_statistics(recorder, 0).backs, 0);
	recorder_free(recorder);
}

/* ---- the machine against the model ----------------------------------------------------------- */

/* struct seen - The requests on the watched links of all nodes. */
struct seen {
	uint64_t counts[NODES][NODES][SMILE_TYPE_COUNT];
};

static void seen_counted(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
			 size_t count, uint64_t time_ns)
{
	struct seen *seen = opaque;
	unsigned source = request >> 56 & 0x3f, home = request >> 48 & 0x3f;

	assert_true(source == node || home == node);
	for (size_t i = 0; i < count && source == node; i++)
		seen->counts[source][home][request >> 54 & 3] += counts[i];
}

static void seen_frames(void *opaque, unsigned node, const struct machine_frame *frames,
			size_t count)
{
	fail();
}

/* The cost and the counts of each access must follow from the result of the model. */
static void machine_with_caches_is_as_the_model(void **state)
{
	static const struct machine_ops ops = {.frames = seen_frames, .counted = seen_counted};
	static const uint32_t pairs[NODES * NODES] = {20, 35, 50, 35, 22, 40, 51, 41, 24};
	struct latency_model latency = {
		.name = "pairs",
		.frequency_hz = 1000000000,
		.local_cycles = 20,
		.remote_cycles =
			{[SMILE_TYPE_READ] = 35, [SMILE_TYPE_WRITE] = 35, [SMILE_TYPE_LOCK] = 70},
		.pairs = NODES,
		.pair_cycles = pairs,
	};
	const struct machine_config config = {
		.nodes = NODES,
		.processors = PROCESSORS,
		.latency = &latency,
		.watch = MACHINE_WATCH_ALL,
		.no_responses = true,
		.tally_bytes = 64,
		.locals = true,
		.caches = shapes[3],
	};
	uint64_t random = 88172645463325252ULL, clocks[PROCESSORS] = {0}, backs[NODES] = {0};
	struct seen seen = {0}, expected = {0};
	struct model *model = model_new(&shapes[3]);
	struct machine_local *locals;
	struct machine *machine;
	uint64_t local = 0, of_machine = 0;
	int64_t count;

	assert_int_equal(machine_create(&machine, &config, &ops, &seen), 0);
	for (unsigned p = 0; p < PROCESSORS; p++)
		assert_int_equal(machine_processor_add(machine, p % NODES), p);
	for (unsigned step = 0; step < 60000; step++) {
		unsigned p = 0, node, home, type = 1 + draw(&random, 3);
		uint64_t line = draw(&random, 4) ? draw(&random, 50) : draw(&random, 2000);
		struct caches_served served;

		/* The result depends on the order, so the lowest clock is next. */
		for (unsigned q = 1; q < PROCESSORS; q++)
			if (clocks[q] < clocks[p])
				p = q;
		node = p % NODES;
		home = line * 64 / PAGE % NODES;
		machine_step(machine, p, 3, type, line * 64 + draw(&random, 8) * 8, 8);
		model_access(model, p, line, type != SMILE_TYPE_READ, &served);
		for (unsigned i = 0; i < served.backs_count; i++) {
			unsigned from = served.backs[i].node;
			unsigned to = served.backs[i].line * 64 / PAGE % NODES;

			backs[from]++;
			expected.counts[from][to][SMILE_TYPE_WRITE]++;
		}
		clocks[p] += 3;
		if (served.level == CACHES_NONE) {
			unsigned kind = type == SMILE_TYPE_LOCK ? SMILE_TYPE_LOCK : SMILE_TYPE_READ;
			uint64_t read = pairs[node * NODES + home];
			uint64_t cost = kind == SMILE_TYPE_LOCK && home != node ? 2 * read : read;
			uint64_t far =
				served.from == CACHES_NONE ? 0 : pairs[node * NODES + served.from];

			expected.counts[node][home][kind]++;
			clocks[p] += far > read ? cost + far - read : cost;
		} else {
			unsigned level = served.level == 3 ? 2 : served.level;

			clocks[p] += shapes[3].levels[level].cycles;
		}
		assert_true(machine_clock(machine, p) == clocks[p]);
	}
	assert_int_equal(machine_barrier(machine), 0);
	count = machine_locals(machine, &locals);
	for (int64_t i = 0; i < count; i++)
		for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
			local += locals[i].counts[type];
	free(locals);
	for (unsigned n = 0; n < NODES; n++) {
		struct machine_statistics statistics;
		uint64_t parts = 0;

		assert_int_equal(machine_statistics(machine, n, &statistics), 0);
		assert_int_equal(statistics.backs, backs[n]);
		for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++) {
			assert_int_equal(statistics.local[type], expected.counts[n][n][type]);
			of_machine += statistics.local[type];
			parts += statistics.local[type] + statistics.remote[type];
			/* Cards do not count local accesses. */
			expected.counts[n][n][type] = 0;
		}
		assert_true(parts + statistics.hits ==
			    statistics.accesses + statistics.split + statistics.backs);
	}
	assert_true(local == of_machine);
	assert_memory_equal(&seen, &expected, sizeof(seen));
	machine_destroy(machine);
	model_free(model);
}

/**
 * struct fronts - The accesses by processors, before any cache, that the machine has reported.
 * @counts: accesses of each node and type
 * @words: accesses to each word of the first page
 * @home: home of the page of the last access
 */
struct fronts {
	uint64_t counts[NODES][SMILE_TYPE_COUNT];
	uint64_t words[PAGE / 4];
	unsigned home;
};

static void fronts_take(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
			size_t count)
{
	struct fronts *fronts = opaque;
	uint64_t address = SMILE_GET(BLINK_REQUEST_ADDRESS, request);

	assert_int_equal(SMILE_GET(BLINK_REQUEST_SOURCE, request), node);
	fronts->home = (unsigned)SMILE_GET(BLINK_REQUEST_TARGET, request);
	for (size_t i = 0; i < count; i++) {
		fronts->counts[node][SMILE_GET(BLINK_REQUEST_TYPE, request)] += counts[i];
		if (address + 4 * i < PAGE)
			fronts->words[address / 4 + i] += counts[i];
	}
}

/* Each access counts once, at its first word, whether or not a cache serves it. */
static void machine_counts_accesses_in_front_of_the_caches(void **state)
{
	static const struct machine_ops ops = {.accessed = fronts_take};
	struct machine_config config = {.nodes = NODES, .caches = shapes[3], .accessed_bytes = 4};
	const uint64_t read = (uint64_t)STREAM_READ << STREAM_KIND_SHIFT;
	const uint64_t words[] = {read | 3ULL << STREAM_SIZE_SHIFT | 8,
				  read | 3ULL << STREAM_SIZE_SHIFT | 8,
				  read | 3ULL << STREAM_SIZE_SHIFT | 60};
	struct fronts fronts = {.home = NODES};
	struct machine_steps steps;
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &config, &ops, &fronts), 0);
	machine_access(machine, 2, SMILE_TYPE_WRITE, 8, 8);
	machine_access(machine, 2, SMILE_TYPE_WRITE, 8, 8);
	machine_access(machine, 1, SMILE_TYPE_LOCK, 60, 8);
	assert_int_equal(machine_steps(machine, 0, words, 3, UINT64_MAX, &steps), 3);
	machine_accessed(machine);
	assert_int_equal(fronts.counts[2][SMILE_TYPE_WRITE], 2);
	assert_int_equal(fronts.counts[1][SMILE_TYPE_LOCK], 1);
	assert_int_equal(fronts.counts[0][SMILE_TYPE_READ], 3);
	assert_int_equal(fronts.words[2], 4);
	assert_int_equal(fronts.words[3], 0);
	assert_int_equal(fronts.words[15], 2);
	assert_int_equal(fronts.words[16], 0);
	/* With round-robin placement, the first page is on node 0. */
	assert_int_equal(fronts.home, 0);
	memset(&fronts, 0, sizeof(fronts));
	machine_accessed(machine);
	assert_int_equal(fronts.counts[2][SMILE_TYPE_WRITE], 0);
	machine_destroy(machine);

	config.accessed_bytes = 12;
	assert_int_equal(machine_create(&machine, &config, &ops, &fronts), -EINVAL);
	config.accessed_bytes = 4;
	config.caches.count = 0;
	assert_int_equal(machine_create(&machine, &config, &ops, &fronts), -EINVAL);
}

/* If a page is discarded or moved, its local and remote accesses so far keep their home. */
static void machine_accesses_have_the_home_of_their_time(void **state)
{
	static const struct machine_ops ops = {.accessed = fronts_take};
	const struct machine_config config = {.nodes = NODES,
					      .caches = shapes[3],
					      .accessed_bytes = 4,
					      .placement = placement_find("first-touch")};
	struct machine_statistics of[3];
	struct fronts fronts = {.home = NODES};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &config, &ops, &fronts), 0);
	machine_access(machine, 1, SMILE_TYPE_WRITE, 8, 8);
	machine_access(machine, 1, SMILE_TYPE_WRITE, 8, 8);
	machine_access(machine, 0, SMILE_TYPE_READ, 8, 8);
	assert_int_equal(machine_discard(machine, 0, PAGE, 0), 0);
	machine_access(machine, 2, SMILE_TYPE_READ, 8, 8);
	machine_access(machine, 1, SMILE_TYPE_READ, 8, 8);
	assert_int_equal(machine_move(machine, 0, 0), 0);
	machine_access(machine, 0, SMILE_TYPE_LOCK, 8, 8);
	machine_accessed(machine);
	for (unsigned n = 0; n < 3; n++)
		assert_int_equal(machine_statistics(machine, n, &of[n]), 0);
	assert_int_equal(of[1].made_local[SMILE_TYPE_WRITE], 2);
	assert_int_equal(of[1].made_remote[SMILE_TYPE_WRITE], 0);
	assert_int_equal(of[1].made_remote[SMILE_TYPE_READ], 1);
	assert_int_equal(of[0].made_remote[SMILE_TYPE_READ], 1);
	assert_int_equal(of[0].made_local[SMILE_TYPE_LOCK], 1);
	assert_int_equal(of[2].made_local[SMILE_TYPE_READ], 1);
	assert_int_equal(of[2].made_remote[SMILE_TYPE_READ], 0);
	machine_destroy(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_serve_as_the_model),
		cmocka_unit_test(caches_added_later_change_nothing),
		cmocka_unit_test(caches_that_cannot_be_are_refused),
		cmocka_unit_test(machine_fetches_lines_and_writes_them_back),
		cmocka_unit_test(machine_lock_of_a_cached_line_is_a_hit),
		cmocka_unit_test(machine_splits_accesses_by_lines),
		cmocka_unit_test(machine_forgets_lines_of_pages_that_go),
		cmocka_unit_test(machine_with_caches_is_as_the_model),
		cmocka_unit_test(machine_counts_accesses_in_front_of_the_caches),
		cmocka_unit_test(machine_accesses_have_the_home_of_their_time),
	};

	return cmocka_run_group_tests_name("machine_caches", tests, NULL, NULL);
}
