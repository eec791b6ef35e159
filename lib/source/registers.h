/* SPDX-License-Identifier: MIT */
/*
 * Registers: a card that the library drives itself, through its registers.
 *
 * What lives here: code for the sources without a driver, emu: and pci:. Each of them supplies the
 * functions that read and write a register. May use the register map.
 */
#ifndef LIB_SOURCE_REGISTERS_H
#define LIB_SOURCE_REGISTERS_H

#include <hw/smile_regs.h>
#include <smile/monitor.h>

/**
 * struct smile_registers - How registers are accessed.
 * @read: read the register at an offset
 * @write: write the register at an offset
 * @opaque: passed to both
 */
struct smile_registers {
	uint32_t (*read)(void *opaque, uint32_t offset);
	void (*write)(void *opaque, uint32_t offset, uint32_t value);
	void *opaque;
};

/* The card's properties, and its configuration. */
void smile_registers_info(const struct smile_registers *registers, struct smile_info *info);

/*
 * Write a checked configuration except the mode; the card is stopped. The source sets up the ring
 * in host memory. */
void smile_registers_configure(const struct smile_registers *registers,
			       const struct smile_config *config);

/* Write checked static tables; the card is stopped. */
void smile_registers_static_set(const struct smile_registers *registers,
				const struct smile_static *tables);

void smile_registers_static_info(const struct smile_registers *registers,
				 struct smile_static *tables);

/* The card's counters; @status as in smile_registers_info(). */
void smile_registers_statistics(const struct smile_registers *registers, uint32_t status,
				struct smile_statistics *statistics);

/*
 * Check whether the card has rejected a write since BAD_WRITE was cleared. Return: 0; -EIO with a
 * message.
 */
int smile_registers_refused(const struct smile_registers *registers);

#endif /* LIB_SOURCE_REGISTERS_H */
