/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The trace stream: the reports of accesses that a traced program makes while it runs.
 *
 * What lives here: the layout of the memory that the tracer and the schedule share, and the numbers
 * of the calls by which the preload library reports to the tracer. The tracer writes the stream.
 * The schedule is the reader: it reads the stream, replays the threads in simulated time, and
 * assigns nodes and clocks. This file has no code, and may use <stdint.h> and <stdatomic.h>. It is
 * not installed, because both sides belong to the same build. This project defines the layout; no
 * paper describes it.
 *
 * The memory is a file (memfd), which the reader and all processes of the program share. It holds
 * struct stream_header, regions[STREAM_REGIONS], channels[STREAM_CHANNELS], and the words of each
 * channel. A channel is a ring of 64-bit words. Its producer is a thread of the program, and its
 * consumer is the reader. When a thread begins, it claims a channel: it changes the channel's state
 * from FREE to OPEN with a compare-and-swap. When the thread has ended (state ENDED), or its
 * process is dead, the reader reads the remaining words and changes the state to FREE.
 *
 * Head and tail count words since the channel was claimed, and never wrap. The producer writes
 * words and then stores head with release; the consumer loads head with acquire, reads the words,
 * and then stores tail with release; the producer loads tail with acquire. All words of a control
 * record become visible at the same time. If a channel has no room, the producer sets @full to 1
 * and waits on @full with futex(2). After the consumer has made room, it sets @full to 0 and wakes
 * the producer. Words are dropped only if the reader stops (stream_header.stop) or has ended.
 *
 * Before the reader sleeps, it marks the channels from which it needs words (@wanted), sets
 * stream_header.asleep to 1, reads the heads of these channels once more, and then waits on this
 * member with futex(2). After the producer of a marked channel has stored head, it reads
 * stream_header.asleep. If the value is 1, and the reader wants the words that were written, the
 * producer sets stream_header.asleep to 0 and wakes the reader.
 *
 * A report of an access is one word. All other reports are control records. A control record is one
 * word, followed by further words whose number depends on the kind of the record.
 *
 * In the replay, locks, conditions and semaphores pass from thread to thread in the order of the
 * simulated clocks. The program must run in the same order. A thread that requests a lock,
 * condition or semaphore therefore waits for its turn: it continues when the replay has reached its
 * request and has granted it.
 */
#ifndef RUN_STREAM_H
#define RUN_STREAM_H

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#define STREAM_MAGIC 0x315254454c494d53ULL /* "SMILETR1" */
#define STREAM_VERSION 20U

#define STREAM_CHANNELS 1024U
/* The largest length of a list of the nodes on which threads run. */
#define STREAM_NODES_OF 1024U
#define STREAM_CHANNEL_WORDS 65536U /* a power of two */
#define STREAM_REGIONS 4096U
#define STREAM_PATH_BYTES 200U
#define STREAM_WAKES 4096U /* a power of two */

/* Fields of a word: the kind of the word, and the data of this kind. */
#define STREAM_ADDRESS 0x0000ffffffffffffULL /* 47-0: address, or value of a control record */
#define STREAM_KIND_SHIFT 48 /* 49-48: enum stream_kind */
#define STREAM_KIND 0x3ULL
#define STREAM_SIZE_SHIFT 50 /* 52-50: of an access: log2 of its bytes, 0 to 6 */
#define STREAM_SIZE 0x7ULL
#define STREAM_WORK_SHIFT 53 /* 63-53: of an access: instructions since the last record */
#define STREAM_WORK_MAX 0x7ffULL
#define STREAM_OP_SHIFT 50 /* 57-50: of a control record: enum stream_op */
/*
 * This bit is set in the first word of a record if the record's lock, barrier, condition, semaphore
 * or futex is in memory that processes share. The REGION record of this memory does not suffice: it
 * may be in the channel of another process, where the reader has not reached it yet.
 */
#define STREAM_COMMON (1ULL << 63)
#define STREAM_OP 0xffULL

enum stream_kind {
	STREAM_READ,
	STREAM_WRITE,
	STREAM_LOCK, /* an atomic read-modify-write: one access */
	STREAM_CONTROL,
};

/*
 * Control records. In the descriptions below, "value" is the value in the record's first word, "1"
 * is the second word, "2" is the third word, and so on. If the thread has executed instructions
 * before a control record, a WORK record precedes it.
 *
 * A thread is identified by its key. The preload library creates the keys. They are unique in the
 * run, but their order has no meaning. A lock, barrier, condition or semaphore is identified by its
 * address. If the object is private, and another process has a private object at the same address,
 * the object is instead identified by a number in which bit 47 is set. Bit 47 is never set in an
 * address of a program.
 */
