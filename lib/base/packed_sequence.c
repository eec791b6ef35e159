/* SPDX-License-Identifier: MIT */
/*
 * Packed sequence: encodes and decodes sequences of counts. See packed_sequence.h.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/packed_sequence.h"

#define VARINT_BYTES 10U
#define CODE_GAP 1U
#define CODE_COUNTS_SHIFT 1U
#define CODE_UNUSED 0x70U
#define CODE_COPY 0x80U
#define CODE_BACK_SHIFT 4U
#define CODE_COPIES 15U

size_t smile_varint_put(unsigned char *bytes, uint64_t number)
{
	size_t count = 0;

	for (; number > 0x7f; number >>= 7)
		bytes[count++] = (unsigned char)(number | 0x80);
	bytes[count++] = (unsigned char)number;
	return count;
}

int smile_varint_get(const unsigned char *bytes, size_t count, uint64_t *number)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < VARINT_BYTES && i < count; i++) {
		uint64_t part = bytes[i] & 0x7f;

		/*
		 * The last byte can have only one bit, because the other bytes have 63 of the 64
		 * bits.
		 */
		if (i == VARINT_BYTES - 1 && bytes[i] > 1)
			return -1;
		value |= part << 7 * i;
		if (!(bytes[i] & 0x80)) {
			*number = value;
			return (int)i + 1;
		}
	}
	return 0;
}

/* ---- coded ----------------------------------------------------------------------------------- */

static int entry_equal(const struct packed_entry *a, const struct packed_entry *b)
{
	return a->counts[0] == b->counts[0] && a->gap == b->gap && a->counts[1] == b->counts[1] &&
	       a->counts[2] == b->counts[2];
}

/*
 * Starting at entry @at, count the consecutive entries that equal the entry @back positions before
 * them.
 */
static size_t copies_at(const struct packed_entry *entries, size_t count, size_t at, size_t back)
{
	size_t copies = 0;

	while (at + copies < count && copies < PACKED_COPY_MAX &&
	       entry_equal(&entries[at + copies], &entries[at + copies - back]))
		copies++;
	return copies;
}

static size_t copy_put(unsigned char *bytes, size_t back, size_t copies)
{
	size_t low = copies - 1 < CODE_COPIES ? copies - 1 : CODE_COPIES;

	bytes[0] = (unsigned char)(CODE_COPY | (back - 1) << CODE_BACK_SHIFT | low);
	return low < CODE_COPIES ? 1 : 1 + smile_varint_put(bytes + 1, copies - 1 - CODE_COPIES);
}

static size_t entry_put(unsigned char *bytes, const struct packed_entry *entry,
			const struct packed_entry *before)
{
	size_t used = 1;

	bytes[0] = 0;
	if (entry->gap != 1) {
		bytes[0] |= CODE_GAP;
		used += smile_varint_put(bytes + used, entry->gap);
	}
	for (unsigned int i = 0; i < PACKED_COUNTS; i++) {
		if (entry->counts[i] == before->counts[i])
			continue;
		bytes[0] |= (unsigned char)(1U << (CODE_COUNTS_SHIFT + i));
		used += smile_varint_put(bytes + used, entry->counts[i]);
	}
	return used;
}

size_t smile_packed_write(const struct packed_entry *entries, size_t count, unsigned char *bytes)
{
	static const struct packed_entry none;
	size_t used = 0, step;

	for (size_t i = 0; i < count; i += step) {
		size_t most = 0, from = 0;

		/* Use a longer distance only if it gives more copies. */
		for (size_t back = 1; back <= PACKED_BACK && back <= i && i + most < count;
		     back++) {
			size_t copies = copies_at(entries, count, i, back);

			if (copies > most) {
				most = copies;
				from = back;
			}
		}
		used += most ? copy_put(bytes + used, from, most)
			     : entry_put(bytes + used, &entries[i], i ? &entries[i - 1] : &none);
		step = most ? most : 1;
	}
	return used;
}

/* ---- decoded --------------------------------------------------------------------------------- */

static struct packed_entry *entry_back(struct packed_reader *reader, size_t back)
{
	return &reader->last[(reader->read - back) % PACKED_BACK];
}

/*
 * Decode a code that stands for copies of earlier entries. Return: the number of its bytes; 0 if
 * the code is not complete; -1 if it is invalid.
 */
static int copies_get(struct packed_reader *reader, const unsigned char *bytes, size_t count)
{
	uint64_t more = 0;
	int used = 0;

	reader->back = 1 + (bytes[0] >> CODE_BACK_SHIFT & (PACKED_BACK - 1));
	if ((bytes[0] & CODE_COPIES) == CODE_COPIES) {
		used = smile_varint_get(bytes + 1, count - 1, &more);
		if (used <= 0)
			return used;
	}
	if (reader->back > reader->read || more >= PACKED_COPY_MAX - CODE_COPIES)
		return -1;
	reader->copies = 1 + (bytes[0] & CODE_COPIES) + (size_t)more;
	return 1 + used;
}

/*
 * Decode the code of one entry. Return: the number of its bytes; 0 if the code is not complete; -1
 * if it is invalid.
 */
static int entry_get(const unsigned char *bytes, size_t count, struct packed_entry *entry)
{
	uint64_t *numbers[] = {&entry->gap, &entry->counts[0], &entry->counts[1],
			       &entry->counts[2]};
	size_t used = 1;

	if (bytes[0] & CODE_UNUSED)
		return -1;
	entry->gap = 1;
	for (unsigned int i = 0; i <= PACKED_COUNTS; i++) {
		int some;

		if (!(bytes[0] >> i & 1))
			continue;
		some = smile_varint_get(bytes + used, count - used, numbers[i]);
		if (some <= 0)
			return some;
		used += (size_t)some;
	}
	return entry->gap ? (int)used : -1;
}

int smile_packed_read(struct packed_reader *reader, const unsigned char *bytes, size_t count,
		      size_t *taken, struct packed_entry *entry)
{
	int used = 0;

	*taken = 0;
	if (!reader->copies) {
		if (!count)
			return 0;
		*entry = reader->read ? *entry_back(reader, 1) : (struct packed_entry){0};
		used = bytes[0] & CODE_COPY ? copies_get(reader, bytes, count)
					    : entry_get(bytes, count, entry);
		if (used <= 0)
			return used < 0 ? -EINVAL : 0;
		*taken = (size_t)used;
	}
	if (reader->copies) {
		*entry = *entry_back(reader, reader->back);
		reader->copies--;
	}
	reader->last[reader->read++ % PACKED_BACK] = *entry;
	return 1;
}

size_t smile_packed_skip(struct packed_reader *reader, struct packed_entry entries[PACKED_BACK],
			 size_t *count)
{
	size_t times = 0;

	/*
	 * Leave enough copies to replace all entries in reader->last. The skipped copies then have
	 * no effect on it.
	 */
	if (reader->copies > PACKED_BACK)
		times = (reader->copies - PACKED_BACK) / reader->back;
	for (*count = 0; times && *count < reader->back; ++*count)
		entries[*count] = *entry_back(reader, *count + 1);
	reader->copies -= times * reader->back;
	return times;
}
