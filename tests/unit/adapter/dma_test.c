/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the DMA engine: the bytes that it copies, the sizes of its blocks, and transfers that
 * fail. May use adapter_fixture.h.
 */
#include "tests/unit/adapter/adapter_fixture.h"

static void start(struct node *node, uint32_t local, unsigned int to, uint32_t remote,
		  uint32_t bytes, uint32_t command)
{
	put(node, ADAPTER_REG_DMA_LOCAL, local);
	put(node, ADAPTER_REG_DMA_NODE, to);
	put(node, ADAPTER_REG_DMA_REMOTE, remote);
	put(node, ADAPTER_REG_DMA_BYTES, bytes);
	put(node, ADAPTER_REG_DMA_COMMAND, command);
}

static void expect_end(struct node *node, uint32_t status, uint32_t done)
{
	assert_false(get(node, ADAPTER_REG_STATUS) & ADAPTER_STATUS_DMA);
	assert_int_equal(get(node, ADAPTER_REG_DMA_STATUS), status);
	assert_int_equal(get(node, ADAPTER_REG_DMA_DONE), done);
	assert_true(get(node, ADAPTER_REG_INT_STATUS) & ADAPTER_INT_DMA);
	put(node, ADAPTER_REG_INT_STATUS, ADAPTER_INT_DMA);
}

static void fill(struct node *node, uint8_t seed)
{
	for (uint32_t i = 0; i < MEMORY_PAGES * ADAPTER_PAGE_BYTES; i++)
		node->memory[i] = (uint8_t)(i * 7 + i / 256 + seed);
}

static void write_anyPlace_movesExactlyTheseBytes(void **state)
{
	static const uint32_t sizes[] = {1, 3, 15, 16, 17, 64, 65, 255, 256, 257, 900, 5000};
	struct fabric *fabric = fabric_make(2, 256);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	uint8_t *expected = malloc(MEMORY_PAGES * ADAPTER_PAGE_BYTES);
	uint32_t remote;
	size_t i;

	(void)state;
	assert_non_null(expected);
	node_map(a, b, 0, 0);
	fill(a, 1);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (remote = 4000; remote < 4200; remote += 37) {
			fill(b, 100);
			memcpy(expected, b->memory, MEMORY_PAGES * ADAPTER_PAGE_BYTES);
			memcpy(expected + remote, a->memory + 5, sizes[i]);
			start(a, 5, 1, remote, sizes[i], ADAPTER_DMA_WRITE);
			work(a);
			work(b);
			expect_end(a, ADAPTER_ERROR_NONE, sizes[i]);
			assert_memory_equal(b->memory, expected, MEMORY_PAGES * ADAPTER_PAGE_BYTES);
		}
	}
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_BLOCKS),
			 get_64(b, ADAPTER_REG_COUNT_RECEIVED));
	assert_int_equal(get_64(b, ADAPTER_REG_COUNT_REFUSED), 0);
	free(expected);
	fabric_free(fabric);
}

static void write_alignedRemote_usesTheLargestBlocks(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	const uint64_t node1 = 1ULL << 32;
	const struct passed *block;

	(void)state;
	node_map(a, b, 0, 0);
	fill(a, 3);
	start(a, 0, 1, 256 - 16 - 64 - 5, 5 + 64 + 16 + 256 + 3, ADAPTER_DMA_WRITE);
	work(a);
	expect_frame(a, 0, 1, BLINK_WRITESB | 15, node1 + 171, 16);
	expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	/*
	 * 176 is not a multiple of 64. The first block has 16 bytes, up to 192; the next are
	 * larger.
	 */
	expect_frame(a, 0, 1, BLINK_NWRITE16, node1 + 176, 16);
	expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	expect_frame(a, 0, 1, BLINK_NWRITE64, node1 + 192, 64);
	expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	block = expect_frame(a, 0, 1, BLINK_NWRITE256, node1 + 256, 256);
	assert_memory_equal(block->payload, a->memory + 85, 256);
	expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	expect_frame(a, 0, 1, BLINK_WRITESB | 2, node1 + 512, 16);
	expect_frame(a, 1, 0, BLINK_RESPONSE00, 0, 0);
	expect_no_frame(a);
	fabric_free(fabric);
}

