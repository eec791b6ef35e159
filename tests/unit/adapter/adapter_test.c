/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the whole adapter: registers, withdrawn pages, idle nodes, nodes that join, leave or
 * write invalid data, and the number of transactions of a fabric. May use adapter_fixture.h.
 */
#include <pthread.h>
#include <sched.h>

#include "tests/unit/adapter/adapter_fixture.h"

static void registers_powerOn_haveResetValues(void **state)
{
	struct fabric fabric = {.incoming = 64};
	struct node *a = node_make(&fabric, 3);

	(void)state;
	assert_int_equal(get(a, ADAPTER_REG_ID), 0x534d6941);
	assert_int_equal(get(a, ADAPTER_REG_VERSION), 0x00010000);
	assert_int_equal(get(a, ADAPTER_REG_CAPABILITY), 6 << 16 | 4 << 8 | 6);
	assert_int_equal(get(a, ADAPTER_REG_NODE), 3);
	assert_int_equal(get(a, ADAPTER_REG_TIMEOUT), 10000);
	assert_int_equal(get(a, ADAPTER_REG_RECEIVE_NODE), ADAPTER_ABSENT);
	assert_int_equal(get(a, ADAPTER_REG_CONTROL), 0);
	assert_int_equal(get(a, ADAPTER_REG_STATUS), 0);
	assert_int_equal(get(a, ADAPTER_REG_INT_STATUS), 0);
	assert_int_equal(get(a, ADAPTER_REG_INT_ENABLE), 0);
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 0);
	assert_int_equal(get(a, 0xffc), 0);
	assert_int_equal(get(a, ADAPTER_REGS_BYTES - 4), 0);
	node_free(a);
}

static void registers_impossibleValues_areRefused(void **state)
{
	struct fabric *fabric = fabric_make(1, 64);
	struct node *a = fabric->node[0];

	(void)state;
	put_refused(a, ADAPTER_REG_ID, 1);
	put_refused(a, ADAPTER_REG_CONTROL, 2);
	put_refused(a, ADAPTER_REG_COMMAND, 2);
	put_refused(a, ADAPTER_REG_TIMEOUT, 0);
	put_refused(a, ADAPTER_REG_TIMEOUT, 60001);
	put_refused(a, ADAPTER_REG_MAP_NODE, 64);
	put_refused(a, ADAPTER_REG_INT_ENABLE, 16);
	put_refused(a, ADAPTER_REG_INT_STATUS, 16);
	put_refused(a, ADAPTER_REG_COUNT_READS, 0);
	put_refused(a, ADAPTER_REG_RECEIVE_COMMAND, 2);
	put_refused(a, ADAPTER_REG_RECEIVE_DATA, 0);
	put_refused(a, ADAPTER_STATE_PAGE, 0);
	put_refused(a, ADAPTER_REG_CONTROL + 2, 0);
	put(a, ADAPTER_REG_MAP_WINDOW, WINDOW_PAGES - 1);
	put(a, ADAPTER_REG_MAP_COUNT, 2);
	put_refused(a, ADAPTER_REG_MAP_COMMAND, ADAPTER_MAP_SET);
	put(a, ADAPTER_REG_MAP_COUNT, 0);
	put_refused(a, ADAPTER_REG_MAP_COMMAND, ADAPTER_MAP_CLEAR);
	put(a, ADAPTER_REG_MAP_COUNT, 1);
	put_refused(a, ADAPTER_REG_MAP_COMMAND, 0);
	put_refused(a, ADAPTER_REG_MAP_COMMAND, ADAPTER_MAP_SET | ADAPTER_MAP_CLEAR);
	put(a, ADAPTER_REG_MAP_REMOTE, 0xffffffff);
	put_refused(a, ADAPTER_REG_MAP_COMMAND, ADAPTER_MAP_SET);
	put(a, ADAPTER_REG_EXPORT_PAGE, MEMORY_PAGES);
	put(a, ADAPTER_REG_EXPORT_COUNT, 1);
	put_refused(a, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_SET);
	put(a, ADAPTER_REG_EXPORT_PAGE, 1);
	put(a, ADAPTER_REG_EXPORT_COUNT, MEMORY_PAGES);
	put_refused(a, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_SET);
	fabric_free(fabric);
}

