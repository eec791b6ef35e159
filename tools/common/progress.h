/* SPDX-License-Identifier: MIT */
/*
 * Progress: one line on standard error that shows the progress of a long run, on a terminal only.
 */
#ifndef TOOLS_COMMON_PROGRESS_H
#define TOOLS_COMMON_PROGRESS_H

/**
 * progress_show() - Replace the line, at most ten times a second; other calls do nothing.
 */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * progress_due() - Would progress_show() show anything now? Saves the work of counting.
 */
int progress_due(void);

/**
 * progress_clear() - Remove the line, before a message or at the end.
 */
void progress_clear(void);

#endif /* TOOLS_COMMON_PROGRESS_H */
