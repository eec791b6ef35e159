// SPDX-License-Identifier: MIT
/*
 * The page of `smile view`, put together: a program that runs when the command is built.
 *
 *	bundle page.html page.css SCRIPT.js... > page.c
 *
 * What lives here: page.html's @STYLE@ and @SCRIPT@ are replaced, and its
 * @STYLE_HASH@ and @SCRIPT_HASH@ by SHA-256 in base64, so that the page runs that script, that style
 * and nothing else, whatever a recording holds. It becomes three C strings, cut at @DOCUMENT@ and
 * @CHUNKS@. SHA-256 is
 * FIPS 180-4.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char *bytes;
	size_t used;
};

static void die(const char *what)
{
	fprintf(stderr, "pack: %s\n", what);
	exit(1);
}

static void append(struct text *text, const char *bytes, size_t count)
{
	text->bytes = realloc(text->bytes, text->used + count + 1);
	if (!text->bytes)
		die("no memory");
	memcpy(text->bytes + text->used, bytes, count);
	text->used += count;
	text->bytes[text->used] = 0;
}

static void append_file(struct text *text, const char *path)
{
	FILE *in = fopen(path, "re");
	char buffer[4096];
	size_t got;

	if (!in)
		die(path);
	while ((got = fread(buffer, 1, sizeof(buffer), in)))
		append(text, buffer, got);
	fclose(in);
}

/* ---- SHA-256 ----------------------------------------------------------------------------------- */

static uint32_t turned(uint32_t word, unsigned by)
{
	return word >> by | word << (32 - by);
}

/* The first 32 bits of the fraction of a root of the first primes, by whole numbers alone. */
static uint32_t root_fraction(unsigned prime, unsigned power)
{
	unsigned __int128 wanted = (unsigned __int128)prime << (power == 2 ? 64 : 96);
	uint64_t root = 0;

	for (int bit = 36; bit >= 0; bit--) {
		uint64_t next = root | 1ULL << bit;
		unsigned __int128 raised = (unsigned __int128)next * next;

		if (power == 3)
			raised *= next;
		if (raised <= wanted)
			root = next;
	}
	return (uint32_t)root;
}

static void constants(uint32_t *squares, uint32_t *cubes)
{
	unsigned found = 0;

	for (unsigned n = 2; found < 64; n++) {
		unsigned divisor = 2;

		while (n % divisor)
			divisor++;
		if (divisor < n)
			continue;
		if (found < 8)
			squares[found] = root_fraction(n, 2);
		cubes[found++] = root_fraction(n, 3);
	}
}

static void block(uint32_t *state, const uint32_t *cubes, const uint8_t *bytes)
{
	uint32_t w[64], v[8];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 |
		       (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) +
		       (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(v, state, sizeof(v));
	for (int i = 0; i < 64; i++) {
		uint32_t one = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
			       ((v[4] & v[5]) ^ (~v[4] & v[6])) + cubes[i] + w[i];
		uint32_t two = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) +
			       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += one;
		v[0] = one + two;
	}
	for (int i = 0; i < 8; i++)
		state[i] += v[i];
}

static void hash_base64(const struct text *text, char *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t state[8], cubes[64];
	struct text padded = {0};
	uint8_t hash[33] = {0};
	size_t at;

	constants(state, cubes);
	append(&padded, text->bytes, text->used);
	append(&padded, "\x80", 1);
	while (padded.used % 64 != 56)
		append(&padded, "", 1);
	for (int i = 56; i >= 0; i -= 8) {
		char byte = (char)((uint64_t)text->used * 8 >> i);

		append(&padded, &byte, 1);
	}
	for (at = 0; at < padded.used; at += 64)
		block(state, cubes, (const uint8_t *)padded.bytes + at);
	free(padded.bytes);
	for (int i = 0; i < 32; i++)
		hash[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
	for (at = 0; at < 33; at += 3) {
		uint32_t three =
			(uint32_t)hash[at] << 16 | (uint32_t)hash[at + 1] << 8 | hash[at + 2];

		for (int shift = 18; shift >= 0; shift -= 6)
			*out++ = digits[three >> shift & 63];
	}
	out[-1] = '=';
	*out = 0;
}

/* ---- page -------------------------------------------------------------------------------------- */

static void replace(struct text *page, const char *mark, const char *with, size_t bytes)
{
	char *found = page->bytes ? strstr(page->bytes, mark) : NULL;
	struct text result = {0};

	if (!found)
		die(mark);
	append(&result, page->bytes, (size_t)(found - page->bytes));
	append(&result, with, bytes);
	append(&result, found + strlen(mark), strlen(found + strlen(mark)));
	free(page->bytes);
	*page = result;
}

static void print_string(const char *name, const char *text, size_t bytes)
{
	printf("extern const char %s[];\nconst char %s[] = {", name, name);
	for (size_t i = 0; i < bytes; i++)
		printf("%s%d,", i % 24 ? "" : "\n", (signed char)text[i]);
	puts("\n0};");
}

int main(int argc, char **argv)
{
	struct text page = {0}, style = {0}, script = {0};
	static const char begin[] = "\"use strict\";\n(() => {\n", end[] = "})();\n";
	char hash[64];
	const char *document, *chunks;

	if (argc < 4)
		die("usage: bundle page.html page.css SCRIPT.js...");
	append_file(&page, argv[1]);
	append_file(&style, argv[2]);
	append(&script, begin, strlen(begin));
	for (int i = 3; i < argc; i++)
		append_file(&script, argv[i]);
	append(&script, end, strlen(end));
	if (strstr(script.bytes, "</script") || strstr(style.bytes, "</style"))
		die("an end tag within the script or the style");
	hash_base64(&style, hash);
	replace(&page, "@STYLE_HASH@", hash, strlen(hash));
	hash_base64(&script, hash);
	replace(&page, "@SCRIPT_HASH@", hash, strlen(hash));
	replace(&page, "@STYLE@", style.bytes, style.used);
	replace(&page, "@SCRIPT@", script.bytes, script.used);
	document = strstr(page.bytes, "@DOCUMENT@");
	chunks = strstr(page.bytes, "@CHUNKS@");
	if (!document || !chunks || chunks < document)
		die("@DOCUMENT@ and, after it, @CHUNKS@");
	puts("/* Made by tools/view/html/bundle.c. */");
	print_string("view_page_before", page.bytes, (size_t)(document - page.bytes));
	document += strlen("@DOCUMENT@");
	print_string("view_page_between", document, (size_t)(chunks - document));
	chunks += strlen("@CHUNKS@");
	print_string("view_page_after", chunks, strlen(chunks));
	return 0;
}
