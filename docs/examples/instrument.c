/* SPDX-License-Identifier: MIT */
/* Store the packets of a capture around its first write, in 4 KB of trace memory. The write is
 * in the middle of the stored packets. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct smile_trace_config config;
	struct Monitor_instrument *instrument;
	struct Monitor_trace_packet packet;
	struct Monitor_capture *capture;
	const void *frame;
	uint64_t time_ns;
	size_t bytes;
	int packets = 0, trigger = 0;

	if (argc != 2)
		errx(2, "usage: instrument CAPTURE");
	Monitor_trace_config_default(&config);
	config.memory_bytes = 4096;
	if (Monitor_trace_level(&config, "type=write") < 0 ||
	    Monitor_capture_open(&capture, argv[1]) < 0 ||
	    Monitor_instrument_open(&instrument, "emu:", &config) < 0 ||
	    Monitor_instrument_arm(instrument) < 0)
		errx(2, "%s", Monitor_error_message());
	while (Monitor_capture_read(capture, &frame, &bytes, &time_ns) > 0)
		if (!Monitor_instrument_packet(instrument, frame, bytes, time_ns))
			break;
	Monitor_instrument_stop(instrument);
	while (Monitor_instrument_read(instrument, &packet) > 0) {
		packets++;
		if (packet.trigger)
			trigger = packets;
	}
	printf("%d packets, the trigger is packet %d of them\n", packets, trigger);
	Monitor_instrument_close(instrument);
	return Monitor_capture_close(capture) < 0 ? 2 : 0;
}
