/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the window: the effect of an access on the owner's memory, the frames on both B-Links,
 * and accesses that fail or must wait. May use adapter_fixture.h.
 */
#include "tests/unit/adapter/adapter_fixture.h"

#define NODE1 (1ULL << 32) /* the address of node 1 on the B-Link */

static void load_mappedPage_readsTheOwnersMemory(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	const struct passed *response;

	(void)state;
	node_map(a, b, 4, 0);
	memcpy(b->memory + 0x2010, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
	assert_int_equal(load(a, 4 * 4096 + 0x2010, 8), 0x8877665544332211);
	assert_int_equal(load(a, 4 * 4096 + 0x2011, 1), 0x22);
	expect_frame(a, 0, 1, BLINK_READSB | 7, NODE1 + 0x2010, 0);
	response = expect_frame(a, 1, 0, BLINK_RESPONSE16, 0, 16);
	assert_int_equal(response->payload[0], 0x8877665544332211);
	expect_frame(a, 0, 1, BLINK_READSB | 1, NODE1 + 0x2011, 0);
	expect_frame(a, 1, 0, BLINK_RESPONSE16, 0, 16);
	expect_no_frame(a);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_READS), 2);

	expect_no_frame(b);
	work(b);
	expect_frame(b, 0, 1, BLINK_READSB | 7, NODE1 + 0x2010, 0);
	response = expect_frame(b, 1, 0, BLINK_RESPONSE16, 0, 16);
	assert_int_equal(response->payload[0], 0x8877665544332211);
	expect_frame(b, 0, 1, BLINK_READSB | 1, NODE1 + 0x2011, 0);
	expect_frame(b, 1, 0, BLINK_RESPONSE16, 0, 16);
	expect_no_frame(b);
	assert_int_equal(get_64(b, ADAPTER_REG_COUNT_RECEIVED), 2);
	fabric_free(fabric);
}

static void store_anySize_writesTheseBytesAlone(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	const struct passed *request;
	uint32_t bytes;

	(void)state;
	node_map(a, b, 0, 0);
	for (bytes = 1; bytes <= 8; bytes++) {
		uint8_t expected[24], value[8] = {1, 2, 3, 4, 5, 6, 7, 8};
		uint64_t word;

		memset(b->memory, 0xee, 24);
		memset(expected, 0xee, 24);
		memcpy(expected + 3, value, bytes);
		memcpy(&word, value, 8);
		store(a, 3, bytes, word);
		assert_memory_equal(b->memory, expected, 24);
		request = expect_frame(a, 0, 1, BLINK_WRITESB | (3 + bytes - 1), NODE1 + 3, 16);
		assert_memory_equal((const uint8_t *)request->payload + 3, value, bytes);
		assert_int_equal(((const uint8_t *)request->payload)[2], 0);
		assert_int_equal(((const uint8_t *)request->payload)[3 + bytes], 0);
		expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	}
	fabric_free(fabric);
}

static void access_acrossABlock_isTwoTransactions(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	store(a, 13, 8, 0x8877665544332211);
	assert_memory_equal(b->memory + 13, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
	assert_int_equal(load(a, 13, 8), 0x8877665544332211);
	expect_frame(a, 0, 1, BLINK_WRITESB | 15, NODE1 + 13, 16);
	expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	expect_frame(a, 0, 1, BLINK_WRITESB | 4, NODE1 + 16, 16);
	expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	expect_frame(a, 0, 1, BLINK_READSB | 15, NODE1 + 13, 0);
	expect_frame(a, 1, 0, BLINK_RESPONSE16, 0, 16);
	expect_frame(a, 0, 1, BLINK_READSB | 4, NODE1 + 16, 0);
	expect_frame(a, 1, 0, BLINK_RESPONSE16, 0, 16);
	expect_no_frame(a);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_WRITES), 2);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_READS), 2);
	work(b);
	assert_int_equal(get_64(b, ADAPTER_REG_COUNT_RECEIVED), 4);
	fabric_free(fabric);
}

