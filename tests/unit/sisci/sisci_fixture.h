/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * libsisci without a driver: a session whose state page a test writes, and whose events it sends.
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

/* The node behind the mapping, and that of the session. */
#define THERE 1U
#define HERE 0U

/**
 * struct sisci_stage - What a test has.
 * @sd: the session
 * @state: its state page, to be written
 * @events: what the session reads comes from here
 * @segment, @map: of this node, but for the node that is asked
 * @interrupt: without a callback, that counts
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

/* A transaction to @node has failed. */
void sisci_stage_fail(struct sisci_stage *stage, unsigned node, uint32_t why);

/* The driver reports. */
void sisci_stage_event(struct sisci_stage *stage, const struct smile_adapter_event *event);

#endif /* TESTS_UNIT_SISCI_SISCI_FIXTURE_H */
