/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Caches for all memory: the lines that are in them. Unlike the cache in cache.h, which is only for
 * the memory of other nodes, these caches serve all accesses.
 *
 * What lives here: the private levels of each processor, and the level that the processors of a
 * node share. directory.h stores which processors may have a line. The caches contain no data, like
 * the machine itself. This file uses neither times nor home nodes: it reports which level serves an
 * access, and which lines are written back. May use include/ and the C library except <stdio.h>; an
 * access allocates no memory.
 *
 * The caches are write-back and write-allocate, and evict the least recently used line of a set.
 * After a miss, a level stores the line, independently of the other levels. If a level evicts a
 * line, the levels closer to the processor keep the line. A modified line that a level evicts goes
 * to the next level that has the line, and otherwise to its home.
 *
 * Coherence: a write removes the line from the caches of all other processors and all other nodes.
 * A modified line that another processor of the node requests is passed to the node's shared level;
 * a modified line that another node requests is written back to its home, and fetched from there.
 * If no other cache has a line, the line is the processor's own, and the processor can write to it
 * without a check of other caches. As long as only one processor has accessed memory, all lines are
 * its own, and no other cache is checked.
 */
#ifndef EMU_MACHINE_CACHES_H
#define EMU_MACHINE_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "directory.h"

#define CACHES_LEVELS_MAX 4U
#define CACHES_NAME_BYTES 8U

/**
 * struct caches_level - The geometry of a level.
 * @name: name of the level, such as "l1"
 * @bytes: size in bytes, for each processor or for each node
 * @line_bytes: 16, 64 or 256, the same in all levels
 * @ways: number of lines in a set, 1 to CACHES_WAYS_MAX
 * @cycles: duration of an access that this level serves
 * @shared: the processors of a node share the level; only the last level may be shared
 */
struct caches_level {
	char name[CACHES_NAME_BYTES];
	uint64_t bytes;
	unsigned line_bytes;
	unsigned ways;
	uint32_t cycles;
	bool shared;
};

#define CACHES_WAYS_MAX 64U
#define CACHES_BYTES_MAX (1ULL << 30)

/**
 * struct caches_shape - All levels, from the processor to memory; @count 0: no caches.
 */
struct caches_shape {
	unsigned count;
	struct caches_level levels[CACHES_LEVELS_MAX];
};

/*
 * A line in a cache is one word: these bits, and the number of the line above them. A word of 0
 * contains no line.
 */
#define CACHES_VALID 1ULL
#define CACHES_DIRTY 2ULL /* the line is modified */
#define CACHES_OWN 4ULL /* no other processor, and no other node, has the line */
#define CACHES_LINE_SHIFT 3U

/**
 * struct caches_array - One cache.
 * @lines: sets of @ways lines, each sorted from the most to the least recently used line
 * @sets: number of sets
 * @mask: @sets - 1 if @sets is a power of two, otherwise 0
 * @ways: number of lines in a set
 */
struct caches_array {
	uint64_t *lines;
	uint64_t sets;
	uint64_t mask;
	unsigned ways;
};

/**
 * struct caches_processor - The private levels of a processor.
 * @level: the levels, from the first one on
 * @node: its node
 */
struct caches_processor {
	struct caches_array level[CACHES_LEVELS_MAX];
	unsigned node;
};

#define CACHES_NONE (~0U)
#define CACHES_SEVERAL (~0U - 1)

/**
 * struct caches - The caches of a machine; all zero if there are none.
 * @shape: the shape, as configured
 * @privates: number of private levels
 * @shift: log2 of the bytes of a line
 * @shared: the shared level of each node; without lines if there is no shared level
 * @one: for each node, one of its processors, or CACHES_NONE
 * @nodes: number of nodes
 * @processors: the private levels of processors; shape [@room]
 * @room: the largest number of processors
 * @count: the present number of processors
 * @lines: the number of lines for which all caches together have room
 * @sole: the only processor that has ever accessed a line, CACHES_NONE if there is none yet, or
 *        CACHES_SEVERAL
 * @directory: the processors that have a line; empty until there are several processors
 */
struct caches {
	struct caches_shape shape;
	unsigned privates;
	unsigned shift;
	struct caches_array shared[DIRECTORY_NODES];
	unsigned one[DIRECTORY_NODES];
	unsigned nodes;
	struct caches_processor *processors;
	unsigned room;
	unsigned count;
	uint64_t lines;
	unsigned sole;
	struct directory directory;
};

/*
 * An access causes at most this number of write-backs: each level evicts at most one line, and
 * another node writes at most one line back.
 */
#define CACHES_BACKS_MAX (CACHES_LEVELS_MAX + 1U)

/**
 * struct caches_back - A modified line that is written back to its home.
 * @line: number of the line
 * @node: the node whose caches had the line
 */
struct caches_back {
	uint64_t line;
	unsigned node;
};

