/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver's own header: one card and its ring.
 *
 * What lives here: the two structures, and the functions that the driver's files share. May use:
 * kernel headers, the register map and the user-space contract.
 *
 * Lock order: smile_card.reader, mmap_lock (held around mmap(), taken by page faults),
 * smile_card.gate, smile_card.control, smile_ring.lock, smile_card.latch. While smile_card.gate is
 * held, no data is copied from or to user space, because remove() would wait for the copy. The same
 * holds for the locks after smile_card.gate in this order.
 */
#ifndef KMOD_SMILE_MONITOR_H
#define KMOD_SMILE_MONITOR_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/rwsem.h>
#include <linux/scatterlist.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <hw/smile_regs.h>

#include "../param.h"

#define SMILE_NAME "smile_monitor"
#define SMILE_CARDS_MAX 64

struct smile_minors;
struct smile_pmu;

/*
 * The ring of records for user space. User space can read @head and @card_lost, but the driver
 * never uses values that user space could have changed.
 */
struct smile_ring {
	struct page **pages; /* consumer page, producer page, records: what mmap() maps */
	size_t bytes; /* size of all pages */
	struct sg_table sgt; /* the records' pages, mapped for a card with HOST_RING */
	dma_addr_t dma; /* bus address of the records, for a card with HOST_RING */
	u32 records; /* a power of two */
	struct smile_consumer *consumer; /* page that user space writes: not trusted */
	struct smile_producer *producer; /* next page; the driver only writes it */
	struct smile_record *data;

	struct mutex lock; /* protects drains, the members below, RING_READ and DMA_READ */
	bool open; /* the card has an owner, or perf uses it; a closed ring is not drained */
	bool full; /* the last drain ran out of room */
	bool host; /* the card writes records here by DMA, its RAM is empty; stored with release */
	u64 head; /* number of records produced; without @lock, load it with acquire */
	u64 tail; /* tail of the last drain; @tail or @taken replaces an invalid tail */
	u64 taken; /* tail after the last read(), which stores it without @lock */
	u64 passed; /* last tail written to DMA_READ; with @host, a lower tail is invalid */
	u32 card_read; /* RING_READ */
	u32 lost_reported; /* low half of COUNT_LOST, up to the last LOST record */
	u32 marks_reported; /* low half of COUNT_MARKS_LOST, up to the last LOST record */
	u64 card_lost; /* number of lost memory events in all LOST records of the stream */
	u64 full_count; /* number of times that @full was set */
};

/* Bits of smile_card.flags. */
enum smile_flag {
	SMILE_FLAG_DEAD, /* the card was removed or lost: every call fails with -ENODEV */
	SMILE_FLAG_FROZEN, /* no register access: bus error, reset, or an all-ones read */
	SMILE_FLAG_RESET, /* set with FROZEN: the card has lost its state */
	SMILE_FLAG_ASLEEP, /* the card has no power, between suspend and resume */
	SMILE_FLAG_LOST, /* a LOST record was delivered, but not acknowledged: EPOLLERR */
	SMILE_FLAG_LINK, /* STATUS.LINK changed after the owner's last INFO: EPOLLPRI */
	SMILE_FLAG_BROKEN, /* a ring pointer was impossible: -EIO until the next open for writing */
};

/* The number of the card's counters, including the clock. Their registers are contiguous. */
#define SMILE_COUNTS ((SMILE_COUNT_LAST - SMILE_COUNT_FIRST) / sizeof(u64) + 1)

/* A counter: its name, and its offset in struct smile_statistics. */
struct smile_count {
	const char *name;
	size_t offset;
};

/* One card. It exists until the last open file is closed. */
struct smile_card {
	struct device dev; /* character device; its release function frees this structure */
	struct cdev cdev;
	unsigned int number; /* N of /dev/smile_monitorN */
	/* Used only while @gate is held, by the interrupt, by the work, or by the PCI core: */
	struct pci_dev *pdev;
	void __iomem *regs;
	void __iomem *ram; /* the dual-ported RAM */
	/* Values read in probe: */
	u32 version;
	u32 entries_max; /* entries of the dynamic array */
	u32 static_counters;
	u32 ram_words;
	u32 features; /* SMILE_FEATURE_* */