static void read_anyPlace_movesExactlyTheseBytes(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	fill(b, 9);
	start(a, 8192, 1, 250, 400, ADAPTER_DMA_READ);
	work(a);
	expect_end(a, ADAPTER_ERROR_NONE, 400);
	assert_memory_equal(a->memory + 8192, b->memory + 250, 400);
	assert_int_equal(a->memory[8191], 0);
	assert_int_equal(a->memory[8592], 0);
	expect_frame(a, 0, 1, BLINK_READSB | 15, (1ULL << 32) + 250, 0);
	expect_frame(a, 1, 0, BLINK_RESPONSE16, 0, 16);
	expect_frame(a, 0, 1, BLINK_NREAD256, (1ULL << 32) + 256, 0);
	expect_frame(a, 1, 0, BLINK_RESPONSE256, 0, 256);
	fabric_free(fabric);
}

static void transfer_receiverFull_goesOnWhenThereIsRoom(void **state)
{
	struct fabric *fabric = fabric_make(2, 4);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	int rounds = 0;

	(void)state;
	node_map(a, b, 0, 0);
	fill(a, 4);
	start(a, 0, 1, 0, 256 * 50, ADAPTER_DMA_WRITE);
	while (get(a, ADAPTER_REG_STATUS) & ADAPTER_STATUS_DMA) {
		work(a);
		work(b);
		assert_true(rounds++ < 100);
	}
	expect_end(a, ADAPTER_ERROR_NONE, 256 * 50);
	assert_memory_equal(b->memory, a->memory, 256 * 50);
	assert_int_equal(b->frame_count, 100);
	fabric_free(fabric);
}

static void transfer_badArguments_endsWithTheReason(void **state)
{
	struct fabric *fabric = fabric_make(2, 4);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	start(a, 0, 1, 0, 0, ADAPTER_DMA_WRITE);
	expect_end(a, ADAPTER_ERROR_RANGE, 0);
	start(a, MEMORY_PAGES * ADAPTER_PAGE_BYTES - 1, 1, 0, 2, ADAPTER_DMA_WRITE);
	expect_end(a, ADAPTER_ERROR_RANGE, 0);
	start(a, 0, 64, 0, 2, ADAPTER_DMA_WRITE);
	expect_end(a, ADAPTER_ERROR_RANGE, 0);
	start(a, 0, 3, 0, 2, ADAPTER_DMA_WRITE);
	work(a);
	expect_end(a, ADAPTER_ERROR_NODE, 0);
	start(a, 0, 1, MEMORY_PAGES * ADAPTER_PAGE_BYTES - 256, 300, ADAPTER_DMA_WRITE);
	work(a);
	expect_end(a, ADAPTER_ERROR_RANGE, 256);
	put_refused(a, ADAPTER_REG_DMA_COMMAND, 3);
	fabric_free(fabric);
}

static void transfer_underWay_locksItsRegistersAndCanBeEnded(void **state)
{
	struct fabric *fabric = fabric_make(2, 4);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(a, b, 0, 0);
	start(a, 0, 1, 0, 256 * 50, ADAPTER_DMA_WRITE);
	work(a);
	put_refused(a, ADAPTER_REG_DMA_BYTES, 1);
	put_refused(a, ADAPTER_REG_DMA_COMMAND, ADAPTER_DMA_READ);
	put(a, ADAPTER_REG_DMA_COMMAND, ADAPTER_DMA_ABORT);
	expect_end(a, ADAPTER_ERROR_ABORTED, 256 * 4);
	fabric_free(fabric);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(write_anyPlace_movesExactlyTheseBytes),
		cmocka_unit_test(write_alignedRemote_usesTheLargestBlocks),
		cmocka_unit_test(read_anyPlace_movesExactlyTheseBytes),
		cmocka_unit_test(transfer_receiverFull_goesOnWhenThereIsRoom),
		cmocka_unit_test(transfer_badArguments_endsWithTheReason),
		cmocka_unit_test(transfer_underWay_locksItsRegistersAndCanBeEnded),
	};

	return cmocka_run_group_tests_name("dma", tests, NULL, NULL);
}
