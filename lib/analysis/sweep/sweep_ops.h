/* SPDX-License-Identifier: MIT */
/*
 * Sweep: the functions that the caller of a sweep provides. A sweep calls them while it reads files
 * and sends traffic to cards.
 *
 * What lives here: the struct of these functions. May use the public API.
 */
#ifndef LIB_ANALYSIS_SWEEP_SWEEP_OPS_H
#define LIB_ANALYSIS_SWEEP_SWEEP_OPS_H

#include <errno.h>
#include <stdint.h>

#include <smile/monitor.h>

/**
 * struct sweep_ops - The caller's functions. Each may be NULL.
 * @interrupted: returns whether the sweep must end; if so, the sweep returns -EINTR
 * @progress: called every few thousand items. Receives the number of items of @path that were read
 *            so far; @what is "frames" or "records"
 * @warn: called for a problem that does not end the sweep. @text is the predicate of a sentence
 *        whose subject is @path, such as "lost 5 accesses"
 */
struct sweep_ops {
	int (*interrupted)(void);
	void (*progress)(const char *path, const char *what, uint64_t count);
	void (*warn)(const char *path, const char *text);
};

/* Check whether the sweep must end. Return: 0; -EINTR with the message set. */
static inline int sweep_interrupted(const struct sweep_ops *ops)
{
	if (!ops->interrupted || !ops->interrupted())
		return 0;
	return Monitor_error_set(EINTR, "interrupted");
}

#endif /* LIB_ANALYSIS_SWEEP_SWEEP_OPS_H */
