/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver's own header: one card and its ring.
 *
 * What lives here: the two structures and the functions through which the driver's files meet. May
 * use: kernel headers, the register map and the user-space contract.
 *
 *	main.c    PCI: probe and remove
 *	life.c    when the card may be used: removal, bus errors, resets, power
 *	card.c    registers: identity, configuration, counters
 *	static.c  the static array's tables
 *	memory.c  the shared ring's pages, as kernel, user space and card see them
 *	ring.c    the shared ring's indices, and the beginning and the end of a stream
 *	drain.c   from the dual-ported RAM into the ring, and the work that repeats it
 *	host.c    the ring that the card itself writes, by DMA
 *	irq.c     the interrupt
 *	stream.c  what the ioctls do: start, stop, swap out, configure
 *	cdev.c    the character device: ownership, open, read, poll, mmap
 *	ioctl.c   its ioctls: structures from and to user space
 *	sysfs.c   attributes of the character device, and debugfs
 *	trace.c   tracepoints
 *	pmu.c     the static counters as a perf PMU
 *
 * Lock order: smile_card.reader, mmap_lock (held around mmap, taken by page faults),
 * smile_card.gate, smile_card.control, smile_ring.lock, smile_card.latch. Nothing is copied from or
 * to user space inside the gate, where remove() would wait for it, nor under the locks behind it.
 */
#ifndef KMOD_SMILE_MONITOR_H
#define KMOD_SMILE_MONITOR_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <hw/smile_regs.h>

#define SMILE_NAME "smile_monitor"

struct smile_pmu;

/**
 * struct smile_ring - Records on their way to user space.
 * @pages: consumer page, producer page, records: what mmap() maps
 * @bytes: length of all of them
 * @memory: kernel mapping of @pages, contiguous
 * @sgt: the records' pages, mapped for the card; valid while HOST_RING is in smile_card.features
 * @dma: bus address of the records; valid as @sgt
 * @records: number of records, a power of two
 * @consumer: first page; the only one that user space can write, so nothing in it is trusted
 * @producer: second page; written, never read by the driver
 * @data: the records
 * @lock: serialises draining; protects the fields below except @tail, and the card's RING_READ and
 *        DMA_READ
 * @open: the stream has an owner; otherwise nothing is drained
 * @full: the last drain ran out of room
 * @host: the card writes the records here by DMA, and its RAM is empty; stored with release
 * @head: records produced; written under @lock, loaded with acquire without it
 * @tail: the last tail that was believed, by the drain or by read(); stands for an impossible one
 * @passed: the tail that was written to DMA_READ: the card may have overwritten what lies before
 *          it, so with @host no lower tail is believed
 * @card_read: the card's RING_READ
 * @lost_reported: COUNT_LOST's low half as far as LOST records have reported it
 * @marks_reported: the same of COUNT_MARKS_LOST
 * @card_lost: memory events lost, summed over the LOST records of the stream
 * @full_count: times @full was set
 *
 * Neither @head nor @card_lost is ever read back from the shared pages.
 */
struct smile_ring {
	struct page **pages;
	size_t bytes;
	void *memory;
	struct sg_table sgt;
	dma_addr_t dma;
	u32 records;
	struct smile_consumer *consumer;
	struct smile_producer *producer;
	struct smile_record *data;

	struct mutex lock; /* what follows; one drain at a time */
	bool open;
	bool full;
	bool host;
	u64 head;
	u64 tail;
	u64 passed;
	u32 card_read;
	u32 lost_reported;
	u32 marks_reported;
	u64 card_lost;
	u64 full_count;
};

/* Bits of smile_card.flags. */
enum smile_flag {
	SMILE_FLAG_DEAD, /* removed or taken for lost: every call fails with -ENODEV */
	SMILE_FLAG_FROZEN, /* no register access: bus error, reset, or an all-ones read */
	SMILE_FLAG_RESET, /* with FROZEN: the card has lost its state */
	SMILE_FLAG_ASLEEP, /* no power, between suspend and resume */
	SMILE_FLAG_LOST, /* a LOST record was delivered and not acknowledged: EPOLLERR */
	SMILE_FLAG_LINK, /* STATUS.LINK changed since the owner's last INFO: EPOLLPRI */
	SMILE_FLAG_BROKEN, /* a ring pointer was impossible: -EIO until the next owner */
};

/* The card's counters: their names in struct smile_statistics, and their registers. */
#define SMILE_CARD_COUNTS(X)                                                                       \
	X(packets_seen, COUNT_SEEN)                                                                \
	X(packets_malformed, COUNT_MALFORMED)                                                      \
	X(packets_unmatched, COUNT_UNMATCHED)                                                      \
	X(packets_filtered, COUNT_FILTERED)                                                        \
	X(packets_event, COUNT_EVENT)                                                              \
	X(events_accepted, COUNT_ACCEPTED)                                                         \
	X(events_lost, COUNT_LOST)                                                                 \
	X(events_delivered, COUNT_DELIVERED)                                                       \
	X(marks_lost, COUNT_MARKS_LOST)                                                            \
	X(extensions, COUNT_EXTENSIONS)                                                            \
	X(records_written, COUNT_RECORDS)                                                          \
	X(clock_ns, CLOCK)                                                                         \
	X(static_counted, COUNT_STATIC)                                                            \
	X(static_delivered, COUNT_STATIC_DELIVERED)

