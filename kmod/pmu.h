/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Static counters for perf: where pmu.c, event.c, format.c and tally.c meet.
 *
 * What lives here: a PMU and its counters, the account of a card's static counters, and what one of
 * them watches. May use: smile_monitor.h.
 *
 *	pmu.c     PMUs and cards: how they come and go, power, processors that go
 *	event.c   perf's events: who has a counter, and what it has counted
 *	format.c  what the numbers that describe an event mean
 *	tally.c   the card's side: tables, records, 64-bit totals
 */
#ifndef KMOD_PMU_H
#define KMOD_PMU_H

#include <linux/irq_work.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>

#include "smile_monitor.h"

/**
 * struct smile_watch - What one static counter watches: its words in the card's tables.
 * @page: SMILE_STATIC_PAGE_*
 * @node: home node of that page
 * @event: SMILE_STATIC_EVENT_*
 * @counter: SMILE_STATIC_COUNTER_*
 *
 * Counter i has entry i of the page table and of the event table to itself.
 */
struct smile_watch {
	u32 page;
	u32 node;
	u32 event;
	u32 counter;
};

/**
 * struct smile_tally - The account of a card's static counters, in 64 bits.
 * @lock: protects all that follows, much of smile_pmu, and while @card is set the card's CONTROL,
 *        COMMAND, RING_READ, static tables, and smile_card.tables. Taken with interrupts off, and
 *        within perf's own locks: nothing sleeps under it, nothing is printed, and nobody woken up
 * @card: the card that counts for perf, or NULL
 * @asleep: it has no power, or its bus does not work, and is not to be touched
 * @card_read: its RING_READ
 * @total: what each counter's records have told so far
 * @told: the count that was last told; not below it goes the next
 * @culprit: a card that was found gone or gone mad, for @trouble
 * @trouble: says so where one may
 */
struct smile_tally {
	raw_spinlock_t lock;
	struct smile_card *card;
	bool asleep;
	u32 card_read;
	u64 total[SMILE_STATIC_COUNTERS];
	u64 told[SMILE_STATIC_COUNTERS];
	struct smile_card *culprit;
	struct irq_work trouble;
};

/**
 * struct smile_counter - Who has a static counter.
 * @event: the event, or NULL
 * @fresh: the card does not know yet what it is to count
 * @last: who had it last, in case he comes back
 * @round: smile_pmu.round when he left
 */
struct smile_counter {
	struct perf_event *event;
	bool fresh;
	const struct perf_event *last;
	u64 round;
};

/**
 * struct smile_pmu - A PMU; lives until the module goes.
 * @pmu: perf's
 * @name: its name
 * @node: where the hotplug of processors finds it
 * @cpu: the one that all events are on
 * @lock: protects @card, @attachment and @events where one may sleep; within perf's context mutex
 *        (a sibling's event_init()), outside of smile_card.gate and .control
 * @card: the attached card, or NULL
 * @attachment: number of the attachment, also of none; written under tally.lock, too
 * @events: events of it
 * @tally: the card's account; its lock protects all that follows
 * @round: counts the times that perf begins to move events about
 * @moving: to another processor: @round stands still
 * @gaps: times that counters stood still under events that were counting
 * @counter: the static counters
 */
struct smile_pmu {
	struct pmu pmu;
	char name[32];
	struct hlist_node node;
	int cpu;
	struct mutex lock; /* the attachment */
	struct smile_card *card;
	unsigned long attachment;
	unsigned int events;
	struct smile_tally tally;
	u64 round;
	bool moving;
	u64 gaps;
	struct smile_counter counter[SMILE_STATIC_COUNTERS];
};

static inline struct smile_pmu *smile_pmu_of(struct pmu *pmu)
{
	return container_of(pmu, struct smile_pmu, pmu);
}

/* pmu.c, besides what smile_monitor.h has; under smile_pmu.lock */
int smile_pmu_take(struct smile_pmu *pmu);
void smile_pmu_give(struct smile_pmu *pmu);

/* event.c; the functions under tally.lock */
extern const struct pmu smile_event_pmu;
void smile_event_program(struct smile_pmu *pmu);
void smile_event_part(struct smile_pmu *pmu);

/* tally.c, where one may sleep */
bool smile_tally_possible(const struct smile_card *card);
void smile_tally_init(struct smile_tally *tally);
int smile_tally_open(struct smile_tally *tally, struct smile_card *card);
void smile_tally_close(struct smile_tally *tally);
int smile_tally_resume(struct smile_tally *tally);
/* and under smile_tally.lock */
bool smile_tally_works(const struct smile_tally *tally);
int smile_tally_collect(struct smile_tally *tally, u32 budget);
int smile_tally_count(struct smile_tally *tally, unsigned int i, u64 *count);
bool smile_tally_holds(const struct smile_tally *tally, unsigned int i,
		       const struct smile_watch *watch);
int smile_tally_store(struct smile_tally *tally, const struct smile_watch *watch,
		      unsigned long mask);
int smile_tally_suspend(struct smile_tally *tally);
void smile_tally_freeze(struct smile_tally *tally);

/* format.c */
extern const struct attribute_group smile_format_group;
extern const struct attribute_group smile_format_events_group;
int smile_format_check(const struct perf_event_attr *attr);
void smile_format_watch(u64 config, u64 config1, unsigned int i, struct smile_watch *watch);

#endif /* KMOD_PMU_H */
