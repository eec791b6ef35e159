/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver's own header: one card and its ring.
 *
 * What lives here: the two structures and the functions through which the driver's files meet. May
 * use: kernel headers, the register map and the user-space contract.
 *
 *	main.c    PCI: probe and remove
 *	gate.c    who may use the card when, and its power
 *	power.c   sleep, runtime power management
 *	reset.c   bus errors, and resets by others
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
 *	sysfs.c   attributes of the PCI device
 *	trace.c   tracepoints
 *	pmu.c     a PMU of perf's for the static counters; its own files are listed in pmu.h
 *
 * Order of locks: smile_card.reader, mmap_lock (held around mmap, taken by page faults),
 * smile_card.gate, smile_card.control, smile_ring.lock, smile_card.latch or .line. So nothing is
 * copied from or to user space within the gate, where remove() would wait for it, nor under the
 * locks behind it.
 */
#ifndef KMOD_SMILE_MONITOR_H
#define KMOD_SMILE_MONITOR_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/pci.h>
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
 * @memory: where the kernel sees them, one after the other
 * @contiguous: the records lie in one physical piece
 * @dma: bus address of the records; valid while smile_card.features has HOST_RING
 * @records: number of records, a power of two
 * @consumer: first page; the only one that user space can write, so nothing in it is trusted
 * @producer: second page; written, never read by the driver
 * @data: the records
 * @lock: serialises draining; protects all that follows but @tail, the card's RING_READ and
 *        DMA_READ, and the decision to let the card interrupt
 * @open: the stream has an owner; otherwise nothing is drained
 * @full: the last drain ran out of room
 * @host: the card writes the records here by itself, and its RAM is empty; stored with release
 * @head: records produced; written under @lock, loaded with acquire without it
 * @tail: the last tail that was believed, by the drain or by read(); stands for an impossible one
 * @told: the tail that the card was told in DMA_READ: it may have overwritten what is before it, so
 *        with @host no lower one is believed
 * @card_read: the card's RING_READ
 * @lost_told: COUNT_LOST's low half as far as LOST records have told it
 * @marks_told: the same of COUNT_MARKS_LOST
 * @card_lost: memory events lost, summed over the LOST records of the stream
 * @full_count: times @full was set
 *
 * Neither @head nor @card_lost is ever read back from the shared pages.
 */
struct smile_ring {
	struct page **pages;
	size_t bytes;
	void *memory;
	bool contiguous;
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
	u64 told;
	u32 card_read;
	u32 lost_told;
	u32 marks_told;
	u64 card_lost;
	u64 full_count;
};

/* Bits of smile_card.flags. */
enum smile_flag {
	SMILE_FLAG_DEAD, /* the card is gone or the driver is letting go of it */
	SMILE_FLAG_LOST, /* a LOST record was delivered and not acknowledged: EPOLLERR */
	SMILE_FLAG_LINK, /* STATUS.LINK changed since the owner's last INFO: EPOLLPRI */
	SMILE_FLAG_BROKEN, /* the card said impossible things: -EIO until the next owner */
	SMILE_FLAG_ASLEEP, /* between suspend and resume: nobody drains or enables interrupts */
	SMILE_FLAG_QUIET, /* too many interrupts for nothing: the work enables the next */
	SMILE_FLAG_DARK, /* it may have no power: the interrupt does not look at it */
	SMILE_FLAG_FROZEN, /* its bus is being reset: nobody uses it, who comes waits */
};

/* The card's counters, the clock among them, one after the other. */
#define SMILE_COUNTS ((SMILE_COUNT_LAST - SMILE_COUNT_FIRST) / sizeof(u64) + 1)

/**
 * struct smile_card - One card; lives until the last open file is closed.
 * @dev: the character device; its release frees this structure
 * @cdev: the character device's entry points
 * @number: N of /dev/smile_monitorN
 * @pdev: the PCI device; like @regs and @ram only to be used as a reader of @gate that found the
 *        card alive, from the interrupt, the work or a callback of the PCI driver
 * @regs: registers
 * @ram: dual-ported RAM
 * @version: VERSION, as read in probe
 * @entries_max: entries of the dynamic array, as read in probe
 * @static_counters: counters of the static array, as read in probe
 * @ram_words: 32-bit words of the dual-ported RAM, as read in probe
 * @can_dma: CAPABILITY.DMA, as read in probe
 * @features: SMILE_FEATURE_*; HOST_RING if the card has it and the ring's memory is fit for it
 * @gate: SRCU; a reader that finds SMILE_FLAG_DEAD clear keeps remove() from going on; see gate.c
 * @flags: SMILE_FLAG_*, atomic
 * @wait: readers and pollers
 * @interrupts: interrupts taken
 * @stuck: interrupts in a row whose cause would not be cleared, and that brought nothing; the
 *         interrupt thread's
 * @stuck_head: smile_ring.head at the last interrupt; the interrupt thread's
 * @control: protects @owner, @running, @config, @tables and sequences of register writes
 * @owner: the open file that owns the stream; loaded without @control to compare with oneself
 * @running: the card is counting; loaded without @control by the work, sysfs and statistics
 * @config: the configuration in force
 * @tables: the static array's tables in force
 * @held: the stream's owner, or perf, keeps the card's power; protected by @control
 * @latch: makes one of reading the low and the high half of a counter, and protects @earlier and
 *         @told
 * @earlier: what the card had counted for this stream before it was made to forget it; of the clock
 *         0
 * @told: what anybody was last told of it
 * @line: makes one of clearing INT_ENABLE and reading it back; taken in hard interrupts
 * @reader: serialises read(); held while copying to user space
 * @ring: the ring; has a lock of its own
 * @pmu: the PMU of the card's number, if its static counters can work by themselves
 * @counted: perf has events on the card; written under @control and the ring's lock
 * @drain: drains the card at intervals: few records in its RAM do not interrupt
 * @rescue: ends the stream if the recovery from a bus error does not
 * @saved: its configuration space as probe() left it, for after a reset; may be NULL
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
	unsigned int stuck;
	u64 stuck_head;

	struct mutex control; /* what follows, and sequences of register writes */
	struct file *owner;
	bool running;
	struct smile_config config;
	struct smile_static tables;
	bool held;

	spinlock_t latch; /* the two halves of a counter, and what follows */
	u64 earlier[SMILE_COUNTS];
	u64 told[SMILE_COUNTS];
	raw_spinlock_t line; /* INT_ENABLE */
	struct mutex reader; /* one read() at a time */
	struct smile_ring ring;
	struct smile_pmu *pmu;
	bool counted;
	struct delayed_work drain;
	struct delayed_work rescue;
	struct pci_saved_state *saved;
};

