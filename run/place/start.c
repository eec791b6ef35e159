/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Starts and ends the library. At the start of the program, it finds the plan. At the end, it
 * determines the nodes of the plan's pages. This file may use place.h.
 *
 * The library removes the variables of the plan, and its own entry in LD_PRELOAD, from the
 * environment, so that a program that this program executes is not affected.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <base/preload_list.h>

#include "run/place/place.h"

bool place_on;
struct plan_header *place_plan;

static pid_t place_pid;

void *place_memory(size_t bytes)
{
	long address = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);

	return address == -1 ? NULL : (void *)address;
}

static struct plan_header *plan_map(int fd)
{
	struct plan_header *plan;
	struct stat status;
	long address;

	if (fstat(fd, &status) < 0 || (size_t)status.st_size < sizeof(*plan))
		return NULL;
	address =
		syscall(SYS_mmap, NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
	if (address == -1)
		return NULL;
	plan = (struct plan_header *)address;
	if (plan->magic == PLAN_MAGIC && plan->bytes == (uint64_t)status.st_size)
		return plan;
	syscall(SYS_munmap, plan, status.st_size);
	return NULL;
}

/* This library does nothing when a search for a function begins or ends. */
void next_search_begins(void)
{
}

void next_search_ended(void)
{
}

/*
 * Reset the library in a child process, which has a copy of this process's memory and policies. The
 * library places no further memory in the child. The child may have its own log.
 */
static void forked(void)
{
	place_on = false;
	bind_stop();
	if (log_forked())
		log_bind();
}

static void plan_find(void)
{
	const char *number = secure_getenv(PLAN_VARIABLE);
	int fd;

	if (!number)
		return;
	fd = atoi(number);
	place_plan = plan_map(fd);
	/* If there is a log, the library must stay in LD_PRELOAD (see <sample/log.h>). */
	if (log_on)
		unsetenv(PLAN_VARIABLE);
	else
		preload_list_leave(&place_on, PLAN_VARIABLE);
	if (place_plan)
		close(fd);
}

static void plan_follow(void)
{
	place_pid = getpid();
	place_on = true;
	if (regions_start())
		place_plan->state = PLAN_FOLLOWED;
	else
		place_on = false;
}

__attribute__((constructor)) static void start(void)
{
	bool logs;

	log_start();
	logs = log_on;
	plan_find();
	if ((!logs && !place_plan) || pthread_atfork(NULL, NULL, forked)) {
		log_on = false;
		return;
	}
	/*
	 * If `smile sample` runs the program, the log decides whether threads are bound, even if
	 * there is a plan.
	 */
	if (logs)
		log_bind();
	else
		bind_start(&(struct bind_request){
			.node = place_plan->node,
			.nodes = place_plan->nodes,
			.threads = &place_plan->threads,
			.unbound = &place_plan->unbound,
		});
	if (place_plan)
		plan_follow();
}

__attribute__((destructor)) static void finish(void)
{
	int saved = errno;

	/*
	 * A child of vfork(2) shares the memory of this process, and must not end the regions of
	 * this process.
	 */
	if (place_on && getpid() == place_pid)
		regions_end();
	errno = saved;
}

EXPORT _Noreturn void _exit(int status);
EXPORT _Noreturn void _Exit(int status);

_Noreturn void _exit(int status)
{
	finish();
	for (;;)
		syscall(SYS_exit_group, status);
}

_Noreturn void _Exit(int status)
{
	_exit(status);
}
