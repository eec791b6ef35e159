/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Task dependencies: the variables on which an explicit OpenMP task depends.
 *
 * What lives here: functions that read the lists which the compiler generates from depend clauses,
 * in both formats (see libgomp's ABI, GOMP_task); and the rule that decides whether one task must
 * finish before another task begins.
 */
#ifndef RUN_PRELOAD_OPENMP_TASK_DEPEND_H
#define RUN_PRELOAD_OPENMP_TASK_DEPEND_H

#include <stdbool.h>
#include <stddef.h>

enum depend_kind {
	DEPEND_OUT, /* out, inout and mutexinoutset: such tasks run one after another */
	DEPEND_IN, /* in: such tasks may run at the same time */
	DEPEND_SET, /* inoutset: such tasks may run at the same time */
};

/**
 * struct depend - A dependency of a task.
 * @address: address of a variable; NULL, with DEPEND_OUT: all variables
 * @kind: enum depend_kind
 */
struct depend {
	const void *address;
	enum depend_kind kind;
};

/**
 * depends_count() - Get the number of dependencies in a list.
 * @depends: list from the compiler, or NULL
 */
size_t depends_count(void **depends);

/**
 * depends_read() - Read a list of dependencies.
 * @to: receives the dependencies; shape [depends_count()]
 */
void depends_read(struct depend *to, void **depends);

/**
 * depend_on() - Check whether these two dependencies require that two tasks run one after the
 * other.
 */
bool depend_on(const struct depend *a, const struct depend *b);

#endif /* RUN_PRELOAD_OPENMP_TASK_DEPEND_H */
