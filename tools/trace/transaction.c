// SPDX-License-Identifier: MIT
/*
 * smile trace transaction: prints request and response from every trace that has them.
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
