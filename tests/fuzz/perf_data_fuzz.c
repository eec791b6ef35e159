/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fuzzing the reader of perf.data files: any file is read to its end or refused with a message.
 *
 * What lives here: the input is the file. Each record must advance the reader, and each name must
 * be terminated. It may use fuzz.h and run/sample.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/sample/data_source.h"
#include "run/sample/perf_file.h"
#include "tests/fuzz/fuzz.h"

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "perf_data_fuzz: %s\n", what);
	abort();
}

static void records_read(struct perf_file *file)
{
	struct perf_file_record record;
	struct data_source source;
	char why[512] = "";
	uint64_t at = file->at;
	int got;

	while ((got = perf_file_next(file, &record, why, sizeof(why))) > 0) {
		must(file->at > at && file->at <= file->end, "a record without a place");
		at = file->at;
		if (record.name)
			must(strlen(record.name) < PERF_FILE_RECORD_BYTES, "a name without an end");
		if (record.kind == PERF_FILE_SAMPLE)
			data_source_read(record.sample.data_source, &source);
		perf_file_home(file, record.sample.physical);
	}
	must(!got || *why, "a refusal without a sentence");
	must(got || file->at == file->end, "an end that is none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_file *file = malloc(sizeof(*file));
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
	char why[512] = "";

	if (in && file) {
		if (perf_file_open(file, in, why, sizeof(why)) < 0)
			must(*why, "a refusal without a sentence");
		else
			records_read(file);
		perf_file_close(file);
	}
	if (in)
		fclose(in);
	free(file);
	return 0;
}
