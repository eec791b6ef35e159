/* SPDX-License-Identifier: MIT */
/*
 * Gnuplot: a picture into a file.
 *
 * What lives here: gnuplot is given a script on its standard input, and the file to write as its
 * standard output, so that no name has to be quoted.
 */
#ifndef TOOLS_COMMON_GNUPLOT_H
#define TOOLS_COMMON_GNUPLOT_H

#include <stdio.h>

/**
 * gnuplot_draw() - Draw.
 * @path: file to write; a regular file that is not finished is removed
 * @script: writes the script
 * @opaque: for @script
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int gnuplot_draw(const char *path, void (*script)(FILE *out, const void *opaque),
		 const void *opaque);

#endif /* TOOLS_COMMON_GNUPLOT_H */
