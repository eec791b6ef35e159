// SPDX-License-Identifier: MIT
// Run-time transfer: transactions by pair of nodes; bottlenecks are marked by a threshold relative to the mean.

/** The chosen matrix: packets or bytes, of all phases or of one column of phases. */
function transferMatrix(column = transferColumn()) {
	const {doc, nodes} = model,
		bytes = state.u === "bytes" && !sampled();
	if (model.transferDoc !== doc) Object.assign(model, {transferDoc: doc, transferKept: {}});
	const kept = model.transferKept,
		unpack = (key, text, length) => (kept[key] ??= new Numbers(text).array(length));
	if (column === null)
		return bytes ? unpack("bytes", doc.transfer_bytes, nodes * nodes) : model.transfers;
	const phases = doc.transfer_phases,
		all = unpack(
			bytes ? "phaseBytes" : "phasePackets",
			bytes ? phases.bytes : phases.packets,
			phases.columns * nodes * nodes,
		);
	return all.subarray(column * nodes * nodes, (column + 1) * nodes * nodes);
}

/** The chosen column of phases, found by one of its phases; null: all phases. */
function transferColumn() {
	const phases = model.doc.transfer_phases,
		column = phases ? Math.floor(Number(state.ph) / phases.phases_each) : 0;
	return phases && state.ph !== "" && column >= 0 && column < phases.columns ? column : null;
}

/** Choose a column by a phase: while a recording grows, the phases of a column can change, but not their numbers. */
function transferChoose(column) {
	stateSet({ph: column < 0 ? "" : column * model.doc.transfer_phases.phases_each});
}

/** The name of a column of phases. */
function transferPhase(column) {
	const each = model.doc.transfer_phases.phases_each,
		last = Math.min(model.doc.phases.length, (column + 1) * each) - 1;
	return each > 1 && last > column * each
		? `${phaseName(column * each)} – ${phaseName(last)}`
		: phaseName(column * each);
}

/** The time within which its first phase began on all nodes, if the time is known. */
function transferBegan(column) {
	const phase = model.doc.phases[column * model.doc.transfer_phases.phases_each],
		within = phase?.began_within_ns;
	return within === undefined ? "" : `, began on all nodes within ${(within / 1000).toFixed(3)} us`;
}

function transferUnit(n, unit = state.u) {
	return n === undefined
		? unit === "bytes"
			? "Bytes"
			: sampled()
				? "Samples"
				: "Packets"
		: sampled()
			? `${tally(n)} samples`
			: plural(n, unit === "bytes" ? "byte" : "packet");
}

/** Is a count of a pair a transfer? Samples of a node's own memory are not. */
const isTransfer = (from, to) => !sampled() || from !== to;

function transferFacts(matrix = transferMatrix()) {
	const used = matrix.filter(
			(n, i) => n > 0 && isTransfer(Math.floor(i / model.nodes), i % model.nodes),
		),
		largest = Math.max(...matrix, 0);
	const mean = used.length ? used.reduce((a, b) => a + b, 0) / used.length : 0;
	return {mean, most: largest, limit: mean * (Number(state.th) || 2)};
}

/** Is a pair a bottleneck? With samples, only if the whole band is above the limit. */
function transferExceeds(from, to, n, limit) {
	return isTransfer(from, to) && (sampled() ? bandOf(n)[0] : n) > limit;
}

/** A table of more cells would make the browser stall. */
const MATRIX_NODES_MAX = 128;

/** The matrix as a real table; arrow keys move in it. Without @marks, it has all packets. */
function matrixMake(marks) {
	const matrix = marks ? transferMatrix() : model.transfers,
		unit = marks ? state.u : "packets",
		{most, limit} = transferFacts(matrix),
		nodes = matrixNodes(),
		dense = nodes.length > 16;
	const head = make("tr", {}, make("th", {scope: "col"}, "from \\ to"));
	const body = make("tbody");
	for (const to of nodes)
		head.append(
			make(
				"th",
				{scope: "col", class: "n", "aria-label": nodeName(to)},
				dense && to % 8 ? "" : `${to}`,
			),
		);
	for (const from of nodes) {
		const row = make(
			"tr",
			{},
			make("th", {scope: "row"}, dense ? `${from}` : nodeName(from)),
		);
		for (const to of nodes)
			row.append(
				matrixCell(
					from,
					to,
					matrix[from * model.nodes + to],
					unit,
					most,
					marks ? limit : Infinity,
					dense,
				),
			);
		body.append(row);
	}
	const table = make(
		"table",
		{class: dense ? "matrix dense" : "matrix"},
		make(
			"caption",
			{class: "hidden"},
			`Run-time transfer: ${transferUnit(undefined, unit).toLowerCase()} from the requesting node (row) to the home (column)`,
		),
		make("thead", {}, head),
		body,
	);
	table.querySelector("td").tabIndex = 0;
	table.addEventListener("keydown", event => matrixKeys(event, table));
	table.addEventListener("click", event => matrixOpen(event.target.closest("td")));
	return make("div", {class: "scroll"}, table);
}

