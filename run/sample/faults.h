/* SPDX-License-Identifier: MIT */
/*
 * run/sample: samples by word, node, home and phase.
 *
 * What lives here: which faults count as samples, and the homes of pages as far as they are known.
 * May use <base/>. It makes no system call: the caller asks the kernel where pages lie, and reports
 * that here.
 *
 * The first fault at a page is no sample: it says who has allocated the page, and comes whether the
 * kernel scans or not. Each later one counts once, for the node of its processor and for the home
 * that the page had before: the kernel may move a page in the fault itself.
 */
#ifndef RUN_SAMPLE_FAULTS_H
#define RUN_SAMPLE_FAULTS_H

#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#define FAULTS_NODE_UNKNOWN UINT32_MAX
#define FAULTS_PAGE_BYTES 4096U /* as in recordings */
#define FAULTS_WORD_BYTES 4U
#define FAULTS_PHASES_MAX 32U

/**
 * struct faults_page - A page that had a fault.
 * @key: its number plus one
 * @home: node, or FAULTS_NODE_UNKNOWN; as the kernel last said
 * @before: the same until it said so
 * @told_ns: when it said so
 * @asked: it is in struct faults.asked
 * @sampled: it has samples
 * @moves: how often its home has changed
 */
struct faults_page {
	uint64_t key;
	uint32_t home;
	uint32_t before;
	uint64_t told_ns;
	uint32_t asked : 1;
	uint32_t sampled : 1;
	uint64_t moves;
};

/**
 * struct faults_count - Samples of one word, node, home and phase.
 * @key: see faults_count_word() and so on
 * @samples: how many
 */
struct faults_count {
	uint64_t key;
	uint64_t samples;
};

/**
 * struct faults - All of them; all zero: none.
 * @table: of struct faults_page
 * @counts: of struct faults_count
 * @asked: pages whose home may have changed since the kernel was asked; shape [@asked_count], room
 *         @asked_size
 * @asked_count: how many
 * @asked_size: room
 * @samples: that count
 * @pages: with samples
 * @first: first faults at a page
 * @homeless: faults at pages whose home the kernel has not told
 * @moves: changes of homes
 */
struct faults {
	struct hash_table table;
	struct hash_table counts;
	uint64_t *asked;
	size_t asked_count;
	size_t asked_size;
	uint64_t samples;
	uint64_t pages;
	uint64_t first;
	uint64_t homeless;
	uint64_t moves;
};

/**
 * faults_add() - A fault at an address, by a processor of a node.
 * @node: below 64
 * @phase: of the program, below FAULTS_PHASES_MAX
 * @time_ns: when
 *
 * The kernel may have been asked where the page lies after a fault that is only reported now: then
 * the fault may be why it lies there, and what was known before counts.
 *
 * Return: 0; -ENOMEM.
 */
int faults_add(struct faults *faults, uint64_t address, uint32_t node, uint32_t phase,
	       uint64_t time_ns);

/**
 * faults_home() - The kernel says where a page lies now.
 * @page: number of a page that had a fault
 * @node: below 64, or FAULTS_NODE_UNKNOWN: it does not say; then what was known stays
 * @time_ns: when it had said so
 */
void faults_home(struct faults *faults, uint64_t page, uint32_t node, uint64_t time_ns);

/* The list of struct faults.asked was worked through: it is empty now. */
void faults_answered(struct faults *faults);

static inline uint64_t faults_count_word(const struct faults_count *count)
{
	return (count->key >> 12) & ((1ULL << 46) - 1);
}

static inline uint32_t faults_count_node(const struct faults_count *count)
{
	return (uint32_t)(count->key >> 6) & 0x3f;
}

static inline uint32_t faults_count_phase(const struct faults_count *count)
{
	return (uint32_t)(count->key >> 58) & (FAULTS_PHASES_MAX - 1);
}

static inline uint32_t faults_count_home(const struct faults_count *count)
{
	return (uint32_t)count->key & 0x3f;
}

/**
 * faults_sorted() - The counts, ascending by phase, page, node, home and word.
 * @count: receives how many
 *
 * Return: to be freed; NULL without memory.
 */
struct faults_count *faults_sorted(const struct faults *faults, size_t *count);

/**
 * faults_numbers() - The numbers of all pages that had a fault, ascending.
 *
 * Return: as faults_sorted().
 */
uint64_t *faults_numbers(const struct faults *faults, size_t *count);

/* The home of a page, or FAULTS_NODE_UNKNOWN. */
uint32_t faults_home_of(const struct faults *faults, uint64_t page);

void faults_free(struct faults *faults);

#endif /* RUN_SAMPLE_FAULTS_H */
