/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tests' reader: see reader.h. May use all of POSIX, and include/run.
 */
#include "tests/tracer/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGUMENTS 32
/* After this time a program is considered to hang. */
#define READER_SECONDS 300

static struct stream_channel *channels(const struct reader *r)
{
	return (struct stream_channel *)((char *)r->header + STREAM_CHANNELS_AT);
}

struct stream_region *reader_regions(const struct reader *r)
{
	return (struct stream_region *)((char *)r->header + STREAM_REGIONS_AT);
}

static struct reader_thread *thread_of(struct reader *r, unsigned int channel, uint32_t pid)
{
	struct reader_thread *t;
	unsigned int i;

	for (i = r->threads; i-- > 0;) {
		if (r->thread[i].channel == channel && r->thread[i].pid == pid &&
		    !r->thread[i].complete)
			return &r->thread[i];
	}
	if (r->threads == READER_CHANNELS)
		abort();
	t = &r->thread[r->threads++];
	t->channel = channel;
	t->pid = pid;
	return t;
}

/* Entries of regions are released as soon as their end is read. */
static void note(struct reader *r, uint64_t word)
{
	uint64_t index = word & STREAM_ADDRESS;

	switch (word >> STREAM_OP_SHIFT & STREAM_OP) {
	case STREAM_REGION:
		r->regions++;
		break;
	case STREAM_UNMAP:
		r->unmaps++;
		atomic_fetch_add(&reader_regions(r)[index].done, 1);
		break;
	}
}

static void note_all(struct reader *r, const uint64_t *words, uint64_t tail, uint64_t head)
{
	static const uint8_t sizes[STREAM_OP_COUNT] = STREAM_OP_WORDS;
	uint64_t word;

	while (tail < head) {
		word = words[tail & (STREAM_CHANNEL_WORDS - 1)];
		if ((word >> STREAM_KIND_SHIFT & STREAM_KIND) != STREAM_CONTROL) {
			tail++;
			continue;
		}
		note(r, word);
		tail += sizes[word >> STREAM_OP_SHIFT & STREAM_OP];
	}
}

