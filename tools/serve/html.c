// SPDX-License-Identifier: MIT
/*
 * Serve: send the web page of `smile view`, without a document. The page requests the document
 * itself.
 *
 * What lives here: the Content-Security-Policy of the web page. The policy in the page allows only
 * its script and its style, by their hashes. The policy is copied from the page into a header that
 * also allows requests to this server.
 */
#include "tools/serve/serve.h"

#include <stdlib.h>
#include <string.h>

/*
 * The text of the page before and after the document and its chunks. tools/view/html/bundle.sh
 * makes it.
 */
extern const char view_page_before[];
extern const char view_page_between[];
extern const char view_page_after[];

static const char policy_begin[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
static const char policy_end[] = "\">\n";

struct MHD_Response *serve_page_of(const char *before, const char *between, const char *last)
{
	const char *meta = strstr(before, policy_begin);
	const char *after = meta ? strstr(meta, policy_end) : NULL;
	struct MHD_Response *response;
	char *text, *policy = NULL;
	int bytes;

	if (!after)
		return NULL;
	bytes = asprintf(&text, "%.*s%s{\"schema\":\"smile.serve/1\"}%s[]%s", (int)(meta - before),
			 before, after + strlen(policy_end), between, last);
	if (bytes < 0)
		return NULL;
	meta += strlen(policy_begin);
	if (asprintf(&policy, "%.*s; connect-src 'self'; frame-ancestors 'none'",
		     (int)(after - meta), meta) < 0)
		policy = NULL;
	response =
		serve_mhd.create_response_from_buffer((size_t)bytes, text, MHD_RESPMEM_MUST_FREE);
	if (!response)
		free(text);
	else
		serve_headers(response, "text/html; charset=utf-8", policy);
	free(policy);
	return response;
}

struct MHD_Response *serve_page(void)
{
	return serve_page_of(view_page_before, view_page_between, view_page_after);
}
