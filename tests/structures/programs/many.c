// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Many small blocks, which two source lines allocate alternately, and one large block. */
#include <pthread.h>
#include <stdlib.h>

#include "together.h"

struct node {
	struct node *next;
	long value;
};

static struct node *head;
static char **texts;
static double *large;

enum { NODES = 100000, LARGE = 20000 };

static struct node *make_node(void)
{
	return malloc(sizeof(struct node));
}

static char *make_text(int bytes)
{
	return malloc((size_t)bytes);
}

static void *work(void *argument)
{
	for (struct node *node = head; node; node = node->next)
		TOGETHER_ADD(node->value, 1);
	for (int i = 0; i < LARGE; i++)
		TOGETHER_ADD(large[i], 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	texts = calloc(NODES, sizeof(*texts));
	for (int i = 0; i < NODES; i++) {
		struct node *node = make_node();

		node->next = head;
		node->value = 0;
		head = node;
		texts[i] = make_text(10 + i % 50);
	}
	large = calloc(LARGE, sizeof(*large));
	for (int t = 0; t < 4; t++)
		pthread_create(&threads[t], NULL, work, NULL);
	for (int t = 0; t < 4; t++)
		pthread_join(threads[t], NULL);
	return 0;
}
