/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Turns at atomic instructions. See atomics.h. */
#include "run/tracer/atomics.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <base/clock.h>

#include "run/tracer/channel.h"
#include "run/tracer/displaced.h"
#include "run/tracer/process.h"

#define TABLE (2 * ATOMICS_SITES)

/*
 * Limits on the wait for a turn. A thread waits for at most PATIENCE_MS, and then continues without
 * the turn.
 *
 * While a thread waits here, QEMU cannot stop this thread. But before any thread forks or executes
 * a misaligned atomic instruction, QEMU waits until all other threads have stopped. As a result,
 * two threads may wait for each other.
 *
 * - If a thread of this process is about to fork, the wait is limited to FORK_MS. A turn that does
 *   not depend on the fork is given within this time.
 * - If no thread of the run writes anything for STALL_MS, while the reader polls at least
 *   STALL_ROUNDS times, a thread waits for such a stop. From then on, no thread takes turns.
 * - When waits for turns have lost a total of LOST_MAX_MS, no thread takes turns from then on.
 */
#define NS_IN_MS 1000000U
#define PATIENCE_MS 10000U
#define FORK_MS 200U
#define STALL_MS 300U
#define STALL_ROUNDS 100U
#define LOST_MAX_MS 1000U

static struct atomic_site sites[ATOMICS_SITES];
static uint32_t sites_count;
/* Index of a site plus 1, by a hash of the address and the block. */
static uint32_t table[TABLE];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

/**
 * struct atomics - The turns of a thread.
 * @held: address of the instruction for which the thread has a turn; 0: the thread has no turn
 * @all: number of turns that the thread has taken
 * @turns: by site, the number of turns that the thread has taken
 */
struct atomics {
	uint64_t held;
	uint32_t all;
	uint16_t turns[ATOMICS_SITES];
};

/* Time that was lost so far. When it reaches LOST_MAX_MS, threads stop taking turns. */
static _Atomic uint32_t lost_ms;

void atomics_forget(struct atomics *atomics)
{
	memset(atomics, 0, sizeof(*atomics));
}

struct atomic_site *atomics_site(uint64_t address, uint64_t behind, bool adds)
{
	struct atomic_site *site = NULL;
	uint32_t at = (uint32_t)((address ^ behind << 40) * 0x9e3779b97f4a7c15ULL >> 40) % TABLE;

	pthread_mutex_lock(&table_lock);
	for (; table[at]; at = (at + 1) % TABLE) {
		site = &sites[table[at] - 1];
		if (site->address == address && site->behind == behind)
			break;
		site = NULL;
	}
	if (!site && sites_count < ATOMICS_SITES) {
		site = &sites[sites_count];
		*site = (struct atomic_site){
			.address = address,
			.behind = behind,
			.number = sites_count,
			.turns = adds ? ATOMICS_ADDITION_TURNS : ATOMICS_EXCHANGE_TURNS,
		};
		table[at] = ++sites_count;
	}
	pthread_mutex_unlock(&table_lock);
	return site;
}

/*
 * Write a record in the middle of a block. The number of executed instructions already includes the
 * @behind instructions that follow in the block, so they are subtracted for this record.
 */
static void record(struct thread *thread, uint64_t behind, enum stream_op op, uint64_t value,
		   const uint64_t *words)
{
	thread->producer->executed -= behind;
	if (op == STREAM_SITE || channel_alone(thread, STREAM_ALONE_RUN))
		channel_note(thread, op, value, words);
	else
		channel_record(thread, op, value, words);
	thread->producer->executed += behind;
}

bool atomics_take_turns(const struct thread *thread)
{
	return thread && thread->begun && !thread->quiet && !thread->ended && !thread->paused &&
	       !thread->blocked && thread->channel && process.counting &&
	       atomic_load_explicit(&lost_ms, memory_order_relaxed) < LOST_MAX_MS &&
	       atomic_load_explicit(&stream->turns, memory_order_relaxed) &&
	       !atomic_load_explicit(&stream->stop, memory_order_relaxed);
}

