// SPDX-License-Identifier: MIT
/*
 * Static counters: parse their specifications. A specification is checked as far as possible
 * without a card, so that a mistake is reported before a device or a file is opened.
 */
#include "tools/common/static_spec.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/static_pieces.h"
#include "tools/common/tool.h"
#include "tools/common/bit_names.h"

enum static_spec_key {
	KEY_NODE = 0x001,
	KEY_PAGE = 0x002,
	KEY_ADDRESS = 0x004,
	KEY_BYTES = 0x008,
	KEY_BOTTOM = 0x010,
	KEY_TOP = 0x020,
	KEY_TYPES = 0x040,
	KEY_PACKETS = 0x080,
	KEY_EVENT = 0x100,
	KEY_FROM = 0x200,
	KEY_UNTIL = 0x400,
	KEY_VARIABLE = 0x800,
	KEY_MAP = 0x1000,
};

/* Keys that select the accesses to count. */
#define KEYS_MEMORY                                                                                \
	(KEY_NODE | KEY_PAGE | KEY_ADDRESS | KEY_BYTES | KEY_BOTTOM | KEY_TOP | KEY_TYPES |        \
	 KEY_PACKETS | KEY_VARIABLE | KEY_MAP)

static const struct bit_name keys[] = {
	{"node", KEY_NODE},	  {"page", KEY_PAGE},
	{"address", KEY_ADDRESS}, {"bytes", KEY_BYTES},
	{"bottom", KEY_BOTTOM},	  {"top", KEY_TOP},
	{"types", KEY_TYPES},	  {"packets", KEY_PACKETS},
	{"event", KEY_EVENT},	  {"from", KEY_FROM},
	{"until", KEY_UNTIL},	  {"variable", KEY_VARIABLE},
	{"map", KEY_MAP},	  {NULL, 0},
};

/* Keys that select the memory to count. */
#define KEYS_PLACE (KEY_PAGE | KEY_ADDRESS | KEY_VARIABLE)

#define WORD_MAX (SMILE_PAGE_BYTES / SMILE_WORD_BYTES - 1)
#define PAGE_MAX SMILE_STATIC_PAGE_NUMBER
#define ADDRESS_MAX ((uint64_t)(PAGE_MAX + 1) * SMILE_PAGE_BYTES - SMILE_WORD_BYTES)

static int number(const char *what, const char *text, unsigned int max, uint32_t *out)
{
	uint64_t value;

	if (tool_number(what, text, 0, max, &value))
		return -1;
	*out = (uint32_t)value;
	return 0;
}

/*
 * Parse a number of bytes. The number must be a whole number of words, because the card counts
 * words.
 */
static int whole_words(const char *what, const char *text, uint64_t min, uint64_t max,
		       uint64_t *out)
{
	if (tool_number(what, text, min, max, out))
		return -1;
	if (*out % SMILE_WORD_BYTES) {
		tool_usage("%s: '%s' is no multiple of %u, the bytes of a word", what, text,
			   SMILE_WORD_BYTES);
		return -1;
	}
	return 0;
}

/* Parse a trigger: "g3" is global event 3, and "m0" is the event that counter 0 counts. */
static int trigger(const char *what, const char *text, int *out)
{
	uint64_t value;

	if (text[0] != 'g' && text[0] != 'm') {
		tool_usage("%s: '%s' is neither gN, global event N, nor mN, an access that "
			   "counter N counts",
			   what, text);
		return -1;
	}
	if (tool_number(what, text + 1, 0, SMILE_EVENTS - 1, &value))
		return -1;
	*out = (int)value + (text[0] == 'g' ? (int)SMILE_STATIC_GLOBAL : 0);
	return 0;
}

/**
 * struct parse - The output of the parser.
 * @spec: the specification of the counter
 * @variable: name of a variable; it points into the parsed text
 * @map: name of the recording that contains the address of the variable; STATIC_MAP_BYTES long
 */
struct parse {
	struct static_spec *spec;
	const char *variable;
	char *map;
};

static int map_parse(struct parse *parse, const char *text)
{
	if (!*text || strlen(text) >= STATIC_MAP_BYTES) {
		tool_usage("--static: map: '%s' is no path of a recording", text);
		return -1;
	}
	strcpy(parse->map, text);
	return 0;
}

