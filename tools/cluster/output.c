// SPDX-License-Identifier: MIT
/*
 * smile cluster: print the output of a guest.
 *
 * What lives here: the lines of the program's output, each printed after the number of its node;
 * and the reports that smile-node (guest/node.c) and init write to the port of the result.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <base/array.h>

#include "tools/common/tool.h"

#define CHUNK 4096
/* A line that is longer than this number of bytes is passed on in parts. */
#define LINE_MAX_BYTES (1U << 20)
#define RESULT "GUEST RESULT "
#define MISSING "error while loading shared libraries: "

static void line_print(const struct node *node, FILE *to, const char *line, size_t bytes)
{
	fprintf(to, "%u: ", node->id);
	fwrite(line, 1, bytes, to);
	putc('\n', to);
	fflush(to);
}

/*
 * Search the line for the loader's message that a library is missing. The remedy is printed at the
 * end of the run.
 */
static void missing_look(struct node *node, const char *line)
{
	const char *library = strstr(line, MISSING);

	if (!library || node->missing)
		return;
	library += strlen(MISSING);
	node->missing = strndup(library, strcspn(library, ":"));
}

/* ---- the result ---- */

static const char *program_name(const struct node *node, const struct cluster *cluster)
{
	uint32_t last = cluster->programs_count - 1;

	return cluster->programs[node->id < last ? node->id : last][0];
}

/* Note that the program has ended. If it has failed, report this immediately. */
static void program_ended(struct node *node, const struct cluster *cluster, const char *how)
{
	int number = 0;

	node->ended = true;
	if (sscanf(how, "signal %d", &number) == 1) {
		node->bad = true;
		if (!node->stopped)
			tool_message("node %u: %s was ended by signal %d (%s)", node->id,
				     program_name(node, cluster), number, strsignal(number));
	} else if (sscanf(how, "exit %d", &number) == 1 && number) {
		node->bad = true;
		if (!node->stopped && !cluster->shell)
			tool_message("node %u: %s has ended with status %d", node->id,
				     program_name(node, cluster), number);
	}
}

static void result_take(struct node *node, const struct cluster *cluster, const char *line)
{
	if (!strncmp(line, RESULT, strlen(RESULT))) {
		line += strlen(RESULT);
		if (!strcmp(line, "ok"))
			node->status = 0;
		else if (sscanf(line, "failed %d", &node->status) != 1)
			node->status = -1;
	} else if (!strcmp(line, "begun")) {
		node->begun = true;
	} else if (!strcmp(line, "running")) {
		node->running = true;
	} else if (!strncmp(line, "ended ", 6)) {
		program_ended(node, cluster, line + 6);
	} else if (!strcmp(line, "memory")) {
		tool_message("node %u: memory ran out, and its kernel has ended a process; "
			     "--memory %u gives each guest twice as much",
			     node->id, 2 * cluster->memory_mb);
	} else if (sscanf(line, "failed %" SCNu64, &node->failed) != 1) {
		/* Print this line, because it is output of the script and not a report. */
		line_print(node, stderr, line, strlen(line));
	}
}

/* ---- lines ---- */

/*
 * Search the line for the mark that smile-node writes after the end of the output. The mark may
 * follow an incomplete line.
 * Return: the number of bytes of the line without the mark.
 */
static size_t mark_look(struct node *node, enum channel channel, const struct cluster *cluster,
			const char *line, size_t bytes)
{
	static const char taken[] = "taken\n";

	if (bytes < CLUSTER_MARK_BYTES ||
	    memcmp(line + bytes - CLUSTER_MARK_BYTES, cluster->mark, CLUSTER_MARK_BYTES))
		return bytes;
	node->marked[channel] = true;
	/*
	 * If the guest has ended, the message has no receiver. In this case, the failure of the
	 * write does not matter.
	 */
	if (node->marked[CHANNEL_OUT] && node->marked[CHANNEL_ERROR])
		send(node->file[CHANNEL_RESULT], taken, strlen(taken), MSG_NOSIGNAL);
	return bytes - CLUSTER_MARK_BYTES;
}

static void line_take(struct node *node, enum channel channel, const struct cluster *cluster,
		      char *line, size_t bytes)
{
	size_t all = bytes;
	char next;

	if (channel != CHANNEL_RESULT)
		bytes = mark_look(node, channel, cluster, line, bytes);
	if (!bytes && all)
		return;
	if (channel == CHANNEL_OUT) {
		line_print(node, stdout, line, bytes);
		return;
	}
	/* The buffer has room for one more byte after each line, also after the last line. */
	next = line[bytes];
	line[bytes] = '\0';
	if (channel == CHANNEL_RESULT) {
		result_take(node, cluster, line);
	} else {
		missing_look(node, line);
		line_print(node, stderr, line, bytes);
	}
	line[bytes] = next;
}

/* Print the complete lines. @all: also print a last line that has no newline. */
static void lines_take(struct node *node, enum channel channel, const struct cluster *cluster,
		       bool all)
{
	struct line *line = &node->line[channel];
	char *begin = line->text, *end = line->text + line->used, *newline;

	while (begin < end) {
		newline = memchr(begin, '\n', (size_t)(end - begin));
		if (!newline && !all && (size_t)(end - begin) < LINE_MAX_BYTES)
			break;
		/*
		 * The last bytes can be the first part of a mark, so keep them until the rest
		 * arrives.
		 */
		if (!newline)
			newline = all ? end : end - CLUSTER_MARK_BYTES;
		line_take(node, channel, cluster, begin, (size_t)(newline - begin));
		begin = newline < end && *newline == '\n' ? newline + 1 : newline;
	}
	line->used = (size_t)(end - begin);
	memmove(line->text, begin, line->used);
}

void output_read(struct node *node, enum channel channel, const struct cluster *cluster)
{
	struct line *line = &node->line[channel];
	ssize_t got = -1;

	/* Allocate one more byte, for the zero after the last line. */
	if (array_reserve(&line->text, &line->size, line->used + CHUNK, 1) == 0) {
		got = read(node->file[channel], line->text + line->used, CHUNK);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			return;
	} else {
		tool_error("no memory for the output of node %u", node->id);
	}
	if (got > 0)
		line->used += (size_t)got;
	lines_take(node, channel, cluster, got <= 0);
	if (got > 0)
		return;
	close(node->file[channel]);
	node->file[channel] = -1;
	free(line->text);
	*line = (struct line){.text = NULL};
}
