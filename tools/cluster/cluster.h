/* SPDX-License-Identifier: MIT */
/*
 * smile cluster: run one program, or several programs, on guests in QEMU. Each guest has an
 * adapter, a card and their drivers.
 *
 * What lives here: the types and functions that the files of this directory share. Each file has
 * one subject. cluster.c: the run as a whole; options.c: the command line; directory.c: the run's
 * directory; image.c: the boot image; archive.c: the archive that brings files into the guests;
 * program.c: the programs in this archive; script.c: the script that init runs; node.c: one guest;
 * output.c: the output of a guest; failure.c: the report of a guest's failure; input.c: standard
 * input; recording_files.c: the files of the recordings; live_view.c: --live; trace.c: --trace;
 * ethernet.c: --ethernet; hub.c: the trigger line and the Ethernet network; modelled_latency.c:
 * --latency; distance.c: --network. guest/node.c runs in the guests. May use: tools/common/,
 * emu/machine/latency_model.h, emu/ring/, the public API, libc.
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

/*
 * Directories in the guests. The number of a program is appended to CLUSTER_PROGRAMS, so that each
 * program has its own directory.
 */
#define CLUSTER_PROGRAMS "smile/program/"
#define CLUSTER_LIBRARIES "smile/library/"
#define CLUSTER_WORKING "root/"

/**
 * struct cluster_latency - Modelled latencies of accesses to other nodes, in ns; 0: no added
 * latency.
 */
struct cluster_latency {
	uint32_t read_ns;
	uint32_t write_ns;
	uint32_t lock_ns;
};

/**
 * struct words - A list of strings.
 * @word: the strings; the list and each string are allocated
 * @count: number of strings
 */
struct words {
	char **word;
	size_t count;
};

/* Add a copy of a word. Return: 0; -ENOMEM. */
int words_add(struct words *words, const char *word);
void words_free(struct words *words);

#define TRACE_POSITION 50

/**
 * struct cluster_trace - Options for the traces of the nodes' B-Links.
 * @capture: trace all packets
 * @given: at least one option for traces was given
 * @levels: levels of the trigger, in the form of `smile trace record`; if the list is empty, there
 *          is no trigger
 * @filters: filters that select the packets to store, in the same form
 * @config: the levels and filters, after they were checked
 * @position: percentage of the trace memory that is filled before the trigger
 * @memory_mb: trace memory of each instrument, in MB; 0: the instrument's default
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
 * struct cluster - The user's options, and the files of a run.
 * @nodes: number of nodes
 * @output: prefix of the names of the recordings; NULL: do not record
 * @trace: traces of the B-Links
 * @live: show the recordings while they grow
 * @card: additional properties of the cards in QEMU; NULL: none
 * @adapter: additional properties of the adapters in QEMU; NULL: none
 * @latency: latencies of accesses to other nodes
 * @ethernet: connect the guests by a network for TCP
 * @network: the network between the nodes; valid if @network_name is not NULL
 * @network_name: the network as the user gave it
 * @share: a directory of the host that all guests mount as /host; NULL: none
 * @shell: run a shell on node 0 instead of a program
 * @terminal: this shell has its own terminal; otherwise it reads standard input
 * @together: if a program fails, end all programs
 * @memory_mb: memory of each guest
 * @programs: for each node, a program and its arguments, ended by NULL; the last program also runs
 *            on all further nodes
 * @programs_count: number of @programs
 * @copies: files to copy into all guests
 * @environment: variables for the programs, "NAME=VALUE"
 * @record: options for `smile record` in the guests
 * @kernel, @image, @plugin: paths of the guests' kernel, of their boot image, and of the plug-in
 *                           for QEMU; allocated
 * @directory: temporary directory of this run; allocated
 * @mark: a text that no program prints; the guest sends it after the end of each program's output
 * @owner: a file in @directory that is locked while this process runs; -1: none
 * @initrd: the boot image of this run, in a file without a name; -1: none
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
 * options_parse() - Parse the command line.
 * @guest: receives the argument of --guest
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; -1 if help was requested.
 */
int options_parse(struct cluster *cluster, const char **guest, int argc, char **argv);

/* ---- distance.c ---- */

