/* SPDX-License-Identifier: MIT */
/*
 * Captures: files of packets of a B-Link or of an SCI cable, with time stamps. Part of
 * <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_CAPTURE_H
#define SMILE_MONITOR_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor_capture;

/**
 * Monitor_capture_open() - Open a capture (pcap or pcapng, link type 147) for reading.
 * @out: receives the capture
 * @path: file, or "-" for standard input
 *
 * Context: any thread.
 * Return: 0.
 * Errors: as open(2); -EPROTO for a file that is not a capture, is compressed, or has another link
 * type; -ELIBACC: libpcap is not installed.
 */
int Monitor_capture_open(struct Monitor_capture **out, const char *path);

/**
 * Monitor_capture_open_any() - Open a capture of a B-Link or of an SCI cable for reading.
 * @out: receives the capture
 * @path: file, or "-" for standard input
 *
 * This call does the same as Monitor_capture_open(), but also opens captures of link type 148,
 * which hold packets of a cable. Monitor_capture_link() returns the link type of an open capture.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: as Monitor_capture_open().
 */
int Monitor_capture_open_any(struct Monitor_capture **out, const char *path);

/**
 * Monitor_capture_link() - Get the link type of a capture.
 *
 * Return: 147 for frames of a B-Link, 148 for packets of a cable.
 */
int Monitor_capture_link(const struct Monitor_capture *capture);

/**
 * Monitor_capture_read() - Read the next frame.
 * @frame: receives a pointer to the bytes of the frame, valid until the next call
 * @bytes: receives the length of the frame
 * @time_ns: receives the time stamp of the frame
 *
 * Return: 1 if a frame was read; 0 at the end of the capture.
 * Errors: -EPROTO if the capture is truncated or damaged at this frame; the frames that were read
 * before are valid; -ENOTSUP for a pcapng file with packets of several interfaces, if no interface
 * was selected.
 */
int Monitor_capture_read(struct Monitor_capture *capture, const void **frame, size_t *bytes,
			 uint64_t *time_ns);

/**
 * Monitor_capture_select() - Read only the packets of one interface.
 * @capture: capture that was opened for reading, and from which nothing was read yet
 * @interface: number of the interface, from 0; only interfaces that have packets are numbered, in
 *             the order of their first packets
 *
 * A pcapng file can hold the packets of several B-Links, each as a separate interface. mergecap(1)
 * and smile trace record write such files. Open the file once for each interface. In a pcap file,
 * all packets belong to interface 0.
 *
 * Return: 0.
 * Errors: -ESPIPE for a pipe; -EINVAL for a number that is too large for any capture; -EBADF if the
 * capture was created.
 */
int Monitor_capture_select(struct Monitor_capture *capture, unsigned int interface);

/**
 * Monitor_capture_interface() - List the interfaces of the packets that were read so far.
 * @interface: number, as for Monitor_capture_select()
 * @name: receives the interface's name, valid until the next call; "": the interface has no name;
 *        NULL: the interface does not exist
 *
 * Return: the number of interfaces that have packets among those read so far; 1 for a pcap file.
 */
int Monitor_capture_interface(struct Monitor_capture *capture, unsigned int interface,
			      const char **name);

/**
 * Monitor_capture_create() - Create a capture: a pcap file with nanosecond time stamps and link
 * type 147.
 * @out: receives the capture
 * @path: file to create, or "-" for standard output
 *
 * Context: any thread.
 * Return: 0.
 * Errors: as fopen(3); -EIO; -ENOMEM; -ELIBACC: libpcap is not installed.
 */
int Monitor_capture_create(struct Monitor_capture **out, const char *path);

/**
 * Monitor_capture_write() - Append a frame.
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp, below 2^32 s, which is the limit of a pcap file
 *
 * Frames are buffered in memory.
 *
 * Return: 0.
 * Errors: -EBADF if the capture was opened for reading; -EINVAL for a frame of more than 65535
 * bytes, or a time stamp that is too large; -EIO, -ENOSPC or another error of write(2).
 */
int Monitor_capture_write(struct Monitor_capture *capture, const void *frame, size_t bytes,
			  uint64_t time_ns);

/**
 * Monitor_capture_flush() - Write the buffered frames to the file.
 *
 * Call this function if the capture is a pipe or a port whose reader waits for frames.
 *
 * Return: 0.
 * Errors: -EIO, -ENOSPC or another error of write(2).
 */
int Monitor_capture_flush(struct Monitor_capture *capture);

/**
 * Monitor_capture_close() - Close a capture.
 *
 * Return: 0.
 * Errors: -EIO or -ENOSPC if some frames could not be written.
 */
int Monitor_capture_close(struct Monitor_capture *capture);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_CAPTURE_H */
