/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A plug-in that takes a lock. The test loads it in several ways; see programs/executes.c. */
#include <pthread.h>

int plugin_locks(int times);

int plugin_locks(int times)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int taken;

	while (times--) {
		pthread_mutex_lock(&lock);
		taken++;
		pthread_mutex_unlock(&lock);
	}
	return taken;
}
