// SPDX-License-Identifier: MIT
/*
 * smile trace follow: print one packet from every trace that contains it.
 */
#include <stddef.h>

#include "tools/trace/members.h"
#include "tools/trace/trace.h"

static const char *const follow_help[] = {
#include "tools/help/trace-follow.h"
	NULL,
};

int trace_follow(int argc, char **argv)
{
	return members_main(argc, argv, follow_help, "smile.trace.follow/1", trace_db_follow);
}
