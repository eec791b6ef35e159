/* SPDX-License-Identifier: MIT */
/*
 * Patterns: converts conditions on fields into cubes, and combinations of cubes into patterns. A
 * cube is a set of numbers given by a mask and a value (cubes.h).
 *
 * The 7 bits of the command and the neighbouring bit `extended` are treated as one field of 8 bits.
 * The conditions on command, type and extended are sets of values of this field, and a packet must
 * fulfil all conditions.
 */
#include "lib/instrument/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#include "lib/base/error.h"
#include "lib/instrument/cubes.h"

#define KINDS 256U
#define KIND_EXTENDED 0x80U
/* limits of the packet types of the B-Link, from section 4.2.1 of the thesis */
#define TYPE_FIRST 21U
#define TYPE_LAST 36U
#define TYPE_CABLE_LAST 20U
#define VALUE_LENGTH_MAX 64U

enum class {
	CLASS_NONE,
	CLASS_REQUEST,
	CLASS_RESPONSE,
	CLASS_EVENT,
};

struct command {
	const char *name;
	uint8_t class;
	uint8_t type;
	uint16_t payload;
	uint8_t first;
	uint8_t count;
};

#define COMMAND_ROW(first_, count_, name_, class_, type_, payload_, mark)                          \
	{.name = (name_),                                                                          \
	 .class = CLASS_##class_,                                                                  \
	 .type = SMILE_TYPE_##type_,                                                               \
	 .payload = (payload_),                                                                    \
	 .first = (first_),                                                                        \
	 .count = (count_)},

static const struct command commands[] = {BLINK_COMMAND_TABLE(COMMAND_ROW)};

#define COMMANDS_COUNT (sizeof(commands) / sizeof(commands[0]))

/* The fields that are numbers. conditions.number has the same order. */
static const struct {
	const char *name;
	unsigned int word; /* 1: BD1, 2: BD2 */
	unsigned int bits;
	uint64_t mask;
} numbers[] = {
	{"source", 1, 16, BLINK_BD1_SOURCE},
	{"target", 1, 16, BLINK_BD1_TARGET},
	{"transaction", 1, 6, BLINK_BD1_TRANSACTION},
	{"address", 2, 48, BLINK_BD2_ADDRESS},
};

#define NUMBERS_COUNT (sizeof(numbers) / sizeof(numbers[0]))
#define NUMBER_ADDRESS 3U

enum kind_field {
	KIND_COMMAND,
	KIND_TYPE,
	KIND_EXTENDED_BIT,
	KIND_FIELDS,
};

static const char *const kind_names[KIND_FIELDS] = {"command", "type", "extended"};

/**
 * struct conditions - The conditions of a pattern.
 * @given: bit i: numbers[i] is given; bit NUMBERS_COUNT + i: kind_names[i] is given
 * @number: for each field in the array numbers, the set of values that it may have
 * @first: for each field in numbers, the first number of the range that its text gives last
 * @last: for each field in numbers, the last number of the range that its text gives last
 * @values: for each field in numbers, the number of values and ranges in its text
 * @kind: for each command, without and with extended header, whether it is possible
 */
struct conditions {
	unsigned int given;
	struct cubes number[NUMBERS_COUNT];
	uint64_t first[NUMBERS_COUNT];
	uint64_t last[NUMBERS_COUNT];
	size_t values[NUMBERS_COUNT];
	bool kind[KINDS];
};

static const struct command *command_of(unsigned int number)
{
	for (size_t i = 0; i < COMMANDS_COUNT; i++)
		if (number - commands[i].first < commands[i].count)
			return &commands[i];
	return NULL;
}

/* Get the packet type according to section 4.2.1 of the thesis; 0: no type. */
static unsigned int type_of(unsigned int kind)
{
	static const uint16_t payloads[] = {0, 16, 64, 256};
	const struct command *command = command_of(kind & ~KIND_EXTENDED);
	unsigned int type = TYPE_FIRST;

	if (!command || command->class == CLASS_EVENT)
		return 0;
	if (command->class == CLASS_RESPONSE)
		type += 8;
	if (!(kind & KIND_EXTENDED))
		type += 4;
	for (unsigned int i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++)
		if (payloads[i] == command->payload)
			return type + i;
	return 0;
}

