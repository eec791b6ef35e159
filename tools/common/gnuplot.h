/* SPDX-License-Identifier: MIT */
/*
 * Gnuplot: draws a picture into a file.
 *
 * What lives here: gnuplot reads a script on its standard input, and has the file to write as its
 * standard output, so that no name has to be quoted.
 */
#ifndef TOOLS_COMMON_GNUPLOT_H
#define TOOLS_COMMON_GNUPLOT_H

#include <stdio.h>

/**
 * gnuplot_draw() - Draw a picture.
 * @path: file to write; an unfinished regular file is removed
 * @script: writes the script
 * @opaque: for @script
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int gnuplot_draw(const char *path, void (*script)(FILE *out, const void *opaque),
		 const void *opaque);

#endif /* TOOLS_COMMON_GNUPLOT_H */
