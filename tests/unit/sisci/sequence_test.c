/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of sequences: which errors a check reports, and how often; and a mapping that is removed
 * before its sequence. May use sisci_fixture.h.
 */
#include "tests/unit/sisci/sisci_fixture.h"

static sci_sequence_t begin(struct sisci_stage *stage)
{
	sci_sequence_t sequence;
	sci_error_t error;

	SCICreateMapSequence(stage->map, &sequence, 0, &error);
	assert_int_equal(error, SCI_ERR_OK);
	assert_int_equal(SCIStartSequence(sequence, 0, &error), SCI_SEQ_OK);
	return sequence;
}

static void end(sci_sequence_t sequence)
{
	sci_error_t error;

	SCIRemoveSequence(sequence, 0, &error);
	assert_int_equal(error, SCI_ERR_OK);
}

static sci_sequence_status_t checked(sci_sequence_t sequence)
{
	sci_error_t error;
	sci_sequence_status_t status = SCICheckSequence(sequence, 0, &error);

	assert_int_equal(error, SCI_ERR_OK);
	return status;
}

static void sequence_time_out_is_reported_once(void **state)
{
	struct sisci_stage *stage = *state;
	sci_sequence_t sequence = begin(stage), second = begin(stage);
	int i;

	for (i = 0; i < 3; i++) {
		assert_int_equal(checked(sequence), SCI_SEQ_OK);
		sisci_stage_fail(stage, THERE, ADAPTER_ERROR_TIMEOUT);
		assert_int_equal(checked(sequence), SCI_SEQ_RETRIABLE);
		assert_int_equal(checked(sequence), SCI_SEQ_OK);
	}
	/* A second sequence of the same mapping also reports the error. */
	assert_int_equal(checked(second), SCI_SEQ_RETRIABLE);
	assert_int_equal(checked(second), SCI_SEQ_OK);
	end(sequence);
	end(second);
}

static void sequence_fatal_error_stays_until_it_is_started(void **state)
{
	struct sisci_stage *stage = *state;
	sci_sequence_t sequence = begin(stage);
	sci_error_t error;

	sisci_stage_fail(stage, THERE, ADAPTER_ERROR_EXPORT);
	assert_int_equal(checked(sequence), SCI_SEQ_NOT_RETRIABLE);
	assert_int_equal(checked(sequence), SCI_SEQ_NOT_RETRIABLE);
	assert_int_equal(SCIStartSequence(sequence, 0, &error), SCI_SEQ_OK);
	assert_int_equal(checked(sequence), SCI_SEQ_OK);
	end(sequence);
}

static void sequence_ignores_errors_of_other_nodes(void **state)
{
	struct sisci_stage *stage = *state;
	sci_sequence_t sequence = begin(stage);

	sisci_stage_fail(stage, 5, ADAPTER_ERROR_NODE);
	assert_int_equal(checked(sequence), SCI_SEQ_OK);
	/* The error is of this node itself. The segment of the mapping is not lost. */
	sisci_stage_fail(stage, HERE, ADAPTER_ERROR_UNMAPPED);
	assert_int_equal(checked(sequence), SCI_SEQ_OK);
	end(sequence);
}

/* A sequence of this node's memory, while another program loads from a segment that is lost. */
static void sequence_of_this_node_ignores_lost_segments_of_others(void **state)
{
	struct sisci_stage *stage = *state;
	sci_sequence_t sequence;
	uint64_t word = 0;
	sci_error_t error;

	stage->map->node = HERE;
	sequence = begin(stage);
	sisci_stage_fail(stage, HERE, ADAPTER_ERROR_UNMAPPED);
	assert_int_equal(checked(sequence), SCI_SEQ_OK);
	SCIMemCpy(sequence, &word, stage->map, 0, sizeof(word), SCI_FLAG_ERROR_CHECK, &error);
	assert_int_equal(error, SCI_ERR_OK);
	end(sequence);
}

static void sequence_outlives_its_mapping(void **state)
{
	struct sisci_stage *stage = *state;
	sci_sequence_t sequence = begin(stage);
	sci_error_t error;

	SCIUnmapSegment(stage->map, 0, &error);
	assert_int_equal(error, SCI_ERR_OK);
	assert_int_equal(SCICheckSequence(sequence, 0, &error), SCI_SEQ_NOT_RETRIABLE);
	assert_int_equal(error, SCI_ERR_ILLEGAL_OPERATION);
	assert_int_equal(SCIStartSequence(sequence, 0, &error), SCI_SEQ_NOT_RETRIABLE);
	assert_int_equal(error, SCI_ERR_ILLEGAL_OPERATION);
	SCIRemoveSegment(stage->segment, 0, &error);
	assert_int_equal(error, SCI_ERR_OK);
	end(sequence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sequence_time_out_is_reported_once,
						sisci_stage_setup, sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(sequence_fatal_error_stays_until_it_is_started,
						sisci_stage_setup, sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(sequence_ignores_errors_of_other_nodes,
						sisci_stage_setup, sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(
			sequence_of_this_node_ignores_lost_segments_of_others, sisci_stage_setup,
			sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(sequence_outlives_its_mapping, sisci_stage_setup,
						sisci_stage_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