static void reset_afterUse_forgetsAllButTheNodes(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	node_map(b, a, 0, 0);
	store(a, 0, 4, 1);
	put(a, ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
	assert_int_equal(get(a, ADAPTER_REG_CONTROL), 0);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_WRITES), 0);
	assert_int_equal(load(b, 0, 4), 0xffffffff);
	expect_error(b, 0, 1, ADAPTER_ERROR_NODE);
	put(a, ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
	put(b, ADAPTER_REG_LOST_LOW, 1);
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 3);
	assert_int_equal(load(b, 0, 4), 0xffffffff);
	expect_error(b, 0, 2, ADAPTER_ERROR_EXPORT);
	assert_int_equal(load(a, 0, 4), 0xffffffff);
	expect_error(a, 0, 1, ADAPTER_ERROR_UNMAPPED);
	/* Node a had issued the write before the reset; the write is still delivered. */
	work(b);
	assert_int_equal(get_64(b, ADAPTER_REG_COUNT_RECEIVED), 1);
	fabric_free(fabric);
}

/* Node a restarts so quickly that REACHABLE does not change. Only LOST shows the restart. */
static void lost_nodeStartsAgain_isUnreachableUntilTheBitIsCleared(void **state)
{
	struct fabric *fabric = fabric_make(3, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	assert_int_equal(load(a, 0, 4), 0);
	put(a, ADAPTER_REG_INT_STATUS, ADAPTER_INT_ALL);
	put(b, ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
	put(b, ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
	put(b, ADAPTER_REG_EXPORT_COUNT, 1);
	put(b, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_SET);
	/*
	 * Node b has exported the page again, but for another use than when node a mapped the page.
	 */
	store(a, 0, 4, 1);
	expect_error(a, 1, 1, ADAPTER_ERROR_NODE);
	assert_int_equal(b->memory[0], 0);
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 5);
	assert_int_equal(get(a, ADAPTER_REG_LOST_LOW), 2);
	assert_int_equal(get(a, ADAPTER_REG_LOST_HIGH), 0);
	assert_true(get(a, ADAPTER_REG_INT_STATUS) & ADAPTER_INT_NODE);
	put(a, ADAPTER_REG_LOST_HIGH, 0xffffffff);
	put(a, ADAPTER_REG_LOST_LOW, 0xfffffffd);
	assert_int_equal(get(a, ADAPTER_REG_LOST_LOW), 2);
	put(a, ADAPTER_REG_LOST_LOW, 2);
	assert_int_equal(get(a, ADAPTER_REG_LOST_LOW), 0);
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 7);
	store(a, 0, 4, 1);
	assert_int_equal(b->memory[0], 1);
	/* A node never reports itself as lost. */
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 0);
	fabric_free(fabric);
}

static void withdraw_accessUnderWay_isRevokingUntilItEnds(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	_Atomic uint32_t *epoch = &b->region->inbox[0].epoch;

	(void)state;
	node_map(a, b, 0, 0);
	store(a, 0, 4, 1);
	assert_int_equal(atomic_load(epoch) % 2, 0);
	atomic_fetch_add(epoch, 1);
	put(b, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_CLEAR);
	assert_true(get(b, ADAPTER_REG_STATUS) & ADAPTER_STATUS_REVOKING);
	assert_true(get(b, ADAPTER_REG_STATUS) & ADAPTER_STATUS_REVOKING);
	atomic_fetch_add(epoch, 1);
	assert_false(get(b, ADAPTER_REG_STATUS) & ADAPTER_STATUS_REVOKING);
	/* A detached node accesses nothing, whatever its epoch is. */
	atomic_fetch_add(epoch, 1);
	put(b, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_CLEAR);
	assert_true(get(b, ADAPTER_REG_STATUS) & ADAPTER_STATUS_REVOKING);
	adapter_detach(&b->adapter, 0);
	assert_false(get(b, ADAPTER_REG_STATUS) & ADAPTER_STATUS_REVOKING);
	fabric_free(fabric);
}

