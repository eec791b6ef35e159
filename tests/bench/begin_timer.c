/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Prints the times at which the card's timer wakes this program, by this node's clock. The bench
 * uses them as starts of intervals.
 *
 * 	begin_timer PERIOD_US COUNT
 *
 * What lives here: output is CSV, "interval,begin_s". The number of the interval is computed from
 * the card's clock, so it is right even if several wake-ups arrive late together. May use: the
 * driver's interface, POSIX.
 */
#include <endian.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <uapi/smile_monitor.h>

#define DEVICE "/dev/smile_monitor0"

static void must(int result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(2);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	uint32_t period_us = argc > 2 ? (uint32_t)atoi(argv[1]) : 20000;
	uint64_t count = argc > 2 ? (uint64_t)atoi(argv[2]) : 100;
	uint64_t interval = 0, first = 0;
	struct smile_info info = {.size = sizeof(info)};
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	must(fd, DEVICE);
	must(ioctl(fd, SMILE_IOC_INFO, &info), "ask for the card's configuration");
	info.config.timer_us = period_us;
	info.config.watermark_records = 1;
	must(ioctl(fd, SMILE_IOC_CONFIGURE, &info.config), "configure");
	must(ioctl(fd, SMILE_IOC_START), "start");
	puts("interval,begin_s");
	while (interval < count) {
		struct smile_record records[64];
		ssize_t got = read(fd, records, sizeof(records));
		double begin_s = now_s();

		must((int)got, "read");
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
			uint64_t clock_ns = (uint64_t)le32toh(records[i].word[3]) << 32 |
					    le32toh(records[i].word[2]);

			if ((le32toh(records[i].word[0]) & SMILE_RECORD_KIND) != SMILE_KIND_EVENT)
				continue;
			/* The clock started with the card, not with this program. */
			first = first ? first : clock_ns / 1000 / period_us;
			interval = clock_ns / 1000 / period_us - first + 1;
			printf("%" PRIu64 ",%.6f\n", interval, begin_s);
		}
	}
	return 0;
}
