// SPDX-License-Identifier: MIT
/*
 * smile cluster: report why a guest has failed.
 *
 * What lives here: messages about a guest that has ended without a result. If QEMU complains about
 * a property of a device, the message names the option of this command that set the property. Other
 * output of QEMU is printed unchanged, followed by the last lines of the guest's console.
 */
#include "tools/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

#define LAST_LINES 8

static FILE *open_log(const struct cluster *cluster, const char *what, uint32_t id)
{
	char *path;
	FILE *file;

	if (asprintf(&path, "%s/%s-%u", cluster->directory, what, id) < 0)
		return NULL;
	file = fopen(path, "re");
	free(path);
	return file;
}

/* Print the last lines of a file of the run's directory. */
static void last_lines(const struct cluster *cluster, const char *what, uint32_t id)
{
	char *line = NULL, *last[LAST_LINES] = {NULL};
	FILE *file = open_log(cluster, what, id);
	unsigned int count = 0, i;
	size_t size = 0;

	if (!file)
		return;
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		free(last[count % LAST_LINES]);
		last[count++ % LAST_LINES] = strdup(line);
	}
	for (i = count > LAST_LINES ? count - LAST_LINES : 0; i < count; i++)
		fprintf(stderr, "    %s\n", output_name(last[i % LAST_LINES]));
	for (i = 0; i < LAST_LINES; i++)
		free(last[i]);
	free(line);
	fclose(file);
}

/* Parse "QEMU: -device NAME,PROPERTIES: MESSAGE". Return: MESSAGE; NULL for other lines. */
static const char *message_of(const char *line, const char *device)
{
	const char *at = strstr(line, "-device "), *message;

	if (!at || strncmp(at + 8, device, strlen(device)))
		return NULL;
	message = strstr(at, ": ");
	return message ? message + 2 : NULL;
}

/* Check whether the user's option caused this message of QEMU. If so, report the option. */
static bool option_report(const char *line, const char *device, const char *option,
			  const char *properties)
{
	const char *message = properties ? message_of(line, device) : NULL;

	if (!message)
		return false;
	tool_message("%s %s: %s; smile-monitor-device(7) lists the properties and their values",
		     option, properties, message);
	return true;
}

static bool options_report(const struct node *node, const struct cluster *cluster)
{
	FILE *file = open_log(cluster, "qemu", node->id);
	bool reported = false;
	char *line = NULL;
	size_t size = 0;

	while (file && !reported && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		reported = option_report(line, "smile-monitor", "--card", cluster->card) ||
			   option_report(line, "smile-adapter", "--adapter", cluster->adapter);
	}
	free(line);
	if (file)
		fclose(file);
	return reported;
}

void failure_report(const struct node *node, const struct cluster *cluster)
{
	static bool reported;

	/* All guests have the same options, so report an option only once. */
	if (reported && !node->begun)
		return;
	if (!node->begun && options_report(node, cluster)) {
		reported = true;
		return;
	}
	tool_message("node %u has ended without a result; QEMU said:", node->id);
	last_lines(cluster, "qemu", node->id);
	tool_message("and the guest's console ended with:");
	last_lines(cluster, "console", node->id);
}
