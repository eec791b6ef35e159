/* SPDX-License-Identifier: MIT */
/*
 * A run time that moves pages to the nodes that use them: adaptive.c. All three calls are
 * collective, and end the program with a message if they fail.
 */
#ifndef DOCS_EXAMPLES_ADAPTIVE_H
#define DOCS_EXAMPLES_ADAPTIVE_H

struct Gas;
struct adaptive;

/* Begin with a space that is shared. */
struct adaptive *adaptive_open(struct Gas *gas);

/*
 * A phase of the program has ended: move pages. Return: how many have moved. @remote: receives the
 * accesses of all nodes in this phase to pages of other nodes.
 */
int adaptive_phase(struct adaptive *adaptive, double *remote);

/* End it, before the space is closed. */
void adaptive_close(struct adaptive *adaptive);

#endif /* DOCS_EXAMPLES_ADAPTIVE_H */
