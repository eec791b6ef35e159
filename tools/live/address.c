// SPDX-License-Identifier: MIT
/*
 * Address: the address of a `smile serve`. See address.h.
 */
#include "tools/live/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/tool.h"

int address_local(struct address *address, const char *path)
{
	struct sockaddr_un *local = &address->local;
	size_t bytes = strlen(path);

	if (!bytes || bytes >= sizeof(local->sun_path))
		return tool_usage("unix:%s: a socket's path has 1 to %zu bytes", path,
				  sizeof(local->sun_path) - 1);
	*address = (struct address){.local = {.sun_family = AF_UNIX},
				    .bytes = sizeof(struct sockaddr_un)};
	memcpy(local->sun_path, path, bytes + 1);
	return TOOL_OK;
}

static int is_named(const char *host, size_t bytes, const char *name)
{
	return bytes == strlen(name) && !strncasecmp(host, name, bytes);
}

int address_parse(struct address *address, const char *source)
{
	static const char scheme[] = "http://";
	char text[256];
	const char *host = text + sizeof(scheme) - 1, *colon;
	size_t length = strlen(source);
	uint64_t port;

	if (!strncmp(source, "unix:", 5))
		return address_local(address, source + 5);
	if (length && source[length - 1] == '/')
		length--;
	snprintf(text, sizeof(text), "%.*s", (int)(length < sizeof(text) ? length : 0), source);
	colon = strncmp(text, scheme, sizeof(scheme) - 1) ? NULL : strrchr(host, ':');
	if (!colon)
		return tool_usage("'%s' is no address of a smile serve: give unix:PATH or "
				  "http://localhost:PORT",
				  source);
	if (tool_number("the port of an address", colon + 1, 1, UINT16_MAX, &port))
		return TOOL_ERROR;
	*address = (struct address){.bytes = sizeof(struct sockaddr_in)};
	if (is_named(host, (size_t)(colon - host), "[::1]")) {
		address->six = (struct sockaddr_in6){.sin6_family = AF_INET6,
						     .sin6_addr = IN6ADDR_LOOPBACK_INIT,
						     .sin6_port = htons((uint16_t)port)};
		address->bytes = sizeof(struct sockaddr_in6);
		return TOOL_OK;
	}
	if (!is_named(host, (size_t)(colon - host), "localhost") &&
	    !is_named(host, (size_t)(colon - host), "127.0.0.1"))
		return tool_error(
			"%s is on another machine, and HTTP does not identify the sender: "
			"%s, and the source is then unix:/tmp/NODE.sock",
			source, ADDRESS_REMEDY);
	address->four = (struct sockaddr_in){.sin_family = AF_INET,
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
					     .sin_port = htons((uint16_t)port)};
	return TOOL_OK;
}

int address_connect(const struct address *address)
{
	int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int error;

	if (fd < 0)
		return -errno;
	if (!connect(fd, &address->any, address->bytes) || errno == EINPROGRESS)
		return fd;
	error = -errno;
	close(fd);
	return error;
}
