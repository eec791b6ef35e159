/* SPDX-License-Identifier: MIT */
/*
 * Map: maps segments, checks sequences of accesses for errors, and copies memory.
 *
 * When an instruction that stores to a mapping ends, the store has already changed the memory of
 * the other node. For this reason, flushes and barriers need only prevent the compiler and the
 * processor from reordering accesses.
 */
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "lib/sisci/sisci.h"

#define MAP_HINTS                                                                                  \
	(SCI_FLAG_IO_MAP_IOSPACE | SCI_FLAG_NO_MEMORY_LOOPBACK_MAP |                               \
	 SCI_FLAG_READ_PREFETCH_AGGR_HOLD_MAP | SCI_FLAG_READ_PREFETCH_NO_HOLD_MAP |               \
	 SCI_FLAG_DMOVE_MAP | SCI_FLAG_WRITES_DISABLE_GATHER_MAP |                                 \
	 SCI_FLAG_DISABLE_128_BYTES_PACKETS | SCI_FLAG_WRITE_BACK_CACHE_MAP)
#define MAP_UNSUPPORTED                                                                            \
	(SCI_FLAG_BROADCAST | SCI_FLAG_CONDITIONAL_INTERRUPT_MAP |                                 \
	 SCI_FLAG_UNCONDITIONAL_DATA_INTERRUPT_MAP)

/* ---- mappings ---- */

/* A request to map @bytes bytes, beginning at @offset. */
struct wanted {
	struct object *segment;
	struct sci_remote_segment *remote; /* the segment, if it is a remote segment */
	unsigned int node; /* node of the memory */
	unsigned int kind; /* SMILE_ADAPTER_MMAP_* */
	size_t segment_bytes;
	size_t offset;
	size_t bytes;
	void *address;
	unsigned int flags;
};

/* Map the whole pages that contain the range. Return: 0 or an errno. */
static int map_pages(struct sci_map *map, const struct wanted *wanted)
{
	size_t within = wanted->offset % PAGE_BYTES;
	off_t first = (off_t)(SMILE_ADAPTER_MMAP(wanted->kind, wanted->segment->handle) +
			      wanted->offset - within);
	int protection = wanted->flags & SCI_FLAG_READONLY_MAP ? PROT_READ : PROT_READ | PROT_WRITE;
	int how = MAP_SHARED;
	uint8_t *at = NULL;
	void *pages;

	if (wanted->flags & SCI_FLAG_FIXED_MAP_ADDR) {
		at = (uint8_t *)wanted->address - within;
		how |= MAP_FIXED_NOREPLACE;
	}
	map->pages_bytes = (within + wanted->bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	pages = mmap(at, map->pages_bytes, protection, how, wanted->segment->sd->file, first);
	if (pages == MAP_FAILED)
		return errno;
	if (at && pages != at) {
		munmap(pages, map->pages_bytes);
		return EEXIST;
	}
	map->pages = pages;
	map->at = (uint8_t *)pages + within;
	map->offset = wanted->offset;
	map->bytes = wanted->bytes;
	return 0;
}

/*
 * Create a mapping, and add it to the list of objects. The caller must have the lock. Return: the
 * mapping; NULL after an error, with *error set.
 */
static struct sci_map *map_new(const struct wanted *wanted, sci_error_t *error)
{
	struct sci_map *map;
	int ret;

	if (!wanted->bytes || wanted->bytes > wanted->segment_bytes ||
	    wanted->offset > wanted->segment_bytes - wanted->bytes) {
		sisci_fail(error, SCI_ERR_OUT_OF_RANGE);
		return NULL;
	}
	map = sisci_new(sizeof(*map), KIND_MAP, wanted->segment->sd, error);
	if (!map)
		return NULL;
	ret = map_pages(map, wanted);
	if (ret) {
		sisci_fail(error, ret == EEXIST ? SCI_ERR_ILLEGAL_ADDRESS
						: sisci_error(ret, SCI_ERR_NO_SUCH_SEGMENT));
		free(map);
		return NULL;
	}
	map->segment = wanted->segment;
	map->remote = wanted->remote;
	map->node = wanted->node;
	map->segment->users++;
	map->segment->maps++;
	sisci_add(map, 0);
	return map;
}

/*
 * Implement the functions of the API that map a segment. The caller must call sisci_get() for the
 * segment before, and sisci_put() after it.
 */
static volatile void *map_segment(sci_map_t *map, const struct wanted *wanted, unsigned int allowed,
				  sci_error_t *error)
{
	struct sci_map *made;
	volatile void *at;

	allowed |= SCI_FLAG_FIXED_MAP_ADDR | SCI_FLAG_READONLY_MAP | MAP_HINTS;
	if (!sisci_flags(wanted->flags, allowed, MAP_UNSUPPORTED, error))
		return NULL;
	sisci_enter();
	made = map_new(wanted, error);
	at = made ? made->at : NULL;
	*map = made;
	sisci_leave();
	return at;
}

void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size,
			 void *addr, unsigned int flags, sci_error_t *error)
{
	struct sci_local_segment *local = SISCI_BEGIN(map, segment, KIND_SEGMENT, error);
	volatile void *at;

	if (!local)
		return NULL;
	at = map_segment(map,
			 &(struct wanted){.segment = &local->object,
					  .node = local->object.sd->node,
					  .kind = SMILE_ADAPTER_MMAP_SEGMENT,
					  .segment_bytes = local->empty ? 0 : local->bytes,
					  .offset = offset,
					  .bytes = size,
					  .address = addr,
					  .flags = flags},
			 0, error);
	sisci_put(local);
	return (void *)(uintptr_t)at;
}

