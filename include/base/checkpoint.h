/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Checkpoint: when the counts so far are written into a counting recording.
 *
 * What lives here: the rule that limits the bytes that checkpoints add to the file. Counts are
 * written when a phase ends. Checkpoints write them earlier, for an observer of a long phase.
 * Counts that change after a checkpoint are written once more, so each checkpoint costs space. The
 * checkpoints of a phase and its end take at most CHECKPOINT_BLOCK_BYTES for each block of a page
 * and source. Beyond that, all checkpoints of a run take at most CHECKPOINT_ALLOWANCE. It may use
 * <stdint.h>.
 */
#ifndef BASE_CHECKPOINT_H
#define BASE_CHECKPOINT_H

#include <stdint.h>

#define CHECKPOINT_ALLOWANCE (2ULL << 20)
#define CHECKPOINT_BLOCK_BYTES 16ULL

/* The shortest time between two checkpoints, absolute and as a part of the phase so far. */
#define CHECKPOINT_NS 250000000ULL
#define CHECKPOINT_PART 8ULL
/* The time is also at least this many times the duration of the last checkpoint. */
#define CHECKPOINT_REST 32ULL

/**
 * struct checkpoint - The checkpoints of one recording; initially all zero.
 * @began_ns: time at which the phase began, by any monotonic clock
 * @next_ns: time at which the next checkpoint is due
 * @spent: bytes that the checkpoints of this phase have written
 * @gone: the part of the allowance that the checkpoints of earlier phases have used
 * @bytes: bytes of the last checkpoint; 0: no checkpoint yet
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
 * Whether a checkpoint of @blocks blocks and at most @most bytes may be written. Its counts are
 * written once more at the phase's end, so these bytes must fit, too. The expected size of a block
 * is its size in the last checkpoint. After a checkpoint the caller must call checkpoint_wrote().
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

/* A checkpoint was written, from @began_ns to @now_ns. */
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
