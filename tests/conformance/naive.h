/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's own counting: a list of the sent accesses; each query searches the whole
 * list.
 *
 * What lives here: simple code, so that it can be trusted. May use <stdint.h> and the names of
 * transaction types.
 */
#ifndef TESTS_CONFORMANCE_NAIVE_H
#define TESTS_CONFORMANCE_NAIVE_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

#define NAIVE_ANY UINT64_MAX /* matches every value */

/**
 * struct naive_access - One access sent.
 */
struct naive_access {
	uint64_t source;
	uint64_t home;
	uint64_t type;
	uint64_t address;
	uint64_t phase;
};

/**
 * struct naive - All sent accesses.
 */
struct naive {
	struct naive_access *access;
	size_t count;
	size_t capacity;
};

void naive_add(struct naive *naive, unsigned int source, unsigned int home, unsigned int type,
	       uint64_t address, unsigned int phase);
void naive_free(struct naive *naive);

/*
 * Return: the number of accesses that agree with @like in all members that are not NAIVE_ANY;
 * @like->address is a page.
 */
uint64_t naive_page_count(const struct naive *naive, const struct naive_access *like);

/*
 * Return: the number of accesses that agree with @like and lie in section @section of the page,
 * with sections of @section_bytes.
 */
uint64_t naive_section_count(const struct naive *naive, const struct naive_access *like,
			     unsigned int section_bytes, unsigned int section);

#endif /* TESTS_CONFORMANCE_NAIVE_H */