static void take(struct reader *r, struct stream_channel *c, unsigned int index, uint64_t head)
{
	uint64_t *words = (uint64_t *)((char *)r->header + STREAM_WORDS_AT) +
			  (size_t)index * STREAM_CHANNEL_WORDS;
	uint64_t tail = atomic_load(&c->tail);
	struct reader_thread *t = thread_of(r, index, atomic_load(&c->pid));

	r->words += head - tail;
	note_all(r, words, tail, head);
	while (!r->discard && tail < head) {
		if (t->count == t->room) {
			t->room = t->room * 2 + 1024;
			t->words = realloc(t->words, t->room * sizeof(*t->words));
			if (!t->words)
				abort();
		}
		t->words[t->count++] = words[tail++ & (STREAM_CHANNEL_WORDS - 1)];
	}
	atomic_store(&c->tail, head);
	/* Pairs with the producer: it sets full, then looks at tail. */
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load(&c->full)) {
		atomic_store(&c->full, 0);
		syscall(SYS_futex, &c->full, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

/* Return: whether there were words to read. */
static bool drain(struct reader *r, bool dead)
{
	struct stream_channel *c = channels(r);
	uint32_t claimed = atomic_load(&r->header->claimed);
	bool any = false;
	uint32_t state;
	uint64_t head;
	unsigned int i;

	for (i = 0; i < STREAM_CHANNELS && claimed; i++, c++) {
		state = atomic_load(&c->state);
		if (state == STREAM_FREE_CHANNEL)
			continue;
		/* A thread that claims the channel meanwhile sets it to 0 once more. */
		if (r->gathers)
			atomic_store(&c->turn, INT32_MAX);
		head = atomic_load(dead ? &c->written : &c->head);
		if (head != atomic_load(&c->tail)) {
			take(r, c, i, head);
			any = true;
		}
		if (state == STREAM_ENDED) {
			thread_of(r, i, atomic_load(&c->pid))->complete = true;
			atomic_store(&c->state, STREAM_FREE_CHANNEL);
			any = true;
		}
	}
	return any;
}

/* Gather threads on the last processor on which this process may run. */
static void gather(struct stream_header *header)
{
	unsigned int last = 0;

	sched_getaffinity(0, sizeof(header->host), &header->host);
	for (unsigned int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &header->host))
			last = i;
	atomic_store(&header->gathered, STREAM_GATHERED(1, last + 1));
}

static int memory_make(struct reader *r)
{
	int fd = memfd_create("smile-trace", 0);

	if (fd < 0 || ftruncate(fd, (off_t)STREAM_BYTES) < 0)
		return -errno;
	r->header =
		mmap(NULL, STREAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (r->header == MAP_FAILED)
		return -errno;
	r->header->magic = r->spoil ? 0 : STREAM_MAGIC;
	r->header->version = STREAM_VERSION;
	r->header->bytes = STREAM_BYTES;
	atomic_store(&r->header->turns, r->turns || r->gathers);
	if (r->gathers)
		gather(r->header);
	atomic_store(&r->header->asleep, r->asleep);
	r->header->reader = (uint32_t)getpid();
	return fd;
}

/* In the child: create a process group, which ends with the test. */
static void child(struct reader *r, int fd, int errors, char *const argv[], pid_t parent)
{
	char plugin[4352], preload[4224];
	const char *line[ARGUMENTS] = {r->emulator, "-plugin", plugin};
	const struct rlimit no_core = {0, 0};
	unsigned int i, n = 3;

	snprintf(plugin, sizeof(plugin), "%s,fd=%d%s%s", r->plugin, fd, r->options ? "," : "",
		 r->options ? r->options : "");
	if (r->preload) {
		snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", r->preload);
		line[n++] = "-E";
		line[n++] = preload;
		line[n++] = "-E";
		line[n++] = "SMILE_TRACED=1";
	}
	for (i = 0; argv[i] && n < ARGUMENTS - 1; i++)
		line[n++] = argv[i];
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(126);
	personality(ADDR_NO_RANDOMIZE);
	setrlimit(RLIMIT_CORE, &no_core);
	dup2(errors, STDERR_FILENO);
	/* As `smile run` does: otherwise QEMU's children would wait for locks of glib's slices. */
	setenv("G_SLICE", "always-malloc", 1);
	execvp(line[0], (char **)line);
	_exit(126);
}

/* Is there a living process that may still write? */
static bool alive(const struct reader *r)
{
	struct stream_channel *c = channels(r);
	unsigned int i;

	for (i = 0; i < STREAM_CHANNELS; i++, c++) {
		if (atomic_load(&c->state) == STREAM_OPEN && !kill((pid_t)atomic_load(&c->pid), 0))
			return true;
	}
	return false;
}

/* Return: whether the program ended in time. */
static bool follow(struct reader *r, pid_t pid)
{
	time_t start = time(NULL);
	bool ended = false;

	while (!ended || atomic_load(&r->header->pids)) {
		if (!ended)
			ended = waitpid(pid, &r->status, WNOHANG) == pid;
		/* Killed processes have not removed themselves from the count. */
		if (ended && !alive(r))
			break;
		if (time(NULL) - start > READER_SECONDS)
			return false;
		if (r->pause_us)
			usleep(r->pause_us);
		if (r->stop_early && r->words > STREAM_CHANNEL_WORDS)
			atomic_store(&r->header->stop, 1);
		if (!r->header->stop && !drain(r, false))
			usleep(200);
	}
	if (!r->header->stop)
		drain(r, true);
	return true;
}

int reader_run(struct reader *r, char *const argv[])
{
	char name[] = "/tmp/smile-tracer-test-XXXXXX";
	int errors = mkstemp(name);
	int fd = memory_make(r);
	unsigned int i;
	pid_t parent = getpid(), pid;
	bool ended;
	ssize_t got;

	if (errors < 0 || fd < 0)
		return -EIO;
	unlink(name);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid)
		child(r, fd, errors, argv, parent);
	setpgid(pid, pid);
	ended = follow(r, pid);
	/* Kill its remaining processes, or all of them if it hangs. */
	kill(-pid, SIGKILL);
	if (!ended)
		waitpid(pid, &r->status, 0);
	r->ready = atomic_load(&r->header->ready);
	r->pids = atomic_load(&r->header->pids);
	r->refused = atomic_load(&r->header->refused);
	r->claimed = atomic_load(&r->header->claimed);
	r->untaken = atomic_load(&r->header->untaken);
	r->asleep = atomic_load(&r->header->asleep);
	for (i = 0; i < STREAM_REGIONS; i++)
		r->live += reader_regions(r)[i].end && !reader_regions(r)[i].gone;
	got = pread(errors, r->errors, sizeof(r->errors) - 1, 0);
	r->errors[got > 0 ? got : 0] = '\0';
	close(errors);
	close(fd);
	return ended ? 0 : -ETIMEDOUT;
}

void reader_free(struct reader *r)
{
	unsigned int i;

	for (i = 0; i < r->threads; i++)
		free(r->thread[i].words);
	if (r->header)
		munmap(r->header, STREAM_BYTES);
	memset(r, 0, sizeof(*r));
}
