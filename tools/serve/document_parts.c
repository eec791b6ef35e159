// SPDX-License-Identifier: MIT
/*
 * Serve: divide the document into parts for the web page. The texts of memory pages are separate
 * parts, and the head is the rest of the document. The web page reads the head first, and again
 * after each update. Because the texts are not in the head, the head stays small for any number of
 * memory pages.
 *
 * What lives here: the file that a child process writes, and the ranges of this file that are sent.
 * The file contains, in this order: the whole document, which is /data.json; the head, which is the
 * document with a key in place of each text; a second copy of the advice, for the next document;
 * the table of the texts' offsets; and a struct parts_end.
 */
#include <base/fnv.h>

#include "tools/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "tools/common/tool.h"

#define KEY_DIGITS 16

/* The end of the document before any text is inserted into it. */
static const char tail[] = "[]}}";

struct parts_end {
	uint64_t document_bytes;
	uint64_t head_bytes;
	uint64_t advice_bytes;
	uint64_t text_count;
	struct serve_advice advice;
};

/* ---- in the child -------------------------------------------------------------------------- */

/* Compute the key of a text. The same text has the same key in all documents. */
static uint64_t key_of(const char *text, size_t bytes)
{
	return fnv_add(FNV_BEGIN, text, bytes);
}

/* Copy a text from the newest document into the new file. Return: 0; -1. */
static int text_copy(const struct serve *serve, size_t number, struct serve_text *text, FILE *out)
{
	const struct serve_parts *from = &serve->parts[0];
	off_t at;

	if (!serve->parts_count || number >= from->text_count || fflush(out))
		return -1;
	at = (off_t)from->texts[number].at;
	text->bytes = from->texts[number].bytes;
	text->key = from->texts[number].key;
	for (size_t left = text->bytes; left;) {
		ssize_t sent = sendfile(fileno(out), from->file, &at, left);

		if (sent <= 0)
			return -1;
		left -= (size_t)sent;
	}
	return fseeko(out, 0, SEEK_END);
}

/* Write a text of memory pages into the file. Return: 0; -1. */
static int text_write(const struct serve *serve, const json_t *chunk, struct serve_text *text,
		      FILE *out)
{
	text->at = (uint64_t)ftello(out);
	if (json_is_integer(chunk))
		return text_copy(serve, (size_t)json_integer_value(chunk), text, out);
	text->bytes = json_string_length(chunk);
	text->key = key_of(json_string_value(chunk), text->bytes);
	fwrite(json_string_value(chunk), 1, text->bytes, out);
	return 0;
}