static inline bool smile_card_alive(const struct smile_card *card)
{
	return !test_bit(SMILE_FLAG_DEAD, &card->flags);
}

/* Can the stream go on, as far as the card's words go? */
static inline bool smile_card_sane(const struct smile_card *card)
{
	return !test_bit(SMILE_FLAG_BROKEN, &card->flags);
}

/* gate.c */
int smile_gate_enter(struct smile_card *card, int *index);
int smile_gate_try(struct smile_card *card, int *index);
void smile_gate_leave(struct smile_card *card, int index);
void smile_gate_hold(struct smile_card *card);
void smile_gate_drop(struct smile_card *card);
void smile_gate_open(struct smile_card *card);
void smile_gate_close(struct smile_card *card);
void smile_gate_freeze(struct smile_card *card);
void smile_gate_thaw(struct smile_card *card);

/* power.c */
void smile_power_settle(struct smile_card *card);
extern const struct dev_pm_ops smile_power_ops;

/* reset.c */
void smile_reset_init(struct smile_card *card);
void smile_reset_save(struct smile_card *card);
void smile_reset_exit(struct smile_card *card);
extern const struct pci_error_handlers smile_reset_handlers;

/* card.c */
u32 smile_card_read(struct smile_card *card, u32 reg);
void smile_card_write(struct smile_card *card, u32 reg, u32 value);
u64 smile_card_count(struct smile_card *card, u32 reg);
u32 smile_card_count_low(struct smile_card *card, u32 reg);
u32 smile_card_interrupts(const struct smile_card *card);
u32 smile_card_patience(const struct smile_card *card);
bool smile_card_returns(const struct smile_card *card);
bool smile_card_absent(struct smile_card *card, u32 value);
int smile_card_status(struct smile_card *card, u32 *status);
void smile_card_forget(struct smile_card *card);
void smile_card_forgot(struct smile_card *card);
void smile_card_begin_counts(struct smile_card *card);
void smile_card_kill(struct smile_card *card);
int smile_card_identify(struct smile_card *card);
int smile_card_reset(struct smile_card *card);
void smile_card_quiesce(struct smile_card *card);
int smile_card_check(const struct smile_card *card, const struct smile_config *config);
int smile_card_configure(struct smile_card *card, const struct smile_config *config);

/* static.c */
void smile_static_clear(struct smile_card *card);
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
void smile_ring_publish(struct smile_ring *ring, u64 head);
u64 smile_ring_available(const struct smile_ring *ring);
ssize_t smile_ring_copy(struct smile_ring *ring, char __user *to, size_t records);

/* drain.c */
void smile_drain_init(struct smile_card *card);
int smile_drain_run(struct smile_card *card);
int smile_drain_lazy(struct smile_card *card);
int smile_drain_try(struct smile_card *card, bool lazy);
void smile_drain_kick(struct smile_card *card, bool lazy);
void smile_drain_schedule(struct smile_card *card);
void smile_drain_postpone(struct smile_card *card);
void smile_drain_hurry(struct smile_card *card);
int smile_drain_waiting(struct smile_card *card);
int smile_drain_pending(struct smile_card *card, u64 *goal);
int smile_drain_told(struct smile_card *card);
int smile_drain_status(struct smile_card *card, u32 *status);
bool smile_drain_untold(struct smile_card *card);
void smile_drain_losses(struct smile_card *card, u64 head, u32 count);
void smile_drain_listen(struct smile_card *card);

/* host.c; under smile_ring.lock, but for smile_host_status(): that or smile_card.control */
int smile_host_enter(struct smile_card *card);
int smile_host_waiting(struct smile_card *card);
int smile_host_drain(struct smile_card *card, u32 least);
int smile_host_status(struct smile_card *card, u32 *status);

/* irq.c */
void smile_irq_enable(struct smile_card *card);
int smile_irq_request(struct smile_card *card);
void smile_irq_synchronize(struct smile_card *card);
void smile_irq_free(struct smile_card *card);

/* stream.c; all but smile_stream_statistics() under smile_card.control */
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
bool smile_cdev_owns(const struct smile_card *card, const struct file *file);
int smile_cdev_claim(struct smile_card *card, struct file *file);

/* ioctl.c */
long smile_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

/* pmu.c */
int smile_pmu_init(void);
void smile_pmu_exit(void);
void smile_pmu_attach(struct smile_card *card);
void smile_pmu_detach(struct smile_card *card);
void smile_pmu_suspend(struct smile_card *card);
void smile_pmu_freeze(struct smile_card *card);
int smile_pmu_resume(struct smile_card *card);
int smile_pmu_collect(struct smile_card *card);
void smile_pmu_tables(struct smile_card *card, struct smile_static *tables);

/* sysfs.c */
extern const struct attribute_group *smile_sysfs_groups[];

#endif /* KMOD_SMILE_MONITOR_H */