enum stream_op {
	/*
	 * value: number of instructions that were executed since the last record. The accesses and
	 * instructions of libc, the loader and libgomp do not count, unless the tracer is
	 * configured to count all code.
	 */
	STREAM_WORK,
	/*
	 * The first record of a channel. value: process id; 1: key of the thread, or 0 if it has no
	 * key; 2: the system's id of the thread.
	 */
	STREAM_BEGIN,
	/* The last record of a channel. */
	STREAM_END,
	/*
	 * The thread has created another thread. value: key of the new thread; 1: 1 if the new
	 * thread is a new process, else 0. The creating thread always writes this record, but the
	 * new thread can write its BEGIN record earlier.
	 */
	STREAM_CREATE,
	/*
	 * The thread waits until another thread has ended. value: key of the other thread.
	 */
	STREAM_JOIN,
	/* A named phase begins for all threads. 1 to 5: name, zero-padded. */
	STREAM_PHASE,
	/* A region of memory exists from now on. value: index in the table of regions. */
	STREAM_REGION,
	/* A region was unmapped. value: index in the table of regions. */
	STREAM_UNMAP,
	/*
	 * Pages have been returned to the system, or have moved to another address with their
	 * contents. After pages have been returned, the next access to each of them allocates a new
	 * page. value: first address; 1: number of bytes; 2: 0; STREAM_UNMAPPED if the memory was
	 * unmapped; or the new address of the first byte if the pages have moved.
	 */
	STREAM_DISCARD,
	/*
	 * Pages should lie on a node. value: first address; 1: number of bytes; 2: node, or
	 * STREAM_NO_NODE if the program no longer places them.
	 */
	STREAM_PLACE,
	/*
	 * The thread has reached a barrier, and continues when all threads of the barrier have
	 * reached it. value: barrier; 1: number of threads of the barrier.
	 */
	STREAM_BARRIER,
	/*
	 * The thread requests a lock, and continues when it holds the lock. value: lock; 1: flags
	 * of the request (STREAM_SHARED and so on), or 0.
	 */
	STREAM_ACQUIRE,
	/* The thread has released the lock. value: lock. */
	STREAM_RELEASE,
	/* The thread is about to wait in the kernel for an event that the tracer cannot see.
	 * value: number of the system call. */
	STREAM_BLOCK,
	/*
	 * The wait of the last BLOCK record has ended. value: number of the wake-up (WAKE) that may
	 * have ended the wait, or 0.
	 */
	STREAM_UNBLOCK,
	/*
	 * The thread has woken other threads. value: number of this wake-up, taken from
	 * stream_header.wakes.
	 */
	STREAM_WAKE,
	/*
	 * The thread has allocated a block of the heap. The thread's last CALLERS record has the
	 * chain of calls that allocated it. value: address; 1: number of bytes.
	 */
	STREAM_ALLOCATE,
	/* A block of the heap was freed. value: address. */
	STREAM_FREE,
	/*
	 * The process executes another program. value: number of the program, below
	 * STREAM_PROGRAMS, or 0 if the program is not traced; 1 to 5: the last characters of the
	 * program's name. If the program is traced, all mappings of the process are removed, and
	 * the thread continues as the only thread of the program. If the program is not traced, the
	 * thread's END record follows. If the execution of this program fails, the thread writes a
	 * new BEGIN record with key 0.
	 */
	STREAM_EXEC,
	/* The process ends. value: exit status as in wait(2), if the tracer knows it. */
	STREAM_EXIT,
	/*
	 * The thread is idle until another thread gives it work. The next record of the thread
	 * shows how it receives the work.
	 */
	STREAM_REST,
	/*
	 * The thread releases a lock, and sleeps until a condition is signalled. value: condition;
	 * 1: lock.
	 */
	STREAM_SLEEP,
	/*
	 * The thread signals a condition. value: condition; 1: 0 if only the thread that has slept
	 * longest at the condition continues; 1 if all threads that sleep at the condition
	 * continue.
	 */
	STREAM_SIGNAL,
	/*
	 * A semaphore was initialised, or created by sem_open(). value: semaphore; 1: its count,
	 * plus STREAM_CREATED if the semaphore was created by sem_open(). Another process can use a
	 * semaphore of sem_open() before the reader reaches this record.
	 */
	STREAM_SEMAPHORE,
	/*
	 * The thread waits for a semaphore: it continues when the count is above 0, and decrements
	 * the count. value: semaphore; 1: STREAM_TAKEN, STREAM_ONCE, STREAM_OWN or 0; 2: the count,
	 * in case the reader does not know the semaphore yet.
	 */
	STREAM_WAIT,
	/*
	 * The thread increments the count of a semaphore. value: semaphore; 1: the count before, in
	 * case the reader does not know the semaphore yet.
	 */
	STREAM_POST,
	/*
	 * The next actions of the thread depend on which of several events has occurred first on
	 * the host. value: enum stream_chance.
	 */
	STREAM_CHANCE,
	/*
	 * A function that is active in the thread. These records are written only if accesses to
	 * stacks count. Each function is reported at least once. value: the address in this
	 * function to which the function that it calls returns; 1: canonical frame address, which
	 * is the stack pointer before this function was called; 2: this function's present stack
	 * pointer; 3: this function's present rbp. If word 2 is 0, the thread is about to enter the
	 * function, and the value is the address of the function's first instruction.
	 */
	STREAM_FRAME,
	/*
	 * The code that requests the thread's next lock. value: return address of the call that
	 * requests the lock.
	 */
	STREAM_SITE,
	/*
	 * Either a wait of the thread has reached its time limit, and the wait's UNBLOCK record
	 * follows, or the thread has called sched_yield(2). value, in ns: the time limit that the
	 * program has set, or the duration of the call.
	 */
	STREAM_PASS,
	/*
	 * The chain of calls by which the thread allocates blocks from now on. 1 to 16: return
	 * addresses of the calls, the innermost first, each only once; unused and unknown addresses
	 * are 0.
	 */
	STREAM_CALLERS,
	/*
	 * The process is a forked copy of its parent. From now on, the private memory of this
	 * process has separate addresses in the stream. value: number of the process, below
	 * STREAM_PROCESSES.
	 */
	STREAM_COPY,
	/*
	 * The next BLOCK or WAKE record concerns a futex. Only a wake-up at this futex wakes the
	 * thread that blocks. value: address of the futex; 1: largest number of threads to wake.
	 */
	STREAM_FUTEX,
	/*
	 * The kernel has written pages for this thread, for example by read(2). Such a write is not
	 * an access of the program, but if a page had no contents, it is allocated now. value:
	 * first address; 1: number of bytes.
	 */
	STREAM_TOUCH,
	STREAM_OP_COUNT,
};

