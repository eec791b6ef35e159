/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Caches for all memory: sets, levels, and coherence. May use caches.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"

#define FLAGS (CACHES_DIRTY | CACHES_OWN)

static uint64_t word_line(uint64_t word)
{
	return word >> CACHES_LINE_SHIFT;
}

static uint64_t line_word(uint64_t line)
{
	return line << CACHES_LINE_SHIFT | CACHES_VALID;
}

/* ---- a set ----------------------------------------------------------------------------------- */

/* Return: the slot of a line in its set; NULL if the line is not in the set. */
static uint64_t *set_find(uint64_t *set, unsigned ways, uint64_t line)
{
	uint64_t word = line_word(line);

	for (unsigned i = 0; i < ways; i++)
		if ((set[i] & ~FLAGS) == word)
			return &set[i];
	return NULL;
}

static uint64_t *array_find(const struct caches_array *array, uint64_t line)
{
	return array->lines ? set_find(caches_set(array, line), array->ways, line) : NULL;
}

/* Make the line in the slot @place the most recently used line of its set. Return: its new slot. */
static uint64_t *set_use(uint64_t *set, uint64_t *place)
{
	uint64_t word = *place;

	memmove(set + 1, set, (size_t)(place - set) * sizeof(*set));
	*set = word;
	return set;
}

/* Remove the line in the slot @place. The next line that is filled uses this slot. */
static void set_drop(uint64_t *set, unsigned ways, uint64_t *place)
{
	memmove(place, place + 1, (size_t)(set + ways - place - 1) * sizeof(*place));
	set[ways - 1] = 0;
}

/* Add a line to a cache. Return: the line that the new line evicts; 0: none. */
static uint64_t array_fill(const struct caches_array *array, uint64_t word)
{
	uint64_t *set = caches_set(array, word_line(word)), evicted = set[array->ways - 1];

	memmove(set + 1, set, (array->ways - 1) * sizeof(*set));
	*set = word;
	return evicted;
}

/* Remove a line. Return: the line with its flags; 0: the cache did not have the line. */
static uint64_t array_drop(const struct caches_array *array, uint64_t line)
{
	uint64_t *place = array_find(array, line), word;

	if (!place)
		return 0;
	word = *place;
	set_drop(caches_set(array, line), array->ways, place);
	return word;
}

/* ---- building -------------------------------------------------------------------------------- */

const char *caches_shape_check(const struct caches_shape *shape)
{
	for (unsigned i = 0; i < shape->count; i++) {
		const struct caches_level *level = &shape->levels[i];
		uint64_t set = (uint64_t)level->line_bytes * level->ways;

		if (level->line_bytes != 16 && level->line_bytes != 64 && level->line_bytes != 256)
			return "a line has 16, 64 or 256 bytes";
		if (level->line_bytes != shape->levels[0].line_bytes)
			return "the lines of all levels have one size";
		if (level->ways == 0 || level->ways > CACHES_WAYS_MAX)
			return "a set has 1 to 64 ways";
		if (level->bytes == 0 || level->bytes > CACHES_BYTES_MAX || level->bytes % set != 0)
			return "a level has up to 1 GB, in whole sets of its lines and ways";
		if (level->shared && i + 1 < shape->count)
			return "only the last level is shared by a node";
	}
	if (shape->count > CACHES_LEVELS_MAX)
		return "there are up to 4 levels";
	if (shape->count > 0 && shape->levels[0].shared)
		return "the first level belongs to a processor";
	return NULL;
}

static int array_init(struct caches_array *array, const struct caches_level *level)
{
	array->ways = level->ways;
	array->sets = level->bytes / level->line_bytes / level->ways;
	array->mask = array->sets & (array->sets - 1) ? 0 : array->sets - 1;
	array->lines = calloc(array->sets * array->ways, sizeof(*array->lines));
	return array->lines ? 0 : -ENOMEM;
}

static uint64_t level_lines(const struct caches_level *level)
{
	return level->bytes / level->line_bytes;
}

int caches_init(struct caches *caches, const struct caches_shape *shape, unsigned nodes,
		unsigned processors)
{
	const struct caches_level *last = &shape->levels[shape->count ? shape->count - 1 : 0];

	*caches = (struct caches){
		.shape = *shape, .nodes = nodes, .room = processors, .sole = CACHES_NONE};
	if (caches_shape_check(shape))
		return -EINVAL;
	if (shape->count == 0)
		return 0;
	caches->shift = (unsigned)__builtin_ctz(last->line_bytes);
	caches->privates = shape->count - last->shared;
	caches->processors = calloc(processors, sizeof(*caches->processors));
	if (!caches->processors)
		return -ENOMEM;
	for (unsigned n = 0; n < nodes; n++) {
		caches->one[n] = CACHES_NONE;
		if (!last->shared)
			continue;
		if (array_init(&caches->shared[n], last) < 0)
			return -ENOMEM;
		caches->lines += level_lines(last);
	}
	return 0;
}

