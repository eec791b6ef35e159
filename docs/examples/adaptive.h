/* SPDX-License-Identifier: MIT */
/*
 * A run-time system that moves pages to the nodes that use them: adaptive.c. All three calls are
 * collective, and end the program with a message if they fail.
 */
#ifndef DOCS_EXAMPLES_ADAPTIVE_H
#define DOCS_EXAMPLES_ADAPTIVE_H

struct Gas;
struct adaptive;

/* Start the run-time system on a shared space. */
struct adaptive *adaptive_open(struct Gas *gas);

/*
 * A phase of the program has ended: move pages. @remote receives the accesses of all nodes in this
 * phase to pages of other nodes. Return: the number of moved pages.
 */
int adaptive_phase(struct adaptive *adaptive, double *remote);

/* Stop the run-time system. Call this before the space is closed. */
void adaptive_close(struct adaptive *adaptive);

#endif /* DOCS_EXAMPLES_ADAPTIVE_H */
