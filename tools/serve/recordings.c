// SPDX-License-Identifier: MIT
/*
 * Serve: send recordings to the `smile serve` of another machine.
 *
 * What lives here: the answer to GET /recordings, which sends all recordings while they grow, in
 * the format of tools/live/stream.h. Each client has its own position in the files. A slow client
 * therefore does not delay others, and needs only memory for one frame.
 */
#include "tools/serve/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/recording_head.h>

#include "tools/common/tool.h"
#include "tools/live/stream.h"

/* The time between two checks whether the files have grown. */
#define LOOK_NS 50000000ULL
/* The number of bytes that are read from a file at a time. */
#define CHUNK_BYTES 65536U

/**
 * struct serve_recording - A recording that is offered to clients.
 * @fd: descriptor of its file
 * @member: index of the recording in the members of serve.live, while the live source exists
 * @over: the recording no longer grows
 * @start: start time of the recording, as in its header
 */
struct serve_recording {
	int fd;
	size_t member;
	int over;
	unsigned char start[8];
};

/**
 * struct sent - The part of a recording that was sent to a client.
 * @bytes: number of bytes of the file that were sent
 * @header: the header as it was last sent; NULL: it was not sent yet
 * @header_bytes: length of @header
 * @over: the client was informed that the recording no longer grows
 */
struct sent {
	uint64_t bytes;
	unsigned char *header;
	size_t header_bytes;
	int over;
};

/**
 * struct serve_stream - A client that receives recordings.
 * @connection: connection of the client in MHD
 * @sent: the part of each recording that was sent, shape [@count]
 * @count: number of recordings
 * @turn: index of the recording from which the next frame is made
 * @frame: the frame that is being sent, STREAM_FRAME_BYTES + STREAM_BYTES_MAX long
 * @filled: number of bytes in @frame
 * @at: number of bytes of @frame that were sent
 * @sent_ns: time at which data was sent last
 * @asleep: the connection is suspended
 * @idle: the client has received all existing data, and the first STREAM_BEAT has reported this
 * @ended: other recordings have replaced the recordings that this client receives
 */
struct serve_stream {
	struct serve_stream *next;
	struct serve *serve;
	struct MHD_Connection *connection;
	struct sent *sent;
	size_t count;
	size_t turn;
	unsigned char *frame;
	size_t filled;
	size_t at;
	uint64_t sent_ns;
	int asleep;
	int idle;
	int ended;
};

/* ---- the recordings that are offered -------------------------------------------------------- */

static void recordings_drop(struct serve *serve)
{
	for (size_t i = 0; i < serve->recordings_count; i++)
		close(serve->recordings[i].fd);
	free(serve->recordings);
	serve->recordings = NULL;
	serve->recordings_count = 0;
	for (struct serve_stream *one = serve->streams; one; one = one->next)
		one->ended = 1;
}

static int recording_add(struct serve *serve, int fd, size_t member)
{
	struct serve_recording *one = &serve->recordings[serve->recordings_count++];

	*one = (struct serve_recording){.fd = fd, .member = member};
	if (pread(fd, one->start, sizeof(one->start), RECORDING_OFFSET_START) !=
	    (ssize_t)sizeof(one->start))
		return -EIO;
	return 0;
}

/* Open the recordings of the live source. Return: 0; -errno if not all recordings can be opened. */
static int recordings_open(struct serve *serve)
{
	struct live *live = serve->live;
	int error = 0;

	serve->recordings = calloc(live->members_count + 1, sizeof(*serve->recordings));
	if (!serve->recordings)
		return -ENOMEM;
	for (size_t i = 0; i < live->members_count && !error; i++) {
		int fd = live_recording(live, i);

		if (fd >= 0)
			error = recording_add(serve, fd, i);
		else if (fd != -EAGAIN && (fd != -ENOENT || live->kind == LIVE_RECORDINGS))
			error = fd;
	}
	return error;
}

/*
 * If the live source has other recordings than before, open them. If one of them cannot be opened,
 * no recording is offered, because clients would not learn that a recording is missing.
 */
static void recordings_take(struct serve *serve)
{
	int error;

	if ((serve->recordings || serve->recordings_error) &&
	    serve->recordings_anew == live_anew(serve->live))
		return;
	recordings_drop(serve);
	serve->recordings_anew = live_anew(serve->live);
	serve->recordings_error = error = recordings_open(serve);
	if (error < 0)
		recordings_drop(serve);
}

static void wake_all(struct serve *serve)
{
	for (struct serve_stream *one = serve->streams; one; one = one->next) {
		if (one->asleep)
			serve_mhd.resume_connection(one->connection);
		one->asleep = 0;
	}
}

void serve_recordings_look(struct serve *serve)
{
	uint64_t now = tool_now_ns();

	if (now < serve->recordings_ns + LOOK_NS)
		return;
	serve->recordings_ns = now;
	if (serve->packets)
		return;
	recordings_take(serve);
	for (size_t i = 0; i < serve->recordings_count; i++) {
		struct serve_recording *one = &serve->recordings[i];

		one->over = serve->live->kind == LIVE_RECORDINGS &&
			    serve->live->members[one->member].state != LIVE_RUNNING;
	}
	wake_all(serve);
}

