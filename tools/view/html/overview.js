// SPDX-License-Identifier: MIT
// Overview: the data that lies on the wrong node, and its cost.

function seconds(cycles) {
	return time(cycles / model.doc.latency.frequency_hz);
}

function windowHead(title, ...lead) {
	return make("header", {}, make("h2", {}, title), make("p", {class: "lead"}, ...lead));
}

/** Everything that a reader must know before trusting the numbers. */
function warnings() {
	const {doc} = model,
		list = [],
		loss = doc.loss;
	if (loss && (loss.lost || loss.marks_lost))
		list.push(
			`The cards lost ${count(loss.lost)} accesses and ${count(loss.marks_lost)} marks: all counts here are too low by these numbers.`,
		);
	if (
		doc.live?.state !== "running" &&
		loss &&
		(!loss.known || (doc.origin && !doc.origin.complete))
	)
		list.push("A recording was not closed: its last accesses are missing.");
	if (doc.run?.account?.incomplete)
		list.push(`Not all of the run is counted: ${doc.run.account.incomplete}.`);
	for (const {node, source, note} of doc.live?.sources || [])
		if (note && (node === null || doc.live.sources.length > 1))
			list.push(`${node === null ? source : `Node ${node}`}: ${note}.`);
	if (loss?.sleeps || loss?.resets)
		list.push(
			`Counting was interrupted: the machine slept ${count(loss.sleeps)} times, a bus error reset a card ${count(loss.resets)} times.`,
		);
	if (doc.untyped && !sampled())
		list.push(
			"Reads, writes and locks were counted together (untyped tags): each is assumed to cost as much as a read.",
		);
	if (sampled()?.missing)
		list.push(
			`${plural(sampled().missing, "recording")} of this run ${sampled().missing === 1 ? "is" : "are"} not here, and with ${sampled().missing === 1 ? "it the samples of a node in its" : "them the samples of nodes in their"} own memory: counts are too small, shares wrong, and no page is said to lie on the wrong node.`,
		);
	return list.map(text => make("p", {class: "warn", role: "note"}, text));
}

function verdict() {
	const {summary: s, regions} = model.doc,
		worst = [...regions].sort((a, b) => b.sums.gain_cycles - a.sums.gain_cycles)[0];
	const p = make("p", {class: "verdict", id: "verdict"});
	if (!s.pages)
		p.append(
			sampled()
				? "No page has a sample: see the account of smile sample."
				: "No remote access was recorded: every node used its own memory only, or nothing was counted.",
		);
	else if (!s.misplaced)
		p.append(
			make(
				"b",
				{},
				sampled()
					? "Samples put no page on another node. "
					: "No page lies on the wrong node. ",
			),
			sampled()
				? "Pages lie on the nodes that use them, several nodes use them, or they have too few samples."
				: "All pages with remote accesses are shared by several nodes, or their homes use them most.",
		);
	else
		p.append(
			make(
				"b",
				{class: "bad"},
				`${count(s.misplaced)} of ${plural(s.pages, "page")} ${s.misplaced === 1 ? "lies" : "lie"} on the wrong node`,
			),
			...(worst && worst.sums.misplaced
				? [
						sampled() ? "; most of them in " : "; the most costly are in ",
						make("b", {}, worstName(worst)),
					]
				: []),
			". On the nodes that use them most, ",
			make(
				"b",
				{},
				sampled() ? tally(s.gain_cycles, short) : percent(s.gain_cycles / s.lost_cycles),
			),
			sampled()
				? ` of the ${losses(s.lost_cycles)} would have been local.`
				: ` of the ${short(s.lost_cycles)} cycles lost to remote accesses would be saved.`,
		);
	return p;
}

/** A sentence about the structure that costs most, and the command that corrects its placement. */
function fix() {
	const a = model.doc.advice;
	if (sampled()?.command && model.doc.summary.misplaced)
		return make(
			"div",
			{class: "block", id: "fix"},
			...advice.sampledCommand("fix-command"),
		);
	if (!a?.to_move) return "";
	return make(
		"div",
		{class: "block", id: "fix"},
		make("p", {class: "verdict"}, ...advice.verdict(a), advice.age()),
		...(a.command ? advice.command(a, "fix-command") : []),
	);
}

/** The name of the variable in a region that costs most, if it is known. */
function worstName(region) {
	const {hot, page_bytes: bytes} = model.doc;
	const piece = hot.length && region.kind !== "named" && pieceAt(hot[0].page * bytes, bytes);
	return piece ? piece.variable.name : regionName(region);
}

