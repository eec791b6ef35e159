/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See oracle.h. May use decoded_record.h and include/. */
#include <string.h>

#include "tests/unit/card/oracle.h"

void oracle_init(struct oracle *oracle, const struct smile_config *config)
{
	memset(oracle, 0, sizeof(*oracle));
	oracle->config = *config;
}

static void oracle_write(struct oracle *oracle, uint32_t index, uint32_t cause)
{
	struct oracle_entry *entry = &oracle->entry[index];
	struct decoded_record record;

	memset(&record, 0, sizeof(record));
	record.kind = SMILE_KIND_DYNAMIC;
	record.type = entry->type;
	record.response = entry->response;
	record.cause = cause;
	record.index = index;
	record.count = entry->count;
	record.source = entry->source;
	record.destination = entry->destination;
	record.address = entry->low;
	record.length = entry->high - entry->low;
	stream_add(&oracle->stream, &record);
	entry->valid = false;
}

static bool oracle_matches(const struct oracle *oracle, const struct oracle_entry *entry,
			   const struct oracle_entry *event)
{
	uint64_t low = entry->low < event->low ? entry->low : event->low;
	uint64_t high = entry->high > event->high ? entry->high : event->high;
	uint64_t block = SMILE_PAGE_BYTES;

	if (!entry->valid || entry->source != event->source ||
	    entry->destination != event->destination || entry->type != event->type ||
	    entry->response != event->response || high - low > oracle->config.max_range_bytes)
		return false;
	if (low / SMILE_PAGE_BYTES != (high - 1) / SMILE_PAGE_BYTES)
		return false;
	if (oracle->config.mode & SMILE_MODE_ALIGNED)
		block = oracle->config.max_range_bytes;
	return low % SMILE_PAGE_BYTES / block == (high - 1) % SMILE_PAGE_BYTES / block;
}

void oracle_event(struct oracle *oracle, uint32_t source, uint32_t destination, uint32_t type,
		  uint32_t response, uint64_t address)
{
	bool typed = oracle->config.mode & SMILE_MODE_TYPED_TAGS;
	struct oracle_entry event = {
		.valid = true,
		.low = (address & 0xffffffffffffULL) / 4 * 4,
		.source = source,
		.destination = destination,
		.type = typed ? type : SMILE_TYPE_ANY,
		.response = typed ? response : 0,
		.count = 1,
	};
	int entries = oracle->config.entries;
	int found = -1;
	int oldest = -1;
	int valid = 0;

	event.high = event.low + 4;
	event.used = ++oracle->clock;
	/* Count down, to find the lowest index. Then look for an entry that contains the word. */
	for (int i = entries - 1; i >= 0; i--)
		if (oracle_matches(oracle, &oracle->entry[i], &event))
			found = i;
	for (int i = entries - 1; i >= 0; i--)
		if (oracle_matches(oracle, &oracle->entry[i], &event) &&
		    oracle->entry[i].low <= event.low && oracle->entry[i].high >= event.high)
			found = i;
	if (found >= 0) {
		struct oracle_entry *entry = &oracle->entry[found];

		if (event.low < entry->low || event.high > entry->high)
			oracle->extensions++;
		if (event.low < entry->low)
			entry->low = event.low;
		if (event.high > entry->high)
			entry->high = event.high;
		entry->used = event.used;
		if (++entry->count == SMILE_COUNT_MAX)
			oracle_write(oracle, found, SMILE_CAUSE_OVERFLOW);
		return;
	}
	for (int i = entries - 1; i >= 0; i--)
		if (!oracle->entry[i].valid)
			found = i;
	oracle->entry[found] = event;
	for (int i = 0; i < entries; i++) {
		valid += oracle->entry[i].valid;
		if (oracle->entry[i].valid && (i != found || entries == 1) &&
		    (oldest < 0 || oracle->entry[i].used < oracle->entry[oldest].used))
			oldest = i;
	}
	if (valid == entries)
		oracle_write(oracle, oldest, SMILE_CAUSE_CAPACITY);
}

void oracle_swap(struct oracle *oracle)
{
	for (uint32_t i = 0; i < oracle->config.entries; i++)
		if (oracle->entry[i].valid)
			oracle_write(oracle, i, SMILE_CAUSE_SWAP);
}

void oracle_mark(struct oracle *oracle, uint32_t event, uint32_t node, uint32_t raised,
		 uint64_t time_ns)
{
	struct decoded_record record;

	memset(&record, 0, sizeof(record));
	record.kind = SMILE_KIND_EVENT;
	record.phase = event < SMILE_EVENTS && oracle->config.phase_events >> event & 1;
	record.count = event;
	record.source = node;
	record.cause = raised;
	record.time_ns = time_ns;
	if (record.phase)
		oracle_swap(oracle);
	stream_add(&oracle->stream, &record);
}
