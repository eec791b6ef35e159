/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The trace stream: the reports of a running traced program about its accesses.
 *
 * What lives here: the layout of the memory between a tracer, which writes, and the schedule, which
 * reads and assigns nodes and clocks; and the numbers by which a program's own marks reach the
 * tracer. It has no code. It may use <stdint.h> and <stdatomic.h>. Not installed: both sides are of
 * one build. Defined by this project; no paper has it.
 *
 * The memory is one file (memfd), shared by the reader and by every process of the program: struct
 * stream_header, then regions[STREAM_REGIONS], then channels[STREAM_CHANNELS], then the words of
 * each channel. A channel is a ring of 64-bit words with one producer, a thread of the program, and
 * one consumer. A thread claims a channel when the thread begins (state FREE to OPEN, by compare
 * and swap). The reader frees the channel, empty (state to FREE), once the thread has ended (ENDED)
 * or its process is dead, and all words are read.
 *
 * Head and tail count words since the claim and never wrap. The producer writes words, then stores
 * head with release; the consumer loads head with acquire, reads, then stores tail with release;
 * the producer loads tail with acquire. A control record and its words become visible together. A
 * producer that finds no room sets @full to 1 and waits on it with futex(2). The consumer, after it
 * has made room, sets @full to 0 and wakes the producer. Words are dropped only if the reader stops
 * (stream_header.stop) or has ended.
 *
 * An idle reader marks the channels from which it needs words (@wanted), sets stream_header.asleep
 * to 1, reads their heads once more, and waits on asleep with futex(2). A producer of a marked
 * channel reads asleep after it has stored head. If asleep is 1, and these words are wanted, the
 * producer sets asleep to 0 and wakes the reader.
 *
 * An access is one word. All other reports are control records: one word, followed by the words of
 * the record's kind.
 */
#ifndef RUN_STREAM_H
#define RUN_STREAM_H

#include <stdatomic.h>
#include <stdint.h>

#define STREAM_MAGIC 0x315254454c494d53ULL /* "SMILETR1" */
#define STREAM_VERSION 17U

#define STREAM_CHANNELS 1024U
#define STREAM_CHANNEL_WORDS 65536U /* a power of two */
#define STREAM_REGIONS 4096U
#define STREAM_PATH_BYTES 200U
#define STREAM_WAKES 4096U /* a power of two */

/* Fields of a word: its kind, and the data of a kind. */
#define STREAM_ADDRESS 0x0000ffffffffffffULL /* 47-0: address, or a control record's value */
#define STREAM_KIND_SHIFT 48 /* 49-48: enum stream_kind */
#define STREAM_KIND 0x3ULL
#define STREAM_SIZE_SHIFT 50 /* 52-50: an access: log2 of its bytes, 0 to 6 */
#define STREAM_SIZE 0x7ULL
#define STREAM_WORK_SHIFT 53 /* 63-53: an access: instructions since the thread's last record */
#define STREAM_WORK_MAX 0x7ffULL
#define STREAM_OP_SHIFT 50 /* 57-50: a control record: enum stream_op */
#define STREAM_OP 0xffULL

enum stream_kind {
	STREAM_READ,
	STREAM_WRITE,
	STREAM_LOCK, /* an atomic read-modify-write: one access */
	STREAM_CONTROL,
};

/*
 * Control records: the value in the word, then the words that follow. If the thread executed
 * instructions before a control record, a WORK record precedes it.
 *
 * A thread is identified by its key, which the program's side creates: it is unique in the run, and
 * implies no order. Locks, barriers, conditions and semaphores are identified by their address. If
 * another process has a private object at the same address, a number with bit 47, which no
 * program's own address has, identifies it instead.
 */
