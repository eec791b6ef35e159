/* SPDX-License-Identifier: MIT */
/* Copy the first hundred frames of a B-Link's capture to a new capture. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct Monitor_capture *in, *out;
	const void *frame;
	uint64_t time_ns;
	size_t bytes;
	int frames = 0;

	if (argc != 3)
		errx(2, "usage: capture FROM TO");
	if (Monitor_capture_open_any(&in, argv[1]) < 0)
		errx(2, "%s", Monitor_error_message());
	if (Monitor_capture_link(in) != 147)
		errx(2, "%s holds packets of the cable", argv[1]);
	if (Monitor_capture_create(&out, argv[2]) < 0)
		errx(2, "%s", Monitor_error_message());
	while (frames < 100 && Monitor_capture_read(in, &frame, &bytes, &time_ns) > 0) {
		if (Monitor_capture_write(out, frame, bytes, time_ns) < 0)
			errx(2, "%s", Monitor_error_message());
		frames++;
	}
	Monitor_capture_close(in);
	if (Monitor_capture_close(out) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("%d frames\n", frames);
	return 0;
}
