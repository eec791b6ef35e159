/* SPDX-License-Identifier: MIT */
/*
 * SMiLE Monitor: the C API.
 *
 * What lives here: all functions that a program may call, in one header for each subject. A program
 * opens a Monitor on a source of records: a card that the driver controls, a card emulated in this
 * process, or a recording. The Monitor reads the records from the source, counts them in exact
 * 64-bit histograms, and writes them to the recording that is being saved, if any. The program can
 * read the histograms at any time.
 *
 *	struct Monitor *mon;
 *	if (Monitor_open(&mon, "dev:0") < 0)
 *		errx(2, "%s", Monitor_error_message());
 *	Monitor_start(mon);
 *	run_my_program();
 *	Monitor_stop(mon);
 *	Monitor_swap(mon);
 *
 * Errors: on success, every int function returns 0 or a count. On failure, it returns a negative
 * errno value, leaves its outputs unchanged, and sets a message for the calling thread that names
 * the cause and the remedy (Monitor_error_message()). The library never prints anything and never
 * ends the process.
 *
 * Threads: only one thread at a time may use a Monitor. Different Monitors are independent.
 *
 * Views: each transaction is counted once, when the card sees its request. If the configuration
 * accepts only responses, the transaction is counted when the card sees its response. A page is
 * identified by its home node and by its page number on that node. If the recordings of several
 * cards are merged, a transaction that two of the cards have counted is still counted once. The
 * static array can count events that are also in the histograms, so only Monitor_static_counts()
 * reports its counts.
 *
 * Sources cited below: [2002a] "Data Monitoring in High-Performance Clusters for Computing
 * Applications", section VI; [2002b] "Memory access behavior analysis of NUMA-based shared memory
 * programs", section 4; [1998] "Exploiting Spatial and Temporal Locality of Accesses", section 3.
 */
#ifndef SMILE_MONITOR_H
#define SMILE_MONITOR_H

#include <smile/monitor/access.h>
#include <smile/monitor/advice.h>
#include <smile/monitor/capture.h>
#include <smile/monitor/card.h>
#include <smile/monitor/config.h>
#include <smile/monitor/difference.h>
#include <smile/monitor/error.h>
#include <smile/monitor/heap.h>
#include <smile/monitor/histogram.h>
#include <smile/monitor/instrument.h>
#include <smile/monitor/interval.h>
#include <smile/monitor/local.h>
#include <smile/monitor/object.h>
#include <smile/monitor/phase.h>
#include <smile/monitor/program.h>
#include <smile/monitor/record.h>
#include <smile/monitor/recording.h>
#include <smile/monitor/run.h>
#include <smile/monitor/source.h>
#include <smile/monitor/stack_frame.h>
#include <smile/monitor/static_counters.h>
#include <smile/monitor/statistics.h>
#include <smile/monitor/variable.h>
#include <smile/monitor/walk.h>

#endif /* SMILE_MONITOR_H */
