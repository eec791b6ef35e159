/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sum_dump [BLOCK]: read the output of `smile dump` from standard input, and add up the counts.
 * Print one line for each phase, type, source, destination, range and packet, with its count; print
 * each event unchanged; sort all lines. A stream and a counting recording of the same accesses must
 * give the same lines.
 *
 * With BLOCK, the counts of a range are added to the block of this size in bytes that contains it,
 * as in exact counts. The program reads only the text, and does not use the library, because it
 * checks the library.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096

struct line {
	char *key;
	uint64_t count;
	bool event;
};

static struct line *lines;
static size_t lines_count, lines_room;

static void add(char *key, uint64_t count, bool event)
{
	if (lines_count == lines_room) {
		lines_room = lines_room ? 2 * lines_room : 1024;
		lines = realloc(lines, lines_room * sizeof(*lines));
	}
	if (!lines || !key) {
		perror("sum_dump");
		exit(1);
	}
	lines[lines_count++] = (struct line){key, count, event};
}

/*
 * The keys and values of a line. Strings have their quotes. The values of the dump contain no
 * comma.
 */
#define FIELDS 16

struct text {
	const char *at;
	size_t bytes;
};

static struct {
	struct text key, value;
} fields[FIELDS];
static size_t fields_count;

static void split(const char *line)
{
	fields_count = 0;
	for (const char *at = strchr(line, '"'); at && fields_count < FIELDS;
	     at = strchr(at, '"')) {
		struct text *key = &fields[fields_count].key, *value = &fields[fields_count].value;

		*key = (struct text){at + 1, strcspn(at + 1, "\"")};
		at += key->bytes + 3;
		*value = (struct text){at, strcspn(at, ",}")};
		at += value->bytes;
		fields_count++;
	}
}

static bool is(struct text text, const char *word)
{
	return text.bytes == strlen(word) && !memcmp(text.at, word, text.bytes);
}

/* The value of a key; "-" if the line has no such key. */
static struct text value(const char *key)
{
	for (size_t i = 0; i < fields_count; i++)
		if (is(fields[i].key, key))
			return fields[i].value;
	return (struct text){"-", 1};
}

static uint64_t number(const char *key)
{
	return strtoull(value(key).at, NULL, 10);
}

/* Join words with spaces. Return: a new string. */
static char *joined(const struct text *words, size_t count)
{
	size_t bytes = 0;
	char *key, *end;

	for (size_t i = 0; i < count; i++)
		bytes += words[i].bytes + 1;
	end = key = malloc(bytes);
	for (size_t i = 0; key && i < count; i++) {
		end = mempcpy(end, words[i].at, words[i].bytes);
		*end++ = i + 1 < count ? ' ' : '\0';
	}
	return key;
}

static struct text decimal(uint64_t number, char *buffer)
{
	return (struct text){buffer, (size_t)sprintf(buffer, "%" PRIu64, number)};
}

static void take_count(unsigned int phase, uint64_t block)
{
	char phases[24], addresses[24], blocks[24];
	struct text words[] = {decimal(phase, phases), value("type"),	 value("source"),
			       value("destination"),   value("address"), value("length_bytes"),
			       value("response")};

	if (block) {
		uint64_t address = number("address");

		words[4] = decimal(address - address % PAGE_BYTES % block, addresses);
		words[5] = decimal(block, blocks);
	}
	add(joined(words, sizeof(words) / sizeof(*words)), number("count"), false);
}

static void take_static(unsigned int phase)
{
	char phases[24];
	struct text words[] = {
		{"static", 6}, decimal(phase, phases), value("index"), value("type")};

	add(joined(words, sizeof(words) / sizeof(*words)), number("count"), false);
}

static int compare(const void *a, const void *b)
{
	const struct line *left = a, *right = b;

	return strcmp(left->key, right->key);
}

int main(int argc, char **argv)
{
	uint64_t block = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	unsigned int phase = 0;
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		struct text kind;

		line[strcspn(line, "\n")] = '\0';
		split(line);
		kind = value("kind");
		if (is(kind, "\"dynamic\"") || is(kind, "\"count\"")) {
			take_count(phase, block);
		} else if (is(kind, "\"static\"") || is(kind, "\"overflow\"")) {
			take_static(phase);
		} else if (is(kind, "\"event\"")) {
			add(strdup(line), 0, true);
			phase += is(value("phase"), "true");
		}
	}
	free(line);
	if (lines)
		qsort(lines, lines_count, sizeof(*lines), compare);
	for (size_t i = 0, next; i < lines_count; i = next) {
		uint64_t sum = lines[i].count;

		next = i + 1;
		for (; !lines[i].event && next < lines_count &&
		       !strcmp(lines[next].key, lines[i].key);
		     next++)
			sum += lines[next].count;
		if (lines[i].event)
			puts(lines[i].key);
		else
			printf("%s %" PRIu64 "\n", lines[i].key, sum);
	}
	for (size_t i = 0; i < lines_count; i++)
		free(lines[i].key);
	free(lines);
	return 0;
}
