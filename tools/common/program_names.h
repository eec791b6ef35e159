/* SPDX-License-Identifier: MIT */
/*
 * Program names: the names that a recorded program gives its memory, for the recording.
 *
 * What lives here: the file into which the program writes the names. The environment variable
 * SMILE_NAMES has the file's path; docs/recording.md describes its format. May use: the public API.
 */
#ifndef TOOLS_COMMON_PROGRAM_NAMES_H
#define TOOLS_COMMON_PROGRAM_NAMES_H

struct Monitor;

/**
 * program_names_begin() - Make the file, and let @mon read it. Call it before the command and the
 * card start.
 *
 * Return: the file, to be passed to program_names_end(); -1: there is no file, and the recording
 * has only the card's addresses.
 */
int program_names_begin(struct Monitor *mon);

/**
 * program_names_end() - After the card was drained: add the last names, and close the file.
 *
 * Lines that cannot be parsed are reported, but are no failure.
 */
void program_names_end(int file, struct Monitor *mon);

#endif /* TOOLS_COMMON_PROGRAM_NAMES_H */
