/* SPDX-License-Identifier: MIT */
/*
 * Sweep: reads a file, which is a capture or a recording, and adds its requests to the traffic. May
 * use the public API.
 */
#ifndef LIB_ANALYSIS_SWEEP_SWEEP_FILE_H
#define LIB_ANALYSIS_SWEEP_SWEEP_FILE_H

#include "lib/analysis/sweep/sweep_traffic.h"

/**
 * struct sweep_file - A file, and the facts that are found while it is read.
 * @path: name of the file
 * @recording: the file is a recording; otherwise it is a capture
 * @seen: the file has at least one record or frame
 * @end: the nodes from whose B-Link the file may have been captured
 * @is_end: for each element of @end, whether this node takes part in every transaction
 * @timed: @last_ns is known
 * @first_ns: time stamp of a capture's first frame
 * @last_ns: for a capture, the time stamp of the last frame; for a recording, the card's clock at
 *           the end
 */
struct sweep_file {
	const char *path;
	int recording;
	int seen;
	unsigned int end[2];
	int is_end[2];
	int timed;
	uint64_t first_ns;
	uint64_t last_ns;
};

/**
 * sweep_file_read() - Append a file's requests of the chosen types. If a page was chosen, append
 * only requests to this page.
 *
 * Return: 0; -errno; -EINTR if @ops->interrupted() ends the sweep.
 */
int sweep_file_read(struct sweep_file *file, struct sweep_traffic *traffic,
		    const struct sweep_choice *choice, const struct sweep_ops *ops);

#endif /* LIB_ANALYSIS_SWEEP_SWEEP_FILE_H */
