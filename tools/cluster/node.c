// SPDX-License-Identifier: MIT
/*
 * smile cluster: start and end a guest.
 *
 * What lives here: the options for QEMU, the start of the guest, and its end.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/tool.h"

#define QEMU "qemu-system-x86_64"
#define OPTIONS_MAX 96

/* ---- QEMU's options ---- */

struct options {
	char *option[OPTIONS_MAX];
	int count;
};

static void add(struct options *options, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct options *options, const char *format, ...)
{
	va_list arguments;
	char *option = NULL;

	va_start(arguments, format);
	if (vasprintf(&option, format, arguments) < 0)
		option = NULL;
	va_end(arguments);
	/* Keep one entry free for the NULL at the end. */
	if (option && options->count < OPTIONS_MAX - 1)
		options->option[options->count++] = option;
}

/* Add an option, followed by its formatted value. */
#define add_option(options, name, ...) (add(options, name), add(options, __VA_ARGS__))

/* Double the commas of a path, because a comma separates the parts of an option of QEMU. */
static char *quoted(const char *path)
{
	char *text = malloc(2 * strlen(path) + 1), *to = text;

	for (; text && *path; path++) {
		if (*path == ',')
			*to++ = ',';
		*to++ = *path;
	}
	if (text)
		*to = '\0';
	return text;
}

/* Add a serial port of the guest, connected to the chardev of the same name. */
static void add_port(struct options *options, const char *id)
{
	add_option(options, "-device", "virtserialport,chardev=%s,name=org.smile.%s", id, id);
}

/* Add a port of the guest whose bytes arrive in a pipe of this process. */
static void add_pipe(struct options *options, const char *id, int descriptor)
{
	add_option(options, "-chardev", "file,id=%s,path=/dev/fd/%d", id, descriptor);
	add_port(options, id);
}

/* Add a directory of the host that the guest can mount. */
static void add_share(struct options *options, const char *id, const char *path)
{
	char *text = quoted(path);

	add_option(options, "-fsdev", "local,id=%s,path=%s,security_model=none,multidevs=remap", id,
		   text ? text : "");
	free(text);
	add_option(options, "-device", "virtio-9p-pci,fsdev=%s,mount_tag=%s", id, id);
}

/**
 * struct ends - QEMU's ends of the channels.
 * @file: a descriptor for each channel
 * @input: descriptor of the guest's standard input
 */
struct ends {
	int file[CHANNELS];
	int input;
};

static void add_machine(struct options *options, const struct node *node,
			const struct cluster *cluster)
{
	char *plugin = quoted(cluster->plugin);

	add(options, QEMU);
	add_option(options, "-plugin", "file=%s", plugin ? plugin : "");
	free(plugin);
	add_option(options, "-M", "q35,vmport=off,smm=off");
	add_option(options, "-accel", "tcg,thread=single");
	add_option(options, "-cpu", "max,la57=off");
	add_option(options, "-smp", "1");
	add_option(options, "-m", "%u", cluster->memory_mb);
	add(options, "-nodefaults");
	add(options, "-no-user-config");
	add(options, "-no-reboot");
	add_option(options, "-display", "none");
	add_option(options, "-kernel", "%s", cluster->kernel);
	add_option(options, "-initrd", "/dev/fd/%d", cluster->initrd);
	add_option(options, "-append",
		   "console=ttyS0 loglevel=5 oops=panic panic=-1 nokaslr mitigations=off "
		   "no_timer_check lpj=10000000 random.trust_cpu=on cryptomgr.notests "
		   "initcall_blacklist=crypto_kdf108_init,cubictcp_register,init_kprobe_trace,"
		   "bpf_rstat_kfunc_init,bpf_key_sig_kfuncs_init,kfunc_init,bpf_prog_test_run_init,"
		   "bpf_tcp_ca_kfunc_init,load_system_certificate_list,jent_mod_init "
		   "rdinit=/init smile.node=%u%s%s",
		   node->id, cluster->share ? " smile.share=yes" : "",
		   cluster->output ? " smile.9p=yes" : "");
}

