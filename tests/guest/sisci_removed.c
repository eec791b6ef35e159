/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for the SISCI API whose segment is removed after poll() has reported an event of the
 * segment to the library, and before the library has read the event. The event disappears with the
 * segment; the library must not wait for another event.
 *
 *	sisci_removed
 *
 * What lives here: a poll() that replaces the C library's. It delays the thread of the SISCI
 * library until the segment is removed. The program prints "ok removed".
 *
 * May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX, Linux.
 */
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define SIZE 4096
#define SEGMENT 78

static atomic_int holds;
static sem_t told, removed;

int poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
	int ready = (int)syscall(SYS_poll, files, count, timeout_ms);

	if (ready > 0 && files[0].revents & POLLIN && atomic_exchange(&holds, 0)) {
		sem_post(&told);
		sem_wait(&removed);
	}
	return ready;
}

int main(void)
{
	sci_local_segment_t segment;
	sci_remote_segment_t itself;
	sci_desc_t sd;

	sem_init(&told, 0, 0);
	sem_init(&removed, 0, 0);
	sd = session_open();
	SCICreateSegment(sd, &segment, SEGMENT, SIZE, NULL, NULL, 0, &error);
	OK("create");
	SCIPrepareSegment(segment, 0, 0, &error);
	SCISetSegmentAvailable(segment, 0, 0, &error);
	OK("available");
	atomic_store(&holds, 1);
	SCIConnectSegment(sd, &itself, SCI_LOCAL_HOST, SEGMENT, 0, NULL, NULL, SCI_INFINITE_TIMEOUT,
			  0, &error);
	OK("connect, which is an event of the segment");
	sem_wait(&told);
	SCIDisconnectSegment(itself, 0, &error);
	OK("disconnect");
	SCIRemoveSegment(segment, 0, &error);
	OK("remove");
	sem_post(&removed);
	SCITerminate();
	printf("ok removed\n");
	return 0;
}
