/* SPDX-License-Identifier: MIT */
/*
 * Config check: sets default values of a configuration, and checks its values.
 *
 * What lives here: the checks that all sources share. With them, the same mistake gives the same
 * message for a card without its driver, an emulated card and a card with a driver.
 */
#include <string.h>

#include <hw/smile_regs.h>

#include "lib/source/config_check.h"
#include "lib/base/error.h"

void Monitor_config_default(struct smile_config *config)
{
	memset(config, 0, sizeof(*config));
	config->size = sizeof(*config);
	config->filter = SMILE_FILTER_DEFAULT;
	config->mode = SMILE_MODE_DEFAULT;
	config->max_range_bytes = SMILE_MAX_RANGE_DEFAULT;
	config->entries = SMILE_ENTRIES_DEFAULT;
	config->phase_events = 1;
}

/* Check the combination of mode bits. */
static int mode_check(const struct smile_config *config)
{
	if (config->mode & ~SMILE_MODE_ALL)
		return smile_error(EINVAL, "mode 0x%x has unknown bits: use SMILE_MODE_*",
				   config->mode);
	if (!(config->mode & SMILE_MODE_TYPED_TAGS) &&
	    (config->filter & SMILE_FILTER_PACKETS) == SMILE_FILTER_PACKETS)
		return smile_error(
			EINVAL, "untyped tags do not distinguish responses from requests: choose "
				"typed tags, or one of requests and responses");
	if (config->mode & SMILE_MODE_NO_DYNAMIC && !(config->mode & SMILE_MODE_STATIC))
		return smile_error(EINVAL,
				   "mode 0x%x counts nothing: set SMILE_MODE_STATIC, too, or "
				   "leave out SMILE_MODE_NO_DYNAMIC",
				   config->mode);
	if (config->mode & SMILE_MODE_NARROW && config->node & ~SMILE_NARROW_NODE)
		return smile_error(EINVAL,
				   "node %u is out of range of narrow node ids: use 0 to %u, or "
				   "wide ones",
				   config->node, SMILE_NARROW_NODE);
	return 0;
}

static int ring_check(const struct smile_config *config)
{
	if (config->watermark_records > SMILE_DMA_RECORDS_MAX)
		return smile_error(EINVAL,
				   "a watermark of %u records is impossible: use 1 to %u, or 0 for "
				   "the driver's choice",
				   config->watermark_records, SMILE_DMA_RECORDS_MAX);
	return 0;
}

static int timer_check(const struct smile_config *config)
{
	if (config->timer_event & ~SMILE_TIMER_EVENT_ID)
		return smile_error(EINVAL,
				   "timer event %u is out of range: the timer raises one of the "
				   "global events 0 to %u",
				   config->timer_event, SMILE_TIMER_EVENT_ID);
	return 0;
}

static int reserved_check(const struct smile_config *config)
{
	uint32_t set = config->reserved;

	for (size_t i = 0; i < sizeof(config->reserved2) / sizeof(config->reserved2[0]); i++)
		set |= config->reserved2[i];
	if (set)
		return smile_error(EINVAL, "the configuration's reserved members are not zero: "
					   "begin with Monitor_config_default()");
	return 0;
}

int smile_config_check(const struct smile_config *config, uint32_t entries_max)
{
	int error;

	if (config->size != sizeof(*config))
		return smile_error(EINVAL,
				   "configuration has size %u, not %zu: begin with "
				   "Monitor_config_default()",
				   config->size, sizeof(*config));
	if (config->node & ~SMILE_NODE_ID)
		return smile_error(EINVAL, "node %u is out of range: use 0 to 65535", config->node);
	if (config->filter & ~SMILE_FILTER_ALL)
		return smile_error(EINVAL, "filter 0x%x has unknown bits: use SMILE_FILTER_*",
				   config->filter);
	if (!(config->filter & SMILE_FILTER_TYPES) || !(config->filter & SMILE_FILTER_PACKETS) ||
	    !(config->filter & SMILE_FILTER_DIRECTIONS))
		return smile_error(EINVAL,
				   "filter 0x%x lets nothing pass: choose at least one type, "
				   "one of requests and responses, and one direction",
				   config->filter);
	error = mode_check(config);
	if (error < 0)
		return error;
	if (config->max_range_bytes < SMILE_MAX_RANGE_MIN ||
	    config->max_range_bytes > SMILE_MAX_RANGE_MAX ||
	    config->max_range_bytes % SMILE_WORD_BYTES)
		return smile_error(EINVAL,
				   "a range of %u bytes is impossible: use a multiple of %u "
				   "from %u to %u",
				   config->max_range_bytes, SMILE_WORD_BYTES, SMILE_MAX_RANGE_MIN,
				   SMILE_MAX_RANGE_MAX);
	if (config->entries < SMILE_ENTRIES_MIN || config->entries > entries_max)
		return smile_error(EINVAL, "%u counters are impossible: this card has %u to %u",
				   config->entries, SMILE_ENTRIES_MIN, entries_max);
	if (config->phase_events & ~SMILE_PHASE_EVENTS_MASK)
		return smile_error(EINVAL,
				   "phase events 0x%x: only events 0 to %u can be phase marks",
				   config->phase_events, SMILE_EVENTS - 1);
	error = ring_check(config);
	if (!error)
		error = timer_check(config);
	return error < 0 ? error : reserved_check(config);
}

int smile_config_support(const struct smile_config *config, const struct smile_info *info)
{
	if (config->mode & SMILE_MODE_STATIC && !info->static_counters)
		return smile_error(EOPNOTSUPP,
				   "this card has no static array: count with the dynamic one");
	if (config->mode & SMILE_MODE_HOST_RING && !(info->features & SMILE_FEATURE_HOST_RING))
		return smile_error(EOPNOTSUPP,
				   "this card, or its driver, cannot have the ring in host memory: "
				   "use the one on the card");
	if ((config->timer_us || config->time_us) && !(info->features & SMILE_FEATURE_TIMER))
		return smile_error(EOPNOTSUPP,
				   "this card, or its driver, has no timer: leave timer events and "
				   "TIME records out");
	return 0;
}

int smile_config_periods(const struct smile_config *config)
{
	const struct {
		const char *name;
		uint32_t us;
	} times[] = {
		{"timer_us", config->timer_us},
		{"time_us", config->time_us},
		{"latency_us", config->latency_us},
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (times[i].us && times[i].us < SMILE_PERIOD_US_MIN)
			return smile_error(
				EINVAL, "%s %u is too short for the driver: use 0 or at least %u",
				times[i].name, times[i].us, SMILE_PERIOD_US_MIN);
	}
	return 0;
}
