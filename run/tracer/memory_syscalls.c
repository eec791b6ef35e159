/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * System calls that change the program's memory. May use mappings and objects, and system calls
 * that return properties of files and of System V segments.
 */
#include "run/tracer/syscalls.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "run/tracer/channel.h"
#include "run/tracer/code_views.h"
#include "run/tracer/mappings.h"
#include "run/tracer/objects.h"
#include "run/tracer/counted_pages.h"
#include "run/tracer/process.h"
#include "run/tracer/unwind.h"

#define HEAP_ROOM (64UL << 20)

/* The end of the heap, as the last brk(2) has returned it. */
static uint64_t heap_end;

/*
 * The mapping that the present system call of this thread will move or remove. If there is no such
 * mapping, its member end is 0.
 */
static __thread struct mapping before_call;

static bool failed(int64_t result)
{
	return result < 0 && result > -4096;
}

/* Get the name of the file of @fd. If the name is too long, only its last part is kept. */
static void mapping_name(struct mapping *m, int fd)
{
	char link[64];
	char path[4096];
	ssize_t length;
	const char *end = path;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length < 0)
		return;
	path[length] = '\0';
	if ((size_t)length >= sizeof(m->path))
		end += (size_t)length - sizeof(m->path) + 1;
	memcpy(m->path, end, strlen(end) + 1);
}

/*
 * Check whether the mapping belongs to an object because it follows the pages of this object's
 * data. If the object's file has no data, it must follow the pages of the object's constants.
 */
static bool adjoins_data(struct mapping *m)
{
	struct mapping before;

	if (!mappings_before(m->start, &before) ||
	    (before.kind != STREAM_REGION_GLOBAL && before.kind != MAPPINGS_CONSTANT))
		return false;
	m->kind = STREAM_REGION_GLOBAL;
	m->internal = before.internal;
	m->bias = before.bias;
	memcpy(m->path, before.path, sizeof(m->path));
	return true;
}

/*
 * Check whether the program reserves memory for another heap of glibc's malloc(). Such a
 * reservation has this form. The heap uses it from its lowest address on.
 */
static bool is_heap(uint64_t bytes, uint64_t prot)
{
	return prot == PROT_NONE && (bytes == HEAP_ROOM || bytes == 2 * HEAP_ROOM);
}

static void map_anonymous(struct mapping *m, uint64_t bytes, uint64_t prot, uint64_t flags)
{
	static _Atomic uint32_t number;

	if (flags & MAP_SHARED) {
		m->kind = STREAM_REGION_SHARED;
		/* The kernel, too, treats such memory as a file without a name. */
		m->device = UINT64_MAX;
		m->inode = (uint64_t)getpid() << 32 | ++number;
		return;
	}
	if ((flags & MAP_FIXED) && adjoins_data(m))
		return;
	m->kind = STREAM_REGION_PRIVATE;
	if (flags & MAP_STACK)
		m->kind = STREAM_REGION_STACK;
	else if (is_heap(bytes, prot))
		m->kind = STREAM_REGION_HEAP;
}

/*
 * If the mapping has code of an object, record the object. Return: whether the mapping has code of
 * an object.
 */
static bool map_code(struct thread *thread, struct mapping *m, uint64_t prot, int fd)
{
	struct object_place place;

	mappings_lock();
	if (objects_code(fd, m->start, m->end, m->offset, &place) < 0) {
		mappings_unlock();
		return false;
	}
	m->bias = place.bias;
	objects_note(m->device, m->inode, &place);
	mappings_unlock();
	/* The constants of the object were mapped before its code. */
	mappings_constant(thread, m, place.start, place.end, place.preload);
	m->internal = !place.counts;
	m->kind = prot & PROT_WRITE ? STREAM_REGION_GLOBAL : STREAM_REGION_CODE;
	return true;
}

static void map_file(struct thread *thread, struct mapping *m, uint64_t prot, uint64_t flags,
		     int fd)
{
	struct object_place place;
	struct stat status;

	m->kind = flags & MAP_SHARED ? STREAM_REGION_SHARED : STREAM_REGION_PRIVATE;
	if (fstat(fd, &status) < 0)
		return;
	m->device = status.st_dev;
	m->inode = status.st_ino;
	mapping_name(m, fd);
	if (flags & MAP_SHARED || ((prot & PROT_EXEC) && map_code(thread, m, prot, fd)))
		return;
	/* The program can also map an object file as its input, at other addresses. */
	if (!objects_find(m->device, m->inode, &place) || m->start < place.start ||
	    m->end > place.end)
		return;
	m->bias = place.bias;
	m->internal = !place.counts;
	m->kind = prot & PROT_WRITE && !place.preload ? STREAM_REGION_GLOBAL
						      : mappings_constant_kind(place.preload);
}

