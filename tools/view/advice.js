// SPDX-License-Identifier: MIT
// Advice: where each page should go, as a placement file, and the command that takes it.

/** Runs of pages on the wrong node, by the node that should have them. */
function moves() {
	const list = [];
	for (let page = 0; page < model.count; page++) {
		if (!model.wrong[page]) continue;
		const last = list.at(-1),
			number = model.number[page];
		if (
			last &&
			last.node === model.best[page] &&
			last.where === model.region[page] &&
			bridged(last, page)
		) {
			last.last = number;
			last.end = page;
			last.pages++;
			last.gain += model.gain[page];
		} else
			list.push({
				first: number,
				last: number,
				end: page,
				node: model.best[page],
				pages: 1,
				gain: model.gain[page],
				where: model.region[page],
			});
	}
	return list;
}

/** May a run go on to @page? Pages in between that nobody else needs may move with it, or are there. */
function bridged(run, page) {
	for (let between = run.end + 1; between < page; between++)
		if (model.home[between] !== run.node) return false;
	return model.number[page] - run.last <= model.nodes;
}

function placementText(list) {
	return (
		[
			`# smile view: pages on the wrong node, and the node that needs them most`,
			...list.map(
				m =>
					`pages ${m.first}${m.last > m.first ? `-${m.last}` : ""} node ${m.node}`,
			),
		].join("\n") + "\n"
	);
}

/** The command of the recording, with the placement file. */
function commandText() {
	const line = model.doc.origin?.command_line || "";
	return /^smile run\b.* -- /.test(line)
		? line.replace(" -- ", " --place placement.txt -- ")
		: "smile run --place placement.txt -- PROGRAM";
}

const advice = {
	id: "advice",
	title: "Advice",
	build(box) {
		this.box = make("div", {}, make("p", {class: "empty"}, "Unpacking the pages…"));
		box.append(
			windowHead(
				"Advice",
				"The node that each misplaced page should live on: the one whose accesses lose most. Reads wait for the network and weigh more than writes, as the latency model has it.",
			),
			this.box,
		);
	},
	given(list) {
		return make(
			"div",
			{class: "block"},
			make("h3", {}, "From smile advise"),
			make(
				"div",
				{class: "scroll"},
				plainTable(
					"Advice",
					[
						{title: "Data"},
						{title: "Node"},
						{title: "Gain, cycles", class: "n"},
						{title: "Why"},
					],
					list.map(a => [
						String(a.name ?? a.data ?? ""),
						a.node === null || a.node === undefined
							? "truly shared"
							: nodeName(a.node),
						short(a.gain_cycles || 0),
						String(a.reason ?? ""),
					]),
				),
			),
		);
	},
	show() {
		if (!model.ready || this.done) return;
		this.done = true;
		const list = moves(),
			text = placementText(list),
			area = make("textarea", {
				readonly: true,
				"aria-label": "Placement file",
				spellcheck: "false",
			});
		area.value =
			text.length > 2e5
				? text.slice(0, 2e5) + "# … the whole is in the saved file\n"
				: text;
		const given =
			Array.isArray(model.doc.advice) && model.doc.advice.length
				? this.given(model.doc.advice)
				: "";
		if (!list.length)
			return this.box.replaceChildren(
				given ||
					make(
						"p",
						{class: "verdict"},
						make("b", {}, "Nothing to move. "),
						"No page has one remote node that accounts for half of what it costs.",
					),
			);
		const best = [...list].sort((a, b) => b.gain - a.gain).slice(0, 200);
		this.box.replaceChildren(
			given,
			make(
				"div",
				{class: "two"},
				make(
					"div",
					{class: "block"},
					make("h3", {}, "Moves"),
					make(
						"p",
						{},
						`${plural(list.length, "run")} of pages; those that save most first.`,
					),
					make(
						"div",
						{class: "scroll"},
						plainTable(
							"Pages to move",
							[
								{title: "Pages"},
								{title: "Where"},
								{title: "To"},
								{title: "Misplaced", class: "n"},
								{
									title: "Saves, cycles",
									class: "n",
								},
							],
							best.map(m => [
								m.first === m.last
									? pageNumber(m.first)
									: `${m.first}–${m.last}`,
								whereOf(m.first, m.where),
								[
									nodeMark(m.node),
									nodeName(m.node),
								],
								count(m.pages),
								short(m.gain),
							]),
							i =>
								stateSet({
									w: "histogram",
									show: "all",
									src: "",
									dst: "",
									q: `${best[i].first}-${best[i].last}`,
								}),
						),
					),
				),
				make(
					"div",
					{class: "block"},
					make("h3", {}, "Placement file"),
					make(
						"p",
						{},
						"Save it as placement.txt, and run the program again with",
					),
					make("pre", {id: "command"}, commandText()),
					make(
						"div",
						{class: "bar"},
						make(
							"button",
							{
								type: "button",
								onclick: () => this.save(text),
							},
							"Save placement.txt",
						),
						make(
							"button",
							{
								type: "button",
								onclick: () => {
									area.select();
									navigator.clipboard
										?.writeText(text)
										.then(
											() =>
												say(
													"Copied.",
												),
											() =>
												say(
													"Selected: copy with Ctrl+C.",
												),
										);
								},
							},
							"Copy",
						),
					),
					area,
					make(
						"p",
						{class: "note"},
						"smile advise writes such a file by itself, for whole ranges of pages; with --verify it runs the program again and compares. Addresses are the same in the next run if the program and its input are.",
					),
				),
			),
		);
	},
	save(text) {
		const link = make("a", {
			download: "placement.txt",
			href: URL.createObjectURL(new Blob([text], {type: "text/plain"})),
		});
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 1000);
	},
};
