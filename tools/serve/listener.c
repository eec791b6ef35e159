// SPDX-License-Identifier: MIT
/*
 * Serve: listen on addresses, and check host names.
 *
 * What lives here: the conversion of "ADDRESS:PORT" to listening sockets, the Unix socket, and the
 * host names by which clients may address this machine.
 */
#include "tools/serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/live/address.h"

#define LISTEN_BACKLOG 64

union host {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	struct sockaddr_storage room;
};

static int is_loopback(const union host *address)
{
	if (address->any.sa_family == AF_INET)
		return ntohl(address->four.sin_addr.s_addr) >> 24 == 127;
	if (IN6_IS_ADDR_V4MAPPED(&address->six.sin6_addr))
		return address->six.sin6_addr.s6_addr[12] == 127;
	return IN6_IS_ADDR_LOOPBACK(&address->six.sin6_addr);
}

static void port_set(union host *address, unsigned int port)
{
	if (address->any.sa_family == AF_INET)
		address->four.sin_port = htons((uint16_t)port);
	else
		address->six.sin6_port = htons((uint16_t)port);
}

static unsigned int port_of(const union host *address)
{
	return ntohs(address->any.sa_family == AF_INET ? address->four.sin_port
						       : address->six.sin6_port);
}

/* Open a socket, and listen on an address. Return: 0; -errno. */
static int listen_at(struct serve_address *to, union host *address, socklen_t bytes)
{
	const int on = 1;
	int error, fd;

	fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	/*
	 * Allow the port to be used again soon after the previous server has closed its
	 * connections.
	 */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (address->any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(fd, &address->any, bytes) || listen(fd, LISTEN_BACKLOG)) {
		error = -errno;
		close(fd);
		return error;
	}
	getsockname(fd, &address->any, &bytes);
	to->socket = fd;
	to->port = port_of(address);
	return 0;
}

/* Split "ADDRESS:PORT" or "[ADDRESS]:PORT". Return: 0; -1 after a message. */
static int split(const char *text, char *host, size_t bytes, unsigned int *port)
{
	const char *colon = strrchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;
	uint64_t number;

	if (!length || length >= bytes || (text[0] != '[' && memchr(text, ':', length)) ||
	    (text[0] == '[' && (length < 3 || colon[-1] != ']'))) {
		tool_usage("--listen: '%s' is no ADDRESS:PORT, such as 127.0.0.1:8340 or "
			   "[::1]:8340",
			   text);
		return -1;
	}
	if (tool_number("--listen: the port", colon + 1, 0, 65535, &number))
		return -1;
	if (text[0] == '[') {
		text++;
		length -= 2;
	}
	memcpy(host, text, length);
	host[length] = 0;
	*port = (unsigned int)number;
	return 0;
}

static void url_write(const struct serve_address *address, const union host *at, char *url,
		      size_t bytes)
{
	char name[NI_MAXHOST] = "localhost";
	int six = at->any.sa_family == AF_INET6;

	inet_ntop(at->any.sa_family, six ? (const void *)&at->six.sin6_addr : &at->four.sin_addr,
		  name, sizeof(name));
	snprintf(url, bytes, six ? "http://[%s]:%u/" : "http://%s:%u/", name, address->port);
}

static int refused(const char *what, unsigned int port, int error)
{
	if (error == -EADDRINUSE)
		return tool_error("port %u of %s is in use, perhaps by another smile serve; "
				  "--listen %s%s%s:0 uses a free port",
				  port, what, strchr(what, ':') ? "[" : "", what,
				  strchr(what, ':') ? "]" : "");
	if (error == -EACCES)
		return tool_error("only root may use port %u of %s: choose a port from 1024 on, as "
				  "--listen %s:%d",
				  port, what, what, SERVE_PORT);
	if (error == -EADDRNOTAVAIL)
		return tool_error("%s is no address of this machine; `ip address` lists them",
				  what);
	return tool_error("%s, port %u: %s", what, port, strerror(-error));
}

/*
 * Listen on the loopback addresses of IPv4 and IPv6, because a browser may use either of them for
 * "localhost".
 */
