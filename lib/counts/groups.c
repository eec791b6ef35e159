/* SPDX-License-Identifier: MIT */
/*
 * Groups: packs and unpacks groups of exact counts. See groups.h.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include <base/field.h>

#include "lib/counts/exact_counts.h"
#include "lib/counts/groups.h"

/* ---- packing --------------------------------------------------------------------------------- */

#define HEAD_TYPE(word) SMILE_GET(SMILE_RECORD_TYPE, word)

/* Get the number of words in a block. The last block of a page may be shorter. */
static uint32_t block_length(uint32_t block_words, uint32_t block)
{
	uint32_t first = block * block_words, left = GROUP_BLOCKS - first;

	return left < block_words ? left : block_words;
}

/*
 * Return whether a count belongs to the current group. If there is no current group, the count
 * begins one.
 */
static int group_is(struct group_packer *packer, const uint32_t key[2], uint64_t page)
{
	if (packer->used)
		return key[0] == packer->key[0] && key[1] == packer->key[1] && page == packer->page;
	memcpy(packer->key, key, sizeof(packer->key));
	packer->page = page;
	return 1;
}

static inline void block_add(struct group_packer *packer, uint32_t block, uint32_t type,
			     uint64_t count)
{
	uint64_t *counts = packer->counts[block];

	if (!(counts[0] | counts[1] | counts[2])) {
		packer->there[block / 64] |= 1ULL << block % 64;
		packer->used++;
	}
	counts[type == SMILE_TYPE_ANY ? 0 : type - SMILE_TYPE_READ] += count;
}

int smile_group_add(struct group_packer *packer, const struct smile_record *record)
{
	uint32_t word[SMILE_RECORD_WORDS], key[2], first, block, type;
	uint64_t address;

	for (int i = 0; i < SMILE_RECORD_WORDS; i++)
		word[i] = le32toh(record->word[i]);
	type = HEAD_TYPE(word[0]);
	address = (uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, word[3]) << 32 | word[2];
	first = (uint32_t)(address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES);
	block = first / packer->block_words;
	if (SMILE_GET(SMILE_RECORD_KIND, word[0]) != MONITOR_KIND_COUNT ||
	    type >= SMILE_TYPE_COUNT || address % SMILE_WORD_BYTES || first % packer->block_words ||
	    !smile_record_exact(word) ||
	    SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3]) + 1 !=
		    block_length(packer->block_words, block))
		return -EINVAL;

	key[0] = (word[0] & SMILE_RECORD_RESPONSE) | GROUP_KIND |
		 (type == SMILE_TYPE_ANY ? GROUP_UNTYPED : 0);
	key[1] = word[1];
	if (!group_is(packer, key, address - address % SMILE_PAGE_BYTES))
		return 0;
	block_add(packer, block, type, smile_record_exact(word));
	return 1;
}

int smile_group_add_row(struct group_packer *packer, const struct Monitor_record *first,
			const uint32_t *counts, size_t count)
{
	const uint32_t key[2] = {
		GROUP_KIND | (first->response ? SMILE_RECORD_RESPONSE : 0) |
			(first->type == SMILE_TYPE_ANY ? GROUP_UNTYPED : 0),
		SMILE_PUT(SMILE_RECORD_SOURCE, first->source) |
			SMILE_PUT(SMILE_RECORD_DESTINATION, first->destination),
	};
	uint32_t offset = first->address % SMILE_PAGE_BYTES;
	uint32_t block = offset / SMILE_WORD_BYTES / packer->block_words;

	if (!group_is(packer, key, first->address - offset))
		return 0;
	for (size_t i = 0; i < count; i++)
		if (counts[i])
			block_add(packer, block + (uint32_t)i, first->type, counts[i]);
	return 1;
}

/*
 * Move the counts of a block into an entry, up to the largest count of an entry. Return: whether a
 * part of a count is left.
 */
static int counts_move(uint64_t counts[GROUP_TYPES], struct packed_entry *entry)
{
	uint64_t left = 0;

	for (unsigned int t = 0; t < GROUP_TYPES; t++) {
		entry->counts[t] = counts[t] < GROUP_COUNT_MAX ? counts[t] : GROUP_COUNT_MAX;
		counts[t] -= entry->counts[t];
		left |= counts[t];
	}
	return left != 0;
}

