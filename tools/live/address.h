/* SPDX-License-Identifier: MIT */
/*
 * Address: the address of a `smile serve` that runs on this machine, or whose socket ssh forwards
 * to this machine.
 *
 * What lives here: the conversion of unix:PATH and http://localhost:PORT to socket addresses.
 */
#ifndef TOOLS_LIVE_ADDRESS_H
#define TOOLS_LIVE_ADDRESS_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The remedy for an address on another machine: an ssh command that forwards a socket. */
#define ADDRESS_REMEDY "ssh -L /tmp/NODE.sock:/run/user/UID/smile.sock NODE forwards a socket"

/**
 * struct address - A socket address.
 * @any: the address, in the form of system calls
 * @bytes: length of the address
 */
struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in four;
		struct sockaddr_in6 six;
		struct sockaddr_un local;
	};
	socklen_t bytes;
};

/**
 * address_local() - Make an address from the path of a Unix socket.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message if the path is too long, or empty.
 */
int address_local(struct address *address, const char *path);

/**
 * address_parse() - Parse unix:PATH, or http://HOST:PORT/ with a loopback HOST.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int address_parse(struct address *address, const char *source);

/**
 * address_connect() - Start to connect to an address. This function does not wait for the
 * connection.
 *
 * Return: a socket; -errno.
 */
int address_connect(const struct address *address);

#endif /* TOOLS_LIVE_ADDRESS_H */
