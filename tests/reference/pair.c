/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The emulated card and the reference side by side: see pair.h. May use bench.h and the C
 * library.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/pair.h"

static void differ(struct pair *pair, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Store only the first difference: the following ones result from it. */
static void differ(struct pair *pair, const char *format, ...)
{
	va_list args;

	if (pair->difference[0])
		return;
	va_start(args, format);
	vsnprintf(pair->difference, sizeof(pair->difference), format, args);
	va_end(args);
}

static void expect(struct pair *pair, const char *what, uint64_t card, uint64_t reference)
{
	if (card != reference)
		differ(pair, "%s: card 0x%" PRIx64 ", reference 0x%" PRIx64, what, card, reference);
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* Position in the list of the next record of the ring @host, from @from on. */
static size_t next_actual(const struct pair *pair, bool host, size_t from)
{
	while (from < pair->bench->records && pair->bench->record[from].host != host)
		from++;
	return from;
}

static size_t next_expected(const struct pair *pair, bool host, size_t from)
{
	while (from < pair->ref.records && pair->ref.written[from].host != host)
		from++;
	return from;
}

static void compare_record(struct pair *pair, const struct bench_record *actual,
			   const struct reference_written *expected)
{
	const struct reference_record *record = &expected->record;
	uint32_t is[SMILE_RECORD_WORDS];
	uint32_t should[SMILE_RECORD_WORDS];

	memcpy(is, actual->word, sizeof(is));
	reference_encode(record, should);
	if (pair->flip >= 0)
		is[pair->flip / 32] ^= (uint32_t)1 << pair->flip % 32;
	if (memcmp(is, should, sizeof(is)) != 0)
		differ(pair,
		       "record %" PRIu64 ": card %08" PRIx32 " %08" PRIx32 " %08" PRIx32
		       " %08" PRIx32 ", reference %08" PRIx32 " %08" PRIx32 " %08" PRIx32
		       " %08" PRIx32,
		       pair->compared, is[0], is[1], is[2], is[3], should[0], should[1], should[2],
		       should[3]);
	expect(pair, "place of a record", actual->place, expected->place);
	pair->compared++;
	pair->reported[record->kind & 15][record->cause & 15]++;
}

bool pair_compare_records(struct pair *pair)
{
	bench_gather(pair->bench);
	for (unsigned int host = 0; host < 2; host++) {
		size_t is = next_actual(pair, host, 0);
		size_t should = next_expected(pair, host, 0);

		while (is < pair->bench->records && should < pair->ref.records) {
			compare_record(pair, &pair->bench->record[is], &pair->ref.written[should]);
			is = next_actual(pair, host, is + 1);
			should = next_expected(pair, host, should + 1);
		}
		if (is < pair->bench->records)
			differ(pair, "the card wrote a record too many, word 0 is %08" PRIx32,
			       pair->bench->record[is].word[0]);
		if (should < pair->ref.records)
			differ(pair, "the card did not write a record of kind %" PRIu32,
			       pair->ref.written[should].record.kind);
	}
	pair->bench->records = 0;
	pair->ref.records = 0;
	return !pair->difference[0];
}

static void compare_register(struct pair *pair, uint32_t offset)
{
	uint32_t is = bench_get(pair->bench, offset);
	uint32_t should = reference_read(&pair->ref, offset);
	char name[32];

	if (is != should) {
		snprintf(name, sizeof(name), "register 0x%03" PRIx32, offset);
		expect(pair, name, is, should);
	}
}

bool pair_compare(struct pair *pair)
{
	struct bench *bench = pair->bench;
	const struct reference *ref = &pair->ref;

	pair_compare_records(pair);
	for (uint32_t offset = 0; offset < SMILE_REGS_BYTES + 8; offset += 4)
		compare_register(pair, offset);
	expect(pair, "interrupt line", bench->line, ref->line);
	expect(pair, "rises of the interrupt line", bench->rises, ref->rises);
	expect(pair, "latency timer runs", bench->latency_running, ref->latency_running);
	if (bench->latency_running)
		expect(pair, "latency timer's end", bench->latency_us, ref->latency_us);
	expect(pair, "card_ready()", card_ready(bench_card(bench)), reference_ready(ref));
	expect(pair, "card_deadline()", card_deadline(bench_card(bench)), reference_deadline(ref));
	expect(pair, "strange things done", bench->strange, 0);
	expect(pair, "bus writes left", bench->bus_accepts, ref->bus_accepts);
	return !pair->difference[0];
}

void pair_print(const struct pair *pair)
{
	char text[OPERATION_TEXT_BYTES];
	uint64_t first = pair->steps > PAIR_LOG ? pair->steps - PAIR_LOG : 0;

	for (uint64_t i = first; i < pair->steps; i++) {
		operation_print(&pair->log[i % PAIR_LOG], text);
		fprintf(stderr, "step %" PRIu64 ": %s\n", i, text);
	}
	fprintf(stderr, "after %" PRIu64 " steps: %s\n", pair->steps, pair->difference);
}

/* ---- operations ---------------------------------------------------------------------------- */

/*
 * As card.h describes it: "the same as [...] for each". Return: the number of frames that passed.
 */
static size_t reference_send(struct pair *pair)
{
	const struct bench_queue *queue = &pair->bench->queue;
	struct reference *ref = &pair->ref;
	size_t sent = 0;

	while (sent < queue->frames && reference_ready(ref) &&
	       reference_advance(ref, queue->frame[sent].time_ns) && reference_ready(ref)) {
		reference_packet(ref, queue->frame[sent].frame, queue->frame[sent].bytes);
		sent++;
	}
	pair->frames += sent;
	/* bench_do() reads the clock. */
	reference_read(ref, SMILE_REG_CLOCK);
	return sent;
}

/* Execute the operation on the reference; @clock_ns is the card's clock before the operation. */
static void reference_do(struct pair *pair, const struct operation *operation, uint64_t clock_ns)
{
	struct reference *ref = &pair->ref;

	switch (operation->kind) {
	case OPERATION_WRITE:
		reference_write(ref, operation->offset, (uint32_t)operation->value);
		break;
	case OPERATION_READ:
		expect(pair, "read", pair->bench->read, reference_read(ref, operation->offset));
		break;
	case OPERATION_FRAME:
		for (uint32_t i = 0; i < operation->repeat; i++)
			reference_packet(ref, operation->frame, operation->bytes);
		pair->frames += operation->repeat;
		break;
	case OPERATION_TICK:
		reference_tick(ref, clock_ns + operation->value);
		break;
	case OPERATION_ADVANCE:
		expect(pair, "card_advance()", pair->bench->advanced,
		       reference_advance(ref, clock_ns + operation->value));
		/* bench_do() has read the clock. */
		reference_read(ref, SMILE_REG_CLOCK);
		break;
	case OPERATION_MACHINE:
		ref->machine_us += operation->value;
		if (ref->latency_running && ref->latency_us <= ref->machine_us)
			reference_expire(ref);
		break;
	case OPERATION_EXPIRE:
		if (!ref->latency_running)
			reference_expire(ref);
		break;
	case OPERATION_LINK:
		reference_link(ref, operation->value & 1);
		break;
	case OPERATION_BUS:
		ref->bus_accepts = operation->value;
		break;
	case OPERATION_COMPARE:
		pair_compare(pair);
		break;
	case OPERATION_SEND:
	case OPERATION_QUEUE:
	case OPERATION_DRAIN:
	case OPERATION_COPY:
		break;
	}
}

bool pair_do(struct pair *pair, const struct operation *operation)
{
	struct operation *step = &pair->log[pair->steps++ % PAIR_LOG];
	uint64_t clock_ns = pair->bench->clock_ns;
	size_t sent = 0;

	*step = *operation;
	bench_resolve(pair->bench, step);
	/* The reference is first, since frames that have passed leave the queue. */
	if (step->kind == OPERATION_SEND)
		sent = reference_send(pair);
	bench_do(pair->bench, step);
	if (step->kind == OPERATION_SEND)
		expect(pair, "card_blink_packets()", pair->bench->sent, sent);
	reference_do(pair, step, clock_ns);
	return !pair->difference[0];
}

bool pair_write(struct pair *pair, uint32_t offset, uint64_t value)
{
	struct operation operation = {.kind = OPERATION_WRITE, .offset = offset, .value = value};

	return pair_do(pair, &operation);
}

struct pair *pair_new(void)
{
	struct pair *pair = calloc(1, sizeof(*pair));

	if (!pair) {
		perror("pair");
		abort();
	}
	pair->bench = bench_new();
	pair->flip = -1;
	reference_init(&pair->ref);
	return pair;
}

void pair_free(struct pair *pair)
{
	reference_free(&pair->ref);
	bench_free(pair->bench);
	free(pair);
}
