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
 * Monitor_error_message() - The cause of this thread's last failure, and the remedy.
 *
 * Context: any thread; each thread has its own message.
 * Return: a sentence, never NULL; valid until the thread's next failing call.
 */
const char *Monitor_error_message(void);

/**
 * Monitor_error_set() - Set the calling thread's message.
 * @error: positive errno value
 * @format: as of printf(3); the message names the thing and the remedy
 *
 * For libraries built on this library, so that Monitor_error_message() also reports their failures.
 *
 * Context: any thread.
 * Return: -@error.
 */
int Monitor_error_set(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Monitor_version() - Version of the library.
 *
 * Context: any thread.
 * Return: "1.2.3".
 */
const char *Monitor_version(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_ERROR_H */
