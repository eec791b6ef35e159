/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Print one line, with the tracer's name as a prefix, on standard error. */
#ifndef RUN_TRACER_MESSAGE_H
#define RUN_TRACER_MESSAGE_H

#include <stdio.h>

#define message(...)                                                                               \
	do {                                                                                       \
		fprintf(stderr, "smile-tracer: " __VA_ARGS__);                                     \
		fputc('\n', stderr);                                                               \
	} while (0)

#endif /* RUN_TRACER_MESSAGE_H */
