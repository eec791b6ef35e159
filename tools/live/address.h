/* SPDX-License-Identifier: MIT */
/*
 * Address: the address of a `smile serve` on this machine, or of one that ssh forwards.
 *
 * What lives here: unix:PATH and http://localhost:PORT as socket addresses.
 */
#ifndef TOOLS_LIVE_ADDRESS_H
#define TOOLS_LIVE_ADDRESS_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The ssh command that is the remedy for an address on another machine. */
#define ADDRESS_REMEDY "ssh -L /tmp/NODE.sock:/run/user/UID/smile.sock NODE forwards a socket"

/**
 * struct address - A socket address.
 * @any: the address, as system calls use it
 * @bytes: its length
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
 * address_connect() - Begin to connect, without waiting.
 *
 * Return: a socket; -errno.
 */
int address_connect(const struct address *address);

#endif /* TOOLS_LIVE_ADDRESS_H */
