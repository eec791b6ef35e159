// SPDX-License-Identifier: MIT
// Place: the data at an address, by its name in the source, and the address of a name.

/** Deeper types make no sense: in damaged debug information, a type can be a part of itself. */
const TYPE_DEPTH_MAX = 32;

/** Size of the largest number: a complex number, or a long double. */
const VALUE_BYTES_MAX = 16;

function typeOf(number) {
	return model.doc.types?.[number];
}

/** Indices of an item of an array, in the order of the source; null if it is outside. */
function indicesOf(type, item) {
	const last = type.dimensions.length - 1,
		index = [];
	for (let i = 0; i <= last; i++) {
		const at = type.fortran ? i : last - i,
			[lower, number] = type.dimensions[at];
		// The number of items of the slowest dimension need not be known.
		if (!number && i < last) return null;
		index[at] = lower + (number ? item % number : item);
		item = number ? Math.floor(item / number) : 0;
	}
	return item ? null : index;
}

function indexText(type, index) {
	return type.fortran ? `(${index.join(",")})` : index.map(i => `[${i}]`).join("");
}

/** The part of a type at an offset: its name behind the variable's name, its start and its bytes. */
function elementAt(number, offset) {
	const found = {text: "", start: 0, bytes: typeOf(number)?.bytes || 0, type: number};
	for (let depth = 0; depth < TYPE_DEPTH_MAX; depth++) {
		const type = typeOf(found.type);
		if (type?.dimensions) {
			const item = Math.floor(offset / type.item_bytes),
				index = indicesOf(type, item);
			if (!index) break;
			found.text += indexText(type, index);
			found.start += item * type.item_bytes;
			found.bytes = type.item_bytes;
			found.type = type.item;
			offset -= item * type.item_bytes;
			continue;
		}
		const member = type?.members?.find(
			([, at, bytes]) => at <= offset && offset < at + bytes,
		);
		if (!member) break;
		const [name, at, bytes, next] = member;
		if (name) found.text += (type.fortran ? "%" : ".") + name;
		found.start += at;
		found.bytes = bytes;
		found.type = next;
		offset -= at;
	}
	// In a union, between two members, or in a long text, the name ends with the offset.
	const type = typeOf(found.type),
		value =
			type &&
			!type.members &&
			!type.dimensions &&
			found.bytes > 0 &&
			found.bytes <= VALUE_BYTES_MAX;
	if (offset && !value) found.text += `+${offset}`;
	return found;
}

/** The name of memory on the heap: the block's number among the blocks of its site, and the offset in it. */
function blockAt(span, address) {
	const {variable, start, block, offset, each} = span,
		within = address - start + offset;
	if (block === undefined)
		return {
			text: address > start ? `+${address - start}` : "",
			start,
			bytes: span.end - start,
		};
	if (block < 0) return {text: "", start, bytes: span.end - start};
	const stride = variable.item_bytes || span.end - start + offset,
		item = Math.floor(within / stride);
	return {
		text: ` block ${block + item} +${within % stride}`,
		start: start - offset + item * stride,
		bytes: each,
	};
}

/** Does the source declare the variable, so that its type names the parts? */
function isDeclared(variable) {
	return variable.kind === "global" || variable.kind === "stack";
}

/** The data at an address: {name, start, bytes, type, span}; null if no variable lies there. */
function placeAt(address) {
	const span = pieceAt(address, 1);
	if (!span) return null;
	const {variable} = span,
		// The start that the piece would have if the variable did not share its memory.
		begin = span.start - (isDeclared(variable) ? span.offset || 0 : 0),
		offset = address - begin;
	if (isDeclared(variable) && variable.shape !== undefined) {
		const element = elementAt(variable.shape, offset);
		return {
			name: variable.name + element.text,
			start: begin + element.start,
			bytes: element.bytes || span.end - span.start,
			type: typeOf(element.type)?.name || "",
			span,
		};
	}
	if (variable.kind === "heap") {
		const found = blockAt(span, address);
		return {...found, name: variable.name + found.text, type: "", span};
	}
	const text = isDeclared(variable) ? (offset ? `+${offset}` : "") : `+${hex(offset)}`;
	return {
		name: variable.name + text,
		start: span.start,
		bytes: span.end - span.start,
		type: variable.type || "",
		span,
	};
}

/** The variables that lie in a range of memory, in order; at most @most of them. */
function spansIn(start, end, most) {
	const list = [];
	let at = spanFrom(start);
	while (at < model.spans.length && model.spans[at].start < end && list.length < most)
		list.push(model.spans[at++]);
	return list;
}

/** The names of the data in a range of memory: "a[0] – a[7]", or several of these; "" if no data has a name. */
function namesIn(start, end) {
	const spans = spansIn(start, end, 4),
		names = spans.slice(0, 3).map(span => {
			const first = placeAt(Math.max(start, span.start)),
				last = placeAt(Math.min(end, span.end) - 1);
			if (
				!isDeclared(span.variable) ||
				first.name === last.name ||
				first.start === last.start
			)
				return first.name;
			return `${first.name} – ${placeAt(last.start).name}`;
		});
	return names.join(", ") + (spans.length > 3 ? ", …" : "");
}

/* ---- from a name to its place ------------------------------------------------------------------ */

/** Variables that a text can begin with, the longest name first; parts in front of "::" may be left out. */
function variablesNamed(text) {
	const lower = text.toLowerCase(),
		list = [];
	for (const variable of model.doc.variables || [])
		for (const name of new Set([variable.name, variable.name.split("::").pop()]))
			if (
				lower.startsWith(name.toLowerCase()) &&
				!/^\w/.test(text.slice(name.length))
			)
				list.push([variable, text.slice(name.length), name.length]);
	return list.sort((a, b) => b[2] - a[2]);
}

