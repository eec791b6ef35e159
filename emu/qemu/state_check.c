/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: validation of a saved state.
 *
 * What lives here: the invariants of struct card. A saved state comes from a file or from the
 * network. If it violated the invariants, it could make the card write outside its tables, or loop
 * for hours. May use the card's own definitions (emu/card/card_inside.h), so that none is repeated.
 */
#include "qemu/osdep.h"

#include "emu/card/card_inside.h"
#include "emu/qemu/smile_monitor.h"

/* Clocks of QEMU and of captures have no later times. Sums of later times would wrap. */
#define CLOCK_MAX ((uint64_t)INT64_MAX)

static bool config_valid(const struct smile_config *config)
{
	return config->size == sizeof(*config) && !config->reserved && !config->reserved2[0] &&
	       !config->reserved2[1] && !config->reserved2[2] &&
	       config->entries >= SMILE_ENTRIES_MIN && config->entries <= SMILE_ENTRIES_MAX &&
	       config->max_range_bytes >= SMILE_MAX_RANGE_MIN &&
	       config->max_range_bytes <= SMILE_MAX_RANGE_MAX &&
	       config->max_range_bytes % SMILE_WORD_BYTES == 0 && config->node <= SMILE_NODE_ID &&
	       !(config->filter & ~SMILE_FILTER_ALL) && !(config->mode & ~SMILE_MODE_ALL) &&
	       !(config->phase_events & ~SMILE_PHASE_EVENTS_MASK) &&
	       !(config->timer_event & ~SMILE_TIMER_EVENT_ID) &&
	       config->watermark_records <= SMILE_DMA_RECORDS_MAX;
}

static bool registers_valid(const struct card *card)
{
	return !(card->control & ~SMILE_CONTROL_ENABLE) && card->bad_write <= 1 &&
	       card->link <= 1 && !(card->int_status & ~SMILE_INT_ALL) &&
	       !(card->int_enable & ~SMILE_INT_ALL) &&
	       card->int_level == !!(card->int_status & card->int_enable);
}

static bool transactions_valid(const struct transaction_table *table)
{
	uint32_t i;

	for (i = 0; i < BLINK_SLOTS; i++) {
		if (table->keyed[i].type >= SMILE_TYPE_COUNT || table->keyed[i].valid > 1)
			return false;
	}
	return true;
}

/* ---- rings ---- */

static bool in_host_memory(const struct card *card)
{
	return card->config.mode & SMILE_MODE_HOST_RING;
}

static uint32_t ram_unread(const struct swap_ring *ring)
{
	return (ring->aux - ring->read) & SMILE_RING_POINTER;
}

static bool ram_valid(const struct swap_ring *ring)
{
	return ring->read <= SMILE_RING_POINTER && ring->aux <= SMILE_RING_POINTER &&
	       ring->write == ring->aux && ring->read % SMILE_RECORD_WORDS == 0 &&
	       ring->aux % SMILE_RECORD_WORDS == 0 && ram_unread(ring) <= SMILE_RING_WORDS;
}

static bool host_ring_valid(const struct card *card)
{
	const struct host_ring *ring = &card->host_ring;

	return ring->base % SMILE_DMA_BASE_ALIGN == 0 && host_ring_size_valid(ring->size) &&
	       ring->stalled <= 1 && (!in_host_memory(card) || host_ring_usable(ring));
}

/* Check the latency timer, which runs only while there are unread records. */
static bool latency_valid(const struct card *card)
{
	uint32_t unread =
		in_host_memory(card) ? host_ring_unread(&card->host_ring) : ram_unread(&card->ring);

	return card->latency <= (card->config.latency_us && unread);
}

/* ---- arrays ---- */

/*
 * Check whether the current configuration can have produced this tag. The index relies on this
 * condition.
 */
