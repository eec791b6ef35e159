/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Threads that wait by reading memory. See spins.h.
 *
 * Such a thread loads the same word repeatedly. In each round of the loop it makes the same few
 * loads, and no store. If the value of the word changes meanwhile, another thread has written the
 * word, and the number of rounds depends on the host.
 */
#include "run/tracer/spins.h"

#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>

#include "run/stream.h"
#include "run/tracer/atomics.h"
#include "run/tracer/channel.h"
#include "run/tracer/displaced.h"
#include "run/tracer/host_data.h"

/* The largest number of words that the thread writes in a round of the loop. */
#define SPINS_ROUND 16U
/*
 * The thread waits for a turn after this number of rounds, and then after growing numbers of
 * rounds, up to SPINS_LAST. As a result, a short wait has nearly its exact length, and a long wait
 * does not take many turns.
 */
#define SPINS_FIRST 2U
#define SPINS_LAST 1024U
/* The name of the turns of threads that make no counted accesses. No object has this address. */
#define SPINS_WORK 1U

/**
 * struct reads - The word that the thread has loaded repeatedly, and its last load.
 * @address: address of the word
 * @written: number of words in the thread's channel after the last of these loads. Each access adds
 *           one word
 * @value: value of the word
 * @rounds: number of loads that have found this value
 * @known: @value was read
 */
static __thread struct reads {
	uint64_t address;
	uint64_t written;
	uint64_t value;
	uint32_t rounds;
	bool known;
} reads __attribute__((tls_model("initial-exec")));

/**
 * struct works - The last WORK record that reported instructions without any access.
 * @written: number of words in the thread's channel after this record
 * @rounds: number of such records without other words in between
 */
static __thread struct works {
	uint64_t written;
	uint32_t rounds;
} works __attribute__((tls_model("initial-exec")));

static uint64_t word_before(uint64_t written, uint64_t back)
{
	return channel_producer->words[(written - back) & (STREAM_CHANNEL_WORDS - 1)];
}

/*
 * Check whether the word reports a load, or is part of the records of sched_yield(2). The second
 * word of an ACQUIRE record has the form of a load.
 */
static bool word_waits(uint64_t word)
{
	enum stream_kind kind = word >> STREAM_KIND_SHIFT & STREAM_KIND;
	enum stream_op op = word >> STREAM_OP_SHIFT & STREAM_OP;

	return kind == STREAM_READ ||
	       (kind == STREAM_CONTROL && (op == STREAM_PASS || op == STREAM_WORK ||
					   op == STREAM_ACQUIRE || op == STREAM_RELEASE));
}

/* Check whether the thread has done nothing but wait in the last @words words. */
static bool round_waits(uint64_t written, uint64_t words)
{
	for (uint64_t i = 1; i <= words; i++) {
		if (!word_waits(word_before(written, i)))
			return false;
	}
	return true;
}

/* Check whether the last @words words are the same as the words before them. */
static bool round_repeats(uint64_t written, uint64_t words)
{
	for (uint64_t i = 1; i <= words; i++) {
		if (word_before(written, i) != word_before(written, i + words))
			return false;
	}
	return true;
}

static bool turn_due(uint32_t rounds)
{
	return rounds >= SPINS_FIRST &&
	       (rounds % SPINS_LAST == 0 || (rounds < SPINS_LAST && !(rounds & (rounds - 1))));
}

/* The thread has loaded the word again, @words words after its last load of the word. */
static __attribute__((noinline)) void read_again(uint64_t written, uint64_t words,
						 unsigned int size)
{
	uint64_t value = 0;

	if (!channel_thread || !channel_thread->channel)
		return;
	memcpy(&value, (const void *)(uintptr_t)reads.address, 1U << size);
	if (reads.known && value != reads.value) {
		if (round_waits(written, words))
			host_data_count(STREAM_HOST_DATA_MEMORY);
		reads.rounds = 0;
	}
	reads.value = value;
	reads.known = true;
	if (turn_due(++reads.rounds) && round_waits(written, words) &&
	    round_repeats(written, words))
		atomics_poll(channel_thread, displaced(reads.address));
}

void spins_read(uint64_t address, unsigned int size)
{
	uint64_t written = channel_written();
	uint64_t words = written - reads.written;

	if (address == reads.address && words <= SPINS_ROUND) {
		read_again(written, words, size);
	} else if (address != reads.address && words < SPINS_ROUND) {
		/* This load may be another load of the loop. */
		return;
	} else {
		reads.address = address;
		reads.known = false;
		reads.rounds = 0;
	}
	/* A turn has written further words. */
	reads.written = channel_written();
}

void spins_work(void)
{
	uint64_t written = channel_written();

	works.rounds = written == works.written + 1 ? works.rounds + 1 : 1;
	if (channel_thread && channel_thread->channel && turn_due(works.rounds))
		atomics_poll(channel_thread, SPINS_WORK);
	works.written = channel_written();
}

void spins_call(int64_t number)
{
	/* The kernel may have written the word during the call, except in calls that only wait. */
	if (number != SYS_sched_yield && number != SYS_nanosleep && number != SYS_clock_nanosleep)
		reads.address = 0;
}
