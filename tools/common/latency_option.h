/* SPDX-License-Identifier: MIT */
/*
 * Latency option: the argument of --latency, which is the name of a model, optionally followed by
 * values that replace values of this model.
 *
 * What lives here: the only parser of --latency for commands that measure latencies in cycles. May
 * use the models of emu/machine.
 */
#ifndef TOOLS_COMMON_LATENCY_OPTION_H
#define TOOLS_COMMON_LATENCY_OPTION_H

#include "emu/machine/latency_model.h"

/**
 * latency_option_parse() - Parse an argument such as "numa2,local=160".
 *
 * Return: 0; -1 after a message.
 */
int latency_option_parse(struct latency_model *latency, const char *text);

#endif /* TOOLS_COMMON_LATENCY_OPTION_H */