/** Nodes of the matrix: all, or, if there are very many, those with the most transactions. */
function matrixNodes() {
	const all = [...Array(model.nodes).keys()];
	if (model.nodes <= MATRIX_NODES_MAX) return all;
	const sums = new Float64Array(model.nodes);
	model.transfers.forEach((n, i) => {
		sums[Math.floor(i / model.nodes)] += n;
		sums[i % model.nodes] += n;
	});
	return all
		.sort((a, b) => sums[b] - sums[a])
		.slice(0, MATRIX_NODES_MAX)
		.sort((a, b) => a - b);
}

/** @dense: bands do not fit; a cell of samples then has only its colour and its title. */
function matrixCell(from, to, n, unit, most, limit, dense) {
	const bad = transferExceeds(from, to, n, limit),
		figure = dense && sampled() ? "" : tally(n, short),
		text = bad ? `▲ ${figure}` : n ? figure : "·";
	const cell = make(
		"td",
		{
			tabindex: -1,
			class: bad ? "bottleneck" : n ? null : "zero",
			title: `${nodeName(from)} → ${nodeName(to)}: ${transferUnit(n, unit)}${bad ? ", a bottleneck" : ""}`,
		},
		text,
	);
	cell.pair = [from, to];
	if (n) {
		const colour = heat(0.05 + (0.95 * n) / most);
		cell.style.background = css(colour);
		cell.style.color = inkOn(colour);
	}
	return cell;
}

function matrixOpen(cell) {
	if (cell) pairOpen(...cell.pair);
}

/** The pages of a pair of nodes. */
function pairOpen(from, to) {
	if (model.transfers[from * model.nodes + to])
		stateSet({w: "histogram", show: "all", q: "", src: from, dst: to});
}

function matrixKeys(event, table) {
	const cell = event.target.closest("td"),
		step = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0],
		}[event.key];
	if (!cell) return;
	if (event.key === "Enter") return matrixOpen(cell);
	const next =
		step &&
		table.rows[cell.parentNode.rowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
	if (!next || !next.pair) return;
	event.preventDefault();
	cell.tabIndex = -1;
	next.tabIndex = 0;
	next.focus();
}

function bottlenecks() {
	const {mean, limit} = transferFacts(),
		list = [];
	transferMatrix().forEach((n, i) => {
		const pair = [Math.floor(i / model.nodes), i % model.nodes];
		if (transferExceeds(...pair, n, limit)) list.push([...pair, n]);
	});
	list.sort((a, b) => b[2] - a[2]);
	if (!list.length)
		return make(
			"p",
			{class: "note", id: "bottlenecks"},
			sampled()
				? `No bottleneck: no pair has its whole band above ${state.th} times the mean.`
				: `No bottleneck: no pair has more than ${state.th} times the mean of ${short(mean)}.`,
		);
	return make(
		"div",
		{class: "scroll", id: "bottlenecks"},
		plainTable(
			"Bottlenecks",
			[
				{title: "From"},
				{title: "To"},
				{title: transferUnit(), class: "n"},
				...(sampled() ? [] : [{title: "Times the mean", class: "n"}]),
			],
			list
				.slice(0, 200)
				.map(([from, to, n]) => [
					[nodeMark(from), nodeName(from)],
					[nodeMark(to), nodeName(to)],
					tally(n),
					...(sampled() ? [] : [(n / mean).toFixed(2)]),
				]),
			i =>
				stateSet({
					w: "histogram",
					show: "all",
					q: "",
					src: list[i][0],
					dst: list[i][1],
				}),
		),
	);
}

/** A table of each node's time, if the recording has it. */
function nodeTimes() {
	const nodes = model.doc.run?.by_node;
	if (sampled() || !nodes?.length || nodes[0].remote_cycles === undefined) return null;
	const rows = nodes.map(n => [
		[nodeMark(n.node), nodeName(n.node)],
		time(n.time_ns / 1e9),
		short(n.remote_cycles.reads),
		short(n.remote_cycles.writes),
		short(n.remote_cycles.locks),
		short(n.wait_cycles),
		percent(
			(n.remote_cycles.reads + n.remote_cycles.writes + n.remote_cycles.locks) /
				n.cycles,
		),
		model.doc.placed ? count(model.doc.placed[n.node]) : "–",
	]);
	return block(
		"Use of the nodes' time",
		"Cycles that each node waited for remote reads, writes and locks, and for the other nodes.",
		make(
			"div",
			{class: "scroll"},
			plainTable(
				"Time of each node",
				[
					{title: "Node"},
					{title: "Run time", class: "n"},
					{title: "Reads", class: "n"},
					{title: "Writes", class: "n"},
					{title: "Locks", class: "n"},
					{title: "For other nodes", class: "n"},
					{
						title: "Remote share",
						class: "n",
						hint: "of the node's time",
					},
					{title: "Pages placed", class: "n"},
				],
				rows,
			),
		),
	);
}