enum stream_op {
	/*
	 * value: instructions executed since the last record. Instructions of code whose accesses
	 * do not count (libc, the loader, libgomp) are not work, unless the tracer is configured to
	 * count all code.
	 */
	STREAM_WORK,
	/*
	 * A channel's first record. value: process id; 1: key, or 0 if the thread has no key; 2:
	 * thread id of the system.
	 */
	STREAM_BEGIN,
	/* The channel's last record. */
	STREAM_END,
	/*
	 * The thread has created another thread. value: key of the new thread; 1: 1 if it is
	 * another process. The new thread's BEGIN may precede this record, but this record is
	 * always written.
	 */
	STREAM_CREATE,
	/*
	 * The thread waits for the end of another thread. value: key of the other thread.
	 */
	STREAM_JOIN,
	/* A named phase begins, for all threads. words 1 to 5: name, zero-padded. */
	STREAM_PHASE,
	/* A region of memory exists from now on. value: index into the table of regions. */
	STREAM_REGION,
	/* A region was unmapped. value: index. */
	STREAM_UNMAP,
	/*
	 * Pages have been returned to the system: the next access to each page gets a new page. Or
	 * pages have moved with their contents. value: first address; 1: bytes; 2: new address of
	 * the first, or 0.
	 */
	STREAM_DISCARD,
	/* Pages should lie on a node. value: first address; 1: bytes; 2: node. */
	STREAM_PLACE,
	/*
	 * The thread has reached a barrier and continues when all threads have reached it. value:
	 * barrier; 1: number of threads of the barrier.
	 */
	STREAM_BARRIER,
	/*
	 * The thread requests a lock and continues when it holds it. value: lock; 1: STREAM_SHARED
	 * and the other flags of the request, or 0.
	 */
	STREAM_ACQUIRE,
	/* The thread has released the lock. value: lock. */
	STREAM_RELEASE,
	/* The thread is about to wait in the kernel for an event that the tracer cannot see.
	 * value: number of the system call. */
	STREAM_BLOCK,
	/*
	 * The wait has ended. value: number of the wake-up (WAKE) that may have ended it, or 0.
	 */
	STREAM_UNBLOCK,
	/*
	 * The thread has woken other threads. value: number of this wake-up, from
	 * stream_header.wakes.
	 */
	STREAM_WAKE,
	/*
	 * A block of the heap was allocated, by the calls of the thread's last CALLERS. value:
	 * address; 1: bytes. /
	 */
	STREAM_ALLOCATE,
	/* The block was freed. value: address. */
	STREAM_FREE,
	/*
	 * The process executes another program. words 1 to 5: end of its name. value: its number,
	 * below STREAM_PROGRAMS: the thread continues in it as its only thread; all mappings of the
	 * process are removed. Or 0: the program is not traced, and the thread's END follows. If
	 * the call then fails, the thread begins again, with key 0.
	 */
	STREAM_EXEC,
	/* The process ends. value: exit status as in wait(2), if it is known to the tracer. */
	STREAM_EXIT,
	/*
	 * The thread is idle until another thread gives it work: its next record describes how the
	 * two threads meet.
	 */
	STREAM_REST,
	/*
	 * The thread releases a lock and sleeps until it is signalled. value: condition; 1: lock.
	 */
	STREAM_SLEEP,
	/*
	 * The thread that has slept longest at a condition continues. value: condition; 1: 0, or 1
	 * if all threads continue.
	 */
	STREAM_SIGNAL,
	/* A semaphore is initialised. value: semaphore; 1: its count. */
	STREAM_SEMAPHORE,
	/*
	 * The thread continues when the count is above 0, and decrements it. value: semaphore; 1:
	 * STREAM_TAKEN, STREAM_ONCE, STREAM_OWN or 0; 2: its count, for a reader that does not have
	 * the semaphore.
	 */
	STREAM_WAIT,
	/*
	 * The thread increments the count. value: semaphore; 1: its count before, for a reader that
	 * does not have the semaphore.
	 */
	STREAM_POST,
	/*
	 * The thread's next step depends on which of several events was first on the host. value:
	 * enum stream_chance.
	 */
	STREAM_CHANCE,
	/*
	 * A function that the thread is in, if stacks count; each function is reported at least
	 * once. value: address in the function to which its callee returns; 1: canonical frame
	 * address: the stack pointer before the function was called; 2: its stack pointer now; 3:
	 * its rbp now. Or, if 2 is 0, a function that the thread is about to enter; value: its
	 * first instruction.
	 */
	STREAM_FRAME,
	/*
	 * The next lock that the thread requests is requested by this call. value: its return
	 * address.
	 */
	STREAM_SITE,
	/* The wait has reached its time limit; its UNBLOCK follows. value: the limit in ns, as the
	 * program gave it. */
	STREAM_PASS,
	/*
	 * The calls that allocate the thread's blocks from now on. words 1 to 16: return addresses,
	 * the innermost first, each once; unused or unknown ones are 0.
	 */
	STREAM_CALLERS,
	/*
	 * The process is a copy of the process that forked it: from now on its private memory has
	 * separate addresses. value: its number, below STREAM_PROCESSES.
	 */
	STREAM_COPY,
	/*
	 * The BLOCK or WAKE that follows is at a futex. value: address of the futex; 1: largest
	 * number of woken threads. Only a wake-up at this futex wakes the blocking thread.
	 */
	STREAM_FUTEX,
	STREAM_OP_COUNT,
};

