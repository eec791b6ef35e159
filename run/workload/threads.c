/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A team whose members are the threads of one process. May use workload.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "workload.h"
#include "smile/trace.h"

#define PHASE_NAME_BYTES 40

/* ---- memory -------------------------------------------------------------------------------- */

void *shared_alloc(const struct options *options, size_t bytes, const char *name)
{
	void *memory = smile_alloc(bytes, name);

	if (!memory)
		unusable(options, "no memory for %s, %zu bytes: %s; try a smaller --size", name,
			 bytes, strerror(errno));
	return memory;
}

void shared_place(const struct options *options, const void *start, size_t bytes,
		  unsigned int thread)
{
	if (!options->placed || bytes == 0)
		return;
	if (smile_place(start, bytes, thread) < 0)
		unusable(options, "cannot place the data of thread %u: %s", thread,
			 strerror(errno));
}

/* ---- threads ------------------------------------------------------------------------------- */

unsigned int team_threads(const struct options *options)
{
	return THREADS_STANDARD;
}

bool team_adapts(void)
{
	return false;
}

bool team_first(void)
{
	return true;
}

/* The arguments of the new threads, on the stack of the first thread. */
struct member {
	const struct team *team;
	unsigned int thread;
	pthread_t handle;
};

static void *member_run(void *opaque)
{
	const struct member *member = opaque;

	member->team->body(member->team, member->thread);
	return NULL;
}

int team_run(const struct team *team)
{
	struct member members[THREADS_MAX];
	unsigned int threads = team->options->threads;
	int err;

	team->init(team);
	err = pthread_barrier_init(team->barrier, NULL, threads);
	if (err != 0)
		unusable(team->options, "no barrier: %s", strerror(err));
	smile_phase(team->options->program->name);
	for (unsigned int t = 1; t < threads; t++) {
		members[t].team = team;
		members[t].thread = t;
		err = pthread_create(&members[t].handle, NULL, member_run, &members[t]);
		if (err != 0)
			unusable(team->options, "no thread %u: %s; try fewer --threads", t,
				 strerror(err));
	}
	team->body(team, 0);
	for (unsigned int t = 1; t < threads; t++)
		pthread_join(members[t].handle, NULL);
	smile_phase("check");
	return report_check(team);
}

void team_wait(const struct team *team)
{
	pthread_barrier_wait(team->barrier);
}

void team_step(const struct team *team, unsigned int thread, const char *format, ...)
{
	char name[PHASE_NAME_BYTES];
	va_list arguments;

	if (!team->options->fine)
		return;
	team_wait(team);
	if (thread == 0) {
		va_start(arguments, format);
		vsnprintf(name, sizeof(name), format, arguments);
		va_end(arguments);
		smile_phase(name);
	}
	team_wait(team);
}