/* Make a sequence of the group's counts, ordered by block. Return: the number of entries. */
static uint32_t sequence_make(struct group_packer *packer)
{
	uint32_t count = 0, next = 0;

	packer->used = 0;
	for (uint32_t i = 0; i < GROUP_BLOCKS / 64; i++) {
		uint64_t there = packer->there[i];

		for (packer->there[i] = 0; there; there &= there - 1) {
			uint32_t block = i * 64 + (uint32_t)__builtin_ctzll(there);
			struct packed_entry *entry = &packer->entries[count++];

			entry->gap = block + 1 - next;
			next = block + 1;
			if (!counts_move(packer->counts[block], entry))
				continue;
			packer->there[i] |= there & -there;
			packer->used++;
		}
	}
	return count;
}

size_t smile_group_write(struct group_packer *packer, struct smile_record *units)
{
	size_t bytes, count;

	if (!packer->used)
		return 0;
	count = sequence_make(packer);
	bytes = smile_packed_write(packer->entries, count, (unsigned char *)&units[1]);
	count = (bytes + sizeof(*units) - 1) / sizeof(*units);
	memset((unsigned char *)&units[1] + bytes, 0, count * sizeof(*units) - bytes);
	units[0] = (struct smile_record){
		{htole32(packer->key[0] | SMILE_PUT(GROUP_BYTES, (uint32_t)bytes)),
		 htole32(packer->key[1]), htole32((uint32_t)packer->page),
		 htole32((uint32_t)(packer->page >> 32) |
			 SMILE_PUT(SMILE_RECORD_LENGTH_LESS_1, packer->block_words - 1))}};
	return 1 + count;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

static uint32_t head_word(const struct group_reader *reader, int i)
{
	return le32toh(reader->head.word[i]);
}

static uint32_t head_block_words(const struct group_reader *reader)
{
	return SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, head_word(reader, 3)) + 1;
}

/* Return whether the first unit of a group is valid. */
static int head_valid(const struct group_reader *reader)
{
	return !(head_word(reader, 0) & GROUP_ZERO) &&
	       SMILE_GET(GROUP_BYTES, head_word(reader, 0)) &&
	       !(head_word(reader, 2) % SMILE_PAGE_BYTES) &&
	       !(head_word(reader, 3) & SMILE_RECORD_INDEX);
}

/*
 * Handle an invalid sequence: return one record that a decoder rejects, and skip the rest of the
 * sequence.
 */
static void sequence_refuse(struct group_reader *reader)
{
	reader->bytes = 0;
	reader->sequence.copies = 0;
	reader->block = GROUP_BLOCKS;
	reader->counts[0] = 1;
}

/* Return whether a part of the sequence was not decoded yet. */
static int sequence_open(const struct group_reader *reader)
{
	return reader->bytes || reader->sequence.copies;
}

/* Append a unit of a group, which has 16 bytes, to the window. */
static void window_add(struct group_reader *reader, const struct smile_record *unit)
{
	uint32_t left = reader->window_end - reader->window_first;

	memmove(reader->window, reader->window + reader->window_first, left);
	memcpy(reader->window + left, unit, sizeof(*unit));
	reader->window_first = 0;
	reader->window_end = left + (uint32_t)sizeof(*unit);
	reader->units--;
}

static int counts_valid(const struct packed_entry *entry)
{
	return entry->counts[0] <= GROUP_COUNT_MAX && entry->counts[1] <= GROUP_COUNT_MAX &&
	       entry->counts[2] <= GROUP_COUNT_MAX;
}

static int entry_valid(const struct group_reader *reader, const struct packed_entry *entry)
{
	return entry->gap <= GROUP_BLOCKS - reader->next && counts_valid(entry);
}