/*
 * Format the distances from a node to all other nodes as properties of the adapter:
 * ",far-ns=0:120,...". Without --network the result is "". Return: the text, which the caller must
 * free; NULL if memory ran out.
 */
char *distance_properties(const struct cluster *cluster, uint32_t node);

/* ---- modelled_latency.c ---- */

/* Parse --latency: [NS|MODEL][,read=NS][,write=NS][,lock=NS]. Return: 0; -1 after a message. */
int latency_parse(struct cluster_latency *latency, const char *text);

/* Print the latency models, for the help text. */
void latency_models_print(void);

/* ---- directory.c ---- */

/**
 * directory_make() - Make the run's directory. Remove the directories of earlier runs that were
 * killed.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int directory_make(struct cluster *cluster);
void directory_remove(struct cluster *cluster);

/* ---- image.c ---- */

/**
 * image_find() - Find the kernel, the boot image and the plug-in.
 * @given: the argument of --guest; NULL: search for the files in the directories where they are
 *         installed or built
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int image_find(struct cluster *cluster, const char *given);

/**
 * image_make() - Make the file from which the guests boot: the image, followed by an archive of the
 * programs.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int image_make(struct cluster *cluster);

/* ---- archive.c: an archive in the format cpio, which the kernel unpacks ---- */

/**
 * struct archive - An archive that is being written.
 * @file: the file
 * @names: names of the files that it contains already
 */
struct archive {
	FILE *file;
	struct words names;
};

/*
 * Add a file from @path, or a file that contains @bytes of @data. If the archive already has a file
 * of this name, do nothing.
 * Return: 0 or -errno.
 */
int archive_file(struct archive *archive, const char *name, const char *path);
int archive_data(struct archive *archive, const char *name, const void *data, size_t bytes);
int archive_end(struct archive *archive);

/* --- program.c: each function returns 0 or -errno; -ECANCELED after a message --- */

/* Add all programs, and the files that the programs need. */
int programs_add(struct archive *archive, const struct cluster *cluster);
/* Add the files of --copy, and the libraries that these files and the files of --share need. */
int copies_add(struct archive *archive, const struct cluster *cluster);

/* ---- script.c ---- */

/* Add the script that the guest's init runs. Return: 0 or -errno. */
int script_add(struct archive *archive, const struct cluster *cluster);
/* Print a word, quoted for a shell. */
void script_word_print(FILE *to, const char *word);

/* ---- output.c ---- */

/**
 * struct line - The received part of a line whose end has not arrived yet.
 * @text: the received bytes; allocated
 * @used: number of received bytes
 * @size: capacity of @text in bytes
 */
struct line {
	char *text;
	size_t used;
	size_t size;
};

/* The channels from a guest: the program's output, its errors, and the reports of smile-node. */
enum channel {
	CHANNEL_OUT,
	CHANNEL_ERROR,
	CHANNEL_RESULT,
	CHANNELS,
};

struct node;

/* Pass on the output of a guest that has arrived on a channel. */
void output_read(struct node *node, enum channel channel, const struct cluster *cluster);

/* ---- input.c ---- */

/**
 * struct input - Standard input, and the buffer from which it is written to node 0.
 * @to: descriptor for the bytes that node 0 receives; -1: closed
 * @buffer: bytes that were read but not passed on yet, from @first to @end
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

/* Set the event on standard input or on node 0 for which poll() must wait. */
void input_wait(const struct input *input, struct pollfd *file);
/* Read standard input that has arrived, and write it to node 0. */
void input_pass(struct input *input);

/* ---- recording_files.c ---- */

/* Get the name PREFIX-nodeN.rec. Return: the name, allocated; NULL if memory ran out. */
char *keep_name(const struct cluster *cluster, uint32_t id);
/* Get the directory of the recordings. Return: its name, allocated; NULL if memory ran out. */
char *keep_directory(const struct cluster *cluster);
/*
 * Create the recordings, and lock them, because this process will write to them. Return: TOOL_OK;
 * TOOL_ERROR after a message.
 */
int keep_begin(struct node *nodes, const struct cluster *cluster);
/*
 * Release the lock of the recording of a guest that has ended. Readers then detect that the
 * recording no longer grows.
 */
