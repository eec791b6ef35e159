/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Checkpoint: when what was counted so far is written into a counting recording.
 *
 * What lives here: the rule that bounds what checkpoints add to the file. Counts are written where
 * a phase ends; an observer of a long phase sees what checkpoints write before that. Counts that
 * change after a checkpoint are written once more, so each checkpoint costs space. The checkpoints
 * of a phase and its end take at most CHECKPOINT_BLOCK_BYTES for each block of a page and source.
 * Beyond that, all checkpoints of a run take at most CHECKPOINT_ALLOWANCE. It may use <stdint.h>.
 */
#ifndef BASE_CHECKPOINT_H
#define BASE_CHECKPOINT_H

#include <stdint.h>

#define CHECKPOINT_ALLOWANCE (2ULL << 20)
#define CHECKPOINT_BLOCK_BYTES 16ULL

/* The least time between two checkpoints; and the least part of the phase so far. */
#define CHECKPOINT_NS 250000000ULL
#define CHECKPOINT_PART 8ULL
/* It is also at least this many times as long as the last checkpoint took. */
#define CHECKPOINT_REST 32ULL

/**
 * struct checkpoint - The checkpoints of one recording; all zero at first.
 * @began_ns: when the phase began, by any clock that goes forward
 * @next_ns: when the next one is due
 * @spent: bytes that the checkpoints of this phase have taken
 * @gone: the part of the allowance that the checkpoints of earlier phases have taken
 * @bytes: of the last checkpoint; 0: there was none
 * @blocks: which it had
 */
struct checkpoint {
	uint64_t began_ns;
	uint64_t next_ns;
	uint64_t spent;
	uint64_t gone;
	uint64_t bytes;
	uint64_t blocks;
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
 * May a checkpoint be written that has @blocks, and takes at most @most bytes? Its counts are
 * written once more at the phase's end: these must fit, too. A block is expected to take as many
 * bytes as in the last checkpoint. checkpoint_wrote() must follow.
 */
static inline int checkpoint_may(struct checkpoint *checkpoint, uint64_t now_ns, uint64_t most,
				 uint64_t blocks)
{
	uint64_t room = CHECKPOINT_ALLOWANCE - checkpoint->gone + CHECKPOINT_BLOCK_BYTES * blocks;
	uint64_t pause = (now_ns - checkpoint->began_ns) / CHECKPOINT_PART;
	uint64_t bytes = most;
	int fits;

	if (checkpoint->blocks) {
		double expected =
			(double)checkpoint->bytes / (double)checkpoint->blocks * (double)blocks;

		if (expected < (double)most)
			bytes = (uint64_t)expected;
	}
	fits = checkpoint->spent + 2 * bytes <= room;
	/* A checkpoint that does not fit now can fit once much more has been accessed. */
	if (!fits)
		pause *= CHECKPOINT_PART;
	checkpoint->next_ns = now_ns + (pause > CHECKPOINT_NS ? pause : CHECKPOINT_NS);
	return fits;
}

/* One was written, from @began_ns to @now_ns. */
static inline void checkpoint_wrote(struct checkpoint *checkpoint, uint64_t began_ns,
				    uint64_t now_ns, uint64_t bytes, uint64_t blocks)
{
	uint64_t next_ns = now_ns + CHECKPOINT_REST * (now_ns - began_ns);

	if (next_ns > checkpoint->next_ns)
		checkpoint->next_ns = next_ns;
	checkpoint->spent += bytes;
	checkpoint->bytes = bytes;
	checkpoint->blocks = blocks;
}

#endif /* BASE_CHECKPOINT_H */