function figures() {
	const {summary: s, latency, run} = model.doc,
		counts = s.transactions || s;
	const box = (title, value, small) =>
		make(
			"div",
			{},
			make("dt", {}, title),
			make("dd", {}, value, make("small", {}, small)),
		);
	return make(
		"dl",
		{class: "figures"},
		...(s.transactions && !sampled()
			? [
					box(
						"Accesses of processors",
						short(s.accesses),
						"counted, not estimated, whether caches served them or not; lost and saved cycles are those of transactions behind the caches",
					),
				]
			: []),
		...(sampled()
			? [
					box("Samples", tally(s.accesses, short), sampled().unit),
					...(s.transactions
						? [
								box(
									"Beyond the caches",
									tally(counts.accesses, short),
									"samples that no cache of the node served: transactions",
								),
							]
						: []),
					box(
						"Remote samples",
						tally(counts.accesses - counts.own, short),
						"of pages that lay on another node",
					),
				]
			: [
					box(
						`Remote ${unit()}`,
						short(counts.accesses - counts.own),
						`${short(counts.reads)} reads, ${short(counts.writes)} writes, ${short(counts.locks)} locks`,
					),
					box(
						"Lost to them",
						`${short(s.lost_cycles)} cycles`,
						`${seconds(s.lost_cycles)} of all nodes together`,
					),
					box(
						"Saved by moving pages",
						`${short(s.gain_cycles)} cycles`,
						s.lost_cycles
							? `${percent(s.gain_cycles / s.lost_cycles)} of all lost`
							: "nothing is lost",
					),
				]),
		box(
			"Pages on the wrong node",
			count(s.misplaced),
			`of ${count(s.pages)} accessed pages`,
		),
		run?.time_ns && !sampled()
			? box(
					"Run time, simulated",
					time(run.time_ns / 1e9),
					`on one node ${time(run.single_node_cycles / latency.frequency_hz)}: speed-up ${run.speed_up.toFixed(2)}`,
				)
			: box(
					"Nodes",
					count(model.nodes),
					`${plural(model.doc.files.length, "recording")}`,
				),
	);
}

function meter(part, whole) {
	const fill = make("i");
	fill.style.width = `${whole ? Math.max(1, (part / whole) * 100) : 0}%`;
	return make("span", {class: "meter", "aria-hidden": "true"}, fill);
}

function structureTop() {
	// Data that costs almost nothing is shown only in the other windows.
	const list = structuresNamed()
		.filter(s => s.sums.lost_cycles > model.doc.summary.lost_cycles / 1e4)
		.sort(
			(a, b) =>
				b.sums.gain_cycles - a.sums.gain_cycles ||
				b.sums.lost_cycles - a.sums.lost_cycles,
		)
		.slice(0, 8);
	const most = Math.max(...list.map(s => s.sums.gain_cycles), 1);
	return namedBlock(
		"wrong-data",
		"Data on the wrong node",
		"Parts of the program's memory, ordered by the saving if their pages were moved. Select a row to see its pages.",
		list.length
			? make(
					"div",
					{class: "scroll"},
					plainTable(
						"Data structures by cycles saved if moved",
						[
							{title: "Data"},
							{title: "Kind", class: "soft"},
							{
								title: "Wrong node",
								class: "n",
								hint: "pages on the wrong node, of all pages accessed",
							},
							{
								title: sampled() ? "Remote" : "Lost",
								class: "n",
								hint: sampled() ? "samples" : "cycles lost to remote accesses",
							},
							{
								title: "Saved if moved",
								class: "n",
								hint: lossUnit(),
							},
						],
						list.map(s => [
							s.name,
							s.kind,
							`${count(s.sums.misplaced)} of ${count(s.sums.pages)}`,
							tally(s.sums.lost_cycles, short),
							[
								meter(s.sums.gain_cycles, most),
								tally(s.sums.gain_cycles, short),
							],
						]),
						i =>
							stateSet({
								w: "histogram",
								show: "all",
								src: "",
								dst: "",
								q: list[i].query,
							}),
					),
				)
			: make(
					"p",
					{class: "empty"},
					"The recording has no names for the program's memory: see the pages.",
				),
	);
}

function hotTable() {
	const hot = model.doc.hot.slice(0, 12);
	const rows = hot.map(h => [
		pageNumber(h.page),
		whereOf(h.page, h.region),
		[nodeMark(h.home), nodeName(h.home)],
		h.misplaced
			? [nodeMark(h.best), nodeName(h.best)]
			: make("span", {class: "soft"}, sampled() ? "not known" : "shared"),
		tally(h.lost_cycles, short),
		tally(h.gain_cycles, short),
	]);
	return block(
		sampled() ? "Pages on the wrong node" : "Pages that lose most",
		"Each page, with the node on which it lies, and the node on which it should lie. Select a row for the page's analysis.",
		hot.length
			? make(
					"div",
					{class: "scroll"},
					plainTable(
						"Pages by cycles saved if moved",
						[
							{title: "Page", class: "n"},
							{title: "Where"},
							{
								title: "Home",
								hint: "the node where the page lies",
							},
							{title: "Belongs on"},
							{
								title: sampled() ? "Remote" : "Lost",
								class: "n",
								hint: lossUnit(),
							},
							{
								title: "Saved if moved",
								class: "n",
								hint: lossUnit(),
							},
						],
						rows,
						i => openPage(hot[i].page, hot[i].home),
					),
				)
			: make("p", {class: "empty"}, "No page: moving pages would save nothing."),
	);
}

