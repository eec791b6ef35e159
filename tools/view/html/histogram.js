// SPDX-License-Identifier: MIT
// Histogram table: accesses by page, sorted and filtered, with the most frequently accessed pages marked.

/** Does the chosen pair of nodes use this page? */
function pairUses(page) {
	if (state.dst !== "" && model.home[page] !== Number(state.dst)) return false;
	if (state.src === "") return true;
	for (let row = model.rowStart[page]; row < model.rowStart[page + 1]; row++)
		if (model.rowNode[row] === Number(state.src)) return true;
	return false;
}

/** A filter's words as a test of a page: a number, an address, a name, home:2, node:3. */
function queryTest(query) {
	const tests = query.trim().toLowerCase().split(/\s+/).filter(Boolean).map(wordTest);
	return page => tests.every(test => test(page));
}

function wordTest(word) {
	const [, key, value] = /^(home|node|best):(\d+)$/.exec(word) || [];
	if (key === "home") return page => model.home[page] === Number(value);
	if (key === "best") return page => model.best[page] === Number(value);
	if (key === "node")
		return page =>
			[
				...model.rowNode.subarray(
					model.rowStart[page],
					model.rowStart[page + 1],
				),
			].includes(Number(value));
	const [, first, last] = /^(\d+)-(\d+)$/.exec(word) || [];
	if (first)
		return page =>
			model.number[page] >= Number(first) && model.number[page] <= Number(last);
	if (/^0x[0-9a-f]+$/.test(word))
		return page =>
			model.number[page] === Math.floor(Number(word) / model.doc.page_bytes);
	if (/^\d+$/.test(word)) return page => String(model.number[page]).startsWith(word);
	const regions = model.doc.regions.map(r =>
		(regionName(r) + " " + r.kind).toLowerCase().includes(word),
	);
	const variables = (model.doc.variables || []).filter(v =>
		v.name.toLowerCase().includes(word),
	);
	return page =>
		(model.region[page] >= 0 && regions[model.region[page]]) ||
		variables.some(v => {
			const start = model.number[page] * model.doc.page_bytes;
			return piecesOf(v).some(
				([at, bytes]) =>
					at < start + model.doc.page_bytes && start < at + bytes,
			);
		});
}

function pageMean() {
	let sum = 0;
	for (let page = 0; page < model.count; page++) sum += model.accesses[page];
	return model.count ? sum / model.count : 0;
}

/**
* The threshold of hot pages in accesses, as with --hot: N, or a percentage of all accesses; null if it
 * is missing or makes no sense. Without caches, a card counts no accesses by the home itself.
 */
function hotLeast() {
	const [, number, percents] =
		/^(?:(\d+)|(\d+(?:\.\d+)?)%)$/.exec(state.hot || model.doc.hot_from || "") || [];
	let all = 0;
	if (number) return Number(number) || null;
	if (!(percents > 0 && percents <= 100)) return null;
	for (let page = 0; page < model.count; page++) all += hotAccesses(page);
	return Math.max(1, Math.ceil((all * percents) / 100));
}

function hotAccesses(page) {
	return model.doc.own_known && !behindCaches() ? model.remote[page] : model.accesses[page];
}

/** A test of whether a page is hot: by the threshold of accesses, or, without one, by a multiple of the mean. */
function hotTest() {
	const least = hotLeast(),
		limit = pageMean() * (Number(state.th) || 2);
	return least === null
		? page => model.accesses[page] > limit
		: page => hotAccesses(page) >= least;
}

/** Pages that pass the filters, in the chosen order. */
function pagesSelected() {
	const test = queryTest(state.q),
		hot = hotTest(),
		list = new Uint32Array(model.count);
	const pair = state.src !== "" || state.dst !== "";
	let n = 0;
	for (let page = 0; page < model.count; page++) {
		if (
			(state.show === "wrong" && !model.wrong[page]) ||
			(state.show === "often" && !hot(page))
		)
			continue;
		if ((!pair || pairUses(page)) && (!state.q || test(page))) list[n++] = page;
	}
	return ordered(list.subarray(0, n), sortKeys(), state.dir === "d");
}

