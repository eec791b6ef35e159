// SPDX-License-Identifier: GPL-2.0-only
/*
 * The deep trace instrument's registers.
 *
 * What lives here: all accesses to registers, except those of the interrupt handler. May use:
 * instrument.h.
 */
#include <linux/bitfield.h>
#include <linux/io.h>

#include "instrument.h"

#define REGS_TRANSFER_MS 1000

u32 smile_instrument_read(struct smile_instrument *trace, u32 reg)
{
	return readl(trace->regs + reg);
}

void smile_instrument_write(struct smile_instrument *trace, u32 reg, u32 value)
{
	writel(value, trace->regs + reg);
}

static u64 regs_read_64(struct smile_instrument *trace, u32 reg)
{
	u64 low = smile_instrument_read(trace, reg);

	return low | (u64)smile_instrument_read(trace, reg + 4) << 32;
}

static void regs_write_64(struct smile_instrument *trace, u32 reg, u64 value)
{
	smile_instrument_write(trace, reg, lower_32_bits(value));
	smile_instrument_write(trace, reg + 4, upper_32_bits(value));
}

int smile_instrument_identify(struct smile_instrument *trace)
{
	u32 id = smile_instrument_read(trace, SMILE_TRACE_REG_ID);

	if (id != SMILE_TRACE_ID_VALUE) {
		dev_err(&trace->pdev->dev, "ID is %#x: no deep trace instrument\n", id);
		return -ENODEV;
	}
	trace->version = smile_instrument_read(trace, SMILE_TRACE_REG_VERSION);
	if (trace->version >> 16 != SMILE_TRACE_VERSION_VALUE >> 16) {
		dev_err(&trace->pdev->dev, "version %#x: a newer driver is needed\n",
			trace->version);
		return -ENODEV;
	}
	trace->memory_bytes = smile_instrument_read(trace, SMILE_TRACE_REG_MEMORY_MAX);
	if (!trace->memory_bytes || trace->memory_bytes % SMILE_TRACE_MEMORY_ALIGN ||
	    trace->memory_bytes > pci_resource_len(trace->pdev, SMILE_TRACE_BAR_MEMORY)) {
		dev_err(&trace->pdev->dev, "MEMORY_MAX is %u, BAR %d has %llu bytes\n",
			trace->memory_bytes, SMILE_TRACE_BAR_MEMORY,
			(u64)pci_resource_len(trace->pdev, SMILE_TRACE_BAR_MEMORY));
		return -ENODEV;
	}
	return 0;
}

/* Read STATUS. Return: 0; -EIO if the instrument does not answer. It is then frozen. */
int smile_instrument_state(struct smile_instrument *trace, u32 *status)
{
	*status = smile_instrument_read(trace, SMILE_TRACE_REG_STATUS);
	if (*status != ~0U)
		return 0;
	smile_instrument_suspect(trace);
	return -EIO;
}

bool smile_instrument_running(u32 status)
{
	u32 state = FIELD_GET(SMILE_TRACE_STATUS_STATE, status);

	return state == SMILE_TRACE_ARMED || state == SMILE_TRACE_TRIGGERED;
}

/*
 * Enable the instrument's interrupts. Write 0 first: an MSI is sent only when an enabled cause
 * changes from 0 to 1. A cause that became 1 while no handler ran would otherwise never send an
 * MSI.
 */
void smile_instrument_listen(struct smile_instrument *trace)
{
	smile_instrument_write(trace, SMILE_TRACE_REG_INT_ENABLE, 0);
	smile_instrument_write(trace, SMILE_TRACE_REG_INT_ENABLE, SMILE_TRACE_INT_ALL);
}

/* Reset the instrument. It then has no trace and no configuration. */
void smile_instrument_reset(struct smile_instrument *trace)
{
	smile_instrument_write(trace, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_RESET);
	smile_instrument_listen(trace);
	trace->configured = false;
	trace->armed = false;
	trace->wrap = true;
	trace->memory_used = trace->memory_bytes;
}

/*
 * Stop the instrument. When the function returns, its interrupts and a running transfer have ended.
 */
void smile_instrument_stop(struct smile_instrument *trace)
{
	smile_instrument_write(trace, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_RESET);
	/* Reading back flushes the posted write. */
	smile_instrument_read(trace, SMILE_TRACE_REG_STATUS);
}

static void regs_write_patterns(struct smile_instrument *trace, u32 set,
				const struct smile_trace_pattern *patterns)
{
	u32 reg = SMILE_TRACE_REG_PATTERN + set * SMILE_TRACE_STRIDE_SET, i;

	for (i = 0; i < SMILE_TRACE_PATTERNS; i++, reg += SMILE_TRACE_STRIDE_PATTERN) {
		regs_write_64(trace, reg, patterns[i].bd1_mask);
		regs_write_64(trace, reg + 8, patterns[i].bd1_value);
		regs_write_64(trace, reg + 16, patterns[i].bd2_mask);
		regs_write_64(trace, reg + 24, patterns[i].bd2_value);
	}
}

