// SPDX-License-Identifier: MIT
// Network: the run-time transfer as a picture of nodes, with an arrow from each requesting node to each home.
// Source: "Data Monitoring in High-Performance Clusters for Computing Applications" (2002), section VI,
// run-time show.

const SVG = "http://www.w3.org/2000/svg";

/** If there are more nodes, the nodes with the most traffic are drawn. */
const NETWORK_NODES_MAX = 12;
/** If there are more arrows, only the largest have a count. */
const NETWORK_COUNTS_MAX = 30;
const NETWORK = {width: 820, height: 520, boxWide: 124, boxHigh: 46, thin: 1.2};

function draw(tag, attributes, ...children) {
	const element = document.createElementNS(SVG, tag);
	for (const [key, value] of Object.entries(attributes))
		if (value !== null && value !== undefined) element.setAttribute(key, value);
	element.append(...children);
	return element;
}

/** The nodes that are drawn, in the order of their numbers, with their positions. */
function networkNodes(matrix) {
	const all = [...Array(model.nodes).keys()],
		sums = new Float64Array(model.nodes);
	matrix.forEach((n, i) => {
		sums[Math.floor(i / model.nodes)] += n;
		sums[i % model.nodes] += n;
	});
	const list =
		all.length <= NETWORK_NODES_MAX
			? all
			: all
					.sort((a, b) => sums[b] - sums[a])
					.slice(0, NETWORK_NODES_MAX)
					.sort((a, b) => a - b);
	const begin = -Math.PI / 2 - (list.length % 2 ? 0 : Math.PI / list.length),
		angles = list.map((_, i) => begin + (2 * Math.PI * i) / list.length),
		xs = spread(angles.map(Math.cos), NETWORK.width, NETWORK.boxWide),
		ys = spread(angles.map(Math.sin), NETWORK.height, NETWORK.boxHigh);
	return list.map((node, i) => ({node, x: xs[i], y: ys[i]}));
}

/** Positions in @room of boxes of @size by numbers, with space for arrows; equal numbers: the middle. */
function spread(list, room, size) {
	const least = Math.min(...list),
		span = Math.max(...list) - least,
		margin = size / 2 + 40;
	return list.map(n =>
		span > 1e-6 ? margin + ((room - 2 * margin) * (n - least)) / span : room / 2,
	);
}

/** The thickness of an arrow of @n packets if the largest has @most; thinner if there are many nodes. */
function thickness(n, most) {
	const thick = 4 + 28 / Math.max(4, Math.min(model.nodes, NETWORK_NODES_MAX));
	return NETWORK.thin + ((thick - NETWORK.thin) * n) / most;
}

/** The point, @gap outside a box, on the line from the middle of the box to (@x, @y). */
function boxBorder(box, x, y, gap) {
	const dx = x - box.x,
		dy = y - box.y,
		half = [NETWORK.boxWide / 2 + gap, NETWORK.boxHigh / 2 + gap],
		part = Math.min(
			dx ? half[0] / Math.abs(dx) : Infinity,
			dy ? half[1] / Math.abs(dy) : Infinity,
			1,
		);
	return [box.x + dx * part, box.y + dy * part];
}

/** The path of an arrow. It is bent to one side, so that the arrow in the other direction runs beside it. */
function arrowWay(from, to, thick) {
	const bend = 0.13,
		[mx, my] = [(from.x + to.x) / 2, (from.y + to.y) / 2],
		[dx, dy] = [to.x - from.x, to.y - from.y],
		control = [mx - dy * bend, my + dx * bend],
		head = 7 + thick * 1.5,
		begin = boxBorder(from, ...control, 2),
		tip = boxBorder(to, ...control, 3),
		length = Math.hypot(tip[0] - control[0], tip[1] - control[1]) || 1,
		back = [(control[0] - tip[0]) / length, (control[1] - tip[1]) / length],
		end = [tip[0] + back[0] * head, tip[1] + back[1] * head],
		side = [-back[1] * (3.5 + thick * 0.8), back[0] * (3.5 + thick * 0.8)],
		at = 0.4;
	return {
		path: `M${begin.map(round)}Q${control.map(round)} ${end.map(round)}`,
		head: [
			tip,
			[end[0] + side[0], end[1] + side[1]],
			[end[0] - side[0], end[1] - side[1]],
		]
			.map(p => p.map(round))
			.join(" "),
		/* The label is at the outer side of the curve. */
		label: [0, 1].map(
			k =>
				(1 - at) ** 2 * begin[k] +
				2 * (1 - at) * at * control[k] +
				at ** 2 * end[k] +
				((k ? dx : -dy) / (Math.hypot(dx, dy) || 1)) *
					(thick / 2 + (k ? 10 : 30)),
		),
	};
}

function round(x) {
	return Math.round(x * 10) / 10;
}

