// SPDX-License-Identifier: MIT
/*
 * Members. See lib/exchange/members.h.
 */
#include "lib/exchange/members.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * If a node has been silent for more than this number of intervals, it is checked less often. Each
 * check of a stopped node adds a transaction to the node's inbox, whose size is limited.
 */
#define LOOKS_EACH 64
/* A silent node is checked again when the time of its silence has grown by this factor. */
#define LOOKS_LATER 8

int members_init(struct members *members, const struct members_setup *setup, volatile uint64_t *own)
{
	const struct exchange_head head = {
		.node = setup->self,
		.counters = setup->counters,
		.agreement = setup->agreement,
		.incarnation = setup->incarnation,
	};
	size_t all = setup->nodes * setup->counters, *counts;
	struct Estimate_process *processes;
	int error;

	*members = (struct members){.setup = *setup, .own = own};
	if (!setup->nodes || setup->self >= setup->nodes || !setup->counters ||
	    setup->counters > EXCHANGE_COUNTERS_MAX || !setup->interval_ns)
		return -EINVAL;
	members->member = calloc(setup->nodes, sizeof(*members->member));
	members->read = calloc(all, sizeof(*members->read));
	processes = calloc(all, sizeof(*processes));
	counts = calloc(setup->nodes, sizeof(*counts));
	error = members->member && members->read && processes && counts ? 0 : -ENOMEM;
	for (size_t node = 0; node < setup->nodes && !error; node++) {
		memcpy(processes + node * setup->counters, setup->processes,
		       setup->counters * sizeof(*processes));
		counts[node] = setup->counters;
	}
	if (!error)
		error = Estimate_cluster_new(&members->cluster, processes, counts, setup->nodes,
					     EXCHANGE_RECORDS);
	free(processes);
	free(counts);
	if (error)
		return error;
	exchange_create(own, &head);
	return members_connect(members, setup->self, own, exchange_bytes(setup->counters));
}

void members_free(struct members *members)
{
	Estimate_cluster_free(members->cluster);
	free(members->member);
	free(members->read);
	*members = (struct members){0};
}

int members_connect(struct members *members, size_t node, const volatile uint64_t *words,
		    size_t bytes)
{
	struct member *member;
	struct exchange_head head;
	int error;

	if (node >= members->setup.nodes)
		return -EINVAL;
	member = &members->member[node];
	error = exchange_head(words, bytes, &head);
	if (!error && (head.node != node || head.counters != members->setup.counters ||
		       head.agreement != members->setup.agreement))
		error = -EPROTO;
	member->words = NULL;
	if (error) {
		member->state = error == -EPROTONOSUPPORT ? MEMBER_VERSION
				: error == -EPROTO	  ? MEMBER_DISAGREES
				: error == -EBADMSG	  ? MEMBER_GARBAGE
							  : MEMBER_ABSENT;
		return error;
	}
	member->words = words;
	member->state = MEMBER_HERE;
	/*
	 * If the incarnation is the same, the node has the same ring of records. In this case, do
	 * not read any record a second time.
	 */
	if (head.incarnation != member->head.incarnation)
		member->next = 1;
	member->head = head;
	member->progress = (struct exchange_progress){0};
	member->heard = members->number;
	member->look = 0;
	members_look(members, node);
	return 0;
}

void members_disconnect(struct members *members, size_t node)
{
	struct member *member = &members->member[node];

	member->words = NULL;
	if (member->state != MEMBER_ENDED && member->state != MEMBER_ABSENT)
		member->state = MEMBER_GONE;
}

void members_begin(struct members *members, uint64_t interval)
{
	exchange_begin(members->own, interval);
}

int members_publish(struct members *members, const struct exchange_record *record)
{
	return exchange_write(members->own, record);
}

uint64_t members_silence(const struct members *members, size_t node)
{
	return members->number - members->member[node].heard;
}

void members_look(struct members *members, size_t node)
{
	struct member *member = &members->member[node];
	struct exchange_progress progress;
	uint64_t silence;
	int error;

	if (!member->words)
		return;
	error = exchange_progress(member->words, &progress);
	if (error == -ENXIO) {
		members_disconnect(members, node);
		return;
	}
	if (!error && (progress.begun != member->progress.begun ||
		       progress.newest != member->progress.newest ||
		       progress.ended != member->progress.ended)) {
		member->progress = progress;
		member->heard = members->number;
		member->state = MEMBER_HERE;
	}
	silence = members_silence(members, node);
	member->look = members->number + (silence > LOOKS_EACH ? silence / LOOKS_LATER : 0) + 1;
	if (error)
		member->state = MEMBER_GARBAGE;
	else if (member->progress.ended)
		member->state = MEMBER_ENDED;
	else if (silence > MEMBER_SILENT_AFTER)
		member->state = MEMBER_SILENT;
}