/* Decode the next entry in the window. Return: whether the whole entry was in the window. */
static int window_take(struct group_reader *reader)
{
	uint32_t there = reader->window_end - reader->window_first;
	struct packed_entry entry;
	size_t taken;
	int got;

	/* Do not read beyond the end of the sequence. */
	if (there > reader->bytes)
		there = reader->bytes;
	got = smile_packed_read(&reader->sequence, reader->window + reader->window_first, there,
				&taken, &entry);
	if (!got && reader->units)
		return 0;
	if (got <= 0 || !entry_valid(reader, &entry)) {
		sequence_refuse(reader);
		return 1;
	}
	reader->window_first += (uint32_t)taken;
	reader->bytes -= (uint32_t)taken;
	reader->block = reader->next + (uint32_t)entry.gap - 1;
	reader->next = reader->block + 1;
	memcpy(reader->counts, entry.counts, sizeof(reader->counts));
	return 1;
}

/* Get the next record of the entry. Return: whether there is a further record. */
static int entry_next(struct group_reader *reader, struct smile_record *record)
{
	uint32_t block_words = head_block_words(reader), count, type, length;
	uint64_t offset = (uint64_t)reader->block * block_words;
	unsigned t;

	for (t = 0; t < GROUP_TYPES && !reader->counts[t]; t++)
		;
	if (t == GROUP_TYPES)
		return 0;
	count = reader->counts[t] < MONITOR_COUNT_MAX ? (uint32_t)reader->counts[t]
						      : MONITOR_COUNT_MAX;
	reader->counts[t] -= count;
	type = head_word(reader, 0) & GROUP_UNTYPED ? (t ? SMILE_TYPE_COUNT : SMILE_TYPE_ANY)
						    : SMILE_TYPE_READ + t;
	/*
	 * If the block is beyond the end of the page, give the record an invalid type, so that its
	 * decoder reports the error.
	 */
	if (offset >= GROUP_BLOCKS) {
		offset = 0;
		type = SMILE_TYPE_COUNT;
	}
	length = block_length(block_words, (uint32_t)offset / block_words);
	*record = smile_count_record(
		type, head_word(reader, 0) & SMILE_RECORD_RESPONSE,
		SMILE_GET(SMILE_RECORD_SOURCE, head_word(reader, 1)),
		SMILE_GET(SMILE_RECORD_DESTINATION, head_word(reader, 1)),
		((uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, head_word(reader, 3)) << 32 |
		 head_word(reader, 2)) +
			offset * SMILE_WORD_BYTES,
		length, count);
	return 1;
}

/*
 * Handle a unit of 16 bytes that is not within a group: it begins a group, or is a record. Return:
 * whether the unit is returned to the caller.
 */
static int unit_begin(struct group_reader *reader, const struct smile_record *unit,
		      struct smile_record *record)
{
	if (SMILE_GET(SMILE_RECORD_KIND, le32toh(unit->word[0])) != GROUP_KIND) {
		*record = *unit;
		return 1;
	}
	reader->head = *unit;
	if (!head_valid(reader)) {
		*record = *unit;
		return 1;
	}
	*reader = (struct group_reader){.head = *unit};
	reader->bytes = SMILE_GET(GROUP_BYTES, head_word(reader, 0));
	reader->units = (reader->bytes + (uint32_t)sizeof(*unit) - 1) / (uint32_t)sizeof(*unit);
	return 0;
}

size_t smile_group_read(struct group_reader *reader, const struct smile_record *units, size_t count,
			size_t *taken, struct smile_record *records, size_t capacity)
{
	size_t filled = 0, used = 0;

	while (filled < capacity) {
		if (entry_next(reader, &records[filled]))
			filled++;
		else if (sequence_open(reader) && window_take(reader))
			continue;
		else if (used == count)
			break;
		else if (!reader->units)
			filled += (size_t)unit_begin(reader, &units[used++], &records[filled]);
		else if (sequence_open(reader))
			window_add(reader, &units[used++]);
		else {
			used++;
			reader->units--;
		}
	}
	*taken = used;
	return filled;
}

int smile_group_open(const struct group_reader *reader)
{
	return reader->units || sequence_open(reader) || reader->counts[0] || reader->counts[1] ||
	       reader->counts[2];
}

/* ---- sums ------------------------------------------------------------------------------------ */

size_t smile_group_units(const struct smile_record *unit)
{
	uint32_t bytes = SMILE_GET(GROUP_BYTES, le32toh(unit->word[0]));

	return 1 + (bytes + sizeof(*unit) - 1) / sizeof(*unit);
}