/*
 * Write a configuration to an instrument that was just reset. The instrument checks it. Return: 0;
 * -EINVAL; -EIO.
 */
static int regs_configure(struct smile_instrument *trace, const struct smile_trace_config *config)
{
	u32 status, i;
	int ret = 0;

	smile_instrument_write(trace, SMILE_TRACE_REG_MODE, config->mode);
	smile_instrument_write(trace, SMILE_TRACE_REG_MEMORY, config->memory_bytes);
	smile_instrument_write(trace, SMILE_TRACE_REG_POSITION, config->position_percent);
	smile_instrument_write(trace, SMILE_TRACE_REG_LEVELS, config->levels);
	smile_instrument_write(trace, SMILE_TRACE_REG_FILTER_SET, config->filter_set);
	smile_instrument_write(trace, SMILE_TRACE_REG_WATERMARK, config->watermark_bytes);
	for (i = 0; i < SMILE_TRACE_LEVELS; i++) {
		const struct smile_trace_level *level = &config->level[i];
		u32 at = i * SMILE_TRACE_STRIDE_LEVEL;

		if (level->reserved)
			ret = -EINVAL;
		smile_instrument_write(trace, SMILE_TRACE_REG_LEVEL_SET + at, level->set);
		smile_instrument_write(trace, SMILE_TRACE_REG_LEVEL_COUNT + at, level->count);
		regs_write_64(trace, SMILE_TRACE_REG_LEVEL_TIMEOUT_LOW + at, level->timeout_ns);
		smile_instrument_write(trace, SMILE_TRACE_REG_LEVEL_ACTION + at, level->action);
		regs_write_patterns(trace, i, level->pattern);
	}
	regs_write_patterns(trace, SMILE_TRACE_LEVELS, config->filter);
	if (!ret)
		ret = smile_instrument_state(trace, &status);
	if (!ret && status & SMILE_TRACE_STATUS_BAD_WRITE)
		ret = -EINVAL;
	return ret;
}

/*
 * Set a configuration. Return: 0; -EBUSY if the instrument is armed; -EINVAL if the configuration
 * is invalid, and the instrument is then reset; -EIO.
 */
int smile_instrument_configure(struct smile_instrument *trace,
			       const struct smile_trace_config *config)
{
	u32 status;
	int ret;

	ret = smile_instrument_state(trace, &status);
	if (ret)
		return ret;
	if (smile_instrument_running(status))
		return -EBUSY;
	smile_instrument_reset(trace);
	ret = regs_configure(trace, config);
	if (ret) {
		smile_instrument_reset(trace);
		return ret;
	}
	trace->config = *config;
	trace->configured = true;
	trace->wrap = config->mode & SMILE_TRACE_MODE_WRAP;
	trace->memory_used = config->memory_bytes;
	return 0;
}

/*
 * Restore the configuration of an instrument that has lost its state, without arming it. Return: 0
 * or an error.
 */
int smile_instrument_restore(struct smile_instrument *trace)
{
	u32 status;

	smile_instrument_stop(trace);
	smile_instrument_listen(trace);
	if (trace->configured)
		return regs_configure(trace, &trace->config);
	return smile_instrument_state(trace, &status);
}

/*
 * Execute a command of the owner. Return: 0; -EBUSY if the instrument rejects the command; -EIO if
 * the trace is lost.
 */
int smile_instrument_command(struct smile_instrument *trace, u32 command)
{
	bool arm = command == SMILE_TRACE_COMMAND_ARM;
	u32 status;
	int ret;

	if (trace->lost && !arm)
		return -EIO;
	smile_instrument_write(trace, SMILE_TRACE_REG_COMMAND, command);
	ret = smile_instrument_state(trace, &status);
	if (ret)
		return ret;
	if (status & SMILE_TRACE_STATUS_BAD_WRITE) {
		smile_instrument_write(trace, SMILE_TRACE_REG_STATUS, SMILE_TRACE_STATUS_BAD_WRITE);
		return -EBUSY;
	}
	if (arm) {
		trace->armed = true;
		trace->lost = false;
	}
	return 0;
}

int smile_instrument_status(struct smile_instrument *trace, struct smile_trace_status *to)
{
	u32 status;
	int ret;

	if (trace->lost)
		return -EIO;
	ret = smile_instrument_state(trace, &status);
	if (ret)
		return ret;
	to->state = FIELD_GET(SMILE_TRACE_STATUS_STATE, status);
	to->level = FIELD_GET(SMILE_TRACE_STATUS_LEVEL, status);
	to->trigger_by = FIELD_GET(SMILE_TRACE_STATUS_TRIGGER_BY, status);
	to->trigger_level = FIELD_GET(SMILE_TRACE_STATUS_TRIGGER_LEVEL, status);
	to->trigger_time_ns = regs_read_64(trace, SMILE_TRACE_REG_TRIGGER_TIME);
	to->trigger_frame = regs_read_64(trace, SMILE_TRACE_REG_TRIGGER_FRAME);
	to->seen = regs_read_64(trace, SMILE_TRACE_REG_COUNT_SEEN);
	to->stored = regs_read_64(trace, SMILE_TRACE_REG_COUNT_STORED);
	to->filtered = regs_read_64(trace, SMILE_TRACE_REG_COUNT_FILTERED);
	to->outside = regs_read_64(trace, SMILE_TRACE_REG_COUNT_OUTSIDE);
	to->overwritten = regs_read_64(trace, SMILE_TRACE_REG_COUNT_OVERWRITTEN);
	to->missed = regs_read_64(trace, SMILE_TRACE_REG_COUNT_MISSED);
	to->cut = regs_read_64(trace, SMILE_TRACE_REG_COUNT_CUT);
	to->bytes = regs_read_64(trace, SMILE_TRACE_REG_HEAD) -
		    regs_read_64(trace, SMILE_TRACE_REG_TAIL);
	return smile_instrument_state(trace, &status);
}