/* Check whether the thread takes a turn at this site. */
static bool has_turn(struct thread *thread, const struct atomic_site *site)
{
	if (!atomics_take_turns(thread))
		return false;
	if (!thread->atomics)
		thread->atomics = calloc(1, sizeof(*thread->atomics));
	return thread->atomics && thread->atomics->turns[site->number] < site->turns &&
	       thread->atomics->all < ATOMICS_ALL_TURNS;
}

bool atomics_await(struct thread *thread, bool optional)
{
	uint64_t began = clock_now_ns() / NS_IN_MS, moved = began, unforked = began, written = 0;
	uint32_t idle = 0;

	for (;;) {
		uint32_t turn = channel_await(thread, optional);
		uint64_t now;

		if (turn)
			return turn == STREAM_TURN_GIVEN;
		if (optional && process_forking())
			return false;
		now = clock_now_ns() / NS_IN_MS;
		if (channels_written() != written) {
			moved = now;
			idle = atomic_load(&stream->idle);
		}
		written = channels_written();
		if (!process_forking())
			unforked = now;
		if (now - moved >= STALL_MS && atomic_load(&stream->idle) - idle >= STALL_ROUNDS)
			atomic_store(&lost_ms, LOST_MAX_MS);
		if (now - unforked >= FORK_MS)
			atomic_fetch_add(&lost_ms, FORK_MS);
		if (now - unforked >= FORK_MS || now - began >= PATIENCE_MS ||
		    atomic_load(&lost_ms) >= LOST_MAX_MS)
			break;
	}
	if (!atomic_load(&stream->stop))
		atomic_fetch_add(&stream->untaken, 1);
	return false;
}

void atomics_before(const struct atomic_site *site)
{
	const uint64_t how = STREAM_ORDER | STREAM_ROLE;
	struct thread *thread = channel_thread;

	if (!has_turn(thread, site))
		return;
	/*
	 * If a fault has interrupted the previous atomic instruction, atomics_after() was not
	 * called for it.
	 */
	atomics_after(site->behind);
	thread->atomics->turns[site->number]++;
	thread->atomics->all++;
	thread->atomics->held = site->address;
	pthread_mutex_lock(&thread->lock);
	/* A site is reported by a return address, which is after the instruction. */
	record(thread, site->behind, STREAM_SITE, displaced(site->address + 1), NULL);
	record(thread, site->behind, STREAM_ACQUIRE, displaced_in(process.program, site->address),
	       &how);
	thread->turns++;
	thread->awaits = NULL;
	thread->answer = NULL;
	pthread_mutex_unlock(&thread->lock);
	if (channel_alone(thread, STREAM_ALONE_RUN))
		return;
	atomics_await(thread, false);
}

void atomics_after(uint64_t behind)
{
	struct thread *thread = channel_thread;
	uint64_t address;

	if (!thread || !thread->atomics || !thread->atomics->held)
		return;
	address = thread->atomics->held;
	thread->atomics->held = 0;
	if (thread->ended)
		return;
	pthread_mutex_lock(&thread->lock);
	record(thread, behind, STREAM_RELEASE, displaced_in(process.program, address), NULL);
	pthread_mutex_unlock(&thread->lock);
}

void atomics_order(struct thread *thread, uint64_t name)
{
	const uint64_t how = STREAM_ORDER;

	pthread_mutex_lock(&thread->lock);
	channel_record(thread, STREAM_ACQUIRE, name, &how);
	thread->turns++;
	thread->awaits = NULL;
	thread->answer = NULL;
	pthread_mutex_unlock(&thread->lock);
}

void atomics_poll(struct thread *thread, uint64_t name)
{
	if (!atomics_take_turns(thread) || channel_alone(thread, STREAM_ALONE_RUN))
		return;
	atomics_order(thread, name);
	atomics_await(thread, true);
	pthread_mutex_lock(&thread->lock);
	if (!thread->ended)
		channel_record(thread, STREAM_RELEASE, name, NULL);
	pthread_mutex_unlock(&thread->lock);
}