#define STREAM_UNMAPPED 1U /* in the third word of DISCARD: the placement of the pages ends, too */
#define STREAM_TOUCH_BYTES 0x40000000U /* the largest number of bytes in TOUCH */
#define STREAM_NO_NODE UINT64_MAX /* in the third word of PLACE */

#define STREAM_SHARED 1U /* several threads can hold the lock if all of them request it shared */
#define STREAM_TAKEN 2U /* the thread has already taken the lock without waiting for its turn */
#define STREAM_TRY 4U /* the thread does not wait for the lock: see enum stream_answer */
#define STREAM_AGAIN 8U /* the thread may already hold the lock */
#define STREAM_ONCE 16U /* the semaphore is removed after one wait and one post */
#define STREAM_ORDER 32U /* not a lock of the program: only the order of such requests matters */
#define STREAM_ROLE 64U /* with ORDER: an atomic instruction, which may give the thread a number */

#define STREAM_OWN 128U /* no other process uses this lock or semaphore */
#define STREAM_LOOP 256U /* not a lock of the program: the thread takes the next chunk of a loop */
#define STREAM_UNHELD 512U /* with TRY: no thread of the program holds the lock */

#define STREAM_CREATED (1ULL << 32) /* in the second word of SEMAPHORE, above the count */

enum stream_chance {
	STREAM_CHANCE_TRY, /* a request for a lock that does not wait, or has a time limit */
	STREAM_CHANCE_TIME, /* a wait with a time limit */
	STREAM_CHANCE_TASK, /* which thread executes a task of OpenMP */
	STREAM_CHANCE_CHILD, /* which of several children ends first */
	STREAM_CHANCE_ITERATION, /* iterations of a loop that wait for other iterations */
	STREAM_CHANCE_MEMORY, /* memory from the system, requested without waiting for a turn */
	STREAM_CHANCE_COUNT,
};

