// SPDX-License-Identifier: MIT
// Rate: packets over time, while `smile serve` reads its source; a report does not have it.

/** Samples, the oldest first: {n, ms, packets by node}. */
const RATE_COLUMNS_LEAST = 30;
const rate = {columns: [], nodes: 0, kept: 120};

/** Take over the samples that the server has kept. */
function rateBegin(history) {
	const ms = new Numbers(history.ms).array(history.columns),
		packets = new Numbers(history.packets).array(history.columns * history.nodes);
	rate.nodes = history.nodes;
	rate.columns = Array.from(ms, (each, i) => ({
		n: history.first + i,
		ms: each,
		packets: packets.slice(i * history.nodes, (i + 1) * history.nodes),
	}));
}

/** Add a sample. Samples without packets were not sent, and are added as empty ones. */
function rateAdd(sample) {
	const last = rate.columns.at(-1);
	if (!sample || (last && sample.n <= last.n)) return;
	for (let n = Math.max((last?.n ?? -1) + 1, sample.n - rate.kept); n < sample.n; n++)
		rate.columns.push({n, ms: sample.ms, packets: new Float64Array(0)});
	rate.nodes = Math.max(rate.nodes, sample.packets.length);
	rate.columns.push({
		n: sample.n,
		ms: sample.ms,
		packets: Float64Array.from(sample.packets),
	});
	rate.columns = rate.columns.slice(-rate.kept);
	if (rate.chart?.figure.isConnected) rateShow();
}

/** Packets per second by [column][node]; the first columns are empty until enough samples exist. */
function rateSums() {
	const width = Math.max(1, rate.nodes),
		columns = Math.max(RATE_COLUMNS_LEAST, rate.columns.length),
		sums = new Float64Array(columns * width),
		empty = columns - rate.columns.length;
	rate.columns.forEach((column, i) =>
		column.packets.forEach((n, node) => {
			sums[(empty + i) * width + node] = (n * 1000) / Math.max(1, column.ms);
		}),
	);
	return {sums, width, columns};
}

function rateNow() {
	const last = rate.columns.at(-1);
	return last ? (last.packets.reduce((a, b) => a + b, 0) * 1000) / Math.max(1, last.ms) : 0;
}

function rateDraw(to, w, h) {
	const {sums, width, columns} = rateSums(),
		most = Math.max(...totals(sums, width, columns), 1);
	const area = frame(to, w, h, most, "packets/s");
	stackedColumns(to, area, sums, width, columns, most);
	const seconds = rate.columns.reduce((sum, column) => sum + column.ms, 0) / 1000,
		words = Array(columns).fill("");
	words[columns - 1] = "now";
	if (rate.columns.length > 30)
		words[columns - rate.columns.length + 4] = `${Math.round(seconds)} s ago`;
	words.forEach((word, i) => {
		if (!word) return;
		to.fillStyle = ink("ink-soft");
		to.textBaseline = "alphabetic";
		to.fillText(
			word,
			area.left + (area.width * i) / columns - 10,
			area.top + area.height + 14,
		);
	});
}

function rateTable() {
	const nodes = Array.from({length: Math.min(rate.nodes, 16)}, (_, node) => node);
	let ago = 0;
	const rows = [...rate.columns].reverse().map(column => {
		const begin = ago;
		ago += column.ms / 1000;
		const each = node => ((column.packets[node] || 0) * 1000) / Math.max(1, column.ms);
		return [
			`${begin.toFixed(0)} s`,
			short(
				(column.packets.reduce((a, b) => a + b, 0) * 1000) /
					Math.max(1, column.ms),
			),
			...nodes.map(node => short(each(node))),
		];
	});
	return plainTable(
		"Packets per second, by the requesting node, the latest first",
		[
			{title: "Ago"},
			{title: "All", class: "n"},
			...nodes.map(node => ({title: rateName(node), class: "n"})),
		],
		rows.slice(0, 60),
	);
}

/** If there are very many nodes, the server reports only the sum. */
function rateName(node) {
	return rate.nodes < model.nodes && rate.nodes === 1 ? "all nodes" : nodeName(node);
}

function rateShow() {
	const {sums, width, columns} = rateSums(),
		all = totals(sums, width, columns);
	rate.chart.summary(
		`Now ${short(rateNow())} per second; the highest rate in this time was ${short(Math.max(...all))}.`,
	);
	rate.now.textContent = `Now ${short(rateNow())} packets per second.`;
	rate.chart.update();
}

/** The part of the window Run-time transfer that exists only for a live source; otherwise null. */
function rateBlock() {
	if (!model.doc.live || (model.doc.live.state !== "running" && rate.columns.length < 2))
		return null;
	if (!rate.chart) {
		rate.chart = new Chart(
			"Packets per second over time, by the requesting node",
			190,
			rateDraw,
			rateTable,
		);
		rate.chart.readOut.remove();
		rate.now = make("p", {class: "note", id: "rate-now"});
		rate.box = namedBlock(
			"over-time",
			"Over time",
			"Packets per second; each colour is a requesting node.",
			rate.now,
			rate.chart.figure,
		);
	}
	rate.chart.legend.replaceChildren(nodeLegend());
	requestAnimationFrame(rateShow);
	return rate.box;
}
