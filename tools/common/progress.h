/* SPDX-License-Identifier: MIT */
/*
 * Progress: a line on standard error that shows the progress of a long run. It is shown only on a
 * terminal.
 */
#ifndef TOOLS_COMMON_PROGRESS_H
#define TOOLS_COMMON_PROGRESS_H

/**
 * progress_show() - Replace the line. The line is replaced at most ten times a second; other calls
 * do nothing.
 */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * progress_due() - Check whether progress_show() would replace the line now. If it would not, the
 * caller need not compute the text.
 */
int progress_due(void);

/**
 * progress_clear() - Remove the line. Call this function before a message and at the end.
 */
void progress_clear(void);

#endif /* TOOLS_COMMON_PROGRESS_H */
