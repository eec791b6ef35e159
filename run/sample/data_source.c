// SPDX-License-Identifier: MIT
/* run/sample: decodes the data source of a sample. See data_source.h. */
#include "run/sample/data_source.h"

#include <linux/perf_event.h>

/* Constants of union perf_mem_data_src that older headers do not define. */
#define HOPS_SHIFT 43U
#define HOPS_MASK 7U
#define HOPS_SAME_NODE 1U
#define NUMBER_MASK 15U
#define NUMBER_L4 4U
#define NUMBER_L2_MHB 5U
#define NUMBER_MSC 6U
#define NUMBER_CXL 9U

#define LEVEL_MASK 0x3fffU
#define CACHES (PERF_MEM_LVL_L1 | PERF_MEM_LVL_LFB | PERF_MEM_LVL_L2 | PERF_MEM_LVL_L3)

/*
 * Get the kind of cache or memory that has served an access. @number: the level in the data source.
 * @remote: the data came from a remote node.
 */
static enum data_served by_number(uint64_t number, bool remote, uint64_t hops)
{
	const bool other_node = hops > HOPS_SAME_NODE || (remote && !hops);

	switch (number) {
	case PERF_MEM_LVLNUM_L1:
	case PERF_MEM_LVLNUM_L2:
	case PERF_MEM_LVLNUM_L3:
	case NUMBER_L4:
	case NUMBER_L2_MHB:
	case NUMBER_MSC:
	case PERF_MEM_LVLNUM_ANY_CACHE:
	case PERF_MEM_LVLNUM_LFB:
		return other_node ? DATA_ELSEWHERE : DATA_CACHE;
	case PERF_MEM_LVLNUM_RAM:
		return other_node ? DATA_REMOTE : DATA_LOCAL;
	case NUMBER_CXL:
	case PERF_MEM_LVLNUM_PMEM:
	case 0xa: /* I/O */
		return DATA_ELSEWHERE;
	default:
		return DATA_UNKNOWN;
	}
}

/*
 * Get the kind of cache or memory that has served an access from the older field, which has one bit
 * for each level.
 */
static enum data_served by_level(uint64_t level)
{
	if (level & (PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2))
		return DATA_REMOTE;
	if (level & PERF_MEM_LVL_LOC_RAM)
		return DATA_LOCAL;
	if (level &
	    (PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2 | PERF_MEM_LVL_IO | PERF_MEM_LVL_UNC))
		return DATA_ELSEWHERE;
	return level & CACHES ? DATA_CACHE : DATA_UNKNOWN;
}

bool data_source_read(uint64_t value, struct data_source *source)
{
	const uint64_t level = value >> PERF_MEM_LVL_SHIFT & LEVEL_MASK;
	const uint64_t number = value >> PERF_MEM_LVLNUM_SHIFT & NUMBER_MASK;
	const uint64_t locked = value >> PERF_MEM_LOCK_SHIFT & PERF_MEM_LOCK_LOCKED;
	const bool remote = value >> PERF_MEM_REMOTE_SHIFT & PERF_MEM_REMOTE_REMOTE;
	const bool does = value & (PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE | PERF_MEM_OP_PFETCH |
				   PERF_MEM_OP_EXEC);

	source->type = locked			   ? COUNTS_LOCK
		       : value & PERF_MEM_OP_STORE ? COUNTS_WRITE
						   : COUNTS_READ;
	/* If the field reports only a miss, its level is a cache that did not have the data. */
	if (level & PERF_MEM_LVL_MISS && !(level & PERF_MEM_LVL_HIT))
		source->served = DATA_UNKNOWN;
	else
		source->served = by_number(number, remote, value >> HOPS_SHIFT & HOPS_MASK);
	if (source->served == DATA_UNKNOWN && !(level & PERF_MEM_LVL_MISS))
		source->served = by_level(level);
	/*
	 * On Arm, older versions of perf report that the data came from another node. They do not
	 * report whether it came from memory or from a cache.
	 */
	if (source->served == DATA_UNKNOWN && !(level & PERF_MEM_LVL_MISS) && remote)
		source->served = DATA_ELSEWHERE;
	return does || source->served != DATA_UNKNOWN;
}

const char *data_served_name(enum data_served served)
{
	static const char *const names[COUNTS_SERVED] = {
		[DATA_UNKNOWN] = "unknown", [DATA_CACHE] = "cache",	    [DATA_LOCAL] = "local",
		[DATA_REMOTE] = "remote",   [DATA_ELSEWHERE] = "elsewhere",
	};

	return names[served];
}