static void load_lockPage_fetchesAndIncrements(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	uint32_t value = 41;

	(void)state;
	node_map(a, b, 0, ADAPTER_MAP_LOCK);
	memcpy(b->memory + 8, &value, 4);
	assert_int_equal(load(a, 8, 4), 41);
	assert_int_equal(load(a, 8, 4), 42);
	memcpy(&value, b->memory + 8, 4);
	assert_int_equal(value, 43);
	expect_frame(a, 0, 1, BLINK_LOCKSB | 11, NODE1 + 8, 16);
	expect_frame(a, 1, 0, BLINK_RESPONSE16, 0, 16);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_LOCKS), 2);
	/* A lock has 4 bytes. An access of another size fails. */
	assert_int_equal(load(a, 8, 8), UINT64_MAX);
	expect_error(a, 1, 1, ADAPTER_ERROR_RANGE);
	memcpy(&value, b->memory + 8, 4);
	assert_int_equal(value, 43);
	fabric_free(fabric);
}

static void load_ownNode_passesOnceOnItsBLink(void **state)
{
	struct fabric *fabric = fabric_make(1, 64);
	struct node *a = fabric->node[0];

	(void)state;
	node_map(a, a, 0, 0);
	store(a, 16, 4, 7);
	assert_int_equal(load(a, 16, 4), 7);
	work(a);
	expect_frame(a, 0, 0, BLINK_WRITESB | 3, 16, 16);
	expect_frame(a, 0, 0, BLINK_RESPONSE00, 0, 0);
	expect_frame(a, 0, 0, BLINK_READSB | 3, 16, 0);
	expect_frame(a, 0, 0, BLINK_RESPONSE16, 0, 16);
	expect_no_frame(a);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_RECEIVED), 0);
	fabric_free(fabric);
}

/* ---- accesses that fail ---- */

static void access_unmappedPage_fails(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0];

	(void)state;
	node_map(a, fabric->node[1], 1, 0);
	assert_int_equal(load(a, 0, 4), 0xffffffff);
	assert_int_equal(load(a, (uint64_t)WINDOW_PAGES * 4096, 8), UINT64_MAX);
	expect_error(a, 0, 2, ADAPTER_ERROR_UNMAPPED);
	assert_int_equal(load(a, 2 * 4096 - 4, 8), UINT64_MAX);
	expect_error(a, 0, 3, ADAPTER_ERROR_UNMAPPED);
	expect_no_frame(a);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_FAILED), 3);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_READS), 0);
	assert_true(get(a, ADAPTER_REG_INT_STATUS) & ADAPTER_INT_ERROR);
	fabric_free(fabric);
}

static void access_pageNotExported_failsAndChangesNothing(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	put(b, ADAPTER_REG_EXPORT_PAGE, 3);
	put(b, ADAPTER_REG_EXPORT_COUNT, 1);
	put(b, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_CLEAR);
	assert_false(get(b, ADAPTER_REG_STATUS) & ADAPTER_STATUS_REVOKING);
	store(a, 3 * 4096, 8, 1);
	assert_int_equal(load(a, 3 * 4096, 8), UINT64_MAX);
	assert_int_equal(b->memory[3 * 4096], 0);
	expect_error(a, 1, 2, ADAPTER_ERROR_EXPORT);
	store(a, 3 * 4096 - 8, 8, 5);
	store(a, 4 * 4096, 8, 6);
	expect_error(a, 1, 2, ADAPTER_ERROR_EXPORT);
	work(b);
	assert_int_equal(get_64(b, ADAPTER_REG_COUNT_RECEIVED), 2);
	fabric_free(fabric);
}

static void access_beyondTheMemory_fails(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0];

	(void)state;
	node_map(a, fabric->node[1], 0, 0);
	put(a, ADAPTER_REG_MAP_WINDOW, 0);
	put(a, ADAPTER_REG_MAP_REMOTE, MEMORY_PAGES);
	put(a, ADAPTER_REG_MAP_COUNT, 1);
	put(a, ADAPTER_REG_MAP_COMMAND, ADAPTER_MAP_SET);
	assert_int_equal(load(a, 0, 4), 0xffffffff);
	expect_error(a, 1, 1, ADAPTER_ERROR_RANGE);
	fabric_free(fabric);
}