int smile_group_page(const struct smile_record *unit, uint64_t *page)
{
	const struct group_reader reader = {.head = *unit};

	if (SMILE_GET(SMILE_RECORD_KIND, head_word(&reader, 0)) != GROUP_KIND ||
	    !head_valid(&reader))
		return 0;
	*page = ((uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, head_word(&reader, 3)) << 32 |
		 head_word(&reader, 2)) /
		SMILE_PAGE_BYTES;
	return 1;
}

/*
 * Add the counts of an entry, multiplied by @times, to the sums. Return: whether the entry is
 * valid.
 */
static int entry_sum(struct group_reader *reader, struct group_sums *sums,
		     const struct packed_entry *entry, size_t times)
{
	if (!counts_valid(entry) || entry->gap > GROUP_BLOCKS ||
	    entry->gap * times > GROUP_BLOCKS - reader->next)
		return 0;
	reader->next += (uint32_t)(entry->gap * times);
	for (unsigned int t = 0; t < GROUP_TYPES; t++) {
		uint64_t count = entry->counts[t];

		sums->counts[t] += times * count;
		sums->records += times * ((count + MONITOR_COUNT_MAX - 1) / MONITOR_COUNT_MAX);
	}
	return 1;
}

/*
 * Add all copies that the current code stands for to the sums, without reading each copy. Return:
 * whether the copies are valid.
 */
static int copies_sum(struct group_reader *reader, struct group_sums *sums)
{
	struct packed_entry entries[PACKED_BACK];
	size_t count, times = smile_packed_skip(&reader->sequence, entries, &count);
	int valid = 1;

	for (size_t i = 0; i < count && valid; i++)
		valid = entry_sum(reader, sums, &entries[i], times);
	return valid;
}

size_t smile_group_sum(const struct smile_record *units, size_t count, struct group_sums *sums)
{
	struct group_reader reader = {0};
	const unsigned char *bytes = (const unsigned char *)(units + 1);
	size_t left, taken;
	struct packed_entry entry;
	uint64_t page;

	if (!count || !smile_group_page(units, &page))
		return 0;
	reader.head = *units;
	left = SMILE_GET(GROUP_BYTES, head_word(&reader, 0));
	if (smile_group_units(units) > count)
		return 0;
	*sums = (struct group_sums){
		.page = page,
		.source = SMILE_GET(SMILE_RECORD_SOURCE, head_word(&reader, 1)),
		.destination = SMILE_GET(SMILE_RECORD_DESTINATION, head_word(&reader, 1)),
		.response = (head_word(&reader, 0) & SMILE_RECORD_RESPONSE) != 0,
		.untyped = (head_word(&reader, 0) & GROUP_UNTYPED) != 0,
	};
	while (left || reader.sequence.copies) {
		if (smile_packed_read(&reader.sequence, bytes, left, &taken, &entry) <= 0 ||
		    !entry_sum(&reader, sums, &entry, 1) || !copies_sum(&reader, sums))
			return 0;
		bytes += taken;
		left -= taken;
	}
	/*
	 * The group is invalid, because a block is beyond the page, or has accesses without a type.
	 */
	if ((uint64_t)(reader.next - 1) * head_block_words(&reader) >= GROUP_BLOCKS ||
	    (sums->untyped && (sums->counts[1] || sums->counts[2])))
		return 0;
	return smile_group_units(units);
}

size_t smile_group_records(const struct group_sums *sums, struct smile_record *records,
			   size_t capacity)
{
	size_t filled = 0;

	for (unsigned int t = 0; t < GROUP_TYPES; t++) {
		uint64_t left = sums->counts[t];

		while (left) {
			uint32_t some =
				left < MONITOR_COUNT_MAX ? (uint32_t)left : MONITOR_COUNT_MAX;

			if (filled == capacity)
				return 0;
			records[filled++] = smile_count_record(
				sums->untyped ? SMILE_TYPE_ANY : SMILE_TYPE_READ + t,
				sums->response, sums->source, sums->destination,
				sums->page * SMILE_PAGE_BYTES, GROUP_BLOCKS, some);
			left -= some;
		}
	}
	return filled;
}
