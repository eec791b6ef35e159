/* SPDX-License-Identifier: MIT */
/*
 * smile cluster: guests in QEMU, each with an adapter, a card and their drivers, run one program or
 * different programs.
 *
 * What lives here: the types and functions that its files share. cluster.c is the run as a whole,
 * options.c the command line, directory.c the run's directory, image.c the boot image, archive.c
 * the archive that brings files into the guests, program.c the programs in it, script.c the script
 * that init runs, node.c one guest, output.c its output, failure.c the report of its failure,
 * input.c standard input, keep.c the files of the recordings, live_view.c --live, trace.c --trace,
 * ethernet.c --ethernet, hub.c the trigger line and the ethernet, latency.c --latency, distance.c
 * --network; guest/node.c runs in the guests. May use: tools/common/, emu/machine/latency.h,
 * emu/ring/, the public API, libc.
 */
#ifndef TOOLS_CLUSTER_CLUSTER_H
#define TOOLS_CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <smile/monitor.h>

#include "emu/ring/route.h"

#define CLUSTER_NODES_MAX 64

/* Directories in the guests: one per program, which is followed by its number; the libraries. */
#define CLUSTER_PROGRAMS "smile/program/"
#define CLUSTER_LIBRARIES "smile/library/"
#define CLUSTER_WORKING "root/"

/**
 * struct cluster_latency - Modelled latencies of accesses to other nodes, ns; 0: no latency.
 */
struct cluster_latency {
	uint32_t read_ns;
	uint32_t write_ns;
	uint32_t lock_ns;
};

/**
 * struct words - Strings.
 * @word: the strings; the list and each string are allocated
 * @count: number of strings
 */
struct words {
	char **word;
	size_t count;
};

/* Add a copy. Return: 0; -ENOMEM. */
int words_add(struct words *words, const char *word);
void words_free(struct words *words);

#define TRACE_POSITION 50

/**
 * struct cluster_trace - Traces of the nodes' B-Links.
 * @capture: trace all packets
 * @given: an option of a trace was given
 * @levels: levels of the trigger, in the form of smile trace record; none: no trigger
 * @filters: filters of the packets that are stored, in the same form
 * @config: levels and filters, checked
 * @position: percent of the memory that lie before the trigger
 * @memory_mb: memory of each instrument; 0: the instrument's default
 */
struct cluster_trace {
	bool capture;
	bool given;
	struct words levels;
	struct words filters;
	struct smile_trace_config config;
	uint32_t position;
	uint32_t memory_mb;
};

#define CLUSTER_MARK_BYTES 32

/**
 * struct cluster - A run, with the user's options.
 * @nodes: number of nodes
 * @output: prefix of the recordings; NULL: none
 * @trace: traces of the B-Links
 * @live: show the recordings while they grow
 * @card: more properties of the cards; NULL: none
 * @adapter: more properties of the adapters; NULL: none
 * @latency: latencies of accesses to other nodes
 * @ethernet: connect the guests by a network for TCP
 * @network: the network between the nodes, if @network_name is not NULL
 * @network_name: the network as the user gave it
 * @share: a directory that is /host in all guests; NULL: none
 * @shell: run a shell on node 0 instead of a program
 * @terminal: this shell has its own terminal; otherwise it reads standard input
 * @together: a program that fails ends the others
 * @memory_mb: memory of each guest
 * @programs: by node; the last one is for all further nodes, too: a program and its arguments, up
 * 	to a NULL
 * @programs_count: number of @programs
 * @copies: files for all guests
 * @environment: variables for the programs, "NAME=VALUE"
 * @record: options of smile record
 * @kernel, @image, @plugin: paths of the guests' kernel, image and plug-in; allocated
 * @directory: temporary directory of this run; allocated
 * @mark: a text that no program prints; it marks the end of each program's output
 * @owner: a file in @directory that is locked while the run is alive; -1: none
 * @initrd: the image from which the guests boot, a file without a name; -1: none
 */
struct cluster {
	uint32_t nodes;
	const char *output;
	struct cluster_trace trace;
	bool live;
	const char *card;
	const char *adapter;
	struct cluster_latency latency;
	bool ethernet;
	struct network_config network;
	const char *network_name;
	const char *share;
	bool shell;
	bool terminal;
	bool together;
	uint32_t memory_mb;
	char **programs[CLUSTER_NODES_MAX];
	uint32_t programs_count;
	struct words copies;
	struct words environment;
	struct words record;
	char *kernel;
	char *image;
	char *plugin;
	char *directory;
	char mark[CLUSTER_MARK_BYTES + 1];
	int owner;
	int initrd;
};

