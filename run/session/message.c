// SPDX-License-Identifier: MIT
/* run/session: passes messages to the caller, and reads the host's clock. */
#include "run/session/session_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/clock.h>

static const struct run_ops *message_ops;
static void *message_opaque;

void run_messages_to(const struct run_ops *ops, void *opaque)
{
	message_ops = ops;
	message_opaque = opaque;
}

static void message_pass(const char *format, va_list arguments)
{
	char *text;

	if (!message_ops || !message_ops->message)
		return;
	if (vasprintf(&text, format, arguments) < 0) {
		message_ops->message(message_opaque, "no memory for a message");
		return;
	}
	message_ops->message(message_opaque, text);
	free(text);
}

void run_message(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_pass(format, arguments);
	va_end(arguments);
}

int run_error(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_pass(format, arguments);
	va_end(arguments);
	return error;
}

uint64_t run_now_ns(void)
{
	return clock_now_ns();
}
