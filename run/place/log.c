/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The log for `smile sample`: large heap blocks with their callers, named regions, stacks and
 * phases. May use place.h, include/sample/log.h and the unwinder of libgcc.
 *
 * Finding the callers of a block takes one or two microseconds, so not all blocks are logged: see
 * SAMPLE_LOG_FIRST_BLOCKS. Blocks that are not logged are only counted.
 */
#include <fcntl.h>
#include <numaif.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <base/clock.h>
#include <base/preload_list.h>
#include <sample/log.h>

#include "run/place/place.h"

#define CALLER_SLOTS 4096U
/* The table of logged blocks that the program has not freed: at most 65536 blocks. */
#define LIVE_BUCKETS 8192U
#define LIVE_BUCKET_SLOTS 8U

_Static_assert(SAMPLE_LOG_LEAST_BYTES == PLACE_LARGE, "heap_blocks.c reports only larger ones");

bool log_on;

static struct sample_log_file *log_header;
static struct sample_log *log_memory;
/* The path of the log's file, which is /proc/PID/fd/N. */
static char log_path[64];
/* For each hash of a caller's address: the number of logged blocks with this hash. */
static _Atomic uint32_t caller_blocks[CALLER_SLOTS];
/*
 * The addresses of logged blocks that the program has not freed, in buckets by a hash of the
 * address; 0 marks an empty slot.
 */
static _Alignas(SAMPLE_LOG_LINE_BYTES) _Atomic uint64_t live[LIVE_BUCKETS][LIVE_BUCKET_SLOTS];
static _Thread_local uint64_t bytes_since;
static _Thread_local bool inside;

/**
 * struct walk - The callers of a block, during the search for them.
 *
 * @from: the return address in the first caller; the search skips the frames of this library, which
 *        come before it
 * @callers: the return addresses that were found; shape [@count]
 * @count: their number
 */
struct walk {
	uint64_t from;
	uint64_t callers[SAMPLE_LOG_CALLERS];
	unsigned count;
};

static uint64_t hash(uint64_t value, uint64_t slots)
{
	return (value >> 4) * 0x9e3779b97f4a7c15ULL >> 32 & (slots - 1);
}

/* ---- entries --------------------------------------------------------------------------------- */

/*
 * Reserve the next entry and set *@position to its position in the log. Return: NULL if the log is
 * full.
 */
static struct sample_log_entry *entry_begin(enum sample_log_kind kind, uint64_t *position)
{
	uint64_t head = atomic_load_explicit(&log_memory->head, memory_order_relaxed);
	struct sample_log_entry *entry;
	uint64_t now_ns;

	do {
		if (head - atomic_load_explicit(&log_memory->tail, memory_order_acquire) >=
		    SAMPLE_LOG_ENTRIES) {
			atomic_fetch_add_explicit(&log_memory->lost, 1, memory_order_relaxed);
			return NULL;
		}
	} while (!atomic_compare_exchange_weak(&log_memory->head, &head, head + 1));
	now_ns = clock_now_ns();
	entry = &log_memory->entries[head % SAMPLE_LOG_ENTRIES];
	entry->kind = kind;
	entry->time_ns = now_ns;
	*position = head;
	return entry;
}

static void entry_end(struct sample_log_entry *entry, uint64_t position)
{
	atomic_store_explicit(&entry->ready, position + 1, memory_order_release);
}