/*
 * Each program that a process executes, and each forked process, has a number. Each number has its
 * own range of addresses in the stream. The process that was started first has number 0, and its
 * addresses are unchanged. A forked process has the next free number. Its parent allocates this
 * number, so that the numbers of a parent's children do not depend on the host. The first program
 * that process N executes has number STREAM_PROCESSES + N. Each later program is numbered as if a
 * new process executed it.
 *
 * In the stream, the addresses of number N are the 256 GB from STREAM_PROGRAM_AT(N), which is above
 * all addresses that a process can have. These 256 GB are divided into eight slots of 32 GB. The
 * address space of the process is divided into parts of 32 GB. Each part that the process uses is
 * assigned to one slot. If a mapping has several parts, they are assigned to neighbouring slots.
 */
#define STREAM_PROGRAMS_AT (1ULL << 47)
#define STREAM_PART_SHIFT 35
#define STREAM_PART_BYTES (1ULL << STREAM_PART_SHIFT)
#define STREAM_PARTS 8U
#define STREAM_PROGRAM_AT(number)                                                                  \
	((number) ? (uint64_t)(STREAM_PROGRAMS_AT + (number)*STREAM_PARTS * STREAM_PART_BYTES)     \
		  : (uint64_t)0)
#define STREAM_PROCESSES 256U
#define STREAM_PROGRAMS (2 * STREAM_PROCESSES)

/* The size of the stack if the program's stack is not limited. */
#define STREAM_STACK_BYTES (1UL << 30)

/* Notes to report at the end of the run: bits of stream_header.notes. */
enum stream_note {
	/*
	 * The program has reached an instruction of AVX-512, which QEMU does not emulate.
	 */
	STREAM_NOTE_AVX512 = 1,
	/* The program has loaded a library with RTLD_DEEPBIND; the flag was ignored. */
	STREAM_NOTE_DEEPBIND = 2,
	/* The program has loaded a library into a separate namespace (dlmopen(3)). */
	STREAM_NOTE_NAMESPACE = 4,
	/* An executed program, or a forked process, uses more parts of 32 GB than it has slots. */
	STREAM_NOTE_BEYOND = 8,
	/* A process was forked when no number was free, so its private memory does not count. */
	STREAM_NOTE_UNNUMBERED = 16,
	/* The program has locked a robust mutex. */
	STREAM_NOTE_ROBUST = 32,
	/* The program has set a memory policy for a thread, which has no effect. */
	STREAM_NOTE_POLICY = 64,
	/* A thread has tried to move to the processors of another node, which has no effect. */
	STREAM_NOTE_AFFINITY = 128,
	/*
	 * The program has locked all its memory. Here, this does not allocate pages, unlike on
	 * Linux.
	 */
	STREAM_NOTE_LOCKED = 256,
	/* The program has created a process by vfork(2), which QEMU treats as fork(2). */
	STREAM_NOTE_VFORK = 512,
	/* A process of posix_spawn(3) has not executed its program; the call did not report it. */
	STREAM_NOTE_SPAWN = 1024,
};

#define STREAM_NAME_WORDS 5U
#define STREAM_NAME_BYTES (STREAM_NAME_WORDS * 8U) /* with its final zero */
#define STREAM_SITES 16U

/* The number of words of each kind of control record, including the first word. */
#define STREAM_OP_WORDS                                                                            \
	{                                                                                          \
		[STREAM_WORK] = 1, [STREAM_BEGIN] = 3, [STREAM_END] = 1, [STREAM_CREATE] = 2,      \
		[STREAM_JOIN] = 1, [STREAM_PHASE] = 1 + STREAM_NAME_WORDS, [STREAM_REGION] = 1,    \
		[STREAM_UNMAP] = 1, [STREAM_DISCARD] = 3, [STREAM_PLACE] = 3,                      \
		[STREAM_BARRIER] = 2, [STREAM_ACQUIRE] = 2, [STREAM_RELEASE] = 1,                  \
		[STREAM_BLOCK] = 1, [STREAM_UNBLOCK] = 1, [STREAM_WAKE] = 1,                       \
		[STREAM_ALLOCATE] = 2, [STREAM_FREE] = 1, [STREAM_EXEC] = 1 + STREAM_NAME_WORDS,   \
		[STREAM_EXIT] = 1, [STREAM_REST] = 1, [STREAM_SLEEP] = 2, [STREAM_SIGNAL] = 2,     \
		[STREAM_SEMAPHORE] = 2, [STREAM_WAIT] = 3, [STREAM_POST] = 2, [STREAM_CHANCE] = 1, \
		[STREAM_FRAME] = 4, [STREAM_SITE] = 1, [STREAM_PASS] = 1,                          \
		[STREAM_CALLERS] = 1 + STREAM_SITES, [STREAM_COPY] = 1, [STREAM_FUTEX] = 2,        \
		[STREAM_TOUCH] = 2,                                                                \
	}

