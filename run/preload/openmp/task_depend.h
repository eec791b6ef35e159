/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Task dependencies: the variables that an explicit OpenMP task depends on.
 *
 * What lives here: a reader for the lists that the compiler generates from depend clauses, in both
 * formats (libgomp's ABI, GOMP_task), and the rule that decides whether one task must finish before
 * another begins.
 */
#ifndef RUN_PRELOAD_OPENMP_TASK_DEPEND_H
#define RUN_PRELOAD_OPENMP_TASK_DEPEND_H

#include <stdbool.h>
#include <stddef.h>

enum depend_kind {
	DEPEND_OUT, /* also inout and mutexinoutset, which may run one after another */
	DEPEND_IN, /* concurrent with others of the same kind; so is the next */
	DEPEND_SET,
};

/**
 * struct depend - One dependency of a task.
 * @address: address of a variable; NULL with DEPEND_OUT: all variables
 * @kind: enum depend_kind
 */
struct depend {
	const void *address;
	enum depend_kind kind;
};

/**
 * depends_count() - Return the number of dependencies in a list.
 * @depends: the compiler's list, or NULL
 */
size_t depends_count(void **depends);

/**
 * depends_read() - Read a list of dependencies.
 * @to: shape [depends_count()]
 */
void depends_read(struct depend *to, void **depends);

/**
 * depend_on() - Return whether two tasks with these dependencies must run one after the other.
 */
bool depend_on(const struct depend *a, const struct depend *b);

#endif /* RUN_PRELOAD_OPENMP_TASK_DEPEND_H */
