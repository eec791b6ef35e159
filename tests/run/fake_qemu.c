/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that replaces QEMU: it writes the stream of a traced program, word by word. So every
 * count is known in advance, and `smile run` can be tested without a tracer.
 *
 * What lives here: the writer of a stream, and some programs. The first argument of the program on
 * the command line of `smile run` selects one of them. The program checks everything that `smile
 * run` passes to QEMU. May use include/run/stream.h.
 *
 * 	threads T R   T threads, R rounds between barriers: in each round, thread t writes 8 bytes
 * 	              to page t of the heap and reads 8 from page t + 1; then it takes a lock, and
 * 	              makes one lock access, one read and one write to page T
 * 	table T R     T threads, R rounds between barriers: in each round, each thread reads 8 times
 * 	              from each of TABLE_PAGES pages of the heap, each starting with another page
 * 	exit N        one access, then exit status N
 * 	signal N      one access, then death by signal N
 * 	sleep         one access, then waits for a signal
 * 	stubborn      the same, but SIGINT does not end it: it prints that it has received SIGINT
 * 	orphan        ends immediately and leaves a process, which makes an access and waits
 * 	untraced N    exit status N; nothing is written, as if the plug-in had not started
 * 	smothered N   the same, but death by signal N
 * 	randomized N  exit, and addresses may be random
 * 	halfway N     the plug-in has started; exit status N before the program starts
 * 	unmarked      the preload library has not started
 * 	liar PID      the same as stubborn, and a channel that claims to be of process PID
 * 	refused N     one access, and N threads that found no channel
 * 	names         one access, to memory with control characters in its name
 * 	nonsense      words that no tracer writes
 * 	arguments     prints its arguments and its environment
 */
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <run/stream.h>

#define HEAP 0x10000000ULL
#define PAGE 4096ULL
#define BARRIER 0x20000000ULL
#define LOCK 0x20000100ULL
#define THREADS_MAX 64U
#define TABLE_PAGES 32U

static struct stream_header *header;

static struct stream_channel *channels(void)
{
	return (struct stream_channel *)((char *)header + STREAM_CHANNELS_AT);
}

static struct stream_region *regions(void)
{
	return (struct stream_region *)((char *)header + STREAM_REGIONS_AT);
}

/**
 * struct writer - A thread of the traced program.
 */
struct writer {
	struct stream_channel *channel;
	uint64_t *words;
	uint64_t head;
	unsigned random;
};

static void wait_for_room(struct writer *writer, uint64_t words)
{
	struct stream_channel *channel = writer->channel;

	while (writer->head + words - atomic_load(&channel->tail) > STREAM_CHANNEL_WORDS) {
		if (atomic_load(&header->stop)) {
			atomic_store(&channel->tail, writer->head);
			return;
		}
		atomic_store(&channel->full, 1);
		if (writer->head + words - atomic_load(&channel->tail) > STREAM_CHANNEL_WORDS)
			syscall(SYS_futex, &channel->full, FUTEX_WAIT, 1, NULL, NULL, 0);
	}
}

static void put(struct writer *writer, const uint64_t *words, size_t count)
{
	wait_for_room(writer, count);
	for (size_t i = 0; i < count; i++)
		writer->words[writer->head++ % STREAM_CHANNEL_WORDS] = words[i];
	atomic_store_explicit(&writer->channel->written, writer->head, memory_order_relaxed);
	atomic_store_explicit(&writer->channel->head, writer->head, memory_order_release);
	/* The writer pauses at random, so that its timing differs in each run. */
	if (writer->random && rand_r(&writer->random) % 64 == 0)
		usleep(rand_r(&writer->random) % 300);
}

/* Write a control record. These records are counted separately, as in the tracer. */
static void put_control(struct writer *writer, const uint64_t *words, size_t count)
{
	atomic_fetch_add(&writer->channel->control, count);
	put(writer, words, count);
}

