// SPDX-License-Identifier: MIT
// Subject: the sums of one variable or region: its pages, its nodes by address, its members, its ranges.

/** If a variable has more pages, neighbouring pages share a column. */
const VARIABLE_COLUMNS_MAX = 96;

function subjectKey(s) {
	return `${s.name}@${hex(s.start)}`;
}

/** Indices of the variable's pages, ascending. */
function subjectPages(s) {
	const bytes = model.doc.page_bytes,
		pages = [];
	for (const [start, size] of s.pieces) {
		const last = Math.floor((start + size - 1) / bytes);
		for (let page = pageFrom(Math.floor(start / bytes)); page < model.count && model.number[page] <= last; page++)
			if (!pages.length || page > pages.at(-1)) pages.push(page);
	}
	return pages;
}

/** The part of the variable in a range of its pages: rows of an array, or the offset in the variable. */
function subjectPart(s, first, last) {
	const bytes = model.doc.page_bytes,
		[begin] = s.pieces[0],
		[at, size] = s.pieces.at(-1),
		start = Math.max(begin, model.number[first] * bytes),
		end = Math.min(at + size, (model.number[last] + 1) * bytes);
	if (s.variable && isDeclared(s.variable) && s.variable.shape !== undefined) {
		const from = placeAt(start),
			to = placeAt(end - 1);
		if (from && to)
			return from.name === to.name || from.start === to.start
				? from.name
				: `${from.name} – ${placeAt(to.start).name}`;
	}
	return `${s.name} + ${hex(start - begin)}`;
}

/** The variable's accesses by [column][node], with the home of most pages of each column. */
function subjectColumns(s, pages) {
	const columns = Math.min(pages.length, VARIABLE_COLUMNS_MAX),
		width = model.nodes + 1,
		edges = [],
		homes = [],
		sums = new Float64Array(columns * width);
	for (let i = 0; i <= columns; i++) edges.push(Math.floor((pages.length * i) / columns));
	for (let i = 0; i < columns; i++) {
		const lie = new Map();
		for (let k = edges[i]; k < edges[i + 1]; k++) {
			const page = pages[k];
			lie.set(model.home[page], (lie.get(model.home[page]) || 0) + 1);
			for (let row = model.rowStart[page]; row < model.rowStart[page + 1]; row++)
				sums[i * width + model.rowNode[row]] +=
					model.rowReads[row] +
					model.rowWrites[row] +
					model.rowLocks[row] +
					model.rowOther[row];
		}
		homes.push([...lie].sort((a, b) => b[1] - a[1])[0][0]);
	}
	return {columns, width, edges, homes, sums};
}

/** The variable's counts within pages: {address, bytes, node, type, n}..., and the number of pages with counts. */
function subjectCounts(s, pages) {
	const bytes = model.doc.page_bytes,
		list = [];
	let reported = 0;
	const inside = (start, end) =>
		s.pieces.some(([at, size]) => at <= start && end <= at + size);
	for (const page of pages) {
		const details = detailsOf(page, "ranges");
		if (!details) continue;
		reported++;
		for (const [block, node, type, n] of details) {
			const row = 2 ** Math.floor(Math.log2(block)),
				size = bytes / row,
				address = model.number[page] * bytes + (block - row) * size;
			if (inside(address, address + size))
				list.push({address, bytes: size, node, type, n});
		}
	}
	return {list, reported};
}

/** A name without its indices: matrix[][], points()%y. */
function patternOf(name) {
	return name.replace(/\[-?\d+\]/g, "[ ]").replace(/\(-?\d+(,-?\d+)*\)/g, "( )");
}

function kindAdd(sums, type, n) {
	sums[["other", "reads", "writes", "locks"][type]] += n;
	sums.all += n;
}

const noKinds = () => ({all: 0, reads: 0, writes: 0, locks: 0, other: 0});

/** Accesses by member, over all items. */
function membersOf(counts) {
	const sums = new Map();
	for (const c of counts) {
		const first = patternOf(placeAt(c.address)?.name || ""),
			last = patternOf(placeAt(c.address + c.bytes - 1)?.name || ""),
			name =
				first.replace(/\+\d+$/, "") === last.replace(/\+\d+$/, "")
					? first.replace(/\+\d+$/, "")
					: `${first} … ${last}`;
		if (!sums.has(name)) sums.set(name, {name, ...noKinds()});
		kindAdd(sums.get(name), c.type, c.n);
	}
	return [...sums.values()].sort((a, b) => b.all - a.all);
}

/** The ranges with the most accesses. */
function rangesOf(counts) {
	const sums = new Map();
	for (const c of counts) {
		// The key is a text, since a number would need more than 53 bits.
		const key = `${c.address}:${c.bytes}`;
		if (!sums.has(key))
			sums.set(key, {
				address: c.address,
				bytes: c.bytes,
				nodes: new Map(),
				...noKinds(),
			});
		const sum = sums.get(key);
		kindAdd(sum, c.type, c.n);
		sum.nodes.set(c.node, (sum.nodes.get(c.node) || 0) + c.n);
	}
	return [...sums.values()].sort((a, b) => b.all - a.all);
}

function topNodesText(nodes) {
	return [...nodes]
		.sort((a, b) => b[1] - a[1])
		.slice(0, 3)
		.map(([node, n]) => `${nodeName(node)}: ${tally(n, short)}`)
		.join(", ");
}
