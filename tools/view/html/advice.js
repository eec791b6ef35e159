// SPDX-License-Identifier: MIT
// Advice: the results of smile advise for this recording: the data that lies on the wrong node, the node on which it
// should lie, and the command that moves it there.

/** A short text that names the nodes on which data should lie. */
function layoutText(d) {
	const parts = d.parts
		.slice(0, 6)
		.map(p => [
			nodeMark(p.node),
			`${p.last > p.first ? d.unit : d.unit.slice(0, -1)} ${p.first}${p.last > p.first ? (p.first < 0 ? ` to ${p.last}` : `–${p.last}`) : ""} → ${nodeName(p.node)}`,
		]);
	const more = d.parts.length > 6 ? [`, … ${d.parts.length} parts`] : [];
	switch (d.layout) {
		case "stays":
			return [nodeMark(d.node), `stays on ${nodeName(d.node)}`];
		case "node":
			return [nodeMark(d.node), nodeName(d.node)];
		case "blocks":
			return [
				"split: ",
				...parts.flatMap((p, i) => (i ? [", ", ...p] : p)),
				...more,
			];
		case "cyclic":
			return [
				`${d.parts[0].last - d.parts[0].first + 1} ${d.unit} at a time, in turn over `,
				...d.parts
					.slice(0, 8)
					.flatMap((p, i) => [
						i ? ", " : "",
						nodeMark(p.node),
						nodeName(p.node),
					]),
				...(d.parts.length > 8 ? [", …"] : []),
			];
		case "shared":
			return ["truly shared"];
		default:
			return ["each page on its own best node"];
	}
}

/** The text of smile advise, with the arrows of this page. */
function adviceWords(d) {
	return `${d.words.replaceAll(" -> ", "\u00a0→ ")}.${d.action ? ` In the source: ${d.action}.` : ""}`;
}

/** A text that can be copied by mouse or keyboard. */
function copyButton(label, text, field) {
	return make(
		"button",
		{
			type: "button",
			onclick: async () => {
				try {
					await navigator.clipboard.writeText(text);
					say("Copied.");
				} catch {
					// Without permission to use the clipboard: execCommand(), or the user copies.
					const range = document.createRange(),
						selection = getSelection();
					if (field.select) field.select();
					else {
						range.selectNodeContents(field);
						selection.removeAllRanges();
						selection.addRange(range);
					}
					say(
						document.execCommand("copy")
							? "Copied."
							: "Selected: copy with Ctrl+C.",
					);
				}
			},
		},
		label,
	);
}

function sampledVerdict(wrong) {
	if (!wrong) return [make("b", {}, "Samples put no page on another node than its own.")];
	return [
		make(
			"b",
			{class: "bad"},
			`${plural(wrong, "page")} ${wrong === 1 ? "lies" : "lie"} on the wrong node. `,
		),
		"All other pages lie on the node that uses them, are used by several nodes, or have too few samples.",
	];
}

