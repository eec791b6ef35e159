/* SPDX-License-Identifier: MIT */
/*
 * Hot option: the option --hot N|PERCENT of several subcommands. May use lib/analysis.
 */
#ifndef TOOLS_COMMON_HOT_OPTION_H
#define TOOLS_COMMON_HOT_OPTION_H

#include "lib/analysis/hot_threshold.h"

/**
 * hot_option_take() - Parse the option's argument, for OPTION_TAKE(). The argument must stay valid,
 * because it is not copied.
 * @hot: receives the argument: a struct hot_threshold
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int hot_option_take(void *hot, const char *text);

#endif /* TOOLS_COMMON_HOT_OPTION_H */