static void control(struct writer *writer, enum stream_op op, uint64_t value, uint64_t second,
		    uint64_t third)
{
	static const unsigned sizes[] = STREAM_OP_WORDS;
	uint64_t words[STREAM_SITES + 2] = {(uint64_t)op << STREAM_OP_SHIFT |
						    (uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT |
						    value,
					    second, third};

	put_control(writer, words, sizes[op]);
}

static void phase(struct writer *writer, const char *name)
{
	uint64_t words[1 + STREAM_NAME_WORDS] = {(uint64_t)STREAM_PHASE << STREAM_OP_SHIFT |
						 (uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT};

	strncpy((char *)(words + 1), name, STREAM_NAME_BYTES - 1);
	put_control(writer, words, 1 + STREAM_NAME_WORDS);
}

static void access_put(struct writer *writer, enum stream_kind kind, uint64_t address,
		       unsigned work)
{
	uint64_t word = address | (uint64_t)kind << STREAM_KIND_SHIFT | 3ULL << STREAM_SIZE_SHIFT |
			(uint64_t)work << STREAM_WORK_SHIFT;

	put(writer, &word, 1);
}

static void writer_begin(struct writer *writer, uint64_t key)
{
	for (unsigned i = 0; i < STREAM_CHANNELS; i++) {
		uint32_t free_channel = STREAM_FREE_CHANNEL;

		writer->channel = &channels()[i];
		if (!atomic_compare_exchange_strong(&writer->channel->state, &free_channel,
						    STREAM_OPEN))
			continue;
		atomic_store(&writer->channel->pid, (uint32_t)getpid());
		writer->words = (uint64_t *)((char *)header + STREAM_WORDS_AT) +
				(size_t)i * STREAM_CHANNEL_WORDS;
		writer->head = atomic_load(&writer->channel->head);
		atomic_fetch_add(&header->claimed, 1);
		control(writer, STREAM_BEGIN, (uint64_t)getpid(), key,
			(uint64_t)syscall(SYS_gettid));
		return;
	}
	abort();
}

static void writer_end(struct writer *writer)
{
	control(writer, STREAM_END, 0, 0, 0);
	atomic_store(&writer->channel->state, STREAM_ENDED);
}

static void region(struct writer *writer, uint64_t start, uint64_t end, unsigned kind,
		   const char *path)
{
	uint32_t index = atomic_fetch_add(&header->regions, 1);
	struct stream_region *made = &regions()[index];

	*made = (struct stream_region){
		.start = start, .end = end, .pid = (uint32_t)getpid(), .kind = kind};
	snprintf(made->path, sizeof(made->path), "%s", path);
	control(writer, STREAM_REGION, index, 0, 0);
}

/* ---- programs ------------------------------------------------------------------------------ */

static unsigned threads, rounds;

struct thread {
	unsigned number;
	struct writer writer;
};

static bool is_table;

static void table_read(struct thread *thread)
{
	struct writer *writer = &thread->writer;

	for (unsigned r = 0; r < rounds; r++) {
		for (unsigned i = 0; i < 8 * TABLE_PAGES; i++)
			access_put(writer, STREAM_READ,
				   HEAP + (thread->number + i) % TABLE_PAGES * PAGE +
					   16 * (i / TABLE_PAGES),
				   60);
		control(writer, STREAM_BARRIER, BARRIER, threads, 0);
	}
}

static void work(struct thread *thread)
{
	struct writer *writer = &thread->writer;
	uint64_t own = HEAP + thread->number * PAGE;
	uint64_t next = HEAP + (thread->number + 1) % threads * PAGE;
	uint64_t common = HEAP + threads * PAGE;

	for (unsigned r = 0; r < rounds; r++) {
		for (unsigned i = 0; i < 16; i++) {
			access_put(writer, STREAM_WRITE, own + 16 * i, 3 + thread->number);
			access_put(writer, STREAM_READ, next + 16 * i, 2);
		}
		control(writer, STREAM_ACQUIRE, LOCK, 0, 0);
		access_put(writer, STREAM_LOCK, common, 1);
		access_put(writer, STREAM_READ, common + 16, 1);
		access_put(writer, STREAM_WRITE, common + 16, 1);
		control(writer, STREAM_RELEASE, LOCK, 0, 0);
		control(writer, STREAM_BARRIER, BARRIER, threads, 0);
		if (!thread->number && r == rounds / 2)
			phase(writer, "second half");
		control(writer, STREAM_BARRIER, BARRIER, threads, 0);
	}
}

static void *thread_run(void *opaque)
{
	struct thread *thread = opaque;

	thread->writer.random = (unsigned)getpid() * 7 + thread->number;
	writer_begin(&thread->writer, thread->number);
	is_table ? table_read(thread) : work(thread);
	writer_end(&thread->writer);
	return NULL;
}

static void threads_run(struct writer *main_writer)
{
	static struct thread list[THREADS_MAX];
	pthread_t ids[THREADS_MAX];

	region(main_writer, HEAP, HEAP + 2 * PAGE, STREAM_REGION_HEAP, "");
	region(main_writer, HEAP + 2 * PAGE, HEAP + THREADS_MAX * PAGE, STREAM_REGION_HEAP, "");
	list[0].writer = *main_writer;
	list[0].writer.random = (unsigned)getpid();
	for (unsigned t = 1; t < threads; t++) {
		list[t].number = t;
		control(&list[0].writer, STREAM_CREATE, t, 0, 0);
		pthread_create(&ids[t], NULL, thread_run, &list[t]);
	}
	is_table ? table_read(&list[0]) : work(&list[0]);
	for (unsigned t = 1; t < threads; t++) {
		pthread_join(ids[t], NULL);
		control(&list[0].writer, STREAM_JOIN, t, 0, 0);
	}
	*main_writer = list[0].writer;
}

/* Open a channel for a process that does not belong to the program. */
static void lie(uint32_t pid)
{
	struct writer writer = {.channel = &channels()[900]};

	writer.words =
		(uint64_t *)((char *)header + STREAM_WORDS_AT) + 900UL * STREAM_CHANNEL_WORDS;
	atomic_store(&writer.channel->pid, pid);
	control(&writer, STREAM_BEGIN, pid, 0, 5);
	atomic_store(&writer.channel->state, STREAM_OPEN);
}

/* Handle a signal by printing that it has arrived. */
static void shrug(int number)
{
	static const char text[] = "interrupted\n";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(98);
}

static int program(struct writer *writer, int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "exit";
	int number = argc > 2 ? atoi(argv[2]) : 0;

	is_table = !strcmp(what, "table");
	if (is_table || !strcmp(what, "threads")) {
		threads = (unsigned)number;
		rounds = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
		threads_run(writer);
		return 0;
	}
	region(writer, HEAP, HEAP + 16 * PAGE, STREAM_REGION_HEAP, "");
	access_put(writer, STREAM_WRITE, HEAP + PAGE, 5);
	if (!strcmp(what, "liar"))
		lie((uint32_t)number);
	if (!strcmp(what, "refused"))
		atomic_store(&header->refused, (uint32_t)number);
	if (!strcmp(what, "names")) {
		region(writer, 2 * HEAP, 2 * HEAP + PAGE, STREAM_REGION_SHARED, "\033[31mRED\nX");
		access_put(writer, STREAM_WRITE, 2 * HEAP, 5);
	}
	if (!strcmp(what, "stubborn") || !strcmp(what, "liar"))
		signal(SIGINT, shrug);
	for (int i = 0; !strcmp(what, "trickle") && i < number; i++) {
		access_put(writer, STREAM_WRITE, HEAP + PAGE + 8UL * (unsigned)i, 5);
		usleep(20000);
	}
	if (!strcmp(what, "sleep") || !strcmp(what, "stubborn") || !strcmp(what, "liar") ||
	    !strcmp(what, "trickle")) {
		puts("sleeping");
		fflush(stdout);
		for (;;)
			pause();
	}
	if (!strcmp(what, "orphan")) {
		control(writer, STREAM_CREATE, 77, 1, 0);
		if (!fork()) {
			atomic_fetch_add(&header->pids, 1);
			writer_begin(writer, 77);
			access_put(writer, STREAM_WRITE, HEAP + 2 * PAGE, 5);
			sleep((unsigned)number);
			writer_end(writer);
			atomic_fetch_sub(&header->pids, 1);
			_exit(0);
		}
	}
	if (!strcmp(what, "nonsense")) {
		uint64_t word = (uint64_t)STREAM_OP_COUNT << STREAM_OP_SHIFT |
				(uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT;

		put(writer, &word, 1);
	}
	if (!strcmp(what, "signal")) {
		signal(number, SIG_DFL);
		raise(number);
	}
	writer_end(writer);
	return strcmp(what, "refused") ? number : 0;
}

/* ---- instead of QEMU ----------------------------------------------------------------------- */

static void fail(const char *what)
{
	fprintf(stderr, "fake qemu: %s\n", what);
	_exit(99);
}

int main(int argc, char **argv)
{
	struct writer writer = {0};
	const char *plugin = NULL, *fd = NULL, *files = NULL;
	char online[4096];
	const char *slices = getenv("G_SLICE");
	int i = 1, status;

	if (!slices || strcmp(slices, "always-malloc"))
		fail("glib's slices, which are not safe where a process forks");
	for (; i < argc && argv[i][0] == '-'; i += 2) {
		if (i + 1 == argc)
			fail("an option without its argument");
		if (!strcmp(argv[i], "-plugin"))
			plugin = argv[i + 1];
		else if (!strcmp(argv[i], "-E"))
			putenv(argv[i + 1]);
		else if (!strcmp(argv[i], "-U"))
			unsetenv(argv[i + 1]);
		else if (!strcmp(argv[i], "-L"))
			files = argv[i + 1];
		else if (strcmp(argv[i], "-0"))
			fail("an unknown option");
	}
	if (!files || access(files, X_OK))
		fail("no folder of the machine's files");
	if (i >= argc || access(argv[i], X_OK))
		fail("no program");
	if (plugin)
		fd = strstr(plugin, ",fd=");
	if (!fd)
		fail("no plug-in with a descriptor");
	if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE) &&
	    (i + 1 >= argc || strcmp(argv[i + 1], "randomized")))
		fail("addresses are random");
	if (!getenv("SMILE_TRACED") || !getenv("LD_PRELOAD"))
		fail("no SMILE_TRACED or LD_PRELOAD");
	argc -= i;
	argv += i;
	if (argc > 1 && !strcmp(argv[1], "arguments")) {
		for (i = 0; i < argc; i++)
			printf("[%s]\n", argv[i]);
		printf("LD_PRELOAD=%s\nplugin=%s\n", getenv("LD_PRELOAD"), plugin);
		fflush(stdout);
	}
	if (argc > 1 && !strcmp(argv[1], "untraced"))
		return argc > 2 ? atoi(argv[2]) : 0;
	if (argc > 1 && !strcmp(argv[1], "smothered"))
		raise(argc > 2 ? atoi(argv[2]) : SIGKILL);
	header = mmap(NULL, STREAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(fd + 4), 0);
	if (header == MAP_FAILED || header->magic != STREAM_MAGIC)
		fail("the memory was not prepared");
	if (argc > 1 && !strcmp(argv[1], "halfway")) {
		atomic_store(&header->ready, STREAM_LOADED);
		return argc > 2 ? atoi(argv[2]) : 0;
	}
	atomic_store(&header->pids, 1);
	atomic_store(&header->ready,
		     argc > 1 && !strcmp(argv[1], "unmarked") ? STREAM_UNMARKED : STREAM_MARKED);
	while (atomic_load(&header->hold))
		usleep(1000);
	/* `smile run` writes these files before it starts QEMU. */
	snprintf(online, sizeof(online), "%s/sys/devices/system/node/online", files);
	if (access(online, R_OK))
		fail("no files of the machine");
	writer_begin(&writer, 0);
	status = program(&writer, argc, argv);
	if (argc > 1 && (!strcmp(argv[1], "threads") || is_table))
		writer_end(&writer);
	atomic_fetch_sub(&header->pids, 1);
	return status;
}
