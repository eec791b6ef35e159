/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that sleeps between two steps of its work. The sleep does not depend on the placement
 * of the data. A thread relaxes rows that the first thread has initialised.
 *
 * Prints the sum of all rows.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define ROWS 16
#define COLUMNS 1024 /* a row is a page */
#define ROUNDS 4

static float rows[ROWS][COLUMNS] __attribute__((aligned(4096)));

static void *work(void *argument)
{
	const struct timespec pause = {.tv_nsec = 100000000};

	(void)argument;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < ROWS; i++)
			for (int j = 1; j < COLUMNS - 1; j++)
				rows[i][j] = 0.5f * rows[i][j] +
					     0.25f * (rows[i][j - 1] + rows[i][j + 1]);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	double sum = 0;

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			rows[i][j] = (float)((i + j) % 7);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	for (int j = 0; j < COLUMNS; j++)
		sum += rows[0][j];
	printf("%.2f\n", sum);
	return 0;
}