#define STREAM_OP_WORDS_MAX (1U + STREAM_SITES)

enum stream_region_kind {
	STREAM_REGION_HEAP, /* heap, allocated by brk(2); each extension is a region */
	STREAM_REGION_GLOBAL, /* writable data of the program or of a library */
	STREAM_REGION_PRIVATE, /* mapped by one process for itself */
	STREAM_REGION_SHARED, /* mapped MAP_SHARED */
	STREAM_REGION_NAMED, /* smile_alloc() */
	STREAM_REGION_STACK, /* stack of a thread; only if accesses to stacks count */
	STREAM_REGION_CODE, /* code of an object of the program; no accesses to it count */
};

/**
 * struct stream_region - A region of the program's memory. The entry does not change from the
 * region's REGION record until the reader has replayed all UNMAP records of the region. After that,
 * another region can use the entry.
 * @start: first address, as in the stream
 * @end: one past the last
 * @offset: offset in the file at which the region begins
 * @device: device of the file, 0 if the region has no file
 * @inode: inode of the file
 * @pid: process
 * @kind: enum stream_region_kind
 * @gone: 1: the process has unmapped the region; written by the process
 * @done: number of the region's UNMAP records that the reader has replayed since the process last
 *        set @done to 0; written by the reader
 * @reported: number of the region's UNMAP records that the process has written since it last set
 *            @done to 0
 * @bias: for CODE and GLOBAL, subtract this number from an address in memory to get the address in
 *        the file's ELF headers
 * @path: path of the file, or name of the region, zero-terminated; if it is too long, only its end
 *
 * If the same shared memory is mapped at several addresses, the tracer reports all accesses to this
 * memory with the addresses of the first mapping.
 */
struct stream_region {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
	uint32_t pid;
	uint32_t kind;
	_Atomic uint32_t gone;
	_Atomic uint32_t done;
	_Atomic uint32_t reported;
	uint64_t bias;
	char path[STREAM_PATH_BYTES];
};

/* The reasons for which accesses are left out: indices of stream_channel.left. */
enum stream_left {
	STREAM_LEFT_STACK, /* accesses to the thread's stack or control block */
	STREAM_LEFT_CONSTANT, /* accesses to constants, or to the tables of dynamic linking */
	STREAM_LEFT_CHILD, /* accesses to private memory of a forked process */
	STREAM_LEFT_START, /* accesses by the loader or libc before the program or thread begins */
	STREAM_LEFT_COUNT,
};

#define STREAM_LEFT_ROOM 8U

/*
 * Kinds of data that the program gets from the host, and that may differ in another run: indices of
 * stream_header.host_data. The counts are numbers of calls or of waits.
 */
enum stream_host_data {
	STREAM_HOST_DATA_TIME, /* calls: clocks, and used processor time */
	STREAM_HOST_DATA_RANDOM, /* calls: random numbers */
	STREAM_HOST_DATA_PROCESS, /* calls: ids of processes and threads, load, current processor */
	STREAM_HOST_DATA_FILE, /* calls: files of /proc and /sys that do not describe the machine */
	STREAM_HOST_DATA_MEMORY, /* waits: memory that is read until another thread changes it */
	STREAM_HOST_DATA_COUNT,
};

/* All numbers of system calls are below this number. */
#define STREAM_SYSCALLS 512U

enum stream_state {
	STREAM_FREE_CHANNEL,
	STREAM_OPEN,
	STREAM_ENDED,
};

