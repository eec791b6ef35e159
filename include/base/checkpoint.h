/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Checkpoints: the rule by which a recorder writes the counts of an unfinished phase to a counting
 * recording.
 *
 * What lives here: the rule, which limits the number of bytes that checkpoints add to a recording.
 * A recorder writes the counts of a phase when the phase ends. A checkpoint writes them earlier, so
 * that an observer can follow a long phase. Counts that change after a checkpoint must be written
 * once more, so each checkpoint makes the file larger. The limit of a phase is
 * CHECKPOINT_BLOCK_BYTES for each accessed block, where a block that two source nodes have accessed
 * counts twice. The checkpoints of the phase and the writing at its end may together write this
 * number of bytes. In addition, all checkpoints of a run together may write CHECKPOINT_ALLOWANCE
 * bytes. This file may use <stdint.h>.
 */
#ifndef BASE_CHECKPOINT_H
#define BASE_CHECKPOINT_H

#include <stdint.h>

#define CHECKPOINT_ALLOWANCE (2ULL << 20)
#define CHECKPOINT_BLOCK_BYTES 16ULL

/*
 * Between two checkpoints, at least this time passes: CHECKPOINT_NS, and the duration of the phase
 * divided by CHECKPOINT_PART.
 */
#define CHECKPOINT_NS 250000000ULL
#define CHECKPOINT_PART 8ULL
/*
 * The time between two checkpoints is also at least this multiple of the duration of the last
 * checkpoint.
 */
#define CHECKPOINT_REST 32ULL

/**
 * struct checkpoint - The checkpoints of one recording; initially all zero.
 * @began_ns: time at which the phase began, by a monotonic clock
 * @next_ns: time at which the next checkpoint is due
 * @spent: bytes that the checkpoints of this phase have written
 * @gone: the part of the allowance that the checkpoints of earlier phases have used
 * @bytes: number of bytes of the last checkpoint; 0: no checkpoint yet
 * @blocks: number of blocks in the last checkpoint
 */
struct checkpoint {
	uint64_t began_ns;
	uint64_t next_ns;
	uint64_t spent;
	uint64_t gone;
	uint64_t bytes;
	uint64_t blocks;
};

/* Start a phase. */
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
 * Check whether a checkpoint of @blocks blocks and at most @most bytes may be written. The counts
 * of the checkpoint may have to be written once more at the end of the phase, so the limits must
 * leave room for both. The function assumes that each block needs as many bytes as a block of the
 * last checkpoint. If the caller writes the checkpoint, it must then call checkpoint_wrote().
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
	/*
	 * Even if a checkpoint exceeds the limits now, a later checkpoint can be within the limits,
	 * after the program has accessed much more memory.
	 */
	if (!fits)
		pause *= CHECKPOINT_PART;
	checkpoint->next_ns = now_ns + (pause > CHECKPOINT_NS ? pause : CHECKPOINT_NS);
	return fits;
}

/* Report that the caller has written a checkpoint, from @began_ns to @now_ns. */
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
