/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Task dependencies: what an explicit task of OpenMP depends on.
 *
 * What lives here: the lists that the compiler makes of depend clauses, in both formats (libgomp's
 * ABI, GOMP_task), and the rule by which one task must finish before another begins.
 */
#ifndef TRACER_PRELOAD_OPENMP_TASK_DEPEND_H
#define TRACER_PRELOAD_OPENMP_TASK_DEPEND_H

#include <stdbool.h>
#include <stddef.h>

enum depend_kind {
	DEPEND_OUT, /* also inout, and mutexinoutset: one after another, which it may be */
	DEPEND_IN, /* together with others of its kind; so is the next */
	DEPEND_SET,
};

/**
 * struct depend - What a task depends on.
 * @address: of a variable; NULL and DEPEND_OUT: all there are
 * @kind: enum depend_kind
 */
struct depend {
	const void *address;
	enum depend_kind kind;
};

/**
 * depends_count() - How many a list of the compiler's has.
 * @depends: it, or NULL
 */
size_t depends_count(void **depends);

/**
 * depends_read() - Read such a list.
 * @to: [depends_count()]
 */
void depends_read(struct depend *to, void **depends);

/**
 * depend_on() - Must tasks with these be executed one after the other?
 */
bool depend_on(const struct depend *a, const struct depend *b);

#endif /* TRACER_PRELOAD_OPENMP_TASK_DEPEND_H */
