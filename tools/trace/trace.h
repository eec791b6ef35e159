/* SPDX-License-Identifier: MIT */
/*
 * smile trace: its verbs. What lives here: one declaration a verb; each is in a file of its name.
 */
#ifndef TOOLS_TRACE_TRACE_H
#define TOOLS_TRACE_TRACE_H

/*
 * argv[0] is "smile trace VERB", so that getopt_long() and messages begin with it. Return: the exit
 * status.
 */
int trace_record(int argc, char **argv);

#endif /* TOOLS_TRACE_TRACE_H */
