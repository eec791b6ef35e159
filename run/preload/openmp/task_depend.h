/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Task dependencies: reads the variables on which an explicit OpenMP task depends.
 *
 * What lives here: functions that read the lists that the compiler generates from depend clauses,
 * in both of their formats (see GOMP_task in the ABI of libgomp); and the rule that decides whether
 * one task must finish before another task begins.
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
 * @address: address of a variable; NULL: the task depends on all variables, and @kind is DEPEND_OUT
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
 * depend_on() - Check whether two tasks with these dependencies must run one after the other.
 */
bool depend_on(const struct depend *a, const struct depend *b);

#endif /* RUN_PRELOAD_OPENMP_TASK_DEPEND_H */
