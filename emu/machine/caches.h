/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Caches: which lines the caches in front of all memory hold.
 *
 * What lives here: private levels of each processor, and one more that the processors of a node
 * share; directory.h has the processors that may have a line. Like the machine, it holds no data,
 * and it knows neither time nor homes: it says which level serves an access, and which lines are
 * written back. May use include/ and the C library without <stdio.h>; an access allocates nothing.
 *
 * Write-back, write-allocate, and the least recently used line of a set is evicted. A line that
 * misses a level is filled into it, whatever the other levels do: the levels above keep a line that
 * a level evicts. A modified line that a level evicts goes to the next level that has the line, and
 * otherwise to its home.
 *
 * Coherence: a write removes the line from all other processors' caches and other nodes'. A
 * modified line that another processor of the node asks for goes to the node's shared level; one
 * that another node asks for is written back to its home, and comes from there. A line that no
 * other cache has is its processor's own, which then writes without a look at the others. As long
 * as one processor alone has accessed lines, all are its own, and nothing is looked up.
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
 * @name: "l1"
 * @bytes: size, of each processor or of each node
 * @line_bytes: 16, 64 or 256, the same in all levels
 * @ways: lines of a set; 1 to CACHES_WAYS_MAX
 * @cycles: that an access takes which this level serves
 * @shared: by the processors of a node; only the last level may be
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
 * struct caches_shape - All levels, from the processor to memory; @count 0: there are no caches.
 */
struct caches_shape {
	unsigned count;
	struct caches_level levels[CACHES_LEVELS_MAX];
};

/* A line in a cache: its number, above these bits; 0: no line. */
#define CACHES_VALID 1ULL
#define CACHES_DIRTY 2ULL /* modified */
#define CACHES_OWN 4ULL /* no other processor, and no other node, has it */
#define CACHES_LINE_SHIFT 3U

/**
 * struct caches_array - One cache.
 * @lines: sets of @ways lines, each from the most to the least recently used
 * @sets: how many
 * @mask: @sets - 1 if that is a power of two, else 0
 * @ways: lines of a set
 */
struct caches_array {
	uint64_t *lines;
	uint64_t sets;
	uint64_t mask;
	unsigned ways;
};

/**
 * struct caches_processor - The private levels of a processor.
 * @level: from the first on
 * @node: its node
 */
struct caches_processor {
	struct caches_array level[CACHES_LEVELS_MAX];
	unsigned node;
};

#define CACHES_NONE (~0U)
#define CACHES_SEVERAL (~0U - 1)

/**
 * struct caches - The caches of a machine; all zero: there are none.
 * @shape: as it was asked for
 * @privates: private levels
 * @shift: log2 of the bytes of a line
 * @shared: by node; without lines if there is no shared level
 * @one: by node: one of its processors, or CACHES_NONE
 * @nodes: how many
 * @processors: [@room]
 * @room: processors that there may be
 * @count: processors that there are
 * @lines: that all caches together have room for
 * @sole: the only processor that has ever accessed a line, CACHES_NONE if there is none yet, or
 *        CACHES_SEVERAL
 * @directory: which processors have a line; empty until there are several
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

/* Of an access: each level evicts one line at most, and another node writes one back. */
#define CACHES_BACKS_MAX (CACHES_LEVELS_MAX + 1U)

/**
 * struct caches_back - A modified line that is written back to its home.
 * @line: its number
 * @node: the node that had it
 */
struct caches_back {
	uint64_t line;
	unsigned node;
};

/**
 * struct caches_served - What serves an access that the first level has not.
 * @level: its index; the number of levels: the cache of another processor of the node;
 *         CACHES_NONE: memory
 * @from: if it is memory: the node that had the line modified, or CACHES_NONE
 * @backs: lines that are written back, in this order; shape [@backs_count]
 * @backs_count: how many
 */
struct caches_served {
	unsigned level;
	unsigned from;
	struct caches_back backs[CACHES_BACKS_MAX];
	unsigned backs_count;
};

/**
 * caches_shape_check() - Can there be such caches?
 *
 * Return: NULL; or what is wrong, a sentence without a full stop.
 */
const char *caches_shape_check(const struct caches_shape *shape);

/**
 * caches_init() - Empty caches of a machine that has no processors yet.
 * @processors: room for this many processors
 *
 * Return: 0; -EINVAL if the shape is wrong; -ENOMEM, and caches_free() is still to be called.
 */
int caches_init(struct caches *caches, const struct caches_shape *shape, unsigned nodes,
		unsigned processors);

/**
 * caches_add() - A processor of @node; numbers count from 0.
 *
 * Return: 0; -ENOMEM, and nothing has changed.
 */
int caches_add(struct caches *caches, unsigned node);

void caches_free(struct caches *caches);

/**
 * caches_drop() - No cache has the line any more; if it was modified, that is lost.
 */
void caches_drop(struct caches *caches, uint64_t line);

/**
 * caches_fetch() - Access a line that the first level does not have: it has it then.
 */
void caches_fetch(struct caches *caches, unsigned processor, uint64_t line, bool write,
		  struct caches_served *served);

/**
 * caches_own() - A line in a processor's caches becomes its own: no other cache has it.
 */
void caches_own(struct caches *caches, const struct caches_processor *processor, uint64_t line);

/* The place of a line's set. */
static inline uint64_t *caches_set(const struct caches_array *array, uint64_t line)
{
	uint64_t set = array->mask ? line & array->mask : line % array->sets;

	return array->lines + set * array->ways;
}

/*
 * If a set has a line, it is the most recently used one from now on. @set: of @ways lines. Return:
 * whether it has.
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
	/* A loop, since a call takes longer than the few that mostly move. */
	for (found = set[i]; i > 0; i--)
		set[i] = set[i - 1];
	*set = found;
	return true;
}

/**
 * caches_first() - If the first level of a processor has a line, access it there.
 * @first: the first level; the caller may have a copy of it
 * @write: the access modifies it
 *
 * Return: whether it has.
 */
static inline bool caches_first(struct caches *caches, struct caches_processor *processor,
				const struct caches_array *first, uint64_t line, bool write)
{
	const uint64_t flags = CACHES_DIRTY | CACHES_OWN;
	uint64_t *set = caches_set(first, line);

	if (!caches_use(set, first->ways, line))
		return false;
	/* One branch, since writes and reads alternate, and mostly the line is its own already. */
	if (__builtin_expect(write & ((*set & flags) != flags), 0)) {
		if (!(*set & CACHES_OWN))
			caches_own(caches, processor, line);
		*set |= flags;
	}
	return true;
}

/* Ask for the set of a line: eight of its lines are as many as the host fetches at once. */
static inline __attribute__((always_inline)) void
caches_prefetch_set(const struct caches_array *array, uint64_t line)
{
	const uint64_t *set = caches_set(array, line);

	__builtin_prefetch(set);
	__builtin_prefetch(set + 8);
}

/* Is the line the most recently used one of its set? */
static inline bool caches_recent(const struct caches_array *array, uint64_t line)
{
	return *caches_set(array, line) >> CACHES_LINE_SHIFT == line;
}

/**
 * caches_prefetch() - Ask for what caches_fetch() of a line needs. Always inline: see
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
