// SPDX-License-Identifier: MIT
// Structure window: the data structure of the access diagram's column, in a window beside it. Source: "Memory
// access behavior analysis of NUMA-based shared memory programs" (2002), section 4.1: the data structure
// of a selected page in a small combined window.

const beside = {
	kept: null,
	build() {
		this.box = make("div", {class: "beside-body"});
		this.free = make(
			"button",
			{type: "button", class: "link", onclick: () => this.keep(null)},
			"follow the pointer",
		);
		this.state = make("p", {class: "note"});
		return make(
			"aside",
			{class: "beside", "aria-label": "Data structure of the column"},
			make("h3", {}, "Data structure"),
			this.box,
			this.state,
			this.free,
		);
	},
	/** Keep column @column; null: follow the pointer. */
	keep(column) {
		this.kept = column;
		this.follow(column);
	},
	/** Show the column under the pointer: {first, last, pages, rows of [accesses, node]}; null: no column. */
	point(column) {
		if (!this.kept) this.follow(column);
	},
	follow(column) {
		this.free.hidden = !this.kept;
		this.state.textContent = this.kept
			? "Kept. A second click opens it."
			: "The column under the pointer; a click keeps it.";
		if (column) this.box.replaceChildren(...this.facts(column));
		else if (!this.box.firstChild)
			this.box.replaceChildren(make("p", {class: "soft"}, "Point at a column."));
	},
	facts({first, last, pages, rows}) {
		const bytes = model.doc.page_bytes,
			start = model.number[first] * bytes,
			end = (model.number[last] + 1) * bytes,
			piece = pieceAt(start, end - start),
			variable = piece?.variable,
			all = rows.reduce((sum, [n]) => sum + n, 0),
			terms = [];
		const term = (name, ...words) => terms.push(make("dt", {}, name), make("dd", {}, ...words));
		if (variable?.type) term("Type", make("span", {class: "mono"}, variable.type));
		if (variable?.file)
			term("Declared", `${variable.file.split("/").pop()}${variable.line ? ":" + variable.line : ""}`);
		if (variable) term("Size", `${count(variable.bytes)} bytes`);
		term("Here", namesIn(start, end) || whereOf(model.number[first], model.region[first]));
		term(
			pages === 1 ? "Page" : "Pages",
			pages === 1
				? pageNumber(model.number[first])
				: `${count(pages)}, ${pageNumber(model.number[first])} to ${pageNumber(model.number[last])}`,
		);
		if (pages === 1) term("Home", nodeMark(model.home[first]), nodeName(model.home[first]));
		term(sampled() ? "Samples" : "Accesses", tally(all));
		for (const [n, node] of rows.slice(0, 5))
			term("", nodeMark(node), `${nodeName(node)} ${tally(n)}${sampled() ? "" : ` (${percent(n / all)})`}`);
		return [
			make(
				"p",
				{class: "name"},
				variable
					? variable.name
					: model.region[first] < 0
						? "no variable is known here"
						: regionName(model.doc.regions[model.region[first]]),
			),
			make("dl", {class: "facts"}, ...terms),
			make(
				"p",
				{},
				make(
					"button",
					{
						type: "button",
						class: "link",
						onclick: () =>
							stateSet({w: "structure", at: hex(piece ? Math.max(start, piece.start) : start)}),
					},
					"Data structure and location",
				),
			),
		];
	},
};