	struct rw_semaphore gate; /* held for reading by calls that use registers: see gate.c */
	unsigned long flags; /* SMILE_FLAG_* */
	wait_queue_head_t wait; /* readers and pollers, and calls that wait for a recovery */
	atomic64_t interrupts; /* number of interrupts of this card */

	struct mutex control; /* the members below, and sequences of register writes */
	struct file *owner; /* owns the stream; may be compared with NULL without @control */
	bool running; /* the card is counting; may also be loaded without @control */
	struct smile_config config; /* in force, or to be set after a reset */
	struct smile_static tables; /* in force, or to be set after a reset */

	struct mutex latch; /* for both halves of a counter, and the members below */
	u64 earlier[SMILE_COUNTS]; /* counts of this stream before the driver reset the card */
	u64 resets; /* number of times that the card lost counts of this stream */
	struct mutex reader; /* serialises read(); held while copying to user space */
	struct smile_ring ring;
	struct smile_pmu *pmu; /* PMU of the card's number, if the card has static counters */
	bool counted; /* perf counts with this card and takes its records; written under @control */
	struct delayed_work drain; /* repeats the drain if interrupts do not suffice */
	struct irq_work suspicion; /* schedules @rescue after an all-ones read, from any context */
	struct delayed_work rescue; /* checks a frozen card, and ends the wait for it */
	unsigned long patience; /* time until the next check of @rescue, in jiffies */
	unsigned long give_up; /* time at which the wait ends, in jiffies */
	struct delayed_work link_event; /* sends the uevent when STATUS.LINK changes */
	bool link_up; /* state of the link, as read by the interrupt */
	int link_sent; /* state in the last uevent of this stream; -1: no uevent yet */
	struct pci_saved_state *saved; /* the card's configuration space after probe(), or NULL */
	struct dentry *debugfs; /* the card's directory */
};

static inline bool smile_card_alive(const struct smile_card *card)
{
	return !test_bit(SMILE_FLAG_DEAD, &card->flags);
}

static inline bool smile_card_frozen(const struct smile_card *card)
{
	return test_bit(SMILE_FLAG_FROZEN, &card->flags);
}

/* Check whether the card's registers may be accessed. */
static inline bool smile_card_usable(const struct smile_card *card)
{
	return !(READ_ONCE(card->flags) &
		 (BIT(SMILE_FLAG_DEAD) | BIT(SMILE_FLAG_FROZEN) | BIT(SMILE_FLAG_ASLEEP)));
}

/* Check whether the card's ring pointers have all been valid. */
static inline bool smile_card_sane(const struct smile_card *card)
{
	return !test_bit(SMILE_FLAG_BROKEN, &card->flags);
}

static inline u32 smile_card_read(struct smile_card *card, u32 reg)
{
	return ioread32(card->regs + reg);
}

static inline void smile_card_write(struct smile_card *card, u32 reg, u32 value)
{
	iowrite32(value, card->regs + reg);
}

/* gate.c */
int smile_gate_enter(struct smile_card *card, bool wait);
void smile_gate_leave(struct smile_card *card);
int smile_gate_lock(struct smile_card *card, bool wait);
void smile_gate_unlock(struct smile_card *card);
void smile_gate_drop(struct smile_card *card);
void smile_gate_close(struct smile_card *card);

/* recovery.c */
void smile_recovery_event(struct smile_card *card, const char *variable);
void smile_recovery_settle(struct smile_card *card);
void smile_recovery_suspect(struct smile_card *card);
int smile_recovery_init(struct smile_card *card);
void smile_recovery_open(struct smile_card *card);
void smile_recovery_close(struct smile_card *card);
extern const struct pci_error_handlers smile_recovery_errors;

/* power.c */
extern const struct dev_pm_ops smile_power_ops;