/* How many, the clock among them; their registers follow each other. */
#define SMILE_COUNTS ((SMILE_COUNT_LAST - SMILE_COUNT_FIRST) / sizeof(u64) + 1)

/**
 * struct smile_card - One card; lives until the last open file is closed.
 * @dev: the character device; its release frees this structure
 * @cdev: the character device's entry points
 * @number: N of /dev/smile_monitorN
 * @pdev: the PCI device; like @regs and @ram only to be used inside the gate, or by the interrupt,
 *        the work or a callback of the PCI driver
 * @regs: registers
 * @ram: dual-ported RAM
 * @version: VERSION, as read in probe
 * @entries_max: entries of the dynamic array, as read in probe
 * @static_counters: counters of the static array, as read in probe
 * @ram_words: 32-bit words of the dual-ported RAM, as read in probe
 * @can_dma: CAPABILITY.DMA, as read in probe
 * @features: SMILE_FEATURE_*; HOST_RING if the card has it and its ring's memory is mapped for it
 * @gate: SRCU; a reader that finds neither DEAD nor FROZEN set keeps remove() and resets from going
 *        on; see life.c
 * @flags: SMILE_FLAG_*, atomic
 * @wait: readers and pollers
 * @interrupts: interrupts taken
 * @control: protects @owner, @running, @config, @tables, @held and sequences of register writes
 * @owner: the open file that owns the stream; loaded without @control to compare with oneself
 * @running: the card is counting; loaded without @control by the drain, sysfs and statistics
 * @config: the configuration in force
 * @tables: the static array's tables in force
 * @held: the owner, or perf, keeps the card's power
 * @latch: makes one of reading the low and the high half of a counter, and protects @earlier
 * @earlier: what the card had counted for this stream before the driver reset it; of the clock 0
 * @resets: times that counts were lost with the card's state, in this stream
 * @reader: serialises read(); held while copying to user space
 * @ring: the ring; has a lock of its own
 * @pmu: the PMU of the card's number, if its static counters can work by themselves
 * @counted: perf has events on the card; written under @control and the ring's lock
 * @drain: drains the card at intervals where its interrupts do not suffice
 * @suspicion: schedules @rescue after an all-ones read, from any context
 * @rescue: ends the wait for a recovery that does not come
 * @saved: its configuration space as probe() left it, for after a reset; may be NULL
 * @debugfs: its directory
 */
struct smile_card {
	struct device dev;
	struct cdev cdev;
	unsigned int number;
	struct pci_dev *pdev;
	void __iomem *regs;
	void __iomem *ram;
	u32 version;
	u32 entries_max;
	u32 static_counters;
	u32 ram_words;
	bool can_dma;
	u32 features;

	struct srcu_struct gate;
	unsigned long flags;
	wait_queue_head_t wait;
	atomic64_t interrupts;

	struct mutex control; /* what follows, and sequences of register writes */
	struct file *owner;
	bool running;
	struct smile_config config;
	struct smile_static tables;
	bool held;

	spinlock_t latch; /* the two halves of a counter, and what follows */
	u64 earlier[SMILE_COUNTS];
	u64 resets;
	struct mutex reader; /* one read() at a time */
	struct smile_ring ring;
	struct smile_pmu *pmu;
	bool counted;
	struct delayed_work drain;
	struct irq_work suspicion;
	struct delayed_work rescue;
	struct pci_saved_state *saved;
	struct dentry *debugfs;
};

static inline bool smile_card_alive(const struct smile_card *card)
{
	return !test_bit(SMILE_FLAG_DEAD, &card->flags);
}

static inline bool smile_card_frozen(const struct smile_card *card)
{
	return test_bit(SMILE_FLAG_FROZEN, &card->flags);
}

/* May its registers be accessed? */
static inline bool smile_card_usable(const struct smile_card *card)
{
	return !(READ_ONCE(card->flags) &
		 (BIT(SMILE_FLAG_DEAD) | BIT(SMILE_FLAG_FROZEN) | BIT(SMILE_FLAG_ASLEEP)));
}

/* Are its ring pointers believed? */
static inline bool smile_card_sane(const struct smile_card *card)
{
	return !test_bit(SMILE_FLAG_BROKEN, &card->flags);
}

/* life.c */
int smile_life_enter(struct smile_card *card, bool wait);
void smile_life_leave(struct smile_card *card, int index);
void smile_life_hold(struct smile_card *card);
void smile_life_drop(struct smile_card *card);
void smile_life_suspect(struct smile_card *card);
void smile_life_event(struct smile_card *card, const char *variable);
void smile_life_init(struct smile_card *card);
void smile_life_open(struct smile_card *card);
void smile_life_close(struct smile_card *card);
extern const struct dev_pm_ops smile_life_pm;
extern const struct pci_error_handlers smile_life_errors;