static bool entry_valid(const struct dynamic_entry *entry, const struct smile_config *config)
{
	uint32_t range_words = config->max_range_bytes / SMILE_WORD_BYTES;
	bool typed = config->mode & SMILE_MODE_TYPED_TAGS;

	return entry->valid == 1 && entry->count && entry->first <= entry->last &&
	       entry->last < SMILE_PAGE_BYTES / SMILE_WORD_BYTES &&
	       entry->last - entry->first < range_words &&
	       (!(config->mode & SMILE_MODE_ALIGNED) ||
		entry->first / range_words == entry->last / range_words) &&
	       entry->page < (1ULL << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES &&
	       entry->type < SMILE_TYPE_COUNT && typed == (entry->type != SMILE_TYPE_ANY) &&
	       entry->response <= typed;
}

/* Check that no other entry was last used by the same event. */
static bool used_once(const struct dynamic_array *array, uint32_t i)
{
	uint32_t j;

	for (j = 0; j < i; j++) {
		if (array->entry[j].valid && array->entry[j].used == array->entry[i].used)
			return false;
	}
	return array->entry[i].used <= array->clock;
}

static bool dynamic_valid(const struct card *card)
{
	const struct dynamic_array *array = &card->dynamic;
	uint32_t i, valid = 0;

	for (i = 0; i < SMILE_ENTRIES_MAX; i++) {
		if (!array->entry[i].valid)
			continue;
		valid++;
		if (i >= card->config.entries || !used_once(array, i) ||
		    !entry_valid(&array->entry[i], &card->config))
			return false;
	}
	return valid == array->occupied;
}

/* Check whether register writes would accept each word of the tables. */
static bool tables_valid(const struct smile_static *tables)
{
	static const struct {
		uint32_t first;
		uint32_t stride;
		uint32_t entries;
		size_t words;
	} known[] = {
		{SMILE_REG_STATIC_PAGE, SMILE_STRIDE_STATIC_PAGE, SMILE_STATIC_PAGES,
		 offsetof(struct smile_static, page)},
		{SMILE_REG_STATIC_NODE, SMILE_STRIDE_STATIC_NODE, SMILE_STATIC_PAGES,
		 offsetof(struct smile_static, node)},
		{SMILE_REG_STATIC_EVENT, SMILE_STRIDE_STATIC_EVENT, SMILE_STATIC_EVENTS,
		 offsetof(struct smile_static, event)},
		{SMILE_REG_STATIC_COUNTER, SMILE_STRIDE_STATIC_COUNTER, SMILE_STATIC_COUNTERS,
		 offsetof(struct smile_static, counter)},
	};
	struct static_array scratch = {.owing = 0};
	uint32_t i, word;
	size_t t;

	for (t = 0; t < ARRAY_SIZE(known); t++) {
		for (i = 0; i < known[t].entries; i++) {
			memcpy(&word, (const char *)tables + known[t].words + i * sizeof(word),
			       sizeof(word));
			if (!static_write(&scratch, known[t].first + i * known[t].stride, word))
				return false;
		}
	}
	return tables->size == sizeof(*tables) && !tables->reserved;
}

static bool static_valid(const struct card *card)
{
	const struct static_array *array = &card->statics;
	uint32_t i, owing = 0, waiting = 0;

	for (i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		const struct static_counter *counter = &array->counter[i];

		if (counter->count >= SMILE_COUNT_MAX || counter->taken >= SMILE_COUNT_MAX ||
		    counter->active > 1)
			return false;
		owing |= (uint32_t) !!counter->owed << i;
		waiting |= (uint32_t)(counter->taken_owed || counter->taken) << i;
	}
	return array->owing == owing && array->waiting == waiting &&
	       (card->config.mode & SMILE_MODE_STATIC || static_empty(array)) &&
	       tables_valid(&array->tables);
}

/* ---- time ---- */

static bool next_valid(uint64_t next, uint32_t period_us, uint64_t clock_ns)
{
	if (!period_us)
		return !next;
	return next >= clock_ns && next - clock_ns <= period_us * 1000ULL;
}

/*
 * Check that the next event is in the future, by at most one period. The clock never skips an
 * event.
 */
static bool timer_valid(const struct card *card)
{
	const struct card_timer *timer = &card->timer;
	const struct smile_config *config = &card->config;
	uint64_t clock_ns = card->count.clock_ns, first = UINT64_MAX;

	if (clock_ns > CLOCK_MAX || timer->time_waiting > 1 ||
	    (timer->time_waiting && timer->time_ns > clock_ns) ||
	    (card->mark.valid && card->mark.time_ns > clock_ns))
		return false;
	if (!(card->control & SMILE_CONTROL_ENABLE) || (!config->timer_us && !config->time_us))
		return timer->deadline == UINT64_MAX && !timer->timer_next && !timer->time_next;
	/* Without a deadline, the periods begin with the next step, so no event may be due. */
	if (!timer->deadline)
		return !timer->timer_next && !timer->time_next;
	if (timer->timer_next)
		first = timer->timer_next;
	if (timer->time_next)
		first = MIN(first, timer->time_next);
	return timer->deadline == first &&
	       next_valid(timer->timer_next, config->timer_us, clock_ns) &&
	       next_valid(timer->time_next, config->time_us, clock_ns);
}

/* ---- all together ---- */

static bool saturated(const struct dynamic_array *array)
{
	uint32_t i;

	for (i = 0; i < SMILE_ENTRIES_MAX; i++) {
		if (array->entry[i].valid && array->entry[i].count == SMILE_COUNT_MAX)
			return true;
	}
	return false;
}

/*
 * Check that work is pending only while there is no room. A card with room would never continue
 * pending work.
 */
static bool waiting_valid(const struct card *card)
{
	const struct card_mark *mark = &card->mark;
	bool phase = mark->valid && mark->phase;
	bool waiting = card->swapping || mark->valid || card->lost_unsaid || card->marks_unsaid ||
		       card->timer.time_waiting || card->statics.owing || card->statics.waiting ||
		       saturated(&card->dynamic) || card->dynamic.occupied >= card->config.entries;

	return card->swapping <= 1 && mark->valid <= 1 && mark->phase <= 1 &&
	       mark->raised <= SMILE_RAISED_BLINK &&
	       ((!card->lost_later && !card->marks_later) || card->swapping) &&
	       (!phase || card->swapping) && card->static_later <= phase &&
	       (!waiting || !ring_room(card));
}

/* Check the three identities of the datasheet. */
static bool sums_valid(const struct card *card)
{
	const struct card_counts *count = &card->count;
	uint64_t dynamic = count->delivered + count->lost, fixed = count->static_delivered;
	uint64_t owed = 0, owed_max = count->static_counted / SMILE_COUNT_MAX;
	uint32_t i;

	for (i = 0; i < SMILE_ENTRIES_MAX; i++) {
		if (card->dynamic.entry[i].valid)
			dynamic += card->dynamic.entry[i].count;
	}
	for (i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		const struct static_counter *counter = &card->statics.counter[i];

		/*
		 * Check that no counter exceeds the possible total, so that the sums do not wrap.
		 */
		if (counter->owed > owed_max || counter->taken_owed > owed_max)
			return false;
		owed += counter->owed + counter->taken_owed;
		fixed += counter->count + counter->taken;
	}
	if (owed > owed_max)
		return false;
	fixed += SMILE_COUNT_MAX * owed;
	return count->accepted == dynamic && count->static_counted == fixed &&
	       count->seen == count->malformed + count->unmatched + count->filtered + count->event +
				      count->accepted;
}

bool loaded_card_valid(const struct card *card)
{
	/* The order of the checks matters, because later ones rely on earlier ones. */
	return config_valid(&card->config) && registers_valid(card) && ram_valid(&card->ring) &&
	       host_ring_valid(card) && latency_valid(card) && dynamic_valid(card) &&
	       static_valid(card) && timer_valid(card) && waiting_valid(card) && sums_valid(card) &&
	       transactions_valid(&card->transactions);
}