#define STREAM_SHARED 1U /* together with other threads that request it shared */
#define STREAM_TAKEN 2U /* the lock has been taken already, out of turn */
#define STREAM_TRY 4U /* the thread continues in any case: see enum stream_answer */
#define STREAM_AGAIN 8U /* the thread may hold the lock already */
#define STREAM_ONCE 16U /* a semaphore for one wait and one post, then removed */
#define STREAM_ORDER 32U /* not a lock of the program: a turn among equal requests */
#define STREAM_ROLE                                                                                \
	64U /* with ORDER: an atomic instruction, which may give the thread its number */

#define STREAM_OWN 128U /* no other process takes this lock or semaphore */
#define STREAM_LOOP 256U /* not a lock of the program: the next chunk of a loop */
#define STREAM_UNHELD 512U /* with TRY: no thread of the program holds it */

enum stream_chance {
	STREAM_CHANCE_TRY, /* a lock that is only tried, or for a time */
	STREAM_CHANCE_TIME, /* a wait that ends after a time */
	STREAM_CHANCE_TASK, /* tasks of OpenMP */
	STREAM_CHANCE_CHILD, /* which of several children ends first */
	STREAM_CHANCE_ITERATION, /* iterations of a loop that wait for others */
	STREAM_CHANCE_MEMORY, /* memory from the system that threads get out of turn */
	STREAM_CHANCE_COUNT,
};

/*
 * Each program that a process executes has separate addresses in the stream, and so has each forked
 * process, which is a copy of a program. The process that was started is number 0, and its
 * addresses are unchanged. A forked process gets the next number, which its parent allocates, so
 * that the numbers of a parent's children do not depend on the host. The first program that process
 * N executes is number STREAM_PROCESSES + N; a later program gets a number as if another process
 * executed it.
 *
 * The addresses of number N are reported above the addresses that a process can have: in the 256 GB
 * from STREAM_PROGRAM_AT(N). This range has eight slots of 32 GB. Each used part of 32 GB of the
 * process's address space has one slot. The parts of one mapping have neighbouring slots.
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

/* The stack of a program whose stack is not limited. */
#define STREAM_STACK_BYTES (1UL << 30)

/* Notes that are reported at the end: bits of stream_header.notes. */
enum stream_note {
	/*
	 * The program was about to execute an instruction of AVX-512, which QEMU does not emulate.
	 */
	STREAM_NOTE_AVX512 = 1,
	/* The program loaded a library with RTLD_DEEPBIND, but the flag was ignored. */
	STREAM_NOTE_DEEPBIND = 2,
	/* The program loaded a library into a separate namespace (dlmopen(3)). */
	STREAM_NOTE_NAMESPACE = 4,
	/* An executed program, or a forked process, uses more parts than the eight slots. */
	STREAM_NOTE_BEYOND = 8,
	/* A process was forked when no number was free: its private memory does not count. */
	STREAM_NOTE_UNNUMBERED = 16,
};

#define STREAM_NAME_WORDS 5U
#define STREAM_NAME_BYTES (STREAM_NAME_WORDS * 8U) /* with its final zero */
#define STREAM_SITES 16U

/* Words of a control record of each kind, the first included: for the tables of both sides. */
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
	}

