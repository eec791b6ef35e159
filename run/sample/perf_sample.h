/* SPDX-License-Identifier: MIT */
/*
 * run/sample: reading a sample of perf.
 *
 * What lives here: the conversion of the bytes of a PERF_RECORD_SAMPLE to its fields, and of any
 * other record to its time. Rings and perf.data files both use it. It makes no system call and
 * holds no state. The format is that of perf_event_open(2).
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
 * @branch_sample_type: PERF_SAMPLE_BRANCH_*
 * @regs_user: mask of registers of user space
 * @regs_intr: mask of registers of the interrupt
 * @id_all: other records also end with the fields of @sample_type for time, process, processor and
 *          event
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
 * struct sample - A sample. Members that its event does not report are 0.
 * @time_ns: time of perf's clock
 * @address: address of the access
 * @ip: address of the instruction
 * @id: id of the event
 * @period: number of events for which the sample stands
 * @weight: latency in cycles, if the processor reports it
 * @data_source: PERF_MEM_*
 * @physical: address in the machine's physical memory
 * @pid: process id
 * @tid: thread id
 * @cpu: number of the processor
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

/* Is the length of each field known? Nothing behind a field of unknown length can be read. */
bool perf_layout_known(const struct perf_layout *layout);

/**
 * perf_sample_read() - Read a sample.
 * @body: the bytes behind its header, @bytes long
 * @sample: receives the sample
 *
 * Return: 0.
 * Errors: -EPROTO if the fields of @layout do not fill the body exactly; -EOPNOTSUPP if the length
 * of a field is not known: see perf_layout_known(). Then @sample has no meaning.
 */
int perf_sample_read(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		     struct sample *sample);

/**
 * perf_record_id() - Read the time and event of a record that is not a sample.
 * @body: the bytes behind its header, @bytes long
 * @sample: receives time, process, thread, processor and id; 0 for members that the record does not
 *          have
 *
 * Return: the number of bytes at the end of the body that hold these members; 0 if there is no room
 * for them.
 */
size_t perf_record_id(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		      struct sample *sample);

#endif /* RUN_SAMPLE_PERF_SAMPLE_H */
