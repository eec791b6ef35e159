/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/analysis/view/view_transfers.c: transfers for each pair of nodes and each phase. */
#include "lib/analysis/view/view_transfers.h"
#include "tests/unit/view_fixture.h"

static struct view_transfers transferred(const struct view_model *model)
{
	struct view_transfers transfers = {0};

	assert_int_equal(view_transfers_load(&transfers, model), 0);
	return transfers;
}

/*
 * Node 1 accesses node @home once in the first phase. In each later phase, it makes one access
 * more.
 */
static struct view_model phases_loaded(unsigned int phases, unsigned int home)
{
	static struct smile_record records[256];
	size_t count = 0;

	assert_true(2 * phases <= 256);
	for (unsigned int i = 0; i < phases; i++) {
		records[count++] = record_dynamic(SMILE_TYPE_WRITE, 1, home, PAGE(5), 1, i + 1);
		if (i + 1 < phases)
			records[count++] = record_mark(0, 1, 1000ULL * (i + 1));
	}
	return view_loaded(recording_opened(records, count));
}

static void phases_are_matrices(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 10),
		record_dynamic(SMILE_TYPE_LOCK, 1, 0, PAGE(6), 1, 2),
		record_mark(0, 1, 1000),
		record_dynamic(SMILE_TYPE_WRITE, 0, 2, PAGE(7), 1, 4),
	};
	struct view_model model = view_loaded(recording_opened(records, 4));
	struct view_transfers transfers = transferred(&model);

	assert_int_equal(transfers.nodes, 3);
	assert_int_equal(transfers.columns, 2);
	assert_int_equal(transfers.shift, 0);
	for (size_t i = 0; i < 2 * 3 * 3; i++) {
		/*
		 * Node 1 accesses node 0 in the first phase; node 0 accesses node 2 in the second
		 * phase.
		 */
		const uint64_t packets = i == 1 * 3 + 0 ? 12 : i == 9 + 0 * 3 + 2 ? 4 : 0;

		assert_int_equal(transfers.packets[i], packets);
	}
	/* A read or a write moves one block of 16 bytes; a lock moves two. */
	assert_int_equal(transfers.bytes[1 * 3 + 0], 10 * 16 + 2 * 32);
	assert_int_equal(transfers.bytes[9 + 2], 4 * 16);
	view_transfers_free(&transfers);
	view_closed(&model);
}

static void one_phase_has_no_matrices(void **state)
{
	struct view_model model = phases_loaded(1, 0);
	struct view_transfers transfers = transferred(&model);

	assert_int_equal(transfers.columns, 0);
	assert_null(transfers.packets);
	view_transfers_free(&transfers);
	view_closed(&model);
}

static void many_phases_are_put_together(void **state)
{
	struct view_model model = phases_loaded(100, 0);
	struct view_transfers transfers = transferred(&model);

	assert_int_equal(transfers.shift, 1);
	assert_int_equal(transfers.columns, 50);
	assert_int_equal(transfers.packets[1 * 2 + 0], 1 + 2);
	assert_int_equal(transfers.packets[49 * 4 + 1 * 2 + 0], 99 + 100);
	view_transfers_free(&transfers);
	view_closed(&model);
}

/* With 300 nodes, the memory is sufficient for two matrices; with 400 nodes, it is not. */
static void many_nodes_have_few_matrices(void **state)
{
	struct view_model model = phases_loaded(5, 299);
	struct view_transfers transfers = transferred(&model);

	assert_int_equal(transfers.nodes, 300);
	assert_int_equal(transfers.shift, 2);
	assert_int_equal(transfers.columns, 2);
	assert_int_equal(transfers.packets[1 * 300 + 299], 1 + 2 + 3 + 4);
	view_transfers_free(&transfers);
	view_closed(&model);
	model = phases_loaded(5, 399);
	transfers = transferred(&model);
	assert_int_equal(transfers.columns, 0);
	view_transfers_free(&transfers);
	view_closed(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_matrices),
		cmocka_unit_test(one_phase_has_no_matrices),
		cmocka_unit_test(many_phases_are_put_together),
		cmocka_unit_test(many_nodes_have_few_matrices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
