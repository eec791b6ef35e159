// SPDX-License-Identifier: MIT
/*
 * Hot threshold: the threshold from which a page is hot. Uses only hot_threshold.h.
 */
#include "lib/analysis/hot_threshold.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int hot_threshold_parse(const char *text, struct hot_threshold *hot)
{
	struct hot_threshold parsed = {.text = text};
	char *end;

	/* strtod() and strtoull() also accept blanks, signs and words such as "inf". */
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	if (strchr(text, '%')) {
		parsed.percent = strtod(text, &end);
		if (strcmp(end, "%") || !(parsed.percent > 0 && parsed.percent <= 100))
			return -EINVAL;
	} else {
		errno = 0;
		parsed.accesses = strtoull(text, &end, 10);
		if (errno || *end || !parsed.accesses)
			return -EINVAL;
	}
	*hot = parsed;
	return 0;
}

uint64_t hot_threshold_least(const struct hot_threshold *hot, uint64_t all)
{
	double least;

	if (!hot->text)
		return 0;
	if (hot->percent <= 0)
		return hot->accesses;
	/*
	 * A threshold of 2^63 or more would need that many accesses, which only a damaged recording
	 * has.
	 */
	least = ceil((double)all * hot->percent / 100);
	if (least >= 9.2e18)
		return UINT64_MAX;
	return least < 1 ? 1 : (uint64_t)least;
}