volatile void *SCIMapRemoteSegment(sci_remote_segment_t segment, sci_map_t *map, size_t offset,
				   size_t size, void *addr, unsigned int flags, sci_error_t *error)
{
	struct sci_remote_segment *remote = SISCI_BEGIN(map, segment, KIND_REMOTE, error);
	volatile void *at;

	if (!remote)
		return NULL;
	at = map_segment(map,
			 &(struct wanted){.segment = &remote->object,
					  .remote = remote,
					  .node = remote->node,
					  .kind = flags & SCI_FLAG_LOCK_OPERATION
							  ? SMILE_ADAPTER_MMAP_LOCK
							  : SMILE_ADAPTER_MMAP_REMOTE,
					  .segment_bytes = remote->bytes,
					  .offset = offset,
					  .bytes = size,
					  .address = addr,
					  .flags = flags},
			 SCI_FLAG_LOCK_OPERATION, error);
	sisci_put(remote);
	return at;
}

void sisci_map_end(struct sci_map *map)
{
	munmap(map->pages, map->pages_bytes);
	map->segment->maps--;
	sisci_put_locked(map->segment);
	sisci_remove(map);
}

void SCIUnmapSegment(sci_map_t map, unsigned int flags, sci_error_t *error)
{
	sisci_end(map, KIND_MAP, flags, 0, error);
}

volatile void *SCIGetMapPointer(sci_map_t map)
{
	struct sci_map *used = sisci_get(map, KIND_MAP, NULL);
	volatile void *at = used ? used->at : NULL;

	sisci_put(used);
	return at;
}

void SCICacheSync(sci_map_t map, void *address, size_t size, unsigned int flags, sci_error_t *error)
{
	(void)map;
	(void)address;
	(void)size;
	sisci_ok(error);
	sisci_flags(flags, SCI_FLAG_CACHE_FLUSH | SCI_FLAG_CACHE_INVALIDATE, 0, error);
	atomic_thread_fence(memory_order_seq_cst);
}

/* ---- sequences ---- */

/* Read a word of the adapter's state page. */
static uint32_t state_of(const struct sci_map *map, uint32_t offset)
{
	return map->object.sd->state[(offset - ADAPTER_STATE_PAGE) / 4];
}

static uint32_t errors_of_node(const struct sci_map *map, unsigned int node)
{
	return state_of(map, ADAPTER_REG_ERRORS + node * ADAPTER_STRIDE_ERRORS);
}

static uint32_t errors_of(const struct sci_map *map)
{
	return errors_of_node(map, map->node);
}

/*
 * Get this node's own error count. It includes accesses to lost segments: the driver clears the
 * address translation of a lost segment, and the adapter counts errors of accesses without a
 * translation for its own node.
 */
static uint32_t own_errors_of(const struct sci_map *map)
{
	return errors_of_node(map, map->object.sd->node);
}

static bool answers(const struct sci_map *map)
{
	uint32_t word = map->node < 32 ? ADAPTER_REG_REACHABLE_LOW : ADAPTER_REG_REACHABLE_HIGH;

	return state_of(map, word) >> map->node % 32 & 1;
}

/*
 * Return whether the mapped memory is reachable, according to the events that have arrived so far.
 */
static bool reachable(const struct sci_map *map)
{
	return (!map->remote || !map->remote->lost) && answers(map);
}

/* Ask the driver whether the mapped memory is lost. The caller must have the lock. */
static bool lost(const struct sci_map *map)
{
	return !answers(map) || (map->remote && sisci_remote_lost(map->remote));
}