static void rest_somethingComes_ringsOnce(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	unsigned int rings;

	(void)state;
	node_map(a, b, 0, 0);
	store(a, 0, 4, 1);
	assert_false(adapter_rest(&b->adapter));
	work(b);
	rings = a->rings;
	store(a, 0, 4, 1);
	assert_int_equal(a->rings, rings);
	work(b);
	assert_true(adapter_rest(&b->adapter));
	store(a, 0, 4, 1);
	store(a, 0, 4, 1);
	assert_int_equal(a->rings, rings + 1);
	fabric_free(fabric);
}

static void attach_impossibleRegion_isRefused(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	size_t bytes = link_bytes(MEMORY_PAGES, 64);
	uint64_t memory = MEMORY_PAGES * ADAPTER_PAGE_BYTES;

	(void)state;
	adapter_detach(&a->adapter, 1);
	assert_non_null(adapter_attach(&a->adapter, 2, b->region, bytes, b->memory, memory));
	assert_non_null(adapter_attach(&a->adapter, 1, b->region, bytes - 1, b->memory, memory));
	assert_non_null(adapter_attach(&a->adapter, 1, b->region, 64, b->memory, memory));
	assert_non_null(adapter_attach(&a->adapter, 1, b->region, bytes, b->memory, memory / 2));
	b->region->memory_pages = 3;
	assert_non_null(adapter_attach(&a->adapter, 1, b->region, bytes, b->memory, memory));
	b->region->memory_pages = MEMORY_PAGES;
	b->region->version++;
	assert_non_null(adapter_attach(&a->adapter, 1, b->region, bytes, b->memory, memory));
	b->region->version--;
	b->region->magic++;
	assert_non_null(adapter_attach(&a->adapter, 1, b->region, bytes, b->memory, memory));
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 1);
	b->region->magic--;
	node_attach(a, b);
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 3);
	fabric_free(fabric);
}

static void receive_entriesThatAreNotSound_areCountedAndDropped(void **state)
{
	static const struct link_entry bad[] = {
		{.command = 0x7f},
		{.command = 0x50},
		{.command = UINT32_MAX},
		{.command = BLINK_READSB, .transaction = 64},
		{.command = BLINK_READSB, .address = MEMORY_PAGES * ADAPTER_PAGE_BYTES},
		{.command = BLINK_READSB, .address = UINT64_MAX},
		{.command = BLINK_NREAD256, .address = MEMORY_PAGES * ADAPTER_PAGE_BYTES - 255},
		{.command = BLINK_NWRITE256, .address = MEMORY_PAGES * ADAPTER_PAGE_BYTES - 255},
		{.command = BLINK_READSB, .address = LINK_MESSAGE},
		{.command = BLINK_DMOVE64, .address = LINK_MESSAGE},
	};
	struct fabric *fabric = fabric_make(2, 64);
	struct node *b = fabric->node[1];
	struct link_inbox *inbox = &b->region->inbox[0];
	struct link_entry *entries = link_entries(b->region, MEMORY_PAGES, 64, 0);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		entries[i] = bad[i];
		atomic_fetch_add(&inbox->tail, 1);
		work(b);
		assert_int_equal(get_64(b, ADAPTER_REG_COUNT_REFUSED), i + 1);
	}
	expect_no_frame(b);
	assert_int_equal(get(b, ADAPTER_REG_RECEIVE_NODE), ADAPTER_ABSENT);
	/* Set the tail beyond the end of the inbox's free room. */
	atomic_fetch_add(&inbox->tail, 65);
	work(b);
	expect_no_frame(b);
	assert_int_equal(get_64(b, ADAPTER_REG_COUNT_REFUSED), i + 1);
	assert_true(adapter_drained(&b->adapter, 0));
	/* A time stamp in the future does not stop the clock. */
	entries[atomic_load(&inbox->tail) % 64] =
		(struct link_entry){.command = BLINK_READSB, .time_ns = UINT64_MAX};
	atomic_fetch_add(&inbox->tail, 1);
	work(b);
	assert_int_equal(b->frame_count, 2);
	assert_true(b->frames[0].time_ns <= fabric->now_ns);
	fabric_free(fabric);
}

