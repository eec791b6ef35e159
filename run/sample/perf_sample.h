/* SPDX-License-Identifier: MIT */
/*
 * run/sample: one sample of perf's.
 *
 * What lives here: the way from the bytes of a PERF_RECORD_SAMPLE to its fields, and to the time of
 * any other record. Rings and perf.data files both go it. It makes no system call and holds no
 * state. The format is that of perf_event_open(2).
 */
#ifndef RUN_SAMPLE_PERF_SAMPLE_H
#define RUN_SAMPLE_PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

/**
 * struct perf_layout - What the samples of an event hold, as its struct perf_event_attr says.
 * @sample_type: PERF_SAMPLE_*
 * @read_format: PERF_FORMAT_*
 * @branch_sample_type: PERF_SAMPLE_BRANCH_*
 * @regs_user: registers of user space
 * @regs_intr: registers of the interrupt
 * @id_all: other records end with the fields of @sample_type that say when and where, too
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
 * @time_ns: perf's clock
 * @address: that was accessed
 * @ip: of the instruction
 * @id: of the event
 * @period: events for which it stands
 * @weight: latency in cycles, if the processor reports it
 * @data_source: PERF_MEM_*
 * @physical: address in the machine's memory
 * @pid: process
 * @tid: thread
 * @cpu: processor
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

/* Are there fields among them whose length is not known? Nothing behind them can be read. */
bool perf_layout_known(const struct perf_layout *layout);

/**
 * perf_sample_read() - Read a sample.
 * @body: what follows its header, @bytes long
 * @sample: receives it
 *
 * Return: 0.
 * Errors: -EPROTO if the fields of @layout do not fill the body exactly; -EOPNOTSUPP if they are
 * not known: see perf_layout_known(). Then @sample has no meaning.
 */
int perf_sample_read(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		     struct sample *sample);

/**
 * perf_record_id() - What a record that is no sample says of its time and event.
 * @body: what follows its header, @bytes long
 * @sample: receives time, process, thread, processor and id; 0 if it does not say them
 *
 * Return: bytes at the end of the body that say it; 0 if there is no room for them.
 */
size_t perf_record_id(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		      struct sample *sample);

#endif /* RUN_SAMPLE_PERF_SAMPLE_H */