static int write_all(const struct serve *serve, const char *begin, size_t begin_bytes,
		     const json_t *chunks, const char *advice, struct serve_text *texts, FILE *out)
{
	struct parts_end end = {
		.text_count = json_array_size(chunks),
		.advice_bytes = strlen(advice),
		.advice = serve->advice,
	};

	fwrite(begin, 1, begin_bytes, out);
	fputc('[', out);
	for (size_t i = 0; i < end.text_count; i++) {
		/* The texts are in Base64, which has no characters that JSON must escape. */
		fputs(i ? ",\"" : "\"", out);
		if (text_write(serve, json_array_get(chunks, i), &texts[i], out))
			return -1;
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
	fputs(advice, out);
	fwrite(texts, sizeof(*texts), end.text_count, out);
	fwrite(&end, sizeof(end), 1, out);
	return ferror(out);
}

int serve_parts_write(const struct serve *serve, json_t *document, FILE *out)
{
	json_t *pages = json_object_get(document, "pages");
	json_t *chunks = json_incref(json_object_get(pages, "chunks"));
	json_t *advised = json_object_get(document, "advice");
	struct serve_text *texts = calloc(json_array_size(chunks) + 1, sizeof(*texts));
	char *begin = NULL, *advice = NULL;
	int failed = !texts;

	/*
	 * Move the pages to the end of the document, and the texts to the end of the pages, so that
	 * the texts can be inserted before the last brackets.
	 */
	failed |= json_object_del(pages, "chunks") ||
		  json_object_set_new(pages, "chunks", json_array());
	json_incref(pages);
	failed |=
		json_object_del(document, "pages") || json_object_set_new(document, "pages", pages);
	if (!failed)
		begin = json_dumps(document, JSON_COMPACT);
	if (!failed)
		advice =
			json_dumps(advised ? advised : json_null(), JSON_COMPACT | JSON_ENCODE_ANY);
	if (begin && advice)
		failed = write_all(serve, begin, strlen(begin) - strlen(tail), chunks, advice,
				   texts, out);
	else
		failed = 1;
	free(begin);
	free(advice);
	free(texts);
	json_decref(chunks);
	return failed ? -1 : 0;
}

/* ---- in the server ------------------------------------------------------------------------- */

/* Make a response that sends a part of the file. Return: 0; -errno. */
static int part_response(int file, uint64_t at, uint64_t bytes, const char *type,
			 struct MHD_Response **response)
{
	int own = fcntl(file, F_DUPFD_CLOEXEC, 0);

	if (own < 0)
		return -errno;
	*response = serve_mhd.create_response_from_fd_at_offset64(bytes, own, at);
	if (!*response) {
		close(own);
		return -ENOMEM;
	}
	serve_headers(*response, type, NULL);
	return 0;
}

static int read_at(int file, void *to, size_t bytes, uint64_t at)
{
	return pread(file, to, bytes, (off_t)at) == (ssize_t)bytes ? 0 : -1;
}

static void parts_free(struct serve_parts *parts)
{
	if (parts->head)
		serve_mhd.destroy_response(parts->head);
	close(parts->file);
	free(parts->texts);
}

static void drop(struct serve *serve, size_t index)
{
	parts_free(&serve->parts[index]);
	serve->parts_count--;
	memmove(&serve->parts[index], &serve->parts[index + 1],
		(serve->parts_count - index) * sizeof(*serve->parts));
}

/*
 * Find the document to drop, among the documents from index @from on. It is the document whose
 * texts were requested least recently. If the texts of several documents were never requested, take
 * the oldest of these documents.
 */
static size_t least(const struct serve *serve, size_t from)
{
	size_t found = from;

	for (size_t i = from; i < serve->parts_count; i++)
		if (serve->parts[i].asked <= serve->parts[found].asked)
			found = i;
	return found;
}

/*
 * Drop documents to make room for a newer one. Documents can be made faster than a reader reads the
 * texts of one document. Documents whose texts are being read are therefore kept longer than
 * documents that nobody reads.
 */
static void make_room(struct serve *serve)
{
	uint64_t old_bytes = 0;

	/*
	 * The oldest of the newest documents will no longer be one of the newest. If nobody has
	 * requested its texts, drop it.
	 */
	if (serve->parts_count >= SERVE_PARTS_NEWEST && !serve->parts[SERVE_PARTS_NEWEST - 1].asked)
		drop(serve, SERVE_PARTS_NEWEST - 1);
	if (serve->parts_count == SERVE_PARTS_NEWEST + SERVE_PARTS_ASKED)
		drop(serve, least(serve, SERVE_PARTS_NEWEST - 1));
	for (size_t i = 0; i < serve->parts_count; i++)
		old_bytes += serve->parts[i].bytes;
	while (old_bytes > SERVE_PARTS_BYTES) {
		size_t index = least(serve, 0);

		old_bytes -= serve->parts[index].bytes;
		drop(serve, index);
	}
	if (serve->parts_count && serve->parts[0].head) {
		serve_mhd.destroy_response(serve->parts[0].head);
		serve->parts[0].head = NULL;
	}
}

struct MHD_Response *serve_parts_take(struct serve *serve, int file, uint64_t bytes)
{
	struct serve_parts parts = {.file = file, .bytes = bytes};
	struct MHD_Response *whole = NULL;
	struct parts_end end;
	uint64_t table;

	if (bytes < sizeof(end) || read_at(file, &end, sizeof(end), bytes - sizeof(end)))
		return NULL;
	parts.advice_at = end.document_bytes + end.head_bytes;
	parts.advice_bytes = end.advice_bytes;
	table = parts.advice_at + end.advice_bytes;
	parts.text_count = end.text_count;
	parts.texts = calloc(end.text_count + 1, sizeof(*parts.texts));
	if (!parts.texts ||
	    read_at(file, parts.texts, end.text_count * sizeof(*parts.texts), table) ||
	    part_response(file, end.document_bytes, end.head_bytes, serve->data.type,
			  &parts.head) ||
	    part_response(file, 0, end.document_bytes, serve->data.type, &whole)) {
		/* On failure the caller keeps the ownership of the file. */
		if (parts.head)
			serve_mhd.destroy_response(parts.head);
		free(parts.texts);
		return NULL;
	}
	serve->advice = end.advice;
	make_room(serve);
	memmove(&serve->parts[1], &serve->parts[0], serve->parts_count * sizeof(parts));
	serve->parts[0] = parts;
	serve->parts_count++;
	return whole;
}

json_t *serve_parts_advice(const struct serve *serve)
{
	const struct serve_parts *parts = &serve->parts[0];
	json_t *advice = NULL;
	char *text;

	if (!serve->parts_count)
		return json_null();
	text = malloc(parts->advice_bytes + 1);
	if (text && !read_at(parts->file, text, parts->advice_bytes, parts->advice_at))
		advice = json_loadb(text, parts->advice_bytes, JSON_DECODE_ANY, NULL);
	free(text);
	return advice ? advice : json_null();
}

void serve_parts_end(struct serve *serve)
{
	while (serve->parts_count)
		drop(serve, serve->parts_count - 1);
	/* Make /view.json unavailable, because its answer was the head of the first document. */
	serve->parts[0].head = NULL;
}

static const struct serve_text *find(const struct serve_parts *parts, uint64_t key)
{
	for (size_t i = 0; i < parts->text_count; i++)
		if (parts->texts[i].key == key)
			return &parts->texts[i];
	return NULL;
}

int serve_parts_text(struct serve *serve, const char *key, struct MHD_Response **response)
{
	const struct serve_parts *in = NULL;
	const struct serve_text *text = NULL;
	uint64_t wanted;

	if (!key || strspn(key, "0123456789abcdef") != KEY_DIGITS || key[KEY_DIGITS])
		return -ENOENT;
	wanted = strtoull(key, NULL, 16);
	serve->texts_asked++;
	/*
	 * The key does not show which document the reader has. Mark every document that contains
	 * this text as requested, because the reader also needs the other texts of its document.
	 */
	for (size_t i = 0; i < serve->parts_count; i++) {
		const struct serve_text *found = find(&serve->parts[i], wanted);

		if (!found)
			continue;
		serve->parts[i].asked = serve->texts_asked;
		in = &serve->parts[i];
		text = found;
	}
	if (!text)
		return -ENOENT;
	return part_response(in->file, text->at, text->bytes, "text/plain; charset=utf-8",
			     response);
}
