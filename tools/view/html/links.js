// SPDX-License-Identifier: MIT
// Links: the network of the emulated machine; the colour of each link shows its load. See docs/ring.md.

const LINKS = {apart: 62, radius: 15, margin: 42, across: 6, turn: 2 * Math.PI};

/** Links of each ringlet, in the order in which they follow each other. */
function linksByRinglet(links) {
	const rings = [];
	for (const link of links) (rings[link.ringlet] ||= []).push(link);
	return rings;
}

/** The name of a node in the picture; a port of the switch has the number of its ringlet. */
function linkPlace(node, ringlet, at, rings) {
	if (node !== null) return {name: `${node}`, words: nodeName(node)};
	const number = ringlet === rings - 1 ? at : ringlet;
	return {name: `p${number}`, words: `port ${number}`};
}

/** The colour of a link's load: a full link has the strongest colour. */
const linkColour = load => css(heat(0.06 + 0.94 * Math.min(1, load)));

/** A ringlet as a circle: links lead clockwise from the top. */
function ringletDraw(links, ringlet, rings, centre, radius) {
	const n = links.length,
		spot = at => [
			centre[0] + radius * Math.sin((LINKS.turn * at) / n),
			centre[1] - radius * Math.cos((LINKS.turn * at) / n),
		],
		part = (n * (LINKS.radius + 4)) / (LINKS.turn * radius),
		arcs = links.map((link, at) => {
			const from = spot(at + part),
				to = spot(at + 1 - part),
				middle = spot(at + 0.5),
				out = k => middle[k] + (20 * (middle[k] - centre[k])) / radius;
			return draw(
				"g",
				{class: "ring-link"},
				draw("title", {}, linkWords(link, links, ringlet, rings)),
				draw("path", {
					d: `M${from.map(round)}A${round(radius)} ${round(radius)} 0 0 1 ${to.map(round)}`,
					stroke: linkColour(link.load),
					"marker-end": "url(#link-end)",
				}),
				draw(
					"text",
					{x: round(out(0)), y: round(out(1) + 4), "text-anchor": "middle", class: "sums"},
					percent(link.load),
				),
			);
		}),
		nodes = links.map((link, at) => {
			const [x, y] = spot(at);
			return draw(
				"g",
				{class: "component"},
				draw("circle", {
					cx: round(x),
					cy: round(y),
					r: LINKS.radius,
					stroke: link.from === null ? "currentColor" : nodeColour(link.from),
				}),
				draw(
					"text",
					{x: round(x), y: round(y + 4), "text-anchor": "middle", class: "name"},
					linkPlace(link.from, ringlet, at, rings).name,
				),
			);
		});
	return [...arcs, ...nodes];
}

function linkWords(link, links, ringlet, rings) {
	const at = links.indexOf(link),
		from = linkPlace(link.from, ringlet, at, rings).words,
		to = linkPlace(link.to, ringlet, (at + 1) % links.length, rings).words;
	return `ringlet ${ringlet}, ${from} to ${to}: ${percent(link.load)} of the run, full for ${percent(link.full)}`;
}

function linksPicture(rings) {
	const radii = rings.map(links => Math.max(LINKS.apart, (links.length * LINKS.apart) / LINKS.turn)),
		size = 2 * (Math.max(...radii) + LINKS.margin),
		across = Math.min(LINKS.across, rings.length),
		down = Math.ceil(rings.length / across),
		centre = i => [((i % across) + 0.5) * size, (Math.floor(i / across) + 0.5) * size];
	return draw(
		"svg",
		{
			class: "network",
			viewBox: `0 0 ${round(across * size)} ${round(down * size)}`,
			role: "img",
			"aria-label": "Picture: the load of each link of the network; the table below has the numbers.",
		},
		draw(
			"defs",
			{},
			draw(
				"marker",
				{id: "link-end", viewBox: "0 0 4 4", refX: 2, refY: 2, markerWidth: 1.6, markerHeight: 1.6, orient: "auto"},
				draw("path", {d: "M0 0L4 2L0 4z", fill: "currentColor"}),
			),
		),
		...rings.flatMap((links, i) => [
			draw(
				"text",
				{x: round(centre(i)[0]), y: round(centre(i)[1] + 4), "text-anchor": "middle", class: "sums"},
				`ringlet ${i}`,
			),
			...ringletDraw(links, i, rings.length, centre(i), radii[i]),
		]),
	);
}

/** A sentence about the link with the highest load. */
function linksBusiest({busiest, topology}) {
	const place = node => (node === null ? "a port of the switch" : nodeName(node));
	return `Network ${topology}: the busiest link leads from ${place(busiest.from)} to ${place(busiest.to)} on ringlet ${busiest.ringlet}. It carries packets for ${percent(busiest.load)} of the run, and was full for ${percent(busiest.full)}.`;
}

/** A block for a run with --network; null without one. */
function linksBlock() {
	const network = model.doc.run?.network;
	if (!network?.links?.length) return null;
	const rings = linksByRinglet(network.links);
	return namedBlock(
		"links",
		"Links",
		linksBusiest(network),
		make(
			"figure",
			{class: "chart"},
			linksPicture(rings),
			make(
				"figcaption",
				{},
				"Each ringlet is a circle. The darker a link is, the larger is the part of the run in which it carries packets. p: a port of the switch.",
			),
		),
		make(
			"div",
			{class: "scroll narrow"},
			plainTable(
				"Traffic of the busiest link",
				[{title: "From"}, {title: "Memory of"}, {title: "Of its load", class: "n"}],
				network.busiest.crossed_by
					.slice(0, 8)
					.map(pair => [
						[nodeMark(pair.source), nodeName(pair.source)],
						[nodeMark(pair.target), nodeName(pair.target)],
						percent(pair.share),
					]),
			),
		),
		make(
			"details",
			{},
			make("summary", {}, "The links as a table"),
			make(
				"div",
				{class: "scroll"},
				plainTable(
					"Load of each link",
					[
						{title: "Ringlet", class: "n"},
						{title: "From"},
						{title: "To"},
						{title: "Load", class: "n"},
						{title: "Full", class: "n"},
					],
					rings.flatMap((links, i) =>
						links.map((link, at) => [
							count(i),
							linkPlace(link.from, i, at, rings.length).words,
							linkPlace(link.to, i, (at + 1) % links.length, rings.length).words,
							percent(link.load),
							percent(link.full),
						]),
					),
				),
			),
		),
	);
}
