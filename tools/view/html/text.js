// SPDX-License-Identifier: MIT
// Text: elements of the page, and numbers in a readable form.

const grouped = new Intl.NumberFormat("en-US");

/** A count, in groups of three digits. */
function count(n) {
	return grouped.format(Math.round(n));
}

/** A large number in few characters: 1.24 M. */
function short(n) {
	for (const [size, unit] of [
		[1e12, "T"],
		[1e9, "G"],
		[1e6, "M"],
		[1e4, "k"],
	])
		if (n >= size)
			return (unit === "k" ? n / 1e3 : n / size).toPrecision(3) + " " + unit;
	return count(n);
}

/** A share, 0 to 1. A share above 0 is never shown as 0 %, and a share below 1 never as 100 %. */
function percent(x) {
	if (!Number.isFinite(x) || x === 0) return "0 %";
	if (x < 0.001) return "< 0.1 %";
	if (x < 1 && x > 0.999) return "> 99.9 %";
	return (x * 100).toFixed(x < 0.0995 || (x > 0.995 && x < 1) ? 1 : 0) + " %";
}

/** A time in seconds. */
function time(s) {
	if (!s) return "0 s";
	for (const [size, unit] of [
		[1, "s"],
		[1e-3, "ms"],
		[1e-6, "µs"],
	])
		if (s >= size || unit === "µs")
			return (s / size).toPrecision(s / size >= 1000 ? 4 : 3) + " " + unit;
}

/** A memory page's number in the format of all commands, without groups of digits, so that it can be copied. */
function pageNumber(n) {
	return String(n);
}

function hex(n) {
	return "0x" + n.toString(16);
}

function plural(n, word) {
	return `${count(n)} ${word}${n === 1 ? "" : "s"}`;
}

/** An element: make("td", {class: "n", onclick: f}, "text", other). */
function make(tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes || {})) {
		if (value === undefined || value === null || value === false) continue;
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else if (key === "colour") element.style.background = value;
		else element.setAttribute(key, value === true ? "" : value);
	}
	element.append(...children.filter(c => c !== null && c !== undefined && c !== false));
	return element;
}

/** A part of a window: its title, a sentence that describes it, and its content. */
function block(title, words, ...content) {
	return make("div", {class: "block"}, make("h3", {}, title), make("p", {}, words), ...content);
}

/** A part of a window with an id. */
function namedBlock(id, title, words, ...content) {
	const element = block(title, words, ...content);
	element.id = id;
	return element;
}

/** The mark of a node's colour, with its name. */
function nodeName(node) {
	return node >= model.nodes ? "others" : `node ${node}`;
}

function nodeMark(node) {
	return make("i", {class: "node", colour: nodeColour(node), "aria-hidden": "true"});
}

/** Announces a text to screen readers, and shows it for a moment. */
function say(text) {
	const status = document.getElementById("status");
	status.textContent = text;
	clearTimeout(say.timer);
	say.timer = setTimeout(() => {
		status.textContent = "";
	}, 2500);
}