static void detach_entriesLeft_areDelivered(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	store(a, 0, 4, 1);
	store(a, 0, 4, 1);
	adapter_detach(&b->adapter, 0);
	assert_false(adapter_drained(&b->adapter, 0));
	work(b);
	assert_true(adapter_drained(&b->adapter, 0));
	assert_int_equal(get_64(b, ADAPTER_REG_COUNT_RECEIVED), 2);
	fabric_free(fabric);
}

/* ---- frames pass before their effect on memory is visible ---- */

static void catchUp_manyHaveArrived_allPass(void **state)
{
	struct fabric *fabric = fabric_make(2, 256);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	int i;

	(void)state;
	node_map(a, b, 0, 0);
	for (i = 0; i < 200; i++)
		store(a, 0, 8, 1);
	assert_int_equal(b->frame_count, 0);
	b->full = true;
	adapter_catch_up(&b->adapter);
	assert_int_equal(b->frame_count, 0);
	b->full = false;
	adapter_catch_up(&b->adapter);
	assert_int_equal(b->frame_count, 400);
	fabric_free(fabric);
}

static void catchUp_accessNeverEnds_waitsForTimeoutOnce(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	_Atomic uint32_t *epoch = &b->region->inbox[0].epoch;
	uint64_t start;

	(void)state;
	node_map(a, b, 0, 0);
	put(b, ADAPTER_REG_TIMEOUT, 1);
	store(a, 0, 8, 1);
	atomic_fetch_add(epoch, 1);
	start = fabric->now_ns;
	adapter_catch_up(&b->adapter);
	assert_true(fabric->now_ns - start >= 1000000);
	assert_int_equal(b->frame_count, 2);
	start = fabric->now_ns;
	adapter_catch_up(&b->adapter);
	assert_true(fabric->now_ns - start < 1000000);
	/* The node works again, so the adapter waits for it at the next access. */
	atomic_fetch_add(epoch, 2);
	start = fabric->now_ns;
	adapter_catch_up(&b->adapter);
	assert_true(fabric->now_ns - start >= 1000000);
	/* The adapter does not wait for a detached node. */
	atomic_fetch_add(epoch, 2);
	adapter_detach(&b->adapter, 0);
	start = fabric->now_ns;
	adapter_catch_up(&b->adapter);
	assert_true(fabric->now_ns - start < 1000000);
	fabric_free(fabric);
}

#define SIGNALS 40000

/* In turn, store to a page and lock a page, through the window. */
static void *signaller(void *opaque)
{
	struct node *node = opaque;
	uint64_t value;
	int i;

	for (i = 1; i <= SIGNALS; i++) {
		while (!adapter_store(&node->adapter, 0, 8, (uint64_t)i))
			sched_yield();
		while (!adapter_load(&node->adapter, MEMORY_PAGES * ADAPTER_PAGE_BYTES + 8, 4,
				     &value))
			sched_yield();
	}
	return NULL;
}

static void catchUp_memoryShowsAnAccess_itHasPassed(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	const volatile uint64_t *stored = (const volatile uint64_t *)b->memory;
	const volatile uint32_t *locked = (const volatile uint32_t *)(b->memory + 8);
	uint64_t seen = 0;
	pthread_t thread;

	(void)state;
	node_map(a, b, 0, 0);
	node_map(a, b, MEMORY_PAGES, ADAPTER_MAP_LOCK);
	assert_int_equal(pthread_create(&thread, NULL, signaller, a), 0);
	while (seen < 2 * SIGNALS) {
		uint64_t before = *locked;

		seen = *stored + before;
		/*
		 * QEMU also calls this function before the guest accesses a register of the
		 * monitor.
		 */
		adapter_catch_up(&b->adapter);
		assert_true(b->frame_count >= 2 * seen);
	}
	pthread_join(thread, NULL);
	assert_int_equal(b->frame_count, 4 * SIGNALS);
	fabric_free(fabric);
}

/* ---- all nodes at the same time ---- */

#define ACCESSES 40000

/* The number of threads that have issued all their accesses. */
static _Atomic unsigned int finished;