/**
 * struct caches_served - The level or the memory that serves an access which the first level cannot
 * serve.
 * @level: index of the level that serves the access. If it equals the number of levels, the cache
 *         of another processor of the node serves the access; if it is CACHES_NONE, memory does
 * @from: if memory serves the access, the node that had modified the line; CACHES_NONE if no node
 *        had modified it
 * @backs: lines that are written back, in this order; shape [@backs_count]
 * @backs_count: number of these lines
 */
struct caches_served {
	unsigned level;
	unsigned from;
	struct caches_back backs[CACHES_BACKS_MAX];
	unsigned backs_count;
};

/**
 * caches_shape_check() - Check whether this shape of caches is possible.
 *
 * Return: NULL if the shape is possible; otherwise the error, as a sentence without a full stop.
 */
const char *caches_shape_check(const struct caches_shape *shape);

/**
 * caches_init() - Create empty caches for a machine that has no processors yet.
 * @processors: room for this many processors
 *
 * Return: 0; -EINVAL if the shape is not possible; -ENOMEM. The caller must call caches_free() even
 * after an error.
 */
int caches_init(struct caches *caches, const struct caches_shape *shape, unsigned nodes,
		unsigned processors);

/**
 * caches_add() - Add a processor of @node; processors are numbered from 0.
 *
 * Return: 0; -ENOMEM if memory is missing: nothing has changed then.
 */
int caches_add(struct caches *caches, unsigned node);

void caches_free(struct caches *caches);

/**
 * caches_drop() - Remove a line from all caches; if it was modified, the modification is lost.
 */
void caches_drop(struct caches *caches, uint64_t line);

/**
 * caches_fetch() - Access a line that is not in the first level, and store it in the first level.
 */
void caches_fetch(struct caches *caches, unsigned processor, uint64_t line, bool write,
		  struct caches_served *served);

/**
 * caches_own() - Mark a line in a processor's caches as its own. No other cache may have the line.
 */
void caches_own(struct caches *caches, const struct caches_processor *processor, uint64_t line);

/* Get the address of the set that can contain a line. */
static inline uint64_t *caches_set(const struct caches_array *array, uint64_t line)
{
	uint64_t set = array->mask ? line & array->mask : line % array->sets;

	return array->lines + set * array->ways;
}

/*
 * If a set has a line, make it the most recently used line. @set: @ways lines. Return: whether the
 * set has the line.
 */
static inline bool caches_use(uint64_t *set, unsigned ways, uint64_t line)
{
	const uint64_t flags = CACHES_DIRTY | CACHES_OWN;
	uint64_t word = line << CACHES_LINE_SHIFT | CACHES_VALID, found;
	unsigned i = 1;

	if (__builtin_expect((set[0] & ~flags) == word, 1))
		return true;
	for (;; i++) {
		if (i == ways)
			return false;
		if ((set[i] & ~flags) == word)
			break;
	}
	/*
	 * This is a loop, because usually few entries are moved, and a call of memmove() would take
	 * longer.
	 */
	for (found = set[i]; i > 0; i--)
		set[i] = set[i - 1];
	*set = found;
	return true;
}

/**
 * caches_first() - If the first level of a processor has a line, access it there.
 * @first: the first level; the caller may use a copy of it
 * @write: the access modifies it
 *
 * Return: whether the level has the line.
 */
static inline bool caches_first(struct caches *caches, struct caches_processor *processor,
				const struct caches_array *first, uint64_t line, bool write)
{
	const uint64_t flags = CACHES_DIRTY | CACHES_OWN;
	uint64_t *set = caches_set(first, line);

	if (!caches_use(set, first->ways, line))
		return false;
	/*
	 * This is one branch, because reads and writes alternate, and usually the line is already
	 * the processor's own.
	 */
	if (__builtin_expect(write & ((*set & flags) != flags), 0)) {
		if (!(*set & CACHES_OWN))
			caches_own(caches, processor, line);
		*set |= flags;
	}
	return true;
}

/* Prefetch the set of a line. The host fetches eight lines of the set together. */
static inline __attribute__((always_inline)) void
caches_prefetch_set(const struct caches_array *array, uint64_t line)
{
	const uint64_t *set = caches_set(array, line);

	__builtin_prefetch(set);
	__builtin_prefetch(set + 8);
}

/* Check whether the line is the most recently used one of its set. */
static inline bool caches_recent(const struct caches_array *array, uint64_t line)
{
	return *caches_set(array, line) >> CACHES_LINE_SHIFT == line;
}

/**
 * caches_prefetch() - Prefetch the data that caches_fetch() of a line needs. Always inline: see
 * tally_prefetch().
 */
static inline __attribute__((always_inline)) void
caches_prefetch(const struct caches *caches, const struct caches_processor *processor,
		uint64_t line)
{
	const struct caches_array *second = &processor->level[1];
	const struct caches_array *shared = &caches->shared[processor->node];

	if (second->lines)
		caches_prefetch_set(second, line);
	if (shared->lines)
		caches_prefetch_set(shared, line);
	__builtin_prefetch(directory_first(&caches->directory, line));
}

#endif /* EMU_MACHINE_CACHES_H */
