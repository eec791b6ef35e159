/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tracer as a plug-in of QEMU's user mode:
 *
 *	qemu-x86_64 -plugin smile-tracer.so,fd=N[,stacks=on][,constants=off][,libc=on][,work=all]
 *		[,program=N,channel=N,turns=N] PROGRAM
 *
 * What lives here: the functions that QEMU calls. When a block of instructions starts, its length
 * is added to the thread's count of executed instructions. If the page of an access is counted, the
 * access becomes a word in the channel; otherwise it is added to the number of accesses that are
 * left out. May use the other files of the tracer.
 *
 * If code is not counted, its instructions are not work, either, unless work=all is set. Their
 * number differs from run to run: it depends on how often libc polls a lock, and on which thread
 * first calls a function that must be linked.
 *
 * Because the whole length of a block is added when the block starts, an access subtracts the
 * number of instructions that follow it in the block. Some accesses of a block are left out
 * whatever their address is; the callback of the block adds their number together with the length.
 * The counts are wrong only if a signal or a fault ends a block early.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/tracer/address_ranges.h"
#include "run/tracer/atomics.h"
#include "run/tracer/channel.h"
#include "run/tracer/code_views.h"
#include "run/tracer/follow.h"
#include "run/tracer/host_data.h"
#include "run/tracer/mappings.h"
#include "run/tracer/message.h"
#include "run/tracer/objects.h"
#include "run/tracer/counted_pages.h"
#include "run/tracer/displaced.h"
#include "run/tracer/process.h"
#include "run/tracer/qemu_plugin.h"
#include "run/tracer/spins.h"
#include "run/tracer/syscalls.h"
#include "run/tracer/x86.h"

#define unlikely(condition) __builtin_expect(!!(condition), 0)

/*
 * The bits by which QEMU describes an access. install_layout() checks that the loaded QEMU uses
 * them.
 */
#define INFO_SIZE(info) ((info) >> 4 & 7)
#define INFO_STORE(info) ((info) >> 17 & 1)
#define WORD_SIZE 3 /* log2 of the bytes of a register */
#define INSN_BYTES_MAX 15U

/*
 * A block's callback receives three numbers in one word: the number of instructions, the number of
 * accesses to the stack that are left out, and the number of accesses to constants that are left
 * out. QEMU translates at most 512 instructions in one block.
 */
#define BLOCK_STACK_SHIFT 16
#define BLOCK_CONSTANT_SHIFT 32
#define BLOCK_FIELD 0xffffU

/* accessed_operand() receives the bytes of the operand above the instructions that follow. */
#define OPERAND_SHIFT 16

/* Rare cases are handled in a separate function, so that the common case needs no stack frame. */
static __attribute__((noinline)) void block_rare(uint64_t block)
{
	channel_block_slow();
	spins_work();
	channel_producer->executed += block & BLOCK_FIELD;
}

/* A block starts. @data: the number of its instructions. */
static void block_begins(unsigned int vcpu, void *data)
{
	struct producer *p = channel_producer;

	if (unlikely(p->executed >= p->bound))
		block_rare((uintptr_t)data);
	else
		p->executed += (uintptr_t)data;
}

/*
 * Handle the start of a block that has accesses to the stack which are left out. This function adds
 * their number together with the number of instructions, so that the accesses need no callback of
 * their own. block_begins_left() also adds the number of accesses to constants that are left out.
 */
static void block_begins_stack(unsigned int vcpu, void *data)
{
	uint64_t block = (uintptr_t)data;
	struct producer *p = channel_producer;

	if (unlikely(p->executed >= p->bound)) {
		block_rare(block);
		p = channel_producer;
	} else {
		p->executed += block & BLOCK_FIELD;
	}
	channel_left(p, STREAM_LEFT_STACK, block >> BLOCK_STACK_SHIFT);
}

static void block_begins_left(unsigned int vcpu, void *data)
{
	uint64_t block = (uintptr_t)data;

	block_begins_stack(vcpu, (void *)(uintptr_t)(block & ((1ULL << BLOCK_CONSTANT_SHIFT) - 1)));
	channel_left(channel_producer, STREAM_LEFT_CONSTANT, block >> BLOCK_CONSTANT_SHIFT);
}

