/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A team on the nodes of a cluster: thread t of the team is the process on node t, and the shared
 * memory is a global address space. With --adapt, pages move to the nodes that use them; the
 * run-time system of docs/examples/adaptive.c moves them. May use workload.h, that run-time system
 * and <smile/gas.h>.
 *
 * The functions at the end of this file replace pthread_mutex_*(), because the linker redirects the
 * programs' calls. A mutex becomes one of the locks of the address space, which its address
 * selects. Two mutexes may become the same lock, so a program must not hold two mutexes at the same
 * time.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <smile/gas.h>

#include "workload.h"
#include "adaptive.h"

#define MUTEX_BYTES 256 /* the distance between two mutexes in an array of molecules */

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

static struct Gas *gas;
static struct adaptive *adaptive;
static unsigned int waits; /* The number of barriers since pages last moved. */
static unsigned int phases;

/* Check the result of a call of the library. If the call has failed, the program ends. */
static int must(int result)
{
	if (result >= 0)
		return result;
	fflush(stdout);
	fprintf(stderr, "%s\n", Gas_error_message());
	exit(EXIT_UNUSABLE);
}

void *shared_alloc(const struct options *options, size_t bytes, const char *name)
{
	void *memory;

	if (options->threads != Gas_nodes(gas))
		unusable(options, "--threads %u: on a cluster it is the number of nodes, %u",
			 options->threads, Gas_nodes(gas));
	if (Gas_alloc(gas, bytes, GAS_ROUND_ROBIN, &memory) < 0)
		unusable(options, "no memory for %s, %zu bytes: %s", name, bytes,
			 Gas_error_message());
	must(Gas_name(gas, memory, name, 0));
	return memory;
}

void shared_place(const struct options *options, const void *start, size_t bytes,
		  unsigned int thread)
{
	if (options->placed && bytes)
		must(Gas_place(gas, start, bytes, thread));
}

unsigned int team_threads(const struct options *options)
{
	if (!gas && Gas_open(&gas) < 0)
		unusable(options, "%s", Gas_error_message());
	return Gas_nodes(gas);
}

bool team_adapts(void)
{
	return true;
}

bool team_first(void)
{
	return Gas_node(gas) == 0;
}

int team_run(const struct team *team)
{
	int status = EXIT_CORRECT;

	must(Gas_share(gas, -1));
	if (team_first())
		team->init(team);
	must(Gas_barrier(gas));
	if (team->options->adapt)
		adaptive = adaptive_open(gas);
	team->body(team, Gas_node(gas));
	if (adaptive)
		adaptive_close(adaptive);
	must(Gas_barrier(gas));
	if (team_first())
		status = report_check(team);
	must(Gas_close(gas));
	return status;
}

void team_wait(const struct team *team)
{
	double remote;
	int moved;

	must(Gas_barrier(gas));
	if (!adaptive || ++waits < team->options->adapt)
		return;
	waits = 0;
	moved = adaptive_phase(adaptive, &remote);
	if (team_first())
		printf("%s: phase %u: %.0f remote accesses, %d pages moved\n",
		       team->options->program->name, ++phases, remote, moved);
}

/*
 * This function marks no phases. A card's recording contains phases only if the program marks
 * phases on its own card.
 */
void team_step(const struct team *team, unsigned int thread, const char *format, ...)
{
	if (team->options->fine)
		team_wait(team);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	return 0;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return must(Gas_lock(gas, (unsigned int)((uintptr_t)mutex / MUTEX_BYTES % GAS_LOCKS)));
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return must(Gas_unlock(gas, (unsigned int)((uintptr_t)mutex / MUTEX_BYTES % GAS_LOCKS)));
}
