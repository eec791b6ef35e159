// SPDX-License-Identifier: MIT
// Data structure and location: from an address to what is there, and from a structure to its pages.

/** Variables where the document has them, regions elsewhere; those with accesses. */
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
				kind: v.type || (v.kind === "global" ? "variable" : "allocated"),
				file: v.file ? `${v.file}${v.line ? ":" + v.line : ""}` : "",
				start: pieces[0][0],
				end,
				sums,
				query:
					pieces.length > 1
						? v.name.split(" ")[0]
						: `${Math.floor(v.start / bytes)}-${Math.floor((end - 1) / bytes)}`,
			});
	}
	return list;
}

/** Of what variables have names, without the regions that these lie in. */
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
	let low = 0,
		high = model.count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (model.number[middle] < Math.floor(start / bytes)) low = middle + 1;
		else high = middle;
	}
	for (let page = low; page < model.count && model.number[page] <= last; page++) {
		sums.pages++;
		sums.misplaced += model.wrong[page];
		sums.accesses += model.accesses[page];
		sums.lost_cycles += model.lost[page];
		sums.gain_cycles += model.wrong[page] ? model.gain[page] : 0;
	}
}

const structure = {
	id: "structure",
	title: "Data structure and location",
	build(box) {
		const sum = (key, title, hint) => ({
			key,
			title,
			hint,
			class: "n",
			sortable: true,
			cell: s => short(s.sums[key]),
		});
		this.order = ["lost_cycles", true];
		this.table = new LongTable(
			"Data structures and where they are",
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
				sum("accesses", "Accesses"),
				sum("lost_cycles", "Lost cycles"),
				sum("gain_cycles", "Saved if moved", "cycles"),
				{
					title: "Where in the source",
					class: "soft",
					cell: s => s.file || "–",
				},
			],
			s => stateSet({w: "histogram", show: "all", src: "", dst: "", q: s.query}),
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
			placeholder: "0x10001234",
			"aria-label": "Address to look up",
			onkeydown: event => event.key === "Enter" && this.look(),
		});
		this.found = make("p", {class: "note", role: "status", id: "found"});
		box.append(
			windowHead(
				"Data structure and location",
				"What lies where in the program's memory, and what each part loses to remote accesses. Select a row to see its pages.",
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
					? "Small variables share a page: each shows what its pages lose."
					: "The recording tells regions of memory: the heap, the data of the program and of libraries, and regions that the program names with smile_alloc(). Names of variables need the program's debug information.",
			),
		);
	},
	look() {
		const address = Number(this.address.value.trim()),
			page = Math.floor(address / model.doc.page_bytes);
		if (!this.address.value.trim() || !Number.isFinite(address))
			return void (this.found.textContent = "An address looks like 0x10001234.");
		const piece = pieceAt(address, 1),
			variable = piece?.variable,
			region = [...model.doc.regions]
				.reverse()
				.find(r => r.start <= address && address < r.end);
		const index = pageFind(page),
			parts = [];
		parts.push(
			variable
				? `${variable.name} + ${hex(address - piece.start)} (${variable.type || "variable"}${variable.file ? `, ${variable.file}:${variable.line}` : ""}). `
				: "",
			region
				? `${regionName(region)} (${region.kind}) + ${hex(address - region.start)}. `
				: "No region is known there. ",
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
		);
		this.found.replaceChildren(...parts);
	},
	show() {
		const [key, descending] = this.order,
			word = this.search.value.trim().toLowerCase();
		const value = s => (key in s ? s[key] : s.sums[key]);
		const list = structuresAll().filter(
			s => !word || `${s.name} ${s.kind} ${s.file}`.toLowerCase().includes(word),
		);
		list.sort(
			(a, b) =>
				(value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) *
				(descending ? -1 : 1),
		);
		this.table.sorted(key, descending);
		this.table.box.style.height =
			Math.min(620, (list.length + 1) * ROW_PIXELS + 18) + "px";
		this.table.rows(list);
	},
};