static int listen_loopback(struct serve *serve, unsigned int port, char *url, size_t bytes)
{
	union host four = {.four = {.sin_family = AF_INET}};
	union host six = {.six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT}};
	int error;

	four.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	port_set(&four, port);
	error = listen_at(&serve->addresses[0], &four, sizeof(four.four));
	if (error)
		return refused("127.0.0.1", port, error);
	/*
	 * Ignore a failure for IPv6, because the machine may have no IPv6, or another program may
	 * use this port with IPv6.
	 */
	port_set(&six, serve->addresses[0].port);
	listen_at(&serve->addresses[1], &six, sizeof(six.six));
	url_write(&serve->addresses[0], &four, url, bytes);
	return TOOL_OK;
}

/* If a killed process has left its socket at this path, and no process listens on it, remove it. */
static void stale_remove(const struct address *at)
{
	struct stat status;
	int fd;

	if (lstat(at->local.sun_path, &status) || !S_ISSOCK(status.st_mode))
		return;
	fd = address_connect(at);
	if (fd == -ECONNREFUSED)
		unlink(at->local.sun_path);
	if (fd >= 0)
		close(fd);
}

/*
 * Listen on a Unix socket. The mode of its path allows only the user to connect. The server also
 * checks the user of each client.
 */
static int listen_local(struct serve *serve, const char *path, char *url, size_t bytes)
{
	struct serve_address *to = &serve->addresses[0];
	struct address at;
	struct stat status;
	mode_t before;
	int fd, error;

	if (address_local(&at, path) != TOOL_OK)
		return TOOL_ERROR;
	stale_remove(&at);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	before = umask(0177);
	error = fd < 0 || bind(fd, &at.any, at.bytes) ? errno : 0;
	umask(before);
	if (!error && (listen(fd, LISTEN_BACKLOG) || stat(path, &status)))
		error = errno;
	if (error) {
		if (fd >= 0)
			close(fd);
		return tool_error("--listen: no socket can be made at %s: %s%s", path,
				  strerror(error),
				  error == EADDRINUSE ? ": end the smile serve that uses it, or "
							"choose another path"
						      : "");
	}
	to->socket = fd;
	to->path = path;
	to->inode = status.st_ino;
	snprintf(url, bytes, "unix:%s", path);
	return TOOL_OK;
}

int serve_url_print(const char *url)
{
	int error;

	printf("%s\n", url);
	if (!fflush(stdout))
		return TOOL_OK;
	error = errno;
	output_stopped();
	return error == EPIPE ? TOOL_OK : TOOL_ERROR;
}

void serve_listen_end(struct serve *serve)
{
	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++) {
		const struct serve_address *address = &serve->addresses[i];
		struct stat status;

		if (address->path && !lstat(address->path, &status) &&
		    status.st_ino == address->inode)
			unlink(address->path);
	}
}

int serve_listen(struct serve *serve, char *url, size_t bytes)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	const char *text = serve->options->listen;
	unsigned int port = SERVE_PORT;
	char host[NI_MAXHOST] = "";
	struct addrinfo *found;
	union host address;
	int error;

	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++)
		serve->addresses[i].socket = -1;
	if (text && !strncmp(text, "unix:", 5))
		return listen_local(serve, text + 5, url, bytes);
	if (text && split(text, host, sizeof(host), &port))
		return TOOL_ERROR;
	if (!text || !strcmp(host, "localhost"))
		return listen_loopback(serve, port, url, bytes);
	error = getaddrinfo(host, NULL, &hints, &found);
	if (error)
		return tool_error("--listen: '%s' is no address of this machine: %s", host,
				  gai_strerror(error));
	memcpy(&address, found->ai_addr, found->ai_addrlen);
	port_set(&address, port);
	if (!is_loopback(&address)) {
		freeaddrinfo(found);
		return tool_error(
			"--listen: other hosts could connect to %s, without a check of the "
			"user: listen at unix:PATH; on the reader's machine, %s, "
			"or ssh -L %u:PATH NODE forwards a port",
			host, ADDRESS_REMEDY, SERVE_PORT);
	}
	error = listen_at(&serve->addresses[0], &address, found->ai_addrlen);
	freeaddrinfo(found);
	if (error)
		return refused(host, port, error);
	url_write(&serve->addresses[0], &address, url, bytes);
	return TOOL_OK;
}

int serve_host_allowed(const char *host)
{
	static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};

	for (size_t i = 0; host && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i]);
		const char *port = host + length;

		if (strncasecmp(host, names[i], length))
			continue;
		if (!*port ||
		    (port[0] == ':' && port[1] && !port[1 + strspn(port + 1, "0123456789")]))
			return 1;
	}
	return 0;
}
