/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The channel of the calling thread. See channel.h. This file may use mmap(2), futex(2) and memory.
 */
#include "run/tracer/channel.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "run/tracer/atomics.h"
#include "run/tracer/callers.h"
#include "run/tracer/gathered.h"
#include "run/tracer/process.h"

/*
 * Number of free words that a producer needs before it continues: a batch of words, and the largest
 * control record with its work.
 */
#define ROOM (CHANNEL_BATCH + 32U)
/* The length of the largest control record, with its work. */
#define RECORD_WORDS (1U + STREAM_OP_WORDS_MAX)

/* Number of polls for a turn before the thread sleeps. These polls take about 2 microseconds. */
#define LOOKS 64U

/*
 * The count of executed instructions with which a thread starts. This count is so high that the
 * thread's first access takes the slow path.
 */
#define FIRST (1U << 20)

_Static_assert(FIRST > STREAM_WORK_MAX, "otherwise the first access would not take the slow path");
_Static_assert(offsetof(struct producer, left) == 64, "one cache line");
_Static_assert(sizeof(struct stream_channel) - offsetof(struct stream_channel, written) ==
		       sizeof(struct producer),
	       "the offset is that of the stream");
_Static_assert(offsetof(struct stream_channel, left) - offsetof(struct stream_channel, written) ==
		       offsetof(struct producer, left),
	       "the offset is that of the stream");
_Static_assert(offsetof(struct stream_channel, control) -
			       offsetof(struct stream_channel, written) ==
		       offsetof(struct producer, control),
	       "the offset is that of the stream");

struct stream_header *stream;

/*
 * The dummy producer of threads that have not claimed a channel. In this producer, @executed is not
 * below @bound, so that the first block of a thread claims a channel.
 */
static struct producer unclaimed;
static uint64_t scratch[STREAM_CHANNEL_WORDS];
/* The threads of this process, indexed by the number of their channel. */
static struct thread threads[STREAM_CHANNELS];

__thread struct producer *channel_producer = &unclaimed;
__thread struct thread *channel_thread;

static struct stream_channel *channels(void)
{
	return (struct stream_channel *)((char *)stream + STREAM_CHANNELS_AT);
}

static uint64_t *words_of(const struct stream_channel *channel)
{
	return (uint64_t *)((char *)stream + STREAM_WORDS_AT) +
	       (size_t)(channel - channels()) * STREAM_CHANNEL_WORDS;
}

