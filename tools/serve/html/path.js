// SPDX-License-Identifier: MIT
// Packets: the path of a transaction over the nodes, from all traces that have its packets.

const SVG = "http://www.w3.org/2000/svg";

function drawn(name, attributes, text) {
	const made = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	if (text !== undefined) made.textContent = text;
	return made;
}

/** Draw an arrow from one lane to the other, with the traces that have the packet. */
function arrow(svg, packets, kind, lanes, y, start, traces, commands) {
	const first = packets[0],
		[from, to] = [lanes[first.source], lanes[first.target]],
		head = to > from ? -9 : 9,
		id = `${commands[first.command] ?? "command"}${first.address === null ? "" : ` ${hexadecimal(first.address)}`}`,
		after = Number(first.time_ns - start),
		seen = packets.map(packet => {
			const trace = traces.find(one => one.trace === packet.trace);
			return `trace ${packet.trace}${trace && trace.node !== null ? ` (node ${trace.node})` : ""} at +${count(Number(packet.time_ns - start))} ns`;
		});
	svg.append(
		drawn("line", {x1: from, y1: y, x2: to + head, y2: y + 14, class: kind}),
		drawn("path", {d: `M${to} ${y + 15} l${head} -6 l0 10 z`, class: `${kind} head`}),
		drawn("text", {x: (from + to) / 2, y: y - 6, "text-anchor": "middle"}, `${id}, +${count(after)} ns`),
		drawn("text", {x: (from + to) / 2, y: y + 32, "text-anchor": "middle", class: "soft"}, `seen in ${seen.join(", ")}`),
	);
}

function pathDraw(into, members, traces, commands, names) {
	const packets = members.packets,
		first = packets[0];
	if (!first || first.source === null) return;
	const requests = packets.filter(packet => packet.type && packet.type < 29),
		responses = packets.filter(packet => packet.type > 28),
		nodes = [...new Set(packets.flatMap(packet => [packet.source, packet.target]))].sort((a, b) => a - b),
		width = 620,
		height = 60 + 66 * ((requests.length > 0) + (responses.length > 0)),
		lanes = Object.fromEntries(nodes.map((node, i) => [node, nodes.length > 1 ? 110 + (i * 400) / (nodes.length - 1) : 310])),
		svg = drawn("svg", {viewBox: `0 0 ${width} ${height}`, class: "path", role: "img", "aria-label": "The transaction's path over the nodes"});
	for (const node of nodes)
		svg.append(
			drawn("text", {x: lanes[node], y: 16, "text-anchor": "middle"}, `node ${node}${names[node] ? ` (${names[node]})` : ""}`),
			drawn("line", {x1: lanes[node], y1: 24, x2: lanes[node], y2: height - 6, class: "lane"}),
		);
	if (requests.length) arrow(svg, requests, "request", lanes, 50, first.time_ns, traces, commands);
	if (responses.length) arrow(svg, responses, "response", lanes, requests.length ? 116 : 50, first.time_ns, traces, commands);
	into.replaceChildren(element("h3", {}, "Path of the transaction"), svg);
	if (requests.length && !responses.length) into.append(element("p", {class: "lead"}, "No response was seen."));
}
