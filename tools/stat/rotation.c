// SPDX-License-Identifier: MIT
/* Rotation. See tools/stat/rotation.h. */
#include "tools/stat/rotation.h"

void rotation_init(struct rotation *rotation, size_t events, size_t at_once, size_t *order)
{
	*rotation =
		(struct rotation){.events = events, .at_once = at_once, .order = order, .seed = 1};
	if (rotation->at_once > events)
		rotation->at_once = events;
	rotation->next = events;
	for (size_t i = 0; i < events; i++)
		rotation->order[i] = i;
}

static void rotation_shuffle(struct rotation *rotation)
{
	for (size_t i = rotation->events - 1; i > 0; i--) {
		size_t other, kept = rotation->order[i];

		rotation->seed = rotation->seed * 6364136223846793005U + 1442695040888963407U;
		other = (size_t)(rotation->seed >> 33) % (i + 1);
		rotation->order[i] = rotation->order[other];
		rotation->order[other] = kept;
	}
}

size_t rotation_next(struct rotation *rotation, size_t *set)
{
	size_t count = 0;

	if (rotation->next >= rotation->events) {
		rotation->next = 0;
		if (rotation->at_once < rotation->events && !rotation->ordered)
			rotation_shuffle(rotation);
	}
	while (count < rotation->at_once && rotation->next < rotation->events)
		set[count++] = rotation->order[rotation->next++];
	/* If the last set of a round has room left, fill it with the first events of the round. */
	for (size_t i = 0; count < rotation->at_once; i++)
		set[count++] = rotation->order[i];
	return count;
}

void rotation_seek(struct rotation *rotation, uint64_t interval)
{
	size_t sets = (rotation->events + rotation->at_once - 1) / rotation->at_once;

	rotation->next = (size_t)((interval - 1) % sets) * rotation->at_once;
}
