/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Control: replays control records. This file may use schedule_inside.h, lock.h, condition.h and
 * barrier.h.
 */
#include <errno.h>
#include <sys/wait.h>

#include "barrier.h"
#include "condition.h"
#include "lock.h"
#include "schedule_inside.h"
#include "text.h"

/*
 * The largest number of untraced programs that are reported by name. Further untraced programs are
 * only counted.
 */
#define UNTRACED_NAMED 8U

unsigned control_words(uint64_t word)
{
	static const uint8_t words[STREAM_OP_COUNT] = STREAM_OP_WORDS;
	unsigned op = word >> STREAM_OP_SHIFT & STREAM_OP;

	return op < STREAM_OP_COUNT ? words[op] : 0;
}

static int work(struct schedule *schedule, struct thread *thread, uint64_t instructions)
{
	thread->instructions += instructions;
	schedule->statistics.instructions += instructions;
	machine_work(schedule->machine, thread->processor, instructions);
	thread->clock = machine_clock(schedule->machine, thread->processor);
	ready_moved(&schedule->ready, thread);
	return 1;
}

static int create(struct schedule *schedule, struct thread *thread, uint64_t key, uint64_t forked)
{
	struct thread *created = table_find(&schedule->keys, key);
	int err;

	if (key == 0)
		return notice_protocol(schedule, thread, "creates a thread without a key");
	/* This record arrived late. The replay had already created the thread without it. */
	if (created && created->adopted) {
		created->adopted = false;
		created->creator = thread->process;
		created->forked = forked != 0;
		thread->process->made++;
		schedule->statistics.creations++;
		return 1;
	}
	thread->process->made++;
	threads_meet(schedule, thread->clock, 1);
	err = thread_create(schedule, key, thread->process, forked != 0, thread->clock, &created);
	if (err == 0)
		err = channels_attach(schedule, created);
	if (err < 0)
		return err;
	schedule->statistics.creations++;
	alone_settle(schedule);
	return 1;
}

static int join(struct schedule *schedule, struct thread *thread, uint64_t key)
{
	const struct thread *other = key ? table_find(&schedule->keys, key) : NULL;

	schedule->statistics.joins++;
	machine_synchronise(schedule->machine, thread->processor);
	if (!other || other == thread)
		return 1;
	if (other->state == THREAD_ENDED) {
		thread_wait_cycle(schedule, thread, other->clock);
		threads_meet(schedule, thread->clock, 1);
		return 1;
	}
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_AT_JOIN;
	thread->awaited = key;
	list_push(&schedule->joins, thread);
	return 0;
}

static int end(struct schedule *schedule, struct thread *thread)
{
	ready_remove(&schedule->ready, thread);
	/*
	 * The thread has ended during its turn, because its process has ended. End the turn, so
	 * that the other threads of the process can end too.
	 */
	if (thread->turn)
		lock_release(schedule, thread, thread->turn);
	threads_meet(schedule, thread->clock, 0);
	thread_end(schedule, thread);
	return 0;
}

static int heap_block(struct schedule *schedule, const struct thread *thread, uint64_t address,
		      uint64_t bytes, const uint64_t *sites)
{
	const struct schedule_config *config = &schedule->config;
	struct schedule_block block = {
		.address = address,
		.bytes = bytes,
		.time_ns = machine_time_ns(schedule->machine, thread->clock),
		.pid = thread->process->pid,
	};

	for (unsigned i = 0; sites && i < STREAM_SITES; i++)
		block.sites[i] = sites[i];
	schedule->statistics.blocks += sites != NULL;
	if (config->ops && config->ops->block)
		config->ops->block(config->opaque, &block);
	return 1;
}

static int frame(struct schedule *schedule, const struct thread *thread, const uint64_t *words)
{
	const struct schedule_config *config = &schedule->config;
	const struct schedule_frame reported = {
		.ip = words[0] & STREAM_ADDRESS,
		.cfa = words[1],
		.sp = words[2],
		.bp = words[3],
		.thread = thread->number,
		.pid = thread->process->pid,
	};

	if (config->ops && config->ops->frame)
		config->ops->frame(config->opaque, &reported);
	return 1;
}

