// SPDX-License-Identifier: MIT
/*
 * smile cluster: write the script that the guest's init runs.
 *
 * What lives here: the text of the script, and the program's environment. The output of the script
 * goes to the port of the result. The output of the program goes to its own ports (guest/node.c).
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void script_word_print(FILE *to, const char *word)
{
	putc('\'', to);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			putc(*word, to);
	}
	putc('\'', to);
}

static void words_print(FILE *to, const struct words *words)
{
	size_t i;

	for (i = 0; i < words->count; i++) {
		putc(' ', to);
		script_word_print(to, words->word[i]);
	}
}

/*
 * The node's recording is a file of the host. The script mounts the host's directory, binds only
 * this file to its name on the host, and hides the directory from the program again.
 */
static void recording_print(FILE *to, const struct cluster *cluster)
{
	bool traced = trace_is_on(&cluster->trace);

	fputs("recording=", to);
	script_word_print(to, cluster->output);
	fputs("-node$SMILE_NODE.rec\nname=", to);
	script_word_print(to, basename(cluster->output));
	fputs("-node$SMILE_NODE.rec\n"
	      "case $recording in */*) mkdir -p \"${recording%/*}\" ;; esac\n"
	      "mkdir -p /smile/keep\n"
	      "mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,cache=none keep "
	      "/smile/keep &&\n"
	      "\t: >\"$recording\" &&\n"
	      "\tmount -o bind \"/smile/keep/$name\" \"$recording\" || exit 2\n",
	      to);
	if (traced)
		fputs("trace=${recording%.rec}.pcapng kept=/smile/keep/${name%.rec}.pcapng\n"
		      ": >\"$kept\" && : >\"$trace\" && mount -o bind \"$kept\" \"$trace\" || "
		      "exit 2\n"
		      "export trace\n",
		      to);
	fputs("umount -l /smile/keep || exit 2\n"
	      "export SMILE_RECORDER='smile cluster -o'\n",
	      to);
	if (traced)
		trace_script_print(to, &cluster->trace);
}

/*
 * Write the variables for the program, each followed by a zero byte. Variables of the user replace
 * variables of this command, except the path of the copied libraries.
 */
static void environment_print(FILE *to, const struct cluster *cluster)
{
	static const char path[] = "LD_LIBRARY_PATH=";
	const char *libraries = NULL;
	size_t i;

	for (i = 0; i < cluster->environment.count; i++) {
		const char *word = cluster->environment.word[i];

		fprintf(to, "%s%c", word, 0);
		if (!strncmp(word, path, strlen(path)))
			libraries = word;
	}
	fprintf(to, "%s%s/" CLUSTER_LIBRARIES "%c", libraries ? libraries : path,
		libraries ? ":" : "", 0);
}

static void program_print(FILE *to, const struct cluster *cluster, uint32_t number)
{
	char **argument = cluster->programs[number];

	fprintf(to, "export PATH=/" CLUSTER_PROGRAMS "%u:/" CLUSTER_WORKING ":$PATH\n", number);
	fprintf(to, "exec smile-node run %s $input ", cluster->mark);
	if (trace_is_on(&cluster->trace))
		fputs("sh /smile/traced ", to);
	if (cluster->output) {
		fputs("smile record -d dev:0 -o \"$recording\"", to);
		words_print(to, &cluster->record);
		fputs(" -- ", to);
	}
	fputs("smile-node watch ", to);
	if (!cluster->shell)
		fprintf(to, "/" CLUSTER_PROGRAMS "%u/", number);
	script_word_print(to, basename(argument[0]));
	for (argument++; *argument; argument++) {
		putc(' ', to);
		script_word_print(to, *argument);
	}
	putc('\n', to);
}

static void shell_print(FILE *to, const struct cluster *cluster)
{
	/*
	 * Only node 0 runs the shell. The other guests sleep until the shell ends; then this
	 * command ends their QEMU processes.
	 */
	fputs("[ $SMILE_NODE = 0 ] || exec sleep 1000000\n", to);
	if (!cluster->terminal) {
		program_print(to, cluster, 0);
		return;
	}
	/*
	 * The script is the session leader. The terminal that it opens therefore becomes the
	 * controlling terminal of the shell.
	 */
	fputs("export PATH=/" CLUSTER_WORKING ":$PATH TERM=\"${TERM:-linux}\"\n"
	      "exec smile-node with sh -i <>/dev/hvc0 >&0 2>&1\n",
	      to);
}

/*
 * A card beside an adapter uses the clock of this machine, unless the user has selected the guest's
 * clock. The boot id of this machine identifies its clock (docs/recording.md).
 */
static void clock_print(FILE *to, const struct cluster *cluster)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char boot[64];

	if (file && fscanf(file, "%63s", boot) == 1 &&
	    !(cluster->card && strstr(cluster->card, "pace=realtime")))
		fprintf(to, "export SMILE_CLOCK=%s\n", boot);
	if (file)
		fclose(file);
}

static void script_print(FILE *to, const struct cluster *cluster)
{
	uint32_t i;

	fputs("#!/bin/sh\n"
	      "read -r words </proc/cmdline\n"
	      "words=${words##*smile.node=}\n"
	      "SMILE_NODE=${words%% *} input=\n"
	      "[ $SMILE_NODE != 0 ] || input=-i\n",
	      to);
	fprintf(to, "export SMILE_NODE SMILE_NODES=%u\n", cluster->nodes);
	fputs("echo node$SMILE_NODE >/proc/sys/kernel/hostname\n"
	      "echo 127.0.1.1 node$SMILE_NODE >>/etc/hosts\n"
	      "ifconfig lo up\n"
	      /*
	       * Let the kernel grant all allocations. A refused allocation would look like an error
	       * of the program.
	       */
	      "echo 1 >/proc/sys/vm/overcommit_memory\n"
	      "cd /" CLUSTER_WORKING "\n",
	      to);
	ethernet_script_print(to, cluster);
	clock_print(to, cluster);
	if (cluster->shell) {
		shell_print(to, cluster);
		return;
	}
	if (cluster->output)
		recording_print(to, cluster);
	fputs("case $SMILE_NODE in\n", to);
	for (i = 0; i < cluster->programs_count; i++) {
		if (i + 1 < cluster->programs_count)
			fprintf(to, "%u)\n", i);
		else
			fputs("*)\n", to);
		program_print(to, cluster, i);
		fputs(";;\n", to);
	}
	fputs("esac\n", to);
}

static int text_add(struct archive *archive, const char *name, const struct cluster *cluster,
		    void (*print)(FILE *to, const struct cluster *cluster))
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);
	int err;

	if (!to)
		return -errno;
	print(to, cluster);
	err = fclose(to) ? -ENOMEM : archive_data(archive, name, text, bytes);
	free(text);
	return err;
}

int script_add(struct archive *archive, const struct cluster *cluster)
{
	/*
	 * Put the variables into a file and not into the command line. Recordings contain the
	 * command line, and users give recordings to other people.
	 */
	int err = text_add(archive, "smile/variables", cluster, environment_print);

	return err ? err : text_add(archive, "smile/run", cluster, script_print);
}
