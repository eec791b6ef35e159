/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Code views: shared memory in which a program executes code at one address, and writes the code at
 * another address.
 *
 * QEMU translates code once, and protects its page. When the program writes to this page, QEMU
 * translates the code again. QEMU does not notice if the program writes the same memory at another
 * address; it then continues to execute the old code. Just-in-time compilers map code twice so that
 * no page is both writable and executable.
 *
 * What lives here: the list of these views, and a function that lets QEMU notice a write. For this
 * purpose the code must be writable for QEMU, see run/preload/memory/mapping.c. Call all functions
 * except code_views_wrote() with the lock of the mappings held.
 */
#ifndef RUN_TRACER_CODE_VIEWS_H
#define RUN_TRACER_CODE_VIEWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/tracer/mappings.h"

/* Whether at least one view exists. */
extern _Atomic bool code_views_exist;

/**
 * code_views_add() - Add the part of a shared mapping that the program may execute.
 */
void code_views_add(const struct mapping *code);

/**
 * code_views_see() - Add the parts of a shared mapping that have code at another address.
 */
void code_views_see(const struct mapping *view);

/**
 * code_views_cut() - Remove memory that was unmapped. code_views_end() removes only code, which can
 * no longer be executed or written.
 */
void code_views_cut(uint64_t start, uint64_t end);
void code_views_end(uint64_t start, uint64_t end);

/**
 * code_views_wrote() - Let QEMU translate the code again that the program has written at @address.
 */
void code_views_wrote(uint64_t address, uint64_t bytes);

#endif /* RUN_TRACER_CODE_VIEWS_H */