/*
 * Handle a transfer whose interrupt has not arrived. Return: 0 if the transfer has ended
 * nevertheless; -EIO if it has not. In this case, the transfer is aborted, so that it does not
 * write into the data of a later transfer. Only RESET can abort a transfer, so the trace is lost.
 */
static int regs_overdue(struct smile_instrument *trace)
{
	u32 status = smile_instrument_read(trace, SMILE_TRACE_REG_INT_STATUS);
	int ret = 0;

	if (status & SMILE_TRACE_INT_TRANSFER || completion_done(&trace->transferred)) {
		/*
		 * Clear the cause. Otherwise the instrument would never raise this interrupt again.
		 */
		smile_instrument_write(trace, SMILE_TRACE_REG_INT_STATUS, SMILE_TRACE_INT_TRANSFER);
		smile_instrument_listen(trace);
	} else {
		dev_err(&trace->pdev->dev,
			"a transfer does not end: its trace is lost; arm again\n");
		smile_instrument_lose(trace);
		ret = smile_instrument_restore(trace) ?: -EIO;
	}
	/*
	 * After this call, no handler that saw this transfer's interrupt can report the end of a
	 * later transfer.
	 */
	synchronize_rcu();
	return ret;
}

/* Wait for the end of a transfer. Return: 0; -EIO if the transfer failed, or does not end. */
static int regs_transferred(struct smile_instrument *trace)
{
	u32 status;
	int ret = 0;

	if (!wait_for_completion_timeout(&trace->transferred, msecs_to_jiffies(REGS_TRANSFER_MS)))
		ret = regs_overdue(trace);
	if (ret)
		return ret;
	ret = smile_instrument_state(trace, &status);
	if (ret)
		return ret;
	if (status & (SMILE_TRACE_STATUS_DMA_ERROR | SMILE_TRACE_STATUS_BAD_WRITE)) {
		smile_instrument_write(trace, SMILE_TRACE_REG_STATUS,
				       SMILE_TRACE_STATUS_DMA_ERROR | SMILE_TRACE_STATUS_BAD_WRITE);
		return -EIO;
	}
	return 0;
}

/*
 * Copy the oldest bytes of the trace memory, at most @bytes, into smile_instrument.chunk, and free
 * their room in the trace memory. Return: the number of bytes; 0 if the memory is empty; -EBUSY if
 * the memory cannot be read yet; -EIO if the transfer failed, or the trace is lost.
 */
ssize_t smile_instrument_fetch(struct smile_instrument *trace, size_t bytes)
{
	u64 head, tail;
	u32 status, from;
	int ret;

	if (trace->lost)
		return -EIO;
	ret = smile_instrument_state(trace, &status);
	if (ret)
		return ret;
	if (trace->wrap && smile_instrument_running(status))
		return -EBUSY;
	tail = regs_read_64(trace, SMILE_TRACE_REG_TAIL);
	head = regs_read_64(trace, SMILE_TRACE_REG_HEAD);
	/* Check for impossible values, which would lead to accesses outside of the buffer. */
	if (head - tail > trace->memory_used)
		return -EIO;
	div_u64_rem(tail, trace->memory_used, &from);
	bytes = min_t(u64, bytes, head - tail);
	bytes = min_t(size_t, bytes, trace->memory_used - from);
	bytes = min_t(size_t, bytes, SMILE_INSTRUMENT_CHUNK);
	bytes = round_down(bytes, 8);
	if (!bytes)
		return 0;
	reinit_completion(&trace->transferred);
	regs_write_64(trace, SMILE_TRACE_REG_DMA_BASE_LOW, trace->bus);
	smile_instrument_write(trace, SMILE_TRACE_REG_DMA_FROM, from);
	smile_instrument_write(trace, SMILE_TRACE_REG_DMA_BYTES, bytes);
	smile_instrument_write(trace, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_TRANSFER);
	ret = regs_transferred(trace);
	if (ret)
		return ret;
	/* Read the data only after the interrupt, which arrives after the data. */
	dma_rmb();
	memcpy(trace->chunk, trace->buffer, bytes);
	smile_instrument_write(trace, SMILE_TRACE_REG_CONSUME, bytes);
	return bytes;
}