static qemu_plugin_vcpu_udata_cb_t block_callback(uint64_t block)
{
	if (block <= BLOCK_FIELD)
		return block_begins;
	return block >> BLOCK_CONSTANT_SHIFT ? block_begins_left : block_begins_stack;
}

/* Write an access. @behind: number of instructions of the block that follow the instruction. */
static inline void report_at(uint64_t word, uintptr_t behind)
{
	struct producer *p = channel_producer;
	uint64_t at = p->executed - behind;
	uint64_t work = at - p->last;

	if (unlikely(work > STREAM_WORK_MAX)) {
		channel_access_slow(p, word, at);
		return;
	}
	p->last = at;
	channel_append(p, word | work << STREAM_WORK_SHIFT);
}

static inline uint64_t access_word(unsigned int kind, qemu_plugin_meminfo_t info)
{
	return (uint64_t)kind << STREAM_KIND_SHIFT | (uint64_t)INFO_SIZE(info) << STREAM_SIZE_SHIFT;
}

/* Write an access to memory that is mapped several times. */
static void report_translated(uint64_t word, uint64_t address, uintptr_t behind)
{
	uint64_t kind = word >> STREAM_KIND_SHIFT & STREAM_KIND;

	report_at(word | mappings_translate(address), behind);
	if (code_views_exist && kind != STREAM_READ)
		code_views_wrote(address, 1ULL << (word >> STREAM_SIZE_SHIFT & STREAM_SIZE));
}

static __attribute__((noinline)) void report_alias(uint64_t word, uint64_t address,
						   uintptr_t behind)
{
	enum pages_state state = pages_state(address);
	struct producer *p = channel_producer;

	if (state == PAGES_EMULATOR)
		return;
	if (state == PAGES_STACK)
		channel_left(p, STREAM_LEFT_STACK, 1);
	else if (state == PAGES_ALIASED)
		report_translated(word, address, behind);
	else if (pages_counted(address))
		report_at(word | displaced(address), behind);
	else if (state == PAGES_CONSTANT)
		channel_left(p, STREAM_LEFT_CONSTANT, 1);
	else if (state >= PAGES_PART)
		channel_left(p, STREAM_LEFT_STACK, 1);
	else if (!process.counting)
		channel_left(p, STREAM_LEFT_START, 1);
	else if (process.unnumbered)
		channel_left(p, STREAM_LEFT_CHILD, 1);
	else if (!process.started)
		/*
		 * The main thread's stack was mapped before the loader started, so no mapping was
		 * reported for it.
		 */
		channel_left(p, STREAM_LEFT_STACK, 1);
	else
		channel_unknown(address);
}

static inline void report(uint64_t word, uint64_t address, uintptr_t behind)
{
	if (pages_state(address) == PAGES_COUNTED)
		report_at(word | displaced(address), behind);
	else
		report_alias(word, address, behind);
}

/*
 * Write an access of more than 8 bytes. QEMU 8.1 and later versions report 16 bytes as one access,
 * and earlier versions as two. With each version, a vector is written as words of eight bytes.
 */
static __attribute__((noinline)) void accessed_wide(qemu_plugin_meminfo_t info, uint64_t address,
						    uintptr_t behind)
{
	uint64_t word = (uint64_t)INFO_STORE(info) << STREAM_KIND_SHIFT |
			(uint64_t)WORD_SIZE << STREAM_SIZE_SHIFT;
	uint64_t end = address + (1ULL << INFO_SIZE(info));

	for (; address < end; address += 1U << WORD_SIZE)
		report(word, address, behind);
}

static void accessed(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	if (unlikely(INFO_SIZE(info) > WORD_SIZE))
		accessed_wide(info, address, (uintptr_t)data);
	else
		report(access_word(INFO_STORE(info), info), address, (uintptr_t)data);
}

/*
 * Handle an access of an instruction for which QEMU also reads memory behind the operand. Only the
 * operand counts. Its first access is the first one of this execution of the instruction. @data: as
 * in the other functions, and the bytes of the operand.
 */
