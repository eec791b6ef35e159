/* SPDX-License-Identifier: MIT */
/*
 * Report: the views of `smile report`, which have one file each, and the functions that they share.
 */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <smile/monitor.h>

#include "lib/analysis/document.h"
#include "lib/analysis/hot.h"
#include "lib/analysis/run_facts.h"

/**
 * struct report - The data of a report, and the user's options.
 * @mon: the Monitor, with all records taken in
 * @files: the recordings, for messages; shape [@file_count]
 * @file_count: number of @files
 * @json: print a JSON document instead of text
 * @csv: print CSV rows instead of text
 * @threshold: transfers: an entry above this multiple of the mean is a bottleneck
 * @rows: top, heat: number of rows
 * @by_phase: heat: columns are phases, not nodes
 * @page: page, phases: number of the page
 * @page_text: the page as the user gave it, if it is no number; otherwise NULL
 * @home: home node of the page, if --home was given
 * @section_bytes: page: size of a section
 * @variable: structures: name of the variable
 * @address: structures: address whose variable is shown
 * @match: structures: pattern of names, as in fnmatch(3)
 * @min_accesses: structures: least number of accesses
 * @hot: pages, top: threshold of accesses, if --hot was given
 * @both: the counts are accesses in front of caches; transactions behind the caches are also shown
 * @sampled: the mark of a recording of samples, whose counts are estimates; NULL: counts are exact
 */
struct report {
	struct Monitor *mon;
	char **files;
	int file_count;
	int json;
	int csv;
	double threshold;
	uint64_t rows;
	int by_phase;
	uint64_t page;
	const char *page_text;
	uint64_t home;
	uint64_t section_bytes;
	const char *variable;
	uint64_t address;
	const char *match;
	uint64_t min_accesses;
	struct hot hot;
	int both;
	json_t *sampled;
};

/* The views. Return: the exit status. */
int report_transfers(const struct report *report);
int report_pages(const struct report *report);
int report_latency(const struct report *report);
int report_threads(const struct report *report);

/* Print a text about the busiest link of the network that `smile run --network` has recorded. */
void report_network(const struct run_facts *run);
int report_top(const struct report *report);
int report_page(const struct report *report);
int report_phases(const struct report *report);

/* Write the cells about the end of a phase: open, or the event that ended it and the time. */
void report_phase_end_csv(const struct Monitor_phase *phase);
int report_structures(const struct report *report);
int report_heat(const struct report *report);
int report_static(const struct report *report);
int report_lost(const struct report *report);

/**
 * report_home() - Home node of the requested page.
 *
 * Return: node; -1 after a message if it is unknown.
 */
int report_home(const struct report *report);

/**
 * report_nodes() - Number of nodes in the recording.
 *
 * Return: nodes, at least 1; negative after a message if it is unknown.
 */
int report_nodes(const struct report *report);

/**
 * report_columns() - Nodes that get a column: all if there are few, otherwise those with accesses.
 * @sums: accesses by node, shape [@nodes]
 * @columns: caller-owned, shape [@nodes]; receives the nodes' ids
 *
 * Return: number of columns.
 */
size_t report_columns(const uint64_t *sums, size_t nodes, unsigned int *columns);

/* The sentence on the counts, for legends of views with transactions beside accesses. */
extern const char report_both_sentence[];

/* Print the paragraph of a legend on transactions beside accesses, if both are shown. */
void report_both_legend(const struct report *report);

/* The columns of transactions in rows for other programs, behind the columns of accesses. */
#define REPORT_BEHIND_CSV ",transactions,transaction_reads,transaction_writes,transaction_locks"

/* Complete the head of a document: note if it counts only transactions. Return: @head. */
json_t *report_head(json_t *head);

/* Like report_head(), for views that show samples: add their mark. Return: @head. */
json_t *report_sampled_head(const struct report *report, json_t *head);

/* Print the legend's paragraph on samples. */
void report_sampled_legend(const struct report *report);

struct output_table;

/*
 * Add a column of counts by one node, with room for bands if they are counts of samples. Fill in
 * its cell: the count, with its band if it is a count of samples.
 */
void report_node_column(const struct report *report, struct output_table *table, unsigned int node);
void report_count(const struct report *report, struct output_table *table, int strong,
		  uint64_t count);

/* Are reads, writes and locks distinguished? Samples of faults have no type. */
static inline int report_typed(const struct report *report)
{
	return !report->sampled || report->both;
}

/*
 * A count in a sentence, with its band if @report is of samples. @text: BAND_TEXT_BYTES long.
 * Return: @text.
 */
char *report_count_text(const struct report *report, char *text, uint64_t count);

/* Write the last cells of a row of CSV, if @report is of samples: the band of the row's count. */
void report_band_csv(const struct report *report, uint64_t count);

/* Like report_band_csv(), for transactions behind caches, if they are also shown. */
void report_behind_band_csv(const struct report *report, uint64_t count);

/* The columns that both functions add to the heads of CSV; "" if @report is not of samples. */
const char *report_band_columns(const struct report *report);

/* Write the bands of counts of a row, shape [@n], and of a share, if @report is of samples. */
void report_bands_csv(const struct report *report, const uint64_t *counts, size_t n);
void report_share_band_csv(const struct report *report, uint64_t part, uint64_t all);

struct structure;

/* Fill in the cells with a structure's accesses: by the nodes of @columns, then in total. */
void report_structure_counts(const struct report *report, struct output_table *table,
			     const struct structure *structure, const unsigned int *columns,
			     size_t count);

/* `report structures` with --variable or --address. */
int report_variable(const struct report *report);

#endif /* TOOLS_REPORT_H */
