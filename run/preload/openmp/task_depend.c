/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Reads the lists of dependencies that the compiler generates. This file may use task_depend.h. */
#include <stdint.h>

#include "run/preload/openmp/task_depend.h"

size_t depends_count(void **depends)
{
	if (!depends)
		return 0;
	return (size_t)(uintptr_t)(depends[0] ? depends[0] : depends[1]);
}

static enum depend_kind depend_object_kind(uintptr_t kind)
{
	/* The values that GCC stores in an omp_depend_t for the kinds of a dependency. */
	enum { IN = 1, INOUTSET = 5 };

	if (kind == IN)
		return DEPEND_IN;
	return kind == INOUTSET ? DEPEND_SET : DEPEND_OUT;
}

void depends_read(struct depend *to, void **depends)
{
	size_t count = depends_count(depends), out, plain;
	void **from = depends + 2;

	if (count == 0)
		return;
	out = (size_t)(uintptr_t)depends[1];
	plain = count;
	if (!depends[0]) {
		from = depends + 5;
		out = (size_t)(uintptr_t)depends[2] + (size_t)(uintptr_t)depends[3];
		plain = out + (size_t)(uintptr_t)depends[4];
	}
	for (size_t i = 0; i < count; i++) {
		to[i].address = from[i];
		to[i].kind = i < out ? DEPEND_OUT : DEPEND_IN;
		if (i >= plain) {
			void *const *object = from[i];

			to[i].address = object[0];
			to[i].kind = depend_object_kind((uintptr_t)object[1]);
		}
	}
}

bool depend_on(const struct depend *a, const struct depend *b)
{
	bool all = (!a->address && a->kind == DEPEND_OUT) || (!b->address && b->kind == DEPEND_OUT);

	if (!all && a->address != b->address)
		return false;
	return a->kind == DEPEND_OUT || a->kind != b->kind;
}
