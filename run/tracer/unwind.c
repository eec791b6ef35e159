/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unwinding. See unwind.h. This file uses only the program's memory.
 *
 * The code supports the tables and expressions that GCC and LLVM generate for x86-64: a sorted
 * .eh_frame_hdr with offsets of four bytes, functions that align their stack, and signal frames. If
 * the walk finds anything else, the walk ends, and the outer functions are not reported.
 */
#include "run/tracer/unwind.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TABLES_MAX 1024U
#define STEPS 256U /* a power of two */
#define STATES_MAX 8
#define VALUES_MAX 16

/* Encodings of pointers. */
#define POINTER_OMIT 0xff
#define POINTER_FORMAT 0x0f
#define POINTER_RELATIVE 0x70
#define POINTER_PC_RELATIVE 0x10
#define HEADER_TABLE 0x3b /* relative to the header, signed, 4 bytes */
#define HEADER_COUNT 0x03 /* unsigned, 4 bytes */
#define HEADER_ENTRIES 12 /* offset of the table, after a pointer of 4 bytes */

/**
 * struct unwind_table - A range of code and its call frame information (see unwind_add()). The
 * entry is empty if @start and @end are equal.
 * @turn: number of changes of the entry. If a reader finds another number after it has read the
 *        entry, the entry was inconsistent
 */
struct unwind_table {
	_Atomic uint64_t turn;
	_Atomic uint64_t start;
	_Atomic uint64_t end;
	_Atomic uint64_t header;
	_Atomic uint64_t low;
	_Atomic uint64_t high;
};

static struct unwind_table tables[TABLES_MAX];
static _Atomic unsigned int tables_used; /* the entries from this index on were never used */
/* number of changes of the tables; incremented during each change */
static _Atomic uint64_t tables_changes = 1;

/**
 * struct reader - A cursor over bytes in the program's memory.
 * @at: address of the next byte
 * @end: one past the last byte
 * @wrong: bytes were missing or invalid
 */
struct reader {
	uint64_t at;
	uint64_t end;
	bool wrong;
};

enum how {
	HOW_SAME,
	HOW_UNDEFINED,
	HOW_OFFSET, /* stored in memory, at the frame's address plus @value */
	HOW_VALUE, /* the frame's address plus @value */
	HOW_REGISTER,
	HOW_AT, /* stored in memory, at the address that the expression gives */
	HOW_IS, /* the value of the expression */
};

/**
 * struct rule - How to compute a register of the caller, or the frame's address.
 * @how: enum how
 * @value: an offset, or the number of a register
 * @from: first byte of an expression
 * @to: one past the last byte of an expression
 */
struct rule {
	enum how how;
	int64_t value;
	uint64_t from;
	uint64_t to;
};

/**
 * struct row - The rules at one instruction.
 * @base: register to which the offset @cfa is added, unless @cfa is an expression
 * @cfa: offset or expression for the frame's address
 * @rules: rules for the caller's registers
 */
struct row {
	uint64_t base;
	struct rule cfa;
	struct rule rules[UNWIND_REGISTERS];
};

/**
 * struct entry - The call frame information of a function: an FDE with its CIE.
 * @start: first address of the function
 * @code: alignment factor for code
 * @data: alignment factor for data
 * @initial: instructions of the CIE
 * @own: instructions of the FDE
 * @signal: the frame is that of the return from a signal handler
 */
struct entry {
	uint64_t start;
	uint64_t code;
	int64_t data;
	struct reader initial;
	struct reader own;
	bool signal;
};

/**
 * struct step - The cached rules at one instruction.
 * @changes: value of tables_changes before the look-up; 0: the slot is empty
 * @pc: address of the instruction
 * @changed: bit mask of the registers whose value differs in the caller
 * @signal: see struct entry
 * @row: the rules
 */
struct step {
	uint64_t changes;
	uint64_t pc;
	uint32_t changed;
	bool signal;
	struct row row;
};

