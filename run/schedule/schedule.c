/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Schedule: creates, runs and frees a schedule. This file may use schedule.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schedule_inside.h"
#include "role.h"

/* ---- building ------------------------------------------------------------------------------ */

void schedule_prepare(void *memory)
{
	struct stream_header *header = memory;

	header->version = STREAM_VERSION;
	header->reader = (uint32_t)getpid();
	header->bytes = STREAM_BYTES;
	atomic_store(&header->turns, 1);
	header->magic = STREAM_MAGIC;
}

static bool config_valid(const struct schedule_config *config)
{
	if (!config->machine || machine_processors(config->machine) != 0)
		return false;
	if (config->mapping > SCHEDULE_BY_LIST ||
	    (config->mapping == SCHEDULE_IN_BLOCKS && config->threads == 0) ||
	    (config->mapping == SCHEDULE_BY_LIST && config->list_count == 0))
		return false;
	for (size_t i = 0; config->mapping == SCHEDULE_BY_LIST && i < config->list_count; i++) {
		if (config->list[i] >= machine_nodes(config->machine))
			return false;
	}
	return true;
}

/* Set the pointers to the parts of the stream memory. Return: 0 or -ENOMEM. */
static int schedule_map(struct schedule *schedule, uint8_t *memory)
{
	struct stream_channel *channels = (void *)(memory + STREAM_CHANNELS_AT);
	uint64_t *words = (void *)(memory + STREAM_WORDS_AT);

	schedule->header = (void *)memory;
	schedule->table = (void *)(memory + STREAM_REGIONS_AT);
	schedule->inputs = calloc(STREAM_CHANNELS, sizeof(schedule->inputs[0]));
	if (!schedule->inputs)
		return -ENOMEM;
	for (size_t i = 0; i < STREAM_CHANNELS; i++) {
		schedule->inputs[i].channel = &channels[i];
		schedule->inputs[i].ring = words + i * STREAM_CHANNEL_WORDS;
	}
	return 0;
}

static int schedule_fill(struct schedule *schedule, const struct schedule_config *config)
{
	schedule->config = *config;
	schedule->machine = config->machine;
	schedule->ordered = machine_ordered(config->machine);
	if (config->spill_bytes == 0)
		schedule->config.spill_bytes = SCHEDULE_SPILL_DEFAULT;
	if (config->patience == 0)
		schedule->config.patience = SCHEDULE_PATIENCE_DEFAULT;
	schedule->meetings = 1;
	schedule->epoch = config->epoch_cycles ? config->epoch_cycles : UINT64_MAX;
	machine_hold(schedule->machine, schedule->epoch);
	schedule->woken = calloc(SCHEDULE_WAKES, sizeof(schedule->woken[0]));
	schedule->region_of = calloc(STREAM_REGIONS, sizeof(schedule->region_of[0]));
	schedule->idle = calloc(MACHINE_PROCESSORS_MAX, sizeof(schedule->idle[0]));
	if (!schedule->woken || !schedule->region_of || !schedule->idle)
		return -ENOMEM;
	if (config->mapping != SCHEDULE_BY_LIST)
		return 0;
	if (!config->list_count || config->list_count > STREAM_NODES_OF)
		return -EINVAL;
	schedule->list = calloc(config->list_count, sizeof(schedule->list[0]));
	if (!schedule->list)
		return -ENOMEM;
	memcpy(schedule->list, config->list, config->list_count * sizeof(schedule->list[0]));
	return 0;
}

/*
 * Write the node on which each thread will run into the stream memory, where the program can read
 * it.
 */
static void nodes_tell(const struct schedule *schedule)
{
	const struct schedule_config *config = &schedule->config;
	bool list = config->mapping == SCHEDULE_BY_LIST;
	size_t count = list ? config->list_count : machine_nodes(schedule->machine);
	unsigned block = thread_block(schedule);

	for (size_t i = 0; i < count; i++)
		schedule->header->node_of[i] = (uint8_t)thread_node(schedule, (unsigned)i * block);
	schedule->header->node_of_count = (uint32_t)count;
	schedule->header->node_of_block = block;
	schedule->header->node_of_repeats = config->mapping != SCHEDULE_IN_BLOCKS;
}

int schedule_create(struct schedule **out, const struct schedule_config *config, void *memory)
{
	const struct stream_header *header = memory;
	struct schedule *schedule;
	int err;

	if (!config_valid(config))
		return -EINVAL;
	if (header->magic != STREAM_MAGIC || header->version != STREAM_VERSION ||
	    header->bytes != STREAM_BYTES)
		return -EPROTO;
	schedule = calloc(1, sizeof(*schedule));
	if (!schedule)
		return -ENOMEM;
	err = schedule_map(schedule, memory);
	if (err == 0)
		err = schedule_fill(schedule, config);
	if (err == 0)
		err = roles_create(schedule);
	if (err < 0) {
		schedule_destroy(schedule);
		return err;
	}
	nodes_tell(schedule);
	*out = schedule;
	return 0;
}

/* Free the values of all entries of a table, and the table itself. */
static void table_clear(struct hash_table *table)
{
	size_t position = 0;
	void *value;

	while ((value = table_next(table, &position)) != NULL)
		free(value);
	hash_table_free(table);
}

