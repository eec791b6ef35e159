/* SPDX-License-Identifier: MIT */
/*
 * Errors: the message of a failure. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_ERROR_H
#define SMILE_MONITOR_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Monitor_error_message() - Get the cause of the calling thread's last failure, and the remedy.
 *
 * Context: any thread; each thread has its own message.
 * Return: a sentence, never NULL; valid until the thread's next failing call.
 */
const char *Monitor_error_message(void);

/**
 * Monitor_error_set() - Set the calling thread's message.
 * @error: positive errno value
 * @format: format of the message, as for printf(3); the message names the cause and the remedy
 *
 * A library that is built on this library calls this function, so that Monitor_error_message() also
 * reports the failures of that library.
 *
 * Context: any thread.
 * Return: -@error.
 */
int Monitor_error_set(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Monitor_version() - Get the version of the library.
 *
 * Context: any thread.
 * Return: a text such as "1.2.3".
 */
const char *Monitor_version(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_ERROR_H */
