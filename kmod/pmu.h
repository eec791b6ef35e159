/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A card's static counters as perf sees them: where pmu.c and tally.c meet.
 *
 * What lives here: the PMU's structure. May use: kernel headers.
 */
#ifndef KMOD_PMU_H
#define KMOD_PMU_H

#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <hw/smile_regs.h>

struct smile_card;

/*
 * A PMU. Locks, from the outside: @ending, perf's context mutex, @lock (a sibling's event_init()
 * runs under the context mutex), smile_card.gate and .control, @tally, which is taken with
 * interrupts off inside perf's own locks.
 */
struct smile_pmu {
	struct pmu pmu;
	char name[32];
	struct hlist_node node; /* for CPU hotplug */
	int cpu; /* of all its events */
	struct mutex ending; /* no event is freed while smile_pmu_end() uses it */
	struct mutex lock; /* the attachment, and what follows */
	struct smile_card *card; /* the attached card, or NULL */
	unsigned int events; /* open ones */
	struct perf_event *event[SMILE_STATIC_COUNTERS]; /* of each counter, or NULL */
	raw_spinlock_t tally; /* what follows, and RING_READ while @counting is set */
	unsigned long flags; /* of interrupts before it was taken */
	unsigned long attachment; /* its number; written under @lock, too */
	struct smile_card *counting; /* the card that counts for perf, or NULL */
	bool quiet; /* no register access: asleep, frozen, or being programmed */
	bool ended; /* it counts no more */
	bool moving; /* its events move to another CPU */
	unsigned long round; /* times that perf began to reschedule events */
	unsigned long added; /* bit i: the event of counter i is scheduled */
	u32 card_read; /* RING_READ */
	u64 total[SMILE_STATIC_COUNTERS]; /* sum of each counter's records */
	u64 last[SMILE_STATIC_COUNTERS]; /* last count reported; no later one is lower */
	u64 gaps; /* times that counters stood still under scheduled events */
};

/* tally.c */
void smile_tally_lock(struct smile_pmu *pmu) __acquires(&pmu->tally);
void smile_tally_unlock(struct smile_pmu *pmu) __releases(&pmu->tally);
bool smile_tally_held(void);
u64 smile_tally_count(struct smile_pmu *pmu, unsigned int i);
int smile_tally_program(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr);
void smile_tally_close(struct smile_pmu *pmu);

#endif /* KMOD_PMU_H */
