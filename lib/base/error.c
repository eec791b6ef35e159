/* SPDX-License-Identifier: MIT */
/*
 * Errors: stores the message that explains a negative return value.
 *
 * What lives here: one message for each thread, as in dlerror(3). A message cannot be stored in a
 * Monitor, because most failures occur before a Monitor exists.
 */
#include <stdarg.h>
#include <stdio.h>

#include <smile/monitor.h>

#include "lib/base/error.h"

static _Thread_local char message[512] = "no error";

int Monitor_error_set(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	return -error;
}

const char *Monitor_error_message(void)
{
	return message;
}

const char *Monitor_version(void)
{
	return SMILE_VERSION;
}
