/* SPDX-License-Identifier: MIT */
/*
 * Gnuplot: draw a picture into a file.
 *
 * What lives here: the process of gnuplot. It reads a script on its standard input and writes the
 * picture to its standard output, so the script contains no file name that would need quotes.
 */
#ifndef TOOLS_COMMON_GNUPLOT_H
#define TOOLS_COMMON_GNUPLOT_H

#include <stdio.h>

/**
 * gnuplot_draw() - Draw a picture.
 * @path: file to write; if drawing fails, the file stays as it was
 * @script: called to write the script
 * @opaque: passed to @script
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int gnuplot_draw(const char *path, void (*script)(FILE *out, const void *opaque),
		 const void *opaque);

#endif /* TOOLS_COMMON_GNUPLOT_H */
