// SPDX-License-Identifier: MIT
// Chart: a canvas with a name, a sentence that describes it, and a table of the same numbers.

class Chart {
	/** @height in pixels; @draw(context, width, height) draws; @alternative() makes the table. */
	constructor(name, height, draw, alternative) {
		Object.assign(this, {name, height, draw, alternative});
		this.canvas = make("canvas", {role: "img", "aria-label": name});
		this.readOut = make("p", {class: "read-out note"}, "Point at the diagram to read numbers.");
		this.legend = make("div");
		this.tableBox = make("div", {class: "scroll"});
		this.more = make(
			"details",
			{},
			make("summary", {}, "The same as a table"),
			this.tableBox,
		);
		this.more.addEventListener("toggle", () => this.fillTable());
		this.caption = make("figcaption");
		this.figure = make(
			"figure",
			{class: "chart"},
			this.canvas,
			this.readOut,
			this.legend,
			this.caption,
			this.more,
		);
		new ResizeObserver(() => this.show()).observe(this.canvas);
	}
	/** Describes the chart for screen readers. */
	summary(text) {
		this.canvas.setAttribute("aria-label", `${this.name}. ${text}`);
	}
	fillTable() {
		if (this.more.open) this.tableBox.replaceChildren(this.alternative());
	}
	show() {
		const width = this.canvas.clientWidth,
			ratio = window.devicePixelRatio || 1;
		if (!width) return;
		this.canvas.style.height = this.height + "px";
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(this.height * ratio);
		const to = this.canvas.getContext("2d");
		to.scale(ratio, ratio);
		to.font = "11px " + getComputedStyle(document.body).fontFamily;
		this.draw(to, width, this.height);
	}
	update() {
		this.show();
		this.fillTable();
	}
}

function ink(name) {
	return getComputedStyle(document.documentElement)
		.getPropertyValue("--" + name)
		.trim();
}

/** About four round numbers from 0 to @most. */
function ticks(most) {
	if (!(most > 0)) return [0];
	const rough = most / 4,
		power = 10 ** Math.floor(Math.log10(rough));
	const step = Math.max(
		1,
		[1, 2, 5, 10].map(k => k * power).find(k => k >= rough),
	);
	return Array.from({length: Math.floor(most / step) + 1}, (_, i) => i * step);
}

/** Draw the frame of a diagram: lines, and numbers at the left. Returns the area of the data. */
function frame(to, width, height, most, unit, bottom = 20) {
	const left = 58,
		top = 22,
		area = {left, top, width: width - left - 4, height: height - top - bottom};
	most = heightOf(most);
	to.textBaseline = "middle";
	to.textAlign = "right";
	for (const tick of ticks(most)) {
		const y = Math.round(top + area.height * (1 - tick / most)) + 0.5;
		to.strokeStyle = ink("line");
		to.beginPath();
		to.moveTo(left, y);
		to.lineTo(left + area.width, y);
		to.stroke();
		to.fillStyle = ink("ink-soft");
		to.fillText(short(tick), left - 7, y);
	}
	to.textAlign = "left";
	to.fillText(unit, 0, 6);
	return area;
}

/** Stacked columns: @sums by [column][node]; all heights have the same scale. */
function stackedColumns(to, area, sums, width, columns, most) {
	const highest = heightOf(most),
		all = sampled() && totals(sums, width, columns),
		each = area.width / columns,
		gap = each > 4 ? Math.min(2, each * 0.15) : 0;
	for (let i = 0; i < columns; i++) {
		let y = area.top + area.height;
		const x = area.left + i * each;
		for (let node = 0; node < width; node++) {
			const high = (sums[i * width + node] / highest) * area.height;
			if (!high) continue;
			to.fillStyle = nodeColour(node);
			to.fillRect(x, y - high, Math.max(0.7, each - gap), high);
			y -= high;
		}
		if (sampled() && each > 3) whisker(to, area, x + (each - gap) / 2, all[i], highest);
	}
}

/** The band of a column of samples. */
function whisker(to, area, x, n, highest) {
	if (!n) return;
	const [low, high] = bandOf(n).map(m => area.top + area.height * (1 - m / highest));
	to.strokeStyle = ink("ink");
	to.beginPath();
	to.moveTo(x, low);
	to.lineTo(x, high);
	to.stroke();
}

/** A cell of a map, at whole pixels, so that neighbours neither overlap nor leave a gap. */
function cellFill(to, x, y, wide, high) {
	const left = Math.round(x),
		top = Math.round(y);
	to.fillRect(
		left,
		top,
		Math.max(1, Math.round(x + wide) - left - (wide > 8 ? 1 : 0)),
		Math.max(1, Math.round(y + high) - top - (high > 8 ? 1 : 0)),
	);
}

function totals(sums, width, columns) {
	return Array.from({length: columns}, (_, i) => {
		let sum = 0;
		for (let node = 0; node < width; node++) sum += sums[i * width + node];
		return sum;
	});
}

/** Words along the bottom of a diagram, as many as fit. */
function bottomWords(to, area, words) {
	let free = -Infinity;
	to.fillStyle = ink("ink-soft");
	to.textBaseline = "alphabetic";
	words.forEach((word, i) => {
		const x = area.left + (area.width * (i + 0.5)) / words.length,
			half = to.measureText(word).width / 2;
		if (x - half < free + 8 || x + half > area.left + area.width + 4) return;
		to.textAlign = "center";
		to.fillText(word, x, area.top + area.height + 14);
		free = x + half;
	});
	to.textAlign = "left";
}
