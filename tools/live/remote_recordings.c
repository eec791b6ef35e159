// SPDX-License-Identifier: MIT
/*
 * Remote recordings: receive the recordings that another `smile serve` offers. See
 * remote_recordings.h.
 *
 * Until the sender reports the end of a recording, this process holds the writer's lock of the
 * received file (docs/recording.md). If the connection is lost, the recordings are delayed until it
 * is restored. If the sender is the same as before, it then continues at the last position. A
 * different sender sends its recordings from the beginning.
 */
#include "tools/live/remote_recordings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/analysis/text.h"
#include "tools/common/tool.h"
#include "tools/live/address.h"
#include "tools/live/files.h"
#include "tools/live/stream.h"

/* The largest size of an answer's head, and of the text of a refusal. */
#define HEAD_BYTES_MAX 4096U
#define TROUBLE_BYTES 400U
/* The largest amount of data that one call reads. After this amount, the other sources are read. */
#define TAKE_BYTES_MAX (4U << 20)
#define RETRY_NS 500000000ULL
/* A sender that has sent nothing for this time counts as disconnected. */
#define SILENCE_NS (5 * STREAM_BEAT_NS)

/**
 * struct remote_set - The recordings of one sender.
 * @files: descriptors of the files; -1: the file does not exist yet; shape [@count]
 * @bytes: sizes of the files; shape [@count]
 * @over: for each recording, whether it no longer grows; shape [@count]
 * @count: number of recordings
 * @instance: id of the sender's process
 */
struct remote_set {
	int *files;
	uint64_t *bytes;
	char *over;
	size_t count;
	char instance[STREAM_INSTANCE_BYTES + 1];
};

enum phase {
	PHASE_NONE, /* there is no connection */
	PHASE_ASK, /* the request must be sent */
	PHASE_ANSWER, /* the head of the answer is awaited */
	PHASE_REFUSED, /* the text of a refusal is awaited */
	PHASE_HEAD, /* the head of the stream is awaited */
	PHASE_FRAME, /* a frame is awaited */
};

/**
 * struct remote - A connection to a sender.
 * @name: name of the source, as the user gave it
 * @fd: socket of the connection; -1: no connection
 * @phase: the data that is awaited next
 * @heard_ns: time at which the last data arrived
 * @retry_ns: time of the next attempt to connect
 * @set: the recordings that can be opened; @set.count is 0 before the first recordings have arrived
 * @coming: the recordings of a new sender. They replace @set when the headers of all of them have
 *          arrived
 * @buffer: received bytes that were not processed yet; STREAM_FRAME_BYTES + STREAM_BYTES_MAX long,
 *          and a zero byte after the received bytes, since some of them are parsed as text
 * @filled: number of bytes in @buffer
 * @caught_up: the sender has reported that it has sent all existing data
 * @anew: @set was replaced since the last call of remote_attend()
 * @trouble: the reason why no data arrives
 */
struct remote {
	char *name;
	struct address address;
	int fd;
	enum phase phase;
	uint64_t heard_ns;
	uint64_t retry_ns;
	struct remote_set set;
	struct remote_set coming;
	unsigned char *buffer;
	size_t filled;
	int caught_up;
	int anew;
	char trouble[TROUBLE_BYTES];
};

/* ---- sets ----------------------------------------------------------------------------------- */

static void set_free(struct remote_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->files[i] >= 0)
			close(set->files[i]);
	free(set->files);
	free(set->bytes);
	free(set->over);
	*set = (struct remote_set){0};
}

static int set_new(struct remote_set *set, size_t count, const char *instance)
{
	set->files = calloc(count, sizeof(*set->files));
	set->bytes = calloc(count, sizeof(*set->bytes));
	set->over = calloc(count, sizeof(*set->over));
	if (!set->files || !set->bytes || !set->over) {
		set_free(set);
		return -ENOMEM;
	}
	set->count = count;
	memcpy(set->instance, instance, STREAM_INSTANCE_BYTES);
	for (size_t i = 0; i < count; i++)
		set->files[i] = -1;
	for (size_t i = 0; i < count; i++) {
		set->files[i] = live_file_new();
		if (set->files[i] < 0 || live_file_hold(set->files[i])) {
			int error = -errno;

			set_free(set);
			return error;
		}
	}
	return 0;
}

