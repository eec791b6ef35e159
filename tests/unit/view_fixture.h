/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture of the tests of lib/analysis/view: a model that is made from records, and its costs.
 *
 * What lives here: an access costs 1 cycle locally, and 1001, 21 and 501 cycles as a remote read,
 * write or lock: 1000, 20 and 500 more.
 */
#ifndef TESTS_UNIT_VIEW_FIXTURE_H
#define TESTS_UNIT_VIEW_FIXTURE_H

#include "lib/analysis/view/view_model.h"
#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)

/* Make the model of a Monitor, with these costs. */
struct view_model view_loaded(struct Monitor *mon);

/* Free the model, and close its Monitor. */
void view_closed(struct view_model *model);

#endif /* TESTS_UNIT_VIEW_FIXTURE_H */