/* Parse a number. No other text may follow it. Return: 0; -EINVAL. */
static int parse_number(const char *field, const char *text, uint64_t max, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || errno)
		return smile_error(EINVAL, "%s=%s: a number is needed, decimal or 0x hexadecimal",
				   field, text);
	if (*number > max)
		return smile_error(EINVAL, "%s=%s: the largest is %" PRIu64, field, text, max);
	return 0;
}

/* Parse a range FIRST..LAST, or one number. */
static int parse_range(const char *field, const char *text, uint64_t max, uint64_t *first,
		       uint64_t *last)
{
	char begin[VALUE_LENGTH_MAX];
	const char *dots = strstr(text, "..");
	int error;

	if (!dots) {
		error = parse_number(field, text, max, first);
		*last = *first;
		return error;
	}
	snprintf(begin, sizeof(begin), "%.*s", (int)(dots - text), text);
	error = parse_number(field, begin, max, first);
	if (!error)
		error = parse_number(field, dots + 2, max, last);
	if (!error && *first > *last)
		error = smile_error(EINVAL,
				    "%s=%s: the range is empty: its first is above its last", field,
				    text);
	return error;
}

static int parse_command(const char *text, bool *member)
{
	uint64_t first, last;
	int error;

	for (size_t i = 0; i < COMMANDS_COUNT; i++) {
		if (strcmp(text, commands[i].name))
			continue;
		for (unsigned int j = 0; j < commands[i].count; j++) {
			member[commands[i].first + j] = true;
			member[(commands[i].first + j) | KIND_EXTENDED] = true;
		}
		return 0;
	}
	if (*text < '0' || *text > '9')
		return smile_error(EINVAL,
				   "command=%s: the command does not exist; use readsb, writesb, "
				   "locksb, nread64, ... response256, or numbers from 0 to 127",
				   text);
	error = parse_range("command", text, BLINK_COMMANDS - 1, &first, &last);
	if (error)
		return error;
	for (uint64_t i = first; i <= last; i++) {
		member[i] = true;
		member[i | KIND_EXTENDED] = true;
	}
	return 0;
}

static bool type_named(const char *name, const struct command *command)
{
	if (!strcmp(name, "request"))
		return command->class == CLASS_REQUEST;
	if (!strcmp(name, "response"))
		return command->class == CLASS_RESPONSE;
	if (!strcmp(name, "event"))
		return command->class == CLASS_EVENT;
	return command->class == CLASS_REQUEST &&
	       command->type == (!strcmp(name, "read")	  ? SMILE_TYPE_READ
				 : !strcmp(name, "write") ? SMILE_TYPE_WRITE
							  : SMILE_TYPE_LOCK);
}

static int parse_type(const char *text, bool *member)
{
	static const char *const names[] = {"request", "response", "event",
					    "read",    "write",	   "lock"};
	uint64_t first, last;
	int error;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]))
			continue;
		for (unsigned int kind = 0; kind < KINDS; kind++) {
			const struct command *command = command_of(kind & ~KIND_EXTENDED);

			member[kind] |= command && type_named(text, command);
		}
		return 0;
	}
	if (*text < '0' || *text > '9')
		return smile_error(EINVAL,
				   "type=%s: the type does not exist; use read, write, lock, "
				   "request, response, event, or numbers from 21 to 36",
				   text);
	error = parse_range("type", text, TYPE_LAST, &first, &last);
	if (error)
		return error;
	if (first < TYPE_FIRST)
		return smile_error(EINVAL,
				   "type=%s: types 1 to %u are packets of the SCI cable; the "
				   "B-Link has types 21 to 36",
				   text, TYPE_CABLE_LAST);
	for (unsigned int kind = 0; kind < KINDS; kind++)
		member[kind] |= type_of(kind) >= first && type_of(kind) <= last;
	return 0;
}

static int parse_extended(const char *text, bool *member)
{
	bool extended = !strcmp(text, "1");

	if (!extended && strcmp(text, "0"))
		return smile_error(EINVAL, "extended=%s: 0 or 1 is needed", text);
	for (unsigned int kind = 0; kind < KINDS; kind++)
		member[kind] |= extended == !!(kind & KIND_EXTENDED);
	return 0;
}

/* Add a value of a field that is a number. */
static int number_add(struct conditions *conditions, unsigned int field, const char *value)
{
	uint64_t *first = &conditions->first[field], *last = &conditions->last[field];
	unsigned int bits = numbers[field].bits;
	int error = parse_range(numbers[field].name, value, (1ULL << bits) - 1, first, last);

	if (error)
		return error;
	conditions->values[field]++;
	smile_cubes_range(&conditions->number[field], *first, *last, bits);
	return 0;
}