void schedule_destroy(struct schedule *schedule)
{
	if (!schedule)
		return;
	for (size_t i = 0; schedule->inputs && i < STREAM_CHANNELS; i++)
		input_free(&schedule->inputs[i]);
	for (size_t i = 0; i < schedule->threads_count; i++)
		free(schedule->threads[i]);
	free(schedule->threads);
	hash_table_free(&schedule->keys);
	table_clear(&schedule->processes);
	table_clear(&schedule->locks);
	roles_destroy(schedule);
	table_clear(&schedule->barriers);
	table_clear(&schedule->conditions);
	table_clear(&schedule->semaphores);
	page_ranges_free(&schedule->shared);
	free(schedule->ready.items);
	free(schedule->inputs);
	free(schedule->woken);
	free(schedule->regions);
	free(schedule->unmapped);
	free(schedule->region_of);
	free(schedule->idle);
	free(schedule->list);
	free(schedule);
}

/* ---- running ------------------------------------------------------------------------------- */

static void notices_settle(struct schedule *schedule)
{
	uint32_t refused = atomic_load_explicit(&schedule->header->refused, memory_order_relaxed);
	uint32_t untaken = atomic_load_explicit(&schedule->header->untaken, memory_order_relaxed);

	schedule->statistics.unknown =
		atomic_load_explicit(&schedule->header->unknown, memory_order_relaxed);
	if (untaken != schedule->untaken) {
		order_from_host(schedule, untaken - schedule->untaken);
		schedule->untaken = untaken;
	}
	if (refused > schedule->statistics.refused) {
		schedule->statistics.refused = refused;
		notice_once(schedule, SCHEDULE_NOTICE_REFUSED,
			    "more than 1024 threads ran at the same time: the accesses of some are "
			    "missing");
	}
	if (atomic_load_explicit(&schedule->header->regions, memory_order_relaxed) > STREAM_REGIONS)
		notice_once(schedule, SCHEDULE_NOTICE_REGIONS,
			    "the table of the program's memory regions was full (4096 regions): "
			    "later regions have no names in reports, and the policy block places "
			    "them as round-robin does");
}

/* Do the work of schedule_run(). The caller stores the error. */
static int64_t run(struct schedule *schedule, size_t max_words)
{
	int64_t total;
	int err = channels_scan(schedule);

	if (err == 0)
		err = order_late(schedule);
	if (err == 0)
		order_interrupted(schedule);
	if (err == 0)
		order_rested(schedule);
	if (err < 0)
		return err;
	total = replay(schedule, max_words ? max_words : 1);
	if (schedule->error < 0)
		return schedule->error;
	if (total < 0)
		return total;
	schedule->statistics.words += (uint64_t)total;
	schedule->vain = total > 0 ? 0 : schedule->vain + 1;
	replay_settle(schedule);
	channels_publish(schedule);
	notices_settle(schedule);
	return total;
}

int64_t schedule_run(struct schedule *schedule, size_t max_words)
{
	int64_t total;

	if (schedule->error < 0)
		return schedule->error;
	total = run(schedule, max_words);
	if (total < 0)
		schedule->error = (int)total;
	return total;
}

/* ---- the end ------------------------------------------------------------------------------- */

void schedule_dead(struct schedule *schedule, uint32_t pid)
{
	struct process *process = process_find(schedule, pid);
	int err = channels_scan(schedule);

	/*
	 * A process above the limit on the number of processes has no threads, so there is nothing
	 * to do for it.
	 */
	if (!process && schedule->processes.used <= SCHEDULE_PROCESSES_MAX)
		err = -ENOMEM;
	if (err < 0) {
		if (schedule->error == 0)
			schedule->error = err;
		return;
	}
	if (process)
		process->dead = true;
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		struct input *input = &schedule->inputs[i];
		uint32_t claimed = atomic_load_explicit(&input->channel->pid, memory_order_relaxed);

		if (input->use != INPUT_UNUSED && (input->announced ? input->pid : claimed) == pid)
			input->dead = true;
	}
}

size_t schedule_pids(const struct schedule *schedule, uint32_t *pids, size_t capacity)
{
	const struct process *process;
	size_t position = 0, count = 0;

	while ((process = table_next(&schedule->processes, &position)) != NULL) {
		if (process->alive == 0 || process->dead)
			continue;
		if (count < capacity)
			pids[count] = process->pid;
		count++;
	}
	return count;
}

int schedule_finish(struct schedule *schedule)
{
	uint64_t latest = schedule->now;
	int err;

	schedule->finishing = true;
	while (schedule->error == 0) {
		int64_t done = schedule_run(schedule, STREAM_CHANNEL_WORDS);

		if (done == 0 && schedule->alive == 0 && schedule->pending == 0)
			break;
	}
	for (unsigned p = 0; p < machine_processors(schedule->machine); p++) {
		uint64_t clock = machine_clock(schedule->machine, p);

		latest = clock > latest ? clock : latest;
	}
	for (unsigned p = 0; p < machine_processors(schedule->machine); p++)
		machine_idle(schedule->machine, p, latest);
	err = machine_barrier(schedule->machine);
	if (schedule->error == 0)
		schedule->error = err;
	return schedule->error;
}

uint64_t schedule_now(const struct schedule *schedule)
{
	return schedule->now;
}

uint64_t schedule_meetings(const struct schedule *schedule)
{
	return schedule->meetings;
}

uint64_t schedule_lock_waits(const struct schedule *schedule, unsigned node)
{
	return schedule->lock_waits[node];
}

uint64_t schedule_time_waits(const struct schedule *schedule, unsigned node)
{
	return schedule->time_waits[node];
}

void schedule_statistics(const struct schedule *schedule, struct schedule_statistics *statistics)
{
	*statistics = schedule->statistics;
	for (unsigned c = 0; c < STREAM_CHANNELS; c++)
		for (unsigned reason = 0; reason < STREAM_LEFT_COUNT; reason++)
			statistics->left[reason] += atomic_load_explicit(
				&schedule->inputs[c].channel->left[reason], memory_order_relaxed);
}
