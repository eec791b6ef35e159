/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Decoder for x86-64 instructions, limited to the tracer's needs: which instructions are atomic,
 * and which have an operand that can only be on the stack or at one address. Only prefixes, opcode
 * and ModRM are decoded. Uses nothing else.
 */
#include "emu/tracer/x86.h"

/* A SIB byte without base and index. */
#define SIB_ABSOLUTE 0x25

enum x86_map {
	MAP_ONE,
	MAP_0F,
	MAP_0F38,
	MAP_0F3A,
};

/* A cursor over an instruction. */
struct cursor {
	const uint8_t *code;
	size_t bytes;
	size_t at;
	bool short_address; /* 32-bit addresses */
	bool segment; /* FS or GS */
	bool lock;
	bool wide; /* REX.W */
	bool index_high; /* REX.X */
	bool base_high; /* REX.B */
	enum x86_map map;
	uint8_t opcode;
};

static uint8_t cursor_next(struct cursor *c)
{
	return c->at < c->bytes ? c->code[c->at++] : 0;
}

static bool cursor_legacy(struct cursor *c, uint8_t byte)
{
	switch (byte) {
	case 0xf0:
		c->lock = true;
		return true;
	case 0x64:
	case 0x65:
		c->segment = true;
		return true;
	case 0x67:
		c->short_address = true;
		return true;
	case 0x66:
	case 0xf2:
	case 0xf3:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x26:
		return true;
	}
	return false;
}

/* VEX stores the high bits of the register numbers inverted. */
static void cursor_vex(struct cursor *c, bool three)
{
	uint8_t byte;

	c->map = MAP_0F;
	byte = cursor_next(c);
	if (three) {
		c->index_high = !(byte & 0x40);
		c->base_high = !(byte & 0x20);
		if ((byte & 0x1f) == 2)
			c->map = MAP_0F38;
		else if ((byte & 0x1f) == 3)
			c->map = MAP_0F3A;
		cursor_next(c);
	}
	c->opcode = cursor_next(c);
}

static void cursor_opcode(struct cursor *c)
{
	uint8_t byte = cursor_next(c);

	while (cursor_legacy(c, byte))
		byte = cursor_next(c);
	if ((byte & 0xf0) == 0x40) {
		c->wide = byte & 8;
		c->index_high = byte & 2;
		c->base_high = byte & 1;
		byte = cursor_next(c);
	}
	if (byte == 0xc4 || byte == 0xc5) {
		cursor_vex(c, byte == 0xc4);
		return;
	}
	c->opcode = byte;
	if (byte != 0x0f)
		return;
	c->map = MAP_0F;
	c->opcode = cursor_next(c);
	if (c->opcode == 0x38)
		c->map = MAP_0F38;
	else if (c->opcode == 0x3a)
		c->map = MAP_0F3A;
	else
		return;
	c->opcode = cursor_next(c);
}

/* Opcodes with a ModRM byte whose operand is the instruction's only memory access. */
static bool opcode_plain(const struct cursor *c)
{
	uint8_t o = c->opcode;

	/* The SIB byte of a gather instruction has another meaning. */
	if (c->map == MAP_0F38)
		return o < 0x90 || o > 0x93;
	if (c->map == MAP_0F3A)
		return true;
	if (c->map == MAP_0F)
		return (o >= 0x10 && o <= 0x17) || (o >= 0x28 && o <= 0x2f) ||
		       (o >= 0x40 && o <= 0x76) || (o >= 0x7c && o <= 0x7f) ||
		       (o >= 0x90 && o <= 0x9f) || (o >= 0xaf && o <= 0xc6) ||
		       (o >= 0xd0 && o <= 0xfe && o != 0xf7);
	if (o < 0x40)
		return (o & 7) < 4;
	/* FF also encodes push and call. The caller of this function checks the reg field. */
	return o == 0x63 || o == 0x69 || o == 0x6b || (o >= 0x80 && o <= 0x8b) || o == 0xc0 ||
	       o == 0xc1 || o == 0xc6 || o == 0xc7 || (o >= 0xd0 && o <= 0xd3) ||
	       (o >= 0xd8 && o <= 0xdf) || o == 0xf6 || o == 0xf7 || o == 0xfe;
}

/* Push, pop, call, return and leave access only the stack. */
static bool opcode_stack(const struct cursor *c)
{
	uint8_t o = c->opcode;

	if (c->map != MAP_ONE)
		return false;
	return (o >= 0x50 && o <= 0x5f) || o == 0x68 || o == 0x6a || o == 0x9c || o == 0x9d ||
	       o == 0xc2 || o == 0xc3 || o == 0xe8;
}

static int32_t offset_at(const struct cursor *c)
{
	uint8_t bytes[4] = {0};
	size_t i;

	for (i = 0; i < 4 && c->at + i < c->bytes; i++)
		bytes[i] = c->code[c->at + i];
	return (int32_t)((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			 (uint32_t)bytes[3] << 24);
}

struct x86_insn x86_decode(const uint8_t *code, size_t bytes, uint64_t address)
{
	struct cursor c = {.code = code, .bytes = bytes};
	struct x86_insn insn = {.where = X86_ANYWHERE};
	uint8_t modrm, sib, mod, rm;
	bool exchange, pair;

	cursor_opcode(&c);
	if (opcode_stack(&c)) {
		insn.where = X86_STACK;
		return insn;
	}
	exchange = c.map == MAP_ONE && (c.opcode == 0x86 || c.opcode == 0x87);
	pair = c.map == MAP_0F && c.opcode == 0xc7;
	if (!c.lock && !opcode_plain(&c))
		return insn;
	modrm = cursor_next(&c);
	mod = modrm >> 6;
	rm = modrm & 7;
	if (mod == 3) {
		if (opcode_plain(&c))
			insn.where = X86_NOWHERE;
		return insn;
	}
	insn.atomic = c.lock || exchange;
	insn.adds = c.lock && c.map == MAP_0F && (c.opcode == 0xc0 || c.opcode == 0xc1);
	insn.returns = exchange || insn.adds ||
		       (c.lock && c.map == MAP_0F && (c.opcode == 0xb0 || c.opcode == 0xb1));
	insn.pair = pair && c.wide && ((modrm >> 3) & 7) == 1;
	if (c.segment && !c.short_address && mod == 0 && rm == 4 &&
	    cursor_next(&c) == SIB_ABSOLUTE) {
		/* Thread-local data lies below it. */
		if (offset_at(&c) >= 0)
			insn.where = X86_NOWHERE;
		return insn;
	}
	if (c.short_address || c.segment)
		return insn;
	if (mod == 0 && rm == 5) {
		insn.where = X86_FIXED;
		insn.target = address + bytes + (uint64_t)(int64_t)offset_at(&c);
	} else if (rm == 4) {
		sib = cursor_next(&c);
		/* Base RSP and no index register. */
		if ((sib & 7) == 4 && !c.base_high && ((sib >> 3) & 7) == 4 && !c.index_high)
			insn.where = X86_STACK;
	}
	return insn;
}

bool x86_is_avx512(const uint8_t *code, size_t bytes)
{
	struct cursor c = {.code = code, .bytes = bytes};

	while (c.at < bytes && cursor_legacy(&c, code[c.at]))
		c.at++;
	return cursor_next(&c) == 0x62;
}