const advice = {
	id: "advice",
	title: "Advice",
	build(box) {
		this.box = make("div", {}, make("p", {class: "empty"}, "Unpacking the pages…"));
		box.append(
			windowHead(
				"Advice",
				sampled()
					? "Pages for which the samples show the node on which they should lie, as in smile advise."
					: "The node on which data should lie, as in smile advise: the node for which its accesses cost least. Reads wait for the network and cost more than writes, by the latency model.",
			),
			this.box,
		);
	},
	/** A sentence about the age of live advice, which is older than the counts if there are many pages. */
	age() {
		const ms = model.doc.live?.advice_age_ms;
		if (!ms) return "";
		return ms < 0
			? " With so many pages, the advice follows in a later update."
			: ` It is computed from counts that are ${Math.ceil(ms / 1000)} s older.`;
	},
	/** The sentence that names the data on the wrong node. */
	verdict(a) {
		const worst = a.data.find(d => d.wrong_node) || a.data.find(d => d.to_move);
		if (!worst)
			return [
				make("b", {}, "Nothing to move. "),
				"Every page lies on the node for which its accesses cost least.",
			];
		const dearest = a.data.reduce((x, y) => (y.cycles > x.cycles ? y : x));
		return [
			make("b", {class: "bad"}, `${worst.name || "Memory without a name"}: `),
			adviceWords(worst),
			...(dearest !== worst && dearest.layout === "shared"
				? [
						" Most cycles go into ",
						make(
							"b",
							{},
							dearest.name || "memory without a name",
						),
						", which is truly shared: no placement of its pages helps much.",
					]
				: []),
		];
	},
	/** For samples: the pages, and the command that writes a placement file for smile place. */
	sampledCommand(id) {
		const {command} = sampled();
		if (!command)
			return [
				make(
					"p",
					{id: "no-command"},
					"Some recordings of the run are missing. smile advise needs all of them to write a placement file.",
				),
			];
		const text = make("pre", {id, tabindex: 0, "aria-label": "Command"}, command);
		return [
			make(
				"p",
				{},
				"This command writes a placement file for smile place, with each page for which the samples show a node. With --verify it also runs the program with and without the placement, by turns, and compares the runs.",
			),
			text,
			make("div", {class: "bar"}, copyButton("Copy the command", command, text)),
		];
	},
	sampledShow() {
		const wrong = model.doc.summary.misplaced;
		this.box.replaceChildren(
			make("p", {class: "verdict", id: "advice-verdict"}, ...sampledVerdict(wrong)),
			make("div", {class: "block"}, ...this.sampledCommand("command")),
		);
	},
	/** What to do, and the command that does it, if such a command exists. */
	remedy(a) {
		const fix = make("div", {class: "block"}, make("h3", {}, "What to do"));
		if (!a.to_move) return "";
		if (!a.command) {
			fix.append(
				make(
					"p",
					{id: "no-command"},
					a.elsewhere
						? "Not all recordings are on this machine: smile advise needs them, and smile view shows the command on the machine that has them. The placement file below is the same."
						: "This recording was made by cards, not by smile run, so no command can run its program again. A page is named by its home node and its number there. On this network each node has its own memory: numactl, mbind(2) and page migration place memory among the NUMA nodes of one machine, and cannot move a page to another machine. Let the node that needs the data allocate it.",
				),
			);
			return fix;
		}
		fix.append(...this.command(a, "command"));
		return fix;
	},
	/** The command, a description of it, and a button that copies it. */
	command(a, id) {
		const command = make("pre", {id, tabindex: 0, "aria-label": "Command"}, a.command);
		return [
			make(
				"p",
				{},
				"This command writes a placement file, and runs the program again with its pages on the nodes that the file names. Start it in the directory in which the program was recorded.",
			),
			command,
			make(
				"div",
				{class: "bar"},
				copyButton("Copy the command", a.command, command),
			),
		];
	},
	table(a) {
		const list = a.data.slice(0, 200);
		return block(
			"By variable",
			`${plural(a.data_count, "piece")} of data, the largest gain first${a.data_count > list.length ? `; the first ${list.length} are shown` : ""}. Select a row to see everything about its data.`,
			make(
				"div",
				{class: "scroll"},
				plainTable(
					"Advice by variable",
					[
						{title: "Data"},
						{title: "Bytes", class: "n"},
						{title: "Pages", class: "n"},
						{title: "On the wrong node", class: "n"},
						{title: "Truly shared", class: "n"},
						{title: behindCaches() ? "All transactions" : "Accesses", class: "n"},
						{title: "Cycles now", class: "n"},
						{
							title: "Gain",
							class: "n",
							hint: "share of the cycles now",
						},
						{title: "Should live on", class: "wrap"},
					],
					list.map(d => [
						d.name || "–",
						d.bytes ? count(d.bytes) : "–",
						count(d.pages),
						count(d.wrong_node),
						count(d.truly_shared),
						short(d.transactions ?? d.accesses),
						short(d.cycles),
						(d.at_most && d.to_move ? "≤ " : "") +
							percent(
								(d.cycles - d.advised_cycles) /
									d.cycles,
							),
						layoutText(d),
					]),
					i => this.open(list[i]),
				),
			),
			...a.roles.map(role => make("p", {class: "note"}, `Roles: ${role.words}.`)),
			...a.notes.map(note => make("p", {class: "note"}, `Note: ${note}.`)),
		);
	},
	open(d) {
		const s = structuresAll().find(
			x => x.start === d.start && (x.name === d.name || x.variable),
		);
		if (s) return stateSet({w: "structure", v: subjectKey(s)});
		stateSet({w: "histogram", show: "all", src: "", dst: "", q: d.name});
	},
	placement(a) {
		if (!a.to_move) return "";
		const text = a.placement,
			area = make("textarea", {
				readonly: true,
				"aria-label": "Placement file",
				spellcheck: "false",
			});
		if (!text)
			return make(
				"p",
				{class: "note"},
				"The placement file is too long for this page, or pages of different homes have the same number: smile advise -o writes the file if possible.",
			);
		area.value = text;
		return block(
			"Placement file",
			"The file that smile advise -o writes: the node of each page, with the reason.",
			make(
				"div",
				{class: "bar"},
				make(
					"button",
					{type: "button", onclick: () => this.save(text)},
					"Save placement",
				),
				copyButton("Copy", text, area),
			),
			area,
			make(
				"p",
				{class: "note"},
				"Addresses are the same in the next run if the program and its input are the same. With --verify, smile advise itself runs the program again, and compares the runs.",
			),
		);
	},
	show() {
		const a = model.doc.advice;
		if (this.done && this.doc === model.doc) return;
		this.done = true;
		this.doc = model.doc;
		if (sampled()) return this.sampledShow();
		if (!a && this.age())
			return this.box.replaceChildren(
				make("p", {class: "verdict"}, make("b", {}, "No advice yet."), this.age()),
			);
		if (!a)
			return this.box.replaceChildren(
				make(
					"p",
					{class: "verdict"},
					make("b", {}, "Nothing to move. "),
					"No access was recorded.",
				),
			);
		this.box.replaceChildren(
			make("p", {class: "verdict", id: "advice-verdict"}, ...this.verdict(a), this.age()),
			this.remedy(a),
			this.table(a),
			this.placement(a),
		);
	},
	save(text) {
		const link = make("a", {
			download: "placement",
			href: URL.createObjectURL(new Blob([text], {type: "text/plain"})),
		});
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 1000);
	},
};
