/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The deep trace instrument's driver: one instrument and its character device.
 *
 * What lives here: the structure and the functions that the driver's files share.
 *
 *	main.c	PCI: probe and remove, the interrupt
 *	recovery.c	loss of its state: bus errors, resets, power
 *	regs.c	registers: configuration, commands, account, transfers
 *	cdev.c	the character device
 *
 * Lock order: smile_instrument.reader, mmap_lock (held around page faults), smile_instrument.lock.
 * No data is copied from or to user space under smile_instrument.lock.
 */
#ifndef KMOD_INSTRUMENT_INSTRUMENT_H
#define KMOD_INSTRUMENT_INSTRUMENT_H

#include <linux/atomic.h>
#include <linux/cdev.h>
#include <linux/completion.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <hw/smile_trace_regs.h>

#define SMILE_INSTRUMENT_NAME "smile_trace"
#define SMILE_INSTRUMENT_CHUNK 65536 /* largest number of bytes of a transfer */

struct smile_minors;

/* One instrument. It exists until the last open file is closed. */
struct smile_instrument {
	struct device dev; /* character device; its release function frees this structure */
	struct cdev cdev;
	unsigned int number; /* N of /dev/smile_traceN */
	wait_queue_head_t wait; /* readers and pollers */
	atomic_t events; /* number of interrupts that concern sleepers in @wait */
	struct completion transferred; /* completed by the interrupt INT.TRANSFER */
	struct mutex reader; /* serialises read(); protects the contents of @chunk */
	void *chunk; /* data to be copied to user space */

	struct mutex lock; /* protects the following members, and sequences of register accesses */
	bool dead; /* the instrument was removed or lost: every call fails with -ENODEV */
	bool frozen; /* registers must not be accessed: bus error, reset, read of all ones */
	bool reset; /* set with @frozen: the instrument has lost its state */
	bool armed; /* a trace exists, because ARM was executed */
	bool lost; /* the trace was lost with the instrument's state: -EIO until ARM */
	bool configured; /* @config is in force, or to be set after a reset */
	unsigned int losses; /* number of times that @lost was set: limits a read() to one trace */
	struct smile_trace_config config;
	bool wrap; /* the configuration has MODE.WRAP */
	struct file *owner; /* file that is open for writing */
	u32 memory_used; /* MEMORY */
	/* Used only while @dead is false: */
	struct pci_dev *pdev;
	void __iomem *regs;
	void *buffer; /* coherent buffer of transfers */
	dma_addr_t bus; /* bus address of @buffer */
	u32 memory_bytes; /* MEMORY_MAX */
	u32 version;
	struct pci_saved_state *saved; /* configuration space after probe(), or NULL */

	struct delayed_work rescue; /* checks whether a frozen instrument answers again */
	unsigned long patience; /* time until the next check of @rescue, in jiffies */
	unsigned long give_up; /* time at which it is lost, in jiffies; @lock protects both times */
};

/* recovery.c */
int smile_instrument_lock(struct smile_instrument *trace, bool wait);
void smile_instrument_suspect(struct smile_instrument *trace);
void smile_instrument_lose(struct smile_instrument *trace);
void smile_instrument_kill(struct smile_instrument *trace);
void smile_instrument_rescue(struct work_struct *work);
extern const struct dev_pm_ops smile_instrument_pm;
extern const struct pci_error_handlers smile_instrument_errors;

/* regs.c; call all of them with smile_instrument.lock held and the instrument alive */
u32 smile_instrument_read(struct smile_instrument *trace, u32 reg);
void smile_instrument_write(struct smile_instrument *trace, u32 reg, u32 value);
int smile_instrument_identify(struct smile_instrument *trace);
bool smile_instrument_running(u32 status);
int smile_instrument_state(struct smile_instrument *trace, u32 *status);
void smile_instrument_reset(struct smile_instrument *trace);
void smile_instrument_listen(struct smile_instrument *trace);
void smile_instrument_stop(struct smile_instrument *trace);
int smile_instrument_restore(struct smile_instrument *trace);
int smile_instrument_configure(struct smile_instrument *trace,
			       const struct smile_trace_config *config);
int smile_instrument_command(struct smile_instrument *trace, u32 command);
int smile_instrument_status(struct smile_instrument *trace, struct smile_trace_status *status);
ssize_t smile_instrument_fetch(struct smile_instrument *trace, size_t bytes);

/* cdev.c */
extern struct smile_minors smile_instrument_minors;
struct smile_instrument *smile_instrument_alloc(struct pci_dev *pdev);

#endif /* KMOD_INSTRUMENT_INSTRUMENT_H */
