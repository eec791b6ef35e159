// SPDX-License-Identifier: MIT
// Transfer over time: the requests of each node to other nodes, phase by phase.

/** Transfers over the phases, by requesting node. */
const transferTime = {
	build() {
		this.chart = new Chart(
			"Transfers over the phases",
			170,
			(to, w, h) => this.draw(to, w, h),
			() => this.table(),
		);
		this.chart.canvas.style.cursor = "pointer";
		this.chart.canvas.addEventListener("click", event => {
			const i = this.columnAt(event);
			if (i !== null) transferChoose(i);
		});
		this.chart.canvas.addEventListener("pointermove", event => {
			const i = this.columnAt(event);
			if (i !== null) this.chart.readOut.textContent = this.words(i);
		});
		return block(
			"Over time",
			"The requests of each node to other nodes, phase by phase. Select a phase, or move the slider above, to see its matrix.",
			this.chart.figure,
		);
	},
	columnAt(event) {
		const i = Math.floor(
			((event.offsetX - this.area.left) / this.area.width) *
				model.doc.transfer_phases.columns,
		);
		return i >= 0 && i < model.doc.transfer_phases.columns ? i : null;
	},
	/** Transactions that cross the network, by [column][source]. */
	sums() {
		const {nodes, doc} = model,
			columns = doc.transfer_phases.columns,
			sums = new Float64Array(columns * nodes);
		for (let i = 0; i < columns; i++)
			transferMatrix(i).forEach((n, k) => {
				sums[i * nodes + Math.floor(k / nodes)] += n;
			});
		return sums;
	},
	words(i) {
		const all = totals(this.counts, model.nodes, model.doc.transfer_phases.columns);
		return `${transferPhase(i)}: ${transferUnit(all[i])}`;
	},
	show() {
		this.counts = this.sums();
		const columns = model.doc.transfer_phases.columns;
		this.chart.summary(
			Array.from({length: Math.min(columns, 12)}, (_, i) => this.words(i)).join(
				", ",
			) +
				(columns > 12 ? ", …" : "") +
				".",
		);
		this.chart.legend.replaceChildren(nodeLegend());
		this.chart.update();
	},
	draw(to, w, h) {
		if (!this.counts) return;
		const columns = model.doc.transfer_phases.columns,
			most = Math.max(...totals(this.counts, model.nodes, columns), 1),
			area = (this.area = frame(to, w, h, most, transferUnit().toLowerCase())),
			column = transferColumn();
		stackedColumns(to, area, this.counts, model.nodes, columns, most);
		bottomWords(
			to,
			area,
			Array.from({length: columns}, (_, i) => transferPhase(i)),
		);
		if (column === null) return;
		to.strokeStyle = ink("ink");
		to.lineWidth = 2;
		to.strokeRect(
			area.left + (column * area.width) / columns,
			area.top,
			area.width / columns,
			area.height,
		);
		to.lineWidth = 1;
	},
	table() {
		const columns = model.doc.transfer_phases.columns,
			nodes = [...Array(model.nodes).keys()].slice(0, 24);
		return plainTable(
			`${transferUnit()} by phase and requesting node`,
			[
				{title: "Phase"},
				...nodes.map(node => ({title: nodeName(node), class: "n"})),
			],
			Array.from({length: columns}, (_, i) => [
				transferPhase(i),
				...nodes.map(node => tally(this.counts[i * model.nodes + node])),
			]),
		);
	},
};
