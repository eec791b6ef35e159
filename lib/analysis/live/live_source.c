// SPDX-License-Identifier: MIT
/*
 * Live source: polls a Monitor, and updates its state and its intervals. See live_source.h.
 */
#include "lib/analysis/live/live_source.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <base/clock.h>

#include "lib/analysis/run_facts.h"
#include "lib/analysis/text.h"

/*
 * If a source has several members, they are polled at this interval, because no call can wait for
 * several members at the same time.
 */
#define LIVE_TURN_MS 20

/* After this number of errors, a source counts as failed. */
#define LIVE_TROUBLES_MAX 100000

#define LIVE_PHASE_EVENT 0

#define LIVE_POLL_NS (LIVE_POLL_MS * 1000000ULL)

static void nodes_look(struct live *live)
{
	int nodes = Monitor_nodes(live->mon);

	live->nodes = nodes > 0 ? (unsigned int)nodes : 1;
}

static void totals_take(struct live *live)
{
	struct live_totals *totals = &live->totals;
	struct smile_statistics statistics;
	struct Monitor_loss loss;

	totals->time_ns = live->clock_ns() - live->opened_ns;
	for (size_t i = 0; i < live->members_count; i++)
		if (live->members[i].mon && Monitor_loss(live->members[i].mon, &loss) >= 0)
			live->members[i].loss = loss;
	/* A removed card cannot be read. Keep the statistics that it reported last. */
	if (live->state == LIVE_FAILED && totals->statistics_known)
		return;
	if (Monitor_loss(live->mon, &loss) >= 0)
		totals->loss = loss;
	totals->statistics_known = Monitor_statistics(live->mon, &statistics) >= 0;
	if (totals->statistics_known)
		totals->statistics = statistics;
}

void live_begin(struct live *live, uint64_t (*clock_ns)(void))
{
	live->clock_ns = clock_ns ? clock_ns : clock_now_ns;
	live->state = LIVE_RUNNING;
	live->totals = (struct live_totals){0};
	nodes_look(live);
	live->opened_ns = live->looked_ns = live->clock_ns();
	for (size_t i = 0; i < live->members_count; i++) {
		struct live_member *member = &live->members[i];
		struct smile_info info;

		member->news_ns = live->opened_ns;
		if (member->mon && Monitor_info(member->mon, &info) >= 0)
			member->node = info.config.node;
	}
	totals_take(live);
	live->looked = live->totals;
}

/* ---- poll ------------------------------------------------------------------------------------ */

/* Store the last error. @member: the member that had the error; NULL: the source itself */
static void trouble(struct live *live, struct live_member *member)
{
	snprintf(live->trouble, sizeof(live->trouble), "%s", Monitor_error_message());
	if (member) {
		text_printable(live->trouble);
		memcpy(member->trouble, live->trouble, sizeof(member->trouble));
	}
	if (live->members_count > 1)
		snprintf(live->trouble, sizeof(live->trouble), "node %u (%.128s): %.300s",
			 member->node, member->name, member->trouble);
	text_printable(live->trouble);
	live->troubles++;
}

/* Change the state of a member. Return: enum live_change. */
static unsigned int member_over(struct live *live, struct live_member *member,
				enum live_state state)
{
	int running = 0, ended = 0;

	member->state = state;
	for (size_t i = 0; i < live->members_count; i++) {
		running += live->members[i].state == LIVE_RUNNING ||
			   live->members[i].state == LIVE_AWAITED;
		ended += live->members[i].state == LIVE_ENDED;
	}
	if (running)
		return LIVE_MEMBER;
	live->state = ended ? LIVE_ENDED : LIVE_FAILED;
	return LIVE_STATE;
}

/* Handle an error of a member. Return: enum live_change. */
static unsigned int poll_error(struct live *live, struct live_member *member, int error)
{
	if (error == -EINTR)
		return 0;
	trouble(live, member);
	/* Continue polling after a damaged record, and also if the recording cannot be written. */
	if (error == -ENODEV || live->troubles > LIVE_TROUBLES_MAX)
		return LIVE_TROUBLE | member_over(live, member, LIVE_FAILED);
	return LIVE_TROUBLE;
}

static void taken(struct live *live, struct live_member *member, int records)
{
	live->totals.records += (uint64_t)records;
	if (!member || !records)
		return;
	member->records += (uint64_t)records;
	member->news_ns = live->clock_ns();
}

/* Swap out the card's counters, and read the records. Return: enum live_change. */
static unsigned int drain(struct live *live, struct live_member *member)
{
	int got = Monitor_swap(member->mon);

	/* The card's ring is full. The next poll reads the remaining records. */
	if (got == -EAGAIN)
		return 0;
	if (got < 0)
		return poll_error(live, member, got);
	taken(live, member, got);
	return got ? LIVE_RECORDS : 0;
}

static int is_over(const struct live *live, const struct live_member *member)
{
	/* Continue to poll a card whose link is down, because the link can recover. */
	return live->kind != LIVE_CARD && Monitor_ended(member->mon);
}

