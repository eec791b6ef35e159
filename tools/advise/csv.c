// SPDX-License-Identifier: MIT
/*
 * smile advise --csv: print a row for each page.
 */
#include "tools/advise/advise.h"

#include "tools/common/csv.h"
#include "lib/analysis/regions.h"
#include "tools/common/page_name.h"
#include "tools/common/tool.h"

#define AFTER_CSV "cycles,advised_cycles,share,truly_shared,local_known,all_seen," REGIONS_CSV

int advise_csv(const struct advise_command *command)
{
	const struct Monitor_advise *advise = command->advise;
	struct Monitor *mon = regions_known(advise->mon) ? advise->mon : NULL;

	csv_begin(advise->run.caches.at
			  ? "page,home,node,transactions,transaction_reads,transaction_writes,"
			    "transaction_locks,own_transactions," AFTER_CSV
			  : "page,home,node,accesses,reads,writes,locks,own_accesses," AFTER_CSV);
	for (size_t i = 0; i < advise->count; i++) {
		const struct Monitor_advice *row = &advise->rows[i];

		csv_count(row->page);
		csv_count(row->home);
		csv_count(row->node);
		csv_count(row->accesses);
		csv_count(row->reads);
		csv_count(row->writes);
		csv_count(row->locks);
		csv_count(row->own);
		csv_count(row->cycles);
		csv_count(row->advised_cycles);
		csv_real(row->share);
		csv_flag((row->flags & MONITOR_ADVICE_SHARED) != 0);
		csv_flag(!(row->flags & MONITOR_ADVICE_LOCAL_UNKNOWN));
		csv_flag(!(row->flags & MONITOR_ADVICE_PARTLY_SEEN));
		page_name_csv(mon, row->page);
		if (!csv_end())
			break;
	}
	return TOOL_OK;
}