static int value_parse(struct parse *parse, unsigned int key, const char *text)
{
	struct static_spec *spec = parse->spec;
	uint64_t bytes;

	switch (key) {
	case KEY_VARIABLE:
		parse->variable = text;
		return 0;
	case KEY_MAP:
		return map_parse(parse, text);
	case KEY_NODE:
		return number("--static: node", text, 65535, &spec->node);
	case KEY_PAGE:
		return tool_number("--static: page", text, 0, PAGE_MAX, &spec->page);
	case KEY_ADDRESS:
		return whole_words("--static: address", text, 0, ADDRESS_MAX, &spec->address);
	case KEY_BYTES:
		if (whole_words("--static: bytes", text, SMILE_WORD_BYTES, SMILE_PAGE_BYTES,
				&bytes))
			return -1;
		spec->bytes = (uint32_t)bytes;
		return 0;
	case KEY_BOTTOM:
		return number("--static: bottom", text, WORD_MAX, &spec->bottom);
	case KEY_TOP:
		return number("--static: top", text, WORD_MAX, &spec->top);
	case KEY_TYPES:
		return bit_names_parse("--static: types", text, '+', type_bits, SMILE_FILTER_TYPES,
				       &spec->filter) < 0
			       ? -1
			       : 0;
	case KEY_PACKETS:
		return bit_names_parse("--static: packets", text, '+', packet_bits,
				       SMILE_FILTER_PACKETS, &spec->filter) < 0
			       ? -1
			       : 0;
	case KEY_EVENT:
		return number("--static: event", text, SMILE_EVENTS - 1, &spec->event);
	case KEY_FROM:
		return trigger("--static: from", text, &spec->from);
	default:
		return trigger("--static: until", text, &spec->until);
	}
}

/* Parse "key=value". @item is modified. */
static int item_parse(struct parse *parse, char *item)
{
	struct static_spec *spec = parse->spec;
	char *value = strchr(item, '=');
	const struct bit_name *key;

	if (value)
		*value++ = '\0';
	for (key = keys; key->name; key++)
		if (!strcmp(key->name, item))
			break;
	if (!key->name) {
		tool_usage("--static: '%s' is none of node, page, address, bytes, bottom, top, "
			   "types, packets, event, from, until, variable, map",
			   item);
		return -1;
	}
	if (!value) {
		tool_usage("--static: %s needs a value: %s=...", item, item);
		return -1;
	}
	if (spec->given & key->bits) {
		tool_usage("--static: %s is given twice", item);
		return -1;
	}
	spec->given |= key->bits;
	return value_parse(parse, key->bits, value);
}

/* Check whether the keys are compatible with each other. */
static int keys_check(const struct static_spec *spec)
{
	unsigned int given = spec->given;

	if (given & KEY_EVENT && given & KEYS_MEMORY)
		tool_usage("--static: event counts a global event: combine it only with from and "
			   "until");
	else if (!(given & (KEY_EVENT | KEYS_PLACE)))
		tool_usage("--static: nothing to count: give page, address, variable or event");
	else if (given & KEY_VARIABLE && given & (KEY_PAGE | KEY_ADDRESS | KEY_BYTES))
		tool_usage("--static: variable gives address and length: leave out page, address "
			   "and bytes");
	else if (given & KEY_MAP && !(given & KEY_VARIABLE))
		tool_usage("--static: map has the addresses of variables: give variable, too");
	else if (given & KEY_PAGE && given & KEY_ADDRESS)
		tool_usage(
			"--static: page and address both select the memory: give only one of them");
	else if (given & (KEY_BOTTOM | KEY_TOP) && !(given & KEY_PAGE))
		tool_usage("--static: bottom and top are words of a page: give page, or bytes");
	else if (given & (KEY_BOTTOM | KEY_TOP) && given & KEY_BYTES)
		tool_usage("--static: bytes gives the size, and so do bottom and top: give one");
	else if (given & KEY_PAGE && spec->bottom > spec->top)
		tool_usage("--static: bottom %u is above top %u", spec->bottom, spec->top);
	else if (given & KEY_ADDRESS &&
		 spec->address % SMILE_PAGE_BYTES + spec->bytes > SMILE_PAGE_BYTES)
		tool_usage("--static: %u bytes from 0x%llx end beyond the page: a counter counts "
			   "within one page",
			   spec->bytes, (unsigned long long)spec->address);
	else
		return 0;
	return -1;
}

/* Find the comma that ends an item. A comma in parentheses is part of a name, such as a(17,130). */
static char *item_end(char *text)
{
	int depth = 0;

	for (; *text && (*text != ',' || depth > 0); text++)
		depth += *text == '(' ? 1 : *text == ')' ? -1 : 0;
	return *text ? text : NULL;
}

/* Make a counter for each page of a variable. Return: number of counters; -1 after a message. */
static int variable_counters(const struct parse *parse, struct static_spec *specs,
			     unsigned int room)
{
	struct static_pieces pieces;

	if (static_pieces_find(&pieces, parse->map, parse->variable) != TOOL_OK)
		return -1;
	if (pieces.count > room) {
		tool_usage("--static: variable=%s lies on %zu pages and needs as many counters, of "
			   "which %u of %u are free: count a part of it, such as %s[0] or "
			   "%s[0-9]",
			   parse->variable, pieces.count, room, SMILE_STATIC_COUNTERS,
			   parse->variable, parse->variable);
		return -1;
	}
	for (size_t i = 0; i < pieces.count; i++) {
		const struct piece *piece = &pieces.pieces[i];

		specs[i] = *parse->spec;
		specs[i].given |= KEY_ADDRESS | KEY_BYTES;
		specs[i].address = piece->address;
		specs[i].bytes = piece->bytes;
		if (specs[i].given & KEY_NODE)
			continue;
		if (piece->node == PIECES_NODE_UNKNOWN) {
			tool_usage("--static: variable=%s: %s does not say on which node page %llu "
				   "lies: give node",
				   parse->variable, parse->map,
				   (unsigned long long)(piece->address / SMILE_PAGE_BYTES));
			return -1;
		}
		specs[i].given |= KEY_NODE;
		specs[i].node = piece->node;
	}
	return (int)pieces.count;
}