/**
 * struct errors - Numbers of errors at some time.
 * @node: number of failed accesses to the node of a mapping
 * @own: number of errors of this node. They are failed accesses of all programs to mappings of lost
 *       segments
 */
struct errors {
	uint32_t node;
	uint32_t own;
};

static struct errors errors_now(const struct sci_map *map)
{
	return (struct errors){.node = errors_of(map), .own = own_errors_of(map)};
}

/* Return whether an access to the mapped memory has failed since the error counts were @before. */
static bool failed_since(const struct sci_map *map, struct errors before)
{
	struct errors now = errors_now(map);
	bool failed;

	sisci_enter();
	failed = (now.node != before.node && map->node != map->object.sd->node) ||
		 !reachable(map) || (now.own != before.own && lost(map));
	sisci_leave();
	return failed;
}

void SCICreateMapSequence(sci_map_t map, sci_sequence_t *sequence, unsigned int flags,
			  sci_error_t *error)
{
	struct sci_sequence *made = NULL;
	struct sci_map *used;

	used = SISCI_BEGIN(sequence, map, KIND_MAP, error);
	if (!used)
		return;
	if (sisci_flags(flags, SCI_FLAG_FAST_BARRIER, 0, error))
		made = sisci_new(sizeof(*made), KIND_SEQUENCE, used->object.sd, error);
	if (made) {
		made->map = used;
		made->errors = errors_of(used);
		made->own_errors = own_errors_of(used);
		sisci_enter();
		used->object.users++;
		sisci_add(made, 0);
		sisci_leave();
		*sequence = made;
	}
	sisci_put(used);
}

void sisci_sequence_end(struct sci_sequence *sequence)
{
	sisci_put_locked(sequence->map);
	sisci_remove(sequence);
}

void SCIRemoveSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error)
{
	sisci_end(sequence, KIND_SEQUENCE, flags, 0, error);
}

/*
 * Check whether the sequence can be checked for errors. The caller must have the lock. Return:
 * whether it can; if not, *error is set.
 */
static bool usable(const struct sci_sequence *sequence, sci_error_t *error)
{
	if (sequence->object.gone)
		return sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	return !sequence->map->object.gone || sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
}

sci_sequence_status_t SCIStartSequence(sci_sequence_t sequence, unsigned int flags,
				       sci_error_t *error)
{
	struct sci_sequence *used = sisci_use(sequence, KIND_SEQUENCE, flags, 0, error);
	sci_sequence_status_t status = SCI_SEQ_NOT_RETRIABLE;

	if (!used)
		return status;
	sisci_enter();
	if (usable(used, error) && !lost(used->map)) {
		used->errors = errors_of(used->map);
		used->own_errors = own_errors_of(used->map);
		used->failed = false;
		status = SCI_SEQ_OK;
	}
	sisci_leave();
	sisci_put(used);
	return status;
}

/*
 * Check for errors since the last check. Each error is reported only once. The caller must have the
 * lock.
 */
static sci_sequence_status_t sequence_status(struct sci_sequence *sequence)
{
	const struct sci_map *map = sequence->map;
	uint32_t errors = errors_of(map), own_errors = own_errors_of(map);
	bool failed = errors != sequence->errors && map->node != map->object.sd->node;

	if (!reachable(map) || (own_errors != sequence->own_errors && lost(map)))
		sequence->failed = true;
	else if (failed && state_of(map, ADAPTER_REG_ERROR + map->node * ADAPTER_STRIDE_ERROR) !=
				   ADAPTER_ERROR_TIMEOUT)
		sequence->failed = true;
	sequence->errors = errors;
	sequence->own_errors = own_errors;
	/*
	 * After a reported error, the program must start the sequence again before it can repeat
	 * the accesses.
	 */
	if (sequence->failed)
		return SCI_SEQ_NOT_RETRIABLE;
	return failed ? SCI_SEQ_RETRIABLE : SCI_SEQ_OK;
}

sci_sequence_status_t SCICheckSequence(sci_sequence_t sequence, unsigned int flags,
				       sci_error_t *error)
{
	struct sci_sequence *used = sisci_use(sequence, KIND_SEQUENCE, flags,
					      SCI_FLAG_NO_FLUSH | SCI_FLAG_NO_STORE_BARRIER, error);
	sci_sequence_status_t status = SCI_SEQ_NOT_RETRIABLE;

	if (!used)
		return status;
	atomic_thread_fence(memory_order_seq_cst);
	sisci_enter();
	if (usable(used, error))
		status = sequence_status(used);
	sisci_leave();
	sisci_put(used);
	return status;
}