function sortKeys() {
	if (state.sort === "remote") {
		const keys = new Float64Array(model.count);
		return keys.map((_, page) => model.remote[page] / model.counted[page] || 0);
	}
	if (state.sort === "ratio") return model.share;
	if (/^node\d+$/.test(state.sort)) {
		const node = Number(state.sort.slice(4)),
			keys = new Float64Array(model.count);
		for (let page = 0; page < model.count; page++)
			keys[page] = nodeAccesses(page, node);
		return keys;
	}
	return (
		model[{page: "number", home: "home", top: "top"}[state.sort] || state.sort] ||
		model.lost
	);
}

function nodeAccesses(page, node) {
	for (let row = model.rowStart[page]; row < model.rowStart[page + 1]; row++)
		if (model.rowNode[row] === node)
			return (
				model.rowReads[row] +
				model.rowWrites[row] +
				model.rowLocks[row] +
				model.rowOther[row]
			);
	return 0;
}

function histogramColumns() {
	const number = (key, title, hint, cell) => ({
		key,
		title,
		hint,
		class: "n",
		sortable: true,
		cell: cell || (page => (model[key][page] ? tally(model[key][page]) : "–")),
	});
	const columns = [
		number("page", "Page", "address / 4096", page => pageNumber(model.number[page])),
		{
			title: "Where",
			hint: "the first element of a variable on the page, or the region and the page's offset in it",
			cell: page => {
				const start = model.number[page] * model.doc.page_bytes;
				return make(
					"span",
					{
						title:
							namesIn(
								start,
								start + model.doc.page_bytes,
							) || null,
					},
					whereOf(model.number[page], model.region[page]),
				);
			},
		},
		{
			key: "home",
			title: "Home",
			hint: "the node where the page lies",
			sortable: true,
			cell: page => [nodeMark(model.home[page]), nodeName(model.home[page])],
		},
		{
			key: "top",
			title: "Used most by",
			hint: `the node with the most ${unit()}`,
			sortable: true,
			cell: page => [nodeMark(model.top[page]), nodeName(model.top[page])],
		},
		/* A share of samples would need its own band; the samples of each node have their bands. */
		...(sampled()
			? []
			: [
					number("ratio", "Ratio", `share of this node's ${unit()} in all ${unit()}`, page =>
						percent(model.share[page]),
					),
				]),
		number(
			"accesses",
			sampled() ? "Samples" : "Accesses",
			"by all nodes; by the home only as far as known",
		),
		...(behindCaches()
			? [
					number(
						"counted",
						"Transactions",
						"transactions that the caches have not served; all following columns count them, too",
					),
				]
			: []),
		...(typesKnown()
			? [
					number("reads", "Reads"),
					number("writes", "Writes"),
					number("locks", "Locks"),
				]
			: []),
		...(sampled()
			? []
			: [
					number(
						"remote",
						"Remote",
						`share of ${unit()} by other nodes than the home`,
						page => percent(model.remote[page] / model.counted[page]),
					),
				]),
		sampled()
			? number("lost", "Remote samples", "of pages that lay on another node", page =>
					tally(model.lost[page], short),
				)
			: number("lost", "Lost cycles", "to remote accesses, by the latency model", page =>
					short(model.lost[page]),
				),
		number(
			"gain",
			"Saved if moved",
			`${lossUnit()}, if the page lay on the node that loses most`,
			page => tally(model.gain[page], short),
		),
	];
	for (let node = 0; node < model.nodes && model.nodes <= 8; node++)
		columns.push(
			number(`node${node}`, `Node ${node}`, `${unit()} by node ${node}`, page => {
				const n = nodeAccesses(page, node);
				return n ? tally(n) : "–";
			}),
		);
	if (model.nodes > 8)
		columns.push({
			title: "By node",
			hint: `the nodes with the most ${unit()}`,
			class: "soft",
			cell: nodesText,
		});
	return columns;
}

/** The nodes with the most accesses to a page, as a text: if there are many nodes, not each can have a column. */
function nodesText(page) {
	const list = [];
	for (let row = model.rowStart[page]; row < model.rowStart[page + 1]; row++)
		list.push([
			model.rowReads[row] +
				model.rowWrites[row] +
				model.rowLocks[row] +
				model.rowOther[row],
			model.rowNode[row],
		]);
	list.sort((a, b) => b[0] - a[0]);
	return (
		list
			.slice(0, 4)
			.map(([n, node]) => `${nodeName(node)} ${tally(n)}`)
			.join(", ") + (list.length > 4 ? ", …" : "")
	);
}

