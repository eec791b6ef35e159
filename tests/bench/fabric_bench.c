/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench of remote accesses, with two guests of `smile cluster`. Node 0 measures, and node 1 exports
 * memory. At the end, both nodes access each other's memory at the same time.
 *
 * What lives here: the program for the guests. It measures loads and stores of 8 bytes in the other
 * node's memory, in memory that both guests map directly (ivshmem, without a card), and in this
 * node's own memory of the adapter. It also measures a round trip of 8 bytes through a socket of
 * the loopback interface. It prints a row of a table for each. May use: <sisci_api.h>, POSIX.
 */
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sisci_api.h>

#define SIZE 4096
#define SEGMENT 7
#define BATCH 64 /* accesses between two readings of the clock */
#define BATCHES 2001
#define ROUND_TRIPS 2001
#define TRIES 6000

static sci_error_t error;

static void check(const char *what)
{
	if (error == SCI_ERR_OK)
		return;
	fprintf(stderr, "fabric_bench: %s: error 0x%x\n", what, (unsigned int)error);
	exit(2);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Print a row: the median, the accesses per second of all batches, and the longest batch. */
static void row(const char *name, double *each_ns, size_t count, double all_ns, double all)
{
	qsort(each_ns, count, sizeof(*each_ns), compare);
	printf("| %s | %.0f | %.3g | %.3g |\n", name, each_ns[count / 2], all / all_ns * 1e3,
	       each_ns[count - 1] * all / (double)count / 1e6);
}

static void loads(const char *name, const volatile uint64_t *memory)
{
	static double each_ns[BATCHES];
	double begin = now_ns(), last = begin, now;

	for (int i = 0; i < BATCHES; i++, last = now) {
		for (int j = 0; j < BATCH; j++)
			(void)memory[8];
		now = now_ns();
		each_ns[i] = (now - last) / BATCH;
	}
	row(name, each_ns, BATCHES, last - begin, (double)BATCHES * BATCH);
}

static void stores(const char *name, volatile uint64_t *memory)
{
	static double each_ns[BATCHES];
	double begin = now_ns(), last = begin, now;

	for (int i = 0; i < BATCHES; i++, last = now) {
		for (int j = 0; j < BATCH; j++)
			memory[16] = (uint64_t)j;
		now = now_ns();
		each_ns[i] = (now - last) / BATCH;
	}
	row(name, each_ns, BATCHES, last - begin, (double)BATCHES * BATCH);
}

/* The memory of the ivshmem device that fabric_bench.sh adds; NULL if there is no such device. */
static volatile uint64_t *shared(void)
{
	DIR *devices = opendir("/sys/bus/pci/devices");
	struct dirent *entry;
	char path[300], text[32] = "";
	void *memory = MAP_FAILED;
	FILE *id;
	int file;

	while (devices && memory == MAP_FAILED && (entry = readdir(devices))) {
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/modalias", entry->d_name);
		id = fopen(path, "re");
		if (!id)
			continue;
		if (fgets(text, sizeof(text), id) && !strncmp(text, "pci:v00001AF4d00001110", 22)) {
			snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource2",
				 entry->d_name);
			file = open(path, O_RDWR | O_SYNC);
			memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
			close(file);
		}
		fclose(id);
	}
	if (devices)
		closedir(devices);
	return memory == MAP_FAILED ? NULL : memory;
}

static void answer(int listener)
{
	uint64_t word;
	int peer = accept(listener, NULL, NULL), one = 1;

	setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	while (read(peer, &word, sizeof(word)) == sizeof(word)) {
		if (write(peer, &word, sizeof(word)) != sizeof(word))
			break;
	}
	_exit(0);
}

static void round_trips(void)
{
	static double each_ns[ROUND_TRIPS];
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0), peer, one = 1;
	double begin, last, now;
	uint64_t word = 0;
	pid_t child;

	if (bind(listener, (struct sockaddr *)&address, bytes) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&address, &bytes)) {
		perror("fabric_bench: socket");
		return;
	}
	child = fork();
	if (child == 0)
		answer(listener);
	peer = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(peer, (struct sockaddr *)&address, bytes)) {
		/* Without a loopback interface; the child ends with the guest. */
		perror("fabric_bench: connect");
		exit(2);
	}
	setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	begin = last = now_ns();
	for (int i = 0; i < ROUND_TRIPS; i++, last = now) {
		if (write(peer, &word, sizeof(word)) != sizeof(word) ||
		    read(peer, &word, sizeof(word)) != sizeof(word))
			break;
		now = now_ns();
		each_ns[i] = now - last;
	}
	row("socket, 127.0.0.1, round trip", each_ns, ROUND_TRIPS, last - begin, ROUND_TRIPS);
	close(peer);
	waitpid(child, NULL, 0);
}

/*
 * Wait at a word until both nodes are there. The node that waits sleeps, because a loop would take
 * a processor of the host from the node that is still being measured.
 */
static void meet(const volatile uint64_t *near, volatile uint64_t *far, int word)
{
	far[word] = 1;
	while (!near[word])
		usleep(100);
}

/* Both nodes load at the same time, then both store. They start together, and return together. */
static void both(const volatile uint64_t *near, volatile uint64_t *far)
{
	meet(near, far, 1);
	loads("remote load, both nodes at once", far);
	meet(near, far, 2);
	stores("remote store, both nodes at once", far);
	fflush(stdout);
	meet(near, far, 3);
}

int main(void)
{
	unsigned int node = (unsigned int)atoi(getenv("SMILE_NODE"));
	sci_local_segment_t local;
	sci_remote_segment_t remote;
	sci_map_t map, far_map;
	volatile uint64_t *near, *far, *direct;
	sci_desc_t sd;
	int tries = 0;

	SCIInitialize(0, &error);
	check("SCIInitialize");
	SCIOpen(&sd, 0, &error);
	check("SCIOpen");
	SCICreateSegment(sd, &local, SEGMENT, SIZE, NULL, NULL, 0, &error);
	check("SCICreateSegment");
	SCIPrepareSegment(local, 0, 0, &error);
	check("SCIPrepareSegment");
	near = SCIMapLocalSegment(local, &map, 0, SIZE, NULL, 0, &error);
	check("SCIMapLocalSegment");
	near[0] = 0;
	SCISetSegmentAvailable(local, 0, 0, &error);
	check("SCISetSegmentAvailable");
	do {
		SCIConnectSegment(sd, &remote, node ? 4 : 8, SEGMENT, 0, NULL, NULL,
				  SCI_INFINITE_TIMEOUT, 0, &error);
		if (error != SCI_ERR_OK)
			usleep(10000);
	} while (error != SCI_ERR_OK && tries++ < TRIES);
	check("SCIConnectSegment");
	far = SCIMapRemoteSegment(remote, &far_map, 0, SIZE, NULL, 0, &error);
	check("SCIMapRemoteSegment");
	if (node == 1) {
		while (!near[0])
			usleep(10000);
		both(near, far);
		return 0;
	}
	printf("| 8 bytes | median ns | million a second | longest batch, ms "
	       "|\n|---|---|---|---|\n");
	loads("remote load, counted by both cards", far);
	stores("remote store, counted by both cards", far);
	direct = shared();
	if (direct) {
		loads("ivshmem load, mapped by both guests, not counted", direct);
		stores("ivshmem store", direct);
	}
	loads("local load", near);
	stores("local store", near);
	round_trips();
	far[0] = 1;
	both(near, far);
	return 0;
}
