// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Layout: the offsets of the members of the public structures. The test of the Python package
 * compares the package's copies of the structures with them. Prints "STRUCT MEMBER OFFSET SIZE".
 */
#include <stddef.h>
#include <stdio.h>

#include <smile/monitor.h>

#define MEMBER(structure, member)                                                                  \
	printf(#structure " " #member " %zu %zu\n", offsetof(struct structure, member),            \
	       sizeof(((struct structure *)NULL)->member))
#define WHOLE(structure) printf(#structure " - 0 %zu\n", sizeof(struct structure))

int main(void)
{
	WHOLE(Monitor_histogram_row);
	MEMBER(Monitor_histogram_row, page);
	MEMBER(Monitor_histogram_row, home);
	MEMBER(Monitor_histogram_row, source);
	MEMBER(Monitor_histogram_row, accesses);
	MEMBER(Monitor_histogram_row, reads);
	MEMBER(Monitor_histogram_row, writes);
	MEMBER(Monitor_histogram_row, locks);
	MEMBER(Monitor_histogram_row, ratio);
	WHOLE(Monitor_phase);
	MEMBER(Monitor_phase, event);
	MEMBER(Monitor_phase, open);
	MEMBER(Monitor_phase, end_ns);
	MEMBER(Monitor_phase, accesses);
	WHOLE(smile_config);
	MEMBER(smile_config, size);
	MEMBER(smile_config, node);
	MEMBER(smile_config, filter);
	MEMBER(smile_config, mode);
	MEMBER(smile_config, max_range_bytes);
	MEMBER(smile_config, entries);
	MEMBER(smile_config, phase_events);
	MEMBER(smile_config, reserved);
	MEMBER(smile_config, timer_us);
	MEMBER(smile_config, timer_event);
	MEMBER(smile_config, time_us);
	MEMBER(smile_config, watermark_records);
	MEMBER(smile_config, latency_us);
	MEMBER(smile_config, reserved2);
	return 0;
}
