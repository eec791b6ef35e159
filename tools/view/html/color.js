// SPDX-License-Identifier: MIT
// Colour: scales that people with any kind of colour vision read alike, and that also work in grey.

/** Dark to bright, evenly: stops of a scale from violet over teal to yellow. */
const scaleStops = [
	[68, 1, 84],
	[71, 45, 123],
	[59, 82, 139],
	[44, 114, 142],
	[33, 145, 140],
	[40, 174, 128],
	[94, 201, 98],
	[173, 220, 48],
	[253, 231, 37],
];

function scale(x) {
	const at = Math.max(0, Math.min(1, x)) * (scaleStops.length - 1),
		i = Math.min(Math.floor(at), scaleStops.length - 2);
	return scaleStops[i].map((c, k) => Math.round(c + (scaleStops[i + 1][k] - c) * (at - i)));
}

function isDark() {
	return document.documentElement.dataset.theme === "dark";
}

/** A larger value has more contrast to the background: bright on dark, dark on light. */
function heat(x) {
	return scale(isDark() ? x : 1 - x);
}

function css(rgb) {
	return `rgb(${rgb.join(" ")})`;
}

/** Black or white, whichever is easier to read on @rgb. */
function inkOn(rgb) {
	return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 140 ? "#111" : "#fff";
}

/** Eight colours that people with any kind of colour vision can distinguish; more nodes share a scale. */
const nodePalette = [
	"#0072b2",
	"#e69f00",
	"#009e73",
	"#cc79a7",
	"#56b4e9",
	"#d55e00",
	"#b5a800",
	"#7f7f7f",
];

function nodeColour(node) {
	if (node >= model.nodes) return "#8a8a8a";
	if (model.nodes <= nodePalette.length) return nodePalette[node];
	return css(scale((node / (model.nodes - 1)) * 0.94 + (isDark() ? 0.06 : 0)));
}

/** 0 to 1 for 1 to @most, logarithmic, so that a few large numbers do not hide many small ones. */
function logShare(n, most) {
	return n <= 0 ? 0 : most <= 1 ? 1 : 0.06 + (0.94 * Math.log(n)) / Math.log(most);
}

/** The legend of heat(), from 1 to @most, or @linear from 0. */
function heatLegend(most, unit, linear) {
	const canvas = make("canvas", {width: 180, height: 1, "aria-hidden": "true"});
	const to = canvas.getContext("2d");
	for (let x = 0; x < 180; x++) {
		to.fillStyle = css(heat(0.06 + (0.94 * x) / 179));
		to.fillRect(x, 0, 1, 1);
	}
	return make(
		"p",
		{class: "legend"},
		linear ? `${unit}: few` : `${unit}, logarithmic: 1`,
		canvas,
		tally(most, short),
		` · empty: ${sampled() ? tally(0, short) : "none"}`,
	);
}

function nodeLegend(others) {
	const list = make("ul", {class: "legend", "aria-label": "Colours of the nodes"});
	const step = Math.max(1, Math.ceil(model.nodes / 16));
	for (let node = 0; node < model.nodes; node += step)
		list.append(make("li", {}, nodeMark(node), nodeName(node)));
	if (step > 1 && (model.nodes - 1) % step)
		list.append(make("li", {}, nodeMark(model.nodes - 1), nodeName(model.nodes - 1)));
	if (others) list.append(make("li", {}, nodeMark(model.nodes), "others, summed up"));
	return list;
}