struct unwind_steps {
	struct step step[STEPS];
};

struct unwind_steps *unwind_steps_new(void)
{
	return calloc(1, sizeof(struct unwind_steps));
}

void unwind_registers(struct unwind *frame, const struct stream_registers *from)
{
	frame->registers[UNWIND_RIP] = from->rip;
	frame->registers[UNWIND_RSP] = from->rsp;
	frame->registers[UNWIND_RBP] = from->rbp;
	frame->registers[UNWIND_RBX] = from->rbx;
	frame->registers[UNWIND_R12] = from->r12;
	frame->registers[UNWIND_R12 + 1] = from->r13;
	frame->registers[UNWIND_R12 + 2] = from->r14;
	frame->registers[UNWIND_R12 + 3] = from->r15;
}

void unwind_add(uint64_t start, uint64_t end, uint64_t header, uint64_t low, uint64_t high)
{
	unsigned int used = tables_used;
	struct unwind_table *t;
	unsigned int i;

	for (i = 0; i < used; i++) {
		if (tables[i].end <= tables[i].start)
			break;
	}
	if (i == TABLES_MAX)
		return;
	t = &tables[i];
	/* During the change, a concurrent walk sees an empty entry, or another value of @turn. */
	t->end = 0;
	t->turn++;
	t->start = start;
	t->header = header;
	t->low = low;
	t->high = high;
	t->end = end;
	if (i == used)
		tables_used = used + 1;
	tables_changes++;
}

void unwind_cut(uint64_t start, uint64_t end)
{
	unsigned int used = tables_used, i;
	bool changed = false;
	struct unwind_table *t;

	for (i = 0; i < used; i++) {
		t = &tables[i];
		if (t->start >= t->end || t->start >= end || t->end <= start)
			continue;
		changed = true;
		if (t->start >= start) {
			t->start = t->end > end ? end : (uint64_t)t->end;
			continue;
		}
		/*
		 * First add the part after the removed range, so that a concurrent walk always
		 * finds it.
		 */
		if (t->end > end)
			unwind_add(end, t->end, t->header, t->low, t->high);
		t->end = start;
	}
	if (changed)
		tables_changes++;
}

static bool table_search(uint64_t pc, uint64_t found[3])
{
	unsigned int used = tables_used, i;
	const struct unwind_table *t;
	uint64_t turn;

	for (i = 0; i < used; i++) {
		t = &tables[i];
		turn = t->turn;
		if (pc < t->start || pc >= t->end)
			continue;
		found[0] = t->header;
		found[1] = t->low;
		found[2] = t->high;
		if (t->turn == turn && pc >= t->start && pc < t->end)
			return true;
	}
	return false;
}

/*
 * Find the table of the code at @pc. @found: receives the members header, low and high of the
 * table. A cut may move a table to an entry that was already searched, so search again if the
 * tables have changed.
 */
