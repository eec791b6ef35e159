/* SPDX-License-Identifier: MIT */
/*
 * Members: find and print the packets of several traces that belong together, for the verbs
 * `transaction` and `follow`.
 */
#ifndef TOOLS_TRACE_MEMBERS_H
#define TOOLS_TRACE_MEMBERS_H

#include "lib/trace-db/transaction.h"

/**
 * typedef members_find - The function that finds the packets: trace_db_transaction() or
 * trace_db_follow().
 */
typedef int (*members_find)(struct trace_db *db, const struct trace_row *of, int64_t window_ns,
			    struct trace_member *members, size_t room);

/**
 * members_main() - Run a verb whose arguments are DB TRACE PACKET [--window NS] [--json].
 * @schema: schema of the verb's JSON document
 *
 * Return: the exit status.
 */
int members_main(int argc, char **argv, const char *const *help, const char *schema,
		 members_find find);

#endif /* TOOLS_TRACE_MEMBERS_H */
