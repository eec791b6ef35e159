// SPDX-License-Identifier: MIT
// Page analysis: one page by section and node, with separate reads and writes, and over the phases.

const pageWindow = {
	id: "page",
	pages: true,
	title: "Page analysis",
	build(box) {
		this.head = make("p", {class: "lead", id: "page-facts"});
		this.title = make("h2", {}, "Page analysis");
		this.number = make("input", {
			type: "search",
			"aria-label": "Page number, address or element",
			placeholder: "65537, 0x10001234, matrix[130][17]",
			onkeydown: event => event.key === "Enter" && this.ask(),
		});
		this.size = make(
			"select",
			{
				"aria-label": "Section size",
				onchange: () => stateSet({s: this.size.value}),
			},
			...[4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096].map(n =>
				make("option", {value: n}, n >= 1024 ? `${n / 1024} KB` : `${n} B`),
			),
		);
		this.node = make(
			"select",
			{
				"aria-label": "Nodes in the read and write curves",
				onchange: () => stateSet({of: this.node.value}),
			},
			make("option", {value: ""}, "all nodes"),
		);
		for (let node = 0; node < model.nodes; node++)
			this.node.append(make("option", {value: node}, nodeName(node)));
		const step = by => () =>
			this.at >= 0 &&
			this.at + by >= 0 &&
			this.at + by < model.count &&
			stateSet({page: pageWord(this.at + by)});
		this.box = make("div");
		this.section = new Chart(
			"Section: accesses by section and node",
			230,
			(to, w, h) => this.drawSections(to, w, h),
			() => this.sectionTable(),
		);
		this.curves = new Chart(
			"Read/write: reads and writes by section",
			200,
			(to, w, h) => this.drawCurves(to, w, h),
			() => this.curveTable(),
		);
		this.phase = new Chart(
			"Phase: accesses by phase and node",
			200,
			(to, w, h) => this.drawPhases(to, w, h),
			() => this.phaseTable(),
		);
		this.nodes = make("div", {class: "scroll"});
		this.parts = make(
			"div",
			{class: "two"},
			make(
				"div",
				{},
				block(
					"Section",
					"Accesses to each part of the page, by node.",
					this.section.figure,
				),
				block(
					"Read/write",
					"Reads wait for the network, but writes hardly do. If nodes share a section, the node that reads most should have it.",
					this.curves.figure,
				),
			),
			make(
				"div",
				{},
				make("div", {class: "block"}, make("h3", {}, "Nodes"), this.nodes),
				block(
					"Phase",
					"Accesses to the page over the phases, by node.",
					this.phase.figure,
				),
			),
		);
		this.none = make("p", {class: "empty"});
		box.append(
			make("header", {}, this.title, this.head),
			make(
				"div",
				{class: "bar"},
				make("label", {}, "Page ", this.number),
				make("button", {type: "button", onclick: () => this.ask()}, "Show"),
				make(
					"div",
					{class: "group", role: "group", "aria-label": "Neighbours"},
					make(
						"button",
						{
							type: "button",
							"aria-label": "Page before",
							onclick: step(-1),
						},
						"←",
					),
					make(
						"button",
						{
							type: "button",
							"aria-label": "Next page",
							onclick: step(1),
						},
						"→",
					),
				),
				make("label", {}, "Sections of", this.size),
				make("label", {}, "Curves of", this.node),
			),
			this.none,
			this.parts,
		);
		for (const chart of [this.section, this.curves])
			chart.canvas.addEventListener("pointermove", event =>
				this.pointSection(chart, event),
			);
		this.phase.canvas.addEventListener("pointermove", event => this.pointPhase(event));
	},
	ask() {
		const text = this.number.value.trim(),
			n = this.asked(text);
		if (typeof n === "string") return say(n);
		if (pageFind(n) < 0) return say(`No access to page ${text} was recorded.`);
		stateSet({page: n});
	},
	/** The number of the page that a text names, or a text with the error. */
	asked(text) {
		if (/^[\d ,]+$/.test(text)) return Number(text.replace(/[ ,]/g, ""));
		const place = placeFind(text);
		return place.error || Math.floor(place.address / model.doc.page_bytes);
	},
	show() {
		this.size.value = state.s;
		this.node.value = state.of;
		if (!model.ready || !model.count)
			return this.nothing(
				model.ready ? "No page has accesses." : "Unpacking the pages…",
			);
		const hot = model.doc.hot[0];
		this.at = state.page ? pageOfState() : hot ? hot.index : 0;
		if (this.at < 0)
			return this.nothing(`No access to page ${state.page} was recorded.`);
		const number = model.number[this.at];
		this.title.textContent = `Page analysis: page ${pageNumber(number)}`;
		this.number.value = number;
		this.head.replaceChildren(...this.facts());
		this.details = detailsOf(this.at, "ranges");
		this.phases = detailsOf(this.at, "phases");
		this.fillNodes();
		this.parts.hidden = false;
		this.none.hidden = !!this.details;
		if (!this.details)
			this.none.textContent = `This file keeps sections and phases of the ${plural(model.details.size, "page")} that lose most. For this page: smile report page --page ${number} --home ${model.home[this.at]} FILE..., or run smile view again with a larger --details.`;
		[this.section, this.curves, this.phase].forEach(chart => {
			chart.figure.parentElement.hidden = !this.details;
		});
		if (!typesKnown()) this.curves.figure.parentElement.hidden = true;
		if (this.details) this.compute();
	},
	nothing(text) {
		this.at = -1;
		this.none.hidden = false;
		this.none.textContent = text;
		this.parts.hidden = true;
		this.head.textContent = "";
	},
	facts() {
		const page = this.at,
			home = model.home[page],
			start = model.number[page] * model.doc.page_bytes;
		const b = text => make("b", {}, text),
			best = model.best[page];
		const text = [
			b(
				namesIn(start, start + model.doc.page_bytes) ||
					whereOf(model.number[page], model.region[page]),
			),
			`, addresses ${hex(start)} to ${hex(start + model.doc.page_bytes - 1)}, lies on `,
			b(nodeName(home)),
			sampled()
				? `. ${tally(model.counted[page])} samples were taken of the page while it lay there, ${losses(model.remote[page])} among them. `
				: `. ${count(model.remote[page])} remote ${unit()} lose ${short(model.lost[page])} cycles. `,
		];
		if (model.wrong[page])
			text.push(
				make("b", {class: "bad"}, `It belongs on ${nodeName(best)}`),
				sampled()
					? ", which has most of the samples."
					: `, which makes most of its accesses: that saves ${short(model.gain[page])} cycles (${percent(model.gain[page] / model.lost[page])}).`,
			);
		else if (sampled())
			text.push(
				"Samples show no better node for it: its home uses it most, several nodes use it, it has too few samples, or the kernel has moved it since.",
			);
		else if (model.gain[page] > 0)
			text.push(
				b("It is shared: "),
				`no node has half of the cost of its accesses; on ${nodeName(best)} it would lose ${percent(model.gain[page] / model.lost[page])} less. Its sections show whether it can be split.`,
			);
		else text.push("Its home uses it most.");
		return text;
	},
	fillNodes() {
		const rows = [];
		for (let row = model.rowStart[this.at]; row < model.rowStart[this.at + 1]; row++)
			rows.push(row);
		const cost = row =>
			model.rowNode[row] === model.home[this.at]
				? 0
				: costOf(
						model.rowReads[row],
						model.rowWrites[row],
						model.rowLocks[row],
						model.rowOther[row],
					);
		rows.sort((a, b) => cost(b) - cost(a));
		this.nodes.replaceChildren(
			nodeTable(
				"Accesses to the page by node",
				sampled() ? "Remote samples" : "Lost cycles",
				rows.map(row => ({
					node: model.rowNode[row],
					name:
						nodeName(model.rowNode[row]) +
						(model.rowNode[row] === model.home[this.at] ? " (home)" : ""),
					reads: model.rowReads[row],
					writes: model.rowWrites[row],
					locks: model.rowLocks[row],
					other: model.rowOther[row],
					last: cost(row),
					estimate: true,
				})),
			),
		);
	},
	compute() {
		const bytes = Number(state.s),
			only =
				state.of === ""
					? this.details
					: this.details.filter(d => d[1] === Number(state.of));
		this.all = sectionsOf(this.details, bytes, [0, 1, 2, 3]);
		this.reads = sectionsOf(only, bytes, [1]);
		this.writes = sectionsOf(only, bytes, [2]);
		this.r = totals(this.reads.sums, model.nodes, this.reads.sections);
		this.w = totals(this.writes.sums, model.nodes, this.writes.sections);
		this.sums = totals(this.all.sums, model.nodes, this.all.sections);
		this.byPhase = new Float64Array(model.doc.phases.length * model.nodes);
		for (const [phase, node, , n] of this.phases)
			this.byPhase[phase * model.nodes + node] += n;
		const most = this.sums.indexOf(Math.max(...this.sums));
		this.section.summary(
			`${this.all.sections} sections of ${bytes} bytes; the most ${unit()}, ${tally(this.sums[most])}, are at offset ${hex(most * bytes)}${this.names(most) && `, ${this.names(most)}`}.`,
		);
		this.section.legend.replaceChildren(nodeLegend());
		this.phase.legend.replaceChildren(nodeLegend());
		const read = make("i", {class: "node", colour: "var(--accent)"}),
			write = make("i", {class: "node", colour: "var(--bad)"});
		this.curves.legend.replaceChildren(
			make(
				"ul",
				{class: "legend"},
				make("li", {}, read, "reads (line)"),
				make("li", {}, write, "writes (dashed)"),
			),
		);
		this.curves.summary(
			`${tally(this.r.reduce((a, b) => a + b, 0))} reads and ${tally(this.w.reduce((a, b) => a + b, 0))} writes of ${state.of === "" ? "all nodes" : nodeName(Number(state.of))}.`,
		);
		this.section.caption.textContent =
			(model.counted[this.at] > model.remote[this.at] && model.doc.own_known
				? `Sections show remote ${unit()}; the home's own accesses are not known by section. `
				: "") +
			(this.all.straddling
				? `${tally(this.all.straddling)} ${unit()} were counted over a range in more than one section: they are in the totals, but in no section.`
				: "");
		const phases = model.doc.phases.map(
			(_, i) =>
				`${phaseName(i)} ${tally(this.byPhase.slice(i * model.nodes, (i + 1) * model.nodes).reduce((a, b) => a + b, 0))}`,
		);
		this.phase.summary(
			`${plural(phases.length, "phase")}: ${phases.slice(0, 12).join(", ")}${phases.length > 12 ? ", …" : ""}.`,
		);
		[this.section, this.curves, this.phase].forEach(chart => chart.update());
	},
	drawSections(to, w, h) {
		if (!this.all) return;
		const most = Math.max(...this.sums, 1),
			area = (this.area = frame(to, w, h, most, unit()));
		stackedColumns(to, area, this.all.sums, model.nodes, this.all.sections, most);
		bottomWords(to, area, sectionWords(this.all.sections, Number(state.s)));
	},
	drawCurves(to, w, h) {
		if (!this.all) return;
		const most = Math.max(...this.r, ...this.w, 1),
			area = frame(to, w, h, most, unit());
		readWriteCurves(to, area, this.r, this.w, most);
		bottomWords(to, area, sectionWords(this.all.sections, Number(state.s)));
	},
	drawPhases(to, w, h) {
		if (!this.byPhase) return;
		const phases = model.doc.phases.length,
			sums = totals(this.byPhase, model.nodes, phases),
			most = Math.max(...sums, 1);
		const area = (this.phaseArea = frame(to, w, h, most, unit()));
		stackedColumns(to, area, this.byPhase, model.nodes, phases, most);
		bottomWords(
			to,
			area,
			model.doc.phases.map((_, i) => phaseName(i)),
		);
	},
	pointSection(chart, event) {
		const i = Math.floor(
				((event.offsetX - this.area.left) / this.area.width) *
					this.all.sections,
			),
			bytes = Number(state.s);
		if (i < 0 || i >= this.all.sections) return;
		const by = [...Array(model.nodes).keys()]
			.map(node => [this.all.sums[i * model.nodes + node], node])
			.filter(x => x[0])
			.sort((a, b) => b[0] - a[0]);
		const names = this.names(i);
		chart.readOut.textContent =
			`${hex(i * bytes)}–${hex((i + 1) * bytes - 1)}${names && ` · ${names}`}: ${tally(this.r[i])} reads, ${tally(this.w[i])} writes · ` +
			by
				.slice(0, 6)
				.map(([n, node]) => `${nodeName(node)} ${tally(n)}`)
				.join(", ");
	},
	pointPhase(event) {
		const phases = model.doc.phases.length,
			i = Math.floor(
				((event.offsetX - this.phaseArea.left) / this.phaseArea.width) *
					phases,
			);
		if (i >= 0 && i < phases)
			this.phase.readOut.textContent =
				`${phaseName(i)}: ` +
				[...Array(model.nodes).keys()]
					.map(node => [this.byPhase[i * model.nodes + node], node])
					.filter(x => x[0])
					.sort((a, b) => b[0] - a[0])
					.slice(0, 6)
					.map(([n, node]) => `${nodeName(node)} ${tally(n)}`)
					.join(", ");
	},
	/** The names of the data in a section. */
	names(i) {
		const bytes = Number(state.s),
			start = model.number[this.at] * model.doc.page_bytes + i * bytes;
		return namesIn(start, start + bytes);
	},
	byNode(caption, first, names, sums, more) {
		const nodes = [...Array(model.nodes).keys()]
			.filter(node => names.some((_, i) => sums[i * model.nodes + node]))
			.slice(0, 24);
		return plainTable(
			caption,
			[
				{title: first},
				...nodes.map(node => ({title: nodeName(node), class: "n"})),
				...(more ? [{title: "What lies there"}] : []),
			],
			names.map((name, i) => [
				name,
				...nodes.map(node => tally(sums[i * model.nodes + node])),
				...(more ? [more[i]] : []),
			]),
		);
	},
	/** The names of the data in each section; undefined if no data has a name. */
	sectionNames() {
		const names = Array.from({length: this.all.sections}, (_, i) => this.names(i));
		return names.some(Boolean) ? names : undefined;
	},
	sectionTable() {
		return this.byNode(
			"Accesses by section and node",
			"Offset",
			sectionWords(this.all.sections, Number(state.s)),
			this.all.sums,
			this.sectionNames(),
		);
	},
	curveTable() {
		const names = this.sectionNames();
		return plainTable(
			"Reads and writes by section",
			[
				{title: "Offset"},
				{title: "Reads", class: "n"},
				{title: "Writes", class: "n"},
				...(names ? [{title: "What lies there"}] : []),
			],
			sectionWords(this.all.sections, Number(state.s)).map((name, i) => [
				name,
				tally(this.r[i]),
				tally(this.w[i]),
				...(names ? [names[i]] : []),
			]),
		);
	},
	phaseTable() {
		return this.byNode(
			"Accesses by phase and node",
			"Phase",
			model.doc.phases.map((_, i) => phaseName(i)),
			this.byPhase,
		);
	},
};
