/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture for libsisci without a driver: a session whose state page a test writes, and whose events
 * it sends.
 *
 * What lives here: the session, a mapping of its own segment, and an interrupt. The ioctls of the
 * library fail; the library ignores this when it removes an object. May use lib/sisci/ and cmocka.
 */
#ifndef TESTS_UNIT_SISCI_SISCI_FIXTURE_H
#define TESTS_UNIT_SISCI_SISCI_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/sisci/sisci.h"

/* The node to which the mapping refers, and the node of the session. */
#define THERE 1U
#define HERE 0U

/**
 * struct sisci_stage - The objects of a test.
 * @sd: the session
 * @state: its state page, which the test writes
 * @events: the file to which the test writes the session's events
 * @segment, @map: objects of this node; only the node of @map is THERE
 * @interrupt: an interrupt without a callback that counts its triggers
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

/* Simulate a failed transaction to @node. */
void sisci_stage_fail(struct sisci_stage *stage, unsigned node, uint32_t why);

/* Send an event as the driver does. */
void sisci_stage_event(struct sisci_stage *stage, const struct smile_adapter_event *event);

#endif /* TESTS_UNIT_SISCI_SISCI_FIXTURE_H */
