/* SPDX-License-Identifier: MIT */
/*
 * Report: the views of `smile report`, each in its own file, and the functions that they share.
 */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <smile/monitor.h>

#include "lib/analysis/document.h"
#include "lib/analysis/hot_threshold.h"
#include "lib/analysis/run_facts.h"

/**
 * struct report - The recordings of a report, and the user's options.
 * @mon: the Monitor, which has read all records
 * @files: the recordings, for messages; shape [@file_count]
 * @file_count: number of @files
 * @json: print a JSON document instead of text
 * @csv: print CSV rows instead of text
 * @threshold: for transfers: an entry above this multiple of the mean is a bottleneck
 * @rows: for top and heat: number of rows
 * @by_phase: for heat: columns are phases, not nodes
 * @page: for page and phases: number of the page
 * @page_text: the name of the page, if the user gave a name instead of a number; otherwise NULL
 * @home: home node of the page, if --home was given
 * @section_bytes: for page: size of a section
 * @variable: for structures: name of the variable to show
 * @address: for structures: show the variable at this address
 * @match: for structures: pattern of names, as in fnmatch(3)
 * @min_accesses: for structures: smallest number of accesses of a listed structure
 * @hot: for pages and top: threshold of accesses, if --hot was given
 * @both: the counts are accesses in front of the caches; the view also shows the transactions
 *        behind the caches
 * @sampled: facts about recordings of samples, whose counts are estimates; NULL: counts are exact
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
	struct hot_threshold hot;
	int both;
	struct run_facts *sampled;
};

/* The functions that print the views. Return: the exit status. */
int report_transfers(const struct report *report);
int report_pages(const struct report *report);
int report_latency(const struct report *report);
int report_threads(const struct report *report);

/* Print a text about the busiest link of the network that `smile run --network` has recorded. */
void report_network(const struct run_facts *run);
int report_top(const struct report *report);
int report_page(const struct report *report);
int report_phases(const struct report *report);

/*
 * Write the CSV cells about the end of a phase: whether the phase is still open, the event that has
 * ended it, and the time of this event.
 */
void report_phase_end_csv(const struct Monitor_phase *phase);
int report_structures(const struct report *report);
int report_heat(const struct report *report);
int report_static(const struct report *report);
int report_lost(const struct report *report);

/**
 * report_home() - Get the home node of the requested page.
 *
 * Return: the node; -1 after a message if it is not known.
 */
int report_home(const struct report *report);

/**
 * report_nodes() - Get the number of nodes in the recordings.
 *
 * Return: the number of nodes, at least 1; negative after a message if it is not known.
 */
int report_nodes(const struct report *report);

/**
 * report_columns() - Choose the nodes that get a column: all nodes if there are few of them;
 * otherwise the nodes with accesses.
 * @sums: accesses by node, shape [@nodes]
 * @columns: caller-owned, shape [@nodes]; receives the nodes' ids
 *
 * Return: number of columns.
 */
size_t report_columns(const uint64_t *sums, size_t nodes, unsigned int *columns);

/*
 * The sentence of a legend that explains the counts. It is for views that show accesses and also
 * transactions.
 */
extern const char report_both_sentence[];

/*
 * If transactions are shown in addition to accesses, print the paragraph of a legend that explains
 * this.
 */
void report_both_legend(const struct report *report);

/* The CSV columns of transactions, which follow the columns of accesses. */
#define REPORT_BEHIND_CSV ",transactions,transaction_reads,transaction_writes,transaction_locks"

/*
 * Complete the first members of a document: if the document counts only transactions, add a note.
 * Return: @head.
 */
json_t *report_head(json_t *head);

/*
 * Like report_head(), for a view that can show samples: also add the mark of samples. Return:
 * @head.
 */
json_t *report_sampled_head(const struct report *report, json_t *head);

/* If the report is of samples, print the paragraph of a legend that explains them. */
void report_sampled_legend(const struct report *report);

struct output_table;

/*
 * Add a column for the counts of one node. If the counts are of samples, the column has room for
 * confidence intervals. report_count() fills in a cell of this column with the count and, for
 * samples, with the confidence interval of the count.
 */
void report_node_column(const struct report *report, struct output_table *table, unsigned int node);
void report_count(const struct report *report, struct output_table *table, int strong,
		  uint64_t count);

/* Check whether the types of accesses are known. Samples of faults have no type. */
static inline int report_typed(const struct report *report)
{
	return !report->sampled || report->both;
}

/*
 * Format a count for a sentence. If @report is of samples, append the confidence interval of the
 * count. @text: a buffer of BAND_TEXT_BYTES. Return: @text.
 */
char *report_count_text(const struct report *report, char *text, uint64_t count);

/*
 * If the recordings contain samples, end a CSV row with the cells of the confidence interval of
 * @count.
 */
void report_band_csv(const struct report *report, uint64_t count);

/* Like report_band_csv(), for the transactions between nodes, if they are shown in addition. */
void report_behind_band_csv(const struct report *report, uint64_t count);

/* Get the CSV columns for the cells of the two functions above; "" if @report is not of samples. */
const char *report_band_columns(const struct report *report);

/*
 * If @report is of samples, write the confidence intervals of @n counts of a CSV row, and the
 * confidence interval of a share.
 */
void report_bands_csv(const struct report *report, const uint64_t *counts, size_t n);
void report_share_band_csv(const struct report *report, uint64_t part, uint64_t all);

struct structure;

/*
 * Fill in the cells with the accesses to a structure: a cell for each node in @columns, and a cell
 * for the total.
 */
void report_structure_counts(const struct report *report, struct output_table *table,
			     const struct structure *structure, const unsigned int *columns,
			     size_t count);

/* Print the view structures with --variable or --address. */
int report_variable(const struct report *report);

#endif /* TOOLS_REPORT_H */