void keep_release(struct node *node);
/* Finish the recordings after all guests have ended. */
void keep_end(struct node *nodes, const struct cluster *cluster);
/*
 * After keep_end(), print the pairs of nodes whose cards have different counts of the same
 * accesses. Return: true if at least one pair differs.
 */
bool keep_compare(const struct node *nodes, const struct cluster *cluster);

/* ---- node.c ---- */

/**
 * struct node - One guest.
 * @id: number of the node
 * @qemu: process id of its QEMU; 0: QEMU has not started, or has ended
 * @file: a file for each channel; -1: the channel has ended. Requests to the guest are sent through
 *        the file of the result channel
 * @line: for each channel, the received part of an incomplete line
 * @input: descriptor to which standard input is written; -1: this node gets no input
 * @recording: descriptor of its locked recording; -1: none
 * @trigger: the end of the trigger line that QEMU will get; -1: none
 * @net: the end of the network that QEMU will get; -1: none
 * @released: the lock of the recording was released
 * @begun: the command in the guest, the recorder or the program, has begun
 * @running: the program has begun, and its recorder accepts marks
 * @ended: the program has ended
 * @bad: the program has failed
 * @stopped: the program was requested to end
 * @status: the program's exit status; -1: the guest has not reported it
 * @failed: number of failed accesses of the node's adapter
 * @marked: for each channel of the program: the mark was read, so no more output will arrive
 * @missing: name of a library that a program did not find; allocated, or NULL
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

/* Request the end of the program. If the program has not begun, end its guest immediately. */
void node_stop(struct node *node);

/* Request the recorder of this node to end the phase. If this is not possible, print the reason. */
void node_mark(struct node *node);

/* Finish a guest that has ended. If it has failed, report the reason. Return: its exit status. */
int node_finish(struct node *node, const struct cluster *cluster);

/* End the guest immediately. */
void node_kill(struct node *node);

/* ---- live_view.c ---- */

/**
 * struct live_view - The process of `smile serve` that shows the recordings while they grow.
 * @serve: the process; 0: none
 * @address: a pipe on which the process reports its address; -1: the address has arrived, or will
 *           not arrive
 * @begun: the process was started, or its start has failed
 */
struct live_view {
	pid_t serve;
	int address;
	bool begun;
};

/*
 * If the user has requested the live view, and all nodes have begun to record, start the live view.
 */
void live_view_attend(struct live_view *view, const struct node *nodes,
		      const struct cluster *cluster);
/* Read the address of the live view from the pipe, and report it. */
void live_view_read(struct live_view *view);
/* End the live view. */
void live_view_end(struct live_view *view, const struct cluster *cluster);

/* ---- trace.c ---- */

static inline bool trace_is_on(const struct cluster_trace *trace)
{
	return trace->capture || trace->levels.count;
}

/* Parse the arguments of --trace and --trace-filter, for an option table. */
int trace_level_take(void *trace, const char *text);
int trace_filter_take(void *trace, const char *text);
/* Check the options for traces. Return: TOOL_OK; TOOL_ERROR after a message. */
int trace_check(const struct cluster *cluster);
/*
 * Print the part of the guest's script that makes the command /smile/traced. The command
 * /smile/traced runs another command, and while that other command runs, it traces the B-Link into
 * the file $trace.
 */
void trace_script_print(FILE *to, const struct cluster_trace *trace);

/* ---- ethernet.c: the network between the guests ---- */

/* Print the part of the guest's script that loads the network driver and sets an address. */
void ethernet_script_print(FILE *to, const struct cluster *cluster);

/* ---- hub.c ---- */

/*
 * Connect all guests by a hub. Make a socket for each guest, and start the process that passes on
 * messages of the trigger line, or frames of the network. @ends: the guests' sockets; shape
 * [@count]; hub_end() closes those that are not -1.
 * Return: TOOL_OK; TOOL_ERROR after a message. In both cases the caller must call hub_end().
 */
int hub_begin(int *ends, uint32_t count, bool frames, pid_t *process);
void hub_end(int *ends, uint32_t count, pid_t process);

/* ---- failure.c ---- */

/* Report the reason why a guest has ended without a result. */
void failure_report(const struct node *node, const struct cluster *cluster);

#endif /* TOOLS_CLUSTER_CLUSTER_H */