static void objects_cut(uint64_t start, uint64_t end)
{
	mappings_lock();
	address_ranges_cut(&objects_excluded, start, end);
	address_ranges_cut(&objects_text, start, end);
	address_ranges_cut(&objects_data, start, end);
	address_ranges_cut(&objects_linked, start, end);
	address_ranges_cut(&objects_linkage, start, end);
	unwind_cut(start, end);
	code_views_cut(start, end);
	mappings_unlock();
}

/*
 * Record whether the program can execute shared memory, or can write code that it executes at
 * another address. @prot: the protection of the memory. Code that QEMU does not let the program
 * write is not recorded.
 */
static void share(const struct mapping *m, uint64_t prot)
{
	mappings_lock();
	if (prot & PROT_EXEC && prot & PROT_WRITE)
		code_views_add(m);
	else
		code_views_see(m);
	mappings_unlock();
}

/* The protection of [start, end) has changed. Record which shared memory in it has code. */
static void protect_shared(uint64_t start, uint64_t end, uint64_t prot)
{
	struct mapping m;

	mappings_lock();
	code_views_end(start, end);
	mappings_unlock();
	if (!(prot & PROT_EXEC) || !mappings_find(start, &m) || m.kind != STREAM_REGION_SHARED)
		return;
	m.offset += start - m.start;
	m.start = start;
	if (m.end > end)
		m.end = end;
	share(&m, prot);
}

static void map(struct thread *thread, uint64_t start, const uint64_t *args)
{
	uint64_t flags = args[3];
	struct mapping m = {
		.start = start,
		.end = page_up(start + args[1]),
		.index = -1,
	};

	/* Remove the data about the memory that was mapped here before. */
	objects_cut(m.start, m.end);
	mappings_give_back(thread, m.start, m.end, true);
	if (flags & MAP_ANONYMOUS) {
		map_anonymous(&m, args[1], args[2], flags);
	} else {
		m.offset = args[5];
		map_file(thread, &m, args[2], flags, (int)args[4]);
	}
	if (m.kind == STREAM_REGION_GLOBAL) {
		mappings_lock();
		address_ranges_add(&objects_data, m.start, m.end, 0);
		mappings_unlock();
	}
	mappings_add(thread, &m);
	if (m.kind == STREAM_REGION_SHARED)
		share(&m, args[2]);
}

static void grow(struct thread *thread, uint64_t end)
{
	struct mapping m = {.kind = STREAM_REGION_HEAP, .index = -1};

	m.start = page_up(heap_end);
	m.end = page_up(end);
	if (heap_end && m.end > m.start)
		mappings_add(thread, &m);
	else if (heap_end && m.end < m.start)
		mappings_remove(thread, m.end, m.start, thread->seen);
	heap_end = end;
}

static void attach(struct thread *thread, uint64_t start, int id)
{
	struct mapping m = {.start = start, .kind = STREAM_REGION_SHARED, .index = -1};
	struct shmid_ds status;

	if (shmctl(id, IPC_STAT, &status) < 0)
		return;
	m.end = page_up(start + status.shm_segsz);
	/*
	 * No file system has device 0, so a System V segment is reported as a file of device 0
	 * whose inode is the segment's id.
	 */
	m.inode = (uint64_t)id + 1;
	snprintf(m.path, sizeof(m.path), "/SYSV%d", id);
	mappings_add(thread, &m);
}

/*
 * The program has changed the protection of memory. If constants are not counted, data that the
 * loader makes read-only after it has linked an object becomes constant. If the program makes other
 * data read-only, the data is still counted, because the program reads it, and may make it writable
 * again. Constants that the program makes writable become data.
 */
static void protect(struct thread *thread, uint64_t start, uint64_t end, uint64_t prot)
{
	/*
	 * The loader has linked the first library, so code of other objects can be executed from
	 * now on.
	 */
	process.loading = false;
	if (process.constants)
		return;
	if (prot & PROT_WRITE) {
		if (!process.counting ||
		    !mappings_turn(thread, start, end, MAPPINGS_CONSTANT, STREAM_REGION_GLOBAL))
			return;
		mappings_lock();
		address_ranges_add(&objects_data, start, page_up(end), 0);
		mappings_unlock();
	} else if (address_ranges_find(&objects_linked, start, NULL) &&
		   address_ranges_find(&objects_linked, page_up(end) - 1, NULL)) {
		mappings_turn(thread, start, end, STREAM_REGION_GLOBAL, MAPPINGS_CONSTANT);
	}
}