static void add_devices(struct options *options, const struct node *node,
			const struct cluster *cluster)
{
	char *directory = quoted(cluster->directory), *far = distance_properties(cluster, node->id);

	add_option(options, "-chardev", "file,id=console,path=%s/console-%u",
		   directory ? directory : "", node->id);
	add_option(options, "-serial", "chardev:console");
	add_option(options, "-device", "smile-monitor,id=card,node=%u,%s", node->id,
		   cluster->card ? cluster->card : "pace=drain");
	add_option(options, "-device",
		   "smile-adapter,fabric=%s,node=%u,monitor=card,"
		   "read-ns=%u,write-ns=%u,lock-ns=%u%s%s%s",
		   directory ? directory : "", node->id, cluster->latency.read_ns,
		   cluster->latency.write_ns, cluster->latency.lock_ns, far ? far : "",
		   cluster->adapter ? "," : "", cluster->adapter ? cluster->adapter : "");
	free(directory);
	free(far);
}

/* Add the trace instrument, connected to its end of the trigger line if there is one. */
static void add_trace(struct options *options, const struct node *node,
		      const struct cluster *cluster)
{
	char memory[32] = "";

	if (!trace_is_on(&cluster->trace))
		return;
	if (cluster->trace.memory_mb)
		snprintf(memory, sizeof(memory), ",memory=%u", cluster->trace.memory_mb << 20);
	if (node->trigger >= 0) {
		add_option(options, "-chardev", "socket,id=line,fd=%d", node->trigger);
	}
	add_option(options, "-device", "smile-trace,monitor=card%s%s",
		   node->trigger >= 0 ? ",trigger=line" : "", memory);
}

static void add_net(struct options *options, const struct node *node)
{
	if (node->net < 0)
		return;
	add_option(options, "-netdev", "dgram,id=net,local.type=fd,local.str=%d", node->net);
	add_option(options, "-device",
		   "virtio-net-pci,netdev=net,mac=52:54:00:53:4d:%02x,romfile=", node->id);
}

static void options_make(struct options *options, const struct node *node,
			 const struct cluster *cluster, const struct ends *ends)
{
	add_machine(options, node, cluster);
	add_devices(options, node, cluster);
	add_trace(options, node, cluster);
	add_net(options, node);
	if (cluster->share)
		add_share(options, "host", cluster->share);
	if (cluster->output) {
		char *directory = keep_directory(cluster);

		if (directory)
			add_share(options, "keep", directory);
		free(directory);
	}
	add_option(options, "-device", "virtio-serial-pci,ioeventfd=off,romfile=");
	if (node->id == 0) {
		add_option(options, "-chardev", "stdio,id=input,signal=off");
		if (cluster->terminal) {
			add_option(options, "-device", "virtconsole,chardev=input");
		} else {
			add_port(options, "input");
		}
	}
	add_pipe(options, "output", ends->file[CHANNEL_OUT]);
	add_pipe(options, "error", ends->file[CHANNEL_ERROR]);
	/* Add this port last. When the guest finds this port, all other ports exist. */
	add_option(options, "-chardev", "socket,id=result,fd=%d", ends->file[CHANNEL_RESULT]);
	add_port(options, "result");
	options->option[options->count] = NULL;
}

/* ---- start and end ---- */

static void log_open(const struct cluster *cluster, uint32_t id)
{
	char *path;
	int log;

	if (asprintf(&path, "%s/qemu-%u", cluster->directory, id) < 0)
		_exit(127);
	log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (log >= 0)
		dup2(log, STDERR_FILENO);
}

