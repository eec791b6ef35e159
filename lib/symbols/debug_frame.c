/* SPDX-License-Identifier: MIT */
/*
 * Debug: reads the debug information of a file about the frames of functions.
 *
 * What lives here: the search for the function that contains an instruction, and for the offsets of
 * its variables and parameters in a frame. A variable has no address for this code if it is in a
 * register, if it is in several parts, or if its location depends on the program's memory. See
 * object.h.
 */
#include <dwarf.h>
#include <stdio.h>

#include "lib/symbols/debug.h"

#define REGISTER_BP 6
#define REGISTER_SP 7

/* ---- locations ------------------------------------------------------------------------------- */

/*
 * Get the location that is valid in the frame. A single location, which is not in a list, is valid
 * wherever the variable exists. The variable may be in a block that the function is not executing
 * at present, but its offset in the frame is the same. If a frame is known only from the entry of
 * its function, a list of locations cannot be used.
 */
static int location(const struct debug_frame *frame, Dwarf_Die *die, unsigned int name,
		    Dwarf_Op **operations, size_t *count)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, name, &attribute))
		return 0;
	if (!frame->frame->sp && (dwarf_whatform(&attribute) == DW_FORM_sec_offset ||
				  dwarf_whatform(&attribute) == DW_FORM_loclistx ||
				  dwarf_whatform(&attribute) == DW_FORM_data4))
		return 0;
	return dwarf_getlocation_addr(&attribute, frame->function->pc, operations, count, 1) == 1 &&
	       *count;
}

static int register_value(const struct Monitor_stack_frame *frame, unsigned int number,
			  uint64_t *value)
{
	if (!frame->sp || (number != REGISTER_BP && number != REGISTER_SP))
		return 0;
	*value = number == REGISTER_BP ? frame->bp : frame->sp;
	return 1;
}

static int frame_base(const struct debug_frame *frame, uint64_t *base)
{
	Dwarf_Die function = frame->function->die;
	Dwarf_Op *operations;
	size_t count;
	int known;

	if (!location(frame, &function, DW_AT_frame_base, &operations, &count))
		return 0;
	switch (operations[0].atom) {
	case DW_OP_call_frame_cfa:
		*base = frame->frame->cfa;
		return count == 1;
	case DW_OP_reg6:
	case DW_OP_reg7:
		return count == 1 &&
		       register_value(frame->frame, operations[0].atom - DW_OP_reg0, base);
	case DW_OP_breg6:
	case DW_OP_breg7:
		known = register_value(frame->frame, operations[0].atom - DW_OP_breg0, base);
		*base += known ? operations[0].number : 0;
		return known && count == 1;
	default:
		return 0;
	}
}

int smile_debug_frame_address(const struct debug_frame *frame, Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Op *operations;
	size_t count;
	int known;

	if (!location(frame, die, DW_AT_location, &operations, &count))
		return 0;
	switch (operations[0].atom) {
	case DW_OP_fbreg:
		known = frame_base(frame, address);
		break;
	case DW_OP_breg6:
	case DW_OP_breg7:
		known = register_value(frame->frame, operations[0].atom - DW_OP_breg0, address);
		break;
	default:
		return 0;
	}
	if (!known)
		return 0;
	*address += operations[0].number;
	if (count == 2 && operations[1].atom == DW_OP_plus_uconst)
		*address += operations[1].number;
	else if (count != 1)
		return 0;
	return 1;
}

/* ---- the function --------------------------------------------------------------------------- */

/*
 * Return whether a DIE can contain functions. Some compilers put the DIE of a function into the DIE
 * of another function, although its addresses are outside the other function.
 */
static int holds_functions(int tag)
{
	return smile_debug_is_scope(tag) || tag == DW_TAG_lexical_block;
}

/*
 * Find the function that contains @pc, and not a function that was inlined into it. Return: 1; 0 if
 * no function contains @pc.
 */
static int function_of(Dwarf_Die *die, Dwarf_Addr pc, Dwarf_Die *function, int depth)
{
	Dwarf_Die child;

	if (depth >= DEBUG_DEPTH || dwarf_child(die, &child))
		return 0;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram && dwarf_haspc(&child, pc) > 0) {
			*function = child;
			return 1;
		}
		if (holds_functions(tag) && function_of(&child, pc, function, depth + 1))
			return 1;
	} while (!dwarf_siblingof(&child, &child));
	return 0;
}

int smile_debug_function_of(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *function)
{
	return function_of(unit, pc, function, 0);
}

void smile_debug_function(struct object *object, uint64_t address, struct object_function *function)
{
	Dwarf_Addr at = address - object->bias, bias = 0;
	const char *symbol;
	Dwarf_Die unit, root;
	int known;

	*function = (struct object_function){.name = ""};
	if (!object->module)
		return;
	known = smile_debug_unit_at(object, at, &unit, &bias);
	if (known)
		root = smile_debug_unit(&unit);
	if (known && smile_debug_function_of(&root, at - bias, &function->die)) {
		function->known = 1;
		function->pc = at - bias;
		function->fortran = smile_debug_is_fortran(&root);
		smile_debug_name(&function->die, function->name, sizeof(function->name));
		return;
	}
	symbol = dwfl_module_addrname(object->module, at);
	if (symbol)
		smile_symbol_name(symbol, function->name);
}

int smile_debug_frame(const struct object_function *function,
		      const struct Monitor_stack_frame *frame, object_variable_found *found,
		      void *opaque)
{
	const struct debug_frame own = {.frame = frame, .function = function};
	const struct debug_walk walk = {
		.fortran = function->fortran,
		.frame = &own,
		.found = found,
		.opaque = opaque,
	};
	Dwarf_Die die = function->die;
	char scope[OBJECT_NAME_BYTES + 2];

	if (!function->known)
		return 0;
	snprintf(scope, sizeof(scope), "%s%s", function->name, *function->name ? "::" : "");
	return smile_debug_walk(&walk, &die, scope);
}