/** A member by name, also of a base class or of a struct without a name: [offset, bytes, type]. */
function memberOf(type, name, depth) {
	for (const [member, at, bytes, next] of type?.members || []) {
		if (member.toLowerCase() === name.toLowerCase()) return [at, bytes, next];
		const inner =
			!member &&
			depth < TYPE_DEPTH_MAX &&
			memberOf(typeOf(next), name, depth + 1);
		if (inner) return [at + inner[0], inner[1], inner[2]];
	}
	return null;
}

/** One step into an array: the offset and bytes of an item, or of all items with these first indices. */
function stepIndices(type, index) {
	const dimensions = type.dimensions;
	if (index.length > dimensions.length)
		return `${index.length} indices for ${plural(dimensions.length, "dimension")}.`;
	if (type.fortran && index.length < dimensions.length)
		return `${index.length} indices for ${plural(dimensions.length, "dimension")}.`;
	let item = 0,
		items = 1;
	for (let i = 0; i < dimensions.length; i++) {
		const at = type.fortran ? dimensions.length - 1 - i : i,
			[lower, number] = dimensions[at];
		if (at >= index.length) {
			item *= number;
			items *= number;
			continue;
		}
		if (index[at] < lower || (number && index[at] >= lower + number))
			return `Index ${index[at]} is outside of ${lower} to ${lower + number - 1}.`;
		item = item * number + index[at] - lower;
	}
	return {
		offset: item * type.item_bytes,
		bytes: items * type.item_bytes,
		type: items === 1 || index.length === dimensions.length ? type.item : undefined,
	};
}

/** Follow the steps behind a variable's name: [12].pos.x, (3,4)%y, +24. Returns a place, or a text with the error. */
function stepsFollow(variable, rest) {
	const place = {offset: 0, bytes: variable.bytes, type: variable.shape};
	while (rest.trim()) {
		const type = typeOf(place.type),
			[all, c, fortran, member, plus] =
				/^\s*(?:((?:\[\s*-?\d+\s*\]\s*)+)|\(\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\)|[.%]\s*(\w+)|\+\s*(0x[0-9a-f]+|\d+))/i.exec(
					rest,
				) || [];
		if (!all)
			return `What does "${rest.trim()}" mean? An element looks like matrix[130][17] or points(12)%y.`;
		rest = rest.slice(all.length);
		if (plus) {
			place.offset += Number(plus);
			place.bytes = 1;
			place.type = undefined;
		} else if (member) {
			const found = memberOf(type, member, 0);
			if (!found)
				return `${type?.name || variable.name} has no member ${member}.`;
			place.offset += found[0];
			[, place.bytes, place.type] = found;
		} else {
			if (!type?.dimensions)
				return `${type?.name || variable.name} is no array whose items are known.`;
			let index = (c || fortran).match(/-?\d+/g).map(Number);
			// Indices behind those of the array are indices of its item, which may itself be an array.
			if (c && index.length > type.dimensions.length) {
				rest =
					index
						.slice(type.dimensions.length)
						.map(i => `[${i}]`)
						.join("") + rest;
				index = index.slice(0, type.dimensions.length);
			}
			const step = stepIndices(type, index);
			if (typeof step === "string") return step;
			place.offset += step.offset;
			place.bytes = step.bytes;
			place.type = step.type;
		}
	}
	return place;
}

/** The place of an address, or of a name with its steps: {address, bytes, name}, or {error}. */
function placeFind(text) {
	text = text.trim();
	if (/^(0x[0-9a-f]+|\d+)$/i.test(text)) {
		const address = Number(text),
			place = placeAt(address);
		return {address, bytes: place?.bytes || 1, start: place?.start ?? address, place};
	}
	let error = "";
	for (const [variable, rest] of variablesNamed(text)) {
		const [, block, offset] = /^ block (\d+)(?: \+(\d+))?$/.exec(rest) || [];
		const found = block
			? blockFind(variable, Number(block), Number(offset || 0))
			: stepsFollow(variable, rest);
		if (typeof found === "string") {
			error = error || found;
			continue;
		}
		const [first, , , into] = piecesOf(variable)[0],
			begin = first - (isDeclared(variable) ? into || 0 : 0),
			address = found.address ?? begin + found.offset,
			place =
				pieceAt(address, 1)?.variable === variable
					? placeAt(address)
					: null;
		if (!place) {
			error = error || `${variable.name} ends before that.`;
			continue;
		}
		const whole = found.bytes > place.bytes;
		return {
			address,
			start: address,
			bytes: found.bytes,
			place,
			name: whole ? text : place.name,
		};
	}
	const region = model.doc.regions.find(
		r => regionName(r).toLowerCase() === text.toLowerCase(),
	);
	if (region)
		return {
			address: region.start,
			start: region.start,
			bytes: region.end - region.start,
			place: null,
		};
	return {
		error:
			error ||
			`No accessed data has the name ${text}. An address looks like 0x10001234, an element like matrix[130][17].`,
	};
}

function blockFind(variable, block, offset) {
	for (const [start, bytes, first, into] of variable.pieces || []) {
		if (first === undefined || first < 0) continue;
		const stride = variable.item_bytes || bytes + into,
			address = start - into + (block - first) * stride + offset;
		if (block >= first && address >= start && address < start + bytes)
			return {address, bytes: 1};
	}
	return `This file does not have the address of block ${block} of ${variable.name}.`;
}