/* ---- options.c ---- */

/**
 * options_parse() - Take in the command line.
 * @guest: receives --guest
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; -1 if help was requested.
 */
int options_parse(struct cluster *cluster, const char **guest, int argc, char **argv);

/* ---- distance.c ---- */

/*
 * The adapter's properties with the distances of a node to all others: ",far-ns=0:120,..."; ""
 * without --network. Return: to be freed; NULL without memory.
 */
char *distance_properties(const struct cluster *cluster, uint32_t node);

/* ---- latency.c ---- */

/* Parse --latency: [NS|MODEL][,read=NS][,write=NS][,lock=NS]. Return: 0; -1 after a message. */
int latency_parse(struct cluster_latency *latency, const char *text);

/* Print the models, for the help text. */
void latency_models_print(void);

/* ---- directory.c ---- */

/**
 * directory_make() - Make the run's directory, and remove the directories of killed runs.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int directory_make(struct cluster *cluster);
void directory_remove(struct cluster *cluster);

/* ---- image.c ---- */

/**
 * image_find() - Find kernel, image and plug-in.
 * @given: --guest; NULL: find them where they were installed, or built
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int image_find(struct cluster *cluster, const char *given);

/**
 * image_make() - Make the file that the guests boot from: the image, with the programs in it.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int image_make(struct cluster *cluster);

/* ---- archive.c: an archive in the format cpio, which the kernel unpacks ---- */

/**
 * struct archive - An archive that is being written.
 * @file: the file
 * @names: names of the files in it
 */
struct archive {
	FILE *file;
	struct words names;
};

/*
 * Add a file, or a file with @bytes of @data. A file that the archive has already is not changed.
 * Return: 0 or -errno.
 */
int archive_file(struct archive *archive, const char *name, const char *path);
int archive_data(struct archive *archive, const char *name, const void *data, size_t bytes);
int archive_end(struct archive *archive);

/* ---- program.c: each returns 0 or -errno; -ECANCELED after a message ---- */

/* Add all programs, with the files that they need. */
int programs_add(struct archive *archive, const struct cluster *cluster);
/* Add the files of --copy, and the libraries of these files and of the files of --share. */
int copies_add(struct archive *archive, const struct cluster *cluster);

/* ---- script.c ---- */

/* Add the script that the guest's init runs. Return: 0 or -errno. */
int script_add(struct archive *archive, const struct cluster *cluster);
/* Print a word for the shell, quoted. */
void script_word_print(FILE *to, const char *word);

/* ---- output.c ---- */

/**
 * struct line - The first part of a line that is not complete yet.
 * @text: its text, allocated
 * @used: number of bytes that were read
 * @size: number of bytes that there is room for
 */
struct line {
	char *text;
	size_t used;
	size_t size;
};

/* The channels from a guest: output, errors, and reports of its side of this command. */
enum channel {
	CHANNEL_OUT,
	CHANNEL_ERROR,
	CHANNEL_RESULT,
	CHANNELS,
};

struct node;

/* Pass on the output that has arrived. */
void output_read(struct node *node, enum channel channel, const struct cluster *cluster);

/* ---- input.c ---- */

/**
 * struct input - Standard input, which is passed to node 0.
 * @to: file to which it is written; -1: closed
 * @buffer: bytes that were read and not yet passed on, from @first to @end
 * @ended: standard input has ended
 */
struct input {
	int to;
	char buffer[16384];
	size_t first;
	size_t end;
	bool ended;
};

struct pollfd;

/* Set the event to wait for. */
void input_wait(const struct input *input, struct pollfd *file);
/* Pass on input that has arrived. */
void input_pass(struct input *input);

/* ---- keep.c ---- */

/* The name PREFIX-nodeN.rec; allocated, or NULL. */
char *keep_name(const struct cluster *cluster, uint32_t id);
/* The directory of the recordings; allocated, or NULL. */
char *keep_directory(const struct cluster *cluster);
/*
 * Create the recordings, and lock them as their writer. Return: TOOL_OK; TOOL_ERROR after a
 * message.
 */
int keep_begin(struct node *nodes, const struct cluster *cluster);
/*
 * This guest has ended: release the lock of its recording, so that readers know that it no longer
 * grows.
 */
