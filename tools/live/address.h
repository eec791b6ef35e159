/* SPDX-License-Identifier: MIT */
/*
 * Address: where a `smile serve` of this machine, or one that ssh forwards, is reached.
 *
 * What lives here: unix:PATH and http://localhost:PORT as socket addresses.
 */
#ifndef TOOLS_LIVE_ADDRESS_H
#define TOOLS_LIVE_ADDRESS_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The ssh command that is the remedy for an address beyond this machine. */
#define ADDRESS_REMEDY "ssh -L /tmp/NODE.sock:/run/user/UID/smile.sock NODE forwards a socket"

/**
 * struct address - A socket address.
 * @any: for calls
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
 * address_local() - PATH as an address.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message: it is too long, or empty.
 */
int address_local(struct address *address, const char *path);

/**
 * address_parse() - unix:PATH, or http://HOST:PORT/ with a loopback HOST.
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
