/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Message: prints a line on standard error that begins with the tracer's name. */
#ifndef RUN_TRACER_MESSAGE_H
#define RUN_TRACER_MESSAGE_H

#include <stdio.h>

#define message(...)                                                                               \
	do {                                                                                       \
		fprintf(stderr, "smile-tracer: " __VA_ARGS__);                                     \
		fputc('\n', stderr);                                                               \
	} while (0)

#endif /* RUN_TRACER_MESSAGE_H */