static void accessed_operand(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			     void *data)
{
	static __thread uint64_t last __attribute__((tls_model("initial-exec")));
	static __thread uint64_t operand_end __attribute__((tls_model("initial-exec")));
	uintptr_t behind = (uintptr_t)data & BLOCK_FIELD;
	uint64_t at = channel_producer->executed - behind;
	uint64_t end = address + (1ULL << INFO_SIZE(info));

	if (at != last)
		operand_end = address + ((uintptr_t)data >> OPERAND_SHIFT);
	last = at;
	end = lower(end, operand_end);
	for (; address < end; address += 1U << WORD_SIZE)
		report((uint64_t)(end - address < 8 ? WORD_SIZE - 1 : WORD_SIZE)
			       << STREAM_SIZE_SHIFT,
		       address, behind);
}

/*
 * Handle the last access of a block that ends with a conditional jump or a return. The thread may
 * be in a loop that waits until this memory changes.
 */
static void accessed_last(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			  void *data)
{
	uint64_t before = channel_written();

	accessed(vcpu, info, address, data);
	/* For memory that does not count, such as a stack, see spins_work(). */
	if (channel_written() != before && !INFO_STORE(info) && INFO_SIZE(info) <= WORD_SIZE)
		spins_read(address, INFO_SIZE(info));
}

/*
 * Handle an access of an atomic instruction. While there is only one thread, QEMU reports a load
 * and a store; later it reports only a store.
 */
static void accessed_atomic(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			    void *data)
{
	if (INFO_STORE(info))
		report(access_word(STREAM_LOCK, info), address, (uintptr_t)data);
}

/* Handle an access of an atomic instruction for which the thread may have a turn. */
static void accessed_turn(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			  void *data)
{
	accessed_atomic(vcpu, info, address, data);
	if (INFO_STORE(info))
		atomics_after((uintptr_t)data);
}

static void turn_begins(unsigned int vcpu, void *data)
{
	atomics_before(data);
}

/* Handle an access of an atomic instruction with 16 bytes, which QEMU may store in two halves. */
static void accessed_pair(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			  void *data)
{
	if (INFO_STORE(info) && !(address & 15))
		report((uint64_t)STREAM_LOCK << STREAM_KIND_SHIFT | 4ULL << STREAM_SIZE_SHIFT,
		       address, (uintptr_t)data);
}

/*
 * Handle an access to the stack by an instruction whose number of accesses the decoder does not
 * know. @data: 1 if only stores count.
 */
static void accessed_stack(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			   void *data)
{
	if (!data || INFO_STORE(info))
		channel_left(channel_producer, STREAM_LEFT_STACK,
			     INFO_SIZE(info) > WORD_SIZE ? 1ULL << (INFO_SIZE(info) - WORD_SIZE)
							 : 1);
}

static void accessed_excluded(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			      void *data)
{
}

/*
 * Register callbacks for code that is not counted. If a block of counted code ends with an indirect
 * branch, QEMU 7.2 keeps the callback of this branch; it then calls it for each access that one of
 * QEMU's own functions makes for a later instruction. Therefore each instruction that QEMU may
 * execute in such a function needs a callback of its own, which does nothing.
 */
static void excluded_translated(struct qemu_plugin_tb *tb, size_t count)
{
	uint8_t bytes[PLUGIN_INSN_BYTES];
	struct qemu_plugin_insn *insn;
	size_t i;

	for (i = 0; i < count; i++) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		if (x86_decode(plugin_insn_bytes(insn, bytes), qemu_plugin_insn_size(insn), 0)
			    .helped)
			qemu_plugin_register_vcpu_mem_cb(insn, accessed_excluded,
							 QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
							 NULL);
	}
}

static bool is_of_thread(const struct x86_insn *insn)
{
	return insn->where == X86_STACK || insn->where == X86_CONTROL;
}

/*
 * Get the number of accesses of an instruction that are left out whatever their address is. The
 * callback of the block adds them, so the instruction needs no callback.
 * @object: the code is part of an object, so that a fixed address is an address of the object's own
 *          data or constants
 */
