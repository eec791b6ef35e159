// SPDX-License-Identifier: MIT
/*
 * View: the web page with a document in it.
 *
 * What lives here: writing the document into the web page. The source of the web page is
 * tools/view/html/; bundle.sh in this folder joins it when the command is built.
 */
#include "tools/view/view.h"

#include <string.h>

/* The page around the document and its chunks; made by tools/view/html/bundle.sh. */
extern const char view_page_before[];
extern const char view_page_between[];
extern const char view_page_after[];

/*
 * In JSON, "<" can only be in strings. It is escaped, so that no "</script>" or "<!--" in a name
 * ends the element that holds the document.
 */
static int escaped(const char *text, size_t bytes, void *opaque)
{
	FILE *out = opaque;

	while (bytes) {
		const char *less = memchr(text, '<', bytes);
		size_t plain = less ? (size_t)(less - text) : bytes;

		if (fwrite(text, 1, plain, out) != plain)
			return -1;
		text += plain;
		bytes -= plain;
		if (!less)
			break;
		if (fputs("\\u003c", out) == EOF)
			return -1;
		text++;
		bytes--;
	}
	return 0;
}

int view_page_write(FILE *out, json_t *document)
{
	/*
	 * The pages are behind the script, so that the script draws the first screen before all
	 * pages are read.
	 */
	json_t *pages = json_object_get(document, "pages");
	json_t *chunks = json_incref(json_object_get(pages, "chunks"));
	int failed;

	json_object_del(pages, "chunks");
	failed = fputs(view_page_before, out) == EOF ||
		 json_dump_callback(document, escaped, out, JSON_COMPACT) ||
		 fputs(view_page_between, out) == EOF ||
		 json_dump_callback(chunks, escaped, out, JSON_COMPACT) ||
		 fputs(view_page_after, out) == EOF;
	json_object_set_new(pages, "chunks", chunks);
	if (failed)
		return -1;
	return fflush(out) ? -1 : 0;
}
