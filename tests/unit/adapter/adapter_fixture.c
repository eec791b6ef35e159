/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See adapter_fixture.h. */
#include <base/field.h>

#include "tests/unit/adapter/adapter_fixture.h"

/* The argument of a node's callbacks. */
struct bench {
	struct node node;
	struct fabric *fabric;
};

static bool bench_room(void *opaque)
{
	return !((struct node *)opaque)->full;
}

static void bench_blink(void *opaque, const void *frame, size_t bytes, uint64_t time_ns)
{
	struct node *node = opaque;
	struct passed *passed;

	assert_true(bytes >= 3 * BLINK_WORD_BYTES && bytes <= BLINK_BYTES_MAX);
	if (node->frame_count < FRAMES_MAX) {
		passed = &node->frames[node->frame_count];
		memcpy(passed, frame, bytes);
		passed->bytes = bytes;
		passed->time_ns = time_ns;
	}
	node->frame_count++;
}

static void bench_interrupt(void *opaque, bool level)
{
	struct node *node = opaque;

	assert_true(level != node->level);
	node->level = level;
}

static void bench_ring(void *opaque, uint32_t node)
{
	(void)node;
	((struct node *)opaque)->rings++;
}

static uint64_t bench_now(void *opaque)
{
	return ((struct bench *)opaque)->fabric->now_ns += 10;
}

static const struct adapter_ops bench_ops = {
	.room = bench_room,
	.blink = bench_blink,
	.interrupt = bench_interrupt,
	.ring = bench_ring,
	.now = bench_now,
};

struct node *node_make(struct fabric *fabric, unsigned int id)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	size_t bytes = link_bytes(MEMORY_PAGES, fabric->incoming);
	struct node *node = &bench->node;
	struct adapter_setup setup;

	assert_non_null(bench);
	assert_true(bytes > 0);
	bench->fabric = fabric;
	node->region = aligned_alloc(64, (bytes + 63) / 64 * 64);
	node->memory = aligned_alloc(ADAPTER_PAGE_BYTES, MEMORY_PAGES * ADAPTER_PAGE_BYTES);
	assert_true(node->region && node->memory);
	memset(node->region, 0, bytes);
	memset(node->memory, 0, MEMORY_PAGES * ADAPTER_PAGE_BYTES);
	link_init(node->region, id, MEMORY_PAGES, fabric->incoming);
	setup = (struct adapter_setup){
		.node = id,
		.region = node->region,
		.memory = node->memory,
		.map = node->map,
		.window_pages = WINDOW_PAGES,
		.timeout_ms = ADAPTER_TIMEOUT_MS,
		.ops = &bench_ops,
		.opaque = bench,
	};
	adapter_init(&node->adapter, &setup);
	fabric->node[id] = node;
	return node;
}

void node_free(struct node *node)
{
	free(node->region);
	free(node->memory);
	free(node);
}

void node_attach(struct node *node, struct node *other)
{
	assert_null(adapter_attach(&node->adapter, other->adapter.node, other->region,
				   link_bytes(MEMORY_PAGES, other->region->incoming), other->memory,
				   MEMORY_PAGES * ADAPTER_PAGE_BYTES));
}

struct fabric *fabric_make(unsigned int count, uint32_t incoming)
{
	struct fabric *fabric = calloc(1, sizeof(*fabric));
	unsigned int i, j;

	assert_non_null(fabric);
	fabric->incoming = incoming;
	for (i = 0; i < count; i++)
		node_make(fabric, i);
	for (i = 0; i < count; i++) {
		for (j = 0; j < count; j++) {
			if (i != j)
				node_attach(fabric->node[i], fabric->node[j]);
		}
		adapter_fabric(&fabric->node[i]->adapter, true);
		put(fabric->node[i], ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
	}
	return fabric;
}

void fabric_free(struct fabric *fabric)
{
	unsigned int i;

	for (i = 0; i < NODES_MAX; i++) {
		if (fabric->node[i])
			node_free(fabric->node[i]);
	}
	free(fabric);
}

void node_map(struct node *node, struct node *owner, uint32_t page, uint32_t flags)
{
	put(owner, ADAPTER_REG_EXPORT_PAGE, 0);
	put(owner, ADAPTER_REG_EXPORT_COUNT, MEMORY_PAGES);
	put(owner, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_SET);
	put(node, ADAPTER_REG_MAP_WINDOW, page);
	put(node, ADAPTER_REG_MAP_NODE, owner->adapter.node);
	put(node, ADAPTER_REG_MAP_REMOTE, 0);
	put(node, ADAPTER_REG_MAP_COUNT, MEMORY_PAGES);
	put(node, ADAPTER_REG_MAP_COMMAND, ADAPTER_MAP_SET | flags);
}

uint32_t get(struct node *node, uint32_t offset)
{
	return adapter_mmio_read(&node->adapter, offset);
}

uint64_t get_64(struct node *node, uint32_t offset)
{
	uint64_t low = get(node, offset);

	return (uint64_t)get(node, offset + 4) << 32 | low;
}

void put(struct node *node, uint32_t offset, uint32_t value)
{
	adapter_mmio_write(&node->adapter, offset, value);
	assert_false(get(node, ADAPTER_REG_STATUS) & ADAPTER_STATUS_BAD_WRITE);
}

void put_refused(struct node *node, uint32_t offset, uint32_t value)
{
	adapter_mmio_write(&node->adapter, offset, value);
	assert_true(get(node, ADAPTER_REG_STATUS) & ADAPTER_STATUS_BAD_WRITE);
	put(node, ADAPTER_REG_STATUS, ADAPTER_STATUS_BAD_WRITE);
}

void expect_error(struct node *node, unsigned int of, uint32_t count, uint32_t why)
{
	assert_int_equal(get(node, ADAPTER_REG_ERRORS + of * ADAPTER_STRIDE_ERRORS), count);
	assert_int_equal(get(node, ADAPTER_REG_ERROR + of * ADAPTER_STRIDE_ERROR), why);
}

uint64_t load(struct node *node, uint64_t offset, uint32_t bytes)
{
	uint64_t value;

	assert_true(adapter_load(&node->adapter, offset, bytes, &value));
	return value;
}

void store(struct node *node, uint64_t offset, uint32_t bytes, uint64_t value)
{
	assert_true(adapter_store(&node->adapter, offset, bytes, value));
}

void work(struct node *node)
{
	while (adapter_work(&node->adapter))
		continue;
}

const struct passed *expect_frame(struct node *node, unsigned int source, unsigned int target,
				  unsigned int command, uint64_t address, size_t payload_bytes)
{
	const struct passed *passed = &node->frames[node->checked];

	assert_true(node->checked < node->frame_count);
	assert_int_equal(SMILE_GET(BLINK_BD1_SOURCE, passed->bd1), source);
	assert_int_equal(SMILE_GET(BLINK_BD1_TARGET, passed->bd1), target);
	assert_int_equal(SMILE_GET(BLINK_BD1_COMMAND, passed->bd1), command);
	assert_int_equal(SMILE_GET(BLINK_BD2_ADDRESS, passed->bd2), address);
	assert_int_equal(SMILE_GET(BLINK_BD1_TRANSACTION, passed->bd1),
			 SMILE_GET(BLINK_BD2_TRANSACTION, passed->bd2));
	assert_int_equal(passed->bytes, payload_bytes + 3 * BLINK_WORD_BYTES);
	if (node->checked)
		assert_true(passed->time_ns >= node->frames[node->checked - 1].time_ns);
	node->checked++;
	return passed;
}

void expect_no_frame(struct node *node)
{
	assert_int_equal(node->checked, node->frame_count);
}
