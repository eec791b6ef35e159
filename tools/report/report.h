/* SPDX-License-Identifier: MIT */
/*
 * Report: the views of `smile report`, one file each, and what they share.
 */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <smile/monitor.h>

#include "lib/analysis/document.h"
#include "lib/analysis/hot.h"
#include "lib/analysis/run_facts.h"

/**
 * struct report - What is reported on, and how.
 * @mon: all records taken in
 * @files: the recordings, to name in messages; shape [@file_count]
 * @file_count: how many
 * @json: a document instead of text
 * @csv: rows for other programs instead of text
 * @threshold: transfers: an entry above this multiple of the mean is a bottleneck
 * @rows: top, heat: how many
 * @by_phase: heat: columns are phases, not nodes
 * @page: page, phases: which page
 * @page_text: the page as the user gave it, if it is no number; else NULL
 * @home: its home node, if --home was given
 * @section_bytes: page: size of a section
 * @variable: structures: its name
 * @address: structures: address whose variable is shown
 * @match: structures: pattern of names, as of fnmatch(3)
 * @min_accesses: structures: least accesses
 * @hot: pages, top: threshold of accesses, if --hot was given
 * @both: what is counted are accesses in front of caches; transactions behind them are shown, too
 * @sampled: the mark of a recording of samples, whose counts are estimates; NULL: they are exact
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

/* The network that `smile run --network` has recorded: its busiest link, as text. */
void report_network(const struct run_facts *run);
int report_top(const struct report *report);
int report_page(const struct report *report);
int report_phases(const struct report *report);

/* The cells of a row that state how a phase ended: open, or by which event and when. */
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
 * report_columns() - Nodes that get a column: all if there are few, else those with accesses.
 * @sums: accesses by node, shape [@nodes]
 * @columns: caller-owned, shape [@nodes]; receives the nodes' ids
 *
 * Return: number of columns.
 */
size_t report_columns(const uint64_t *sums, size_t nodes, unsigned int *columns);

/* The sentence that says what is counted, for legends of views with transactions beside accesses.
 */
extern const char report_both_sentence[];

/* The paragraph of a legend on transactions beside accesses, if both are shown. */
void report_both_legend(const struct report *report);

/* The columns of transactions in rows for other programs, behind the columns of accesses. */
#define REPORT_BEHIND_CSV ",transactions,transaction_reads,transaction_writes,transaction_locks"

/* The head of a document, which says so if it counts transactions alone. Return: @head. */
json_t *report_head(json_t *head);

/* The same of samples, for views that show them. Return: @head. */
json_t *report_sampled_head(const struct report *report, json_t *head);

/* The legend's paragraph on samples. */
void report_sampled_legend(const struct report *report);

struct output_table;

/*
 * A column of counts by one node: of samples, it has room for bands. And its cell: the count, with
 * its band if it is one of samples.
 */
void report_node_column(const struct report *report, struct output_table *table, unsigned int node);
void report_count(const struct report *report, struct output_table *table, int strong,
		  uint64_t count);

/* Are reads, writes and locks told apart? Samples of faults have no type. */
static inline int report_typed(const struct report *report)
{
	return !report->sampled || report->both;
}

/*
 * A count in a sentence, with its band if @report is of samples. @text: BAND_TEXT_BYTES long.
 * Return: @text.
 */
char *report_count_text(const struct report *report, char *text, uint64_t count);

/* The last cells of a row of CSV, if @report is of samples: the band of the row's count. */
void report_band_csv(const struct report *report, uint64_t count);

/* The same of transactions behind caches, if they are shown, too. */
void report_behind_band_csv(const struct report *report, uint64_t count);

/* The columns that both add to the heads of CSV; "" if @report is not of samples. */
const char *report_band_columns(const struct report *report);

/* The bands of more counts of a row, shape [@n], and of a share: if @report is of samples. */
void report_bands_csv(const struct report *report, const uint64_t *counts, size_t n);
void report_share_band_csv(const struct report *report, uint64_t part, uint64_t all);

struct structure;

/* The cells of a row with a structure's accesses: by the nodes of @columns, then in all. */
void report_structure_counts(const struct report *report, struct output_table *table,
			     const struct structure *structure, const unsigned int *columns,
			     size_t count);

/* `report structures` with --variable or --address. */
int report_variable(const struct report *report);

#endif /* TOOLS_REPORT_H */
