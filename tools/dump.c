// SPDX-License-Identifier: MIT
/*
 * smile dump: print the records of a recording, one JSON object per line.
 *
 * The lines are written without a JSON library. A recording has millions of records, and a library
 * would take too long. The keys and their order are fixed, and no value needs quotes.
 */
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <smile/monitor.h>

#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/dump_counts.h"

static const char *const dump_help[] = {
#include "tools/help/dump.h"
	NULL,
};

#define DUMP_RECORDS 4096
/* The number of consecutive failed calls after which the rest of the source is not read. */
#define DUMP_FAILURES_MAX 16
#define DUMP_BUFFER_BYTES (1 << 20)

static const char *const kind_names[] = {
	[SMILE_KIND_DYNAMIC] = "dynamic",   [SMILE_KIND_STATIC] = "static",
	[SMILE_KIND_OVERFLOW] = "overflow", [SMILE_KIND_EVENT] = "event",
	[SMILE_KIND_TIME] = "time",	    [SMILE_KIND_LOST] = "lost",
	[SMILE_KIND_TRACE] = "trace",
};

static const char *const type_names[] = {
	[SMILE_TYPE_ANY] = "any",   [SMILE_TYPE_READ] = "read",	  [SMILE_TYPE_WRITE] = "write",
	[SMILE_TYPE_LOCK] = "lock", [SMILE_TYPE_EVENT] = "event",
};

static const char *const cause_names[] = {
	[SMILE_CAUSE_CAPACITY] = "capacity",
	[SMILE_CAUSE_OVERFLOW] = "overflow",
	[SMILE_CAUSE_SWAP] = "swap",
};

static const char *const raised_names[] = {
	[SMILE_RAISED_SOFTWARE] = "software",
	[SMILE_RAISED_TIMER] = "timer",
	[SMILE_RAISED_BLINK] = "blink",
};

#define NAME_OF(names, value)                                                                      \
	((value) < sizeof(names) / sizeof((names)[0]) && (names)[value] ? (names)[value]           \
									: "unknown")

/*
 * Print a record with the count of a counter. The counter counts accesses to a range, or a global
 * event.
 */
static void dump_counting(const struct Monitor_record *record)
{
	printf(",\"type\":\"%s\",\"cause\":\"%s\",\"index\":%u,\"count\":%u,\"source\":%u",
	       NAME_OF(type_names, record->type), NAME_OF(cause_names, record->cause),
	       record->index, record->count, record->source);
	if (record->type == SMILE_TYPE_EVENT)
		printf(",\"event\":%u", record->event);
	else
		printf(",\"destination\":%u,\"address\":%" PRIu64 ",\"length_bytes\":%u%s",
		       record->destination, record->address, record->length_bytes,
		       record->response ? ",\"response\":true" : "");
}

static void dump_line(const struct Monitor_record *record)
{
	printf("{\"kind\":\"%s\"", NAME_OF(kind_names, record->kind));
	switch (record->kind) {
	case SMILE_KIND_DYNAMIC:
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		dump_counting(record);
		break;
	case SMILE_KIND_EVENT:
		printf(",\"event\":%u,\"raised\":\"%s\",\"phase\":%s,\"node\":%u,\"time_ns\":"
		       "%" PRIu64,
		       record->event, NAME_OF(raised_names, record->cause),
		       record->phase ? "true" : "false", record->source, record->time_ns);
		break;
	case SMILE_KIND_TIME:
		printf(",\"time_ns\":%" PRIu64, record->time_ns);
		break;
	case SMILE_KIND_LOST:
		printf(",\"lost\":%" PRIu64 ",\"marks_lost\":%" PRIu64, record->lost,
		       record->marks_lost);
		break;
	}
	fputs("}\n", stdout);
}

/**
 * struct dump - The state of the output.
 * @raw: print the binary records instead of lines
 * @phase: number of the phase, from 0
 * @counts: exact counts of the current phase
 * @failed: memory for the counts ran out
 */
