/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture of the tests of lib/analysis/view: a model that is made from records, and its costs.
 *
 * What lives here: functions that make and free the model. An access costs: local 1, remote read
 * 1001, write 21, lock 501 cycles.
 */
#ifndef TESTS_UNIT_VIEW_FIXTURE_H
#define TESTS_UNIT_VIEW_FIXTURE_H

#include "lib/analysis/view/view_model.h"
#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)

/* Make the model of a Monitor, with the costs above. */
struct view_model view_loaded(struct Monitor *mon);

void view_closed(struct view_model *model);

#endif /* TESTS_UNIT_VIEW_FIXTURE_H */