static int exec(struct schedule *schedule, struct thread *thread, const uint64_t *words)
{
	struct text text = {{0}, 0};
	char name[STREAM_NAME_BYTES];

	phase_text(name, words + 1, STREAM_NAME_WORDS);
	if (words[0] & STREAM_ADDRESS)
		return program_next(schedule, thread, words[0] & STREAM_ADDRESS, name);
	text_add(&text, "process ");
	text_number(&text, thread->process->pid);
	text_add(&text, " executes ");
	text_add(&text, name);
	text_add(&text,
		 ", which runs natively and is not traced: it is linked statically or without "
		 "glibc, has the set-user-ID bit, was built with a sanitizer, is for another "
		 "machine, or too many programs were executed");
	if (schedule->statistics.untraced++ < UNTRACED_NAMED)
		notice(schedule, SCHEDULE_NOTICE_EXEC, text.bytes);
	thread->process->doubtful = true;
	return 1;
}

static int leave(struct schedule *schedule, struct thread *thread, uint64_t status)
{
	struct text text = {{0}, 0};
	int code = (int)status;

	thread->process->exited = true;
	/* The other threads of the process may have ended without writing a record. */
	thread->process->doubtful = true;
	/*
	 * The user gets the exit status of the first process as the result, so it needs no notice.
	 */
	if (code == 0 || thread->process == schedule->first)
		return 1;
	text_add(&text, "process ");
	text_number(&text, thread->process->pid);
	if (WIFSIGNALED(code)) {
		text_add(&text, " was ended by signal ");
		text_number(&text, (uint64_t)WTERMSIG(code));
	} else {
		text_add(&text, " has ended with status ");
		text_number(&text, (uint64_t)WEXITSTATUS(code));
	}
	notice(schedule, SCHEDULE_NOTICE_EXIT, text.bytes);
	return 1;
}

static int begin(struct schedule *schedule, struct thread *thread)
{
	int err;

	if (thread->began)
		return notice_protocol(schedule, thread, "begins twice");
	err = thread_begin(schedule, thread);
	if (err == -ENOSPC)
		notice_once(
			schedule, SCHEDULE_NOTICE_PROTOCOL,
			"more threads run at the same time than the nodes have processors for: 64 "
			"a node with --capture, 1024 in all; try more --nodes or fewer threads");
	alone_settle(schedule);
	return err < 0 ? err : 1;
}

static int barrier(struct schedule *schedule, struct thread *thread, uint64_t word,
		   uint64_t threads)
{
	if (threads == 0)
		return notice_protocol(schedule, thread, "arrives at a barrier for no thread");
	return barrier_arrive(schedule, thread, region_name(schedule, thread, word), threads);
}

static int rest(struct schedule *schedule, struct thread *thread)
{
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_AT_REST;
	list_push(&schedule->resting, thread);
	return 0;
}

static int chance(struct schedule *schedule, uint64_t kind)
{
	static const char *const whats[STREAM_CHANCE_COUNT] = {
		[STREAM_CHANCE_TRY] =
			"whether a lock or a semaphore is free, without waiting for it",
		[STREAM_CHANCE_TIME] = "whether a wait ends before its time is over",
		[STREAM_CHANCE_TASK] = "which thread executes which task",
		[STREAM_CHANCE_CHILD] = "which of its child processes ends first",
		[STREAM_CHANCE_ITERATION] =
			"when iterations that wait for other iterations continue",
		[STREAM_CHANCE_MEMORY] =
			"at which addresses threads get memory that they allocate at the same time",
	};
	struct text text = {{0}, 0};

	schedule->statistics.chances++;
	text_add(&text, "the program asks ");
	text_add(&text, kind < STREAM_CHANCE_COUNT ? whats[kind] : "data that only the host knows");
	text_add(&text, ": the host decides that, and another run may differ");
	notice_once(schedule, SCHEDULE_NOTICE_CHANCE, text.bytes);
	return 1;
}

static int acquire(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t how)
{
	bool shared = how & STREAM_SHARED;

	thread->turns++;
	thread->orders = how & STREAM_ORDER;
	thread->numbers = how & STREAM_ROLE;
	thread->loops = how & STREAM_LOOP;
	if (how & STREAM_TRY)
		return lock_try(schedule, thread, name, shared, how & STREAM_AGAIN);
	return lock_acquire(schedule, thread, name, shared, how & STREAM_TAKEN);
}