#define STREAM_OP_WORDS_MAX (1U + STREAM_SITES)

enum stream_region_kind {
	STREAM_REGION_HEAP, /* allocated by brk(2); each growth is a region */
	STREAM_REGION_GLOBAL, /* writable data of the program or of a library */
	STREAM_REGION_PRIVATE, /* mapped by one process for itself */
	STREAM_REGION_SHARED, /* mapped MAP_SHARED */
	STREAM_REGION_NAMED, /* smile_alloc() */
	STREAM_REGION_STACK, /* stack of a thread: only if configured */
	STREAM_REGION_CODE, /* no accesses counted: tells where an object of the program lies */
};

/**
 * struct stream_region - Memory of the program. Constant from its REGION record until the reader
 * has replayed all its UNMAP records: then another region can use the entry.
 * @start: first address, as in the stream
 * @end: one past the last
 * @offset: offset in the file at which the region begins
 * @device: device of the file, 0 if the region has no file
 * @inode: inode of the file
 * @pid: process
 * @kind: enum stream_region_kind
 * @gone: the process has unmapped the region: written by the process
 * @done: number of its UNMAP records replayed since the process last set it to 0: written by the
 *        reader
 * @reported: number of its UNMAP records written since then: written by the process
 * @bias: subtract it from an address to get the address in the file's ELF headers; CODE and GLOBAL
 * @path: file or name, zero-terminated; only its end if it is too long
 *
 * If the same shared memory is mapped at several addresses, all accesses are reported with the
 * addresses of the first mapping.
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

/* Why accesses are left out: indices of stream_channel.left. */
enum stream_left {
	STREAM_LEFT_STACK, /* to the thread's stack or control block */
	STREAM_LEFT_CONSTANT, /* to constants, or to tables by which objects are linked */
	STREAM_LEFT_CHILD, /* to private memory of a forked process */
	STREAM_LEFT_START, /* by the loader or the C library, before program or thread began */
	STREAM_LEFT_COUNT,
};

#define STREAM_LEFT_ROOM 8U

/*
 * Data that a program gets from the host, and that may differ in another run: indices of
 * stream_header.asked.
 */
enum stream_asked {
	STREAM_ASKED_TIME, /* clocks, and used time: calls */
	STREAM_ASKED_RANDOM, /* random numbers: calls */
	STREAM_ASKED_PROCESS, /* ids of processes and threads, the host's load, processor: calls */
	STREAM_ASKED_FILE, /* files of /proc and /sys that do not describe the machine: calls */
	STREAM_ASKED_MEMORY, /* memory that is read until another thread changes it: waits */
	STREAM_ASKED_COUNT,
};

/* System calls have numbers below this. */
#define STREAM_SYSCALLS 512U

enum stream_state {
	STREAM_FREE_CHANNEL,
	STREAM_OPEN,
	STREAM_ENDED,
};

/**
 * struct stream_channel - The words of one thread.
 * @state: enum stream_state
 * @full: the producer waits for room: a futex
 * @pid: process of the thread, for a reader that checks whether it is dead
 * @turn: number of the thread's ACQUIRE, SLEEP and WAIT records that have been replayed to their
 *        end: a futex on which the thread waits for its turn, unless STREAM_TAKEN
 * @waits: the thread waits for its turn
 * @answer: enum stream_answer, to the last of these records, written before @turn
 * @alone: STREAM_ALONE() of the thread, or 0. The thread is the only live thread of its process, or
 *         of the run. It takes locks that only these threads take immediately, and need not wait
 *         for its turn
 * @wanted: enum stream_wanted: the words of this channel that end the reader's sleep
 * @head: words written
 * @tail: words read
 * @written: words written, including words that @head does not include yet: if the process died,
 *           the reader uses @written in place of @head
 * @own: for the producer only
 * @control: words of control records among the words written
 * @left: accesses that are left out, by enum stream_left, of all threads that have used the
 *        channel: written only by the producer, and never reset
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
	STREAM_WANTED_RECORDS, /* control records, or accesses if half of the ring is full */
	STREAM_WANTED_ALL,
};