static uint64_t left_of(const struct x86_insn *insn, bool object)
{
	if (is_of_thread(insn) && !process.stacks)
		return (uint64_t)insn->accesses << BLOCK_STACK_SHIFT;
	if (insn->where == X86_FIXED && !process.constants && object &&
	    !address_ranges_find(&objects_data, insn->target, NULL))
		return (uint64_t)insn->accesses << BLOCK_CONSTANT_SHIFT;
	return 0;
}

static qemu_plugin_vcpu_mem_cb_t callback_of(const struct x86_insn *insn)
{
	/*
	 * Do not register a callback that is never called: QEMU would prepare for accesses around
	 * each helper function that the instruction calls.
	 */
	if (insn->where == X86_NOWHERE)
		return NULL;
	if (is_of_thread(insn) && !process.stacks)
		return accessed_stack;
	if (insn->pair)
		return accessed_pair;
	if (insn->returns)
		return accessed_turn;
	if (insn->operand_bytes)
		return accessed_operand;
	return insn->atomic ? accessed_atomic : accessed;
}

/* Register the callback that takes a turn before the instruction. */
static void turn_register(struct qemu_plugin_insn *insn, uint64_t behind, bool adds)
{
	struct atomic_site *site = atomics_site(qemu_plugin_insn_vaddr(insn), behind, adds);

	if (site)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, turn_begins, QEMU_PLUGIN_CB_NO_REGS,
						       site);
}

/*
 * Register the callbacks of an instruction.
 * @last: the block ends with a conditional jump or a return, and this instruction makes the last
 *        access before it that is reported
 *
 * Return: the accesses that the callback of the block counts instead.
 */
static uint64_t instruction_translated(struct qemu_plugin_insn *insn, uint64_t behind, bool object,
				       bool last)
{
	qemu_plugin_vcpu_mem_cb_t callback;
	uint8_t bytes[PLUGIN_INSN_BYTES];
	struct x86_insn decoded;
	uintptr_t data = behind;
	const uint8_t *code;
	uint64_t left;
	size_t size;

	code = plugin_insn_bytes(insn, bytes);
	size = qemu_plugin_insn_size(insn);
	host_data_translated(insn, code, size);
	decoded = x86_decode(code, size, qemu_plugin_insn_vaddr(insn));
	left = left_of(&decoded, object);
	if (left)
		return left;
	callback = callback_of(&decoded);
	if (last && callback == accessed)
		callback = accessed_last;
	if (callback == accessed_turn)
		turn_register(insn, behind, decoded.adds);
	if (callback == accessed_stack)
		data = decoded.atomic;
	if (callback == accessed_operand)
		data |= (uintptr_t)decoded.operand_bytes << OPERAND_SHIFT;
	/* Register the same callback for loads and stores, because QEMU 7.2 confuses the two. */
	if (callback)
		qemu_plugin_register_vcpu_mem_cb(insn, callback, QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_RW, (void *)data);
	return 0;
}

/*
 * If the block ends with a conditional jump or a return, get the index of the last instruction that
 * reports an access. Return: the index; @count if there is no such instruction, or if the block
 * ends in another way.
 */
static size_t last_access(struct qemu_plugin_tb *tb, size_t count)
{
	uint8_t bytes[PLUGIN_INSN_BYTES];
	struct qemu_plugin_insn *insn;
	struct x86_insn decoded;
	size_t i;

	insn = qemu_plugin_tb_get_insn(tb, count - 1);
	if (!x86_chooses(plugin_insn_bytes(insn, bytes), qemu_plugin_insn_size(insn)))
		return count;
	/* The last instruction itself makes no access, or only an access to the stack. */
	for (i = count - 1; i-- > 0;) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		decoded = x86_decode(plugin_insn_bytes(insn, bytes), qemu_plugin_insn_size(insn),
				     qemu_plugin_insn_vaddr(insn));
		if (callback_of(&decoded) == accessed)
			return i;
	}
	return count;
}

/*
 * Get the number of instructions of a block. If an instruction crosses the end of the block's page,
 * QEMU 7.2 lists its first bytes as the last instruction of the block. But QEMU executes it as the
 * first instruction of the next block, so it is not counted here.
 */
