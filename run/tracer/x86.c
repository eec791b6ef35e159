/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A decoder for x86-64 instructions.
 *
 * What lives here: functions that tell whether an instruction is atomic, whether its operand can
 * only be on the stack or only at one address, and how many accesses the instruction makes. Only
 * prefixes, opcode and ModRM are decoded. The file uses nothing else.
 */
#include "run/tracer/x86.h"

/* A SIB byte without base and index. */
#define SIB_ABSOLUTE 0x25

enum x86_map {
	MAP_ONE,
	MAP_0F,
	MAP_0F38,
	MAP_0F3A,
};

/* struct cursor - A position in an instruction, with the data that was decoded so far. */
struct cursor {
	const uint8_t *code;
	size_t bytes;
	size_t at;
	bool short_address; /* addresses have 32 bits */
	bool segment; /* the segment is FS or GS */
	bool lock;
	bool wide; /* REX.W or VEX.W */
	bool index_high; /* REX.X */
	bool base_high; /* REX.B */
	bool vex;
	bool long_vector; /* vectors of 32 bytes */
	/* 66, F3, F2, or 0; it selects one of the instructions with the same opcode */
	uint8_t prefix;
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
	case 0xf2:
	case 0xf3:
		c->prefix = byte;
		return true;
	case 0x66:
		if (!c->prefix)
			c->prefix = byte;
		return true;
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x26:
		return true;
	}
	return false;
}

/* Read bytes up to the first one that is not a legacy prefix, and return that byte. */
static uint8_t cursor_first(struct cursor *c)
{
	uint8_t byte = cursor_next(c);

	while (cursor_legacy(c, byte))
		byte = cursor_next(c);
	return byte;
}

/* Read a VEX prefix and the opcode. VEX stores the high bits of register numbers inverted. */
static void cursor_vex(struct cursor *c, bool three)
{
	static const uint8_t prefixes[] = {0, 0x66, 0xf3, 0xf2};
	uint8_t byte;

	c->vex = true;
	c->map = MAP_0F;
	byte = cursor_next(c);
	if (three) {
		c->index_high = !(byte & 0x40);
		c->base_high = !(byte & 0x20);
		if ((byte & 0x1f) == 2)
			c->map = MAP_0F38;
		else if ((byte & 0x1f) == 3)
			c->map = MAP_0F3A;
		byte = cursor_next(c);
		c->wide = byte & 0x80;
	}
	c->prefix = prefixes[byte & 3];
	c->long_vector = byte & 4;
	c->opcode = cursor_next(c);
}