/* Handle the end of a member. Return: enum live_change. */
static unsigned int member_end(struct live *live, struct live_member *member)
{
	struct Monitor_origin origin;
	unsigned int changes = LIVE_PROGRAM;

	/* The end of a recording has the map of the program. */
	if (live->kind == LIVE_RECORDINGS) {
		member->closed = Monitor_origin(member->mon, &origin) >= 0 && origin.complete;
		run_facts_incomplete(member->mon, member->incomplete, sizeof(member->incomplete));
	} else {
		changes = drain(live, member);
	}
	if (member->state == LIVE_RUNNING)
		changes |= member_over(live, member, LIVE_ENDED);
	return changes;
}

/*
 * Read the available records of each member once, and add the changes to *@changes. Return: the
 * number of records.
 */
static int turn(struct live *live, int timeout_ms, unsigned int *changes)
{
	int records = 0;

	for (size_t i = 0; i < live->members_count; i++) {
		struct live_member *member = &live->members[i];
		int got;

		if (member->state != LIVE_RUNNING)
			continue;
		got = Monitor_poll(member->mon, live->members_count > 1 ? 0 : timeout_ms);
		if (got < 0)
			*changes |= poll_error(live, member, got);
		if (got > 0) {
			taken(live, member, got);
			*changes |= LIVE_RECORDS;
			records += got;
		} else if (member->state == LIVE_RUNNING && is_over(live, member)) {
			*changes |= member_end(live, member);
		}
	}
	return records;
}

/* Poll a state file. Sleep between two polls, because no call can wait for new data in a file. */
static unsigned int states_poll(struct live *live, int timeout_ms)
{
	int got = state_file_poll(live->state_file);

	if (!got && !state_file_ended(live->state_file) && timeout_ms > 0) {
		poll(NULL, 0, timeout_ms < LIVE_POLL_MS ? timeout_ms : LIVE_POLL_MS);
		got = state_file_poll(live->state_file);
	}
	if (got < 0) {
		/* Stop at an invalid row, because the rows after it may be wrong too. */
		trouble(live, NULL);
		live->state = LIVE_FAILED;
		return LIVE_TROUBLE | LIVE_STATE;
	}
	taken(live, NULL, got);
	if (!state_file_ended(live->state_file))
		return got ? LIVE_RECORDS : 0;
	live->state = LIVE_ENDED;
	return LIVE_STATE | (got ? LIVE_RECORDS : 0);
}

unsigned int live_poll(struct live *live, int timeout_ms)
{
	uint64_t end_ns = clock_now_ns() + LIVE_POLL_NS;
	unsigned int changes = 0;
	int got;

	if (live->state != LIVE_RUNNING)
		return 0;
	if (live->state_file)
		return states_poll(live, timeout_ms);
	do {
		got = turn(live, changes ? 0 : timeout_ms, &changes);
		if (live->members_count > 1 && !changes && timeout_ms > 0) {
			poll(NULL, 0, timeout_ms < LIVE_TURN_MS ? timeout_ms : LIVE_TURN_MS);
			got = turn(live, 0, &changes);
		}
	} while (got > 0 && clock_now_ns() < end_ns);
	if (got > 0)
		changes |= LIVE_MORE;
	nodes_look(live);
	return changes;
}

/* ---- intervals ------------------------------------------------------------------------------- */

const struct live_totals *live_totals(struct live *live)
{
	totals_take(live);
	return &live->totals;
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

unsigned int live_look(struct live *live, struct live_interval *interval)
{
	const struct live_totals *now, *before = &live->looked;
	unsigned int changes = 0;
	uint64_t at_ns;

	/*
	 * A card keeps the counts of a tag until it needs the counter for another tag. To get all
	 * counts, swap them out.
	 */
	if (live->kind == LIVE_CARD && live->state == LIVE_RUNNING) {
		for (size_t i = 0; i < live->members_count; i++)
			if (live->members[i].state == LIVE_RUNNING)
				changes |= drain(live, &live->members[i]);
		nodes_look(live);
	}
	now = live_totals(live);
	at_ns = live->opened_ns + now->time_ns;
	*interval = (struct live_interval){
		.seconds = (double)since(at_ns, live->looked_ns) / 1e9,
		.records = since(now->records, before->records),
		.events = since(now->loss.delivered, before->loss.delivered),
		.lost = since(now->loss.lost, before->loss.lost),
	};
	if (now->statistics_known && before->statistics_known) {
		interval->packets_known = 1;
		interval->packets =
			since(now->statistics.packets_seen, before->statistics.packets_seen);
	}
	live->looked = *now;
	live->looked_ns = at_ns;
	return changes;
}

unsigned int live_mark(struct live *live)
{
	if (live->kind == LIVE_RECORDINGS || live->kind == LIVE_STATES) {
		snprintf(live->trouble, sizeof(live->trouble),
			 "nothing was marked: only a recorder can end a phase of its recording");
		return LIVE_TROUBLE;
	}
	if (live->state != LIVE_RUNNING || Monitor_event(live->mon, LIVE_PHASE_EVENT) >= 0)
		return 0;
	snprintf(live->trouble, sizeof(live->trouble), "%s", Monitor_error_message());
	text_printable(live->trouble);
	live->troubles++;
	return LIVE_TROUBLE;
}

double live_rate(uint64_t count, const struct live_interval *interval)
{
	return interval->seconds > 0 ? (double)count / interval->seconds : 0;
}