static bool table_find(uint64_t pc, uint64_t found[3])
{
	uint64_t changes;

	do {
		changes = tables_changes;
		if (table_search(pc, found))
			return true;
	} while (changes != tables_changes);
	return false;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static uint64_t number(struct reader *reader, unsigned int bytes)
{
	uint64_t value = 0;

	if (reader->wrong || reader->end < reader->at || reader->end - reader->at < bytes) {
		reader->wrong = true;
		return 0;
	}
	memcpy(&value, (const void *)(uintptr_t)reader->at, bytes);
	reader->at += bytes;
	return value;
}

static int64_t signed_number(struct reader *reader, unsigned int bytes)
{
	unsigned int shift = 64 - 8 * bytes;

	return (int64_t)(number(reader, bytes) << shift) >> shift;
}

static uint64_t leb(struct reader *reader, bool has_sign)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = (uint8_t)number(reader, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (has_sign && shift < 64 && (byte & 0x40))
		value |= ~0ULL << shift;
	return value;
}

static uint64_t uleb(struct reader *reader)
{
	return leb(reader, false);
}

static int64_t sleb(struct reader *reader)
{
	return (int64_t)leb(reader, true);
}

/* Read a pointer. @size: read a size in this encoding; a size is not relative to an address. */
static uint64_t pointer(struct reader *reader, uint8_t encoding, bool size)
{
	uint64_t at = reader->at, value;

	switch (encoding & POINTER_FORMAT) {
	case 0x03:
		value = number(reader, 4);
		break;
	case 0x0b:
		value = (uint64_t)signed_number(reader, 4);
		break;
	case 0x00:
	case 0x04:
	case 0x0c:
		value = number(reader, 8);
		break;
	default:
		reader->wrong = true;
		return 0;
	}
	if (size || !(encoding & POINTER_RELATIVE))
		return value;
	if ((encoding & POINTER_RELATIVE) != POINTER_PC_RELATIVE)
		reader->wrong = true;
	return value + at;
}

static void skip(struct reader *reader, uint64_t bytes)
{
	if (reader->wrong || reader->end - reader->at < bytes)
		reader->wrong = true;
	else
		reader->at += bytes;
}

/* ---- unwind information of a function ------------------------------------------------------- */

/* Get the bytes of an FDE or CIE that follow its length field. */
static struct reader record(uint64_t at, uint64_t low, uint64_t high)
{
	struct reader reader = {at, high, at < low || at >= high};
	uint64_t bytes = number(&reader, 4);

	if (bytes >= 0xfffffff0 || bytes < 4 || reader.wrong || high - reader.at < bytes)
		reader.wrong = true;
	else
		reader.end = reader.at + bytes;
	return reader;
}

/* Read a CIE. Return: the encoding of addresses. */
static uint8_t cie(struct reader *reader, struct entry *entry, bool *augmented)
{
	uint8_t encoding = 0, version, personality;
	char text[8] = "", *c = text;
	struct reader extra;

	if (number(reader, 4))
		reader->wrong = true;
	version = (uint8_t)number(reader, 1);
	for (unsigned int i = 0; i < sizeof(text); i++) {
		text[i] = (char)number(reader, 1);
		if (!text[i])
			break;
		if (i == sizeof(text) - 1)
			reader->wrong = true;
	}
	if ((version != 1 && version != 3) || (*text && *text != 'z'))
		reader->wrong = true;
	entry->code = uleb(reader);
	entry->data = sleb(reader);
	if ((version == 1 ? number(reader, 1) : uleb(reader)) != UNWIND_RIP)
		reader->wrong = true;
	*augmented = *text == 'z';
	if (*augmented) {
		uint64_t bytes = uleb(reader);

		extra = *reader;
		skip(reader, bytes);
		for (c = text + 1; !reader->wrong && *c; c++) {
			if (*c == 'R') {
				encoding = (uint8_t)number(&extra, 1);
			} else if (*c == 'P') {
				personality = (uint8_t)number(&extra, 1);
				pointer(&extra, personality, true);
			} else if (*c == 'L') {
				number(&extra, 1);
			} else if (*c == 'S') {
				entry->signal = true;
			}
		}
	}
	entry->initial = *reader;
	return encoding;
}

static bool fde(uint64_t at, uint64_t low, uint64_t high, uint64_t pc, struct entry *entry)
{
	struct reader own = record(at, low, high), head;
	uint64_t where = own.at, back, bytes;
	uint8_t encoding;
	bool augmented;

	*entry = (struct entry){0};
	back = number(&own, 4);
	if (own.wrong || !back || back > where - low)
		return false;
	head = record(where - back, low, high);
	encoding = cie(&head, entry, &augmented);
	if (head.wrong || encoding == POINTER_OMIT)
		return false;
	entry->start = pointer(&own, encoding, false);
	bytes = pointer(&own, encoding, true);
	if (augmented)
		skip(&own, uleb(&own));
	entry->own = own;
	return !own.wrong && pc >= entry->start && pc - entry->start < bytes;
}

/* Find the FDE of the function at @pc by binary search in the sorted table. */
static bool entry_find(uint64_t pc, struct entry *entry)
{
	uint64_t header, first, last, count, middle, at;
	uint64_t table[3];
	struct reader reader;

	if (!table_find(pc, table))
		return false;
	header = table[0];
	reader = (struct reader){header, table[2], header < table[1]};
	at = number(&reader, 4);
	if ((at & 0xff) != 1 || (at >> 16 & 0xff) != HEADER_COUNT || at >> 24 != HEADER_TABLE)
		return false;
	number(&reader, 4);
	count = number(&reader, 4);
	if (reader.wrong || !count || count > (reader.end - reader.at) / 8)
		return false;
	for (first = 0, last = count; last - first > 1;) {
		middle = first + (last - first) / 2;
		reader.at = header + HEADER_ENTRIES + 8 * middle;
		if (header + (uint64_t)signed_number(&reader, 4) <= pc)
			first = middle;
		else
			last = middle;
	}
	reader.at = header + HEADER_ENTRIES + 8 * first + 4;
	at = header + (uint64_t)signed_number(&reader, 4);
	return !reader.wrong && fde(at, table[1], table[2], pc, entry);
}

/* ---- call frame instructions --------------------------------------------------------------- */

static void rule_set(struct row *row, uint64_t number_of, enum how how, int64_t value)
{
	if (number_of < UNWIND_REGISTERS)
		row->rules[number_of] = (struct rule){.how = how, .value = value};
}

static struct rule expression(struct reader *reader, enum how how)
{
	uint64_t bytes = uleb(reader);
	struct rule rule = {.how = how, .from = reader->at, .to = reader->at + bytes};

	skip(reader, bytes);
	return rule;
}

static void rule_expression(struct row *row, struct reader *reader, enum how how)
{
	uint64_t of = uleb(reader);
	struct rule rule = expression(reader, how);

	if (of < UNWIND_REGISTERS)
		row->rules[of] = rule;
}

static void restore(struct row *row, const struct row *initial, uint64_t of)
{
	if (of < UNWIND_REGISTERS)
		row->rules[of] = initial->rules[of];
}

/* Execute a DW_CFA_* instruction that has no operand in its low six bits. */
static bool instruction(uint8_t op, struct reader *r, const struct entry *entry, struct row *row,
			const struct row *initial)
{
	uint64_t of;

	switch (op) {
	case 0x00: /* nop */
		return true;
	case 0x05: /* offset_extended */
		of = uleb(r);
		rule_set(row, of, HOW_OFFSET, (int64_t)uleb(r) * entry->data);
		return true;
	case 0x06: /* restore_extended */
		restore(row, initial, uleb(r));
		return true;
	case 0x07: /* undefined */
		rule_set(row, uleb(r), HOW_UNDEFINED, 0);
		return true;
	case 0x08: /* same_value */
		rule_set(row, uleb(r), HOW_SAME, 0);
		return true;
	case 0x09: /* register */
		of = uleb(r);
		rule_set(row, of, HOW_REGISTER, (int64_t)uleb(r));
		return true;
	case 0x0c: /* def_cfa */
		row->base = uleb(r);
		row->cfa = (struct rule){.how = HOW_VALUE, .value = (int64_t)uleb(r)};
		return true;
	case 0x0d: /* def_cfa_register */
		row->base = uleb(r);
		return true;
	case 0x0e: /* def_cfa_offset */
		row->cfa = (struct rule){.how = HOW_VALUE, .value = (int64_t)uleb(r)};
		return true;
	case 0x0f: /* def_cfa_expression */
		row->cfa = expression(r, HOW_IS);
		return true;
	case 0x10: /* expression */
		rule_expression(row, r, HOW_AT);
		return true;
	case 0x11: /* offset_extended_sf */
		of = uleb(r);
		rule_set(row, of, HOW_OFFSET, sleb(r) * entry->data);
		return true;
	case 0x12: /* def_cfa_sf */
		row->base = uleb(r);
		row->cfa = (struct rule){.how = HOW_VALUE, .value = sleb(r) * entry->data};
		return true;
	case 0x13: /* def_cfa_offset_sf */
		row->cfa = (struct rule){.how = HOW_VALUE, .value = sleb(r) * entry->data};
		return true;
	case 0x14: /* val_offset */
		of = uleb(r);
		rule_set(row, of, HOW_VALUE, (int64_t)uleb(r) * entry->data);
		return true;
	case 0x16: /* val_expression */
		rule_expression(row, r, HOW_IS);
		return true;
	case 0x2e: /* GNU_args_size */
		uleb(r);
		return true;
	default:
		return false;
	}
}

/*
 * Execute instructions up to the location @pc. @initial: the row after the instructions of the CIE.
 * For the CIE itself, this is @row.
 */
static bool execute(struct reader r, const struct entry *entry, uint64_t pc, struct row *row,
		    const struct row *initial)
{
	struct row states[STATES_MAX];
	uint64_t at = entry->start;
	int depth = 0;
	uint8_t op;

	while (r.at < r.end && !r.wrong) {
		op = (uint8_t)number(&r, 1);
		if (op >> 6 == 1) {
			at += (op & 0x3f) * entry->code;
		} else if (op >> 6 == 2) {
			rule_set(row, op & 0x3f, HOW_OFFSET, (int64_t)uleb(&r) * entry->data);
		} else if (op >> 6 == 3) {
			restore(row, initial, op & 0x3f);
		} else if (op == 0x01) { /* set_loc, which no compiler generates */
			return false;
		} else if (op >= 0x02 && op <= 0x04) { /* advance_loc1, 2, 4 */
			at += number(&r, 1U << (op - 2)) * entry->code;
		} else if (op == 0x0a) { /* remember_state */
			if (depth == STATES_MAX)
				return false;
			states[depth++] = *row;
		} else if (op == 0x0b) { /* restore_state */
			if (!depth)
				return false;
			*row = states[--depth];
		} else if (!instruction(op, &r, entry, row, initial)) {
			return false;
		}
		if (at > pc)
			return true;
	}
	return !r.wrong;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool stack_read(const struct unwind *frame, uint64_t address, uint64_t *value)
{
	if (address < frame->low || address >= frame->high || frame->high - address < 8)
		return false;
	memcpy(value, (const void *)(uintptr_t)address, 8);
	return true;
}

/*
 * Evaluate an expression. The function supports only the operations that occur for functions with
 * an aligned stack and for signal frames. @cfa: the initial value on the expression's stack; NULL:
 * the stack is empty.
 */
static bool evaluate(const struct unwind *frame, const struct rule *rule, const uint64_t *cfa,
		     uint64_t *result)
{
	struct reader r = {rule->from, rule->to, false};
	uint64_t values[VALUES_MAX];
	int count = 0;
	uint8_t op;

	if (cfa)
		values[count++] = *cfa;
	while (r.at < r.end && !r.wrong) {
		op = (uint8_t)number(&r, 1);
		if (count >= VALUES_MAX - 1)
			return false;
		if (op >= 0x70 && op < 0x70 + UNWIND_REGISTERS) /* breg */
			values[count++] = frame->registers[op - 0x70] + (uint64_t)sleb(&r);
		else if (op >= 0x30 && op <= 0x4f) /* lit */
			values[count++] = op - 0x30U;
		else if (op == 0x08) /* const1u */
			values[count++] = number(&r, 1);
		else if (op == 0x10) /* constu */
			values[count++] = uleb(&r);
		else if (op == 0x11) /* consts */
			values[count++] = (uint64_t)sleb(&r);
		else if (op == 0x23 && count) /* plus_uconst */
			values[count - 1] += uleb(&r);
		else if (op == 0x22 && count > 1) /* plus */
			count--, values[count - 1] += values[count];
		else if (op != 0x06 || !count || /* deref */
			 !stack_read(frame, values[count - 1], &values[count - 1]))
			return false;
	}
	if (r.wrong || !count)
		return false;
	*result = values[count - 1];
	return true;
}

/* Compute the value of a register in the caller. Return: false if the value is lost. */
static bool value_of(const struct unwind *frame, const struct row *row, unsigned int of,
		     uint64_t *value)
{
	const struct rule *rule = &row->rules[of];
	uint64_t at;

	switch (rule->how) {
	case HOW_SAME:
		*value = frame->registers[of];
		return true;
	case HOW_OFFSET:
		return stack_read(frame, frame->cfa + (uint64_t)rule->value, value);
	case HOW_VALUE:
		*value = frame->cfa + (uint64_t)rule->value;
		return true;
	case HOW_REGISTER:
		if ((uint64_t)rule->value >= UNWIND_REGISTERS)
			return false;
		*value = frame->registers[rule->value];
		return true;
	case HOW_AT:
		return evaluate(frame, rule, &frame->cfa, &at) && stack_read(frame, at, value);
	case HOW_IS:
		return evaluate(frame, rule, &frame->cfa, value);
	default:
		return false;
	}
}

static bool cfa_of(const struct unwind *frame, const struct row *row, uint64_t *cfa)
{
	if (row->cfa.how == HOW_IS)
		return evaluate(frame, &row->cfa, NULL, cfa);
	if (row->base >= UNWIND_REGISTERS)
		return false;
	*cfa = frame->registers[row->base] + (uint64_t)row->cfa.value;
	return true;
}

static bool step_make(uint64_t pc, struct step *step)
{
	struct row *row = &step->row, initial;
	struct entry entry;
	unsigned int i;

	*row = (struct row){.base = UNWIND_REGISTERS};
	if (!entry_find(pc, &entry) || !execute(entry.initial, &entry, UINT64_MAX, row, row))
		return false;
	initial = *row;
	if (!execute(entry.own, &entry, pc, row, &initial))
		return false;
	step->changed = 0;
	for (i = 0; i < UNWIND_REGISTERS; i++) {
		if (row->rules[i].how != HOW_SAME)
			step->changed |= 1U << i;
	}
	step->signal = entry.signal;
	return true;
}

/* Find the rules at an instruction. @own: memory for the result if there is no cache. */
static const struct step *step_find(struct unwind_steps *steps, uint64_t pc, struct step *own)
{
	uint64_t changes = tables_changes;
	struct step *step = own;

	if (steps) {
		step = &steps->step[(pc * 0x9e3779b97f4a7c15ULL >> 32) & (STEPS - 1)];
		if (step->changes == changes && step->pc == pc)
			return step;
	}
	step->changes = 0;
	if (!step_make(pc, step))
		return NULL;
	step->changes = changes;
	step->pc = pc;
	return step;
}

bool unwind_frame(struct unwind *frame, struct unwind *next)
{
	uint64_t pc = frame->registers[UNWIND_RIP] - !frame->exact;
	const struct step *step;
	struct step own;
	uint32_t left;
	unsigned int i;

	frame->cfa = 0;
	step = step_find(frame->steps, pc, &own);
	if (!step || !cfa_of(frame, &step->row, &frame->cfa))
		return false;
	*next = *frame;
	next->cfa = 0;
	next->exact = step->signal;
	/*
	 * By default, the caller's stack pointer is the frame's address. Another rule may set it,
	 * as in signal frames.
	 */
	next->registers[UNWIND_RSP] = frame->cfa;
	for (left = step->changed; left; left &= left - 1) {
		i = (unsigned int)__builtin_ctz(left);
		if (!value_of(frame, &step->row, i, &next->registers[i]) && i != UNWIND_RSP)
			next->registers[i] = 0;
	}
	return (step->changed & 1U << UNWIND_RIP) && next->registers[UNWIND_RIP] > 1;
}
