/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench: the program at the other end of the guest's B-Links. It runs on the host, in parallel with
 * QEMU.
 *
 * What lives here: a loop that waits for the guest's requests (guest_wire.h), reports the processor
 * time that QEMU has used, by the kernel's account of each of QEMU's threads, and sends the
 * requested traffic to the sockets of the cards' character devices. So the guest's processors do
 * not have to send. Ends when QEMU ends.
 *
 * usage: guest_feed PORT-SOCKET CARD-SOCKET...
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <base/field.h>
#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#include "tests/bench/guest_wire.h"

#define NS_PER_S 1000000000ULL
#define FRAMES_PER_WRITE 1600U
#define CONNECT_TRIES 1200
#define CONNECT_PAUSE_US 50000

struct frame {
	uint32_t header[4]; /* seconds, nanoseconds, stored bytes, bytes on the link */
	uint64_t word[3];
};

struct job {
	struct wire_request request;
	const char *path; /* of the card's socket */
};

static void fail(const char *what, const char *path)
{
	fprintf(stderr, "guest_feed: %s: %s: %s\n", path, what, strerror(errno));
	exit(1);
}

/* QEMU listens as soon as the socket exists. */
static int peer(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		fail("cannot connect", path);
	}
	strcpy(address.sun_path, path);
	for (int tries = 0; tries < CONNECT_TRIES; tries++) {
		int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (fd >= 0 && !connect(fd, (struct sockaddr *)&address, sizeof(address)))
			return fd;
		close(fd);
		usleep(CONNECT_PAUSE_US);
	}
	fail("QEMU does not listen", path);
	return -1;
}

static bool write_all(int fd, const void *data, size_t bytes)
{
	const char *at = data;

	while (bytes) {
		ssize_t done = write(fd, at, bytes);

		if (done <= 0)
			return false;
		at += done;
		bytes -= (size_t)done;
	}
	return true;
}

/* ---- processor time ---- */

/* Return: the time that a thread has run [ns]; 0 if the thread has ended. */
static uint64_t thread_ns(const char *task, const char *thread)
{
	unsigned long long ns = 0;
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/schedstat", task, thread);
	file = fopen(path, "re");
	if (file && fscanf(file, "%llu", &ns) != 1)
		ns = 0;
	if (file)
		fclose(file);
	return ns;
}

/*
 * QEMU names the threads of its processors "CPU 0/TCG", or "CPU 0/KVM", if its command line
 * requests names.
 */
static bool is_processor(const char *task, const char *thread)
{
	char path[512], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/comm", task, thread);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = 0;
	fclose(file);
	return !strncmp(name, "CPU ", 4);
}

static struct wire_answer processor_time(pid_t qemu)
{
	struct wire_answer answer = {0};
	const struct dirent *entry;
	char task[64];
	DIR *dir;

	snprintf(task, sizeof(task), "/proc/%d/task", qemu);
	dir = opendir(task);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (is_processor(task, entry->d_name))
			answer.processors_ns += thread_ns(task, entry->d_name);
		else
			answer.board_ns += thread_ns(task, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return answer;
}

/* ---- traffic ---- */

static struct frame frame_make(uint32_t command, uint64_t address, uint64_t time_ns)
{
	return (struct frame){
		.header = {(uint32_t)(time_ns / NS_PER_S), (uint32_t)(time_ns % NS_PER_S),
			   sizeof(((struct frame *)0)->word), sizeof(((struct frame *)0)->word)},
		.word = {SMILE_PUT(BLINK_BD1_SOURCE, 1ULL) |
				 SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command),
			 address, 0},
	};
}

/*
 * Return: the time at which an event is due, as a number of packets since the first one. The time
 * is random within the event's part of the packets.
 */
static double event_place(const struct wire_request *request, uint64_t event, uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return ((double)event + (double)(*random >> 11) / (double)(1ULL << 53)) *
	       (double)request->packets / (double)request->events;
}

static bool send_traffic(int fd, const struct wire_request *request)
{
	static const uint32_t header[6] = {0xa1b23c4d, 0x00040002, 0, 0, 65535, BLINK_LINKTYPE};
	static struct frame frames[FRAMES_PER_WRITE];
	uint64_t random = 88172645463325252ULL, event = 0, i = 0;
	double step_ns = request->rate ? (double)NS_PER_S / request->rate : 0;
	double place = 0;
	size_t count = 0;

	if (!write_all(fd, header, sizeof(header)))
		return false;
	if (request->events)
		place = event_place(request, 0, &random);
	while (i < request->packets || event < request->events) {
		if (i == request->packets || (event < request->events && place < (double)i)) {
			frames[count++] = frame_make(BLINK_EVENT00, event % WIRE_IDS,
						     (uint64_t)(place * step_ns));
			if (++event < request->events)
				place = event_place(request, event, &random);
		} else {
			frames[count++] =
				frame_make(BLINK_READSB, i % WIRE_PAGES * SMILE_PAGE_BYTES,
					   (uint64_t)((double)i * step_ns));
			i++;
		}
		if (count == FRAMES_PER_WRITE) {
			if (!write_all(fd, frames, sizeof(frames)))
				return false;
			count = 0;
		}
	}
	return write_all(fd, frames, count * sizeof(frames[0]));
}

/*
 * Handle one request at a time. The guest sends the next request when it has received all packets
 * of the last one.
 */
static void *traffic_main(void *argument)
{
	/*
	 * A copy, because the guest may send the next request as soon as it has received the last
	 * packet.
	 */
	const struct job job = *(const struct job *)argument;
	int fd = peer(job.path);

	if (!send_traffic(fd, &job.request))
		fail("traffic broke off", job.path);
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	struct job job;
	struct ucred qemu;
	socklen_t bytes = sizeof(qemu);
	bool sending = false;
	pthread_t sender;
	int port;

	if (argc < 3) {
		fprintf(stderr, "usage: guest_feed PORT-SOCKET CARD-SOCKET...\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	port = peer(argv[1]);
	if (getsockopt(port, SOL_SOCKET, SO_PEERCRED, &qemu, &bytes))
		fail("no listener", argv[1]);
	while (recv(port, &job.request, sizeof(job.request), MSG_WAITALL) == sizeof(job.request)) {
		struct wire_answer answer;

		if (sending)
			pthread_join(sender, NULL);
		sending = false;
		answer = processor_time(qemu.pid);
		if (!write_all(port, &answer, sizeof(answer)))
			break;
		if (!job.request.packets && !job.request.events)
			continue;
		if (job.request.card + 2 >= (uint32_t)argc) {
			errno = EINVAL;
			fail("no such card", argv[1]);
		}
		job.path = argv[2 + job.request.card];
		errno = pthread_create(&sender, NULL, traffic_main, &job);
		if (errno)
			fail("no thread", job.path);
		sending = true;
	}
	return 0;
}
