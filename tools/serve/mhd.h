/* SPDX-License-Identifier: MIT */
/*
 * libmicrohttpd. Only `smile serve` loads this library, at run time. `smile` is not linked with it,
 * because the loader would then load the library, and GnuTLS with it, for all other subcommands
 * too.
 *
 * What lives here: the functions of libmicrohttpd that tools/serve calls. Their names have no
 * prefix: serve_mhd.run() is MHD_run(). May use the header of libmicrohttpd.
 */
#ifndef TOOLS_SERVE_MHD_H
#define TOOLS_SERVE_MHD_H

#include <microhttpd.h>

#include <base/lazy_library.h>

/* clang-format off */
#define SERVE_MHD_FUNCTIONS(X) \
	X(MHD_, add_response_header) X(MHD_, create_response_from_buffer) \
	X(MHD_, create_response_from_callback) X(MHD_, create_response_from_fd64) \
	X(MHD_, create_response_from_fd_at_offset64) X(MHD_, destroy_response) \
	X(MHD_, get_connection_info) X(MHD_, get_daemon_info) X(MHD_, get_timeout) \
	X(MHD_, lookup_connection_value) X(MHD_, queue_response) \
	X(MHD_, resume_connection) X(MHD_, run) X(MHD_, start_daemon) X(MHD_, stop_daemon) \
	X(MHD_, suspend_connection)
/* clang-format on */

/**
 * struct serve_mhd - The functions of libmicrohttpd. They are valid after serve_mhd_load() has
 * returned TOOL_OK.
 */
struct serve_mhd {
	SERVE_MHD_FUNCTIONS(LAZY_LIBRARY_MEMBER)
};

extern struct serve_mhd serve_mhd;

/**
 * serve_mhd_load() - Load libmicrohttpd.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message if the library is not installed.
 */
int serve_mhd_load(void);

#endif /* TOOLS_SERVE_MHD_H */
