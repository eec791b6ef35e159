// SPDX-License-Identifier: MIT
/*
 * Hot option: the option --hot N|PERCENT. Uses the analysis and tool.h.
 */
#include "tools/common/hot_option.h"

#include "tools/common/tool.h"

int hot_option_take(void *hot, const char *text)
{
	if (hot_threshold_parse(text, hot) < 0)
		return tool_usage("--hot: '%s' is neither a number of accesses, such as 500, nor a "
				  "percentage of all accesses, such as 5%%",
				  text);
	return TOOL_OK;
}
