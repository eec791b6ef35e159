// SPDX-License-Identifier: MIT
/*
 * smile cluster: one guest.
 *
 * What lives here: QEMU's options, and what comes from the guest: lines of its program's output
 * and, as the last line, its exit status.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/tool.h"

#define QEMU "qemu-system-x86_64"
#define OPTIONS_MAX 80
#define LAST_LINES 8
#define RESULT "GUEST RESULT "

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
	/* Room for the NULL at the end. */
	if (option && options->count < OPTIONS_MAX - 1)
		options->option[options->count++] = option;
}

static void add_port(struct options *options, const char *id, const char *path)
{
	add(options, "-chardev");
	add(options, "file,id=%s,path=%s", id, path);
	add(options, "-device");
	add(options, "virtserialport,chardev=%s,name=org.smile.%s", id, id);
}

/* A port whose bytes come to a pipe of this process. */
static void add_pipe(struct options *options, const char *id, int descriptor)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/fd/%d", descriptor);
	add_port(options, id, path);
}

static void options_make(struct options *options, const struct node *node,
			 const struct cluster *cluster, const char *initrd, const int *pipes)
{
	const char *card = cluster->card ? cluster->card : "pace=drain";
	char *recording;

	add(options, QEMU);
	add(options, "-plugin");
	add(options, "file=%s", cluster->plugin);
	add(options, "-M");
	add(options, "q35,vmport=off,smm=off");
	add(options, "-accel");
	add(options, "tcg,thread=single");
	add(options, "-cpu");
	add(options, "max,la57=off");
	add(options, "-smp");
	add(options, "1");
	add(options, "-m");
	add(options, "%u", cluster->memory_mb);
	add(options, "-nodefaults");
	add(options, "-no-user-config");
	add(options, "-no-reboot");
	add(options, "-display");
	add(options, "none");
	add(options, "-kernel");
	add(options, "%s", cluster->kernel);
	add(options, "-initrd");
	add(options, "%s", initrd);
	add(options, "-append");
	add(options,
	    "console=ttyS0 loglevel=5 oops=panic panic=-1 nokaslr mitigations=off no_timer_check "
	    "lpj=10000000 random.trust_cpu=on cryptomgr.notests "
	    "initcall_blacklist=crypto_kdf108_init,cubictcp_register,init_kprobe_trace,"
	    "bpf_rstat_kfunc_init,bpf_key_sig_kfuncs_init,kfunc_init,bpf_prog_test_run_init,"
	    "bpf_tcp_ca_kfunc_init,load_system_certificate_list,jent_mod_init "
	    "rdinit=/init smile.node=%u%s",
	    node->id, cluster->share ? " smile.share=yes" : "");
	add(options, "-serial");
	add(options, "file:%s/console-%u", cluster->directory, node->id);
	add(options, "-device");
	add(options, "smile-monitor,id=card,node=%u,%s", node->id, card);
	add(options, "-device");
	add(options,
	    "smile-adapter,fabric=%s,node=%u,monitor=card,read-ns=%u,write-ns=%u,lock-ns=%u%s%s",
	    cluster->directory, node->id, cluster->latency.read_ns, cluster->latency.write_ns,
	    cluster->latency.lock_ns, cluster->adapter ? "," : "",
	    cluster->adapter ? cluster->adapter : "");
	if (cluster->share) {
		add(options, "-fsdev");
		add(options, "local,id=host,path=%s,security_model=none,multidevs=remap",
		    cluster->share);
		add(options, "-device");
		add(options, "virtio-9p-pci,fsdev=host,mount_tag=host");
	}
	add(options, "-device");
	add(options, "virtio-serial-pci,ioeventfd=off,romfile=");
	if (cluster->shell && node->id == 0) {
		add(options, "-chardev");
		add(options, "stdio,id=shell,signal=off");
		add(options, "-device");
		add(options, "virtconsole,chardev=shell");
	}
	if (cluster->output &&
	    asprintf(&recording, "%s-node%u.rec", cluster->output, node->id) >= 0) {
		add_port(options, "recording", recording);
		free(recording);
	}
	add_pipe(options, "error", pipes[3]);
	/* The last of the ports: once it is there, so are the others. */
	add_pipe(options, "result", pipes[1]);
	options->option[options->count] = NULL;
}

/* ---- its life ---- */

/* Of the child: become QEMU. */
static void become_qemu(const struct cluster *cluster, struct options *options, uint32_t id,
			pid_t parent)
{
	char *path;
	int log;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	/* A terminal's Ctrl-C is for smile, which ends all guests. */
	if (!cluster->shell || id)
		setsid();
	if (asprintf(&path, "%s/qemu-%u", cluster->directory, id) < 0)
		_exit(127);
	log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (log >= 0)
		dup2(log, STDERR_FILENO);
	if (!cluster->shell || id) {
		log = open("/dev/null", O_RDWR);
		dup2(log, STDIN_FILENO);
		dup2(log, STDOUT_FILENO);
	}
	execvp(options->option[0], options->option);
	fprintf(stderr, "cannot run " QEMU ": %s; install the package qemu-system-x86\n",
		strerror(errno));
	_exit(127);
}