static int set_has_headers(const struct remote_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (!set->bytes[i])
			return 0;
	return set->count > 0;
}

static int set_is_over(const struct remote_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (!set->over[i])
			return 0;
	return set->count > 0;
}

/* ---- the connection ------------------------------------------------------------------------- */

int remote_is(const char *source)
{
	return !strncmp(source, "unix:", 5) || !strncmp(source, "http://", 7);
}

struct remote *remote_new(const char *source)
{
	struct remote *remote = calloc(1, sizeof(*remote));

	if (remote) {
		remote->name = strdup(source);
		remote->buffer = malloc(STREAM_FRAME_BYTES + STREAM_BYTES_MAX + 1);
	}
	if (!remote || !remote->name || !remote->buffer) {
		tool_error("no memory");
		remote_free(remote);
		return NULL;
	}
	remote->fd = -1;
	snprintf(remote->trouble, sizeof(remote->trouble), "it has not answered yet");
	if (address_parse(&remote->address, source) == TOOL_OK)
		return remote;
	remote_free(remote);
	return NULL;
}

void remote_free(struct remote *remote)
{
	if (!remote)
		return;
	if (remote->fd >= 0)
		close(remote->fd);
	set_free(&remote->set);
	set_free(&remote->coming);
	free(remote->buffer);
	free(remote->name);
	free(remote);
}

size_t remote_count(const struct remote *remote)
{
	return remote->set.count;
}

int remote_file(const struct remote *remote, size_t index)
{
	return remote->set.files[index];
}

const char *remote_trouble(const struct remote *remote)
{
	return set_is_over(&remote->set) ? "" : remote->trouble;
}

int remote_is_behind(const struct remote *remote)
{
	return remote->phase == PHASE_FRAME && !remote->caught_up;
}

/* Close a connection that can no longer be used, and schedule the next attempt. */
__attribute__((format(printf, 2, 3))) static void lost(struct remote *remote, const char *format,
						       ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(remote->trouble, sizeof(remote->trouble), format, arguments);
	va_end(arguments);
	text_printable(remote->trouble);
	if (remote->fd >= 0)
		close(remote->fd);
	remote->fd = -1;
	remote->phase = PHASE_NONE;
	remote->filled = 0;
	/*
	 * If the sender has sent complete recordings, it may start new ones, but probably not soon.
	 * In this case, wait longer.
	 */
	remote->retry_ns = tool_now_ns() + (set_is_over(&remote->set) ? 4 : 1) * RETRY_NS;
	set_free(&remote->coming);
}

static void begin(struct remote *remote)
{
	int fd = address_connect(&remote->address);

	if (fd < 0) {
		lost(remote, "cannot connect: %s%s", strerror(-fd),
		     fd == -ENOENT || fd == -ECONNREFUSED
			     ? "; is its smile serve running, and forwarded?"
			     : "");
		return;
	}
	remote->fd = fd;
	remote->phase = PHASE_ASK;
	remote->caught_up = 0;
	remote->heard_ns = tool_now_ns();
}

/*
 * Send the request. If the connection is not established yet, a later call sends the request.
 * Otherwise the request fits in the buffer of the socket.
 */
static void ask(struct remote *remote)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	ssize_t sent;

	if (!out) {
		lost(remote, "no memory");
		return;
	}
	fprintf(out, "GET /recordings");
	for (size_t i = 0; i < remote->set.count; i++) {
		if (!i)
			fprintf(out, "?instance=%s&from=", remote->set.instance);
		fprintf(out, "%s%llu", i ? "," : "", (unsigned long long)remote->set.bytes[i]);
	}
	fprintf(out, " HTTP/1.0\r\nHost: localhost\r\n\r\n");
	fclose(out);
	sent = send(remote->fd, text, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
	free(text);
	if (sent == (ssize_t)bytes)
		remote->phase = PHASE_ANSWER;
	else if (sent >= 0 || (errno != EAGAIN && errno != ENOTCONN))
		lost(remote, "cannot connect: %s; is its smile serve running, and forwarded?",
		     sent < 0 ? strerror(errno) : "it accepts no request");
}