static void access_nodeGoneOrDisabled_failsUntilItIsBack(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	put(b, ADAPTER_REG_CONTROL, 0);
	assert_int_equal(load(a, 0, 4), 0xffffffff);
	expect_error(a, 1, 1, ADAPTER_ERROR_NODE);
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 1);
	put(b, ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
	put(a, ADAPTER_REG_LOST_LOW, 2);
	assert_int_equal(load(a, 0, 4), 0);
	assert_int_equal(get(a, ADAPTER_REG_REACHABLE_LOW), 3);
	adapter_detach(&a->adapter, 1);
	assert_int_equal(load(a, 0, 4), 0xffffffff);
	expect_error(a, 1, 2, ADAPTER_ERROR_NODE);
	put(a, ADAPTER_REG_CONTROL, 0);
	assert_int_equal(load(a, 0, 4), 0xffffffff);
	expect_error(a, 1, 3, ADAPTER_ERROR_DISABLED);
	fabric_free(fabric);
}

/* ---- accesses that are held back ---- */

static void access_inboxFull_isHeldUntilThereIsRoom(void **state)
{
	struct fabric *fabric = fabric_make(2, 4);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	uint64_t value;
	int i;

	(void)state;
	node_map(a, b, 0, 0);
	for (i = 0; i < 3; i++)
		store(a, 0, 4, 1);
	/* The store needs two transactions. There is no room for both, so neither is executed. */
	assert_false(adapter_store(&a->adapter, 12, 8, UINT64_MAX));
	assert_int_equal(b->memory[12], 0);
	assert_int_equal(a->frame_count, 6);
	store(a, 0, 4, 2);
	assert_false(adapter_load(&a->adapter, 0, 4, &value));
	assert_false(adapter_load(&a->adapter, 0, 4, &value));
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_HELD), 2);
	work(b);
	assert_int_equal(load(a, 0, 4), 2);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_FAILED), 0);
	fabric_free(fabric);
}

static void access_ownMonitorFull_isHeld(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	a->full = true;
	assert_false(adapter_store(&a->adapter, 0, 4, 1));
	assert_int_equal(b->memory[0], 0);
	a->full = false;
	store(a, 0, 4, 1);
	assert_int_equal(b->memory[0], 1);
	fabric_free(fabric);
}

static void receive_ownMonitorFull_leavesThemInTheInbox(void **state)
{
	struct fabric *fabric = fabric_make(2, 4);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	int i;

	(void)state;
	node_map(a, b, 0, 0);
	b->full = true;
	for (i = 0; i < 4; i++)
		store(a, 0, 4, i);
	work(b);
	expect_no_frame(b);
	assert_false(adapter_store(&a->adapter, 0, 4, 9));
	b->full = false;
	work(b);
	assert_int_equal(b->frame_count, 8);
	store(a, 0, 4, 9);
	fabric_free(fabric);
}

/* Try a store @times times, 1 ms apart. Return: true if the adapter executed none of them. */
static bool wait_store(struct fabric *fabric, struct node *node, int times)
{
	bool held = true;

	while (held && times--) {
		fabric->now_ns += 1000000;
		held = !adapter_store(&node->adapter, 0, 4, 3);
	}
	return held;
}

static void access_heldTooLong_failsWithTimeout(void **state)
{
	struct fabric *fabric = fabric_make(2, 2);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	put(a, ADAPTER_REG_TIMEOUT, 3);
	store(a, 0, 4, 1);
	store(a, 0, 4, 2);
	assert_false(adapter_store(&a->adapter, 0, 4, 3));
	assert_true(wait_store(fabric, a, 2));
	/* After three milliseconds, the time-out has passed. */
	fabric->now_ns += 1000000;
	store(a, 0, 4, 3);
	assert_int_equal(b->memory[0], 2);
	expect_error(a, 1, 1, ADAPTER_ERROR_TIMEOUT);
	/*
	 * The other node has not processed its inbox since then, so further accesses fail at once.
	 */
	store(a, 0, 4, 3);
	expect_error(a, 1, 2, ADAPTER_ERROR_TIMEOUT);
	/*
	 * The other node has processed its inbox, but has no room. The next access waits for room.
	 */
	b->full = true;
	work(b);
	assert_true(wait_store(fabric, a, 2));
	/* An access that the caller cannot repeat fails immediately. */
	adapter_give_up(&a->adapter, 0);
	expect_error(a, 1, 3, ADAPTER_ERROR_TIMEOUT);
	assert_false(adapter_store(&a->adapter, 0, 4, 4));
	b->full = false;
	work(b);
	store(a, 0, 4, 5);
	assert_int_equal(b->memory[0], 5);
	fabric_free(fabric);
}

