/* SPDX-License-Identifier: MIT */
/*
 * Placement lines: parses a placement file, line by line.
 *
 * What lives here: the only parser of placement files. `smile advise` writes such a file; `smile
 * run --place` and `smile place` read it. Its lines have these forms:
 *
 * 	pages FIRST[-LAST] node N [own|file]
 * 	bytes ADDRESS+COUNT node N [own|file]
 * 	program PATH [ARGUMENTS]
 * 	object PATH BUILD
 * 	region START+BYTES data PATH LINK
 * 	region START+BYTES variable PATH LINK NAME
 * 	region START+BYTES block NTH PATH LINK [NAME]
 * 	region START+BYTES named NTH NAME
 * 	region START+BYTES mapping NTH private|shared [PATH]
 * 	order ADDRESS threads T,T,...
 * 	default first-touch
 *
 * # begins a comment. Numbers are decimal, or hexadecimal after 0x. In a word, %XX stands for the
 * byte with the hexadecimal number XX. A line `program` names the recorded program and its
 * arguments, separated by line feeds. The file has the arguments because the contents of a page can
 * depend on them. The lines `pages` and `bytes` give the node for memory at an address of the
 * recorded run. A line `region` names the data at such an address, because the data can be at
 * another address in the next run. LINK is an address in the ELF headers of the file PATH. A line
 * `object` gives the build id of the file PATH.
 *
 * NTH distinguishes regions with the same description. It counts from 0, in the order in which the
 * program first used their addresses; several regions at one address have one number. For `block`,
 * it counts the blocks of 4096 bytes or more that were allocated by the call that returns to LINK.
 * For `named`, it counts the regions with the name NAME. For `mapping`, it counts the mappings of
 * the same size and kind.
 *
 * A line `order` gives the order in which threads first take the lock at ADDRESS in the recorded
 * run. A line `default` sets the policy of `smile run` for pages that no line names. Its only
 * policy, first-touch, places each page on the node that accesses the page first. The same policy
 * applies to pages with the word `own`. In the recorded run, only node N accessed such a page, but
 * in another run, another node may access it. Pages with the word `file` are constants of a file.
 * `smile place` does not place these pages, because the kernel has only one copy of them.
 */
#ifndef LIB_ANALYSIS_PLACEMENT_LINES_H
#define LIB_ANALYSIS_PLACEMENT_LINES_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

/* Each thread number in an `order` line must be below this limit. */
#define PLACEMENT_THREADS_MAX (1U << 20)

/*
 * Each lock in an `order` line must be below this limit. A lock is an address of SMILE_ADDRESS_BITS
 * bits. Above these bits is the number of the process that owns the lock; it is below 65535.
 */
#define PLACEMENT_LOCK_END (65535ULL << SMILE_ADDRESS_BITS)

enum placement_line_kind {
	PLACEMENT_LINE_PLACE, /* pages or bytes */
	PLACEMENT_LINE_PROGRAM,
	PLACEMENT_LINE_OBJECT,
	PLACEMENT_LINE_REGION,
	PLACEMENT_LINE_ORDER,
	PLACEMENT_LINE_DEFAULT,
};

/* This is the only policy that `default` can name. */
#define PLACEMENT_FIRST_TOUCH "first-touch"

enum placement_region_kind {
	PLACEMENT_DATA, /* writable data of an object */
	PLACEMENT_VARIABLE,
	PLACEMENT_BLOCK, /* block of the heap */
	PLACEMENT_NAMED, /* smile_alloc() */
	PLACEMENT_PRIVATE, /* a mapping */
	PLACEMENT_SHARED,
};

/**
 * struct placement_line - The contents of a line. If the description of a member names a kind of
 * line or region, the member is valid only for this kind.
 * @number: number of the line, from 1
 * @kind: kind of the line
 * @start: for PLACE and REGION, the first byte; for ORDER, the lock
 * @bytes: for PLACE and REGION, the number of bytes
 * @node: for PLACE, the node
 * @own: for PLACE: only @node accessed the memory
 * @file: for PLACE: the memory is a constant of a file
 * @region: for REGION, the kind of the region
 * @nth: for regions of the kinds BLOCK, NAMED, PRIVATE and SHARED, the number NTH
 * @link: for regions of the kinds DATA, VARIABLE and BLOCK, the address LINK
 * @path: for PROGRAM, OBJECT and regions with a path, the path; "" otherwise. Valid only during the
 *        call of the placement_line_fn
 * @threads: for ORDER, the thread numbers; shape [@thread_count]. Valid only during the call of the
 *        placement_line_fn
 * @thread_count: number of threads
 * @name: for regions of the kinds VARIABLE, BLOCK and NAMED, the name; for OBJECT, the build id;
 *        for PROGRAM, the arguments; "" otherwise. Valid only during the call of the
 *        placement_line_fn
 */
struct placement_line {
	size_t number;
	enum placement_line_kind kind;
	uint64_t start;
	uint64_t bytes;
	uint64_t node;
	int own;
	int file;
	enum placement_region_kind region;
	uint64_t nth;
	uint64_t link;
	const uint32_t *threads;
	size_t thread_count;
	const char *path;
	const char *name;
};

/**
 * typedef placement_line_fn - A function that receives a line. Return: 0; any other value ends the
 * reading of the file.
 */
typedef int placement_line_fn(void *opaque, const struct placement_line *line);

/**
 * placement_lines_read() - Pass each line that is not empty to @take.
 *
 * Return: 0; the result of @take if this result is not 0; -EINVAL or another -errno. After an
 * error, Monitor_error_message() names the file and the line.
 */
int placement_lines_read(const char *file, placement_line_fn *take, void *opaque);

#endif /* LIB_ANALYSIS_PLACEMENT_LINES_H */
