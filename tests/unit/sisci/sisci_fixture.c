/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See sisci_fixture.h. */
#include "tests/unit/sisci/sisci_fixture.h"

#include <sys/mman.h>
#include <unistd.h>

static uint32_t *word(struct sisci_stage *stage, uint32_t offset)
{
	return stage->state + (offset - ADAPTER_STATE_PAGE) / 4;
}

static void *page(void)
{
	void *made =
		mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(made, MAP_FAILED);
	return made;
}

/* Make an object. The caller must hold the lock. */
static void *made(size_t bytes, enum kind kind, struct sci_desc *sd, unsigned int handle)
{
	void *object = sisci_new(bytes, kind, sd, NULL);

	assert_non_null(object);
	sisci_add(object, handle);
	return object;
}

int sisci_stage_setup(void **state)
{
	static struct sisci_stage stage;
	sci_error_t error;
	int ends[2];

	SCIInitialize(0, &error);
	assert_int_equal(error, SCI_ERR_OK);
	assert_int_equal(pipe(ends), 0);
	stage = (struct sisci_stage){.events = ends[1], .state = page()};
	*word(&stage, ADAPTER_REG_REACHABLE_LOW) = 1U << HERE | 1U << THERE;
	sisci_enter();
	stage.sd = made(sizeof(*stage.sd), KIND_SESSION, NULL, 0);
	stage.sd->object.sd = stage.sd;
	stage.sd->file = ends[0];
	stage.sd->node = HERE;
	stage.sd->state = stage.state;
	assert_int_equal(sisci_dispatch_start(stage.sd), 0);
	stage.segment = made(sizeof(*stage.segment), KIND_SEGMENT, stage.sd, 1);
	stage.segment->id = 77;
	stage.segment->bytes = PAGE_BYTES;
	stage.map = made(sizeof(*stage.map), KIND_MAP, stage.sd, 0);
	stage.map->segment = &stage.segment->object;
	stage.segment->object.users++;
	stage.segment->object.maps++;
	stage.map->node = THERE;
	stage.map->pages = page();
	stage.map->pages_bytes = PAGE_BYTES;
	stage.map->at = stage.map->pages;
	stage.map->bytes = PAGE_BYTES;
	stage.interrupt = made(sizeof(*stage.interrupt), KIND_INTERRUPT, stage.sd, 2);
	stage.interrupt->counting = true;
	sisci_leave();
	*state = &stage;
	return 0;
}

int sisci_stage_teardown(void **state)
{
	const struct sisci_stage *stage = *state;

	SCITerminate();
	close(stage->events);
	return 0;
}

void sisci_stage_fail(struct sisci_stage *stage, unsigned node, uint32_t why)
{
	*word(stage, ADAPTER_REG_ERROR + node * ADAPTER_STRIDE_ERROR) = why;
	++*word(stage, ADAPTER_REG_ERRORS + node * ADAPTER_STRIDE_ERRORS);
}

void sisci_stage_event(struct sisci_stage *stage, const struct smile_adapter_event *event)
{
	assert_int_equal(write(stage->events, event, sizeof(*event)), sizeof(*event));
}
