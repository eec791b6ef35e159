// SPDX-License-Identifier: MIT
// Access diagram: pages by node, from the whole address space to one page.

const diagram = {
	id: "diagram",
	pages: true,
	title: "Access diagram",
	cursor: 0,
	build(box) {
		this.as = [
			["columns", "Columns"],
			["matrix", "Page × node"],
		].map(([key, title]) =>
			make(
				"button",
				{
					type: "button",
					"data-as": key,
					onclick: () => stateSet({as: key}),
				},
				title,
			),
		);
		this.bar = zoomBar(
			make(
				"span",
				{class: "group-of"},
				make(
					"div",
					{class: "group", role: "group", "aria-label": "Form"},
					...this.as,
				),
				aloneBar(),
			),
		);
		this.chart = new Chart(
			"Access diagram: pages and the nodes that access them",
			360,
			(to, w, h) => this.draw(to, w, h),
			() => this.table(),
		);
		box.append(
			windowHead(
				"Access diagram",
				"Every page that was accessed, in the order of addresses; each colour is a node. ",
				"The strip below shows each page's home. If the colour above the strip differs from it, the data lies on the wrong node. By page and node, a red line marks the home.",
			),
			this.bar,
			make("div", {class: "with-beside"}, this.chart.figure, beside.build()),
			make(
				"p",
				{class: "note"},
				"Zoom by dragging, by Ctrl and the wheel, or by + − 0. A click keeps a column’s data structure beside the diagram; a second click, or Enter, opens a page’s analysis or zooms in. Pages without accesses are left out.",
			),
		);
		zoomable(this.chart.canvas, this);
	},
	matrix() {
		return (state.as || (model.nodes > 8 ? "matrix" : "columns")) === "matrix";
	},
	columns() {
		return this.data ? this.data.edges.length - 1 : 1;
	},
	along(event) {
		return (event.offsetX - this.area.left) / this.area.width;
	},
	/** A click keeps the column in the window beside; a second click, Enter or a drag opens it. */
	open(a, b, click) {
		const same = beside.kept?.first === this.data.edges[a];
		if (!model.ready || a !== b || !click || same) return columnsOpen(this.data, a, b);
		beside.keep(this.column(a));
	},
	/** The data of column @i that the window beside shows. */
	column(i) {
		const {edges, counts, sums, width} = this.data,
			rows = [];
		if (!counts[i]) return null;
		for (let node = 0; node < width; node++)
			if (sums[i * width + node]) rows.push([sums[i * width + node], node]);
		rows.sort((x, y) => y[0] - x[0]);
		return {
			first: edges[i],
			last: counts[i] === 1 ? edges[i] : edges[i + 1] - 1,
			pages: counts[i],
			rows,
		};
	},
	homeOf(i) {
		const {edges} = this.data,
			first = edges[i],
			n = Math.min(edges[i + 1] - first, 64),
			counts = new Map();
		if (state.dst !== "") return [Number(state.dst), this.data.counts[i]];
		for (let k = 0; k < n; k++)
			counts.set(
				model.home[first + k],
				(counts.get(model.home[first + k]) || 0) + 1,
			);
		return [...counts].sort((x, y) => y[1] - x[1])[0];
	},
	draw(to, w, h) {
		const {from, to: end} = rangeOfState();
		const room = Math.max(1, Math.min(end - from, Math.floor((w - 62) / 2))),
			alone = model.ready && aloneIs(),
			key = [from, end, room, model.ready, state.src, state.dst].join();
		if (key !== this.key) {
			this.data = (alone ? aloneStretches : stretches)(from, end, room);
			const columns = this.columns();
			this.data.totals = totals(this.data.sums, this.data.width, columns);
			this.cursor = Math.min(this.cursor, columns - 1);
			this.key = key;
		}
		const columns = this.columns(),
			most = Math.max(...this.data.totals, 1);
		this.area = this.matrix()
			? this.drawMatrix(to, w, h, columns)
			: this.drawColumns(to, w, h, columns, most);
		this.drawHomes(to, columns, h);
		this.mark(to, columns);
	},
	drawColumns(to, w, h, columns, most) {
		const area = frame(to, w, h, most, unit(), 34);
		stackedColumns(to, area, this.data.sums, this.data.width, columns, most);
		return area;
	},
	drawMatrix(to, w, h, columns) {
		const area = {left: 58, top: 16, width: w - 62, height: h - 50},
			nodes = model.nodes,
			{sums, width} = this.data;
		const high = area.height / nodes,
			wide = area.width / columns;
		this.mostCell = sums.reduce((a, b) => Math.max(a, b), 1);
		to.textBaseline = "middle";
		for (let node = 0; node < nodes; node++) {
			const y = area.top + node * high;
			if (high >= 12 || node % Math.ceil(12 / high) === 0) {
				to.textAlign = "right";
				to.fillStyle = ink("ink-soft");
				to.fillText(
					nodeName(node),
					area.left - 7,
					y + Math.max(high, 10) / 2,
				);
			}
			for (let i = 0; i < columns; i++) {
				const n = sums[i * width + node];
				if (!n) continue;
				to.fillStyle = css(heat(logShare(n, this.mostCell)));
				cellFill(to, area.left + i * wide, y, wide, high);
			}
		}
		to.textAlign = "left";
		this.markHomes(to, area, columns, high, wide);
		return area;
	},
	/** Draw a line at the row of each page's home, if a column is wide enough. */
	markHomes(to, area, columns, high, wide) {
		to.fillStyle = ink("bad");
		for (let i = 0; model.ready && wide >= 3 && i < columns; i++)
			if (this.data.counts[i] === 1)
				to.fillRect(
					Math.round(area.left + i * wide),
					Math.round(
						area.top +
							(model.home[this.data.edges[i]] + 1) * high,
					) - 2,
					Math.max(1, Math.round(wide) - 1),
					2,
				);
	},
	drawHomes(to, columns, h) {
		const {left, width} = this.area,
			each = width / columns,
			y = h - 28;
		to.fillStyle = ink("ink-soft");
		to.textAlign = "right";
		to.textBaseline = "middle";
		to.fillText("home", left - 7, y + 5);
		to.textAlign = "left";
		for (let i = 0; model.ready && i < columns; i++) {
			to.fillStyle = nodeColour(this.homeOf(i)[0]);
			to.fillRect(
				left + i * each,
				y,
				Math.max(0.7, each - (each > 4 ? 1 : 0)),
				10,
			);
		}
		if (model.ready) this.regionNames(to, columns, h - 6);
	},
	/** Write the names of regions below their columns. */
	regionNames(to, columns, y) {
		const {edges} = this.data,
			{left, width} = this.area;
		let begin = 0;
		to.textBaseline = "alphabetic";
		for (let i = 1; i <= columns; i++) {
			const region = model.region[edges[begin]];
			if (i < columns && model.region[edges[i]] === region) continue;
			const x = left + (width * begin) / columns,
				room = (width * (i - begin)) / columns;
			const name = region < 0 ? "" : regionName(model.doc.regions[region]);
			to.fillStyle = ink("line-strong");
			to.fillRect(x, y - 14, 1, 16);
			to.fillStyle = ink("ink-soft");
			if (to.measureText(name).width + 8 < room) to.fillText(name, x + 5, y + 3);
			begin = i;
		}
	},
	mark(to, columns) {
		const {left, top, width, height} = this.area,
			each = width / columns;
		to.strokeStyle = ink("ink");
		to.lineWidth = 1;
		if (document.activeElement === this.chart.canvas || this.pointed)
			to.strokeRect(
				left + this.cursor * each - 0.5,
				top - 0.5,
				Math.max(2, each) + 1,
				height + 1,
			);
		if (this.pressed !== null && this.pressed !== undefined) {
			const a = Math.min(this.pressed, this.cursor),
				b = Math.max(this.pressed, this.cursor) + 1;
			to.globalAlpha = 0.18;
			to.fillStyle = ink("accent");
			to.fillRect(left + a * each, top, (b - a) * each, height);
			to.globalAlpha = 1;
		}
	},
	point(i, pressed) {
		const {edges, sums, width, totals: all} = this.data,
			pages = this.data.counts[i],
			shares = [];
		this.cursor = i;
		this.pointed = true;
		this.pressed = pressed;
		for (let node = 0; node < width; node++)
			if (sums[i * width + node]) shares.push([sums[i * width + node], node]);
		shares.sort((a, b) => b[0] - a[0]);
		const where = model.ready
			? ` · ${whereOf(model.number[edges[i]], model.region[edges[i]])}`
			: "";
		const home =
			model.ready && pages === 1 ? ` · home node ${model.home[edges[i]]}` : "";
		this.chart.readOut.textContent =
			`${pages === 1 ? pageText(edges[i]) : `${plural(pages, "page")} from ${pageText(edges[i])}`}${where}${home} · ${tally(all[i])} ${unit()}: ` +
			shares
				.slice(0, 6)
				.map(([n, node]) => `${nodeName(node)} ${tally(n)}`)
				.join(", ") +
			(shares.length > 6 ? ", …" : "");
		if (!pages) this.chart.readOut.textContent = `No page here: ${aloneWords()}.`;
		if (model.ready) beside.point(this.column(i));
		this.chart.show();
	},
	table() {
		const {edges, sums, width, totals: all} = this.data,
			nodes = Math.min(width, 17);
		const columns = [
			{title: "Pages from"},
			{title: "Pages", class: "n"},
			{title: "Accesses", class: "n"},
			...Array.from({length: nodes}, (_, node) => ({
				title: nodeName(node),
				class: "n",
			})),
		];
		return plainTable(
			`Accesses by page and node; ${rangeText()}`,
			columns,
			all
				.slice(0, 400)
				.map((n, i) => [
					pageText(edges[i]),
					count(this.data.counts[i]),
					tally(n),
					...Array.from({length: nodes}, (_, node) =>
						tally(sums[i * width + node]),
					),
				]),
		);
	},
	show() {
		this.as.forEach(b =>
			b.setAttribute(
				"aria-pressed",
				(b.dataset.as === "matrix") === this.matrix(),
			),
		);
		if (!model.count)
			return void this.chart.figure.replaceChildren(
				make("p", {class: "empty"}, "No page has accesses."),
			);
		aloneBarShow(this.bar);
		this.chart.update();
		if (!this.data) return;
		beside.follow(beside.kept);
		const pages = Math.max(...this.data.counts);
		this.bar.querySelector(".range").textContent =
			`${rangeText()} · ${aloneIs() ? aloneWords() + " · " : ""}${pages > 1 ? `up to ${count(pages)} pages` : "1 page"} a column`;
		this.chart.summary(
			`${rangeText()}${aloneIs() ? ", " + aloneWords() : ""}, in ${count(this.columns())} columns; the highest has ${tally(Math.max(...this.data.totals))} ${unit()}. Arrow keys move, Enter opens.`,
		);
		this.chart.legend.replaceChildren(
			this.matrix()
				? heatLegend(this.mostCell || 1, `${sampled() ? "Samples" : "Accesses"} of a node in a column`)
				: "",
			nodeLegend(model.doc.pages.rows_summed),
		);
	},
};
