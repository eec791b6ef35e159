/* SPDX-License-Identifier: MIT */
/*
 * run/sample: decodes a sample of perf.
 *
 * What lives here: the conversion of the bytes of a PERF_RECORD_SAMPLE to its fields, and of any
 * other record to its time. It is used for perf's rings and for perf.data files. perf_event_open(2)
 * defines the format. This code makes no system calls and has no state.
 */
#ifndef RUN_SAMPLE_PERF_SAMPLE_H
#define RUN_SAMPLE_PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

/**
 * struct perf_layout - The fields of an event's samples, as its struct perf_event_attr defines
 * them.
 * @sample_type: PERF_SAMPLE_*
 * @read_format: PERF_FORMAT_*
 * @regs_user: mask of the sampled registers of user space
 * @regs_intr: mask of the sampled registers at the interrupt
 * @id_all: not only samples, but all records have the process, time, event and processor, if
 *          @sample_type has these fields
 */
struct perf_layout {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user;
	uint64_t regs_intr;
	bool id_all;
};

/**
 * struct sample - A sample. Members whose values the event does not report are 0.
 * @time_ns: time of the sample, by perf's clock
 */
struct sample {
	uint64_t time_ns;
	uint64_t address;
	uint64_t ip;
	uint64_t id;
	uint64_t period;
	uint64_t weight;
	uint64_t data_source;
	uint64_t physical;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
};

/*
 * Check whether the lengths of all fields are known. After a field of unknown length, no further
 * field can be read.
 */
bool perf_layout_known(const struct perf_layout *layout);

/**
 * perf_sample_read() - Read a sample.
 * @body: the bytes that follow the header of the record; shape [@bytes]
 * @sample: receives the sample
 *
 * Return: 0 if the sample was read; otherwise an error. Errors: -EPROTO if the fields of @layout do
 * not fill the body exactly; -EOPNOTSUPP if the length of a field is not known (see
 * perf_layout_known()). After an error, the contents of @sample are undefined.
 */
int perf_sample_read(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		     struct sample *sample);

/**
 * perf_record_id() - Read the time and the event of a record that is not a sample.
 * @body: the bytes that follow the header of the record; shape [@bytes]
 * @sample: receives time, process, thread, processor and id; members that the record does not have
 *          are 0
 *
 * Return: the number of bytes at the end of the body that contain the received members; 0 if the
 * body is too short.
 */
size_t perf_record_id(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		      struct sample *sample);

#endif /* RUN_SAMPLE_PERF_SAMPLE_H */