const histogram = {
	id: "histogram",
	pages: true,
	title: "Histogram table",
	build(box) {
		this.table = new LongTable(
			"Histogram table: accesses by page",
			histogramColumns(),
			page => stateSet({w: "page", page: pageWord(page)}),
			key => this.sort(key),
		);
		this.table.mark = page => this.hot(page);
		this.search = make("input", {
			type: "search",
			id: "filter",
			placeholder: "grid, 65536, 0x10001000, home:2, node:3",
			"aria-label": "Filter pages",
			oninput: () => this.later(),
		});
		this.shows = [
			["all", "All pages"],
			["often", "Most frequently accessed"],
			["wrong", "On the wrong node"],
		].map(([key, title]) =>
			make(
				"button",
				{
					type: "button",
					"data-show": key,
					onclick: () => stateSet({show: key}),
				},
				title,
			),
		);
		this.pair = make("button", {
			type: "button",
			onclick: () => stateSet({src: "", dst: ""}),
		});
		this.reported = make("p", {class: "note", role: "status", id: "selected"});
		box.append(
			windowHead(
				"Histogram table",
				"Accesses to each page, by the node that made them. Moving a page is worth while if one node that is not its home makes most of its accesses.",
			),
			make(
				"div",
				{class: "bar"},
				this.search,
				make(
					"div",
					{
						class: "group",
						role: "group",
						"aria-label": "Pages to show",
					},
					...this.shows,
				),
				this.pair,
				thresholdInput(() => this.show()),
				this.hotInput(),
			),
			this.reported,
			this.table.box,
			make(
				"p",
				{class: "note"},
				`A red edge marks the hot, most frequently accessed pages: pages with more accesses than the threshold times the mean of all pages, or, if “or from” has a number or a percentage of all accesses, with at least as many.${sampled() ? "" : " Lost cycles are the cycles of remote accesses beyond those of local accesses."} Enter or a click opens the page's analysis.`,
			),
		);
	},
	hotInput() {
		this.from = make("input", {
			type: "text",
			size: 8,
			placeholder: "N or P%",
			"aria-label": "Hot from, accesses or percent of all accesses",
			onchange: () => stateSet({hot: this.from.value.trim()}),
		});
		return make("label", {}, "or from", this.from, "accesses");
	},
	later() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => stateSet({q: this.search.value}), 150);
	},
	sort(key) {
		stateSet(
			state.sort === key
				? {dir: state.dir === "d" ? "a" : "d"}
				: {sort: key, dir: "d"},
		);
	},
	show() {
		if (this.search !== document.activeElement) this.search.value = state.q;
		if (this.from !== document.activeElement)
			this.from.value = state.hot || model.doc.hot_from || "";
		this.shows.forEach(b =>
			b.setAttribute("aria-pressed", b.dataset.show === state.show),
		);
		this.pair.hidden = state.src === "" && state.dst === "";
		this.pair.textContent = `${state.src === "" ? "any node" : nodeName(Number(state.src))} → ${state.dst === "" ? "any home" : nodeName(Number(state.dst))} ✕`;
		if (!model.ready) return void (this.reported.textContent = "Unpacking the pages…");
		const key = [
			state.q,
			state.show,
			state.src,
			state.dst,
			state.sort,
			state.dir,
			state.th,
			state.hot,
		].join("|");
		if (key === this.shown) return this.table.draw(true);
		this.shown = key;
		this.hot = hotTest();
		const list = pagesSelected();
		let accesses = 0,
			lost = 0;
		for (const page of list) {
			accesses += model.accesses[page];
			lost += model.lost[page];
		}
		this.table.sorted(state.sort, state.dir === "d");
		this.table.rows(list);
		this.reported.textContent =
			`${plural(list.length, "page")} of ${count(model.count)}: ${sampled() ? `${tally(accesses)} samples, ${losses(lost)}.` : `${count(accesses)} accesses, ${short(lost)} cycles lost (${seconds(lost)} of node time).`}` +
			(model.doc.pages.rows_summed
				? " For each page, the most costly nodes are kept, and all other nodes are summed up."
				: "");
	},
};
