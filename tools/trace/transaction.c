// SPDX-License-Identifier: MIT
/*
 * smile trace transaction: print the request and the response of a transaction, from every trace
 * that contains them.
 */
#include <stddef.h>

#include "tools/trace/members.h"
#include "tools/trace/trace.h"

static const char *const transaction_help[] = {
#include "tools/help/trace-transaction.h"
	NULL,
};

int trace_transaction(int argc, char **argv)
{
	return members_main(argc, argv, transaction_help, "smile.trace.transaction/1",
			    trace_db_transaction);
}