int static_spec_parse(struct static_spec *specs, unsigned int room, char *map, const char *text)
{
	struct static_spec parsed = {
		.bytes = SMILE_WORD_BYTES,
		.top = WORD_MAX,
		.filter = SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST,
		.from = -1,
		.until = -1,
	};
	struct parse parse = {.spec = &parsed, .map = map};
	char *copy = strdup(text), *item, *next;
	int result = 0;

	if (!copy) {
		tool_error("no memory");
		return -1;
	}
	for (item = copy; item && !result; item = next) {
		next = item_end(item);
		if (next)
			*next++ = '\0';
		result = item_parse(&parse, item);
	}
	if (!result)
		result = keys_check(&parsed);
	if (!result && parse.variable) {
		result = variable_counters(&parse, specs, room);
	} else if (!result) {
		*specs = parsed;
		result = 1;
	}
	free(copy);
	return result;
}

static int reference_check(const struct static_spec *specs, unsigned int count, const char *key,
			   int id)
{
	if (id < 0 || id >= (int)SMILE_STATIC_GLOBAL)
		return 0;
	if ((unsigned int)id >= count)
		tool_usage("--static: %s=m%d: there is no counter %d: they are numbered from 0, in "
			   "the order of --static",
			   key, id, id);
	else if (specs[id].given & KEY_EVENT)
		tool_usage("--static: %s=m%d: counter %d counts a global event: %s=g%u is that "
			   "event",
			   key, id, id, key, specs[id].event);
	else
		return 0;
	return -1;
}

int static_specs_check(const struct static_spec *specs, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (reference_check(specs, count, "from", specs[i].from) < 0 ||
		    reference_check(specs, count, "until", specs[i].until) < 0)
			return -1;
	return 0;
}

/* Add the event that a specification counts. Return: id of the event; negative after a message. */
static int event_add(const struct static_spec *spec, const struct smile_config *config,
		     struct smile_static *tables)
{
	uint64_t address = spec->address;
	size_t bytes = spec->bytes;
	int event;

	if (spec->given & KEY_EVENT)
		return (int)(SMILE_STATIC_GLOBAL + spec->event);
	if (spec->given & KEY_PAGE)
		address = spec->page * SMILE_PAGE_BYTES + spec->bottom * SMILE_WORD_BYTES;
	if (spec->given & KEY_PAGE && !(spec->given & KEY_BYTES))
		bytes = (spec->top - spec->bottom + 1) * SMILE_WORD_BYTES;
	/*
	 * The recording has the full addresses of the program. The card in this mode has only their
	 * low bits.
	 */
	if (spec->given & KEY_VARIABLE && config->mode & SMILE_MODE_NARROW)
		address &= SMILE_NARROW_ADDRESS;
	if (address > ADDRESS_MAX) {
		tool_error("--static: the variable lies at 0x%llx, and static counters end below "
			   "4 GB: link the program with -no-pie, or use --node-ids narrow",
			   (unsigned long long)address);
		return -1;
	}
	event = Monitor_static_event(tables, spec->given & KEY_NODE ? spec->node : config->node,
				     address, bytes, spec->filter);
	if (event < 0)
		tool_error("--static: %s", Monitor_error_message());
	return event;
}

/*
 * If @id is the number of a counter, as in "m0", convert it to the id of the event that the counter
 * counts.
 */
static int trigger_id(int id, const int *events)
{
	return id < 0 || id >= (int)SMILE_STATIC_GLOBAL ? id : events[id];
}

int static_specs_apply(const struct static_spec *specs, unsigned int count,
		       const struct smile_config *config, struct smile_static *tables)
{
	int events[SMILE_STATIC_COUNTERS];

	Monitor_static_default(tables);
	for (unsigned int i = 0; i < count; i++) {
		events[i] = event_add(&specs[i], config, tables);
		if (events[i] < 0)
			return TOOL_ERROR;
	}
	for (unsigned int i = 0; i < count; i++)
		if (Monitor_static_counter(tables, events[i], trigger_id(specs[i].from, events),
					   trigger_id(specs[i].until, events)) < 0)
			return tool_error("--static: %s", Monitor_error_message());
	return TOOL_OK;
}
