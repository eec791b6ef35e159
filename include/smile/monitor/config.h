/* SPDX-License-Identifier: MIT */
/*
 * Configuration of the card. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_CONFIG_H
#define SMILE_MONITOR_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_config_default() - Fill in the library's defaults.
 * @config: receives the defaults
 *
 * The defaults are the card's reset values, except that event 0 is a phase mark. SMILE_MODE_HOLD is
 * off: events that find no room on the card are lost, and Monitor_loss() counts them. With
 * SMILE_MODE_HOLD accesses to other nodes wait until the card has room, if the link can wait; the
 * emulated link can. Set SMILE_MODE_HOLD only if the thread that reads the card does not access
 * other nodes: it would wait for itself.
 *
 * Context: any thread.
 */
void Monitor_config_default(struct smile_config *config);

/**
 * Monitor_config_set() - Configure the card; it must be stopped.
 * @config: the configuration
 *
 * The call first takes in the counters that are still in the array, under the old configuration.
 * The member size must be sizeof(*@config), as Monitor_config_default() sets it.
 *
 * Return: 0.
 * Errors: -EINVAL for a value out of range, or for SMILE_MODE_NARROW if the static tables in force
 * name a node above 31 or a page above 65535; the message names the value. -EBUSY while the card
 * runs, or while a recording is saved and the node id, filter, SMILE_MODE_TYPED_TAGS, _NO_DYNAMIC
 * or _NARROW differs: a recording's header holds only the last configuration, and these values
 * decide what its records mean. -EOPNOTSUPP for a recording; -ENOSPC or another error of write(2)
 * if the recording being saved cannot be written, but the card is then configured; and the errors
 * of Monitor_swap().
 */
int Monitor_config_set(struct Monitor *mon, const struct smile_config *config);

/**
 * Monitor_info() - The card and its configuration; for a recording, those of the recorded card.
 * @info: receives the information
 *
 * Return: 0.
 * Errors: -ENODEV if the card is gone.
 */
int Monitor_info(struct Monitor *mon, struct smile_info *info);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_CONFIG_H */