/* Parse the values of a text VALUE/VALUE/... one by one. */
static int parse_values(struct conditions *conditions, unsigned int field, const char *name,
			const char *text, bool *member)
{
	char value[VALUE_LENGTH_MAX];
	int error = 0;

	while (!error) {
		size_t length = strcspn(text, "/");

		if (!length || length >= sizeof(value))
			return smile_error(EINVAL, "%s=%s: a value is missing or too long", name,
					   text);
		snprintf(value, sizeof(value), "%.*s", (int)length, text);
		if (field == NUMBERS_COUNT + KIND_COMMAND) {
			error = parse_command(value, member);
		} else if (field == NUMBERS_COUNT + KIND_TYPE) {
			error = parse_type(value, member);
		} else if (field == NUMBERS_COUNT + KIND_EXTENDED_BIT) {
			error = parse_extended(value, member);
		} else {
			error = number_add(conditions, field, value);
		}
		text += length;
		if (!*text++)
			break;
	}
	return error;
}

/* Parse a condition: FIELD=VALUES. */
static int parse_condition(struct conditions *conditions, const char *text)
{
	const char *equals = strchr(text, '='), *name = NULL;
	bool member[KINDS] = {false};
	unsigned int field;
	int error;

	for (field = 0; equals && field < NUMBERS_COUNT + KIND_FIELDS; field++) {
		name = field < NUMBERS_COUNT ? numbers[field].name
					     : kind_names[field - NUMBERS_COUNT];
		if (strlen(name) == (size_t)(equals - text) && !strncmp(name, text, strlen(name)))
			break;
	}
	if (!equals || field == NUMBERS_COUNT + KIND_FIELDS)
		return smile_error(
			EINVAL,
			"'%s' is no condition: use FIELD=VALUE; the fields are source, target, "
			"command, type, address, transaction, extended",
			text);
	if (conditions->given & 1U << field)
		return smile_error(
			EINVAL,
			"%s is given twice in one pattern; alternatives are separated by "
			"a slash: %s=1/2",
			name, name);
	conditions->given |= 1U << field;
	error = parse_values(conditions, field, name, equals + 1, member);
	if (error || field < NUMBERS_COUNT)
		return error;
	for (unsigned int kind = 0; kind < KINDS; kind++)
		conditions->kind[kind] &= member[kind];
	return 0;
}

/*
 * Check that at least one packet can fulfil all conditions. Only requests and events have an
 * address, because the bits of the address are the status in a response.
 */
static int judge(struct conditions *conditions, const char *text)
{
	bool address = conditions->given >> NUMBER_ADDRESS & 1, any = false, responses = false;

	for (unsigned int kind = 0; kind < KINDS; kind++) {
		const struct command *command = command_of(kind & ~KIND_EXTENDED);

		if (address && command && command->class == CLASS_RESPONSE) {
			responses |= conditions->kind[kind];
			conditions->kind[kind] = false;
		}
		any |= conditions->kind[kind];
	}
	if (any)
		return 0;
	if (responses)
		return smile_error(EINVAL,
				   "no packet can match '%s': a response has no address; use its "
				   "source, target and transaction",
				   text);
	return smile_error(EINVAL,
			   "no packet can match '%s': its conditions on command, type and extended "
			   "exclude each other",
			   text);
}

/* Put the bits of a cube into a field of a word. */
static uint64_t spread(uint64_t field, uint64_t bits)
{
	return bits * (field & (~field + 1));
}

/*
 * Make one of the patterns. Every combination that has one cube of each field gives a pattern. The
 * index selects the combination.
 */
static void combine(const struct conditions *conditions, const struct cubes *kinds, size_t index,
		    struct smile_trace_pattern *pattern)
{
	const struct cube *cube = &kinds->cube[index % kinds->count];
	uint64_t field = BLINK_BD1_COMMAND | BLINK_BD1_EXTENDED;