/**
 * struct stream_channel - The words of one thread.
 * @state: enum stream_state
 * @full: 1: the producer waits for room; a futex
 * @pid: process of the thread, so that the reader can check whether the process is dead
 * @turn: number of the thread's ACQUIRE, SLEEP and WAIT records that the reader has granted; a
 *        futex, on which the thread waits for its turn, except for requests with STREAM_TAKEN
 * @waits: 1: the thread waits for its turn
 * @answer: enum stream_answer to the last record that the reader has granted; written before @turn
 * @alone: STREAM_ALONE() if the thread is the only live thread of its process or of the run; else
 *         0. A thread that is alone takes a lock without waiting for its turn if no other thread
 *         can request the lock
 * @wanted: enum stream_wanted: which words of this channel wake the sleeping reader
 * @interrupted: if a signal handler has ended the thread's wait for a semaphore, the number of the
 *               thread's ACQUIRE, SLEEP and WAIT records up to the WAIT record of this wait; else 0
 * @head: number of words that were written
 * @tail: number of words that were read
 * @written: number of words that were written, including words that @head does not include yet; if
 *           the process has died, the reader uses @written instead of @head
 * @own: data that only the producer uses
 * @control: number of words of control records among the written words
 * @left: numbers of accesses that are left out, by enum stream_left, for all threads that have used
 *        the channel; only the producer writes them, and they are never reset
 */
struct stream_channel {
	_Alignas(64) _Atomic uint32_t state;
	_Atomic uint32_t full;
	_Atomic uint32_t pid;
	_Atomic uint32_t turn;
	_Atomic uint32_t waits;
	_Atomic uint32_t answer;
	_Atomic uint32_t alone;
	_Atomic uint32_t wanted;
	_Atomic uint32_t interrupted;
	_Alignas(64) _Atomic uint64_t head;
	_Alignas(64) _Atomic uint64_t tail;
	_Alignas(64) _Atomic uint64_t written;
	uint64_t own[5];
	_Atomic uint64_t control;
	uint64_t spare;
	_Atomic uint64_t left[STREAM_LEFT_ROOM];
};

enum stream_wanted {
	STREAM_WANTED_NOT,
	STREAM_WANTED_RECORDS, /* control records, and accesses if half of the ring is full */
	STREAM_WANTED_ALL,
};

/*
 * The value of @alone if the thread is the only thread. The tracer and the reader both count the
 * threads and processes that the thread's process has created in its program (@made). When the
 * thread creates another thread or process, the count changes, and a value with the old count is no
 * longer valid.
 */
#define STREAM_ALONE(level, made, program)                                                         \
	((uint32_t)(program) << 23 | ((uint32_t)(made)&0x1fffffU) << 2 | (uint32_t)(level))
#define STREAM_ALONE_LEVEL 3U /* low bits: enum stream_alone */

enum stream_alone {
	STREAM_ALONE_PROCESS = 1, /* the only thread of its process */
	STREAM_ALONE_RUN, /* the only thread of the only process */
};

/*
 * The value of stream_header.gathered. @number is incremented with each new value, and starts at 1.
 * If @processor is 0, threads run on all processors of the host. Otherwise, threads that wait for
 * their turns run only on processor number @processor - 1 of the host.
 */
#define STREAM_GATHERED(number, processor) ((uint32_t)(number) << 12 | (uint32_t)(processor))
#define STREAM_GATHERED_PROCESSOR 0xfffU

enum stream_ready {
	STREAM_NOT_READY,
	STREAM_LOADED, /* the tracer has started */
	STREAM_MARKED, /* its code has begun; the preload library reports threads and locks */
	STREAM_UNMARKED, /* its code has begun without the preload library: it may be static */
};

