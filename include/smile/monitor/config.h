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
 * @config: receives them
 *
 * They are the card's reset values, and event 0 a phase mark. SMILE_MODE_HOLD is off: events
 * without room on the card are lost, and Monitor_loss() counts them. With SMILE_MODE_HOLD accesses
 * to other nodes wait for room, if the link can wait, as the emulated one can. Set it only if the
 * thread that reads the card makes no such accesses: it would wait for itself.
 *
 * Context: any thread.
 */
void Monitor_config_default(struct smile_config *config);

/**
 * Monitor_config_set() - Configure the card; it must be stopped.
 * @config: the configuration
 *
 * Counters still in the array are taken in under the old configuration first. @config's size is
 * sizeof(*@config), as Monitor_config_default() leaves it: no other is accepted.
 *
 * Return: 0.
 * Errors: -EINVAL for a value out of range, or for SMILE_MODE_NARROW with static tables in force
 * that name a node above 31 or a page above 65535, with a message that names it; -EBUSY while
 * running, or while a recording is saved for another node id, filter, SMILE_MODE_TYPED_TAGS,
 * _NO_DYNAMIC or _NARROW (its header has one configuration, the last, and these decide what its
 * records mean); -EOPNOTSUPP for a recording; -ENOSPC and the like if the recording being saved
 * cannot be written, although the card is configured; and as Monitor_swap().
 */
int Monitor_config_set(struct Monitor *mon, const struct smile_config *config);

/**
 * Monitor_info() - What the card is and how it is configured; for a recording, was.
 * @info: receives it
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
