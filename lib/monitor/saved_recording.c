/* SPDX-License-Identifier: MIT */
/*
 * Monitor: save the records and the data about a program to a recording.
 *
 * What lives here: the creation, the beginning and the end of the recording.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/counts/exact_counts.h"
#include "lib/map/map.h"
#include "lib/monitor/monitor.h"
#include "lib/recording/recording.h"

int smile_save_begin(struct Monitor *mon)
{
	if (!mon->writer || mon->writer_failed)
		return 0;
	mon->writer_failed = smile_recording_begin(mon->writer);
	return mon->writer_failed;
}

static int is_same_file(int fd, const char *path)
{
	struct stat left, right;

	return fd >= 0 && !fstat(fd, &left) && !stat(path, &right) && S_ISREG(left.st_mode) &&
	       left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

static int save(struct Monitor *mon, const char *path, const char *command_line, int counts)
{
	struct smile_source *source = mon->streams[0].source;
	/*
	 * If a card counts a program, the program reports the names of its memory while it runs.
	 * Reserve space for them.
	 */
	size_t known = source->ops->time ? RECORDING_KNOWN_BYTES : 0;
	struct smile_static tables;
	struct smile_info info;
	int error;

	if (mon->cards || mon->streams_count > 1)
		return smile_error(EOPNOTSUPP, "merged cards and recordings cannot be saved as "
					       "one: they differ");
	if (mon->writer)
		return smile_error(EBUSY, "%s cannot be saved: a recording is being saved already",
				   path);
	if (mon->records)
		return smile_error(EBUSY,
				   "%s cannot be saved: records were read already, so that its "
				   "loss account would not balance",
				   path);
	if (source->ops->fd && is_same_file(source->ops->fd(source), path))
		return smile_error(EINVAL,
				   "%s is the file being read: name another file to save to", path);
	error = Monitor_info(mon, &info);
	if (error < 0)
		return error;
	error = Monitor_static_info(mon, &tables);
	if (error < 0 && error != -EOPNOTSUPP)
		return error;
	error = (counts ? smile_recording_create_counts : smile_recording_create)(
		&mon->writer, path, command_line, &info, error < 0 ? NULL : &tables, known,
		mon->map.parameters);
	if (error < 0)
		return error;
	if (counts)
		mon->exact->block_words = info.config.max_range_bytes / SMILE_WORD_BYTES;
	/* A source that runs already, or that cannot be started, has records from now on. */
	if (!(info.status & SMILE_INFO_RUNNING) && source->ops->start)
		return 0;
	error = smile_save_begin(mon);
	if (error < 0) {
		smile_recording_finish(mon->writer, NULL);
		mon->writer = NULL;
		mon->writer_failed = 0;
	}
	return error;
}

int Monitor_save(struct Monitor *mon, const char *path, const char *command_line)
{
	return save(mon, path, command_line, 0);
}

int Monitor_save_counts(struct Monitor *mon, const char *path, const char *command_line)
{
	struct smile_info info;
	int error = Monitor_info(mon, &info);

	if (error < 0)
		return error;
	if (info.config.max_range_bytes > SMILE_WORD_BYTES &&
	    !(info.config.mode & SMILE_MODE_ALIGNED))
		return smile_error(EINVAL, "exact counts need aligned ranges: first configure "
					   "SMILE_MODE_ALIGNED, or a range of one word");
	if (mon->exact)
		return smile_error(EBUSY, "%s cannot be saved: a recording is being saved already",
				   path);
	mon->exact = calloc(1, sizeof(*mon->exact));
	if (!mon->exact)
		return smile_error(ENOMEM, "no memory to save %s", path);
	error = save(mon, path, command_line, 1);
	if (error < 0) {
		free(mon->exact);
		mon->exact = NULL;
	}
	return error;
}

int smile_save_end(struct Monitor *mon)
{
	struct smile_statistics statistics;
	const int before = mon->writer_failed;
	int known, error;

	if (!mon->writer)
		return 0;
	/* If there is nothing to save, keep the older recording. */
	if (!smile_recording_begun(mon->writer) && smile_map_is_empty(&mon->map)) {
		smile_recording_abandon(mon->writer);
		return 0;
	}
	known = Monitor_statistics(mon, &statistics);
	smile_clocks_read(mon);
	if (!mon->writer_failed)
		mon->writer_failed = smile_exact_save(mon);
	if (!mon->writer_failed)
		mon->writer_failed = smile_map_settle(&mon->map);
	if (known >= 0 && !mon->writer_failed)
		mon->writer_failed = smile_recording_map(mon->writer, &mon->map);
	/* Other calls can have set another message since the recording failed. */
	if (before)
		smile_recording_failed(mon->writer, before);
	error = smile_recording_finish(mon->writer,
				       known < 0 || mon->writer_failed ? NULL : &statistics);
	if (mon->writer_failed)
		return mon->writer_failed;
	return error < 0 ? error : known;
}