/*
 * A thread reads this value while it is the only thread. The value is valid until the thread
 * creates another thread or process: both sides count the threads and processes that its process
 * has created in its program.
 */
#define STREAM_ALONE(level, made, program)                                                         \
	((uint32_t)(program) << 23 | ((uint32_t)(made)&0x1fffffU) << 2 | (uint32_t)(level))
#define STREAM_ALONE_LEVEL 3U /* in its low bits: enum stream_alone */

enum stream_alone {
	STREAM_ALONE_PROCESS = 1, /* the only thread of its process */
	STREAM_ALONE_RUN, /* the only thread of the only process */
};

enum stream_ready {
	STREAM_NOT_READY,
	STREAM_LOADED, /* the tracer has started */
	STREAM_MARKED, /* the program's code has begun, and marks report its threads and locks */
	STREAM_UNMARKED, /* the code has begun without marks: static, or no preload library */
};

/**
 * struct stream_header - The beginning of the memory.
 * @magic: STREAM_MAGIC, written by the reader before the program starts
 * @version: STREAM_VERSION
 * @reader: process id of the reader; if it has ended, producers drop their words; 0: not known
 * @bytes: size of the whole memory
 * @pids: number of traced processes, from STREAM_MARKED or STREAM_UNMARKED on; killed processes
 *        have not decremented it, so the replay queries the system instead
 * @regions: number of regions; regions beyond STREAM_REGIONS are not in the table
 * @claimed: channels claimed so far
 * @refused: threads that found no channel: their accesses are missing
 * @stop: the reader takes no more words: producers drop theirs
 * @ready: enum stream_ready: it tells a reader whether the program was ever traced; a futex
 * @turns: 1: the reader gives turns (stream_channel.turn): locks, conditions and semaphores pass
 *         from thread to thread in the order of the replay. 0: in the host's order, which the
 *         replay follows as far as it can
 * @untaken: number of turns for which a thread could not wait, because QEMU had to stop it
 * @processors: number of the machine's processors that the program sees; written by the reader
 *              before the program starts
 * @file: descriptor of this memory in the process @reader, for programs that are executed
 * @processes: number of the last process that was forked, or that represents a program
 * @notes: enum stream_note, written by tracers
 * @hold: 1: the program waits at the beginning of its code: the reader creates its files only then.
 *        0: the program continues, and is woken
 * @unknown: number of accesses that should have been counted, but went to memory that is not in the
 *           tracer's table
 * @unknown_at: address of the first of these accesses
 * @asked: number of uses of data from the host, by enum stream_asked
 * @unsupported: number of system calls that QEMU has rejected or ignored but that the kernel would
 *               have executed, by call number
 * @idle: number of times that the reader has found nothing to replay
 * @asleep: the reader sleeps, or is about to: a futex
 * @wakes: number of the last wake-up
 * @wake: the last wake-up at a futex, by a hash of its address: not exact, never too early
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
	uint32_t processors;
	_Atomic uint32_t hold;
	_Atomic uint64_t unknown;
	_Atomic uint64_t unknown_at;
	uint32_t file;
	_Atomic uint32_t processes;
	_Atomic uint32_t notes;
	_Atomic uint64_t asked[STREAM_ASKED_COUNT];
	_Atomic uint32_t unsupported[STREAM_SYSCALLS];
	_Atomic uint32_t idle;
	_Atomic uint32_t asleep;
	_Atomic uint64_t wakes;
	_Atomic uint64_t wake[STREAM_WAKES];
};

/* Offsets in the memory. */
#define STREAM_REGIONS_AT ((sizeof(struct stream_header) + 4095) & ~(uint64_t)4095)
#define STREAM_CHANNELS_AT                                                                         \
	((STREAM_REGIONS_AT + STREAM_REGIONS * sizeof(struct stream_region) + 4095) &              \
	 ~(uint64_t)4095)
#define STREAM_WORDS_AT                                                                            \
	((STREAM_CHANNELS_AT + STREAM_CHANNELS * sizeof(struct stream_channel) + 4095) &           \
	 ~(uint64_t)4095)
#define STREAM_BYTES (STREAM_WORDS_AT + (uint64_t)STREAM_CHANNELS * STREAM_CHANNEL_WORDS * 8)

