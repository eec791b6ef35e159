// SPDX-License-Identifier: MIT
/*
 * Document. See lib/analysis/document.h.
 */
#include "lib/analysis/document.h"

#include <stdlib.h>

#include "lib/analysis/utf8.h"

json_int_t document_int(uint64_t count)
{
	return count > INT64_MAX ? INT64_MAX : (json_int_t)count;
}

json_t *document_counts(const uint64_t *counts, size_t n)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < n; i++) {
		if (json_array_append_new(array, json_integer(document_int(counts[i])))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *document_text(const char *text)
{
	char *copy = utf8_copy(text);
	json_t *string = copy ? json_string(copy) : NULL;

	free(copy);
	return string;
}
