/* SPDX-License-Identifier: MIT */
/*
 * Groups of exact counts: packed and unpacked. See groups.h.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "lib/counts/exact.h"
#include "lib/recording/groups.h"

/* ---- packing --------------------------------------------------------------------------------- */

#define HEAD_TYPE(word) SMILE_GET(SMILE_RECORD_TYPE, word)

/* The words of a block; the last of a page may be shorter. */
static uint32_t block_length(uint32_t block_words, uint32_t block)
{
	uint32_t first = block * block_words, left = GROUP_BLOCKS - first;

	return left < block_words ? left : block_words;
}

/* Is it of the group that is being made, or is there none? Then it is. */
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

	if (!(counts[0] | counts[1] | counts[2]))
		packer->list[packer->used++] = (uint16_t)block;
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

static int is_narrow(const uint64_t *counts)
{
	return counts[0] <= GROUP_NARROW_MAX && counts[1] <= GROUP_NARROW_MAX &&
	       counts[2] <= GROUP_NARROW_MAX;
}

static void put_head(const struct group_packer *packer, struct smile_record *unit, uint32_t entries,
		     int wide)
{
	*unit = (struct smile_record){
		{htole32(packer->key[0] | (wide ? GROUP_WIDE : 0) |
			 SMILE_PUT(GROUP_ENTRIES, entries)),
		 htole32(packer->key[1]), htole32((uint32_t)packer->page),
		 htole32((uint32_t)(packer->page >> 32) |
			 SMILE_PUT(SMILE_RECORD_LENGTH_LESS_1, packer->block_words - 1))}};
}

/* What was put is taken from the counts. */
static size_t put_narrow(struct group_packer *packer, struct smile_record *units)
{
	uint32_t entries = 0;

	for (uint32_t i = 0; i < packer->used; i++) {
		uint32_t block = packer->list[i];
		uint64_t *counts = packer->counts[block];
		uint64_t entry;

		if (!is_narrow(counts))
			continue;
		entry = htole64(block | counts[0] << 10 | counts[1] << 28 | counts[2] << 46);
		/* The other half of the unit is zero until the next one. */
		if (entries % 2 == 0)
			memset(&units[1 + entries / 2], 0, sizeof(*units));
		memcpy((char *)&units[1 + entries / 2] + entries % 2 * sizeof(entry), &entry,
		       sizeof(entry));
		memset(counts, 0, sizeof(packer->counts[0]));
		entries++;
	}
	if (!entries)
		return 0;
	put_head(packer, units, entries, 0);
	return 1 + (entries + 1) / 2;
}

/* The same; of counts that no entry holds, as much as one does. */
static size_t put_wide(struct group_packer *packer, struct smile_record *units)
{
	uint32_t entries = 0;

	for (uint32_t i = 0; i < packer->used; i++) {
		uint32_t block = packer->list[i];
		uint64_t *counts = packer->counts[block], some[GROUP_TYPES], entry[2];

		if (is_narrow(counts))
			continue;
		for (unsigned t = 0; t < GROUP_TYPES; t++) {
			uint64_t most = t ? GROUP_OTHERS_MAX : GROUP_READS_MAX;

			some[t] = counts[t] < most ? counts[t] : most;
			counts[t] -= some[t];
		}
		entry[0] = htole64(block | some[0] << 10);
		entry[1] = htole64(some[1] | some[2] << 32);
		memcpy(&units[1 + entries], entry, sizeof(entry));
		entries++;
	}
	if (!entries)
		return 0;
	put_head(packer, units, entries, 1);
	return 1 + entries;
}

size_t smile_group_write(struct group_packer *packer, struct smile_record *units)
{
	uint32_t left = 0;
	size_t count;

	if (!packer->used)
		return 0;
	/* What a wide entry leaves is for the next call. */
	count = put_narrow(packer, units);
	count += put_wide(packer, units + count);
	for (uint32_t i = 0; i < packer->used; i++) {
		const uint64_t *counts = packer->counts[packer->list[i]];

		if (counts[0] | counts[1] | counts[2])
			packer->list[left++] = packer->list[i];
	}
	packer->used = left;
	return count;
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

/* Does the first unit of a group make sense? */
static int head_valid(const struct group_reader *reader)
{
	uint32_t entries = SMILE_GET(GROUP_ENTRIES, head_word(reader, 0));

	return !(head_word(reader, 0) & GROUP_ZERO) && entries && entries <= GROUP_BLOCKS &&
	       !(head_word(reader, 2) % SMILE_PAGE_BYTES) &&
	       !(head_word(reader, 3) & SMILE_RECORD_INDEX);
}

/* An entry is to be handed out next. */
static void entry_take(struct group_reader *reader, const uint64_t entry[2])
{
	uint64_t first = entry[0];

	reader->left--;
	reader->block = first & GROUP_BLOCK;
	if (reader->wide) {
		reader->counts[0] = first >> 10;
		reader->counts[1] = (uint32_t)entry[1];
		reader->counts[2] = entry[1] >> 32;
		return;
	}
	for (unsigned t = 0; t < GROUP_TYPES; t++)
		reader->counts[t] = first >> (10 + t * GROUP_NARROW_BITS) & GROUP_NARROW_MAX;
}

/* The next record of the entry. Return: whether there is one. */
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
	/* A block beyond the page's end: the record's type, which there is not, reports it. */
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

/* A unit outside any group. Return: whether it was handed out. */
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
	reader->left = SMILE_GET(GROUP_ENTRIES, head_word(reader, 0));
	reader->wide = (head_word(reader, 0) & GROUP_WIDE) != 0;
	return 0;
}

size_t smile_group_read(struct group_reader *reader, const struct smile_record *units, size_t count,
			size_t *taken, struct smile_record *records, size_t capacity)
{
	size_t filled = 0, used = 0;

	while (filled < capacity) {
		uint64_t entry[2];

		if (entry_next(reader, &records[filled])) {
			filled++;
		} else if (reader->has_second) {
			reader->has_second = 0;
			entry[0] = reader->second;
			entry_take(reader, entry);
		} else if (used == count) {
			break;
		} else if (!reader->left) {
			filled += (size_t)unit_begin(reader, &units[used++], &records[filled]);
		} else {
			memcpy(entry, &units[used++], sizeof(entry));
			entry[0] = le64toh(entry[0]);
			entry[1] = le64toh(entry[1]);
			reader->has_second = !reader->wide && reader->left > 1;
			reader->second = entry[1];
			entry_take(reader, entry);
		}
	}
	*taken = used;
	return filled;
}

int smile_group_open(const struct group_reader *reader)
{
	return reader->left || reader->counts[0] || reader->counts[1] || reader->counts[2];
}