/*
 * The program's side calls the tracer by system call STREAM_CALL, which no kernel has and all
 * reject. The first argument is enum stream_call, and at most five further arguments follow.
 * Without a tracer the program's side does not use this call.
 */
#define STREAM_CALL 0x534d

enum stream_call {
	/* The program's own code is about to begin; 1: lowest address of the main thread's stack,
	 * 2: one past its highest; 3, 4: code of the preload library whose accesses count, its end
	 * excluded. */
	STREAM_CALL_START,
	/* The calling thread has this key; 1: key; 2, 3: its stack. */
	STREAM_CALL_BEGIN,
	/* 1: key; 2: 1 if it is another process. */
	STREAM_CALL_CREATE,
	STREAM_CALL_JOIN, /* 1: key */
	STREAM_CALL_PHASE, /* 1 to 5: name */
	STREAM_CALL_NAME, /* 1: address, 2: bytes, 3 to 5: name: a region of smile_alloc() */
	STREAM_CALL_PLACE, /* 1: address, 2: bytes, 3: node, 4: 1: move pages with a home */
	STREAM_CALL_BARRIER, /* 1: barrier, 2: threads */
	/*
	 * 1: lock, 2: flags as in the record; 3: where to write an enum stream_turn, or 0: the call
	 * waits for the turn; 4: where to write the enum stream_answer, or 0. Until ACQUIRED the
	 * thread waits for the lock: its futexes are not reported.
	 */
	STREAM_CALL_ACQUIRE,
	STREAM_CALL_ACQUIRED, /* 1: lock */
	STREAM_CALL_RELEASE, /* 1: lock */
	/*
	 * The thread begins to wait at a barrier or a join: its futexes are not reported until
	 * RESUME.
	 */
	STREAM_CALL_PAUSE,
	STREAM_CALL_RESUME,
	/* 1: address, 2: bytes, 3: return address of the call; 4: struct stream_registers of a
	 * function in that call, or 0 */
	STREAM_CALL_ALLOCATE,
	STREAM_CALL_FREE, /* 1: address */
	/*
	 * 1: where to write 1 if the reader gives turns, 2: where to write 1 if FRAMES must be
	 * reported.
	 */
	STREAM_CALL_TURNS,
	STREAM_CALL_AWAIT, /* 1: where to write an enum stream_turn: continue to wait for it */
	STREAM_CALL_REST, /* includes PAUSE */
	STREAM_CALL_SLEEP, /* 1: condition, 2: lock; includes PAUSE. AWAIT then waits */
	STREAM_CALL_SIGNAL, /* 1: condition, 2: 1 if all threads continue */
	STREAM_CALL_SEMAPHORE, /* 1: semaphore, 2: count */
	/* 1: semaphore, 2: flags as in the record, 3: count, 4: as ACQUIRE's 3; includes PAUSE. */
	STREAM_CALL_WAIT,
	STREAM_CALL_POST, /* 1: semaphore, 2: count before */
	STREAM_CALL_CHANCE, /* 1: enum stream_chance */
	/* Report the functions that the thread is in. 1: struct stream_registers of the function
	 * that calls this; 2: the function that its caller is about to call, or 0. */
	STREAM_CALL_FRAMES,
	STREAM_CALL_SITE, /* 1: return address: before ACQUIRE */
	STREAM_CALL_PROCESSORS, /* 1: where to write the number of the machine's processors */
	STREAM_CALL_NOTE, /* 1: enum stream_note */
};

/* Registers of x86-64 from which all callers' registers can be computed. */
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

/* The answer to a thread's request at its turn. */
enum stream_answer {
	STREAM_ANSWER_NONE, /* the thread has what it requested */
	STREAM_ANSWER_TAKEN, /* no: another thread holds it */
	STREAM_ANSWER_HOST, /* the host decides whether another thread holds it */
};

/* How waiting for a turn ended; not written if a signal ended it. */
enum stream_turn {
	STREAM_TURN_GIVEN = 1,
	STREAM_TURN_NONE, /* the reader gives no turns, or no further turns */
};

#endif /* TRACE_STREAM_H */