static void processor_free(struct caches_processor *processor)
{
	for (unsigned i = 0; i < CACHES_LEVELS_MAX; i++)
		free(processor->level[i].lines);
	*processor = (struct caches_processor){0};
}

void caches_free(struct caches *caches)
{
	for (unsigned p = 0; p < caches->count; p++)
		processor_free(&caches->processors[p]);
	for (unsigned n = 0; n < caches->nodes; n++)
		free(caches->shared[n].lines);
	free(caches->processors);
	directory_free(&caches->directory);
	*caches = (struct caches){0};
}

/* ---- the directory --------------------------------------------------------------------------- */

static void array_enter(struct directory *directory, const struct caches_array *array,
			unsigned processor)
{
	for (size_t i = 0; array->lines && i < array->sets * array->ways; i++) {
		uint64_t word = array->lines[i], line = word_line(word);
		struct directory_entry *entry;

		if (!word)
			continue;
		/* The directory has room for all lines. */
		if (directory_full(directory))
			directory_grow(directory);
		entry = directory_find(directory, line);
		if (!entry->what)
			directory_add(directory, entry, line);
		entry->holders |= directory_bit(processor);
		if (word & CACHES_OWN)
			directory_own(entry, processor);
	}
}

/* Enter all lines of the caches into the empty directory. */
static void directory_fill(struct caches *caches)
{
	/* If a node has no processors, its shared level has no lines, and no line is its own. */
	for (unsigned n = 0; n < caches->nodes; n++)
		if (caches->one[n] != CACHES_NONE)
			array_enter(&caches->directory, &caches->shared[n], caches->one[n]);
	for (unsigned p = 0; p < caches->count; p++)
		for (unsigned i = 0; i < caches->privates; i++)
			array_enter(&caches->directory, &caches->processors[p].level[i], p);
}

/* Get the entry of a line, or add one. */
static struct directory_entry *entry_get(struct caches *caches, uint64_t line)
{
	struct directory_entry *entry = directory_find(&caches->directory, line);

	if (entry->what)
		return entry;
	if (directory_full(&caches->directory)) {
		if (!directory_grow(&caches->directory)) {
			directory_clear(&caches->directory);
			directory_fill(caches);
		}
		entry = directory_find(&caches->directory, line);
	}
	directory_add(&caches->directory, entry, line);
	return entry;
}

int caches_add(struct caches *caches, unsigned node)
{
	struct caches_processor *processor = &caches->processors[caches->count];
	uint64_t lines = caches->lines;
	int grown;

	*processor = (struct caches_processor){.node = node};
	for (unsigned i = 0; i < caches->privates; i++) {
		if (array_init(&processor->level[i], &caches->shape.levels[i]) < 0) {
			processor_free(processor);
			return -ENOMEM;
		}
		lines += level_lines(&caches->shape.levels[i]);
	}
	grown = directory_reserve(&caches->directory, lines);
	if (grown < 0) {
		processor_free(processor);
		return grown;
	}
	caches->lines = lines;
	caches->one[node] = caches->count++;
	if (grown && caches->sole == CACHES_SEVERAL)
		directory_fill(caches);
	return 0;
}

/* ---- coherence ------------------------------------------------------------------------------- */

/*
 * End the state in which a processor has a line as its own. Return: whether the processor had
 * modified the line.
 */
static bool processor_share(const struct caches *caches, unsigned p, uint64_t line)
{
	struct caches_processor *processor = &caches->processors[p];
	uint64_t flags = 0;

	for (unsigned i = 0; i < caches->privates; i++) {
		uint64_t *place = array_find(&processor->level[i], line);

		if (!place)
			continue;
		flags |= *place;
		*place &= ~FLAGS;
	}
	return flags & CACHES_DIRTY;
}

static void processor_drop(const struct caches *caches, unsigned p, uint64_t line)
{
	struct caches_processor *processor = &caches->processors[p];

	for (unsigned i = 0; i < caches->privates; i++)
		array_drop(&processor->level[i], line);
}

/* Iterate over the processors for which @holders may stand. */
#define HOLDERS(caches, holders, p)                                                                \
	for (uint64_t left_ = (holders); left_; left_ &= left_ - 1)                                \
		for (unsigned p = (unsigned)__builtin_ctzll(left_); p < (caches)->count;           \
		     p += DIRECTORY_BITS)