void serve_recordings_end(struct serve *serve)
{
	for (size_t i = 0; i < serve->recordings_count; i++)
		serve->recordings[i].over = 1;
	wake_all(serve);
}

void serve_recordings_free(struct serve *serve)
{
	recordings_drop(serve);
	wake_all(serve);
}

/* ---- frames --------------------------------------------------------------------------------- */

static void frame_put(struct serve_stream *stream, enum stream_kind kind, size_t recording,
		      uint64_t offset, size_t bytes)
{
	const struct stream_frame frame = {.kind = kind,
					   .recording = (uint32_t)recording,
					   .offset = offset,
					   .bytes = (uint32_t)bytes};

	stream_frame_put(stream->frame, &frame);
	stream->filled = STREAM_FRAME_BYTES + bytes;
	stream->at = 0;
}

/*
 * Read the header of a recording. Return: the header, which the caller must free; NULL if the
 * header does not exist or cannot be read.
 */
static unsigned char *header_read(int fd, size_t *bytes)
{
	unsigned char head[RECORDING_OFFSET_FIELDS], *header;
	uint32_t length;

	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return NULL;
	memcpy(&length, head + RECORDING_OFFSET_HEADER, sizeof(length));
	*bytes = le32toh(length);
	if (*bytes < sizeof(head) || *bytes > RECORDING_HEADER_MAX)
		return NULL;
	header = malloc(*bytes);
	if (header && pread(fd, header, *bytes, 0) != (ssize_t)*bytes) {
		free(header);
		header = NULL;
	}
	return header;
}

/*
 * Make the next frame of a recording. The bytes are read before the header, as in tail.c. If the
 * header that is read after the bytes announces no trailer, the bytes are records. A header that
 * marks the recording as complete is sent only after all other bytes. Return: 1; 0 if no data is
 * left to send.
 */
static int frame_make(struct serve_stream *stream, size_t index)
{
	const struct serve_recording *recording = &stream->serve->recordings[index];
	struct sent *sent = &stream->sent[index];
	ssize_t got = pread(recording->fd, stream->frame + STREAM_FRAME_BYTES, CHUNK_BYTES,
			    (off_t)sent->bytes);
	size_t bytes = 0;
	unsigned char *header = header_read(recording->fd, &bytes);
	struct stat status;

	/*
	 * If another recording was started in this file, do not send it now. The new recording is
	 * offered when the live source has opened it.
	 */
	if (header &&
	    memcmp(header + RECORDING_OFFSET_START, recording->start, sizeof(recording->start))) {
		free(header);
		header = NULL;
		got = 0;
	}
	if (!header || fstat(recording->fd, &status))
		status.st_size = 0;
	if (header && sent->bytes < (uint64_t)status.st_size)
		memset(header + RECORDING_OFFSET_RECORDS, 0xff, sizeof(RECORDING_INCOMPLETE));
	if (header &&
	    (!sent->header || bytes != sent->header_bytes || memcmp(header, sent->header, bytes))) {
		free(sent->header);
		sent->header = header;
		sent->header_bytes = bytes;
		memcpy(stream->frame + STREAM_FRAME_BYTES, header, bytes);
		frame_put(stream, STREAM_BYTES, index, 0, bytes);
		if (sent->bytes < bytes)
			sent->bytes = bytes;
		return 1;
	}
	free(header);
	if (sent->header && got > 0) {
		frame_put(stream, STREAM_BYTES, index, sent->bytes, (size_t)got);
		sent->bytes += (uint64_t)got;
		return 1;
	}
	if (!recording->over || sent->over || !sent->header)
		return 0;
	sent->over = 1;
	frame_put(stream, STREAM_OVER, index, 0, 0);
	return 1;
}

/*
 * Make the next frame for a client. Return: 1; 0 if no data is available now; -1 if no more data
 * will be available.
 */
static int stream_next(struct serve_stream *stream)
{
	size_t over = 0;

	if (stream->ended || stream->count != stream->serve->recordings_count)
		return -1;
	for (size_t i = 0; i < stream->count; i++) {
		size_t index = stream->turn;

		stream->turn = (stream->turn + 1) % stream->count;
		if (frame_make(stream, index))
			return 1;
		over += stream->sent[index].over;
	}
	if (over == stream->count)
		return -1;
	if (stream->idle && tool_now_ns() < stream->sent_ns + STREAM_BEAT_NS)
		return 0;
	stream->idle = 1;
	frame_put(stream, STREAM_BEAT, 0, 0, 0);
	return 1;
}

static ssize_t stream_read(void *opaque, uint64_t position, char *to, size_t room)
{
	struct serve_stream *stream = opaque;
	size_t left;
	int more = stream->at < stream->filled ? 1 : stream_next(stream);

	if (more < 0)
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (!more) {
		stream->asleep = 1;
		serve_mhd.suspend_connection(stream->connection);
		return 0;
	}
	left = stream->filled - stream->at;
	if (left > room)
		left = room;
	memcpy(to, stream->frame + stream->at, left);
	stream->at += left;
	stream->sent_ns = tool_now_ns();
	stream->serve->streamed_ns = stream->sent_ns;
	return (ssize_t)left;
}

