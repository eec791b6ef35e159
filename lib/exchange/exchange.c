// SPDX-License-Identifier: MIT
/*
 * Exchange. See lib/exchange/exchange.h.
 *
 * A word whose number other nodes act on has a checksum of 16 bits in its upper bits, so a reader
 * can validate each such word by itself. A record has a checksum of 64 bits over all its words.
 */
#include "lib/exchange/exchange.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The first word of the memory, "SMiLEsta". */
#define MAGIC UINT64_C(0x534d694c45737461)

/* The words of the head of the memory. */
enum head_word {
	HEAD_MAGIC,
	HEAD_VERSION,
	HEAD_NODE,
	HEAD_COUNTERS,
	HEAD_AGREEMENT,
	HEAD_INCARNATION,
	HEAD_CHECK,
	HEAD_BEGUN,
	HEAD_NEWEST,
	HEAD_ENDED,
	HEAD_WORDS = 16,
};

/* The words of a record that precede its values. */
enum record_word {
	RECORD_INTERVAL,
	RECORD_BEGIN,
	RECORD_END,
	RECORD_CHECK,
	RECORD_MASK,
};

static size_t mask_words(size_t counters)
{
	return (counters + 63) / 64;
}

static size_t record_words(size_t counters)
{
	return RECORD_MASK + mask_words(counters) + counters;
}

size_t exchange_bytes(size_t counters)
{
	return (HEAD_WORDS + EXCHANGE_RECORDS * record_words(counters)) * sizeof(uint64_t);
}

/* Add a word to a digest, by the finalizer of splitmix64. */
static uint64_t mix(uint64_t digest, uint64_t word)
{
	uint64_t z = (digest ^ word) + UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t exchange_digest(uint64_t digest, const void *bytes, size_t count)
{
	const unsigned char *byte = bytes;

	digest = mix(digest, count);
	for (size_t i = 0; i < count; i++)
		digest = mix(digest, byte[i]);
	return digest;
}

/*
 * Combine a number with its checksum, which is in the upper bits. @word: position of the word. The
 * checksum includes it, so that no word can be mistaken for another.
 */
static uint64_t seal(enum head_word word, uint64_t number)
{
	return number | mix(MAGIC + word, number) >> 48 << 48;
}

static int unseal(enum head_word word, uint64_t sealed, uint64_t *number)
{
	uint64_t inside = sealed & EXCHANGE_INTERVAL_MAX;

	if (sealed == UINT64_MAX)
		return -ENXIO;
	if (sealed != seal(word, inside))
		return -EBADMSG;
	*number = inside;
	return 0;
}

static uint64_t head_check(const struct exchange_head *head)
{
	uint64_t check = mix(MAGIC, EXCHANGE_VERSION);

	check = mix(check, head->node);
	check = mix(check, head->counters);
	check = mix(check, head->agreement);
	return mix(check, head->incarnation);
}

static uint64_t to_word(double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof(word));
	return word;
}