/* @length: the largest number of bytes of the name that are kept; see <smile/trace.h> */
static void entry_named(enum sample_log_kind kind, const char *name, int length, const void *start,
			size_t bytes)
{
	struct sample_log_entry *entry;
	uint64_t position;

	entry = entry_begin(kind, &position);
	if (!entry)
		return;
	entry->address = (uint64_t)(uintptr_t)start;
	entry->bytes = bytes;
	snprintf(entry->name, sizeof(entry->name), "%.*s", length, name);
	entry_end(entry, position);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static _Unwind_Reason_Code walk_one(struct _Unwind_Context *context, void *opaque)
{
	struct walk *walk = opaque;
	uint64_t ip = _Unwind_GetIP(context);

	if (!walk->count && ip != walk->from)
		return _URC_NO_REASON;
	walk->callers[walk->count++] = ip;
	return walk->count < SAMPLE_LOG_CALLERS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Decide whether to log a block of this size that @caller allocates. */
static bool is_wanted(uint64_t caller, size_t bytes)
{
	_Atomic uint32_t *blocks = &caller_blocks[hash(caller, CALLER_SLOTS)];

	bytes_since += bytes;
	if (bytes < SAMPLE_LOG_ALWAYS_BYTES && bytes_since < SAMPLE_LOG_EACH_BYTES &&
	    atomic_load_explicit(blocks, memory_order_relaxed) >= SAMPLE_LOG_FIRST_BLOCKS)
		return false;
	atomic_fetch_add_explicit(blocks, 1, memory_order_relaxed);
	bytes_since = 0;
	return true;
}

/* Replace @from by @to in the bucket of an address. Return: whether @from was in the bucket. */
static bool live_change(uint64_t address, uint64_t from, uint64_t to)
{
	_Atomic uint64_t *slots = live[hash(address, LIVE_BUCKETS)];

	for (unsigned i = 0; i < LIVE_BUCKET_SLOTS; i++) {
		uint64_t there = from;

		if (atomic_load_explicit(&slots[i], memory_order_relaxed) == from &&
		    atomic_compare_exchange_strong(&slots[i], &there, to))
			return true;
	}
	return false;
}

static void skip(void)
{
	uint64_t at = hash((uint64_t)(uintptr_t)&bytes_since, SAMPLE_LOG_COUNTERS);

	atomic_fetch_add_explicit(&log_memory->skipped[at].count, 1, memory_order_relaxed);
}

void log_block(const void *caller, const void *block, size_t bytes)
{
	struct walk walk = {.from = (uint64_t)(uintptr_t)caller};
	uint64_t address = (uint64_t)(uintptr_t)block, position;
	struct sample_log_entry *entry;

	/* The unwinder may itself allocate a block, which must not be logged. */
	if (inside)
		return;
	/*
	 * If a block is logged, the log must also contain the release of the block. So a block is
	 * logged only if the table has room for its address.
	 */
	if (!is_wanted(walk.from, bytes) || !live_change(address, 0, address)) {
		skip();
		return;
	}
	inside = true;
	_Unwind_Backtrace(walk_one, &walk);
	inside = false;
	if (!walk.count)
		walk.callers[0] = walk.from;
	entry = entry_begin(SAMPLE_LOG_BLOCK, &position);
	if (!entry)
		return;
	entry->address = address;
	entry->bytes = bytes;
	memcpy(entry->callers, walk.callers, sizeof(entry->callers));
	entry_end(entry, position);
}

void log_free(const void *block)
{
	uint64_t address = (uint64_t)(uintptr_t)block, position;
	struct sample_log_entry *entry;

	if (!live_change(address, address, 0))
		return;
	entry = entry_begin(SAMPLE_LOG_FREED, &position);
	if (!entry)
		return;
	entry->address = address;
	entry_end(entry, position);
}

/* ---- names ----------------------------------------------------------------------------------- */

void log_region(const char *name, const void *start, size_t bytes)
{
	entry_named(SAMPLE_LOG_REGION, name, 23, start, bytes);
}

/*
 * Give shared memory a policy that lets the kernel scan it. Without such a policy, the kernel does
 * not scan memory that may be shared.
 *
 * The policy binds the memory to all nodes that the process may use. By default the kernel would
 * allocate it on one of these nodes as well. If the process already has a policy of its own, this
 * function does not change this policy. Kernels before Linux 5.12 refuse the policy, so `smile
 * sample` gets no samples of such memory there.
 */
void log_scan(void *start, size_t bytes)
{
	unsigned long nodes[PLAN_NODES_MAX / (8 * sizeof(unsigned long))] = {0};
	int mode;

	if (!log_header->scan || get_mempolicy(&mode, NULL, 0, NULL, 0) || mode != MPOL_DEFAULT ||
	    get_mempolicy(NULL, nodes, PLAN_NODES_MAX, NULL, MPOL_F_MEMS_ALLOWED))
		return;
	if (!mbind(start, bytes, MPOL_BIND | MPOL_F_NUMA_BALANCING, nodes, PLAN_NODES_MAX + 1, 0))
		atomic_fetch_add(&log_memory->scanned_bytes, bytes);
}

bool log_scans(void)
{
	return log_on && log_header->scan;
}

void log_unscanned(unsigned node)
{
	atomic_fetch_or(&log_memory->unscanned_nodes, 1ULL << node);
}

/*
 * The kernel names only the first thread's stack in its list of mappings. It does not mark the
 * stacks of other threads, so each thread logs its own stack.
 */
void log_stack(void)
{
	pthread_attr_t attributes;
	size_t bytes;
	void *start;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return;
	if (!pthread_attr_getstack(&attributes, &start, &bytes))
		entry_named(SAMPLE_LOG_STACK, "", 0, start, bytes);
	pthread_attr_destroy(&attributes);
}

void log_phase(const char *name)
{
	entry_named(SAMPLE_LOG_PHASE, name, 39, NULL, 0);
}

/* ---- start ----------------------------------------------------------------------------------- */

static void *part_map(int fd, size_t bytes, long at)
{
	long address = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);

	return address == -1 ? NULL : (void *)address;
}

/*
 * Get the id of this process in the namespace of the process that owns the file. getpid() gives the
 * id in the process's own namespace, which can differ. But /proc belongs to the owner's namespace,
 * so the link /proc/self contains the id in the owner's namespace.
 */
static uint32_t own_number(void)
{
	char text[16] = "";

	return readlink("/proc/self", text, sizeof(text) - 1) > 0 ? (uint32_t)atol(text)
								  : (uint32_t)getpid();
}

/*
 * Get the index of this process's log in the file, and reserve a log if it has none. Return:
 * SAMPLE_LOG_PROCESSES if no log is free.
 */
static unsigned index_take(void)
{
	const uint32_t own = own_number();
	unsigned i;

	for (i = 0; i < SAMPLE_LOG_PROCESSES; i++)
		if (atomic_load(&log_header->process[i]) == own)
			return i;
	for (i = 0; i < SAMPLE_LOG_PROCESSES && log_header->children; i++) {
		uint32_t nobody = 0;

		if (atomic_compare_exchange_strong(&log_header->process[i], &nobody, own))
			return i;
	}
	return SAMPLE_LOG_PROCESSES;
}

/* Map the log of this process, and first the header if it is not mapped yet. */
static bool log_map(void)
{
	int fd = open(log_path, O_RDWR | O_CLOEXEC);
	unsigned index = SAMPLE_LOG_PROCESSES;
	struct stat status;

	log_memory = NULL;
	if (fd < 0)
		return false;
	if (!log_header && fstat(fd, &status) == 0 &&
	    status.st_size == (off_t)SAMPLE_LOG_FILE_BYTES)
		log_header = part_map(fd, sizeof(*log_header), 0);
	if (log_header && log_header->magic == SAMPLE_LOG_MAGIC &&
	    log_header->bytes == SAMPLE_LOG_FILE_BYTES)
		index = index_take();
	if (index < SAMPLE_LOG_PROCESSES)
		log_memory = part_map(fd, sizeof(*log_memory), SAMPLE_LOG_AT(index));
	close(fd);
	return log_memory != NULL;
}

static void log_empty(void)
{
	log_memory->threads = 0;
	log_memory->unbound = 0;
	log_memory->scanned_bytes = 0;
	log_memory->unscanned_nodes = 0;
}

void log_start(void)
{
	const char *value = secure_getenv(SAMPLE_LOG_VARIABLE);
	const char *path = value ? strchr(value, ':') : NULL;

	if (!path)
		return;
	if (atol(value) && atol(value) != getpid()) {
		preload_list_leave(&log_on, SAMPLE_LOG_VARIABLE);
		return;
	}
	snprintf(log_path, sizeof(log_path), "%s", path + 1);
	log_on = log_map();
	if (!log_on)
		return;
	log_empty();
	entry_named(SAMPLE_LOG_PROGRAM, "", 0, NULL, 0);
}

/*
 * The child does not log its parent's blocks again, because the reader already knows them from the
 * parent's log.
 */
bool log_forked(void)
{
	if (!log_on)
		return false;
	syscall(SYS_munmap, log_memory, sizeof(*log_memory));
	log_on = log_header->children && log_map();
	if (log_on)
		log_empty();
	return log_on;
}

void log_bind(void)
{
	bind_start(&(struct bind_request){
		.node = log_header->node,
		.nodes = log_header->nodes,
		.threads = &log_memory->threads,
		.unbound = &log_memory->unbound,
	});
}
