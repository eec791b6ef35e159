/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Checkpoint: when a counting recording that grows gets what was counted so far.
 *
 * What lives here: the rule that bounds what checkpoints add to the file. Counts are written where
 * a phase ends; an observer of a long phase sees what checkpoints write before that. What is
 * counted after a checkpoint is written once more, so each one costs space. In all, a recording has
 * at most 32 bytes for each block of a page and source in a phase, and CHECKPOINT_ALLOWANCE.
 * It may use <stdint.h>.
 */
#ifndef BASE_CHECKPOINT_H
#define BASE_CHECKPOINT_H

#include <stdint.h>

/* Bytes of a recording that checkpoints may take beyond 32 bytes a block. */
#define CHECKPOINT_ALLOWANCE (2ULL << 20)
#define CHECKPOINT_BLOCK_BYTES 32ULL

/* Between two of them, at least; and at least this part of the phase so far. */
#define CHECKPOINT_NS 250000000ULL
#define CHECKPOINT_PART 8ULL

/**
 * struct checkpoint - Of one recording; all zero at first.
 * @began_ns: when the phase began, by any clock that goes forward
 * @next_ns: when the next one is due
 * @spent: bytes that those of this phase have taken
 * @gone: of the allowance, what those of earlier phases have taken
 */
struct checkpoint {
	uint64_t began_ns;
	uint64_t next_ns;
	uint64_t spent;
	uint64_t gone;
};

/* A phase begins. */
static inline void checkpoint_phase(struct checkpoint *checkpoint, uint64_t now_ns)
{
	checkpoint->gone += checkpoint->spent;
	if (checkpoint->gone > CHECKPOINT_ALLOWANCE)
		checkpoint->gone = CHECKPOINT_ALLOWANCE;
	checkpoint->spent = 0;
	checkpoint->began_ns = now_ns;
	checkpoint->next_ns = now_ns + CHECKPOINT_NS;
}

static inline int checkpoint_due(const struct checkpoint *checkpoint, uint64_t now_ns)
{
	return now_ns >= checkpoint->next_ns;
}

/*
 * May one be written that takes @bytes for @blocks? What was counted is written once more at the
 * phase's end: that must fit, too. Return: whether it may; then it counts as written.
 */
static inline int checkpoint_take(struct checkpoint *checkpoint, uint64_t now_ns, uint64_t bytes,
				  uint64_t blocks)
{
	uint64_t room = CHECKPOINT_ALLOWANCE - checkpoint->gone + CHECKPOINT_BLOCK_BYTES * blocks;
	uint64_t pause = (now_ns - checkpoint->began_ns) / CHECKPOINT_PART;
	int fits = checkpoint->spent + 2 * bytes <= room;

	/* One that does not fit now may do so when much more has been accessed. */
	if (!fits)
		pause *= CHECKPOINT_PART;
	checkpoint->next_ns = now_ns + (pause > CHECKPOINT_NS ? pause : CHECKPOINT_NS);
	if (fits)
		checkpoint->spent += bytes;
	return fits;
}

#endif /* BASE_CHECKPOINT_H */