/* Return: bit n is set if the shared level of node n may have the line. */
static uint64_t holders_nodes(const struct caches *caches, uint64_t holders)
{
	uint64_t nodes = 0;

	HOLDERS(caches, holders, p)
	nodes |= 1ULL << caches->processors[p].node;
	return nodes;
}

/*
 * Remove the line from all processors except @but, and from all shared levels except the shared
 * level of @but's node.
 */
static void holders_drop(const struct caches *caches, unsigned but, uint64_t line, uint64_t holders)
{
	uint64_t nodes = holders_nodes(caches, holders);

	if (but != CACHES_NONE)
		nodes &= ~(1ULL << caches->processors[but].node);
	HOLDERS(caches, holders, p)
	if (p != but)
		processor_drop(caches, p, line);
	for (; nodes; nodes &= nodes - 1)
		array_drop(&caches->shared[__builtin_ctzll(nodes)], line);
}

/* Make a line a processor's own: remove it from all other processors and all other nodes. */
static void line_own(const struct caches *caches, unsigned p, uint64_t line,
		     struct directory_entry *entry)
{
	if (directory_owner(entry) == p)
		return;
	holders_drop(caches, p, line, entry->holders);
	entry->holders = directory_bit(p);
	directory_own(entry, p);
}

void caches_drop(struct caches *caches, uint64_t line)
{
	struct directory_entry *entry;

	if (caches->sole == CACHES_NONE)
		return;
	if (caches->sole != CACHES_SEVERAL) {
		processor_drop(caches, caches->sole, line);
		array_drop(&caches->shared[caches->processors[caches->sole].node], line);
		return;
	}
	entry = directory_find(&caches->directory, line);
	if (!entry->what)
		return;
	holders_drop(caches, CACHES_NONE, line, entry->holders);
	/* The entry remains in the table, but no processor has its line. */
	entry->holders = 0;
	directory_own(entry, DIRECTORY_NOBODY);
}

/* ---- an access ------------------------------------------------------------------------------- */

void caches_own(struct caches *caches, const struct caches_processor *processor, uint64_t line)
{
	line_own(caches, (unsigned)(processor - caches->processors), line, entry_get(caches, line));
}

static void back_add(struct caches_served *served, uint64_t line, unsigned node)
{
	served->backs[served->backs_count++] = (struct caches_back){line, node};
}

/* Pass a modified line that a level evicts to the next level that has the line, or to its home. */
static void evicted_settle(const struct caches *caches, const struct caches_processor *processor,
			   unsigned level, uint64_t word, struct caches_served *served)
{
	uint64_t *place = NULL;

	if (!(word & CACHES_DIRTY))
		return;
	for (unsigned i = level + 1; !place && i < caches->privates; i++)
		place = array_find(&processor->level[i], word_line(word));
	if (place) {
		/*
		 * A level of the processor also stores whether the line is its own, since
		 * directory_fill() needs that.
		 */
		*place |= word & FLAGS;
		return;
	}
	if (level < caches->privates)
		place = array_find(&caches->shared[processor->node], word_line(word));
	if (place)
		*place |= CACHES_DIRTY;
	else
		back_add(served, word_line(word), processor->node);
}

/*
 * At the node that has modified the line, end the modified state. The line is then neither modified
 * nor any node's own. Return: the node that had modified the line; CACHES_NONE: the line was not
 * modified.
 */
static unsigned modified_take(const struct caches *caches, struct directory_entry *entry,
			      uint64_t line)
{
	unsigned owner = directory_owner(entry), from = CACHES_NONE;

	if (owner != DIRECTORY_NOBODY && processor_share(caches, owner, line))
		from = caches->processors[owner].node;
	directory_own(entry, DIRECTORY_NOBODY);
	for (uint64_t nodes = holders_nodes(caches, entry->holders); nodes; nodes &= nodes - 1) {
		unsigned node = (unsigned)__builtin_ctzll(nodes);
		uint64_t *place = array_find(&caches->shared[node], line);

		if (!place || !(*place & CACHES_DIRTY))
			continue;
		*place &= ~CACHES_DIRTY;
		from = node;
	}
	return from;
}

/* The node's shared level serves the access. Another processor may have the line as its own. */
static void shared_serve(const struct caches *caches, unsigned p, uint64_t *place,
			 struct directory_entry *entry)
{
	unsigned owner = directory_owner(entry);

	if (owner == p || owner == DIRECTORY_NOBODY)
		return;
	if (processor_share(caches, owner, word_line(*place)))
		*place |= CACHES_DIRTY;
	directory_own(entry, DIRECTORY_NOBODY);
}

