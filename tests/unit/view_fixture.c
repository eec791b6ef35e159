/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See view_fixture.h. */
#include "tests/unit/view_fixture.h"

struct view_model view_loaded(struct Monitor *mon)
{
	struct view_model model = {.mon = mon, .cost = {.local = 1}};

	model.cost.remote[SMILE_TYPE_ANY] = model.cost.remote[SMILE_TYPE_READ] = 1001;
	model.cost.remote[SMILE_TYPE_WRITE] = 21;
	model.cost.remote[SMILE_TYPE_LOCK] = 501;
	assert_int_equal(view_model_load(&model), 0);
	return model;
}

void view_closed(struct view_model *model)
{
	view_model_free(model);
	Monitor_close(model->mon);
}