/* card.c */
extern const struct smile_count smile_card_counts[SMILE_COUNTS];
int smile_card_count(struct smile_card *card, unsigned int index, u64 *count);
u32 smile_card_count_low(struct smile_card *card, u32 reg);
int smile_card_time(struct smile_card *card, struct smile_time *time);
u32 smile_card_watermark(const struct smile_card *card, const struct smile_config *config);
bool smile_card_absent(struct smile_card *card, u32 value);
int smile_card_status(struct smile_card *card, u32 *status);
int smile_card_refusal(struct smile_card *card);
void smile_card_restart(struct smile_card *card, bool lost, u64 head);
void smile_card_forget(struct smile_card *card);
int smile_card_identify(struct smile_card *card);
int smile_card_reset(struct smile_card *card);
int smile_card_defaults(struct smile_card *card);
int smile_card_check(const struct smile_card *card, const struct smile_config *config);
int smile_card_configure(struct smile_card *card, const struct smile_config *config);
int smile_static_check(const struct smile_card *card, const struct smile_static *tables);
int smile_static_store(struct smile_card *card, const struct smile_static *tables);

/* record_ring.c */
int smile_ring_check_parameters(void);
int smile_ring_init(struct smile_card *card);
void smile_ring_free(struct smile_card *card);
void smile_ring_attach(struct smile_card *card);
int smile_ring_open(struct smile_card *card);
void smile_ring_close(struct smile_card *card);
void smile_ring_suspend(struct smile_card *card);
int smile_ring_resume(struct smile_card *card);
int smile_ring_configure(struct smile_card *card, const struct smile_config *config);
void smile_ring_break(struct smile_card *card);
u64 smile_ring_tail(const struct smile_ring *ring, u64 head);
void smile_ring_publish(struct smile_card *card, u64 head);
u64 smile_ring_available(const struct smile_ring *ring);
ssize_t smile_ring_copy(struct smile_ring *ring, char __user *to, size_t records);

/* drain.c */
void smile_drain_work(struct work_struct *work);
void smile_drain_link(struct work_struct *work);
int smile_drain_request(struct smile_card *card);
int smile_drain_run(struct smile_card *card, bool lazy);
int smile_drain_try(struct smile_card *card, bool lazy);
void smile_drain_hurry(struct smile_card *card);
int smile_drain_in_ram(struct smile_card *card);
int smile_drain_waiting(struct smile_card *card);
int smile_drain_reported(struct smile_card *card);
void smile_drain_listen(struct smile_card *card);
int smile_host_enter(struct smile_card *card);
int smile_host_status(struct smile_card *card, u32 *status);

/* stream.c; call all of them with smile_card.control held, except smile_stream_statistics() */
int smile_stream_configure(struct smile_card *card, const struct smile_config *config);
int smile_stream_static(struct smile_card *card, const struct smile_static *tables);
int smile_stream_start(struct smile_card *card);
int smile_stream_stop(struct smile_card *card);
int smile_stream_swap(struct smile_card *card);
int smile_stream_static_swap(struct smile_card *card, u32 counter);
int smile_stream_event(struct smile_card *card, u32 event);
int smile_stream_info(struct smile_card *card, struct smile_info *info);
int smile_stream_statistics(struct smile_card *card, struct smile_statistics *statistics);
int smile_stream_suspend(struct smile_card *card);
int smile_stream_resume(struct smile_card *card, u32 mark);

/* cdev.c */
extern struct smile_minors smile_cdev_minors;
struct smile_card *smile_cdev_alloc(struct pci_dev *pdev);

/* sysfs.c */
extern const struct attribute_group *smile_sysfs_groups[];
void smile_debugfs_add(struct smile_card *card, struct dentry *root);

/* pmu.c */
int smile_pmu_init(void);
void smile_pmu_exit(void);
void smile_pmu_attach(struct smile_card *card);
void smile_pmu_end(struct smile_card *card, bool detach);
int smile_pmu_collect(struct smile_card *card);
void smile_pmu_gap(struct smile_card *card, bool lost);
void smile_pmu_suspend(struct smile_card *card);
void smile_pmu_resume(struct smile_card *card, bool reset);

#endif /* KMOD_SMILE_MONITOR_H */
