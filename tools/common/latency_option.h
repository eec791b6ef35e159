/* SPDX-License-Identifier: MIT */
/*
 * Latency option: the argument of --latency, which is a model and values that replace values of it.
 *
 * What lives here: the one parser for all commands with such an option in cycles. May use the
 * machine's models.
 */
#ifndef TOOLS_COMMON_LATENCY_OPTION_H
#define TOOLS_COMMON_LATENCY_OPTION_H

#include "emu/machine/latency.h"

/**
 * latency_option_parse() - Parse an argument such as "numa2,local=160".
 *
 * Return: 0; -1 after a message.
 */
int latency_option_parse(struct latency_model *latency, const char *text);

#endif /* TOOLS_COMMON_LATENCY_OPTION_H */
