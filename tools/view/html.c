// SPDX-License-Identifier: MIT
/*
 * View: write the web page with a document in it.
 *
 * What lives here: the code that writes the document into the web page. The source of the web page
 * is in tools/view/html/. bundle.sh in this directory joins its files when the command is built.
 */
#include "tools/view/view.h"

#include <string.h>

/*
 * The text of the web page before and after the document and its chunks. tools/view/html/bundle.sh
 * makes it.
 */
extern const char view_page_before[];
extern const char view_page_between[];
extern const char view_page_after[];

/*
 * Escape each "<" in the JSON text, where it can only be within strings. Otherwise "</script>" or
 * "<!--" in a name would end the element that contains the document.
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
	 * Write the pages after the script. The browser then runs the script, which draws the first
	 * screen, before it has read all pages.
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