int node_start(struct node *node, const struct cluster *cluster, const char *initrd)
{
	struct options options = {.count = 0};
	pid_t parent = getpid();
	int pipes[4], i;

	node->status = -1;
	if (pipe2(pipes, O_CLOEXEC) < 0 || pipe2(pipes + 2, O_CLOEXEC) < 0)
		return tool_error("no pipes for node %u: %s", node->id, strerror(errno));
	/* QEMU gets the ends that are written to. */
	fcntl(pipes[1], F_SETFD, 0);
	fcntl(pipes[3], F_SETFD, 0);
	options_make(&options, node, cluster, initrd, pipes);
	fflush(NULL);
	node->qemu = fork();
	if (node->qemu == 0)
		become_qemu(cluster, &options, node->id, parent);
	for (i = 0; i < options.count; i++)
		free(options.option[i]);
	close(pipes[1]);
	close(pipes[3]);
	node->out = pipes[0];
	node->error = pipes[2];
	if (node->qemu > 0)
		return TOOL_OK;
	node->qemu = 0;
	return tool_error("cannot start node %u: %s", node->id, strerror(errno));
}

/* ---- what it says ---- */

/* The result of the guest's init, which is its last line. Return: false: it is none. */
static bool result_take(struct node *node, const char *line)
{
	if (strncmp(line, RESULT, strlen(RESULT)))
		return false;
	line += strlen(RESULT);
	if (!strcmp(line, "ok"))
		node->status = 0;
	else if (sscanf(line, "failed %d", &node->status) != 1)
		node->status = -1;
	return true;
}

/* Pass on whole lines of what is in @line. */
static void lines_print(struct node *node, char *line, size_t *bytes, bool all, FILE *to)
{
	char *begin = line, *end = line + *bytes, *newline;

	while (begin < end) {
		newline = memchr(begin, '\n', (size_t)(end - begin));
		/* A line that is longer than there is room for is passed on in parts. */
		if (!newline && !all && (begin > line || *bytes < sizeof(node->line)))
			break;
		if (!newline)
			newline = end;
		if (newline > begin && newline[-1] == '\r' && newline < end)
			newline[-1] = '\0';
		if (newline < end)
			*newline = '\0';
		if (to == stderr || newline == end || !result_take(node, begin)) {
			fprintf(to, "%u: %.*s\n", node->id, (int)(newline - begin), begin);
			fflush(to);
		}
		begin = newline + (newline < end);
	}
	*bytes = (size_t)(end - begin);
	memmove(line, begin, *bytes);
}

void node_read(struct node *node, int descriptor)
{
	bool out = descriptor == node->out;
	char *line = out ? node->line : node->error_line;
	size_t *bytes = out ? &node->line_bytes : &node->error_bytes;
	ssize_t got = read(descriptor, line + *bytes, sizeof(node->line) - *bytes);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got > 0)
		*bytes += (size_t)got;
	lines_print(node, line, bytes, got <= 0, out ? stdout : stderr);
	if (got > 0)
		return;
	close(descriptor);
	*(out ? &node->out : &node->error) = -1;
}

/* The last lines of a file, for a message. */
static void last_lines(const char *directory, const char *what, uint32_t id)
{
	char path[4096], *line = NULL, *last[LAST_LINES] = {NULL};
	size_t size = 0;
	unsigned int count = 0, i;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s-%u", directory, what, id);
	file = fopen(path, "re");
	if (!file)
		return;
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		free(last[count % LAST_LINES]);
		last[count++ % LAST_LINES] = strdup(line);
	}
	for (i = count > LAST_LINES ? count - LAST_LINES : 0; i < count; i++)
		fprintf(stderr, "    %s\n", last[i % LAST_LINES] ? last[i % LAST_LINES] : "");
	for (i = 0; i < LAST_LINES; i++)
		free(last[i]);
	free(line);
	fclose(file);
}

int node_finish(struct node *node, const struct cluster *cluster)
{
	int status = 0;

	if (node->qemu > 0 && waitpid(node->qemu, &status, 0) < 0)
		status = 0;
	node->qemu = 0;
	if (node->status >= 0)
		return node->status;
	tool_message("node %u has ended without a result; QEMU said:", node->id);
	last_lines(cluster->directory, "qemu", node->id);
	tool_message("and the guest's console ended with:");
	last_lines(cluster->directory, "console", node->id);
	return TOOL_ERROR;
}

void node_kill(struct node *node)
{
	if (node->qemu <= 0)
		return;
	kill(node->qemu, SIGKILL);
	waitpid(node->qemu, NULL, 0);
	node->qemu = 0;
}
