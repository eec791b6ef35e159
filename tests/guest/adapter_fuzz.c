/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A test of the isolation between the sessions of an adapter: random calls, and the memory that
 * they reach.
 *
 * 	adapter_fuzz ROUNDS [NODE]
 *
 * Processes create, export, withdraw and remove segments, connect to segments of this node and of
 * NODE, map, transfer, and are killed at random. The threads of each process do the same at the
 * same time. Each page of a segment contains the segment's name: node, id, page. A session that
 * reads through a connection must find the name of the connected segment, all ones, or the zeros of
 * a new segment. The processes write only such names. A wrong name in a segment, or any name in a
 * segment that was never exported, shows that a session has reached memory of another. The program
 * prints the first such page.
 *
 * What lives here: the worker processes and their checks. May use: <uapi/smile_adapter.h>,
 * <hw/adapter_regs.h>, POSIX.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hw/adapter_regs.h>
#include <uapi/smile_adapter.h>

#define DEVICE "/dev/smile_adapter0"
#define PAGES 64U
#define PAGE ADAPTER_PAGE_BYTES
#define BYTES ((size_t)PAGES * PAGE)
#define WORKERS 3U
#define THREADS 2U /* and one thread, which guesses handles */
#define IDS 4U /* the segment ids that the processes of a node share */
#define STEPS 24U
#define TRIES 12000 /* wait of 10 ms each, until memory is free */

/* The first word of a page: the name of its segment. Only the owner writes it. */
#define PATTERN(node, id, page) (0xa5000000U | (node) << 16 | (id) << 8 | (page))
#define PATTERN_IS(word) (((word)&0xff000000U) == 0xa5000000U)
/* The second word: a session that has connected to the segment writes it. */
#define VISIT(node, id) (0x5a000000U | (node) << 16 | (id) << 8)

/* struct worker - A session of a process. The threads of the process share it. */
struct worker {
	int file;
	uint32_t node; /* this node */
	uint32_t other;
	uint64_t random[THREADS + 1];
	_Atomic uint32_t at_work; /* number of running threads */
	_Atomic uint32_t remote; /* handle of a connection that another thread may release */
};

/* State that all processes share. */
static struct shared {
	_Atomic uint32_t bad;
	_Atomic uint32_t connected;
	_Atomic uint32_t moved;
} * shared;

static uint32_t number(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(*state >> 33) % below;
}

static void bad(const char *what, uint32_t found, uint32_t expected)
{
	if (!atomic_fetch_add(&shared->bad, 1))
		printf("not ok %s: %08x instead of %08x\n", what, found, expected);
}

static void *map(int file, unsigned int kind, uint32_t handle, int protection)
{
	void *at = mmap(NULL, BYTES, protection, MAP_SHARED, file,
			(off_t)SMILE_ADAPTER_MMAP(kind, handle));

	return at == MAP_FAILED ? NULL : at;
}

/*
 * A page of a segment contains its name, zeros (before its owner has written it) or ones (after the
 * connection has ended). Even if another process uses the id now, the name is the same.
 */
static void judge(const volatile uint32_t *at, uint32_t node, uint32_t id, const char *what)
{
	uint32_t page, word;

	for (page = 0; page < PAGES; page++) {
		word = at[page * PAGE / 4];
		if (word && word != UINT32_MAX && word != PATTERN(node, id, page))
			bad(what, word, PATTERN(node, id, page));
	}
}

/*
 * Create a segment with an id, let other sessions connect for some time, and remove it in one of
 * several ways.
 */
static void own_segment(struct worker *worker, uint64_t *state)
{
	struct smile_adapter_segment segment = {.id = 1 + number(state, IDS), .bytes = BYTES};
	struct smile_adapter_state set = {.state = SMILE_ADAPTER_AVAILABLE};
	struct smile_adapter_handle handle = {0};
	volatile uint32_t *at;
	uint32_t page, word;

	if (ioctl(worker->file, SMILE_ADAPTER_SEGMENT_CREATE, &segment))
		return;
	at = map(worker->file, SMILE_ADAPTER_MMAP_SEGMENT, segment.handle, PROT_READ | PROT_WRITE);
	if (!at)
		return;
	for (page = 0; page < PAGES; page++) {
		word = at[page * PAGE / 4] | at[page * PAGE / 4 + 1];
		if (word)
			bad("a new segment is zeros", word, 0);
	}
	/* The segment is not yet exported, so no other session may write to it. */
	usleep(number(state, 500));
	for (page = 0; page < PAGES; page++) {
		if (at[page * PAGE / 4 + 1])
			bad("a segment that was never exported", at[page * PAGE / 4 + 1], 0);
		at[page * PAGE / 4] = PATTERN(worker->node, segment.id, page);
	}
	set.handle = segment.handle;
	handle.handle = segment.handle;
	ioctl(worker->file, SMILE_ADAPTER_SEGMENT_STATE, &set);
	usleep(number(state, 8000));
	judge(at, worker->node, segment.id, "an own segment");
	for (page = 0; page < PAGES; page++) {
		word = at[page * PAGE / 4 + 1];
		if (word && (word & 0xff00ff00U) != VISIT(0U, segment.id))
			bad("a visit to another segment", word, VISIT(0U, segment.id));
	}
	set.state = number(state, 2) ? SMILE_ADAPTER_DISCONNECT : SMILE_ADAPTER_NOTIFY;
	if (number(state, 2))
		ioctl(worker->file, SMILE_ADAPTER_SEGMENT_STATE, &set);
	ioctl(worker->file, SMILE_ADAPTER_SEGMENT_REMOVE, &handle);
	munmap((void *)at, BYTES);
}

