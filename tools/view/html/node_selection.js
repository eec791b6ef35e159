// SPDX-License-Identifier: MIT
// Node selection: the pages of one home node, or the accesses of one source, in the access diagram and the heat
// map. Source: "Memory access behavior analysis of NUMA-based shared memory programs" (2002), figure 3,
// the accesses to the pages of one node.

/** Is one home or one source chosen? The histogram table's pair is the same choice. */
function aloneIs() {
	return state.src !== "" || state.dst !== "";
}

/** The chosen home and source, as a text. */
function aloneWords() {
	return [
		state.dst === "" ? "" : `pages of ${nodeName(Number(state.dst))} alone`,
		state.src === "" ? "" : `accesses by ${nodeName(Number(state.src))} alone`,
	]
		.filter(Boolean)
		.join(", ");
}

/** The two choices, for the bar of a window. */
function aloneBar() {
	const choice = (key, title, all) => {
		const select = make(
			"select",
			{
				"data-alone": key,
				"aria-label": title,
				onchange: () => stateSet({[key]: select.value}),
			},
			make("option", {value: ""}, all),
			...Array.from({length: model.nodes}, (_, node) =>
				make("option", {value: node}, nodeName(node)),
			),
		);
		return make("label", {}, title, select);
	};
	return make(
		"span",
		{class: "group-of"},
		choice("dst", "Home", "all homes"),
		choice("src", "Source", "all sources"),
	);
}

/** Set both choices to the values of the state. */
function aloneBarShow(box) {
	for (const select of box.querySelectorAll("select[data-alone]"))
		select.value = state[select.dataset.alone];
}

/** The chosen pages from @from to @to that pass @test, in at most @most columns. */
function aloneColumns(from, to, most, test = () => true) {
	const list = [],
		edges = [],
		counts = [];
	for (let page = from; page < to; page++) if (pairUses(page) && test(page)) list.push(page);
	const columns = Math.min(list.length, Math.max(1, most)),
		begin = i => Math.floor((list.length * i) / columns);
	for (let i = 0; i < columns; i++) {
		edges.push(list[begin(i)]);
		counts.push(begin(i + 1) - begin(i));
	}
	edges.push(list.length ? list.at(-1) + 1 : from);
	return {list, edges, counts, begin, columns};
}

/** Like stretches(), for the chosen pages and accesses; one column without pages if no page is chosen. */
function aloneStretches(from, to, most) {
	const {list, edges, counts, begin, columns} = aloneColumns(from, to, most),
		width = model.nodes + 1,
		sums = new Float64Array(Math.max(1, columns) * width);
	for (let i = 0; i < columns; i++)
		for (let k = begin(i); k < begin(i + 1); k++)
			for (let row = model.rowStart[list[k]]; row < model.rowStart[list[k] + 1]; row++)
				if (state.src === "" || model.rowNode[row] === Number(state.src))
					sums[i * width + model.rowNode[row]] +=
						model.rowReads[row] +
						model.rowWrites[row] +
						model.rowLocks[row] +
						model.rowOther[row];
	if (!columns) edges.push(edges[0]);
	return {edges, counts: columns ? counts : [0], sums, width};
}

/**
 * Rows of the heat map of the chosen pages and accesses, from the pages whose phases are kept: @edges,
 * @counts, @sums by [row][column of phases], and the number of chosen pages that are @missing.
 */
function aloneRows(from, to, most) {
	const {phase_columns: columns, phases_each: each} = model.doc.groups,
		kept = aloneColumns(from, to, most, page => model.details.has(page)),
		sums = new Float64Array(Math.max(1, kept.columns) * columns);
	let missing = 0;
	for (let page = from; page < to; page++)
		if (pairUses(page) && !model.details.has(page)) missing++;
	for (let i = 0; i < kept.columns; i++)
		for (let k = kept.begin(i); k < kept.begin(i + 1); k++)
			for (const [phase, source, , n] of detailsOf(kept.list[k], "phases"))
				if (state.src === "" || source === Number(state.src))
					sums[i * columns + Math.min(columns - 1, Math.floor(phase / each))] += n;
	if (!kept.columns) kept.edges.push(kept.edges[0]);
	return {
		edges: kept.edges,
		counts: kept.columns ? kept.counts : [0],
		sums,
		rows: Math.max(1, kept.columns),
		missing,
	};
}