/* The kernel has written @bytes bytes into these buffers. */
static void touch_buffers(struct thread *thread, const struct iovec *buffers, uint64_t count,
			  uint64_t bytes)
{
	uint64_t start, part;

	for (; count-- && bytes; bytes -= part, buffers++) {
		start = (uint64_t)(uintptr_t)buffers->iov_base;
		part = buffers->iov_len < bytes ? buffers->iov_len : bytes;
		mappings_touch(thread, start, start + part);
	}
}

/*
 * If the kernel has written or allocated pages for the thread, report this. A page lies on the node
 * that touches it first, even if the program itself has not accessed the page yet.
 */
static void touch(struct thread *thread, int64_t number, uint64_t value, const uint64_t *args)
{
	const struct msghdr *message;

	switch (number) {
	case SYS_read:
	case SYS_pread64:
	case SYS_recvfrom:
	case SYS_getdents64:
		/* The result of recvfrom(2) can be larger than the buffer. */
		mappings_touch(thread, args[1], args[1] + (value < args[2] ? value : args[2]));
		break;
	case SYS_getrandom:
		mappings_touch(thread, args[0], args[0] + value);
		break;
	case SYS_readv:
	case SYS_preadv:
	case SYS_preadv2:
		touch_buffers(thread, (const struct iovec *)(uintptr_t)args[1], args[2], value);
		break;
	case SYS_recvmsg:
		message = (const struct msghdr *)(uintptr_t)args[1];
		touch_buffers(thread, message->msg_iov, message->msg_iovlen, value);
		break;
	case SYS_mmap:
		if (args[3] & (MAP_POPULATE | MAP_LOCKED) && args[2] & PROT_WRITE)
			mappings_touch(thread, value, value + args[1]);
		break;
	case SYS_madvise:
		if (args[2] == MADV_POPULATE_WRITE)
			mappings_touch(thread, args[0], args[0] + args[1]);
		break;
	case SYS_mlock:
		mappings_touch(thread, args[0], args[0] + args[1]);
		break;
	}
}

void memory_enter(struct thread *thread, int64_t number)
{
	const uint64_t *args = thread->args;

	thread->seen = mappings_seen();
	switch (number) {
	case SYS_munmap:
		/*
		 * No thread executes code in this memory any more. After the call, another mapping
		 * may have its addresses, so remove the data about the code before the call.
		 */
		if (args[1] && !(args[0] & (PAGE_BYTES - 1)))
			objects_cut(args[0], page_up(args[0] + args[1]));
		break;
	case SYS_mremap:
	case SYS_shmdt:
		if (!mappings_find(args[0], &before_call))
			before_call.end = 0;
		break;
	}
}

void memory_leave(struct thread *thread, int64_t number, int64_t result, const uint64_t *args)
{
	uint64_t value = (uint64_t)result;

	if (failed(result))
		return;
	switch (number) {
	case SYS_brk:
		grow(thread, value);
		break;
	case SYS_mmap:
		map(thread, value, args);
		break;
	case SYS_munmap:
		mappings_remove(thread, args[0], args[0] + args[1], thread->seen);
		break;
	case SYS_mremap:
		mappings_move(thread, &before_call, args[0],
			      args[3] & MREMAP_DONTUNMAP ? 0 : args[1], value, args[2]);
		break;
	case SYS_mprotect:
	case SYS_pkey_mprotect:
		protect_shared(args[0], page_up(args[0] + args[1]), args[2]);
		protect(thread, args[0], args[0] + args[1], args[2]);
		break;
	case SYS_madvise:
		/* MADV_FREE is not handled, because the memory stays until the kernel needs it. */
		if (args[2] == MADV_DONTNEED)
			mappings_give_back(thread, args[0], args[0] + args[1], false);
		break;
	case SYS_shmat:
		attach(thread, value, (int)args[0]);
		break;
	case SYS_shmdt:
		if (before_call.end && before_call.start == args[0])
			mappings_remove(thread, before_call.start, before_call.end, thread->seen);
		break;
	}
	touch(thread, number, value, args);
}