static void visit(struct worker *worker, uint64_t *state, uint32_t handle, uint32_t node,
		  uint32_t id)
{
	volatile uint32_t *at =
		map(worker->file, SMILE_ADAPTER_MMAP_REMOTE, handle, PROT_READ | PROT_WRITE);
	uint32_t page, i;

	if (!at)
		return;
	for (i = 0; i < 4; i++) {
		judge(at, node, id, "a connected segment");
		page = number(state, PAGES);
		at[page * PAGE / 4 + 1] = VISIT(worker->node, id);
	}
	munmap((void *)at, BYTES);
}

/* Transfer pages to the connection. The source contains the name of the connected segment. */
static void transfer(struct worker *worker, uint64_t *state, uint32_t handle, uint32_t node,
		     uint32_t id)
{
	struct smile_adapter_segment segment = {.bytes = BYTES,
						.flags = SMILE_ADAPTER_SEGMENT_AUTO_ID};
	struct smile_adapter_handle remove = {0};
	struct smile_adapter_dma dma = {.remote = handle, .bytes = BYTES};
	volatile uint32_t *at;
	uint32_t page;

	if (ioctl(worker->file, SMILE_ADAPTER_SEGMENT_CREATE, &segment))
		return;
	at = map(worker->file, SMILE_ADAPTER_MMAP_SEGMENT, segment.handle, PROT_READ | PROT_WRITE);
	for (page = 0; at && page < PAGES; page++) {
		at[page * PAGE / 4] = PATTERN(node, id, page);
		at[page * PAGE / 4 + 1] = VISIT(worker->node, id);
	}
	dma.segment = segment.handle;
	dma.flags = number(state, 2) ? SMILE_ADAPTER_DMA_READ : 0;
	if (at && !ioctl(worker->file, SMILE_ADAPTER_DMA, &dma)) {
		atomic_fetch_add(&shared->moved, 1);
		judge(at, node, id, "what was moved");
	}
	remove.handle = segment.handle;
	ioctl(worker->file, SMILE_ADAPTER_SEGMENT_REMOVE, &remove);
	if (at)
		munmap((void *)at, BYTES);
}

/*
 * Connect, and share the connection with all threads. If there is a connection, use or release it.
 */
static void connection(struct worker *worker, uint64_t *state)
{
	struct smile_adapter_connect connect = {.node = number(state, 2) ? worker->node
									 : worker->other,
						.id = 1 + number(state, IDS)};
	struct smile_adapter_handle handle = {0};

	if (ioctl(worker->file, SMILE_ADAPTER_CONNECT, &connect))
		return;
	atomic_fetch_add(&shared->connected, 1);
	atomic_store(&worker->remote, connect.handle);
	if (number(state, 2))
		visit(worker, state, connect.handle, connect.node, connect.id);
	else
		transfer(worker, state, connect.handle, connect.node, connect.id);
	handle.handle = connect.handle;
	if (number(state, 4))
		ioctl(worker->file, SMILE_ADAPTER_RELEASE, &handle);
}

/* Calls with invalid arguments must fail, and have no effect. */
static void nonsense(struct worker *worker, uint64_t *state)
{
	unsigned long command = _IOC(number(state, 4), SMILE_ADAPTER_IOC_TYPE, number(state, 256),
				     number(state, 256));
	uint8_t arguments[256];
	uint32_t i;

	for (i = 0; i < sizeof(arguments); i++)
		arguments[i] = (uint8_t)number(state, 4);
	/*
	 * Handles of other sessions are invalid in this one. The changed bits exclude this
	 * session's handles.
	 */
	for (i = 0; i < 4; i++)
		arguments[3 + 4 * i] |= 0x10;
	ioctl(worker->file, command, arguments);
}