/**
 * struct stream_header - The beginning of the memory.
 * @magic: STREAM_MAGIC, written by the reader before the program starts
 * @version: STREAM_VERSION
 * @reader: process id of the reader; if this process has ended, producers drop their words; 0: not
 *          known
 * @bytes: size of the whole memory
 * @pids: number of traced processes, valid when @ready is STREAM_MARKED or STREAM_UNMARKED. A
 *        process that is killed does not decrement it, so the replay queries the system instead
 * @regions: number of regions; the table holds only the first STREAM_REGIONS of them
 * @claimed: number of channels that were claimed so far
 * @refused: number of threads for which no channel was free, and whose accesses are missing
 * @stop: 1: the reader no longer reads, and producers drop their words
 * @ready: enum stream_ready, which shows whether the program was ever traced; a futex
 * @turns: 1: threads wait for their turns, so that locks, conditions and semaphores pass from
 *         thread to thread in the order of the replay. 0: they pass in the order of the host, which
 *         the replay follows as far as it can
 * @untaken: number of turns for which a thread could not wait because QEMU had to stop the thread
 * @interrupted: number of waits for semaphores that signal handlers have ended
 * @processors: number of the machine's processors that the program sees; written by the reader
 *              before the program starts
 * @node_of: the nodes on which threads run, in the order of the threads' numbers; written by the
 *           reader before the program starts
 * @node_of_count: number of entries of @node_of; 0: not known
 * @node_of_block: number of consecutive threads that run on the node of one entry of @node_of
 * @node_of_repeats: 1: threads with higher numbers run on the same nodes, from the first entry on
 *                   again; 0: they run on the node of the last entry
 * @file: descriptor of this memory in the process @reader; programs that are executed open it
 *        through this process
 * @processes: the last number that was given to a forked process or to a program
 * @notes: enum stream_note, written by tracers
 * @hold: 1: the program waits at the beginning of its code, so that the reader can create its
 *        files. 0: the program continues. A futex
 * @unknown: number of accesses that should have been counted, but went to memory that is not in the
 *           tracer's table
 * @unknown_at: address of the first of these accesses
 * @host_data: number of uses of data from the host, by enum stream_host_data
 * @unsupported: number of system calls that QEMU has rejected or ignored but that the kernel would
 *               have executed, by call number
 * @idle: number of times that the reader has found nothing to replay
 * @asleep: 1: the reader sleeps, or is about to sleep; a futex
 * @gathered: STREAM_GATHERED(): the processor of the host on which threads wait for their turns
 * @host: the processors of the host on which the reader may run; written by the reader before the
 *        program starts
 * @wakes: number of the last wake-up
 * @wake: number of the last wake-up at each futex, by a hash of its address. Different futexes can
 *        have the same hash, so the number can be too late, but never too early
 */
struct stream_header {
	uint64_t magic;
	uint32_t version;
	uint32_t reader;
	uint64_t bytes;
	_Atomic uint32_t pids;
	_Atomic uint32_t regions;
	_Atomic uint32_t claimed;
	_Atomic uint32_t refused;
	_Atomic uint32_t stop;
	_Atomic uint32_t ready;
	_Atomic uint32_t turns;
	_Atomic uint32_t untaken;
	_Atomic uint32_t interrupted;
	uint32_t processors;
	uint32_t node_of_count;
	uint32_t node_of_block;
	uint32_t node_of_repeats;
	uint8_t node_of[STREAM_NODES_OF];
	_Atomic uint32_t hold;
	_Atomic uint64_t unknown;
	_Atomic uint64_t unknown_at;
	uint32_t file;
	_Atomic uint32_t processes;
	_Atomic uint32_t notes;
	_Atomic uint64_t host_data[STREAM_HOST_DATA_COUNT];
	_Atomic uint32_t unsupported[STREAM_SYSCALLS];
	_Atomic uint32_t idle;
	_Atomic uint32_t asleep;
	_Atomic uint32_t gathered;
	cpu_set_t host;
	_Atomic uint64_t wakes;
	_Atomic uint64_t wake[STREAM_WAKES];
};

/* The offsets of the parts of the memory. */
#define STREAM_REGIONS_AT ((sizeof(struct stream_header) + 4095) & ~(uint64_t)4095)
#define STREAM_CHANNELS_AT                                                                         \
	((STREAM_REGIONS_AT + STREAM_REGIONS * sizeof(struct stream_region) + 4095) &              \
	 ~(uint64_t)4095)
#define STREAM_WORDS_AT                                                                            \
	((STREAM_CHANNELS_AT + STREAM_CHANNELS * sizeof(struct stream_channel) + 4095) &           \
	 ~(uint64_t)4095)
#define STREAM_BYTES (STREAM_WORDS_AT + (uint64_t)STREAM_CHANNELS * STREAM_CHANNEL_WORDS * 8)

/*
 * The preload library calls the tracer by the system call STREAM_CALL. This number belongs to no
 * system call of the kernel, so every kernel rejects it. The first argument is enum stream_call. In
 * the descriptions below, 1 to 5 are the arguments that follow the first. Without a tracer, the
 * preload library does not use this call.
 */
#define STREAM_CALL 0x534d
#define STREAM_SIGNALS 65U /* one more than the largest number of a signal */