/* In the child: execute QEMU. */
static void become_qemu(const struct cluster *cluster, struct options *options,
			const struct node *node, int input, pid_t parent)
{
	uint32_t id = node->id;
	bool terminal = cluster->terminal && id == 0;
	int nothing = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	/*
	 * In a new session, QEMU does not receive Ctrl-C of the terminal. Only smile cluster must
	 * receive it; it ends all guests.
	 */
	if (!terminal)
		setsid();
	log_open(cluster, id);
	if (node->trigger >= 0)
		fcntl(node->trigger, F_SETFD, 0);
	if (node->net >= 0)
		fcntl(node->net, F_SETFD, 0);
	if (!terminal) {
		dup2(input >= 0 ? input : nothing, STDIN_FILENO);
		dup2(nothing, STDOUT_FILENO);
	}
	execvp(options->option[0], options->option);
	fprintf(stderr, "cannot run " QEMU ": %s; install the package qemu-system-x86\n",
		strerror(errno));
	_exit(127);
}

/* Make both ends of all channels. Return: 0 or -errno. */
static int ends_make(struct node *node, const struct cluster *cluster, struct ends *ends)
{
	int pair[2];
	int channel;

	*ends = (struct ends){.file = {-1, -1, -1}, .input = -1};
	for (channel = 0; channel < CHANNELS; channel++) {
		if (channel == CHANNEL_RESULT
			    ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)
			    : pipe2(pair, O_CLOEXEC))
			return -errno;
		node->file[channel] = pair[0];
		ends->file[channel] = pair[1];
		fcntl(pair[1], F_SETFD, 0);
	}
	if (node->id || cluster->terminal)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -errno;
	node->input = pair[0];
	ends->input = pair[1];
	return 0;
}

static void ends_close(const struct ends *ends)
{
	int channel;

	for (channel = 0; channel < CHANNELS; channel++) {
		if (ends->file[channel] >= 0)
			close(ends->file[channel]);
	}
	if (ends->input >= 0)
		close(ends->input);
}

int node_start(struct node *node, const struct cluster *cluster)
{
	struct options options = {.count = 0};
	pid_t parent = getpid();
	struct ends ends;
	int err = ends_make(node, cluster, &ends), i;

	if (!err) {
		options_make(&options, node, cluster, &ends);
		fflush(NULL);
		node->qemu = fork();
		if (node->qemu == 0)
			become_qemu(cluster, &options, node, ends.input, parent);
		err = node->qemu < 0 ? -errno : 0;
	}
	for (i = 0; i < options.count; i++)
		free(options.option[i]);
	ends_close(&ends);
	if (!err)
		return TOOL_OK;
	node->qemu = 0;
	return tool_error("cannot start node %u: %s", node->id, strerror(-err));
}

void node_stop(struct node *node)
{
	static const char order[] = "end\n";

	/*
	 * A guest that has ended or reported a status has its own result. Do not stop such a guest.
	 */
	if (node->stopped || node->ended || node->status >= 0 || node->qemu <= 0)
		return;
	node->stopped = true;
	if (!node->begun ||
	    send(node->file[CHANNEL_RESULT], order, strlen(order), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		node_kill(node);
}

void node_mark(struct node *node)
{
	static const char order[] = "mark\n";
	const char *why = NULL;

	if (node->ended || node->status >= 0 || node->qemu <= 0 || node->file[CHANNEL_RESULT] < 0)
		why = "its program has ended";
	else if (!node->running)
		why = "its program has not begun";
	else if (send(node->file[CHANNEL_RESULT], order, strlen(order),
		      MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		why = "its guest accepts no request";
	if (why)
		tool_message("node %u: no phase was ended: %s", node->id, why);
}

int node_finish(struct node *node, const struct cluster *cluster)
{
	if (node->qemu > 0)
		waitpid(node->qemu, NULL, 0);
	node->qemu = 0;
	if (node->missing)
		tool_message("node %u: a program needs the library %s, which is not in the guests: "
			     "name it, or the program, with --copy",
			     node->id, node->missing);
	if (node->stopped || (cluster->shell && node->id))
		return 0;
	if (node->status >= 0)
		return node->status;
	failure_report(node, cluster);
	return TOOL_ERROR;
}

void node_kill(struct node *node)
{
	if (node->qemu <= 0)
		return;
	node->stopped = true;
	kill(node->qemu, SIGKILL);
	waitpid(node->qemu, NULL, 0);
	node->qemu = 0;
}