	memset(pattern, 0, sizeof(*pattern));
	pattern->bd1_mask = spread(field, cube->mask);
	pattern->bd1_value = spread(field, cube->value);
	index /= kinds->count;
	for (unsigned int i = 0; i < NUMBERS_COUNT; i++) {
		const struct cubes *cubes = &conditions->number[i];
		uint64_t mask, value;

		if (!(conditions->given >> i & 1))
			continue;
		cube = &cubes->cube[index % cubes->count];
		index /= cubes->count;
		mask = spread(numbers[i].mask, cube->mask);
		value = spread(numbers[i].mask, cube->value);
		if (numbers[i].word == 1) {
			pattern->bd1_mask |= mask;
			pattern->bd1_value |= value;
		} else {
			pattern->bd2_mask |= mask;
			pattern->bd2_value |= value;
		}
	}
}

/*
 * If a text needs too many patterns, find the range that needs the most, and the smallest larger
 * range with which the patterns fit. Return: the field of the range; NUMBERS_COUNT if there is no
 * such range.
 */
static unsigned int range_near(const struct conditions *conditions, size_t needed, size_t free,
			       uint64_t *first, uint64_t *last)
{
	unsigned int field = 0;
	size_t others;

	for (unsigned int i = 1; i < NUMBERS_COUNT; i++)
		if (conditions->number[i].count > conditions->number[field].count)
			field = i;
	if (conditions->values[field] != 1 || needed > UINT32_MAX)
		return NUMBERS_COUNT;
	others = needed / conditions->number[field].count;
	if (others > free)
		return NUMBERS_COUNT;
	*first = conditions->first[field];
	*last = conditions->last[field];
	smile_cubes_fit(first, last, numbers[field].bits, free / others);
	return field;
}

static int too_many(const struct conditions *conditions, const char *text, size_t needed,
		    size_t free, const char *what)
{
	uint64_t first, last;
	unsigned int field = range_near(conditions, needed, free, &first, &last);

	if (field < NUMBERS_COUNT)
		return smile_error(
			ENOSPC,
			"'%s' needs %zu patterns of mask and value, and %s has %zu of %u left; the "
			"nearest range around it that fits is %s=0x%" PRIx64 "..0x%" PRIx64,
			text, needed, what, free, SMILE_TRACE_PATTERNS, numbers[field].name, first,
			last);
	return smile_error(ENOSPC,
			   "'%s' needs %zu patterns of mask and value, and %s has %zu of %u left: "
			   "begin and end ranges at multiples of larger powers of two, or name "
			   "fewer values",
			   text, needed, what, free, SMILE_TRACE_PATTERNS);
}

/* Convert the conditions into patterns, and add them to the set. */
static int emit(const struct conditions *conditions, const char *text, __u32 *set,
		struct smile_trace_pattern *patterns, const char *what)
{
	size_t free =
		SMILE_TRACE_PATTERNS - (size_t)__builtin_popcount(*set & SMILE_TRACE_SET_VALID);
	struct cubes kinds = {0};
	size_t needed;

	smile_cubes_members(&kinds, conditions->kind);
	needed = kinds.count;
	for (unsigned int i = 0; i < NUMBERS_COUNT; i++)
		if (conditions->given >> i & 1 && needed <= UINT32_MAX)
			needed *= conditions->number[i].count;
	if (needed > free)
		return too_many(conditions, text, needed, free, what);
	for (size_t i = 0; i < needed; i++) {
		unsigned int place = 0;

		while (*set >> place & 1)
			place++;
		combine(conditions, &kinds, i, &patterns[place]);
		*set |= 1U << place;
	}
	return 0;
}

int smile_pattern_add(const char *text, size_t length, __u32 *set,
		      struct smile_trace_pattern *patterns, const char *what)
{
	struct conditions *conditions = calloc(1, sizeof(*conditions));
	char *copy = strndup(text, length), *rest = copy, *whole = NULL;
	int error = 0;

	if (copy)
		whole = strdup(copy);
	if (!conditions || !whole) {
		error = smile_error(ENOMEM, "no memory for a pattern");
		goto out;
	}
	memset(conditions->kind, true, sizeof(conditions->kind));
	if (!*copy)
		error = smile_error(EINVAL, "a pattern of %s is empty; 'any' matches every packet",
				    what);
	if (strcmp(copy, "any"))
		while (!error && rest)
			error = parse_condition(conditions, strsep(&rest, ","));
	if (!error)
		error = judge(conditions, whole);
	if (!error)
		error = emit(conditions, whole, set, patterns, what);
out:
	free(conditions);
	free(copy);
	free(whole);
	return error;
}