static void access_heldByMonitors_waitsForever(void **state)
{
	struct fabric *fabric = fabric_make(2, 2);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	put(a, ADAPTER_REG_TIMEOUT, 3);
	/* The monitor of this node is full. */
	a->full = true;
	assert_true(wait_store(fabric, a, 100));
	a->full = false;
	store(a, 0, 4, 1);
	store(a, 0, 4, 2);
	/*
	 * The monitor of the other node is full, so that node's inbox fills. The node itself works.
	 */
	b->full = true;
	for (int i = 0; i < 100; i++) {
		work(b);
		assert_true(wait_store(fabric, a, 2));
	}
	b->full = false;
	work(b);
	store(a, 0, 4, 3);
	assert_int_equal(b->memory[0], 3);
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_FAILED), 0);
	fabric_free(fabric);
}

static void access_hostStandsStill_isNoTimeout(void **state)
{
	struct fabric *fabric = fabric_make(2, 2);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	put(a, ADAPTER_REG_TIMEOUT, 3);
	store(a, 0, 4, 1);
	store(a, 0, 4, 2);
	assert_false(adapter_store(&a->adapter, 0, 4, 3));
	/* An hour passes, in which no node processes its inbox. */
	fabric->now_ns += 3600000000000ULL;
	assert_false(adapter_store(&a->adapter, 0, 4, 3));
	work(b);
	store(a, 0, 4, 3);
	assert_int_equal(b->memory[0], 3);
	fabric_free(fabric);
}

/* The time stamp of the next frame. */
static uint64_t stamp_of(struct node *node)
{
	return node->frames[node->checked].time_ns;
}

/*
 * Compare the times of a transaction's request and response, which must differ by @ns. Return: the
 * response's time stamp.
 */
static uint64_t expect_apart(struct node *node, uint64_t ns)
{
	uint64_t request = stamp_of(node);

	node->checked++;
	assert_int_equal(stamp_of(node) - request, ns);
	return node->frames[node->checked++].time_ns;
}

static void access_latency_isBetweenRequestAndResponse(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	a->adapter.latency = b->adapter.latency =
		(struct adapter_latency){.read_ns = 1000, .write_ns = 300, .lock_ns = 700};
	node_map(a, b, 0, 0);
	node_map(a, b, 16, ADAPTER_MAP_LOCK);
	load(a, 0, 8);
	assert_int_equal(expect_apart(a, 1000), a->adapter.done_ns);
	fabric->now_ns += 2000;
	store(a, 0, 8, 1);
	assert_int_equal(expect_apart(a, 300), a->adapter.done_ns);
	fabric->now_ns += 2000;
	load(a, 16 * ADAPTER_PAGE_BYTES, 4);
	assert_int_equal(expect_apart(a, 700), a->adapter.done_ns);
	expect_no_frame(a);
	/* The frames on the owner's B-Link have the same time stamps. */
	work(b);
	assert_int_equal(b->frame_count, a->frame_count);
	for (size_t i = 0; i < a->frame_count; i++)
		assert_int_equal(b->frames[i].time_ns, a->frames[i].time_ns);
	/* An access to the node's own memory takes no time. */
	fabric->now_ns += 2000;
	node_map(a, a, 0, 0);
	load(a, 0, 8);
	expect_apart(a, 0);
	fabric_free(fabric);
}