const overview = {
	id: "overview",
	title: "Overview",
	build(box) {
		const {latency, files} = model.doc;
		box.append(
			make(
				"header",
				{},
				make("h2", {}, "Which data lies on the wrong node?"),
				verdict(),
			),
			...warnings(),
			sampled() ? make("p", {class: "note", id: "samples"}, samplesNote()) : "",
			fix(),
			figures(),
			make(
				"div",
				{class: "two"},
				make("div", {}, structureTop(), hotTable()),
				make(
					"div",
					{},
					make(
						"div",
						{class: "block"},
						make("h3", {}, "Home and remote"),
						make(
							"p",
							{},
							"Every page of memory lies on one node, its ",
							make("b", {}, "home"),
							". An access by that node is ",
							make("b", {}, "local"),
							...(sampled()
								? []
								: [" and costs ", plural(latency.local_cycles, "cycle")]),
							"; an access by any other node is ",
							make("b", {}, "remote"),
							sampled()
								? ". A sample counts for the home that the page had before the sample, so a page that the kernel has moved has samples at several homes."
								: `, crosses the network, and costs ${count(latency.remote_cycles.read)} cycles for a read, ${count(latency.remote_cycles.write)} for a write, ${count(latency.remote_cycles.lock)} for a lock`,
							sampled()
								? ""
								: ` (model ${latency.model}, ${latency.frequency_hz / 1e6} MHz${latency.assumed ? ", assumed: the recording does not name it" : ""}).`,
						),
						make(
							"p",
							{class: "note"},
							sampled()
								? "Samples show which node uses a page, but not how long accesses take, so this page has no cycles."
								: model.doc.own_known
								? "The accesses of a home to its own pages are known, too, and are subtracted from the saving of a moved page."
								: "The cards count only accesses that cross the network. How often a home uses its own pages is not in the recordings, so the saving is an upper bound. A run with the new placement shows the true saving.",
						),
					),
					block(
						"Run-time transfer",
						`${sampled() ? "Samples" : "Transactions"} by requesting node and target node. Select a pair to see its pages.`,
						matrixMake(false),
						heatLegend(
							Math.max(...model.transfers, 1),
							transferUnit(undefined, "packets"),
							true,
						),
					),
					overviewMap(),
				),
			),
		);
	},
	/** Sums of variables need the pages. */
	show() {
		if (model.ready && model.spans.length)
			document.getElementById("wrong-data").replaceWith(structureTop());
	},
};

/** The whole address space in one strip, from the sums of groups in the document. */
function overviewMap() {
	const columns = Math.min(model.doc.groups.count, 220) || 1;
	const {sums, width} = model.count
		? stretchesGroups(columns)
		: {sums: new Float64Array(1), width: 1};
	const all = totals(sums, width, columns),
		most = Math.max(...all, 1);
	const chart = new Chart(
		"Access diagram of the whole address space",
		130,
		(to, w, h) => {
			const area = frame(to, w, h, most, unit(), 6);
			stackedColumns(to, area, sums, width, columns, most);
		},
		() =>
			plainTable(
				"Accesses by group of pages and node",
				[{title: "Group"}, {title: "Accesses", class: "n"}],
				all.slice(0, 500).map((n, i) => [count(i), tally(n)]),
			),
	);
	chart.summary(
		`${count(model.count)} pages in ${columns} columns; the highest has ${tally(most, short)} ${unit()}.`,
	);
	chart.legend.append(nodeLegend());
	chart.readOut.remove();
	return make(
		"div",
		{class: "block"},
		make("h3", {}, "Access diagram"),
		make(
			"p",
			{},
			"All pages in the order of their addresses; each colour is a node that accesses them. ",
			make(
				"button",
				{
					class: "link",
					type: "button",
					onclick: () => stateSet({w: "diagram"}),
				},
				"Zoom into it",
			),
		),
		chart.figure,
	);
}

function stretchesGroups(columns) {
	const groups = model.doc.groups.count,
		width = model.nodes,
		sums = new Float64Array(columns * width);
	for (let g = 0; g < groups; g++)
		for (let node = 0; node < width; node++)
			sums[Math.floor((g * columns) / groups) * width + node] +=
				model.byNode[g * width + node];
	return {sums, width};
}