function networkArrow(from, to, n, most, limit, counted) {
	const bad = transferExceeds(from.node, to.node, n, limit),
		thick = thickness(n, most),
		way = arrowWay(from, to, thick),
		colour = bad ? "var(--bad)" : nodeColour(from.node),
		arrow = draw(
			"g",
			{class: bad ? "arrow bottleneck" : "arrow", "data-pair": `${from.node}-${to.node}`},
			draw(
				"title",
				{},
				`${nodeName(from.node)} → ${nodeName(to.node)}: ${transferUnit(n)}${bad ? ", a bottleneck" : ""}`,
			),
			draw("path", {d: way.path, fill: "none", stroke: colour, "stroke-width": round(thick)}),
			draw("polygon", {points: way.head, fill: colour}),
		);
	arrow.addEventListener("click", () => pairOpen(from.node, to.node));
	if (counted)
		arrow.append(
			draw(
				"text",
				{x: round(way.label[0]), y: round(way.label[1]), "text-anchor": "middle", dy: "0.35em"},
				bad ? `▲ ${tally(n, short)}` : tally(n, short),
			),
		);
	return arrow;
}

function networkBox({node, x, y}, sent, received) {
	const {boxWide, boxHigh} = NETWORK,
		text = (dy, words, name) =>
			draw("text", {x: round(x), y: round(y + dy), "text-anchor": "middle", class: name}, words);
	return draw(
		"g",
		{class: "component"},
		draw("title", {}, `${nodeName(node)} requests ${transferUnit(sent)} from other nodes, and gets requests for ${transferUnit(received)}`),
		draw("rect", {
			x: round(x - boxWide / 2),
			y: round(y - boxHigh / 2),
			width: boxWide,
			height: boxHigh,
			rx: 7,
			stroke: nodeColour(node),
		}),
		...(sampled()
			? [text(4, nodeName(node), "name")]
			: [
					text(-4, nodeName(node), "name"),
					text(13, `${short(sent)} out, ${short(received)} in`, "sums"),
				]),
	);
}

/** The legend of the thickness of arrows. */
function networkLegend(most, counted, pairs) {
	const line = (n, words) => {
		return make(
			"li",
			{},
			draw(
				"svg",
				{width: 34, height: 14, viewBox: "0 0 34 14", "aria-hidden": "true"},
				draw("path", {d: "M0 7H34", stroke: "currentColor", "stroke-width": round(thickness(n, most))}),
			),
			" ",
			words,
		);
	};
	return make(
		"ul",
		{class: "legend", "aria-label": "Thickness of the arrows"},
		line(0, `few ${transferUnit().toLowerCase()}`),
		sampled() ? "" : line(most / 2, short(most / 2)),
		line(most, `${tally(most, short)}, the most of a pair`),
		make("li", {}, "colour: the requesting node; red and ▲: a bottleneck"),
		counted < pairs
			? make("li", {}, `counts of the ${counted} largest of ${count(pairs)} pairs; point at an arrow for its count`)
			: "",
	);
}

/** The picture of the shown matrix, and a sentence for readers who do not see it. */
function networkMake() {
	const matrix = transferMatrix(),
		{most, limit} = transferFacts(matrix),
		boxes = networkNodes(matrix),
		at = (from, to) => matrix[from.node * model.nodes + to.node],
		pairs = boxes
			.flatMap(from => boxes.map(to => [from, to, at(from, to)]))
			.filter(([from, to, n]) => from !== to && n)
			.sort((a, b) => a[2] - b[2]),
		counted = pairs.slice(-NETWORK_COUNTS_MAX),
		sums = (node, out) => {
			let sum = 0;
			for (let other = 0; other < model.nodes; other++)
				if (other !== node)
					sum += matrix[out ? node * model.nodes + other : other * model.nodes + node];
			return sum;
		},
		words = pairs
			.slice(-12)
			.reverse()
			.map(([from, to, n]) => `${nodeName(from.node)} to ${nodeName(to.node)} ${tally(n)}`)
			.join(", "),
		picture = draw(
			"svg",
			{
				class: "network",
				viewBox: `0 0 ${NETWORK.width} ${NETWORK.height}`,
				role: "img",
				"aria-label": `Picture: ${transferUnit().toLowerCase()} from node to node. ${words || "None yet"}.`,
			},
			/* The largest arrows are on top; all counts are above all arrows. */
			...pairs.map(([from, to, n]) => networkArrow(from, to, n, most, limit, false)),
			...boxes.map(box => networkBox(box, sums(box.node, true), sums(box.node, false))),
			...counted.map(([from, to, n]) => {
				const arrow = networkArrow(from, to, n, most, limit, true);
				arrow.classList.add("count");
				arrow.querySelectorAll("path, polygon").forEach(part => part.remove());
				return arrow;
			}),
		);
	return make(
		"figure",
		{class: "chart"},
		picture,
		networkLegend(Math.max(most, 1), counted.length, pairs.length),
		model.nodes > NETWORK_NODES_MAX
			? make(
					"figcaption",
					{},
					`The picture shows the ${NETWORK_NODES_MAX} nodes of ${count(model.nodes)} with the most traffic; the matrix shows the others.`,
				)
			: "",
	);
}
