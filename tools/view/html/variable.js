// SPDX-License-Identifier: MIT
// Variable: the panel that shows everything about one variable or region.

const variablePanel = {
	build() {
		this.title = make("h3", {id: "variable-title", tabindex: -1});
		this.facts = make("p", {id: "variable-facts"});
		this.advice = make("p", {class: "verdict"});
		this.map = new Chart(
			"Nodes along the first index: shares of accesses",
			220,
			(to, w, h) => this.drawMap(to, w, h),
			() => this.mapTable(),
		);
		this.map.canvas.tabIndex = 0;
		this.map.canvas.addEventListener("keydown", event => this.keys(event));
		this.map.canvas.addEventListener("pointermove", event => this.pointed(event));
		this.map.canvas.addEventListener("click", () => this.open());
		this.phases = new Chart(
			"Phases: accesses by phase and node",
			190,
			(to, w, h) => this.drawPhases(to, w, h),
			() => this.phaseTable(),
		);
		this.nodes = make("div");
		this.members = make("div");
		this.ranges = make("div");
		const block = (title, text, ...parts) =>
			make(
				"div",
				{class: "block"},
				make("h4", {}, title),
				make("p", {class: "note"}, text),
				...parts,
			);
		this.phaseBlock = block(
			"Phases",
			"Accesses over the phases, by node.",
			this.phases.figure,
		);
		this.box = make(
			"section",
			{
				class: "subject",
				id: "variable",
				"aria-labelledby": "variable-title",
				hidden: true,
			},
			this.title,
			this.facts,
			this.advice,
			block(
				"Nodes by address",
				"A column is one or several of its pages, and a row is a node. The colour is the node's share of the column's accesses, with those to its own memory as far as they are known. A frame marks the node on which the column lies.",
				this.map.figure,
			),
			make(
				"div",
				{class: "two"},
				make("div", {}, this.members, this.ranges),
				make("div", {}, this.nodes, this.phaseBlock),
			),
		);
		this.key = null;
		return this.box;
	},
	/** @s: an entry of structuresAll(); undefined: hide the panel. */
	show(s) {
		this.box.hidden = !s;
		if (!s || !model.ready) return;
		if (this.key === subjectKey(s) && this.doc === model.doc)
			return void this.map.update();
		this.key = subjectKey(s);
		this.doc = model.doc;
		this.subject = s;
		this.pages = subjectPages(s);
		this.cell = [0, 0];
		Object.assign(this, subjectColumns(s, this.pages));
		this.map.height = 30 + Math.max(70, Math.min(420, model.nodes * 22));
		this.title.textContent = s.name;
		this.fillFacts(s);
		this.fillMap(s);
		this.fillNodes(s);
		this.fillMembers(s);
		this.fillPhases();
	},
	fillFacts(s) {
		const size = s.pieces.reduce((sum, [, bytes]) => sum + bytes, 0),
			query = {w: "histogram", show: "all", src: "", dst: "", q: s.query},
			advice = model.doc.advice?.data?.find(
				d => d.start === s.start && d.name === s.name,
			);
		this.facts.replaceChildren(
			`${s.kind}${s.file ? `, ${s.file.split("/").pop()}` : ""}: ${count(size)} bytes from ${hex(s.start)} on${s.pieces.length > 1 ? `, in ${plural(s.pieces.length, "piece")}` : ""}. `,
			make(
				"button",
				{class: "link", type: "button", onclick: () => stateSet(query)},
				plural(this.pages.length, "page"),
			),
			` with ${sampled() ? "samples" : "accesses"}, ${count(s.sums.misplaced)} on the wrong node; they ${sampled() ? "have" : "lose"} ${losses(s.sums.lost_cycles)}.`,
		);
		this.advice.hidden = !advice;
		if (advice)
			this.advice.replaceChildren(make("b", {}, "Advice: "), adviceWords(advice));
	},
	fillMap(s) {
		this.parts = Array.from({length: this.columns}, (_, i) =>
			subjectPart(
				s,
				this.pages[this.edges[i]],
				this.pages[this.edges[i + 1] - 1],
			),
		);
		this.map.legend.replaceChildren(shareLegend());
		this.map.summary(
			`${plural(this.pages.length, "page")} in ${plural(this.columns, "column")}, ${plural(model.nodes, "node")}. ${this.mapWords()} Arrow keys move, Enter opens the pages.`,
		);
		this.map.readOut.textContent = this.mapWords();
		this.map.update();
	},
	/** The nodes that make most accesses, by address: "a[0] – a[7]: node 0; a[8] – a[15]: several nodes." */
	mapWords() {
		const runs = [];
		for (let i = 0; i < this.columns; i++) {
			const sums = this.sums.subarray(i * this.width, (i + 1) * this.width),
				top = sums.indexOf(Math.max(...sums)),
				node = 2 * sums[top] > sums.reduce((a, b) => a + b, 0) ? top : -1;
			if (runs.length && runs.at(-1).node === node) runs.at(-1).last = i;
			else runs.push({node, first: i, last: i});
		}
		if (runs.length > 8)
			return `The node with most of the accesses changes ${runs.length - 1} times from its start to its end.`;
		const words = runs.map(r => {
			const from = this.parts[r.first].split(" – ")[0],
				to = this.parts[r.last].split(" – ").at(-1);
			return `${from}${to === from ? "" : ` – ${to}`}: ${r.node < 0 ? "several nodes" : nodeName(r.node)}`;
		});
		return `Most accesses of ${words.join("; ")}.`;
	},
	drawMap(to, w, h) {
		if (!this.columns) return;
		const area = (this.area = {left: 64, top: 6, width: w - 68, height: h - 30}),
			wide = area.width / this.columns,
			high = area.height / model.nodes;
		to.fillStyle = ink("raised");
		to.fillRect(area.left, area.top, area.width, area.height);
		for (let i = 0; i < this.columns; i++) {
			let all = 0;
			for (let node = 0; node < this.width; node++)
				all += this.sums[i * this.width + node];
			for (let node = 0; node < model.nodes; node++) {
				const n = this.sums[i * this.width + node];
				if (!n) continue;
				to.fillStyle = css(heat(0.06 + (0.94 * n) / all));
				cellFill(
					to,
					area.left + i * wide,
					area.top + node * high,
					wide,
					high,
				);
			}
			to.strokeStyle = ink("bad");
			to.lineWidth = 2;
			to.strokeRect(
				area.left + i * wide + 1,
				area.top + this.homes[i] * high + 1,
				Math.max(1, wide - 2.5),
				Math.max(1, high - 2.5),
			);
		}
		to.lineWidth = 2;
		to.strokeStyle = ink("ink");
		if (document.activeElement === this.map.canvas)
			to.strokeRect(
				area.left + this.cell[0] * wide,
				area.top + this.cell[1] * high,
				Math.max(2, wide),
				Math.max(2, high),
			);
		to.lineWidth = 1;
		this.mapNames(to, area, high);
	},
	mapNames(to, area, high) {
		const step = Math.ceil(14 / high);
		to.fillStyle = ink("ink-soft");
		to.textAlign = "right";
		to.textBaseline = "middle";
		for (let node = 0; node < model.nodes; node += step)
			to.fillText(nodeName(node), area.left - 7, area.top + (node + 0.5) * high);
		to.textAlign = "left";
		bottomWords(
			to,
			area,
			this.parts.map(
				part =>
					part
						.split(" – ")[0]
						.replace(this.subject.name, "")
						.trim() || this.subject.name.slice(0, 16),
			),
		);
	},
	say(spoken) {
		const [i, node] = this.cell,
			n = this.sums[i * this.width + node];
		let all = 0;
		for (let k = 0; k < this.width; k++) all += this.sums[i * this.width + k];
		this.map.readOut.textContent = `${this.parts[i]} · lies on ${nodeName(this.homes[i])} · ${nodeName(node)}: ${tally(n)} ${unit()}${sampled() ? ` of ${tally(all)}` : `, ${percent(n / all)}`}`;
		if (spoken) say(this.map.readOut.textContent);
		this.map.show();
	},
	pointed(event) {
		const along = (event.offsetX - this.area.left) / this.area.width,
			down = (event.offsetY - this.area.top) / this.area.height;
		if (along < 0 || along >= 1 || down < 0 || down >= 1) return;
		this.cell = [Math.floor(along * this.columns), Math.floor(down * model.nodes)];
		this.say(false);
	},
	keys(event) {
		const by = {
			ArrowLeft: [-1, 0],
			ArrowRight: [1, 0],
			ArrowUp: [0, -1],
			ArrowDown: [0, 1],
		}[event.key];
		if (event.key === "Enter") return this.open();
		if (!by) return;
		event.preventDefault();
		this.cell = [
			Math.max(0, Math.min(this.columns - 1, this.cell[0] + by[0])),
			Math.max(0, Math.min(model.nodes - 1, this.cell[1] + by[1])),
		];
		this.say(true);
	},
	open() {
		const first = this.pages[this.edges[this.cell[0]]],
			last = this.pages[this.edges[this.cell[0] + 1] - 1];
		if (first === last) return stateSet({w: "page", page: pageWord(first)});
		stateSet({
			w: "histogram",
			show: "all",
			src: "",
			dst: "",
			q: `${model.number[first]}-${model.number[last]}`,
		});
	},
	mapTable() {
		const nodes = [...Array(model.nodes).keys()].slice(0, 24);
		return plainTable(
			"Shares of accesses by address",
			[
				{title: "Part"},
				{title: "Lies on"},
				...nodes.map(node => ({title: nodeName(node), class: "n"})),
			],
			this.parts.map((part, i) => {
				const all = this.sums
					.subarray(i * this.width, (i + 1) * this.width)
					.reduce((a, b) => a + b, 0);
				return [
					part,
					nodeName(this.homes[i]),
					...nodes.map(node =>
						sampled()
							? tally(this.sums[i * this.width + node])
							: percent(this.sums[i * this.width + node] / all),
					),
				];
			}),
		);
	},
	/** Counts by node: exact for a variable; for a region, the sums of its pages. */
	fillNodes(s) {
		const rows = [],
			counts = s.variable?.transactions || s.variable;
		if (counts?.by_node !== undefined) {
			const numbers = new Numbers(counts.by_node);
			while (numbers.more) rows.push([1, 2, 3, 4, 5].map(() => numbers.next()));
		} else {
			const sums = new Map();
			for (const page of this.pages)
				for (
					let row = model.rowStart[page];
					row < model.rowStart[page + 1];
					row++
				) {
					const node = model.rowNode[row],
						sum = sums.get(node) || [node, 0, 0, 0, 0];
					sum[1] += model.rowReads[row];
					sum[2] += model.rowWrites[row];
					sum[3] += model.rowLocks[row];
					sum[4] += model.rowOther[row];
					sums.set(node, sum);
				}
			rows.push(...sums.values());
		}
		rows.sort((a, b) => costOf(...b.slice(1)) - costOf(...a.slice(1)));
		const lie = new Map();
		for (const page of this.pages)
			lie.set(model.home[page], (lie.get(model.home[page]) || 0) + 1);
		this.nodes.replaceChildren(
			make("h4", {}, "Nodes"),
			make(
				"p",
				{class: "note"},
				sampled()
					? "Samples by node."
					: counts?.by_node !== undefined
					? `The cards' counts of it, without the accesses of nodes to their own memory.${counts.straddling ? ` ${tally(counts.straddling)} more were counted over ranges that also touch other variables.` : ""}`
					: "Counts of its pages.",
				s.variable?.transactions
					? ` These are transactions behind the caches. Processors made ${tally(s.variable.accesses)} accesses to it, including those that caches served.`
					: "",
			),
			make(
				"div",
				{class: "scroll"},
				nodeTable(
					"Accesses by node",
					"Pages here",
					rows.map(([node, reads, writes, locks, other]) => ({
						node,
						name: nodeName(node),
						reads,
						writes,
						locks,
						other,
						last: lie.get(node) || 0,
					})),
				),
			),
		);
	},
	fillMembers(s) {
		const {list, reported} = subjectCounts(s, this.pages),
			members = s.variable?.shape === undefined ? [] : membersOf(list),
			ranges = rangesOf(list).slice(0, 12),
			note =
				reported < this.pages.length
					? `Counts of ${plural(reported, "page")} of ${count(this.pages.length)}: those whose details this file keeps. `
					: "";
		const kinds = [
			...typeColumns(),
			{title: "All", class: "n"},
		];
		const cells = k =>
			[...(typesKnown() ? [k.reads, k.writes, k.locks] : []), k.all].map(n => tally(n));
		this.members.replaceChildren();
		if (members.some(m => /[.%…]/.test(m.name.slice(s.name.length))))
			this.members.append(
				make("h4", {}, "Members"),
				make(
					"p",
					{class: "note"},
					`${note}Counts over all items; a range that holds several members counts them together.`,
				),
				make(
					"div",
					{class: "scroll"},
					plainTable(
						"Accesses by member",
						[{title: "Member"}, ...kinds],
						members
							.slice(0, 16)
							.map(m => [m.name, ...cells(m)]),
					),
				),
			);
		this.ranges.replaceChildren();
		if (ranges.length)
			this.ranges.append(
				make("h4", {}, "Hottest elements"),
				make(
					"p",
					{class: "note"},
					`${note}The ranges with the most remote ${sampled() ? "samples" : "accesses, as cards counted them"}.`,
				),
				make(
					"div",
					{class: "scroll"},
					plainTable(
						"Hottest elements",
						[{title: "Element"}, ...kinds, {title: "By"}],
						ranges.map(r => [
							namesIn(r.address, r.address + r.bytes) ||
								`+ ${hex(r.address - s.start)}, ${plural(r.bytes, "byte")}`,
							...cells(r),
							topNodesText(r.nodes),
						]),
						i => structure.lookUp(hex(ranges[i].address)),
					),
				),
			);
	},
	fillPhases() {
		const phases = model.doc.phases.length;
		this.byPhase = new Float64Array(phases * model.nodes);
		let reported = 0;
		for (const page of this.pages) {
			const details = detailsOf(page, "phases");
			if (!details) continue;
			reported++;
			for (const [phase, node, , n] of details)
				this.byPhase[phase * model.nodes + node] += n;
		}
		this.phaseBlock.hidden = !reported || phases < 2;
		this.phases.legend.replaceChildren(nodeLegend());
		this.phases.summary(
			`${plural(phases, "phase")}: ` +
				totals(this.byPhase, model.nodes, phases)
					.slice(0, 12)
					.map((n, i) => `${phaseName(i)} ${tally(n)}`)
					.join(", "),
		);
		this.phases.readOut.textContent =
			reported < this.pages.length
				? `Counts of ${plural(reported, "page")} of ${count(this.pages.length)}: those whose details this file keeps.`
				: "";
		this.phases.update();
	},
	drawPhases(to, w, h) {
		if (!this.byPhase) return;
		const phases = model.doc.phases.length,
			most = Math.max(...totals(this.byPhase, model.nodes, phases), 1),
			area = frame(to, w, h, most, unit());
		stackedColumns(to, area, this.byPhase, model.nodes, phases, most);
		bottomWords(
			to,
			area,
			model.doc.phases.map((_, i) => phaseName(i)),
		);
	},
	phaseTable() {
		return pageWindow.byNode(
			"Accesses by phase and node",
			"Phase",
			model.doc.phases.map((_, i) => phaseName(i)),
			this.byPhase,
		);
	},
};

/** The legend of shares, from 0 to 100 %. */
function shareLegend() {
	const legend = heatLegend(1, "", true),
		canvas = legend.querySelector("canvas");
	legend.replaceChildren("Share: 0 %", canvas, "100 % · empty: none · frame: the home node");
	return legend;
}