enum stream_call {
	/* The program's own code is about to begin. 1: lowest address of the main thread's stack;
	 * 2: one past its highest address; 3 and 4: first address, and one past the last address,
	 * of the code of the preload library whose accesses count. */
	STREAM_CALL_START,
	/* The calling thread has this key. 1: key; 2 and 3: its stack. */
	STREAM_CALL_BEGIN,
	/* 1: key of the new thread; 2: 1 if the new thread is a new process, else 0. */
	STREAM_CALL_CREATE,
	STREAM_CALL_JOIN, /* 1: key */
	STREAM_CALL_PHASE, /* 1 to 5: name */
	STREAM_CALL_NAME, /* 1: address, 2: bytes, 3 to 5: name: a region of smile_alloc() */
	STREAM_CALL_PLACE, /* 1: address, 2: bytes, 3: node, 4: 1: move pages with a home */
	STREAM_CALL_BARRIER, /* 1: barrier, 2: threads */
	/*
	 * 1: lock; 2: flags, as in the record; 3: address to which enum stream_turn is written, or
	 * 0 if the call itself waits for the turn; 4: address to which enum stream_answer is
	 * written, or 0. Until ACQUIRED, the thread waits for the lock, and its futexes are not
	 * reported.
	 */
	STREAM_CALL_ACQUIRE,
	STREAM_CALL_ACQUIRED, /* 1: lock */
	STREAM_CALL_RELEASE, /* 1: lock */
	/*
	 * The thread begins to wait at a barrier or a join. Its futexes are not reported until
	 * RESUME.
	 */
	STREAM_CALL_PAUSE,
	STREAM_CALL_RESUME,
	/* 1: address; 2: number of bytes; 3: return address of the call; 4: struct stream_registers
	 * of a function that this call has entered, or 0 */
	STREAM_CALL_ALLOCATE,
	STREAM_CALL_FREE, /* 1: address */
	/*
	 * 1: address to which 1 is written if threads wait for turns; 2: address to which 1 is
	 * written if FRAMES must be called.
	 */
	STREAM_CALL_TURNS,
	/*
	 * Continue to wait for a turn. 1: address for enum stream_turn; 2: 1 if a signal handler
	 * ends the wait.
	 */
	STREAM_CALL_AWAIT,
	STREAM_CALL_REST, /* also does PAUSE */
	STREAM_CALL_SLEEP, /* 1: condition, 2: lock; also does PAUSE; AWAIT then waits */
	STREAM_CALL_SIGNAL, /* 1: condition, 2: 1 if all threads continue */
	STREAM_CALL_SEMAPHORE, /* 1: semaphore, 2: as in the second word of SEMAPHORE */
	/* 1: semaphore; 2: flags, as in the record; 3: count; 4: as 3 of ACQUIRE; also PAUSE */
	STREAM_CALL_WAIT,
	STREAM_CALL_POST, /* 1: semaphore, 2: count before */
	STREAM_CALL_CHANCE, /* 1: enum stream_chance */
	/*
	 * Report the functions that are active in the thread. 1: struct stream_registers of the
	 * function that makes this call; 2: the function that the caller of this function is about
	 * to call, or 0.
	 */
	STREAM_CALL_FRAMES,
	STREAM_CALL_SITE, /* 1: return address; called before ACQUIRE */
	STREAM_CALL_PROCESSORS, /* 1: address for the number of processors */
	STREAM_CALL_NODE, /* 1: number of a thread, 2: address for its node */
	STREAM_CALL_NOTE, /* 1: enum stream_note */
	/*
	 * 1: function that QEMU calls instead of each signal handler; 2: array of the handlers, by
	 * the number of the signal.
	 */
	STREAM_CALL_HANDLERS,
	/* 1: address; 2: address to which 1 is written if the memory is a shared mapping */
	STREAM_CALL_SHARED,
};

/* The registers of x86-64 from which the registers of all callers can be computed. */
struct stream_registers {
	uint64_t rip;
	uint64_t rsp;
	uint64_t rbp;
	uint64_t rbx;
	uint64_t r12;
	uint64_t r13;
	uint64_t r14;
	uint64_t r15;
};

/* The answer to a thread's request when its turn has come. */
enum stream_answer {
	STREAM_ANSWER_NONE, /* the request was granted */
	STREAM_ANSWER_TAKEN, /* the request was refused, because another thread holds the lock */
	STREAM_ANSWER_HOST, /* the host decides whether another thread holds the lock */
};

/*
 * How the wait for a turn has ended. The value is not written if the thread must wait again, for
 * example after a signal.
 */
enum stream_turn {
	STREAM_TURN_GIVEN = 1,
	STREAM_TURN_NONE, /* threads do not wait for turns, or no longer */
	STREAM_TURN_INTERRUPTED, /* a signal handler has ended the wait */
};

#endif /* TRACE_STREAM_H */
