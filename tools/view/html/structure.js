// SPDX-License-Identifier: MIT
// Data structure and location: finds the data at an address or of a name, with the nodes that use it, and shows the
// pages, nodes and members of a structure.

/** All structures with accesses: variables if the document has them, and otherwise regions. */
function structuresAll() {
	const {regions, variables, page_bytes: bytes} = model.doc;
	const list = regions
		.filter(r => r.sums.pages)
		.map(r => ({
			name: regionName(r),
			kind: r.kind,
			file: r.name.includes("/") ? r.name : "",
			start: r.start,
			end: r.end,
			sums: r.sums,
			pieces: [[r.start, r.end - r.start]],
			query: `${Math.floor(r.start / bytes)}-${Math.floor((r.end - 1) / bytes)}`,
		}));
	if (!model.ready || !variables) return list;
	for (const v of variables) {
		const pieces = piecesOf(v),
			[last, length] = pieces.at(-1),
			end = last + length,
			sums = {...noSums};
		for (const [start, size] of pieces) rangeSums(sums, start, start + size);
		if (sums.pages)
			list.push({
				name: v.name,
				kind:
					v.type ||
					{global: "variable", stack: "stack", several: "several"}[v.kind] ||
					"allocated",
				file: v.file ? `${v.file}${v.line ? ":" + v.line : ""}` : "",
				start: pieces[0][0],
				end,
				sums,
				pieces,
				variable: v,
				query:
					pieces.length > 1
						? v.name.split(" ")[0]
						: `${Math.floor(v.start / bytes)}-${Math.floor((end - 1) / bytes)}`,
			});
	}
	return list;
}

/** Structures without the regions that hold named variables. */
function structuresNamed() {
	const holds = r => model.spans.some(s => s.start < r.end && r.start < s.end);
	return structuresAll().filter(
		s => !["global", "heap"].includes(s.kind) || !model.ready || !holds(s),
	);
}

const noSums = {pages: 0, misplaced: 0, accesses: 0, lost_cycles: 0, gain_cycles: 0};

/** Add the pages that a piece of memory touches: a small variable shares its page. */
function rangeSums(sums, start, end) {
	const bytes = model.doc.page_bytes,
		last = Math.floor((end - 1) / bytes);
	for (let page = pageFrom(Math.floor(start / bytes)); page < model.count && model.number[page] <= last; page++) {
		sums.pages++;
		sums.misplaced += model.wrong[page];
		sums.accesses += model.accesses[page];
		sums.lost_cycles += model.lost[page];
		sums.gain_cycles += model.wrong[page] ? model.gain[page] : 0;
	}
}

/** Counts of a page over ranges that touch a piece of memory, by node, and the size of the largest of these ranges. */
function touchesOf(page, start, end) {
	const bytes = model.doc.page_bytes,
		nodes = new Map();
	let largest = 0;
	for (const [block, node, type, n] of detailsOf(page, "ranges") || []) {
		const row = 2 ** Math.floor(Math.log2(block)),
			size = bytes / row,
			at = model.number[page] * bytes + (block - row) * size;
		if (at >= end || at + size <= start) continue;
		if (!nodes.has(node)) nodes.set(node, noKinds());
		kindAdd(nodes.get(node), type, n);
		largest = Math.max(largest, size);
	}
	return {nodes, largest};
}