void SCIFlush(sci_sequence_t sequence, unsigned int flags)
{
	(void)sequence;
	(void)flags;
	atomic_thread_fence(memory_order_seq_cst);
}

void SCIStoreBarrier(sci_sequence_t sequence, unsigned int flags)
{
	(void)sequence;
	(void)flags;
	atomic_thread_fence(memory_order_seq_cst);
}

void SCIFlushReadBuffers(sci_sequence_t sequence)
{
	(void)sequence;
	atomic_thread_fence(memory_order_seq_cst);
}

/* ---- copies ---- */

/*
 * Copy with as few accesses as possible. Where the address in the mapping is aligned, each access
 * has 8 bytes.
 */
static void copy_to(volatile uint8_t *to, const uint8_t *from, size_t bytes)
{
	uint64_t word;

	while (bytes && (uintptr_t)to % 8) {
		*to++ = *from++;
		bytes--;
	}
	for (; bytes >= 8; bytes -= 8, to += 8, from += 8) {
		memcpy(&word, from, 8);
		*(volatile uint64_t *)to = word;
	}
	while (bytes--)
		*to++ = *from++;
}

static void copy_from(uint8_t *to, const volatile uint8_t *from, size_t bytes)
{
	uint64_t word;

	while (bytes && (uintptr_t)from % 8) {
		*to++ = *from++;
		bytes--;
	}
	for (; bytes >= 8; bytes -= 8, to += 8, from += 8) {
		word = *(const volatile uint64_t *)from;
		memcpy(to, &word, 8);
	}
	while (bytes--)
		*to++ = *from++;
}

static bool within(const struct sci_map *map, size_t offset, size_t bytes, sci_error_t *error)
{
	return (bytes <= map->bytes && offset <= map->bytes - bytes) ||
	       sisci_fail(error, SCI_ERR_OUT_OF_RANGE);
}

void SCIMemCpy(sci_sequence_t sequence, void *memory, sci_map_t map, size_t offset, size_t size,
	       unsigned int flags, sci_error_t *error)
{
	struct sci_map *used = sisci_get(map, KIND_MAP, error);
	struct errors before;

	(void)sequence;
	if (!used)
		return;
	if (!memory) {
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	} else if (sisci_flags(flags, SCI_FLAG_BLOCK_READ | SCI_FLAG_ERROR_CHECK, 0, error) &&
		   within(used, offset, size, error)) {
		before = errors_now(used);
		if (flags & SCI_FLAG_BLOCK_READ)
			copy_from(memory, used->at + offset, size);
		else
			copy_to(used->at + offset, memory, size);
		atomic_thread_fence(memory_order_seq_cst);
		if (flags & SCI_FLAG_ERROR_CHECK && failed_since(used, before))
			sisci_fail(error, SCI_ERR_TRANSFER_FAILED);
	}
	sisci_put(used);
}

/* The function does nothing, because the library has only one copy function. */
void SetSciMemCopyFunction(int function)
{
	(void)function;
}

void SCIMemCopy(void *memory, sci_map_t map, size_t offset, size_t size, unsigned int flags,
		sci_error_t *error)
{
	SCIMemCpy(NULL, memory, map, offset, size, flags, error);
}

void SCIMemWrite(void *memory, volatile void *remote, size_t size, unsigned int flags,
		 sci_error_t *error)
{
	sisci_ok(error);
	if (!memory || !remote)
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	else if (sisci_flags(flags, 0, 0, error))
		copy_to(remote, memory, size);
}

void SCITransferBlock(sci_map_t source, unsigned int sourceOffset, sci_map_t destination,
		      unsigned int destinationOffset, unsigned int size, unsigned int flags,
		      sci_error_t *error)
{
	struct sci_map *from = sisci_get(source, KIND_MAP, error), *to;

	if (!from)
		return;
	to = sisci_get(destination, KIND_MAP, error);
	if (to && sisci_flags(flags, SCI_FLAG_ERROR_CHECK, 0, error) &&
	    within(from, sourceOffset, size, error) && within(to, destinationOffset, size, error)) {
		struct errors from_before = errors_now(from), to_before = errors_now(to);

		copy_to(to->at + destinationOffset,
			(const uint8_t *)(uintptr_t)(from->at + sourceOffset), size);
		atomic_thread_fence(memory_order_seq_cst);
		if (flags & SCI_FLAG_ERROR_CHECK &&
		    (failed_since(from, from_before) || failed_since(to, to_before)))
			sisci_fail(error, SCI_ERR_TRANSFER_FAILED);
	}
	sisci_put(to);
	sisci_put(from);
}
