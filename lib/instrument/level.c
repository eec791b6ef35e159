/* SPDX-License-Identifier: MIT */
/*
 * Levels: parses the text of a level of the trigger, and the text of the filter.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>
#include <smile/monitor.h>

#include "lib/base/error.h"
#include "lib/instrument/pattern.h"

#define BLANKS " \t\n"

static const char *const actions[] = {
	[SMILE_TRACE_NEXT] = "next",
	[SMILE_TRACE_BACK] = "back",
	[SMILE_TRACE_STORE] = "store",
	[SMILE_TRACE_STOP] = "stop",
};

void Monitor_trace_config_default(struct smile_trace_config *config)
{
	memset(config, 0, sizeof(*config));
	config->mode = SMILE_TRACE_MODE_WRAP;
	config->position_percent = 50;
	for (unsigned int i = 0; i < SMILE_TRACE_LEVELS; i++)
		config->level[i].count = 1;
}

/* Advance to the next word of a text. Return: the length of the word; 0 at the end. */
static size_t word_next(const char **text)
{
	*text += strspn(*text, BLANKS);
	return strcspn(*text, BLANKS);
}

static bool word_is(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !strncmp(text, word, length);
}

static int parse_action(const char *text, unsigned int *action)
{
	for (unsigned int i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(text, actions[i]))
			continue;
		*action = i;
		return 0;
	}
	return smile_error(EINVAL, "'%s' cannot follow a level: use next, back, store or stop",
			   text);
}

static int parse_time(const char *text, uint64_t *time_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	char *end;
	uint64_t number;

	errno = 0;
	number = strtoull(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && *text >= '0' && *text <= '9';
	     i++) {
		if (errno || strcmp(end, units[i].name) || !number ||
		    number > INT64_MAX / units[i].ns)
			continue;
		*time_ns = number * units[i].ns;
		return 0;
	}
	return smile_error(EINVAL, "within=%s: a time is needed, above 0, in ns, us, ms or s: 10us",
			   text);
}

static int parse_count(const char *text, __u32 *count)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || errno || !number || number > UINT32_MAX)
		return smile_error(EINVAL, "count=%s: a number from 1 to %u is needed", text,
				   UINT32_MAX);
	*count = (__u32)number;
	return 0;
}

/* Parse an option of a level. Return: 0; -EINVAL; 1 if the word is not an option. */
static int parse_option(const char *word, struct smile_trace_level *level, bool *has_else)
{
	unsigned int action = 0;
	uint64_t time_ns = 0;
	int error;

	if (!strncmp(word, "count=", 6))
		return parse_count(word + 6, &level->count);
	if (!strncmp(word, "within=", 7)) {
		error = parse_time(word + 7, &time_ns);
		if (!error)
			level->timeout_ns = time_ns;
		return error;
	}
	if (!strncmp(word, "then=", 5)) {
		error = parse_action(word + 5, &action);
		level->action &= ~SMILE_TRACE_ACTION_THEN;
		level->action |= SMILE_PUT(SMILE_TRACE_ACTION_THEN, action);
		return error;
	}
	if (!strncmp(word, "else=", 5)) {
		error = parse_action(word + 5, &action);
		level->action &= ~SMILE_TRACE_ACTION_ELSE;
		level->action |= SMILE_PUT(SMILE_TRACE_ACTION_ELSE, action);
		*has_else = true;
		return error;
	}
	return 1;
}

static int parse_options(const char *text, struct smile_trace_level *level, const char *what)
{
	bool has_else = false;
	size_t length;

	level->action = SMILE_PUT(SMILE_TRACE_ACTION_ELSE, SMILE_TRACE_BACK);
	for (; (length = word_next(&text)); text += length) {
		char *word = strndup(text, length);
		int error = word ? parse_option(word, level, &has_else) : -ENOMEM;

		if (error > 0)
			error = smile_error(EINVAL,
					    "'%s' in %s is no option of a level: use count=, "
					    "within=, then= or else=; separate conditions of a "
					    "pattern by ',', and patterns by 'or'",
					    word, what);
		else if (!word)
			error = smile_error(ENOMEM, "no memory for a level");
		free(word);
		if (error)
			return error;
	}
	if (has_else && !level->timeout_ns)
		return smile_error(EINVAL, "%s has else= without within=: it never follows", what);
	return 0;
}

/*
 * Parse patterns of the form "[not] PATTERN [or PATTERN]...". Return: the text after the patterns;
 * NULL after an error, with *@error set.
 */
static const char *parse_patterns(const char *text, __u32 *set,
				  struct smile_trace_pattern *patterns, const char *what,
				  int *error)
{
	size_t length = word_next(&text);

	if (word_is(text, length, "not")) {
		*set |= SMILE_TRACE_SET_INVERT;
		text += length;
		length = word_next(&text);
	}
	for (;;) {
		*error = smile_pattern_add(text, length, set, patterns, what);
		if (*error)
			return NULL;
		text += length;
		length = word_next(&text);
		if (!word_is(text, length, "or"))
			return text;
		text += length;
		length = word_next(&text);
	}
}

int Monitor_trace_filter(struct smile_trace_config *config, const char *pattern)
{
	struct smile_trace_pattern patterns[SMILE_TRACE_PATTERNS];
	__u32 set = config->filter_set & SMILE_TRACE_SET_VALID;
	const char *rest;
	int error;

	memcpy(patterns, config->filter, sizeof(patterns));
	rest = parse_patterns(pattern, &set, patterns, "the filter", &error);
	if (!rest)
		return error;
	if (*rest)
		return smile_error(EINVAL,
				   "'%s' follows a pattern of the filter: separate patterns by "
				   "'or'",
				   rest);
	if (config->filter_set && (config->filter_set ^ set) & SMILE_TRACE_SET_INVERT)
		return smile_error(EINVAL,
				   "'%s': either all patterns of the filter begin with "
				   "'not', or none does",
				   pattern);
	config->filter_set = set;
	memcpy(config->filter, patterns, sizeof(patterns));
	config->mode |= SMILE_TRACE_MODE_FILTER;
	return 0;
}

/* Return whether the trigger sequence can continue with the next level after this level. */
static bool leads_on(const struct smile_trace_level *level)
{
	__u32 then = SMILE_GET(SMILE_TRACE_ACTION_THEN, level->action);
	__u32 otherwise = SMILE_GET(SMILE_TRACE_ACTION_ELSE, level->action);

	return then == SMILE_TRACE_NEXT || then == SMILE_TRACE_STORE ||
	       (level->timeout_ns &&
		(otherwise == SMILE_TRACE_NEXT || otherwise == SMILE_TRACE_STORE));
}

int Monitor_trace_level(struct smile_trace_config *config, const char *level)
{
	struct smile_trace_level made = {.count = 1};
	unsigned int index = config->levels;
	const char *rest;
	char what[16];
	int error;

	if (index >= SMILE_TRACE_LEVELS)
		return smile_error(ENOSPC,
				   "the trigger has at most %u levels: '%s' is one too "
				   "many",
				   SMILE_TRACE_LEVELS, level);
	snprintf(what, sizeof(what), "level %u", index + 1);
	rest = parse_patterns(level, &made.set, made.pattern, what, &error);
	if (!rest)
		return error;
	error = parse_options(rest, &made, what);
	if (error)
		return error;
	if (index && !leads_on(&config->level[index - 1]))
		return smile_error(EINVAL,
				   "%s is never reached: no then=next or then=store before "
				   "it",
				   what);
	config->level[index] = made;
	config->levels++;
	return 0;
}
