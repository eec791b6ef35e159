/* SPDX-License-Identifier: MIT */
/*
 * Sweep: reading one file, a capture or a recording, into the traffic. May use the public API.
 */
#ifndef LIB_ANALYSIS_SWEEP_SWEEP_FILE_H
#define LIB_ANALYSIS_SWEEP_SWEEP_FILE_H

#include "lib/analysis/sweep/sweep_traffic.h"

/**
 * struct sweep_file - A file, and the properties found by reading it.
 * @path: its name
 * @recording: the file is a recording, else a capture
 * @seen: the file has contents
 * @end: nodes that the B-Link may belong to
 * @is_end: whether the node of @end takes part in every transaction
 * @timed: @last_ns is known
 * @first_ns: time stamp of a capture's first frame
 * @last_ns: time stamp of a capture's last frame; for a recording the card's clock at its end
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
 * sweep_file_read() - Append a file's requests of the chosen types and, if a page was chosen, of
 * this page.
 *
 * Return: 0; -errno; -EINTR if the caller ends it.
 */
int sweep_file_read(struct sweep_file *file, struct sweep_traffic *traffic,
		    const struct sweep_choice *choice, const struct sweep_ops *ops);

#endif /* LIB_ANALYSIS_SWEEP_SWEEP_FILE_H */