const structure = {
	id: "structure",
	pages: true,
	title: "Data structure and location",
	build(box) {
		const sum = (key, title, hint, form = short) => ({
			key,
			title,
			hint,
			class: "n",
			sortable: true,
			cell: s => form(s.sums[key]),
		});
		const estimate = n => tally(n, short);
		this.order = ["lost_cycles", true];
		this.asked = this.shownList = null;
		this.table = new LongTable(
			"Data structures and their places",
			[
				{key: "name", title: "Data", sortable: true, cell: s => s.name},
				{title: "Kind", class: "soft", cell: s => s.kind},
				{
					key: "start",
					title: "Addresses",
					sortable: true,
					class: "mono",
					cell: s => `${hex(s.start)}–${hex(s.end - 1)}`,
				},
				sum("pages", "Pages", "with accesses"),
				sum("misplaced", "On the wrong node", "pages"),
				sum("accesses", sampled() ? "Samples" : "Accesses", undefined, estimate),
				sum(
					"lost_cycles",
					sampled() ? "Remote" : "Lost cycles",
					lossUnit(),
					estimate,
				),
				sum("gain_cycles", "Saved if moved", lossUnit(), estimate),
				{
					title: "Where in the source",
					class: "soft",
					cell: s => s.file || "–",
				},
			],
			s => this.choose(s),
			key => {
				this.order = [key, this.order[0] === key ? !this.order[1] : true];
				this.show();
			},
		);
		this.search = make("input", {
			type: "search",
			placeholder: "grid, heap, main.c",
			"aria-label": "Filter data structures",
			oninput: () => this.show(),
		});
		this.address = make("input", {
			type: "search",
			placeholder: "0x10001234 or matrix[130][17]",
			"aria-label": "Address or element to look up",
			spellcheck: "false",
			onkeydown: event => event.key === "Enter" && this.look(),
		});
		this.found = make("div", {class: "found", role: "status", id: "found"});
		box.append(
			windowHead(
				"Data structure and location",
				"The program's memory by variable, and what each variable loses to remote accesses. Select a row to see everything about it.",
			),
			make(
				"div",
				{class: "bar"},
				this.search,
				make("label", {}, "What is at", this.address),
				make(
					"button",
					{type: "button", onclick: () => this.look()},
					"Look up",
				),
			),
			this.found,
			this.table.box,
			make(
				"p",
				{class: "note"},
				model.doc.variables
					? "Small variables share a page: each shows the losses of its pages."
					: "The recording reports regions of memory: the heap, the data of the program and of libraries, and regions that the program names with smile_alloc(). Names of variables need the program's debug information.",
			),
			variablePanel.build(),
		);
	},
	choose(s) {
		stateSet({v: subjectKey(s)});
		variablePanel.title.focus();
		variablePanel.box.scrollIntoView({block: "start"});
	},
	look() {
		const text = this.address.value.trim();
		if (!text)
			return void (this.found.textContent =
				"An address looks like 0x10001234, an element like matrix[130][17].");
		this.lookUp(text);
	},
	/** Look up a text in any window, and show its variable. */
	lookUp(text) {
		const place = model.ready ? placeFind(text) : {},
			s = place.error ? undefined : this.subjectAt(place);
		this.asked = null;
		stateSet({w: "structure", at: text, ...(s ? {v: subjectKey(s)} : {})});
		this.found.scrollIntoView({block: "nearest"});
	},
	subjectAt(place) {
		const variable = place.place?.span.variable,
			list = structuresAll();
		return variable
			? list.find(s => s.variable === variable)
			: [...list]
					.reverse()
					.find(
						s =>
							!s.variable &&
							s.start <= place.address &&
							place.address < s.end,
					);
	},
	/** Show the data that was looked up. */
	answer() {
		if ((this.asked === state.at && this.doc === model.doc) || !model.ready) return;
		this.asked = state.at;
		this.doc = model.doc;
		this.address.value = state.at;
		if (!state.at) return this.found.replaceChildren();
		const place = placeFind(state.at);
		if (place.error) return void (this.found.textContent = place.error);
		this.found.replaceChildren(...this.answerParts(place));
	},
	answerParts(found) {
		const {address, place, start, bytes} = found,
			size = model.doc.page_bytes,
			page = Math.floor(address / size),
			index = pageFind(page),
			region = [...model.doc.regions]
				.reverse()
				.find(r => r.start <= address && address < r.end),
			variable = place?.span.variable;
		const line = [
			place ? make("b", {id: "found-name"}, found.name || place.name) : "",
			place
				? `${place.type ? ` (${place.type})` : ""}: ${plural(bytes, "byte")} at ${hex(start)}${address > start ? `, ${hex(address)} is ${plural(address - start, "byte")} into it` : ""}${variable.file ? `; ${variable.name} is ${isDeclared(variable) ? "declared" : "allocated"} in ${variable.file.split("/").pop()}${variable.line ? `:${variable.line}` : ""}` : ""}. `
				: "",
			region
				? `${regionName(region)} (${region.kind}) + ${hex(address - region.start)}. `
				: place
					? ""
					: "No region is known at this address. ",
			index < 0
				? `No access to page ${pageNumber(page)} was recorded.`
				: make(
						"button",
						{
							class: "link",
							type: "button",
							onclick: () =>
								stateSet({
									w: "page",
									page: pageWord(index),
								}),
						},
						`Page ${pageNumber(page)}, home node ${model.home[index]}`,
					),
			index < 0
				? ""
				: `, section ${hex(Math.floor((address % size) / Number(state.s)) * Number(state.s))} of ${state.s} bytes.`,
		];
		return [make("p", {}, ...line), index < 0 ? "" : this.users(index, start, bytes)];
	},
	/** The nodes that access the data, with the resolution of the cards' ranges. */
	users(page, start, bytes) {
		const size = model.doc.page_bytes,
			pageStart = model.number[page] * size;
		if (!detailsOf(page, "ranges"))
			return make(
				"p",
				{class: "note"},
				`Nodes that access the page: ${[...Array(model.rowStart[page + 1] - model.rowStart[page]).keys()].map(i => nodeName(model.rowNode[model.rowStart[page] + i])).join(", ")}. This file keeps the ranges of other pages: make the report again with a larger --details.`,
			);
		const {nodes, largest} = touchesOf(
			page,
			Math.max(start, pageStart),
			Math.min(start + bytes, pageStart + size),
		);
		if (!nodes.size)
			return make(
				"p",
				{class: "note"},
				sampled()
					? "It has no sample of another node."
					: "No access by another node was counted. Accesses by the page's home are not known by section.",
			);
		return make(
			"div",
			{},
			make(
				"p",
				{class: "note"},
				`Remote ${sampled() ? "samples" : "accesses"} that were counted over ranges which touch it${largest > bytes ? `; the largest ranges have ${plural(largest, "byte")} and also hold its neighbours` : ""}${start + bytes > pageStart + size || start < pageStart ? "; on this page" : ""}.`,
			),
			make(
				"div",
				{class: "scroll narrow"},
				plainTable(
					"Accesses by node",
					[
						{title: "Node"},
						...typeColumns(),
						{title: "All", class: "n"},
					],
					[...nodes]
						.sort((a, b) => b[1].all - a[1].all)
						.map(([node, k]) => [
							[nodeMark(node), nodeName(node)],
							...(typesKnown()
								? [k.reads, k.writes, k.locks].map(n => tally(n))
								: []),
							tally(k.all),
						]),
				),
			),
		);
	},
	show() {
		const [key, descending] = this.order,
			word = this.search.value.trim().toLowerCase();
		const value = s => (key in s ? s[key] : s.sums[key]);
		const all = structuresAll(),
			list = all.filter(
				s =>
					!word ||
					`${s.name} ${s.kind} ${s.file}`
						.toLowerCase()
						.includes(word),
			),
			found =
				!state.v && state.at && model.ready
					? placeFind(state.at)
					: {error: "none"},
			chosen = found.error
				? state.v && all.find(s => subjectKey(s) === state.v)
				: this.subjectAt(found);
		list.sort(
			(a, b) =>
				(value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) *
				(descending ? -1 : 1),
		);
		this.table.sorted(key, descending);
		this.table.mark = s => chosen && subjectKey(s) === subjectKey(chosen);
		this.table.box.style.height =
			Math.min(chosen ? 320 : 620, (list.length + 1) * ROW_PIXELS + 18) + "px";
		const shown = list.map(subjectKey).join();
		if (this.shownList !== shown) this.table.rows(list);
		else {
			this.table.list = list;
			this.table.draw(true);
		}
		this.shownList = shown;
		this.answer();
		variablePanel.show(chosen || undefined);
	},
};