void keep_release(struct node *node);
/* Finish the recordings after all guests have ended. */
void keep_end(struct node *nodes, const struct cluster *cluster);
/* Then name the pairs of cards whose counts of the same accesses differ. Return: whether any do. */
bool keep_compare(const struct node *nodes, const struct cluster *cluster);

/* ---- node.c ---- */

/**
 * struct node - One guest.
 * @id: its number
 * @qemu: its process of QEMU; 0: none, or it has ended
 * @file: files by channel; -1: the channel has ended. The file of the result is also written to
 * @line: by channel, the first part of a line
 * @input: file to which standard input is written; -1: this node gets no input
 * @recording: its locked recording; -1: none
 * @trigger: the end of the trigger line for QEMU; -1: none
 * @net: the end of the network for QEMU; -1: none
 * @released: the recording is no longer locked
 * @begun: the recorder, if there is one, has begun
 * @running: the program has begun, and its recorder accepts marks
 * @ended: the program has ended
 * @bad: the program has failed
 * @stopped: the program was requested to end
 * @status: the program's exit status; -1: the guest has not reported it
 * @failed: number of failed accesses of its adapter
 * @marked: by channel of a program: the mark was read, so no output follows
 * @missing: a library that a program did not find; allocated, or NULL
 */
struct node {
	uint32_t id;
	pid_t qemu;
	int file[CHANNELS];
	struct line line[CHANNELS];
	int input;
	int recording;
	int trigger;
	int net;
	bool released;
	bool begun;
	bool running;
	bool ended;
	bool bad;
	bool stopped;
	int status;
	uint64_t failed;
	bool marked[CHANNELS];
	char *missing;
};

/* Start a guest. Return: TOOL_OK; TOOL_ERROR after a message. */
int node_start(struct node *node, const struct cluster *cluster);

/* Request the end of its program; a guest whose program has not begun ends immediately. */
void node_stop(struct node *node);

/* Request the end of the phase from its recorder, or print why the phase does not end. */
void node_mark(struct node *node);

/* The guest has ended: report the reason if it has failed. Return: its exit status. */
int node_finish(struct node *node, const struct cluster *cluster);

/* End the guest immediately. */
void node_kill(struct node *node);

/* ---- live_view.c ---- */

/**
 * struct live_view - The live view: smile serve.
 * @serve: its process; 0: none
 * @address: a pipe that receives its address; -1: the address has arrived, or will not arrive
 * @begun: it was started, or the start has failed
 */
struct live_view {
	pid_t serve;
	int address;
	bool begun;
};

/* Start the view, if it was requested and all nodes have begun to record. */
void live_view_attend(struct live_view *view, const struct node *nodes,
		      const struct cluster *cluster);
/* Report the address of the view, which has arrived. */
void live_view_read(struct live_view *view);
/* End the view. */
void live_view_end(struct live_view *view, const struct cluster *cluster);

/* ---- trace.c ---- */

static inline bool trace_is_on(const struct cluster_trace *trace)
{
	return trace->capture || trace->levels.count;
}

/* Take in --trace and --trace-filter, for an option table. */
int trace_level_take(void *trace, const char *text);
int trace_filter_take(void *trace, const char *text);
/* Return: TOOL_OK; TOOL_ERROR after a message. */
int trace_check(const struct cluster *cluster);
/*
 * Print the part of the guest's script that makes /smile/traced, which runs a command while the
 * B-Link is traced into the file $trace.
 */
void trace_script_print(FILE *to, const struct cluster_trace *trace);

/* ---- ethernet.c: the network between the guests ---- */

/* Print the part of the guest's script that loads the driver and sets an address. */
void ethernet_script_print(FILE *to, const struct cluster *cluster);

/* ---- hub.c ---- */

/*
 * Connect all guests: make an end for each guest, and a process that passes on messages of the
 * trigger line, or frames of the network. @ends: shape [@count]; hub_end() closes those that are
 * not -1.
 * Return: TOOL_OK; TOOL_ERROR after a message. Call hub_end() in any case.
 */
int hub_begin(int *ends, uint32_t count, bool frames, pid_t *process);
void hub_end(int *ends, uint32_t count, pid_t process);

/* ---- failure.c ---- */

/* Report the reason why a guest has ended without a result. */
void failure_report(const struct node *node, const struct cluster *cluster);

#endif /* TOOLS_CLUSTER_CLUSTER_H */