/* Pass the readings of a record to the filter. */
static void record_feed(struct members *members, size_t node, const struct exchange_record *record)
{
	struct member *member = &members->member[node];
	double length_ns = (double)(record->end_ns - record->begin_ns);
	double scale = (double)members->setup.interval_ns / length_ns;
	int late = 0;

	if (!(scale > 1 / 1.5 && scale < 2)) {
		member->uneven++;
		return;
	}
	if (record->interval <= members->skipped) {
		member->lost++;
		return;
	}
	for (size_t k = 0; k < record->count && late >= 0; k++) {
		double value = record->values[k] * scale;

		late = Estimate_cluster_reading(members->cluster,
						record->interval - members->skipped, node,
						record->counters[k], value);
		if (!late)
			members->read[node * members->setup.counters + record->counters[k]] = value;
	}
	member->taken += late >= 0;
	member->late += late > 1;
	member->lost += late == -ESTALE;
	member->bad += late < 0 && late != -ESTALE && late != -EALREADY;
}

/* Read all records of a node, up to the interval @interval. */
static void member_take(struct members *members, size_t node, uint64_t last)
{
	struct member *member = &members->member[node];
	struct exchange_record record;
	uint64_t oldest = 1;

	if (!member->words)
		return;
	if (member->progress.newest >= EXCHANGE_RECORDS)
		oldest = member->progress.newest - EXCHANGE_RECORDS + 1;
	if (member->next < oldest) {
		/* Do not count the intervals before this node joined as lost. */
		member->lost += member->next > 1 ? oldest - member->next : 0;
		member->next = oldest;
	}
	if (last > member->progress.newest)
		last = member->progress.newest;
	for (; member->next <= last; member->next++) {
		int error = exchange_read(member->words, &member->head, member->next, &record);

		if (!error)
			record_feed(members, node, &record);
		/* -EAGAIN means that the node was late and has skipped this interval. */
		member->lost += error == -ESTALE;
		member->bad += error == -EBADMSG;
	}
}

void members_step(struct members *members, uint64_t interval)
{
	double dt_s = (double)members->setup.interval_ns / 1e9;

	if (interval > members->number + EXCHANGE_RECORDS) {
		uint64_t jump = interval - members->number - EXCHANGE_RECORDS;

		/*
		 * None of the missed intervals will be kept. Predict a single interval with the
		 * length of all of them.
		 */
		Estimate_cluster_predict(members->cluster, dt_s * (double)jump);
		members->skipped += jump - 1;
		members->number += jump;
	}
	for (size_t node = 0; node < members->setup.nodes; node++)
		if (members->member[node].look <= interval)
			members_look(members, node);
	while (members->number < interval) {
		members->number++;
		Estimate_cluster_predict(members->cluster, dt_s);
		for (size_t i = 0; i < members->setup.nodes * members->setup.counters; i++)
			members->read[i] = NAN;
		for (size_t node = 0; node < members->setup.nodes; node++)
			member_take(members, node, members->number);
	}
	/* If this function was already called in this interval, clear the old values. */
	for (size_t node = 0; node < members->setup.nodes; node++)
		member_take(members, node, members->number);
}

int members_lead(const struct members *members)
{
	for (size_t node = 0; node < members->setup.self; node++)
		if (members->member[node].state == MEMBER_HERE)
			return 0;
	return 1;
}

uint64_t members_begun(const struct members *members)
{
	uint64_t latest = 0;

	for (size_t node = 0; node < members->setup.nodes; node++) {
		const struct member *member = &members->member[node];

		if (node != members->setup.self && member->state == MEMBER_HERE &&
		    member->progress.begun > latest)
			latest = member->progress.begun;
	}
	return latest;
}

int members_differs(const struct members *members, size_t node, size_t counter,
		    struct Estimate_band *difference)
{
	double share = 1 - 1 / (double)members->setup.nodes;
	double sigma = members->setup.processes[counter].sigma;
	struct Estimate_band other;

	if (Estimate_cluster_difference(members->cluster, node, counter, difference) < 0)
		return 0;
	/*
	 * A node that is far from the mean moves the mean, so that other nodes seem to differ from
	 * the mean too. Report only the node that differs most.
	 */
	for (size_t i = 0; i < members->setup.nodes; i++)
		if (!Estimate_cluster_difference(members->cluster, i, counter, &other) &&
		    fabs(other.value) > fabs(difference->value))
			return 0;
	return fabs(difference->value) >
	       ESTIMATE_BAND_95 *
		       sqrt(share * sigma * sigma + difference->deviation * difference->deviation);
}
