// SPDX-License-Identifier: MIT
/*
 * Serve: the document in parts, for the page: all but the texts of its pages, and each of those texts by
 * itself. What the page gets first, and again when there is more, stays small so, however many pages
 * there are.
 *
 * What lives here: the file that a child leaves, and what is sent from which place in it. First the whole
 * document stands there, which /data.json is; then the head, which is the document with a key for each
 * text in the place of the text; then where the texts are; then a struct parts_end.
 */
#include "tools/serve/serve.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/smile.h"

#define KEY_DIGITS 16

/* What the document ends with as long as no text is in it. */
static const char tail[] = "[]}}";

struct parts_end {
	uint64_t document_bytes;
	uint64_t head_bytes;
	uint64_t text_count;
};

/* ---- in the child ------------------------------------------------------------------------------ */

/* FNV-1a: texts that are the same have the same key, in any document. */
static uint64_t key_of(const char *text, size_t bytes)
{
	uint64_t key = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < bytes; i++)
		key = (key ^ (unsigned char)text[i]) * 0x100000001b3ULL;
	return key;
}

static int write_all(const char *begin, size_t begin_bytes, const json_t *chunks,
		     struct serve_text *texts, FILE *out)
{
	struct parts_end end = {.text_count = json_array_size(chunks)};

	fwrite(begin, 1, begin_bytes, out);
	fputc('[', out);
	for (size_t i = 0; i < end.text_count; i++) {
		const json_t *chunk = json_array_get(chunks, i);

		fputs(i ? ",\"" : "\"", out);
		/* Base64: there is nothing in it that JSON writes in another way. */
		texts[i].at = (uint64_t)ftello(out);
		texts[i].bytes = json_string_length(chunk);
		texts[i].key = key_of(json_string_value(chunk), texts[i].bytes);
		fwrite(json_string_value(chunk), 1, texts[i].bytes, out);
		fputc('"', out);
	}
	fputs("]}}", out);
	end.document_bytes = (uint64_t)ftello(out);
	fwrite(begin, 1, begin_bytes, out);
	fputs("[],\"keys\":[", out);
	for (size_t i = 0; i < end.text_count; i++)
		fprintf(out, "%s\"%016llx\"", i ? "," : "", (unsigned long long)texts[i].key);
	fputs("]}}", out);
	end.head_bytes = (uint64_t)ftello(out) - end.document_bytes;
	fwrite(texts, sizeof(*texts), end.text_count, out);
	fwrite(&end, sizeof(end), 1, out);
	return ferror(out);
}

int serve_parts_write(json_t *document, FILE *out)
{
	json_t *pages = json_object_get(document, "pages");
	json_t *chunks = json_incref(json_object_get(pages, "chunks"));
	struct serve_text *texts = calloc(json_array_size(chunks) + 1, sizeof(*texts));
	char *begin = NULL;
	int failed = !texts;

	/* The pages last of all, and in them the texts. */
	failed |= json_object_del(pages, "chunks") ||
		  json_object_set_new(pages, "chunks", json_array());
	json_incref(pages);
	failed |=
		json_object_del(document, "pages") || json_object_set_new(document, "pages", pages);
	if (!failed)
		begin = json_dumps(document, JSON_COMPACT);
	if (begin)
		failed = write_all(begin, strlen(begin) - strlen(tail), chunks, texts, out);
	else
		failed = 1;
	free(begin);
	free(texts);
	json_decref(chunks);
	return failed ? -1 : 0;
}

/* ---- in the server ----------------------------------------------------------------------------- */

/* A part of the file as a response of its own. Return: NULL without memory, or files. */
static struct MHD_Response *part_response(int file, uint64_t at, uint64_t bytes, const char *type)
{
	int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
	struct MHD_Response *response;

	if (own < 0)
		return NULL;
	response = MHD_create_response_from_fd_at_offset64(bytes, own, at);
	if (response)
		serve_headers(response, type, NULL);
	else
		close(own);
	return response;
}

static int read_at(int file, void *to, size_t bytes, uint64_t at)
{
	return pread(file, to, bytes, (off_t)at) == (ssize_t)bytes ? 0 : -1;
}

struct MHD_Response *serve_parts_take(struct serve *serve, int file, uint64_t bytes)
{
	struct serve_parts parts = {.file = file};
	struct MHD_Response *whole = NULL;
	struct parts_end end;
	uint64_t table;

	if (bytes < sizeof(end) || read_at(file, &end, sizeof(end), bytes - sizeof(end)))
		return NULL;
	table = end.document_bytes + end.head_bytes;
	parts.text_count = end.text_count;
	parts.texts = calloc(end.text_count + 1, sizeof(*parts.texts));
	parts.head = part_response(file, end.document_bytes, end.head_bytes, serve->data.type);
	if (parts.texts && parts.head &&
	    !read_at(file, parts.texts, end.text_count * sizeof(*parts.texts), table))
		whole = part_response(file, 0, end.document_bytes, serve->data.type);
	if (!whole) {
		/* The file is still the caller's. */
		parts.file = -1;
		serve_parts_free(&parts);
		return NULL;
	}
	serve_parts_free(&serve->parts);
	serve->parts = parts;
	return whole;
}

void serve_parts_free(struct serve_parts *parts)
{
	if (parts->head)
		MHD_destroy_response(parts->head);
	if (parts->file >= 0)
		close(parts->file);
	free(parts->texts);
	*parts = (struct serve_parts){.file = -1};
}

struct MHD_Response *serve_parts_text(const struct serve_parts *parts, const char *key)
{
	char *after;
	uint64_t wanted;

	if (!key || strspn(key, "0123456789abcdef") != KEY_DIGITS || key[KEY_DIGITS])
		return NULL;
	wanted = strtoull(key, &after, 16);
	for (size_t i = 0; i < parts->text_count; i++)
		if (parts->texts[i].key == wanted)
			return part_response(parts->file, parts->texts[i].at, parts->texts[i].bytes,
					     "text/plain; charset=utf-8");
	return NULL;
}
