/* SPDX-License-Identifier: MIT */
/*
 * Sweep: what a sweep asks of its caller while it reads files and passes traffic.
 *
 * What lives here: the functions that a caller gives. May use the public API.
 */
#ifndef LIB_ANALYSIS_SWEEP_SWEEP_OPS_H
#define LIB_ANALYSIS_SWEEP_SWEEP_OPS_H

#include <errno.h>
#include <stdint.h>

#include <smile/monitor.h>

/**
 * struct sweep_ops - The caller's functions. Each may be NULL.
 * @interrupted: whether to end; the result is -EINTR then
 * @progress: called every few thousand items: so many of @what, "frames" or "records", of @path are
 *            read
 * @warn: called for what does not end the sweep: @text is what @path does, "lost 5 accesses"
 */
struct sweep_ops {
	int (*interrupted)(void);
	void (*progress)(const char *path, const char *what, uint64_t count);
	void (*warn)(const char *path, const char *text);
};

/* Return: 0; -EINTR with the message set. */
static inline int sweep_interrupted(const struct sweep_ops *ops)
{
	if (!ops->interrupted || !ops->interrupted())
		return 0;
	return Monitor_error_set(EINTR, "interrupted");
}

#endif /* LIB_ANALYSIS_SWEEP_SWEEP_OPS_H */
