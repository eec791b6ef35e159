/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture for libsisci without a driver: a session. The test writes the session's state page and
 * sends its events.
 *
 * What lives here: the session, a segment and its mapping, and an interrupt. All ioctls of the
 * library fail. When the library removes an object, it ignores these errors. May use lib/sisci/ and
 * cmocka.
 */
#ifndef TESTS_UNIT_SISCI_SISCI_FIXTURE_H
#define TESTS_UNIT_SISCI_SISCI_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/sisci/sisci.h"

/* The node of the mapping, and the node of the session. */
#define THERE 1U
#define HERE 0U

/**
 * struct sisci_stage - The objects of a test.
 * @sd: the session
 * @state: state page of the session, which the test writes
 * @events: the file to which the test writes the session's events
 * @segment: a segment of this node
 * @map: a mapping of a segment of node THERE
 * @interrupt: an interrupt that counts its triggers and has no callback
 */
struct sisci_stage {
	struct sci_desc *sd;
	uint32_t *state;
	int events;
	struct sci_local_segment *segment;
	struct sci_map *map;
	struct interrupt *interrupt;
};

int sisci_stage_setup(void **state);
int sisci_stage_teardown(void **state);

/* Simulate a failed transaction with node @node. */
void sisci_stage_fail(struct sisci_stage *stage, unsigned node, uint32_t why);

/* Send an event in the same way as the driver. */
void sisci_stage_event(struct sisci_stage *stage, const struct smile_adapter_event *event);

#endif /* TESTS_UNIT_SISCI_SISCI_FIXTURE_H */
