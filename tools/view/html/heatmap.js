// SPDX-License-Identifier: MIT
// Heat map: accesses to pages over time; a column is a phase of the program.

function phaseName(i) {
	const phase = model.doc.phases[i];
	return phase ? phase.name || `phase ${i}` : `phase ${i}`;
}

const heatmap = {
	id: "heatmap",
	pages: true,
	title: "Heat map",
	cursor: 0,
	column: 0,
	build(box) {
		const {groups, phases} = model.doc;
		this.bar = zoomBar(aloneBar());
		this.alone = make("p", {class: "note", id: "heatmap-alone"});
		this.chart = new Chart(
			"Heat map: pages over the phases",
			460,
			(to, w, h) => this.draw(to, w, h),
			() => this.table(),
		);
		box.append(
			windowHead(
				"Heat map",
				"The times at which pages are accessed: a row is a page or a group of neighbouring pages, a column is a phase of the program, and the colour shows the accesses in this phase. ",
				"No home is right in all phases for data that other nodes use in each phase.",
			),
			phases.length < 2
				? make(
						"p",
						{class: "warn", role: "note"},
						'This recording has only one phase. A program names its phases with smile_phase("name"); a card marks them by events.',
					)
				: "",
			this.bar,
			this.chart.figure,
			this.alone,
			make(
				"p",
				{class: "note"},
				"Zoom by dragging, by Ctrl and the wheel, or by + − 0; ← and → change the phase.",
				groups.pages > 1
					? ` Since there are so many pages, ${groups.pages} neighbouring pages are counted together.`
					: "",
				groups.phases_each > 1
					? ` Since there are so many phases, ${groups.phases_each} of them share a column.`
					: "",
			),
		);
		this.chart.canvas.addEventListener("keydown", event => {
			const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
			if (!by) return;
			event.preventDefault();
			event.stopImmediatePropagation();
			this.column = Math.max(
				0,
				Math.min(groups.phase_columns - 1, this.column + by),
			);
			this.point(this.cursor, null);
			say(this.chart.readOut.textContent);
		});
		this.chart.canvas.addEventListener("pointermove", event => {
			this.column = Math.max(
				0,
				Math.min(
					groups.phase_columns - 1,
					Math.floor(
						((event.offsetX - this.area.left) /
							this.area.width) *
							groups.phase_columns,
					),
				),
			);
		});
		zoomable(this.chart.canvas, this);
	},
	columns() {
		return this.rows || 1;
	},
	along(event) {
		return (event.offsetY - this.area.top) / this.area.height;
	},
	open(a, b) {
		columnsOpen(this, a, b);
	},
	/** Sums of the range's groups, joined so that each row has at least the pixels it needs. */
	sum(high) {
		const {pages: each, count: groups, phase_columns: columns} = model.doc.groups,
			{from, to} = rangeOfState();
		if (model.ready && aloneIs())
			return void Object.assign(this, aloneRows(from, to, Math.floor(high / 2)));
		this.missing = 0;
		const first = Math.floor(from / each),
			last = Math.min(groups, Math.ceil(to / each));
		this.rows = Math.max(1, Math.min(last - first, Math.floor(high / 2)));
		this.edges = [];
		this.sums = new Float64Array(this.rows * columns);
		for (let i = 0; i <= this.rows; i++)
			this.edges.push(
				Math.min(
					model.count,
					(first + Math.floor(((last - first) * i) / this.rows)) *
						each,
				),
			);
		for (let i = 0; i < this.rows; i++)
			for (
				let g = this.edges[i] / each;
				g < Math.ceil(this.edges[i + 1] / each);
				g++
			)
				for (let phase = 0; phase < columns; phase++)
					this.sums[i * columns + phase] +=
						model.byPhase[g * columns + phase];
		this.counts = this.edges.slice(1).map((edge, i) => edge - this.edges[i]);
	},
	draw(to, w, h) {
		const columns = model.doc.groups.phase_columns,
			area = {
				left: Math.min(150, w * 0.3),
				top: 10,
				width: w - Math.min(150, w * 0.3) - 4,
				height: h - 34,
			};
		this.area = area;
		this.sum(area.height);
		const most = (this.most = this.sums.reduce((a, b) => Math.max(a, b), 1));
		const high = area.height / this.rows,
			wide = area.width / columns;
		to.fillStyle = ink("raised");
		to.fillRect(area.left, area.top, area.width, area.height);
		for (let i = 0; i < this.rows; i++)
			for (let phase = 0; phase < columns; phase++) {
				const n = this.sums[i * columns + phase];
				if (!n) continue;
				to.fillStyle = css(heat(logShare(n, most)));
				cellFill(
					to,
					area.left + phase * wide,
					area.top + i * high,
					wide,
					high,
				);
			}
		bottomWords(
			to,
			area,
			Array.from({length: columns}, (_, i) =>
				phaseName(i * model.doc.groups.phases_each),
			),
		);
		this.names(to, area, high);
		to.strokeStyle = ink("ink");
		if (this.pointed || document.activeElement === this.chart.canvas)
			to.strokeRect(
				area.left + this.column * wide - 0.5,
				area.top + this.cursor * high - 0.5,
				Math.max(2, wide) + 1,
				Math.max(2, high) + 1,
			);
	},
	names(to, area, high) {
		const step = Math.ceil(16 / high);
		to.textAlign = "right";
		to.textBaseline = "middle";
		to.fillStyle = ink("ink-soft");
		for (let i = 0; model.ready && i < this.rows; i += step) {
			const page = this.edges[i];
			to.fillText(
				whereOf(model.number[page], model.region[page]).slice(0, 22),
				area.left - 7,
				area.top + (i + 0.5) * high,
			);
		}
		to.textAlign = "left";
	},
	point(i) {
		const {phase_columns: columns, phases_each: each} = model.doc.groups;
		this.cursor = Math.min(i, this.rows - 1);
		this.pointed = true;
		const pages = this.counts[this.cursor],
			first = this.edges[this.cursor];
		this.chart.readOut.textContent =
			`${pages === 1 ? pageText(first) : `${plural(pages, "page")} from ${pageText(first)}`}` +
			`${model.ready ? " · " + whereOf(model.number[first], model.region[first]) : ""} · ${phaseName(this.column * each)}: ${tally(this.sums[this.cursor * columns + this.column])} ${unit()}`;
		this.chart.show();
	},
	table() {
		const {phase_columns: columns, phases_each: each} = model.doc.groups,
			shown = Math.min(columns, 24);
		return plainTable(
			`Accesses by page and phase; ${rangeText()}`,
			[
				{title: "Pages from"},
				...Array.from({length: shown}, (_, i) => ({
					title: phaseName(i * each),
					class: "n",
				})),
			],
			Array.from({length: Math.min(this.rows, 300)}, (_, i) => [
				pageText(this.edges[i]),
				...Array.from({length: shown}, (_, phase) =>
					tally(this.sums[i * columns + phase]),
				),
			]),
		);
	},
	show() {
		if (!model.count)
			return void this.chart.figure.replaceChildren(
				make("p", {class: "empty"}, "No page has accesses."),
			);
		aloneBarShow(this.bar);
		this.chart.update();
		if (!this.rows) return;
		this.bar.querySelector(".range").textContent =
			rangeText() + (aloneIs() ? ` · ${aloneWords()}` : "");
		this.alone.hidden = !aloneIs();
		this.alone.textContent = this.missing
			? `${plural(this.missing, "page")} of these ${this.missing === 1 ? "is" : "are"} left out: this file keeps the phases, by node, of the ${plural(model.details.size, "page")} that lose most; --details keeps more.`
			: "By home or source, phases are computed from the pages whose details this file keeps: here, all pages.";
		this.chart.summary(
			`${rangeText()}${aloneIs() ? ", " + aloneWords() : ""} over ${plural(model.doc.phases.length, "phase")}; the most ${unit()} of a cell are ${tally(this.most)}. Arrow keys move, Enter opens.`,
		);
		this.chart.legend.replaceChildren(heatLegend(this.most, "Accesses in a phase"));
	},
};
