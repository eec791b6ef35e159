/* SPDX-License-Identifier: MIT */
/*
 * Hot option: --hot N|PERCENT, which several subcommands have. May use the analysis.
 */
#ifndef TOOLS_COMMON_HOT_OPTION_H
#define TOOLS_COMMON_HOT_OPTION_H

#include "lib/analysis/hot.h"

/**
 * hot_option_take() - For OPTION_TAKE(): parse the option's argument; it is kept, not copied.
 * @hot: receives it: a struct hot
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int hot_option_take(void *hot, const char *text);

#endif /* TOOLS_COMMON_HOT_OPTION_H */