static size_t instructions_of(struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb);
	uint8_t bytes[PLUGIN_INSN_BYTES];
	struct qemu_plugin_insn *last;
	uint64_t address;

	last = qemu_plugin_tb_get_insn(tb, count - 1);
	address = qemu_plugin_insn_vaddr(last);
	if (count > 1 && page_down(address) != page_down(address + INSN_BYTES_MAX - 1) &&
	    x86_is_cut(plugin_insn_bytes(last, bytes), qemu_plugin_insn_size(last)))
		count--;
	return count;
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);

/*
 * Request blocks from QEMU, or stop requesting them. Before the loader has linked the first
 * library, no counted code is executed. For each block that is passed to the tracer, QEMU prepares
 * calls, even if the tracer registers no callback, and this takes longer than the translation. So
 * the tracer requests no blocks until then.
 */
static void blocks_ask(qemu_plugin_id_t id)
{
	static bool asked = true;

	if (asked == !process.loading)
		return;
	asked = !process.loading;
	qemu_plugin_register_vcpu_tb_trans_cb(id, asked ? block_translated : NULL);
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	static _Atomic bool loaded;
	uint64_t start = qemu_plugin_tb_vaddr(tb);
	size_t count = instructions_of(tb);
	uint8_t bytes[PLUGIN_INSN_BYTES];
	struct qemu_plugin_insn *insn;
	bool excluded, linkage, object;
	uint64_t block;
	size_t i, last;

	if (!loaded) {
		loaded = true;
		if (process_loaded(start) < 0)
			_exit(127);
		blocks_ask(id);
	}
	excluded = address_ranges_find(&objects_excluded, start, NULL);
	linkage = address_ranges_find(&objects_linkage, start, NULL);
	/*
	 * A block is executed immediately after its translation. Code of libraries can be executed
	 * before the program's own code: for example, resolvers of indirect functions run while the
	 * loader links.
	 */
	if (!process.counting && (!excluded || start == process.entry) && !objects_own(start))
		process_begins(process.preloaded);
	if (excluded) {
		if (process.work)
			qemu_plugin_register_vcpu_tb_exec_cb(
				tb, block_begins, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)count);
		excluded_translated(tb, count);
		return;
	}
	object = address_ranges_find(&objects_text, start, NULL);
	/* QEMU ends a block at an instruction that it cannot decode. */
	insn = qemu_plugin_tb_get_insn(tb, count - 1);
	if (x86_is_avx512(plugin_insn_bytes(insn, bytes), qemu_plugin_insn_size(insn)))
		atomic_fetch_or(&stream->notes, STREAM_NOTE_AVX512);
	/*
	 * If constants are not counted, linkage code is not work, because it reads only constants.
	 */
	block = linkage && !process.work ? 0 : count;
	last = last_access(tb, count);
	for (i = 0; i < count; i++)
		block += instruction_translated(qemu_plugin_tb_get_insn(tb, i), count - 1 - i,
						object, i == last);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, block_callback(block), QEMU_PLUGIN_CB_NO_REGS,
					     (void *)(uintptr_t)block);
}

static void call_made(qemu_plugin_id_t id, unsigned int vcpu, int64_t number, uint64_t a1,
		      uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
		      uint64_t a8)
{
	const uint64_t args[6] = {a1, a2, a3, a4, a5, a6};

	syscalls_enter(number, args);
	blocks_ask(id);
}

static void call_done(qemu_plugin_id_t id, unsigned int vcpu, int64_t number, int64_t result)
{
	syscalls_leave(number, result);
	blocks_ask(id);
}

static void thread_ends(qemu_plugin_id_t id, unsigned int vcpu)
{
	process_thread_ends();
}

static void emulator_ends(qemu_plugin_id_t id, void *data)
{
	process_gone();
}

static bool install_layout(void)
{
	qemu_plugin_meminfo_t info, rw, size;

	for (rw = 1; rw <= 3; rw++) {
		for (size = 0; size <= 6; size++) {
			info = rw << 16 | size << 4;
			if (qemu_plugin_mem_size_shift(info) != INFO_SIZE(info) ||
			    qemu_plugin_mem_is_store(info) != INFO_STORE(info))
				return false;
		}
	}
	return true;
}

