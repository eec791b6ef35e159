/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How nodes meet. It may use what barrier.h names.
 */
#include <stddef.h>

#include "barrier.h"
#include "emu/machine/machine.h"

#define WORD_BYTES sizeof(uint32_t)

/* The nodes in the order in which they arrive. */
static void arrivals_sort(const struct machine *machine, unsigned *order)
{
	for (unsigned n = 0; n < machine_nodes(machine); n++) {
		unsigned place = n;

		for (; place > 0; place--) {
			if (machine_clock(machine, order[place - 1]) <= machine_clock(machine, n))
				break;
			order[place] = order[place - 1];
		}
		order[place] = n;
	}
}

static void node_arrive(struct machine *machine, unsigned node, struct barrier_words *words,
			uint64_t address)
{
	uint64_t lock = address + offsetof(struct barrier_words, lock);
	uint64_t counter = address + offsetof(struct barrier_words, counter);
	uint64_t flag = address + offsetof(struct barrier_words, flag);

	machine_lock(machine, node, lock, WORD_BYTES);
	words->lock = 1;

	machine_read(machine, node, counter, WORD_BYTES);
	words->counter++;
	if (words->counter == machine_nodes(machine)) {
		words->counter = 0;
		words->flag++;
		machine_write(machine, node, counter, WORD_BYTES);
		machine_write(machine, node, flag, WORD_BYTES);
	} else {
		machine_write(machine, node, counter, WORD_BYTES);
	}

	machine_write(machine, node, lock, WORD_BYTES);
	words->lock = 0;
}

int barrier_pass(struct machine *machine, struct barrier_words *words, uint64_t address)
{
	unsigned order[MACHINE_NODES_MAX];
	uint64_t released = 0;
	int err;

	arrivals_sort(machine, order);
	for (unsigned i = 0; i < machine_nodes(machine); i++) {
		machine_wait(machine, order[i], released);
		node_arrive(machine, order[i], words, address);
		released = machine_clock(machine, order[i]);
	}
	err = machine_barrier(machine);
	if (err < 0)
		return err;
	for (unsigned n = 0; n < machine_nodes(machine); n++)
		machine_read(machine, n, address + offsetof(struct barrier_words, flag),
			     WORD_BYTES);
	return 0;
}
