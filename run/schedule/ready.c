/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Ready threads: keeps the ready threads in a heap. This file may use ready.h. */
#include <errno.h>
#include <stdlib.h>

#include <base/array.h>

#include "ready.h"

static void heap_put(struct ready *ready, size_t place, struct thread *thread)
{
	ready->items[place] = thread;
	thread->place = place;
}

static void heap_up(struct ready *ready, size_t place, struct thread *thread)
{
	while (place > 0 && thread_before(thread, ready->items[(place - 1) / 2])) {
		heap_put(ready, place, ready->items[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	heap_put(ready, place, thread);
}

static void heap_down(struct ready *ready, size_t place, struct thread *thread)
{
	for (;;) {
		size_t child = 2 * place + 1;

		if (child >= ready->count)
			break;
		if (child + 1 < ready->count &&
		    thread_before(ready->items[child + 1], ready->items[child]))
			child++;
		if (thread_before(thread, ready->items[child]))
			break;
		heap_put(ready, place, ready->items[child]);
		place = child;
	}
	heap_put(ready, place, thread);
}

int ready_reserve(struct ready *ready, size_t count)
{
	return array_reserve(&ready->items, &ready->capacity, count - 1, sizeof(*ready->items));
}

void ready_add(struct ready *ready, struct thread *thread)
{
	heap_up(ready, ready->count++, thread);
}

void ready_remove(struct ready *ready, struct thread *thread)
{
	struct thread *last = ready->items[--ready->count];
	size_t place = thread->place;

	if (last == thread)
		return;
	if (place > 0 && thread_before(last, ready->items[(place - 1) / 2]))
		heap_up(ready, place, last);
	else
		heap_down(ready, place, last);
}

void ready_moved(struct ready *ready, struct thread *thread)
{
	heap_down(ready, thread->place, thread);
}

void ready_moved_all(struct ready *ready)
{
	for (size_t place = ready->count / 2; place-- > 0;)
		heap_down(ready, place, ready->items[place]);
}