function thresholdInput(draw) {
	return make(
		"label",
		{},
		"Mark from",
		make("input", {
			type: "number",
			min: "0.1",
			step: "0.1",
			value: state.th,
			"aria-label": "Threshold, times the mean",
			onchange: event => {
				if (event.target.value > 0) {
					stateSet({th: event.target.value});
					draw();
				}
			},
		}),
		"times the mean",
	);
}

const transfer = {
	id: "transfer",
	title: "Run-time transfer",
	build(box) {
		const phases = model.doc.transfer_phases;
		this.box = make("div");
		this.units = ["packets", "bytes"].map(unit =>
			make(
				"button",
				{
					type: "button",
					"data-unit": unit,
					onclick: () => stateSet({u: unit}),
				},
				unit === "bytes" ? "Bytes" : "Packets",
			),
		);
		this.slider = make("input", {
			type: "range",
			min: -1,
			max: phases ? phases.columns - 1 : 0,
			step: 1,
			id: "phase-slider",
			"aria-label": "Phase",
			oninput: () => transferChoose(Number(this.slider.value)),
		});
		this.phase = make("output", {for: "phase-slider", id: "phase-shown"});
		this.time = phases ? transferTime.build() : "";
		box.append(
			windowHead(
				"Run-time transfer",
				"Packets from the requesting node (row) to the home of the page (column). ",
				"A pair far above the mean is a bottleneck. If all rows and columns are alike, data is spread without regard to the nodes that use it.",
			),
			make(
				"div",
				{class: "bar"},
				sampled()
					? ""
					: make(
							"div",
							{class: "group", role: "group", "aria-label": "Unit"},
							...this.units,
						),
				thresholdInput(() => this.show()),
				phases ? make("label", {}, "Phase", this.slider, this.phase) : "",
			),
			this.box,
			this.time,
		);
	},
	show() {
		const {mean, most, limit} = transferFacts(),
			column = transferColumn(),
			focus =
				this.box.contains(document.activeElement) &&
				document.activeElement.pair;
		for (const button of this.units)
			button.setAttribute(
				"aria-pressed",
				button.dataset.unit === (state.u === "bytes" ? "bytes" : "packets"),
			);
		this.slider.value = column === null ? -1 : column;
		this.phase.textContent = column === null ? "all phases" : transferPhase(column) + transferBegan(column);
		this.slider.setAttribute("aria-valuetext", this.phase.textContent);
		this.box.replaceChildren(
			make(
				"div",
				{class: "two"},
				make(
					"div",
					{class: "block"},
					matrixMake(true),
					heatLegend(most, transferUnit(), true),
					make(
						"p",
						{class: "note"},
						`▲ and a frame: a bottleneck, ${sampled() ? `a pair of two nodes whose whole band is above ${state.th} × the mean of such pairs` : `more than ${state.th} × ${short(mean)} = ${short(limit)}, the mean of the pairs`} that are not zero. Select a pair to see its pages.${model.nodes > MATRIX_NODES_MAX ? ` The matrix shows the ${MATRIX_NODES_MAX} nodes of ${count(model.nodes)} with the most transactions.` : ""}`,
					),
					state.u === "bytes"
						? make(
								"p",
								{class: "note", id: "bytes-note"},
								"The payload had at least these bytes: counters count transactions, but not their sizes. Here a read or a write has 16 bytes and a lock 32, like the smallest B-Link commands. Larger commands carry more, and headers are not counted.",
							)
						: "",
				),
				make(
					"div",
					{class: "block"},
					make("h3", {}, "Bottlenecks"),
					bottlenecks(),
				),
			),
			namedBlock(
				"network",
				"Picture",
				"The same numbers: an arrow from each requesting node to the home of the page. Select an arrow to see its pages.",
				networkMake(),
			),
			linksBlock() || "",
			rateBlock() || "",
			nodeTimes() || "",
		);
		if (focus)
			[...this.box.querySelectorAll("td")]
				.find(cell => cell.pair && cell.pair.join() === focus.join())
				?.focus();
		if (model.doc.transfer_phases) transferTime.show();
	},
};
