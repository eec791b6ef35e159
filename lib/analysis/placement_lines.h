/* SPDX-License-Identifier: MIT */
/*
 * Placement lines: the contents of a placement file, line by line.
 *
 * What lives here: the only parser of the file that `smile advise` writes and `smile run --place`
 * and `smile place` read:
 *
 *	pages FIRST[-LAST] node N [own|file]
 *	bytes ADDRESS+COUNT node N [own|file]
 *	program PATH [ARGUMENTS]
 *	object PATH BUILD
 *	region START+BYTES data PATH LINK
 *	region START+BYTES variable PATH LINK NAME
 *	region START+BYTES block NTH PATH LINK [NAME]
 *	region START+BYTES named NTH NAME
 *	region START+BYTES mapping NTH private|shared [PATH]
 *	order ADDRESS threads T,T,...
 *	default first-touch
 *
 * # begins a comment. Numbers are decimal, or hexadecimal after 0x. In words, %XX is the byte of
 * that hexadecimal number. `program` names the recorded program and its arguments, separated by
 * line feeds, because the contents of a page can depend on the arguments. `pages` and `bytes` are
 * the placement, by the addresses of the recorded run. `region` names the data at these addresses,
 * for runs in which the data is at other addresses. LINK is an address in the ELF headers of the
 * file; `object` names the build of the file. NTH is a number from 0. It counts the blocks of 4096
 * bytes or more that were allocated by the call that returns to LINK, the regions of one name, or
 * the mappings of one size and kind, by address, in the order in which the addresses were first
 * used. `order` is the order in which threads first take the lock at an address of the recorded
 * run. `default` is the policy of `smile run` for pages that no line names: each page is placed on
 * the node that accesses it first. The same policy applies to `own` pages: in the recorded run only
 * node N accessed them, but in another run it may be another node. `file` pages are constants of a
 * file, which `smile place` does not place, because the kernel has only one copy of them.
 */
#ifndef LIB_ANALYSIS_PLACEMENT_LINES_H
#define LIB_ANALYSIS_PLACEMENT_LINES_H

#include <stddef.h>
#include <stdint.h>

/* The limit of thread numbers in `order`. */
#define PLACEMENT_THREADS_MAX (1U << 20)

enum placement_line_kind {
	PLACEMENT_LINE_PLACE, /* pages or bytes */
	PLACEMENT_LINE_PROGRAM,
	PLACEMENT_LINE_OBJECT,
	PLACEMENT_LINE_REGION,
	PLACEMENT_LINE_ORDER,
	PLACEMENT_LINE_DEFAULT,
};

/* The only policy that `default` can name. */
#define PLACEMENT_FIRST_TOUCH "first-touch"

enum placement_region_kind {
	PLACEMENT_DATA, /* writable data of an object */
	PLACEMENT_VARIABLE,
	PLACEMENT_BLOCK, /* a block of the heap */
	PLACEMENT_NAMED, /* smile_alloc() */
	PLACEMENT_PRIVATE, /* a mapping */
	PLACEMENT_SHARED,
};

/**
 * struct placement_line - A line's meaning.
 * @number: number of the line, from 1
 * @kind: kind of the line
 * @start: first byte, of PLACE and REGION; the lock of ORDER
 * @bytes: number of bytes
 * @node: of PLACE
 * @own: of PLACE: only @node accessed the memory
 * @file: of PLACE: the memory is a constant of a file
 * @region: of REGION, the kind of the region
 * @nth: of BLOCK, NAMED, PRIVATE and SHARED
 * @link: of DATA, VARIABLE and BLOCK
 * @path: of PROGRAM and OBJECT, and of the regions that have one; "" otherwise. Valid during the
 *        call
 * @threads: of ORDER, their numbers; shape [@thread_count]. Valid during the call
 * @thread_count: number of threads
 * @name: of VARIABLE, BLOCK and NAMED; of OBJECT its build; of PROGRAM its arguments; "" otherwise.
 *        Valid during the call
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
 * typedef placement_line_fn - Receives a line. Return: 0; any other value ends the reading.
 */
typedef int placement_line_fn(void *opaque, const struct placement_line *line);

/**
 * placement_lines_read() - Pass each line that is not empty to @take.
 *
 * Return: 0; the result of @take; -EINVAL or another -errno, with Monitor_error_message() that
 * names file and line.
 */
int placement_lines_read(const char *file, placement_line_fn *take, void *opaque);

#endif /* LIB_ANALYSIS_PLACEMENT_LINES_H */
