// SPDX-License-Identifier: MIT
// Data: the document smile.view/1, unpacked into typed arrays.

/** All data that the windows show. */
let model = {ready: false};

function bytesOf(text) {
	if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
	const binary = atob(text),
		bytes = new Uint8Array(binary.length);
	for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/** Numbers in bytes of seven bits each, the lowest bits first. */
class Numbers {
	constructor(text) {
		this.bytes = bytesOf(text);
		this.at = 0;
	}
	get more() {
		return this.at < this.bytes.length;
	}
	next() {
		const bytes = this.bytes;
		let byte = bytes[this.at++],
			result = byte & 0x7f,
			weight = 128;
		while (byte & 0x80) {
			byte = bytes[this.at++];
			result += (byte & 0x7f) * weight;
			weight *= 128;
		}
		return result;
	}
	array(length) {
		const result = new Float64Array(length);
		for (let i = 0; i < length; i++) result[i] = this.next();
		return result;
	}
}

/**
* With caches in front of all memory, rows, groups and details count the transactions behind the
 * caches, since only these cost cycles. Accesses of processors are known by page.
 */
const behindCaches = () => "transactions" in model.doc.summary;

/** The unit that rows, groups and details count. */
const unit = () =>
	sampled()
		? `samples${behindCaches() ? " beyond the caches" : ""}`
		: behindCaches()
			? "transactions"
			: "accesses";

/** The cycles that these accesses would cost more if they were remote than if they were local. */
function costOf(reads, writes, locks, other) {
	const {remote_cycles: remote, local_cycles: local} = model.doc.latency,
		beyond = cycles => Math.max(0, cycles - local);
	return (
		(reads + other) * beyond(remote.read) +
		writes * beyond(remote.write) +
		locks * beyond(remote.lock)
	);
}

/** The arrays of each page and of each row that the windows use, with their types. */
const PAGE_ARRAYS = {
	number: Float64Array,
	accesses: Float64Array,
	counted: Float64Array,
	remote: Float64Array,
	reads: Float64Array,
	writes: Float64Array,
	locks: Float64Array,
	lost: Float64Array,
	gain: Float64Array,
	share: Float64Array,
	home: Uint16Array,
	best: Uint16Array,
	top: Uint16Array,
	region: Int32Array,
	wrong: Uint8Array,
};
const ROW_ARRAYS = {
	rowNode: Uint16Array,
	rowReads: Float64Array,
	rowWrites: Float64Array,
	rowLocks: Float64Array,
	rowOther: Float64Array,
};

/** For samples: indices of the pages on the wrong node, from their differences in the text. */
function misplacedOf(text) {
	const numbers = new Numbers(text),
		pages = new Set();
	for (let page = 0; numbers.more; ) pages.add((page += numbers.next()));
	return pages;
}

/** Unpack the data that the first screen needs. The pages are unpacked later, if at all. */
function modelBegin(doc) {
	Object.assign(model, {doc, nodes: doc.nodes, ready: false, texts: new Map()});
	model.count = doc.pages.count;
	model.rows = doc.pages.chunk_rows.reduce((sum, rows) => sum + rows, 0);
	model.transfers = new Numbers(doc.transfers).array(doc.nodes * doc.nodes);
	model.byNode = new Numbers(doc.groups.by_node).array(doc.groups.count * doc.nodes);
	model.byPhase = new Numbers(doc.groups.by_phase).array(
		doc.groups.count * doc.groups.phase_columns,
	);
	model.spans = (doc.variables || [])
		.flatMap(variable =>
			piecesOf(variable).map(([start, bytes, block, offset, each]) => ({
				start,
				end: start + bytes,
				variable,
				block,
				offset,
				each,
			})),
		)
		.sort((a, b) => a.start - b.start);
	model.details = new Map(doc.details.pages.map((page, i) => [page, i]));
	model.misplaced = doc.sampled ? misplacedOf(doc.sampled.misplaced) : null;
	modelRoom(0, 0);
}

/** Allocate empty arrays for pages and rows. */
function modelRoom(pages, rows) {
	Object.assign(model, {loaded: 0, rowsLoaded: 0, rowStart: new Uint32Array(pages + 1)});
	for (const [key, type] of Object.entries(PAGE_ARRAYS)) model[key] = new type(pages);
	for (const [key, type] of Object.entries(ROW_ARRAYS)) model[key] = new type(rows);
}

function pageSum(page) {
	let lost = 0,
		dearest = 0,
		own = 0,
		most = 0;
	const home = model.home[page];
	model.best[page] = model.top[page] = home;
	for (let row = model.rowStart[page]; row < model.rowStart[page + 1]; row++) {
		const node = model.rowNode[row],
			reads = model.rowReads[row],
			writes = model.rowWrites[row],
			locks = model.rowLocks[row],
			all = reads + writes + locks + model.rowOther[row];
		const cost = costOf(reads, writes, locks, model.rowOther[row]);
		model.reads[page] += reads;
		model.writes[page] += writes;
		model.locks[page] += locks;
		model.counted[page] += all;
		if (all > most && node < model.nodes) {
			most = all;
			model.top[page] = node;
		}
		if (node === home) {
			own = cost;
			continue;
		}
		model.remote[page] += all;
		lost += cost;
		if (cost > dearest && node < model.nodes) {
			dearest = cost;
			model.best[page] = node;
		}
	}
	model.lost[page] = lost;
	model.share[page] = most / model.counted[page] || 0;
	if (!behindCaches()) model.accesses[page] = model.counted[page];
	model.gain[page] = Math.max(0, dearest - own);
	const wrong = model.misplaced
		? model.misplaced.has(page)
		: dearest > own && dearest >= (lost + own) / 2;
	model.wrong[page] = wrong ? 1 : 0;
	if (model.misplaced && !wrong) model.gain[page] = 0;
}

/** Unpack the next text of pages: for each page, the difference of its number, home, region, accesses, rows. */
function chunkUnpack(text) {
	const numbers = new Numbers(text);
	let row = model.rowsLoaded,
		before = 0;
	for (let page = model.loaded; numbers.more; page++) {
		before = model.number[page] = before + numbers.next();
		model.home[page] = numbers.next();
		model.region[page] = numbers.next() - 1;
		if (behindCaches()) model.accesses[page] = numbers.next();
		model.rowStart[page] = row;
		for (let rows = numbers.next(); rows; rows--, row++) {
			const head = numbers.next();
			model.rowNode[row] = Math.floor(head / 16);
			if (head & 1) model.rowReads[row] = numbers.next();
			if (head & 2) model.rowWrites[row] = numbers.next();
			if (head & 4) model.rowLocks[row] = numbers.next();
			if (head & 8) model.rowOther[row] = numbers.next();
		}
		model.rowStart[page + 1] = row;
		model.loaded = page + 1;
		pageSum(page);
	}
	model.rowsLoaded = row;
}

/** Copy the pages of the next text from another model, which has unpacked it already. */
function chunkCopy(from, {page, pages, row, rows}) {
	const {loaded, rowsLoaded} = model;
	for (const key in PAGE_ARRAYS)
		model[key].set(from[key].subarray(page, page + pages), loaded);
	for (const key in ROW_ARRAYS)
		model[key].set(from[key].subarray(row, row + rows), rowsLoaded);
	for (let i = 0; i <= pages; i++)
		model.rowStart[loaded + i] = from.rowStart[page + i] - row + rowsLoaded;
	model.loaded += pages;
	model.rowsLoaded += rows;
}

/** Whether the same text has the same meaning in both models. */
function modelAlike(one, other) {
	const {latency} = one.doc;
	return (
		one.nodes === other.nodes &&
		JSON.stringify(latency) === JSON.stringify(other.doc.latency)
	);
}

/** Do @work while another model replaces the shown one. */
function modelWith(other, work) {
	const shown = model;
	model = other;
	try {
		work();
	} finally {
		model = shown;
	}
}

/** Time for the browser. */
const breath = () => new Promise(done => setTimeout(done));

/**
* Unpack all pages of @mine, with time for the browser in between: text(i) is a text or a promise of it.
 * Pages with the same keys in @last, another model or null, are copied from @last.
 */
async function modelUnpack(mine, text, last) {
	const {chunk_pages: counts, keys} = mine.doc.pages,
		known = last && modelAlike(mine, last) ? last.texts : new Map();
	modelWith(mine, () => modelRoom(mine.count, mine.rows));
	let until = performance.now() + 24;
	for (let i = 0; i < counts.length; i++) {
		const has = known.get(keys?.[i]),
			wanted = has ? null : await text(i),
			begin = {page: mine.loaded, row: mine.rowsLoaded};
		modelWith(mine, () => (has ? chunkCopy(last, has) : chunkUnpack(wanted)));
		if (keys)
			mine.texts.set(keys[i], {
				...begin,
				pages: mine.loaded - begin.page,
				rows: mine.rowsLoaded - begin.row,
			});
		if (performance.now() < until) continue;
		await breath();
		until = performance.now() + 24;
	}
	mine.ready = true;
}

/** A model of a document that is not shown yet. */
function modelOf(doc) {
	const next = {ready: false};
	modelWith(next, () => modelBegin(doc));
	return next;
}

/** The details of a page: [where, node, type, accesses]...; null if they were not kept. */
function detailsOf(page, kind) {
	const slot = model.details.get(page),
		list = [];
	if (slot === undefined) return null;
	const numbers = new Numbers(model.doc.details[kind][slot]);
	let where = 0;
	while (numbers.more) {
		where += numbers.next();
		const who = numbers.next();
		list.push([where, Math.floor(who / 4), who & 3, numbers.next()]);
	}
	return list;
}

/** The first of @count indices from which on @holds is true; @count if it is true for none. */
function firstOf(count, holds) {
	let low = 0,
		high = count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (holds(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** Index of the first of @count pages whose number is @number or higher; @count if there is none. */
function pageFrom(number, count = model.count) {
	return firstOf(count, page => model.number[page] >= number);
}

/** Index of the first span that ends behind @start. */
function spanFrom(start) {
	return firstOf(model.spans.length, i => model.spans[i].end > start);
}

/** Index of a page by number, and by home if the number is not unique; -1 if there is none. */
function pageFind(number, home) {
	for (let page = pageFrom(number, model.loaded); page < model.loaded && model.number[page] === number; page++)
		if (home === undefined || model.home[page] === home) return page;
	return -1;
}

/** Add the accesses by node of the groups @from to @to to @sums, from @at on. */
function groupsSum(sums, at, from, to) {
	const {nodes, byNode} = model;
	for (let g = from; g < to; g++)
		for (let node = 0; node < nodes; node++)
			sums[at + node] += byNode[g * nodes + node];
}

/** Add the accesses by node of the pages @from to @to to @sums, from @at on. */
function pagesSum(sums, at, from, to) {
	const {rowStart, rowNode, rowReads, rowWrites, rowLocks, rowOther} = model;
	for (let row = rowStart[from], end = rowStart[to]; row < end; row++)
		sums[at + rowNode[row]] +=
			rowReads[row] + rowWrites[row] + rowLocks[row] + rowOther[row];
}

/** Accesses by node of the pages @from to @to, which are divided into @columns stretches. */
function stretches(from, to, columns) {
	const width = model.nodes + 1,
		sums = new Float64Array(columns * width);
	const each = model.doc.groups.pages,
		edges = [];
	for (let i = 0; i <= columns; i++)
		edges.push(from + Math.floor(((to - from) * i) / columns));
	const whole =
		!model.ready || (model.doc.pages.rows_summed && (to - from) / columns >= each);
	for (let i = 0; i < columns; i++) {
		const [begin, end] = [edges[i], edges[i + 1]],
			first = Math.ceil(begin / each),
			last = whole ? Math.ceil(end / each) : Math.floor(end / each);
		if (whole) groupsSum(sums, i * width, first, last);
		else if (first >= last) pagesSum(sums, i * width, begin, end);
		else {
			/* The sums of whole groups are known: their pages need not be added up. */
			pagesSum(sums, i * width, begin, first * each);
			groupsSum(sums, i * width, first, last);
			pagesSum(sums, i * width, last * each, end);
		}
	}
	return {edges, sums, width, counts: edges.slice(1).map((edge, i) => edge - edges[i])};
}

/** The order of @indices by @keys, which are numbers of at least 0: a radix sort. */
function ordered(indices, keys, descending) {
	const n = indices.length,
		bits = new Uint32Array(2 * n),
		values = new Float64Array(bits.buffer);
	let from = indices,
		to = new Uint32Array(n),
		at = new Uint32Array(n),
		next = new Uint32Array(n);
	for (let i = 0; i < n; i++) {
		values[i] = keys[indices[i]];
		at[i] = i;
	}
	for (let digit = 0; digit < 4; digit++) {
		const counts = new Uint32Array(65537),
			word = digit >> 1,
			shift = (digit & 1) * 16;
		for (let i = 0; i < n; i++) counts[((bits[2 * i + word] >>> shift) & 65535) + 1]++;
		if (counts.some(c => c === n)) continue;
		for (let i = 0; i < 65536; i++) counts[i + 1] += counts[i];
		for (let i = 0; i < n; i++)
			next[counts[(bits[2 * at[i] + word] >>> shift) & 65535]++] = at[i];
		[at, next] = [next, at];
	}
	for (let i = 0; i < n; i++) to[i] = from[at[i]];
	if (descending) stableReverse(to, keys);
	return to;
}

/** Reverse an order, but keep indices with equal keys in their first order. */
function stableReverse(list, keys) {
	list.reverse();
	for (let i = 0; i < list.length;) {
		let end = i + 1;
		while (end < list.length && keys[list[end]] === keys[list[i]]) end++;
		list.subarray(i, end).reverse();
		i = end;
	}
}

/** Where a page lies: the element of a variable, or the region, and the page's offset in it. */
function whereOf(number, region) {
	const start = number * model.doc.page_bytes,
		piece = pieceAt(start, model.doc.page_bytes);
	if (piece) {
		const at = Math.max(start, piece.start);
		return piece.variable.shape === undefined
			? piece.variable.name +
					(at > piece.start ? ` + ${hex(at - piece.start)}` : "")
			: placeAt(at).name;
	}
	if (region < 0) return "–";
	const r = model.doc.regions[region];
	return regionName(r) + (start > r.start ? ` + ${hex(start - r.start)}` : "");
}

function regionName(r) {
	return r.kind === "named" || !r.name.includes("/")
		? r.name || r.kind
		: r.name.slice(r.name.lastIndexOf("/") + 1);
}

/** The memory of a variable: [first address, bytes] of each of its pieces. */
function piecesOf(variable) {
	return variable.pieces || [[variable.start, variable.bytes]];
}

/** The piece of a variable that covers most of a piece of memory; undefined if no variable lies there. */
function pieceAt(start, bytes) {
	let found,
		most = 0;
	for (let i = spanFrom(start); i < model.spans.length && model.spans[i].start < start + bytes; i++) {
		const span = model.spans[i],
			shared = Math.min(span.end, start + bytes) - Math.max(span.start, start);
		if (shared > most) {
			most = shared;
			found = span;
		}
	}
	return found;
}