/* ---- readers -------------------------------------------------------------------------------- */

static void stream_free(struct serve_stream *stream)
{
	for (size_t i = 0; stream->sent && i < stream->count; i++)
		free(stream->sent[i].header);
	free(stream->sent);
	free(stream->frame);
	free(stream);
}

static void stream_forget(void *opaque)
{
	struct serve_stream *stream = opaque;
	struct serve_stream **at = &stream->serve->streams;

	while (*at && *at != stream)
		at = &(*at)->next;
	if (*at) {
		*at = stream->next;
		stream->serve->stream_count--;
	}
	stream_free(stream);
}

static void instance_write(const struct serve *serve, char *instance)
{
	memset(instance, 0, STREAM_INSTANCE_BYTES);
	snprintf(instance, STREAM_INSTANCE_BYTES, "%s-%llu", serve->instance,
		 (unsigned long long)serve->recordings_anew);
}

/* If the client already has a part of the same recordings, continue after this part. */
static void resume(struct serve_stream *stream)
{
	const char *instance = serve_mhd.lookup_connection_value(stream->connection,
								 MHD_GET_ARGUMENT_KIND, "instance");
	const char *from = serve_mhd.lookup_connection_value(stream->connection,
							     MHD_GET_ARGUMENT_KIND, "from");
	char own[STREAM_INSTANCE_BYTES];

	instance_write(stream->serve, own);
	if (!instance || !from || strcmp(instance, own))
		return;
	for (size_t i = 0; i < stream->count && *from >= '0' && *from <= '9'; i++) {
		struct stat status;
		char *end;

		stream->sent[i].bytes = strtoull(from, &end, 10);
		/*
		 * If the client claims to have more bytes than the file, send the recording from
		 * the beginning.
		 */
		if (fstat(stream->serve->recordings[i].fd, &status) ||
		    stream->sent[i].bytes > (uint64_t)status.st_size)
			stream->sent[i].bytes = 0;
		from = *end == ',' ? end + 1 : "";
	}
}

static struct serve_stream *stream_new(struct serve *serve, struct MHD_Connection *connection)
{
	struct serve_stream *stream = calloc(1, sizeof(*stream));
	uint32_t head[2] = {htole32(STREAM_VERSION), htole32((uint32_t)serve->recordings_count)};

	if (!stream)
		return NULL;
	stream->serve = serve;
	stream->connection = connection;
	stream->count = serve->recordings_count;
	stream->sent = calloc(stream->count, sizeof(*stream->sent));
	stream->frame = malloc(STREAM_FRAME_BYTES + STREAM_BYTES_MAX);
	if (!stream->sent || !stream->frame) {
		stream_free(stream);
		return NULL;
	}
	memcpy(stream->frame, STREAM_MAGIC, 8);
	memcpy(stream->frame + 8, head, sizeof(head));
	instance_write(serve, (char *)stream->frame + STREAM_INSTANCE_AT);
	stream->filled = STREAM_HEAD_BYTES;
	resume(stream);
	return stream;
}

static enum MHD_Result unopened_refuse(const struct serve *serve, struct MHD_Connection *connection)
{
	char text[160];

	snprintf(text, sizeof(text), "Its recordings cannot be opened: %s%s.\n",
		 strerror(-serve->recordings_error),
		 serve->recordings_error == -EMFILE ? "; ulimit -n allows it more" : "");
	return serve_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, text);
}

enum MHD_Result serve_recordings_serve(struct serve *serve, struct MHD_Connection *connection)
{
	struct MHD_Response *response;
	struct serve_stream *stream;
	enum MHD_Result result;

	/*
	 * Try again to open recordings that could not be opened before, because descriptors may
	 * have become free.
	 */
	serve->recordings_error = 0;
	recordings_take(serve);
	if (serve->recordings_error)
		return unopened_refuse(serve, connection);
	if (!serve->recordings_count)
		return serve_refuse(connection, MHD_HTTP_NOT_FOUND,
				    "No recording is offered: start this smile serve with "
				    "--listen unix:PATH, or with -o FILE.\n");
	if (serve->stream_count >= SERVE_STREAMS_MAX)
		return serve_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				    "Too many readers of these recordings: end some of them.\n");
	stream = stream_new(serve, connection);
	response =
		stream ? serve_mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, CHUNK_BYTES,
								 stream_read, stream, stream_forget)
		       : NULL;
	if (!response) {
		if (stream)
			stream_free(stream);
		return MHD_NO;
	}
	stream->next = serve->streams;
	serve->streams = stream;
	serve->stream_count++;
	serve_headers(response, "application/octet-stream", NULL);
	result = serve_mhd.queue_response(connection, MHD_HTTP_OK, response);
	serve_mhd.destroy_response(response);
	return result;
}
