/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sum_dump [BLOCK]: sums what `smile dump` prints, from standard input. Writes one line for each
 * phase, type, source, destination, range and packet, with its count, and each event as it is; all
 * of them sorted. A stream and a counting recording of the same accesses give the same lines.
 *
 * With BLOCK, a range counts as the block of so many bytes of its page that it lies in, as exact
 * counts have it. Reads the text alone, and uses nothing of the library: it checks the library.
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

/* The value of a key, quotes included; "-" if the line has no such key. @buffer: 32 bytes */
static const char *value(const char *line, const char *key, char *buffer)
{
	char name[32];
	const char *at;
	size_t bytes;

	snprintf(name, sizeof(name), "\"%s\":", key);
	at = strstr(line, name);
	if (!at)
		return "-";
	at += strlen(name);
	bytes = strcspn(at, ",}");
	snprintf(buffer, 32, "%.*s", (int)bytes, at);
	return buffer;
}

static uint64_t number(const char *line, const char *key)
{
	char buffer[32];

	return strtoull(value(line, key, buffer), NULL, 10);
}

static void take_count(const char *line, unsigned int phase, uint64_t block)
{
	char type[32], source[32], destination[32], length[32], response[32], *key = NULL;
	uint64_t address = number(line, "address");

	if (block) {
		address -= address % PAGE_BYTES % block;
		snprintf(length, sizeof(length), "%" PRIu64, block);
	}
	if (asprintf(&key, "%u %s %s %s %" PRIu64 " %s %s", phase, value(line, "type", type),
		     value(line, "source", source), value(line, "destination", destination),
		     address, block ? length : value(line, "length_bytes", length),
		     value(line, "response", response)) < 0)
		key = NULL;
	add(key, number(line, "count"), false);
}

static void take_static(const char *line, unsigned int phase)
{
	char index[32], type[32], *key = NULL;

	if (asprintf(&key, "static %u %s %s", phase, value(line, "index", index),
		     value(line, "type", type)) < 0)
		key = NULL;
	add(key, number(line, "count"), false);
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
	char *line = NULL, kind[32], marks[32];
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		value(line, "kind", kind);
		if (!strcmp(kind, "\"dynamic\"") || !strcmp(kind, "\"count\"")) {
			take_count(line, phase, block);
		} else if (!strcmp(kind, "\"static\"") || !strcmp(kind, "\"overflow\"")) {
			take_static(line, phase);
		} else if (!strcmp(kind, "\"event\"")) {
			add(strdup(line), 0, true);
			phase += !strcmp(value(line, "phase", marks), "true");
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