struct dump {
	int raw;
	uint64_t phase;
	struct dump_counts counts;
	int failed;
};

/*
 * Print a record. A record with an exact count is only stored. The counts of a phase are printed
 * before the mark that ends the phase.
 */
static void dump_record(struct dump *dump, const struct Monitor_record *record)
{
	int is_mark = record->kind == SMILE_KIND_EVENT && record->phase;

	if (record->kind == MONITOR_KIND_COUNT) {
		dump->failed |= dump_counts_add(&dump->counts, record) < 0;
		return;
	}
	if (is_mark)
		dump_counts_print(&dump->counts, dump->phase);
	dump_line(record);
	dump->phase += (uint64_t)is_mark;
}

/*
 * Print records. Return: the number of records that cannot be decoded. A message has been printed
 * for each of them.
 */
static int dump_records(struct dump *dump, const struct smile_record *records, int count,
			uint64_t first)
{
	struct Monitor_record record;
	int i, damaged = 0;

	for (i = 0; i < count; i++) {
		if (Monitor_record_decode(&records[i], &record) < 0) {
			/*
			 * Flush before the message. Lines and messages that are written to the same
			 * terminal or file then keep their order.
			 */
			fflush(stdout);
			tool_error("record %" PRIu64 ": %s", first + (uint64_t)i,
				   Monitor_error_message());
			damaged++;
		} else if (!dump->raw) {
			dump_record(dump, &record);
		}
	}
	if (dump->raw)
		fwrite(records, sizeof(*records), (size_t)count, stdout);
	return damaged;
}

static int dump_all(struct Monitor *mon, struct smile_record *records, struct dump *dump)
{
	int count, damaged = 0, failures = 0, status = TOOL_OK;
	uint64_t number = 0;

	while (!output_stopped()) {
		count = Monitor_records_read(mon, records, DUMP_RECORDS, 0);
		if (!count && Monitor_ended(mon))
			break;
		if (count >= 0) {
			damaged = dump_records(dump, records, count, number);
			number += (uint64_t)count;
			failures = 0;
			continue;
		}
		status = TOOL_ERROR;
		/*
		 * The library reports damaged records only after the call that read them.
		 * dump_records() has already printed messages about them.
		 */
		if (!damaged || count != -EPROTO) {
			fflush(stdout);
			tool_error("%s (after %" PRIu64 " records)", Monitor_error_message(),
				   number);
		}
		damaged = 0;
		if (count != -EPROTO || ++failures == DUMP_FAILURES_MAX)
			break;
	}
	dump_counts_print(&dump->counts, dump->phase);
	if (dump->failed)
		status = tool_error("no memory for the counts of a phase: some are missing");
	dump_counts_free(&dump->counts);
	return status;
}

static int dump_run(const char *file, int raw)
{
	struct dump dump = {.raw = raw};
	struct smile_record *records;
	struct Monitor *mon;
	int status;

	mon = recordings_open((char **)&file, 1, NULL);
	if (!mon)
		return TOOL_ERROR;
	records = malloc(DUMP_RECORDS * sizeof(*records));
	if (!records) {
		Monitor_close(mon);
		return tool_error("no memory");
	}
	setvbuf(stdout, NULL, _IOFBF, DUMP_BUFFER_BYTES);
	status = dump_all(mon, records, &dump);
	free(records);
	Monitor_close(mon);
	return status;
}

int dump_main(int argc, char **argv)
{
	int raw = 0, status;
	const struct tool_option options[] = {
		OPTION_FLAG("raw", 0, &raw),
		OPTION_NOTED("json", 0),
		OPTION_HELP(dump_help),
		OPTION_END,
	};

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (raw && option_form_idle("--raw", "json") != TOOL_OK)
		return TOOL_ERROR;
	if (optind == argc)
		return tool_usage("which recording? Give a file");
	if (optind + 1 < argc)
		return tool_usage("'%s' is one argument too many: one recording at a time",
				  argv[optind + 1]);
	return dump_run(argv[optind], raw);
}