/*
 * No level of the processor has the line, so another cache or memory serves the access. Return:
 * flags of the line for the shared level.
 */
static uint64_t others_serve(const struct caches *caches, unsigned p, uint64_t line,
			     struct directory_entry *entry, struct caches_served *served)
{
	unsigned node = caches->processors[p].node, from;

	if (entry->holders == 0)
		directory_own(entry, p);
	if (directory_owner(entry) == p)
		return 0;
	from = modified_take(caches, entry, line);
	if (from == CACHES_NONE)
		return 0;
	if (from != node) {
		served->from = from;
		back_add(served, line, from);
		return 0;
	}
	served->level = caches->shape.count;
	if (caches->shared[node].lines)
		return CACHES_DIRTY;
	back_add(served, line, node);
	return 0;
}

/*
 * Fill a line into those levels of a processor that are closer to the processor than @level. @word:
 * the line and its flags.
 */
static void levels_fill(const struct caches *caches, struct caches_processor *processor,
			unsigned level, uint64_t word, bool write, struct caches_served *served)
{
	while (level-- > 0) {
		uint64_t first = level == 0 && write ? FLAGS : 0;

		evicted_settle(caches, processor, level,
			       array_fill(&processor->level[level], word | first), served);
	}
}

/*
 * Find the first private level that has a line. Return: the line in this level; NULL: no private
 * level has the line.
 */
static uint64_t *private_find(const struct caches *caches, const struct caches_processor *processor,
			      uint64_t line, unsigned *level)
{
	for (*level = 1; *level < caches->privates; ++*level) {
		const struct caches_array *array = &processor->level[*level];
		uint64_t *place = array_find(array, line);

		if (place)
			return set_use(caches_set(array, line), place);
	}
	return NULL;
}

/* Fetch a line while no other processor has accessed any line. Return: flags of the line. */
static uint64_t sole_fetch(const struct caches *caches, struct caches_processor *processor,
			   uint64_t line, struct caches_served *served)
{
	const struct caches_array *shared = &caches->shared[processor->node];

	if (!shared->lines)
		return CACHES_OWN;
	if (caches_use(caches_set(shared, line), shared->ways, line))
		served->level = caches->privates;
	else
		evicted_settle(caches, processor, caches->privates,
			       array_fill(shared, line_word(line)), served);
	return CACHES_OWN;
}

/*
 * Fetch a line that the levels of the processor do not have, or do not have as its own. Return:
 * flags of the line.
 */
static uint64_t several_fetch(struct caches *caches, unsigned p, uint64_t line, bool write,
			      bool there, struct caches_served *served)
{
	struct caches_processor *processor = &caches->processors[p];
	const struct caches_array *shared = &caches->shared[processor->node];
	struct directory_entry *entry = entry_get(caches, line);
	uint64_t *place;

	if (!there && (place = array_find(shared, line))) {
		served->level = caches->privates;
		shared_serve(caches, p, set_use(caches_set(shared, line), place), entry);
	} else if (!there) {
		uint64_t flags = others_serve(caches, p, line, entry, served);

		if (shared->lines)
			evicted_settle(caches, processor, caches->privates,
				       array_fill(shared, line_word(line) | flags), served);
	}
	entry->holders |= directory_bit(p);
	if (write)
		line_own(caches, p, line, entry);
	return directory_owner(entry) == p ? CACHES_OWN : 0;
}

/* Start to use the directory, if @p is not the first processor that accesses a line. */
static void sole_settle(struct caches *caches, unsigned p)
{
	if (caches->sole == CACHES_NONE) {
		caches->sole = p;
		return;
	}
	caches->sole = CACHES_SEVERAL;
	directory_fill(caches);
}

void caches_fetch(struct caches *caches, unsigned p, uint64_t line, bool write,
		  struct caches_served *served)
{
	struct caches_processor *processor = &caches->processors[p];
	uint64_t word = line_word(line);
	unsigned level;
	uint64_t *place = private_find(caches, processor, line, &level);

	*served = (struct caches_served){.level = CACHES_NONE, .from = CACHES_NONE};
	if (place)
		served->level = level;
	if (caches->sole != p && caches->sole != CACHES_SEVERAL)
		sole_settle(caches, p);
	/* The next condition is the usual case, which does not depend on other processors. */
	if (place && (!write || *place & CACHES_OWN))
		word |= *place & CACHES_OWN;
	else if (caches->sole == p)
		word |= sole_fetch(caches, processor, line, served);
	else
		word |= several_fetch(caches, p, line, write, place, served);
	levels_fill(caches, processor, level, word, write, served);
}