/* Replay a record of a condition or a semaphore. */
static int condition(struct schedule *schedule, struct thread *thread, enum stream_op op,
		     const uint64_t *words)
{
	uint64_t name = region_name(schedule, thread, words[0]);

	switch (op) {
	case STREAM_SLEEP:
		thread->turns++;
		return condition_sleep(schedule, thread, name,
				       region_name(schedule, thread, words[1]));
	case STREAM_SIGNAL:
		condition_signal(schedule, thread, name, words[1] & 1);
		return 1;
	case STREAM_SEMAPHORE:
		return semaphore_set(schedule, name, words[1], thread->clock);
	case STREAM_WAIT:
		thread->turns++;
		return semaphore_wait(schedule, thread, name, words[1], words[2]);
	case STREAM_POST:
		return semaphore_post(schedule, thread, name, words[1]);
	default:
		return notice_protocol(schedule, thread, "reports something unknown");
	}
}

/* Convert the result of a function that returns 0 or -errno to a result of control_replay(). */
static int done(int err)
{
	return err < 0 ? err : 1;
}

int control_replay(struct schedule *schedule, struct thread *thread, const uint64_t *words)
{
	uint64_t value = words[0] & STREAM_ADDRESS;
	enum stream_op op = words[0] >> STREAM_OP_SHIFT & STREAM_OP;

	if (!thread->began && op != STREAM_BEGIN)
		return notice_protocol(schedule, thread,
				       "does not start with the record of its beginning");
	thread->fresh = 0;
	thread->waking = false;
	if (op != STREAM_UNBLOCK && op != STREAM_PASS)
		thread->blocked = false;
	switch (op) {
	case STREAM_WORK:
		return work(schedule, thread, value);
	case STREAM_BEGIN:
		return begin(schedule, thread);
	case STREAM_END:
		return end(schedule, thread);
	case STREAM_CREATE:
		return create(schedule, thread, value, words[1]);
	case STREAM_JOIN:
		return join(schedule, thread, value);
	case STREAM_PHASE:
		return done(phase_begin(schedule, thread, words));
	case STREAM_REGION:
		return done(region_add(schedule, thread, value));
	case STREAM_COPY:
		return program_next(schedule, thread, value, NULL);
	case STREAM_UNMAP:
		return done(region_remove(schedule, thread, value));
	case STREAM_DISCARD:
		return done(region_discard(schedule, thread, value, words[1], words[2]));
	case STREAM_TOUCH:
		return done(region_touch(schedule, thread, value, words[1]));
	case STREAM_PLACE:
		return done(region_place(schedule, value, words[1], words[2]));
	case STREAM_BARRIER:
		return barrier(schedule, thread, words[0], words[1]);
	case STREAM_ACQUIRE:
		return acquire(schedule, thread, region_name(schedule, thread, words[0]), words[1]);
	case STREAM_SITE:
		thread->site = value;
		return 1;
	case STREAM_RELEASE:
		lock_release(schedule, thread, region_name(schedule, thread, words[0]));
		return 1;
	case STREAM_FUTEX:
		thread->futex = region_name(schedule, thread, words[0]);
		thread->futex_count = words[1];
		return 1;
	case STREAM_BLOCK:
		wait_block(schedule, thread);
		return 1;
	case STREAM_UNBLOCK:
		return wait_unblock(schedule, thread, value);
	case STREAM_PASS:
		wait_pass(schedule, thread, value);
		return 1;
	case STREAM_WAKE:
		wait_wake(schedule, thread, value);
		return 1;
	case STREAM_ALLOCATE:
		return heap_block(schedule, thread, value, words[1], thread->callers);
	case STREAM_CALLERS:
		memcpy(thread->callers, words + 1, sizeof(thread->callers));
		return 1;
	case STREAM_FREE:
		return heap_block(schedule, thread, value, 0, NULL);
	case STREAM_FRAME:
		return frame(schedule, thread, words);
	case STREAM_EXEC:
		return exec(schedule, thread, words);
	case STREAM_EXIT:
		return leave(schedule, thread, value);
	case STREAM_REST:
		return rest(schedule, thread);
	case STREAM_CHANCE:
		return chance(schedule, value);
	default:
		return condition(schedule, thread, op, words);
	}
}