/* The thread of one node's processor: access all nodes at random, including the own node. */
static void *processor(void *opaque)
{
	struct node *node = opaque;
	uint32_t random = 2463534242u + node->adapter.node;
	uint64_t value;
	int i;

	for (i = 0; i < ACCESSES; i++) {
		uint64_t offset;
		bool done;

		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		offset = random % (NODES_MAX * MEMORY_PAGES * ADAPTER_PAGE_BYTES - 8);
		if (offset % 4096 > 4088)
			offset -= 8;
		do {
			/* Let the monitor be full at random times. */
			node->full = random >> 28 == 0 && i % 8 == 0 && !node->full;
			done = random & 1 ? adapter_load(&node->adapter, offset, 8, &value)
					  : adapter_store(&node->adapter, offset, 8, random);
			if (!done)
				sched_yield();
			adapter_work(&node->adapter);
		} while (!done);
	}
	node->full = false;
	atomic_fetch_add(&finished, 1);
	/* A node whose processor has finished still receives the accesses of the other nodes. */
	while (atomic_load(&finished) < NODES_MAX) {
		adapter_work(&node->adapter);
		sched_yield();
	}
	return NULL;
}

static uint64_t issued_by(struct node *node)
{
	return get_64(node, ADAPTER_REG_COUNT_READS) + get_64(node, ADAPTER_REG_COUNT_WRITES);
}

static void fabric_allAtOnce_everyTransactionPassesOnceOnBothBLinks(void **state)
{
	struct fabric *fabric = fabric_make(NODES_MAX, 16);
	uint64_t issued = 0, received = 0, frames = 0, failed = 0;
	pthread_t thread[NODES_MAX];
	unsigned int i, j;

	(void)state;
	atomic_store(&finished, 0);
	for (i = 0; i < NODES_MAX; i++) {
		for (j = 0; j < NODES_MAX; j++)
			node_map(fabric->node[i], fabric->node[j], j * MEMORY_PAGES, 0);
		put(fabric->node[i], ADAPTER_REG_TIMEOUT, ADAPTER_TIMEOUT_MS_MAX);
	}
	for (i = 0; i < NODES_MAX; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, processor, fabric->node[i]), 0);
	for (i = 0; i < NODES_MAX; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	for (i = 0; i < NODES_MAX; i++) {
		struct node *node = fabric->node[i];

		work(node);
		issued += issued_by(node);
		received += get_64(node, ADAPTER_REG_COUNT_RECEIVED);
		failed += get_64(node, ADAPTER_REG_COUNT_FAILED) +
			  get_64(node, ADAPTER_REG_COUNT_REFUSED);
		frames += node->frame_count;
	}
	assert_int_equal(failed, 0);
	assert_true(issued >= NODES_MAX * ACCESSES);
	assert_true(received < issued && received > issued / 2);
	/* Each access causes two frames (request, response), each on the B-Links of both nodes. */
	assert_int_equal(frames, 2 * (issued + received));
	fabric_free(fabric);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_powerOn_haveResetValues),
		cmocka_unit_test(registers_impossibleValues_areRefused),
		cmocka_unit_test(reset_afterUse_forgetsAllButTheNodes),
		cmocka_unit_test(lost_nodeStartsAgain_isUnreachableUntilTheBitIsCleared),
		cmocka_unit_test(withdraw_accessUnderWay_isRevokingUntilItEnds),
		cmocka_unit_test(rest_somethingComes_ringsOnce),
		cmocka_unit_test(attach_impossibleRegion_isRefused),
		cmocka_unit_test(receive_entriesThatAreNotSound_areCountedAndDropped),
		cmocka_unit_test(detach_entriesLeft_areDelivered),
		cmocka_unit_test(catchUp_manyHaveArrived_allPass),
		cmocka_unit_test(catchUp_accessNeverEnds_waitsForTimeoutOnce),
		cmocka_unit_test(catchUp_memoryShowsAnAccess_itHasPassed),
		cmocka_unit_test(fabric_allAtOnce_everyTransactionPassesOnceOnBothBLinks),
	};

	return cmocka_run_group_tests_name("adapter", tests, NULL, NULL);
}