/* ---- received data -------------------------------------------------------------------------- */

static void use(struct remote *remote, size_t bytes)
{
	memmove(remote->buffer, remote->buffer + bytes, remote->filled - bytes);
	remote->filled -= bytes;
}

/*
 * Parse the head of the answer. Return: 1 if the phase has changed; 0 if more data is needed, or if
 * the connection is lost.
 */
static int answer_take(struct remote *remote)
{
	char *head = (char *)remote->buffer;
	const char *end = memmem(head, remote->filled, "\r\n\r\n", 4);
	int status = 0;

	if (!end && remote->filled < HEAD_BYTES_MAX)
		return 0;
	if (!end || end - head > (int)HEAD_BYTES_MAX || strncmp(head, "HTTP/1.", 7) ||
	    sscanf(head + 8, " %3d", &status) != 1) {
		lost(remote, "the server there is no smile serve");
		return 0;
	}
	use(remote, (size_t)(end - head) + 4);
	remote->phase = status == 200 ? PHASE_HEAD : PHASE_REFUSED;
	return 1;
}

/* Report a refusal. Its text is one line, which is complete when the peer closes the connection. */
static void refusal_take(struct remote *remote)
{
	size_t bytes = remote->filled < 200 ? remote->filled : 200;
	const unsigned char *end = memchr(remote->buffer, '\n', bytes);

	lost(remote, "refused: %.*s", (int)(end ? (size_t)(end - remote->buffer) : bytes),
	     (const char *)remote->buffer);
}

static int head_take(struct remote *remote)
{
	char instance[STREAM_INSTANCE_BYTES + 1] = "";
	uint32_t version, count;
	int error;

	if (remote->filled < STREAM_HEAD_BYTES)
		return 0;
	memcpy(&version, remote->buffer + 8, sizeof(version));
	memcpy(&count, remote->buffer + 12, sizeof(count));
	version = le32toh(version);
	count = le32toh(count);
	memcpy(instance, remote->buffer + STREAM_INSTANCE_AT, STREAM_INSTANCE_BYTES);
	if (memcmp(remote->buffer, STREAM_MAGIC, 8)) {
		lost(remote, "the server there is no smile serve");
		return 0;
	}
	if (version != STREAM_VERSION) {
		lost(remote,
		     "it sends recordings in version %u, and this smile reads version %u: install "
		     "the same release on both",
		     version, STREAM_VERSION);
		return 0;
	}
	if (!count || count > STREAM_RECORDINGS_MAX || !*instance ||
	    instance[strspn(instance, "0123456789.-")]) {
		lost(remote, "it sends %u recordings of '%.20s', which is not possible", count,
		     instance);
		return 0;
	}
	use(remote, STREAM_HEAD_BYTES);
	remote->phase = PHASE_FRAME;
	if (remote->set.count == count && !strcmp(remote->set.instance, instance))
		return 1;
	snprintf(remote->trouble, sizeof(remote->trouble),
		 "%u recordings are expected: not all of them have begun to arrive", count);
	error = set_new(&remote->coming, count, instance);
	if (error < 0)
		lost(remote, "cannot keep its recordings: %s", strerror(-error));
	return !error;
}

