/* SPDX-License-Identifier: MIT */
/*
 * libmicrohttpd, loaded by `smile serve` alone, since it brings GnuTLS.
 *
 * What lives here: those of its functions that tools/serve calls, without their prefix:
 * serve_mhd.run() is MHD_run(). It may use libmicrohttpd's header.
 */
#ifndef TOOLS_SERVE_MHD_H
#define TOOLS_SERVE_MHD_H

#include <microhttpd.h>

#include <base/loaded.h>

/* clang-format off */
#define SERVE_MHD_FUNCTIONS(X) \
	X(add_response_header) X(create_response_from_buffer) X(create_response_from_callback) \
	X(create_response_from_fd64) X(create_response_from_fd_at_offset64) \
	X(destroy_response) X(get_connection_info) X(get_daemon_info) X(get_timeout) \
	X(lookup_connection_value) X(queue_response) X(resume_connection) X(run) \
	X(start_daemon) X(stop_daemon) X(suspend_connection)
/* clang-format on */

/**
 * struct serve_mhd - libmicrohttpd's functions; after serve_mhd_load() has returned TOOL_OK.
 */
struct serve_mhd {
#define SERVE_MHD_MEMBER(name) LOADED_MEMBER(MHD_, name)
	SERVE_MHD_FUNCTIONS(SERVE_MHD_MEMBER)
#undef SERVE_MHD_MEMBER
};

extern struct serve_mhd serve_mhd;

/**
 * serve_mhd_load() - Load libmicrohttpd.
 *
 * Return: TOOL_OK, or TOOL_ERROR with a message: it is not installed.
 */
int serve_mhd_load(void);

#endif /* TOOLS_SERVE_MHD_H */