int channel_attach(int fd)
{
	struct stat status;
	void *memory;

	if (fstat(fd, &status) < 0)
		return -errno;
	if ((uint64_t)status.st_size < STREAM_BYTES)
		return -EPROTO;
	memory =
		mmap(NULL, STREAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	stream = memory;
	if (stream->magic != STREAM_MAGIC)
		return -EPROTO;
	if (stream->version != STREAM_VERSION || stream->bytes != STREAM_BYTES)
		return -EPROTONOSUPPORT;
	gathered_attach();
	/*
	 * Close the descriptor. The mapping does not need the descriptor, and the program must not
	 * see a descriptor that it has not opened.
	 */
	close(fd);
	return 0;
}

static bool reader_gone(void)
{
	return stream->reader && kill((pid_t)stream->reader, 0) < 0 && errno == ESRCH;
}

/*
 * Wait until the channel has space for more words. If a wake-up is lost, or the reader has died,
 * the time-out of one second ends the wait.
 */
static void wait_for_room(struct stream_channel *channel, uint64_t written)
{
	static const struct timespec second = {.tv_sec = 1};

	while (!atomic_load(&stream->stop)) {
		atomic_store(&channel->full, 1);
		/*
		 * The reader stores tail before it loads full. With this fence, either this thread
		 * sees the new tail, or the reader sees full.
		 */
		atomic_thread_fence(memory_order_seq_cst);
		if (written + ROOM - atomic_load(&channel->tail) <= STREAM_CHANNEL_WORDS)
			return;
		if (syscall(SYS_futex, &channel->full, FUTEX_WAIT, 1, &second, NULL, 0) < 0 &&
		    errno == ETIMEDOUT && reader_gone())
			atomic_store(&stream->stop, 1);
	}
}

void channel_hold(void)
{
	static const struct timespec second = {.tv_sec = 1};

	/* The reader waits for a change of this value. */
	syscall(SYS_futex, &stream->ready, FUTEX_WAKE, 1, NULL, NULL, 0);
	while (atomic_load(&stream->hold)) {
		syscall(SYS_futex, &stream->hold, FUTEX_WAIT, 1, &second, NULL, 0);
		if (reader_gone())
			_exit(127);
	}
}

bool channel_turn_given(const struct thread *thread)
{
	return thread->channel &&
	       (int32_t)(atomic_load(&thread->channel->turn) - thread->turns) >= 0;
}

/*
 * Poll for the turn for some microseconds, because a wake-up takes longer than that. At most one
 * thread of a process polls. If the reader needs the same processor, no thread polls.
 */
static bool turn_comes(const struct thread *thread, bool polls)
{
	static _Atomic uint32_t looking;
	bool come = false;

	if (!polls || atomic_exchange(&looking, 1))
		return false;
	for (unsigned int i = 0; i < LOOKS && !come; i++) {
		__builtin_ia32_pause();
		come = channel_turn_given(thread);
	}
	atomic_store(&looking, 0);
	return come;
}

uint32_t channel_await(struct thread *thread, bool optional)
{
	/*
	 * A fork may begin between the check below and the wait, and its wake-up is then lost, so
	 * an optional wait is short.
	 */
	const struct timespec patience = {.tv_nsec = optional ? 10000000 : 100000000};
	struct stream_channel *channel = thread->channel;
	uint32_t result = STREAM_TURN_NONE;
	bool polls = gathered_follow();

	while (channel && !thread->ended && !atomic_load(&stream->stop)) {
		uint32_t turn;

		if (!turn_comes(thread, polls))
			atomic_store(&channel->waits, 1);
		/*
		 * The reader stores turn before it loads waits. For this reason, either this thread
		 * sees the new turn, or the reader sees waits.
		 */
		turn = atomic_load(&channel->turn);
		if ((int32_t)(turn - thread->turns) >= 0) {
			if (thread->answer)
				*thread->answer = atomic_load(&channel->answer);
			result = STREAM_TURN_GIVEN;
			break;
		}
		if (optional && process_forking()) {
			result = 0;
			break;
		}
		if (syscall(SYS_futex, &channel->turn, FUTEX_WAIT, turn, &patience, NULL, 0) == 0)
			continue;
		if (errno == EAGAIN)
			continue;
		if (errno == ETIMEDOUT && reader_gone())
			atomic_store(&stream->stop, 1);
		/*
		 * Return even after a time-out: a signal may have arrived immediately before the
		 * wait.
		 */
		result = 0;
		break;
	}
	if (channel)
		atomic_store(&channel->waits, 0);
	return result;
}

void channels_wake(void)
{
	const uint32_t own = (uint32_t)getpid();

	for (unsigned int i = 0; i < STREAM_CHANNELS; i++) {
		struct stream_channel *channel = channels() + i;

		if (atomic_load(&channel->waits) && atomic_load(&channel->pid) == own)
			syscall(SYS_futex, &channel->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

uint64_t channels_written(void)
{
	uint64_t written = 0;

	for (unsigned int i = 0; i < STREAM_CHANNELS; i++) {
		const struct stream_channel *channel = channels() + i;

		if (atomic_load_explicit(&channel->state, memory_order_relaxed) == STREAM_OPEN)
			written += atomic_load_explicit(&channel->head, memory_order_relaxed);
	}
	return written;
}

bool channel_alone(const struct thread *thread, enum stream_alone level)
{
	uint32_t alone, made = atomic_load_explicit(&process.made, memory_order_relaxed);

	if (!thread->channel)
		return false;
	alone = atomic_load_explicit(&thread->channel->alone, memory_order_relaxed);
	return (alone & STREAM_ALONE_LEVEL) >= level &&
	       alone == STREAM_ALONE(alone & STREAM_ALONE_LEVEL, made, process.number);
}

static struct stream_channel *channel_of(struct producer *p)
{
	return (struct stream_channel *)((char *)p - offsetof(struct stream_channel, written));
}

/*
 * Wake the reader after new words of the channel have become visible. The reader is woken only if
 * it sleeps until words arrive, and has requested words of this channel. @level: the lowest value
 * of @channel->wanted for which the words are requested.
 */
static void reader_wake(const struct stream_channel *channel, enum stream_wanted level)
{
	/*
	 * The reader stores asleep before it loads head. With this fence, either this thread sees
	 * that the reader sleeps, or the reader sees the new head.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&stream->asleep, memory_order_relaxed) &&
	    atomic_load_explicit(&channel->wanted, memory_order_relaxed) >= level &&
	    atomic_exchange(&stream->asleep, 0))
		syscall(SYS_futex, &stream->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void channel_publish(struct producer *p)
{
	uint64_t written = atomic_load_explicit(&p->written, memory_order_relaxed);
	struct stream_channel *channel;
	uint64_t tail;

	p->limit = written + CHANNEL_BATCH;
	if (p->words == scratch)
		return;
	if (atomic_load_explicit(&stream->stop, memory_order_relaxed)) {
		p->words = scratch;
		return;
	}
	gathered_leave();
	channel = channel_of(p);
	/*
	 * This load pairs with the reader's release of tail: the words before tail may be
	 * overwritten.
	 */
	tail = atomic_load_explicit(&channel->tail, memory_order_acquire);
	if (atomic_load_explicit(&channel->head, memory_order_relaxed) != written) {
		/*
		 * This store pairs with the reader's acquire of head: the words before head become
		 * visible.
		 */
		atomic_store_explicit(&channel->head, written, memory_order_release);
		reader_wake(channel, written - tail > STREAM_CHANNEL_WORDS / 2
					     ? STREAM_WANTED_RECORDS
					     : STREAM_WANTED_ALL);
	}
	if (written + ROOM - tail > STREAM_CHANNEL_WORDS)
		wait_for_room(channel, written);
}

static struct stream_channel *channel_find(void)
{
	struct stream_channel *channel;
	uint32_t state;
	unsigned int i;

	for (i = 0; i < STREAM_CHANNELS; i++) {
		channel = channels() + i;
		state = STREAM_FREE_CHANNEL;
		if (atomic_load_explicit(&channel->state, memory_order_relaxed) != state)
			continue;
		if (!atomic_compare_exchange_strong(&channel->state, &state, STREAM_OPEN))
			continue;
		return channel;
	}
	return NULL;
}

/* No channel is free: the thread runs without being traced, and the reader reports this. */
static struct thread *claim_none(void)
{
	struct thread *thread = calloc(1, sizeof(*thread));

	atomic_fetch_add(&stream->refused, 1);
	if (thread)
		thread->producer = aligned_alloc(64, sizeof(*thread->producer));
	if (!thread || !thread->producer)
		abort();
	memset((void *)thread->producer, 0, sizeof(*thread->producer));
	return thread;
}

static struct thread *claim(struct stream_channel *channel)
{
	struct thread *thread = &threads[channel - channels()];

	pthread_mutex_lock(&thread->lock);
	atomic_store(&channel->full, 0);
	atomic_store(&channel->head, 0);
	atomic_store(&channel->tail, 0);
	atomic_store(&channel->turn, 0);
	atomic_store(&channel->waits, 0);
	atomic_store(&channel->interrupted, 0);
	atomic_store(&channel->alone, 0);
	/*
	 * The reader does not know this channel yet, so the thread must wake the reader for all
	 * words.
	 */
	atomic_store(&channel->wanted, STREAM_WANTED_ALL);
	atomic_store(&channel->pid, (uint32_t)getpid());
	atomic_fetch_add(&stream->claimed, 1);
	thread->channel = channel;
	thread->producer = (struct producer *)&channel->written;
	thread->begun = thread->ended = thread->blocked = false;
	thread->key = thread->from = 0;
	thread->stack = thread->stack_end = 0;
	thread->paused = 0;
	thread->turns = 0;
	thread->answer = NULL;
	thread->awaits = NULL;
	thread->looks = 0;
	if (thread->callers)
		callers_forget(thread->callers);
	if (thread->atomics)
		atomics_forget(thread->atomics);
	pthread_mutex_unlock(&thread->lock);
	return thread;
}

struct thread *channel_claim(bool quiet)
{
	struct thread *thread = channel_thread;
	struct stream_channel *channel;
	struct producer *p;

	if (thread && !thread->ended)
		return thread;
	channel = channel_find();
	thread = channel ? claim(channel) : claim_none();
	p = thread->producer;
	/*
	 * Keep @left, which counts the accesses that earlier threads of this channel have left out.
	 */
	memset((void *)p, 0, offsetof(struct producer, left));
	p->words = channel ? words_of(channel) : scratch;
	p->limit = CHANNEL_BATCH;
	/* The distance to the last record is so large that the first access takes the slow path. */
	p->executed = FIRST;
	p->bound = FIRST + CHANNEL_WORK;
	thread->quiet = quiet;
	channel_thread = thread;
	channel_producer = p;
	return thread;
}

void channel_init(void)
{
	unsigned int i;

	for (i = 0; i < STREAM_CHANNELS; i++) {
		pthread_mutex_init(&threads[i].lock, NULL);
		threads[i].channel = NULL;
	}
	channel_thread = NULL;
	channel_producer = &unclaimed;
}

uint32_t channel_index(const struct thread *thread)
{
	return (uint32_t)(thread->channel - channels());
}

/*
 * Make the calling thread continue in a channel that a previous program of this process has used.
 */
static struct thread *take_over(uint32_t index)
{
	struct stream_channel *channel = channels() + index;
	struct thread *thread = &threads[index];
	struct producer *p = (struct producer *)&channel->written;

	thread->channel = channel;
	thread->producer = p;
	thread->begun = true;
	/* Nothing is counted before the program's code starts. */
	thread->quiet = true;
	/* The previous program had mapped the words at another address. */
	p->words = words_of(channel);
	p->last = p->executed;
	p->bound = p->executed + CHANNEL_WORK;
	return thread;
}

void channel_continue(uint32_t index, uint32_t turns)
{
	struct thread *thread;
	uint32_t i;

	for (i = 0; i < STREAM_CHANNELS; i++) {
		if (i == index || atomic_load(&channels()[i].state) != STREAM_OPEN ||
		    atomic_load(&channels()[i].pid) != (uint32_t)getpid())
			continue;
		/* If a thread has not begun, it needs no END record. */
		thread = take_over(i);
		if (atomic_load(&channels()[i].head))
			channel_end(thread);
	}
	thread = take_over(index);
	thread->turns = turns;
	channel_thread = thread;
	channel_producer = thread->producer;
}

static uint64_t control(enum stream_op op, uint64_t value)
{
	return (value & (STREAM_ADDRESS | STREAM_COMMON)) |
	       (uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT | (uint64_t)op << STREAM_OP_SHIFT;
}

/*
 * Write the words of a control record, and publish their number in one step. The caller must have
 * made sure that there is space for these words.
 */
static void put(struct producer *p, uint64_t first, const uint64_t *words, unsigned int count)
{
	uint64_t at = atomic_load_explicit(&p->written, memory_order_relaxed);
	unsigned int i;

	p->words[at & (STREAM_CHANNEL_WORDS - 1)] = first;
	for (i = 1; i < count; i++)
		p->words[(at + i) & (STREAM_CHANNEL_WORDS - 1)] = words[i - 1];
	atomic_store_explicit(&p->control,
			      atomic_load_explicit(&p->control, memory_order_relaxed) + count,
			      memory_order_relaxed);
	atomic_store_explicit(&p->written, at + count, memory_order_release);
}

void channel_forget(struct thread *thread)
{
	struct producer *p = thread->producer;

	p->last = p->executed;
	p->bound = p->executed + CHANNEL_WORK;
}

void channel_begin(struct thread *thread)
{
	uint64_t words[2] = {thread->key, (uint64_t)gettid()};
	struct producer *p = thread->producer;

	if (thread->begun)
		return;
	thread->begun = true;
	thread->quiet = false;
	channel_publish(p);
	put(p, control(STREAM_BEGIN, (uint64_t)getpid()), words, 3);
	channel_publish(p);
	p->last = thread->from ? thread->from : p->executed;
	p->bound = p->last + CHANNEL_WORK;
}

static void put_work(struct producer *p)
{
	uint64_t work = p->executed - p->last;

	if (!work)
		return;
	put(p, control(STREAM_WORK, work), NULL, 1);
	p->last = p->executed;
	p->bound = p->executed + CHANNEL_WORK;
}

void channel_work(struct thread *thread)
{
	if (!thread->begun)
		channel_begin(thread);
	channel_publish(thread->producer);
	put_work(thread->producer);
	channel_publish(thread->producer);
}

/*
 * Make sure that there is space for a control record and its work. After the record, @written must
 * still be below @limit, so that the next access detects when the batch is full.
 */
static void record_reserve(struct producer *p)
{
	if (atomic_load_explicit(&p->written, memory_order_relaxed) + RECORD_WORDS >= p->limit)
		channel_publish(p);
}

void channel_note(struct thread *thread, enum stream_op op, uint64_t value, const uint64_t *words)
{
	static const uint8_t sizes[STREAM_OP_COUNT] = STREAM_OP_WORDS;
	struct producer *p = thread->producer;

	if (thread->ended)
		return;
	if (!thread->begun)
		channel_begin(thread);
	record_reserve(p);
	/*
	 * The number of instructions that a thread executes while it waits is not deterministic, so
	 * these instructions are not work.
	 */
	if (thread->paused)
		channel_forget(thread);
	else
		put_work(p);
	put(p, control(op, value), words, sizes[op]);
}

void channel_record(struct thread *thread, enum stream_op op, uint64_t value, const uint64_t *words)
{
	channel_note(thread, op, value, words);
	if (thread->ended)
		return;
	channel_publish(thread->producer);
	if (thread->channel)
		reader_wake(thread->channel, STREAM_WANTED_RECORDS);
}

void channel_end(struct thread *thread)
{
	if (thread->ended)
		return;
	channel_record(thread, STREAM_END, 0, NULL);
	thread->ended = true;
	if (thread == channel_thread)
		channel_producer = &unclaimed;
	if (thread->channel) {
		/*
		 * From here on, this thread must not use the channel, because the channel belongs
		 * to the reader or to another thread.
		 */
		struct stream_channel *channel = thread->channel;

		thread->channel = NULL;
		atomic_store_explicit(&channel->state, STREAM_ENDED, memory_order_release);
	}
}

void channel_end_others(void)
{
	unsigned int i;

	for (i = 0; i < STREAM_CHANNELS; i++) {
		pthread_mutex_lock(&threads[i].lock);
		if (threads[i].channel)
			channel_end(&threads[i]);
		pthread_mutex_unlock(&threads[i].lock);
	}
}

void channel_block_slow(void)
{
	struct producer *p = channel_producer;
	struct thread *thread;

	if (p == &unclaimed) {
		process_thread_begins();
		return;
	}
	thread = channel_thread;
	if (!process.counting || thread->quiet || thread->paused) {
		p->bound = p->executed + CHANNEL_WORK;
		return;
	}
	if (!thread->begun)
		channel_begin(thread);
	if (p->executed - p->last >= CHANNEL_WORK) {
		channel_publish(p);
		put_work(p);
	}
	channel_publish(p);
	p->bound = p->last + CHANNEL_WORK;
}

void channel_access_slow(struct producer *p, uint64_t word, uint64_t at)
{
	struct thread *thread = channel_thread;
	uint64_t work;

	/* The thread executes code of the C library before the mark that identifies it. */
	if (!thread->begun && thread->quiet && process.libc) {
		channel_left(p, STREAM_LEFT_START, 1);
		return;
	}
	if (!thread->begun) {
		channel_begin(thread);
		/*
		 * If the thread has not reported its beginning, the thread begins with this access.
		 */
		if (!thread->from)
			p->last = at;
	}
	work = at - p->last;
	p->last = at;
	p->bound = at + CHANNEL_WORK;
	if (work > STREAM_WORK_MAX) {
		channel_publish(p);
		put(p, control(STREAM_WORK, work), NULL, 1);
		work = 0;
		channel_publish(p);
	}
	channel_append(p, word | work << STREAM_WORK_SHIFT);
}

void channel_unknown(uint64_t address)
{
	uint64_t none = 0;

	atomic_fetch_add_explicit(&stream->unknown, 1, memory_order_relaxed);
	atomic_compare_exchange_strong(&stream->unknown_at, &none, address);
}