/**
 * struct continued - The options for a program that was started by execve(2): see
 * process_continues().
 */
struct continued {
	int program;
	int channel;
	int turns;
};

/*
 * Parse an option with a number. Return: 1; 0 if this is another option; -1 if the value is not a
 * number.
 */
static int install_number(const char *option, const char *name, int *out)
{
	size_t length = strlen(name);
	char *end;
	long number;

	if (strncmp(option, name, length) || option[length] != '=')
		return 0;
	option += length + 1;
	number = strtol(option, &end, 10);
	if (*end || end == option || number < 0 || number > 0x7fffffff)
		return -1;
	*out = (int)number;
	return 1;
}

static int install_numbers(const char *option, int *fd, struct continued *continued)
{
	int found = install_number(option, "fd", fd);

	if (!found)
		found = install_number(option, "program", &continued->program);
	if (!found)
		found = install_number(option, "channel", &continued->channel);
	if (!found)
		found = install_number(option, "turns", &continued->turns);
	return found;
}

static int install_option(const char *option, int *fd, struct continued *continued)
{
	int found = install_numbers(option, fd, continued);

	if (found)
		return found < 0 ? -1 : 0;
	if (!strcmp(option, "stacks=on") || !strcmp(option, "stacks=off")) {
		process.stacks = option[8] == 'n';
	} else if (!strcmp(option, "constants=on") || !strcmp(option, "constants=off")) {
		process.constants = option[11] == 'n';
	} else if (!strcmp(option, "libc=on") || !strcmp(option, "libc=off")) {
		process.libc = option[6] == 'n';
	} else if (!strcmp(option, "work=all") || !strcmp(option, "work=counted")) {
		process.work = option[5] == 'a';
	} else {
		return -1;
	}
	return 0;
}

static int install_stream(int fd)
{
	int err = fd < 0 ? -EBADF : channel_attach(fd);

	if (err == -EPROTO)
		message("file descriptor %d is not a trace stream: the plugin is for `smile run`",
			fd);
	else if (err == -EPROTONOSUPPORT)
		message("the trace stream of file descriptor %d is of another version: use the "
			"smile-tracer.so that was built together with smile",
			fd);
	else if (err < 0)
		message("cannot map the trace stream of file descriptor %d (fd=N): %s", fd,
			strerror(-err));
	return err;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	struct continued continued = {0, 0, 0};
	int fd = -1;
	int i, err;

	if (info->system_emulation || strcmp(info->target_name, "x86_64")) {
		message("cannot trace programs for %s: only for x86_64, in user mode",
			info->target_name);
		return -1;
	}
	plugin_version_set(info->version.cur);
	for (i = 0; i < argc; i++) {
		if (install_option(argv[i], &fd, &continued) < 0) {
			message("unknown option \"%s\": the options are fd=N, stacks=on, "
				"constants=off, libc=on and work=all",
				argv[i]);
			return -1;
		}
	}
	if (install_stream(fd) < 0)
		return -1;
	if (!install_layout()) {
		message("this QEMU reports accesses in an unknown way: use one of version 7.2 to "
			"10.0");
		return -1;
	}
	err = pages_init();
	if (err == 0)
		err = mappings_init();
	if (err < 0) {
		message("no room for the table of pages: %s. It needs 32 GB of addresses, but "
			"almost no memory: raise the limit (ulimit -v)",
			strerror(-err));
		return -1;
	}
	channel_init();
	follow_init();
	if (continued.program)
		process_continues((uint32_t)continued.program, (uint32_t)continued.channel,
				  (uint32_t)continued.turns);
	qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
	qemu_plugin_register_vcpu_syscall_cb(id, call_made);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, call_done);
	qemu_plugin_register_vcpu_exit_cb(id, thread_ends);
	qemu_plugin_register_atexit_cb(id, emulator_ends, NULL);
	if (!continued.program)
		atomic_store(&stream->ready, STREAM_LOADED);
	return 0;
}