static int write_all(int fd, const unsigned char *data, size_t bytes, uint64_t offset)
{
	while (bytes) {
		ssize_t written = pwrite(fd, data, bytes, (off_t)offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -EIO;
		data += written;
		bytes -= (size_t)written;
		offset += (uint64_t)written;
	}
	return 0;
}

/*
 * Check a frame. The bytes of the frame must be a header that replaces the present header, or must
 * follow the received bytes of the recording.
 */
static int frame_fits(const struct remote_set *set, const struct stream_frame *frame)
{
	if (frame->recording >= set->count || frame->bytes > STREAM_BYTES_MAX)
		return 0;
	if (frame->kind == STREAM_OVER)
		return !frame->bytes && set->bytes[frame->recording];
	if (frame->kind != STREAM_BYTES || !frame->bytes)
		return 0;
	if (!frame->offset && frame->bytes <= set->bytes[frame->recording])
		return 1;
	return frame->offset == set->bytes[frame->recording] && !set->over[frame->recording];
}

/*
 * When the headers of a new sender's recordings are complete, replace the present recordings by
 * them.
 */
static void replace(struct remote *remote)
{
	if (!set_has_headers(&remote->coming))
		return;
	set_free(&remote->set);
	remote->set = remote->coming;
	remote->coming = (struct remote_set){0};
	remote->anew = 1;
}

static int frame_take(struct remote *remote)
{
	struct remote_set *set = remote->coming.count ? &remote->coming : &remote->set;
	struct stream_frame frame;
	int error;

	if (remote->filled < STREAM_FRAME_BYTES)
		return 0;
	stream_frame_get(&frame, remote->buffer);
	if (frame.kind == STREAM_BEAT && !frame.bytes) {
		remote->caught_up = 1;
		use(remote, STREAM_FRAME_BYTES);
		return 1;
	}
	if (!frame_fits(set, &frame)) {
		lost(remote, "it sends data that is no recording");
		return 0;
	}
	if (remote->filled < STREAM_FRAME_BYTES + frame.bytes)
		return 0;
	if (frame.kind == STREAM_OVER) {
		set->over[frame.recording] = 1;
		live_file_release(set->files[frame.recording]);
	} else {
		error = write_all(set->files[frame.recording], remote->buffer + STREAM_FRAME_BYTES,
				  frame.bytes, frame.offset);
		if (error < 0) {
			lost(remote, "cannot keep its recordings: %s; set TMPDIR to another folder",
			     strerror(-error));
			return 0;
		}
		if (frame.offset == set->bytes[frame.recording])
			set->bytes[frame.recording] += frame.bytes;
	}
	use(remote, STREAM_FRAME_BYTES + frame.bytes);
	replace(remote);
	if (!remote->coming.count)
		*remote->trouble = '\0';
	return 1;
}

static void take(struct remote *remote)
{
	int more = 1;

	while (more && remote->fd >= 0) {
		if (remote->phase == PHASE_ANSWER)
			more = answer_take(remote);
		else if (remote->phase == PHASE_HEAD)
			more = head_take(remote);
		else if (remote->phase == PHASE_FRAME)
			more = frame_take(remote);
		else
			more = 0;
	}
}

static void closed(struct remote *remote, int error)
{
	if (remote->phase == PHASE_REFUSED)
		refusal_take(remote);
	else
		lost(remote, "the connection was lost%s%s: is its smile serve running?",
		     error ? ": " : "", error ? strerror(error) : "");
}

static void receive(struct remote *remote)
{
	size_t taken = 0;

	while (remote->fd >= 0 && taken < TAKE_BYTES_MAX) {
		size_t room = STREAM_FRAME_BYTES + STREAM_BYTES_MAX - remote->filled;
		ssize_t got = recv(remote->fd, remote->buffer + remote->filled, room, MSG_DONTWAIT);

		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (got <= 0) {
			closed(remote, got < 0 ? errno : 0);
			break;
		}
		remote->heard_ns = tool_now_ns();
		remote->filled += (size_t)got;
		remote->buffer[remote->filled] = '\0';
		taken += (size_t)got;
		take(remote);
		/* If the text of a refusal is too long, report it without waiting for its end. */
		if (remote->phase == PHASE_REFUSED && remote->filled > HEAD_BYTES_MAX)
			refusal_take(remote);
	}
}

int remote_attend(struct remote *remote)
{
	uint64_t now = tool_now_ns();
	int anew;

	if (remote->phase == PHASE_NONE) {
		if (now < remote->retry_ns)
			return 0;
		begin(remote);
	}
	if (remote->phase == PHASE_ASK)
		ask(remote);
	if (remote->fd >= 0 && remote->phase != PHASE_ASK)
		receive(remote);
	if (remote->fd >= 0 && now > remote->heard_ns + SILENCE_NS)
		lost(remote, "no data has arrived for %llu s: is its machine stopped?",
		     (unsigned long long)(SILENCE_NS / 1000000000));
	anew = remote->anew;
	remote->anew = 0;
	return anew;
}
