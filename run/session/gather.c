// SPDX-License-Identifier: MIT
/* run/session: decides whether threads that wait for turns run on one processor. See gather.h. */
#include "run/session/gather.h"

/* Use the result of the measurement until the next one. */
static void keep(struct gather *gather, bool gathered, uint64_t now_ns)
{
	uint64_t keep_ns = gather->keep_ns ? gather->keep_ns : GATHER_KEEP_NS;

	gather->state = GATHER_KEPT;
	gather->gathered = gathered;
	gather->until_ns = now_ns + keep_ns;
	gather->keep_ns = gathered ? GATHER_KEEP_NS : 2 * keep_ns;
	if (gather->keep_ns > GATHER_KEEP_MAX_NS)
		gather->keep_ns = GATHER_KEEP_MAX_NS;
}

bool gather_turn(struct gather *gather, uint64_t now_ns)
{
	uint64_t each_ns;

	if (++gather->turns < GATHER_TURNS)
		return gather->gathered;
	each_ns = (now_ns - gather->begun_ns) / gather->turns;
	gather->turns = 0;
	gather->begun_ns = now_ns;
	switch (gather->state) {
	case GATHER_SPREAD:
		gather->spread_ns = each_ns;
		gather->gathered = each_ns <= GATHER_LONG_NS;
		if (gather->gathered)
			gather->state = GATHER_TRIED;
		break;
	case GATHER_TRIED:
		keep(gather, each_ns < gather->spread_ns, now_ns);
		break;
	default:
		if (now_ns < gather->until_ns && !(gather->gathered && each_ns > GATHER_LONG_NS))
			break;
		gather->gathered = false;
		gather->state = GATHER_SPREAD;
	}
	return gather->gathered;
}