/* Each node stores the distance under the other node's id. Both B-Links have equal time stamps. */
static void access_distance_isOfTheOtherNode(void **state)
{
	struct fabric *fabric = fabric_make(3, 64);
	struct node *a = fabric->node[0], *c = fabric->node[2];

	(void)state;
	a->adapter.latency = (struct adapter_latency){.read_ns = 1000,
						      .write_ns = 300,
						      .lock_ns = 700,
						      .far_ns = {9, 20, 40},
						      .far_lock_ns = {9, 25, 50}};
	c->adapter.latency = (struct adapter_latency){.read_ns = 1000,
						      .write_ns = 300,
						      .lock_ns = 700,
						      .far_ns = {40, 20, 9},
						      .far_lock_ns = {50, 25, 9}};
	node_map(a, fabric->node[1], 0, 0);
	node_map(a, c, 16, 0);
	node_map(a, c, 32, ADAPTER_MAP_LOCK);
	load(a, 0, 8);
	expect_apart(a, 1020);
	fabric->now_ns += 2000;
	load(a, 16 * ADAPTER_PAGE_BYTES, 8);
	assert_int_equal(expect_apart(a, 1040), a->adapter.done_ns);
	fabric->now_ns += 2000;
	store(a, 16 * ADAPTER_PAGE_BYTES, 8, 1);
	expect_apart(a, 340);
	fabric->now_ns += 2000;
	load(a, 32 * ADAPTER_PAGE_BYTES, 4);
	expect_apart(a, 750);
	work(c);
	assert_int_equal(c->frame_count, 6);
	for (size_t i = 0; i < c->frame_count; i++)
		assert_int_equal(c->frames[i].time_ns, a->frames[i + 2].time_ns);
	fabric_free(fabric);
}

static void receive_latencyOfManySenders_stampsKeepUpWithTheClock(void **state)
{
	struct fabric *fabric = fabric_make(4, 64);
	struct node *owner = fabric->node[3];
	uint64_t last = 0;

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		fabric->node[i]->adapter.latency = (struct adapter_latency){
			.read_ns = 1000, .write_ns = 1000, .lock_ns = 1000};
	for (unsigned int i = 0; i < 3; i++)
		node_map(fabric->node[i], owner, 0, 0);
	for (unsigned int round = 0; round < 10; round++) {
		for (unsigned int i = 0; i < 3; i++)
			load(fabric->node[i], 8 * i, 8);
		fabric->now_ns += 1000;
	}
	work(owner);
	assert_int_equal(owner->frame_count, 60);
	for (size_t i = 0; i < owner->frame_count; i++) {
		assert_true(owner->frames[i].time_ns >= last);
		last = owner->frames[i].time_ns;
	}
	assert_true(last <= fabric->now_ns + 1000);
	fabric_free(fabric);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_mappedPage_readsTheOwnersMemory),
		cmocka_unit_test(store_anySize_writesTheseBytesAlone),
		cmocka_unit_test(access_acrossABlock_isTwoTransactions),
		cmocka_unit_test(load_lockPage_fetchesAndIncrements),
		cmocka_unit_test(load_ownNode_passesOnceOnItsBLink),
		cmocka_unit_test(access_unmappedPage_fails),
		cmocka_unit_test(access_pageNotExported_failsAndChangesNothing),
		cmocka_unit_test(access_beyondTheMemory_fails),
		cmocka_unit_test(access_nodeGoneOrDisabled_failsUntilItIsBack),
		cmocka_unit_test(access_inboxFull_isHeldUntilThereIsRoom),
		cmocka_unit_test(access_ownMonitorFull_isHeld),
		cmocka_unit_test(receive_ownMonitorFull_leavesThemInTheInbox),
		cmocka_unit_test(access_heldTooLong_failsWithTimeout),
		cmocka_unit_test(access_heldByMonitors_waitsForever),
		cmocka_unit_test(access_hostStandsStill_isNoTimeout),
		cmocka_unit_test(access_latency_isBetweenRequestAndResponse),
		cmocka_unit_test(access_distance_isOfTheOtherNode),
		cmocka_unit_test(receive_latencyOfManySenders_stampsKeepUpWithTheClock),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