/*
 * Guess the handles of connections that another thread creates or uses, release them, and connect
 * immediately. The new connection may have the handle and the memory of the released one, but must
 * not reach the old pages.
 */
static void *guess_main(void *argument)
{
	struct worker *worker = argument;
	uint64_t *state = &worker->random[THREADS];
	struct smile_adapter_handle handle = {0};

	while (atomic_load(&worker->at_work)) {
		handle.handle = atomic_load(&worker->remote) + number(state, 3);
		if (!ioctl(worker->file, SMILE_ADAPTER_RELEASE, &handle))
			connection(worker, state);
		if (!number(state, 64))
			usleep(200);
	}
	return NULL;
}

struct thread {
	struct worker *worker;
	uint32_t index;
};

static void *thread_main(void *argument)
{
	const struct thread *thread = argument;
	uint64_t *state = &thread->worker->random[thread->index];
	const struct sched_param parameters = {0};
	uint32_t step;

	/*
	 * Use a low priority, so that other threads run between the steps of this thread in the
	 * driver.
	 */
	if (number(state, 2))
		sched_setscheduler(0, SCHED_IDLE, &parameters);
	for (step = 0; step < STEPS; step++) {
		switch (number(state, 5)) {
		case 0:
		case 1:
			own_segment(thread->worker, state);
			break;
		case 2:
		case 3:
			connection(thread->worker, state);
			break;
		default:
			nonsense(thread->worker, state);
			break;
		}
	}
	atomic_fetch_sub(&thread->worker->at_work, 1);
	return NULL;
}

static void worker_main(uint32_t seed, uint32_t node, uint32_t other)
{
	struct worker worker = {.node = node, .other = other, .at_work = THREADS};
	struct thread threads[THREADS];
	pthread_t ids[THREADS + 1];
	uint32_t i;

	worker.file = open(DEVICE, O_RDWR);
	if (worker.file < 0)
		_exit(1);
	for (i = 0; i < THREADS; i++) {
		worker.random[i] = ((uint64_t)seed << 8) + i;
		threads[i] = (struct thread){&worker, i};
		if (pthread_create(&ids[i], NULL, thread_main, &threads[i]))
			_exit(1);
	}
	worker.random[THREADS] = ((uint64_t)seed << 8) + THREADS;
	if (pthread_create(&ids[THREADS], NULL, guess_main, &worker))
		_exit(1);
	for (i = 0; i <= THREADS; i++)
		pthread_join(ids[i], NULL);
	_exit(0);
}

/* Run one round of processes, and kill some of them during the round. */
static void round_of(uint32_t number_of, uint32_t node, uint32_t other)
{
	uint64_t state = number_of;
	pid_t process[WORKERS];
	uint32_t i;
	int status;

	for (i = 0; i < WORKERS; i++) {
		process[i] = fork();
		if (!process[i])
			worker_main(number_of * WORKERS + i, node, other);
	}
	usleep(number(&state, 200000));
	kill(process[number(&state, WORKERS)], SIGKILL);
	for (i = 0; i < WORKERS; i++) {
		waitpid(process[i], &status, 0);
		if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
			bad("a process has died", (uint32_t)WTERMSIG(status), 0);
	}
}

int main(int argc, char **argv)
{
	uint32_t rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : 1, other, i, tries;
	int file = open(DEVICE, O_RDWR);
	struct smile_adapter_info info;
	uint64_t before;

	setvbuf(stdout, NULL, _IOLBF, 0);
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (file < 0 || shared == MAP_FAILED || ioctl(file, SMILE_ADAPTER_INFO, &info)) {
		perror(DEVICE);
		return 1;
	}
	other = argc > 2 ? (uint32_t)atoi(argv[2]) : info.node;
	for (i = 0; i < rounds && !atomic_load(&shared->bad); i++)
		round_of(i, info.node, other);
	before = info.memory_free;
	for (tries = 0; tries < TRIES; tries++) {
		if (ioctl(file, SMILE_ADAPTER_INFO, &info) || info.memory_free == before)
			break;
		usleep(10000);
	}
	printf("%u rounds, %u connections, %u transfers\n", i, atomic_load(&shared->connected),
	       atomic_load(&shared->moved));
	if (atomic_load(&shared->bad) || !atomic_load(&shared->connected))
		return 1;
	printf("ok no page was reached that was not exported to its session\n");
	if (info.memory_free != before) {
		printf("not ok %llu of %llu bytes are free again\n",
		       (unsigned long long)info.memory_free, (unsigned long long)before);
		return 1;
	}
	printf("ok all memory is free again\n");
	return 0;
}