static void cursor_opcode(struct cursor *c)
{
	uint8_t byte = cursor_first(c);

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

/* Check whether the instruction has a ModRM byte whose operand is its only memory access. */
static bool opcode_plain(const struct cursor *c)
{
	uint8_t o = c->opcode;

	/* In a gather instruction, the SIB byte has another meaning. */
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
	/*
	 * FF also encodes push and call, which access the stack as well. Only its jumps are plain.
	 */
	if (o == 0xff)
		return c->at < c->bytes && ((c->code[c->at] >> 3) & 7) == 4;
	return o == 0x63 || o == 0x69 || o == 0x6b || (o >= 0x80 && o <= 0x8b) || o == 0xc0 ||
	       o == 0xc1 || o == 0xc6 || o == 0xc7 || (o >= 0xd0 && o <= 0xd3) ||
	       (o >= 0xd8 && o <= 0xdf) || o == 0xf6 || o == 0xf7 || o == 0xfe;
}

/*
 * Check whether the instruction accesses only the stack, as push, pop, call, return and leave do.
 */
static bool opcode_stack(const struct cursor *c)
{
	uint8_t o = c->opcode;

	if (c->map != MAP_ONE)
		return false;
	return (o >= 0x50 && o <= 0x5f) || o == 0x68 || o == 0x6a || o == 0x9c || o == 0x9d ||
	       o == 0xc2 || o == 0xc3 || o == 0xc9 || o == 0xe8;
}

/*
 * Check whether QEMU may execute the instruction in a function. It may do so for exchanges, for
 * instructions that save the processor's state, for floating point of 80 bits, and for vectors with
 * a mask.
 */
static bool opcode_helped(const struct cursor *c)
{
	uint8_t o = c->opcode;

	if (c->map == MAP_ONE)
		return o == 0x86 || o == 0x87 || (o >= 0xd8 && o <= 0xdf);
	if (c->map == MAP_0F)
		return o == 0xae || o == 0xc7 || o == 0xf7;
	return c->vex && c->map == MAP_0F38;
}

/*
 * Get the number of accesses of an instruction of the one-byte map with a plain operand; 0 if it is
 * not known. @reg: the reg field of its ModRM byte.
 */
static unsigned int accesses_one(uint8_t o, unsigned int reg)
{
	/* add, or, ..., and cmp, which does not write */
	if (o < 0x40)
		return (o & 7) < 2 && o < 0x38 ? 2 : 1;
	if (o == 0x80 || o == 0x81 || o == 0x83)
		return reg == 7 ? 1 : 2;
	if (o == 0xf6 || o == 0xf7)
		return reg == 2 || reg == 3 ? 2 : 1;
	if (o == 0xfe)
		return 2;
	/* a jump */
	if (o == 0xff)
		return 1;
	if (o == 0x63 || o == 0x69 || o == 0x6b || o == 0x84 || o == 0x85 ||
	    (o >= 0x88 && o <= 0x8b) || o == 0xc6 || o == 0xc7)
		return 1;
	return 0;
}

/*
 * Get the number of accesses of an SSE or AVX instruction. @number: its operand is one number, not
 * a vector.
 */
static unsigned int accesses_vector(const struct cursor *c, bool number)
{
	if (number)
		return 1;
	return c->long_vector ? 4 : 2;
}

/*
 * Get the number of accesses of an instruction of the map 0F; 0 if it is not known, as for MMX and
 * for conversions.
 */
static unsigned int accesses_0f(const struct cursor *c)
{
	const bool number = c->prefix == 0xf2 || c->prefix == 0xf3;
	uint8_t o = c->opcode;

	if (!c->vex && ((o >= 0x40 && o <= 0x4f) || (o >= 0x90 && o <= 0x9f) || o == 0xaf ||
			o == 0xb6 || o == 0xb7 || o == 0xbe || o == 0xbf))
		return 1;
	if (o == 0x10 || o == 0x11 || o == 0x51 || o == 0x58 || o == 0x59 ||
	    (o >= 0x5c && o <= 0x5f))
		return accesses_vector(c, number);
	if (o == 0x2e || o == 0x2f)
		return 1;
	if (o == 0x2a || o == 0x2c || o == 0x2d || o == 0x5a)
		return number;
	if (o == 0x28 || o == 0x29 || o == 0x54 || o == 0x56 || o == 0x57)
		return number ? 0 : accesses_vector(c, false);
	if (o == 0x6f || o == 0x7f)
		return c->prefix == 0x66 || c->prefix == 0xf3 ? accesses_vector(c, false) : 0;
	if (o == 0x6e || o == 0xd6)
		return c->prefix == 0x66;
	if (o == 0x7e)
		return c->prefix == 0x66 || c->prefix == 0xf3;
	/* integer instructions, such as pand and paddd */
	if ((o >= 0xd4 && o <= 0xfe) && c->prefix == 0x66 && o != 0xd7 && o != 0xe6)
		return accesses_vector(c, false);
	return 0;
}

/*
 * Get the number of bytes of an operand of which QEMU reads more: of one number, QEMU reads a whole
 * vector; of half a vector, it reads the vector; and of the 16 bytes that hold the distance of a
 * shift, it reads 32. Return: 0 if QEMU reads only the operand.
 */
static unsigned int operand_bytes(const struct cursor *c)
{
	uint8_t o = c->opcode;

	/* the scalar forms of vfmadd, vfmsub, vfnmadd and vfnmsub */
	if (c->vex && c->map == MAP_0F38 && o >= 0x90 && o <= 0xbf && (o & 15) >= 9 && (o & 1))
		return c->wide ? 8 : 4;
	if (c->map != MAP_0F)
		return 0;
	/* cvtdq2pd */
	if (o == 0xe6 && c->prefix == 0xf3)
		return c->long_vector ? 16 : 8;
	/* vpsrlw, vpsrld, vpsrlq, vpsraw, vpsrad, vpsllw, vpslld and vpsllq */
	if (c->long_vector && c->prefix == 0x66 &&
	    ((o >= 0xd1 && o <= 0xd3) || o == 0xe1 || o == 0xe2 || (o >= 0xf1 && o <= 0xf3)))
		return 16;
	return 0;
}

/*
 * Get the number of accesses of an instruction that is not atomic; 0 if it is not known. The
 * accesses of all other instructions are counted when they are executed.
 */
static unsigned int accesses_of(const struct cursor *c, uint8_t modrm)
{
	if (c->map == MAP_ONE)
		return accesses_one(c->opcode, (modrm >> 3) & 7);
	return c->map == MAP_0F ? accesses_0f(c) : 0;
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
	bool exchange, pair, plain;

	cursor_opcode(&c);
	if (opcode_stack(&c)) {
		insn.where = X86_STACK;
		insn.accesses = 1;
		return insn;
	}
	insn.helped = c.lock || opcode_helped(&c);
	exchange = c.map == MAP_ONE && (c.opcode == 0x86 || c.opcode == 0x87);
	pair = c.map == MAP_0F && c.opcode == 0xc7;
	plain = opcode_plain(&c);
	if (!c.lock && !plain)
		return insn;
	modrm = cursor_next(&c);
	mod = modrm >> 6;
	rm = modrm & 7;
	if (mod == 3) {
		if (plain)
			insn.where = X86_NOWHERE;
		return insn;
	}
	insn.atomic = c.lock || exchange;
	insn.adds = c.lock && c.map == MAP_0F && (c.opcode == 0xc0 || c.opcode == 0xc1);
	insn.returns = exchange || insn.adds ||
		       (c.lock && c.map == MAP_0F && (c.opcode == 0xb0 || c.opcode == 0xb1));
	insn.pair = pair && c.wide && ((modrm >> 3) & 7) == 1;
	if (plain && !insn.atomic) {
		insn.operand_bytes = operand_bytes(&c);
		insn.accesses =
			insn.operand_bytes ? (insn.operand_bytes + 7) / 8 : accesses_of(&c, modrm);
	}
	if (c.segment && !c.short_address && mod == 0 && rm == 4 &&
	    cursor_next(&c) == SIB_ABSOLUTE) {
		/* Thread-local data has negative offsets, because it is below the control block. */
		if (offset_at(&c) >= 0)
			insn.where = X86_CONTROL;
		return insn;
	}
	if (c.short_address || c.segment)
		return insn;
	if (mod == 0 && rm == 5) {
		insn.where = X86_FIXED;
		insn.target = address + bytes + (uint64_t)(int64_t)offset_at(&c);
	} else if (rm == 4) {
		sib = cursor_next(&c);
		/* The base is RSP, and there is no index. */
		if ((sib & 7) == 4 && !c.base_high && ((sib >> 3) & 7) == 4 && !c.index_high)
			insn.where = X86_STACK;
	}
	return insn;
}

static bool has_modrm(const struct cursor *c)
{
	uint8_t o = c->opcode;

	if (c->map == MAP_ONE)
		return (o < 0x40 && (o & 7) < 4) || o == 0x63 || o == 0x69 || o == 0x6b ||
		       (o >= 0x80 && o <= 0x8f) || o == 0xc0 || o == 0xc1 || o == 0xc6 ||
		       o == 0xc7 || (o >= 0xd0 && o <= 0xd3) || (o >= 0xd8 && o <= 0xdf) ||
		       o == 0xf6 || o == 0xf7 || o == 0xfe || o == 0xff;
	if (c->map == MAP_0F)
		return !((o >= 0x05 && o <= 0x0b) || (o >= 0x30 && o <= 0x37) || o == 0x77 ||
			 (o >= 0x80 && o <= 0x8f) || (o >= 0xa0 && o <= 0xa2) ||
			 (o >= 0xa8 && o <= 0xaa) || (o >= 0xc8 && o <= 0xcf));
	return true;
}

/*
 * Get the size in bytes of the constant at the end of an instruction. @whole: the size of constants
 * that are longer than a byte.
 */
static size_t constant_bytes(const struct cursor *c, uint8_t modrm, size_t whole)
{
	bool test = ((modrm >> 3) & 7) < 2;
	uint8_t o = c->opcode;

	if (c->map == MAP_0F3A)
		return 1;
	if (c->map == MAP_0F)
		return o >= 0x80 && o <= 0x8f
			       ? 4
			       : (o >= 0x70 && o <= 0x73) || o == 0xa4 || o == 0xac || o == 0xba ||
					 o == 0xc2 || (o >= 0xc4 && o <= 0xc6);
	if (c->map != MAP_ONE)
		return 0;
	if (o >= 0xb8 && o <= 0xbf)
		return c->wide ? 8 : whole;
	if ((o < 0x40 && (o & 7) == 5) || o == 0x68 || o == 0x69 || o == 0x81 || o == 0xa9 ||
	    o == 0xc7 || (o == 0xf7 && test))
		return whole;
	if (o == 0xe8 || o == 0xe9)
		return 4;
	if (o >= 0xa0 && o <= 0xa3)
		return c->short_address ? 4 : 8;
	if (o == 0xc2 || o == 0xc8)
		return o == 0xc2 ? 2 : 3;
	return (o < 0x40 && (o & 7) == 4) || o == 0x6a || o == 0x6b || (o >= 0x70 && o <= 0x7f) ||
	       o == 0x80 || o == 0x83 || o == 0xa8 || (o >= 0xb0 && o <= 0xb7) || o == 0xc0 ||
	       o == 0xc1 || o == 0xc6 || o == 0xcd || (o >= 0xe0 && o <= 0xe7) || o == 0xeb ||
	       (o == 0xf6 && test);
}

bool x86_is_cut(const uint8_t *code, size_t bytes)
{
	struct cursor c = {.code = code, .bytes = bytes};
	uint8_t modrm = 0, sib = 0;
	size_t rest = 0;

	cursor_opcode(&c);
	/* A missing byte is read as 0. An instruction with opcode 00 has more bytes. */
	if (c.at == bytes && c.map == MAP_ONE && !c.opcode)
		return true;
	if (has_modrm(&c)) {
		if (c.at == bytes)
			return true;
		modrm = cursor_next(&c);
		if (modrm >> 6 != 3 && (modrm & 7) == 4) {
			if (c.at == bytes)
				return true;
			sib = cursor_next(&c);
		}
		if (modrm >> 6 == 1)
			rest = 1;
		else if (modrm >> 6 == 2 ||
			 (modrm >> 6 == 0 && ((modrm & 7) == 5 || (sib & 7) == 5)))
			rest = 4;
	}
	return bytes - c.at < rest + constant_bytes(&c, modrm, c.prefix == 0x66 ? 2 : 4);
}

bool x86_is_avx512(const uint8_t *code, size_t bytes)
{
	struct cursor c = {.code = code, .bytes = bytes};

	return cursor_first(&c) == 0x62;
}

enum x86_asks x86_asks(const uint8_t *code, size_t bytes)
{
	struct cursor c = {.code = code, .bytes = bytes};
	uint8_t byte;

	byte = cursor_first(&c);
	if ((byte & 0xf0) == 0x40)
		byte = cursor_next(&c);
	if (byte != 0x0f)
		return X86_ASKS_NOTHING;
	byte = cursor_next(&c);
	if (byte == 0x31)
		return X86_ASKS_TIME;
	if (byte == 0x01)
		return cursor_next(&c) == 0xf9 ? X86_ASKS_TIME : X86_ASKS_NOTHING;
	/* The operand is a register, and the instruction is /6 or /7 of this group. */
	return byte == 0xc7 && cursor_next(&c) >= 0xf0 ? X86_ASKS_RANDOM : X86_ASKS_NOTHING;
}

bool x86_chooses(const uint8_t *code, size_t bytes)
{
	struct cursor c = {.code = code, .bytes = bytes};
	uint8_t byte;

	byte = cursor_first(&c);
	if (byte == 0x0f)
		return (cursor_next(&c) & 0xf0) == 0x80;
	return (byte & 0xf0) == 0x70 || (byte & 0xfc) == 0xe0 || byte == 0xc3;
}