/* card.c */
u32 smile_card_read(struct smile_card *card, u32 reg);
void smile_card_write(struct smile_card *card, u32 reg, u32 value);
int smile_card_count(struct smile_card *card, u32 reg, u64 *count);
u32 smile_card_count_low(struct smile_card *card, u32 reg);
int smile_card_time(struct smile_card *card, struct smile_time *time);
u32 smile_card_watermark(const struct smile_card *card, const struct smile_config *config);
bool smile_card_absent(struct smile_card *card, u32 value);
int smile_card_status(struct smile_card *card, u32 *status);
void smile_card_lost(struct smile_card *card, u64 head);
void smile_card_forget(struct smile_card *card);
void smile_card_begin_counts(struct smile_card *card);
int smile_card_identify(struct smile_card *card);
int smile_card_reset(struct smile_card *card);
void smile_card_quiesce(struct smile_card *card);
int smile_card_check(const struct smile_card *card, const struct smile_config *config);
int smile_card_configure(struct smile_card *card, const struct smile_config *config);

/* static.c */
int smile_static_check(const struct smile_card *card, const struct smile_static *tables);
int smile_static_store(struct smile_card *card, const struct smile_static *tables);

/* memory.c */
int smile_memory_alloc(struct smile_card *card);
void smile_memory_free(struct smile_card *card);
int smile_memory_mmap(struct smile_card *card, struct vm_area_struct *vma);
void smile_memory_attach(struct smile_card *card);
void smile_memory_detach(struct smile_card *card);
void smile_memory_give(struct smile_card *card);
void smile_memory_take(struct smile_card *card, u64 head, u32 count);

/* ring.c */
int smile_ring_check_parameters(void);
int smile_ring_init(struct smile_card *card);
void smile_ring_free(struct smile_card *card);
int smile_ring_open(struct smile_card *card);
void smile_ring_close(struct smile_card *card);
void smile_ring_suspend(struct smile_card *card);
int smile_ring_resume(struct smile_card *card);
int smile_ring_configure(struct smile_card *card, const struct smile_config *config);
void smile_ring_break(struct smile_card *card);
u64 smile_ring_tail(const struct smile_ring *ring, u64 head);
void smile_ring_set_full(struct smile_ring *ring, bool full);
void smile_ring_publish(struct smile_card *card, u64 head);
u64 smile_ring_available(const struct smile_ring *ring);
ssize_t smile_ring_copy(struct smile_ring *ring, char __user *to, size_t records);

/* drain.c */
void smile_drain_init(struct smile_card *card);
int smile_drain_run(struct smile_card *card);
int smile_drain_lazy(struct smile_card *card);
int smile_drain_try(struct smile_card *card, bool lazy);
void smile_drain_hurry(struct smile_card *card);
int smile_drain_waiting(struct smile_card *card);
int smile_drain_reported(struct smile_card *card);
bool smile_drain_unreported(struct smile_card *card);
void smile_drain_losses(struct smile_card *card, u64 head, u32 count);
void smile_drain_listen(struct smile_card *card);

/* host.c; under smile_ring.lock, except smile_host_status(): that or smile_card.control */
int smile_host_enter(struct smile_card *card);
int smile_host_waiting(struct smile_card *card);
int smile_host_drain(struct smile_card *card, u32 least);
int smile_host_status(struct smile_card *card, u32 *status);

/* irq.c */
int smile_irq_request(struct smile_card *card);
void smile_irq_free(struct smile_card *card);

/* stream.c; all under smile_card.control, except smile_stream_statistics() */
int smile_stream_configure(struct smile_card *card, const struct smile_config *config);
int smile_stream_static(struct smile_card *card, const struct smile_static *tables);
int smile_stream_start(struct smile_card *card);
int smile_stream_stop(struct smile_card *card);
int smile_stream_swap(struct smile_card *card);
int smile_stream_event(struct smile_card *card, u32 event);
int smile_stream_info(struct smile_card *card, struct smile_info *info);
int smile_stream_statistics(struct smile_card *card, struct smile_statistics *statistics);
int smile_stream_suspend(struct smile_card *card);
int smile_stream_resume(struct smile_card *card, u32 mark);

/* cdev.c */
int smile_cdev_init(void);
void smile_cdev_exit(void);
struct smile_card *smile_cdev_alloc(struct pci_dev *pdev);

/* ioctl.c */
long smile_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

/* sysfs.c */
extern const struct attribute_group *smile_sysfs_groups[];
void smile_debugfs_init(void);
void smile_debugfs_exit(void);
void smile_debugfs_add(struct smile_card *card);

/* pmu.c */
int smile_pmu_init(void);
void smile_pmu_exit(void);
void smile_pmu_attach(struct smile_card *card);
void smile_pmu_detach(struct smile_card *card);
void smile_pmu_end(struct smile_card *card);
void smile_pmu_suspend(struct smile_card *card);
void smile_pmu_freeze(struct smile_card *card);
int smile_pmu_resume(struct smile_card *card, bool reset);
int smile_pmu_collect(struct smile_card *card);

#endif /* KMOD_SMILE_MONITOR_H */
