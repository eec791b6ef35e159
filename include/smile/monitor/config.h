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
 * off, so that the card drops events for which it has no room; Monitor_loss() reports their number.
 * If SMILE_MODE_HOLD is set, and the link can delay accesses, as the emulated link can, accesses to
 * other nodes wait until the card has room. Set SMILE_MODE_HOLD only if the thread that reads the
 * card does not access other nodes. Otherwise this thread can wait in an access until the card has
 * room, although only the same thread could make room.
 *
 * Context: any thread.
 */
void Monitor_config_default(struct smile_config *config);

/**
 * Monitor_config_set() - Configure the card, which must be stopped.
 * @config: the configuration
 *
 * Before the call changes the configuration, it reads the counters that are still in the array, so
 * that they count under the old configuration. The member size must be sizeof(*@config), as
 * Monitor_config_default() sets it.
 *
 * Return: 0.
 * Errors: -EINVAL for a value out of range, or for SMILE_MODE_NARROW if the present static tables
 * contain a node above 31 or a page above 65535; the message names the value; -EBUSY while the card
 * runs, or if the call would change the node id, the filter, SMILE_MODE_TYPED_TAGS, _NO_DYNAMIC or
 * _NARROW while a recording is being saved: the meaning of the records depends on these values, and
 * the header of a recording holds only the last configuration; -EOPNOTSUPP for a recording; -ENOSPC
 * or another error of write(2) if the recording being saved cannot be written, although the card is
 * configured; as Monitor_swap().
 */
int Monitor_config_set(struct Monitor *mon, const struct smile_config *config);

/**
 * Monitor_info() - Get the properties and the configuration of the card, or of the recorded card.
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