static double to_value(uint64_t word)
{
	double value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

static size_t place_of(size_t counters, uint64_t interval)
{
	return HEAD_WORDS + (size_t)(interval % EXCHANGE_RECORDS) * record_words(counters);
}

/* ---- the writer ------------------------------------------------------------------------------ */

void exchange_create(volatile uint64_t *words, const struct exchange_head *head)
{
	words[HEAD_MAGIC] = 0;
	atomic_thread_fence(memory_order_seq_cst);
	words[HEAD_VERSION] = EXCHANGE_VERSION;
	words[HEAD_NODE] = head->node;
	words[HEAD_COUNTERS] = head->counters;
	words[HEAD_AGREEMENT] = head->agreement;
	words[HEAD_INCARNATION] = head->incarnation;
	words[HEAD_CHECK] = head_check(head);
	words[HEAD_BEGUN] = seal(HEAD_BEGUN, 0);
	words[HEAD_NEWEST] = seal(HEAD_NEWEST, 0);
	words[HEAD_ENDED] = seal(HEAD_ENDED, 0);
	for (uint64_t i = 0; i < EXCHANGE_RECORDS; i++)
		words[place_of(head->counters, i) + RECORD_INTERVAL] = 0;
	atomic_thread_fence(memory_order_seq_cst);
	words[HEAD_MAGIC] = MAGIC;
}

void exchange_begin(volatile uint64_t *words, uint64_t interval)
{
	words[HEAD_BEGUN] = seal(HEAD_BEGUN, interval);
}

void exchange_end(volatile uint64_t *words, int ended)
{
	atomic_thread_fence(memory_order_seq_cst);
	words[HEAD_ENDED] = seal(HEAD_ENDED, (uint64_t)ended);
}

/* Compute the checksum over all other words of a record. */
static uint64_t record_check(const struct exchange_record *record, const uint64_t *mask,
			     size_t masks)
{
	uint64_t check = mix(MAGIC, record->interval);

	check = mix(check, record->begin_ns);
	check = mix(check, record->end_ns);
	for (size_t i = 0; i < masks; i++)
		check = mix(check, mask[i]);
	for (size_t k = 0; k < record->count; k++)
		check = mix(check, to_word(record->values[k]));
	return check;
}

static int record_possible(const struct exchange_record *record, size_t counters)
{
	if (!record->interval || record->interval > EXCHANGE_INTERVAL_MAX ||
	    record->end_ns <= record->begin_ns || record->count > counters)
		return 0;
	for (size_t k = 0; k < record->count; k++)
		if (record->counters[k] >= counters || !isfinite(record->values[k]) ||
		    (k && record->counters[k] <= record->counters[k - 1]))
			return 0;
	return 1;
}

int exchange_write(volatile uint64_t *words, const struct exchange_record *record)
{
	size_t counters = words[HEAD_COUNTERS], masks = mask_words(counters);
	volatile uint64_t *at = words + place_of(counters, record->interval);
	uint64_t mask[EXCHANGE_COUNTERS_MAX / 64] = {0};

	if (counters > EXCHANGE_COUNTERS_MAX || !record_possible(record, counters))
		return -EINVAL;
	for (size_t k = 0; k < record->count; k++)
		mask[record->counters[k] / 64] |= UINT64_C(1) << record->counters[k] % 64;
	at[RECORD_INTERVAL] = 0;
	atomic_thread_fence(memory_order_seq_cst);
	at[RECORD_BEGIN] = record->begin_ns;
	at[RECORD_END] = record->end_ns;
	at[RECORD_CHECK] = record_check(record, mask, masks);
	for (size_t i = 0; i < masks; i++)
		at[RECORD_MASK + i] = mask[i];
	for (size_t k = 0; k < record->count; k++)
		at[RECORD_MASK + masks + k] = to_word(record->values[k]);
	atomic_thread_fence(memory_order_seq_cst);
	at[RECORD_INTERVAL] = record->interval;
	atomic_thread_fence(memory_order_seq_cst);
	words[HEAD_NEWEST] = seal(HEAD_NEWEST, record->interval);
	return 0;
}

/* ---- a reader -------------------------------------------------------------------------------- */

int exchange_head(const volatile uint64_t *words, size_t bytes, struct exchange_head *head)
{
	struct exchange_head read;

	if (bytes < HEAD_WORDS * sizeof(uint64_t))
		return -EBADMSG;
	if (words[HEAD_MAGIC] != MAGIC)
		return words[HEAD_MAGIC] && words[HEAD_MAGIC] != UINT64_MAX ? -EBADMSG : -ENXIO;
	atomic_thread_fence(memory_order_seq_cst);
	if (words[HEAD_VERSION] != EXCHANGE_VERSION)
		return -EPROTONOSUPPORT;
	read.node = words[HEAD_NODE];
	read.counters = words[HEAD_COUNTERS];
	read.agreement = words[HEAD_AGREEMENT];
	read.incarnation = words[HEAD_INCARNATION];
	if (words[HEAD_CHECK] != head_check(&read) || read.counters > EXCHANGE_COUNTERS_MAX ||
	    bytes < exchange_bytes(read.counters))
		return -EBADMSG;
	*head = read;
	return 0;
}

int exchange_progress(const volatile uint64_t *words, struct exchange_progress *progress)
{
	struct exchange_progress read;
	uint64_t ended;
	int error;

	/*
	 * Read HEAD_ENDED first. If it is set, everything else that the node has written is already
	 * visible.
	 */
	error = unseal(HEAD_ENDED, words[HEAD_ENDED], &ended);
	atomic_thread_fence(memory_order_seq_cst);
	if (!error)
		error = unseal(HEAD_NEWEST, words[HEAD_NEWEST], &read.newest);
	if (!error)
		error = unseal(HEAD_BEGUN, words[HEAD_BEGUN], &read.begun);
	if (error)
		return error;
	read.ended = (int)ended;
	*progress = read;
	return 0;
}

/* List the counters whose bits are set in the mask. Return: the number of counters. */
static size_t mask_take(const uint64_t *mask, size_t masks, uint16_t *counters)
{
	size_t count = 0;

	for (size_t i = 0; i < masks * 64; i++)
		if (mask[i / 64] >> i % 64 & 1)
			counters[count++] = (uint16_t)i;
	return count;
}

int exchange_read(const volatile uint64_t *words, const struct exchange_head *head,
		  uint64_t interval, struct exchange_record *record)
{
	size_t masks = mask_words(head->counters);
	const volatile uint64_t *at = words + place_of(head->counters, interval);
	uint64_t mask[EXCHANGE_COUNTERS_MAX / 64] = {0}, check, there = at[RECORD_INTERVAL];

	if (!interval || interval > EXCHANGE_INTERVAL_MAX)
		return -EBADMSG;
	if (!there)
		return -EAGAIN;
	if (there > EXCHANGE_INTERVAL_MAX || (there ^ interval) % EXCHANGE_RECORDS)
		return -EBADMSG;
	if (there != interval)
		return there > interval ? -ESTALE : -EAGAIN;
	atomic_thread_fence(memory_order_seq_cst);
	record->interval = interval;
	record->begin_ns = at[RECORD_BEGIN];
	record->end_ns = at[RECORD_END];
	check = at[RECORD_CHECK];
	for (size_t i = 0; i < masks; i++)
		mask[i] = at[RECORD_MASK + i];
	record->count = mask_take(mask, masks, record->counters);
	if (record->count <= head->counters)
		for (size_t k = 0; k < record->count; k++)
			record->values[k] = to_value(at[RECORD_MASK + masks + k]);
	atomic_thread_fence(memory_order_seq_cst);
	/* Check that the writer has not overwritten the record while it was read. */
	if (at[RECORD_INTERVAL] != interval)
		return at[RECORD_INTERVAL] > EXCHANGE_INTERVAL_MAX ? -EBADMSG : -ESTALE;
	if (!record_possible(record, head->counters) || check != record_check(record, mask, masks))
		return -EBADMSG;
	return 0;
}
