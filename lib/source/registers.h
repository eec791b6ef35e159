/* SPDX-License-Identifier: MIT */
/*
 * Registers: drives a card directly through its registers, without the driver.
 *
 * What lives here: code that the sources "emu:" and "pci:" share. Each of them supplies two
 * functions, which read and write a register. May use the register map.
 */
#ifndef LIB_SOURCE_REGISTERS_H
#define LIB_SOURCE_REGISTERS_H

#include <hw/smile_regs.h>
#include <smile/monitor.h>

/**
 * struct smile_registers - The functions that access registers.
 * @read: read the register at an offset
 * @write: write the register at an offset
 * @opaque: passed to both functions
 */
struct smile_registers {
	uint32_t (*read)(void *opaque, uint32_t offset);
	void (*write)(void *opaque, uint32_t offset, uint32_t value);
	void *opaque;
};

/* Get the card's properties, and its configuration. */
void smile_registers_info(const struct smile_registers *registers, struct smile_info *info);

/*
 * Write a checked configuration, except its mode, to the card. The card must be stopped. The caller
 * must set up the ring in host memory itself.
 */
void smile_registers_configure(const struct smile_registers *registers,
			       const struct smile_config *config);

/* Write checked static tables. The card must be stopped. */
void smile_registers_static_set(const struct smile_registers *registers,
				const struct smile_static *tables);

void smile_registers_static_info(const struct smile_registers *registers,
				 struct smile_static *tables);

/* Get the card's statistics. @status: the status register, as in smile_registers_info(). */
void smile_registers_statistics(const struct smile_registers *registers, uint32_t status,
				struct smile_statistics *statistics);

/*
 * Check whether the card has rejected a write since BAD_WRITE was last cleared. Return: 0; -EIO
 * with a message.
 */
int smile_registers_refused(const struct smile_registers *registers);

#endif /* LIB_SOURCE_REGISTERS_H */
