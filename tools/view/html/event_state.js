// SPDX-License-Identifier: MIT
// Event state: the estimates of multiplexed counters over time: a line for each event, with its 95 % band.

const STATE_SIZE = {width: 560, height: 150, left: 56, right: 8, top: 18, bottom: 22};
/** A rate in few characters; a rate below 10 has a digit after the decimal point. */
function rateShort(n) {
	return n > 0 && n < 9.95 ? n.toPrecision(2) : short(n);
}

/** The start and end of columns, in seconds. */
function stateTimes(seconds) {
	const times = [0];
	for (const s of seconds) times.push(times.at(-1) + s);
	return times;
}

/** Stretches of columns for which there is an estimate: [first, one past the last]. */
function stateStretches(rates) {
	const list = [];
	rates.forEach((rate, k) => {
		if (rate === null) return;
		if (list.at(-1)?.[1] === k) list.at(-1)[1] = k + 1;
		else list.push([k, k + 1]);
	});
	return list;
}

class EventPlot {
	constructor(event, all) {
		Object.assign(this, {event, all});
		const {width, height, left, right, top, bottom} = STATE_SIZE;
		this.times = stateTimes(all.seconds);
		/* One very high interval must not make all other intervals a flat line. */
		const highs = event.high_95.filter(h => h !== null).sort((a, b) => a - b),
			most = Math.max(...event.rate.map(r => r ?? 0), 0),
			usual = highs[Math.floor(0.98 * (highs.length - 1))] ?? 0;
		this.most = Math.max(most, usual) * 1.05 || 1;
		this.cut = (highs.at(-1) ?? 0) > this.most;
		const end = this.times.at(-1) || 1;
		this.x = s => left + ((width - left - right) * s) / end;
		this.y = n =>
			top + (height - top - bottom) * (1 - Math.min(Math.max(n, 0), this.most) / this.most);
	}
	middle(k) {
		return (this.times[k] + this.times[k + 1]) / 2;
	}
	point(k, n) {
		return `${this.x(this.middle(k)).toFixed(1)},${this.y(n).toFixed(1)}`;
	}
	/** The points of a line through the values of a stretch; a single column gives a line of its width. */
	points([from, to], values) {
		if (to - from === 1)
			return [this.times[from], this.times[to]].map(
				s => `${this.x(s).toFixed(1)},${this.y(values[from]).toFixed(1)}`,
			);
		return Array.from({length: to - from}, (_, i) => this.point(from + i, values[from + i]));
	}
	/** The outline of the band: along its upper ends, and back along its lower ends. */
	band() {
		const {low_95: low, high_95: high, rate} = this.event;
		return stateStretches(rate)
			.map(stretch => {
				const back = this.points(stretch, low).reverse();
				return `M${[...this.points(stretch, high), ...back].join("L")}Z`;
			})
			.join("");
	}
	line() {
		const {rate} = this.event;
		return stateStretches(rate)
			.map(stretch => `M${this.points(stretch, rate).join("L")}`)
			.join("");
	}
	reads() {
		const {read, rate} = this.event,
			marks = draw("g", {class: "reads"});
		read.forEach((was, k) => {
			if (!was || rate[k] === null) return;
			const [cx, cy] = this.point(k, rate[k]).split(",");
			marks.append(draw("circle", {cx, cy, r: this.all.seconds.length > 150 ? 1.2 : 2.2}));
		});
		return marks;
	}
	axes() {
		const {width, height, left, right, bottom} = STATE_SIZE,
			lines = draw("g", {class: "axes"});
		for (const tick of ticks(this.most)) {
			const y = Math.round(this.y(tick)) + 0.5;
			lines.append(
				draw("line", {x1: left, x2: width - right, y1: y, y2: y}),
				draw("text", {x: left - 6, y: y + 4, "text-anchor": "end"}, short(tick)),
			);
		}
		const end = this.times.at(-1);
		for (let k = 0; k <= 4; k++)
			lines.append(
				draw(
					"text",
					{
						x: this.x((end * k) / 4),
						y: height - bottom + 15,
						"text-anchor": k === 4 ? "end" : k ? "middle" : "start",
					},
					time((end * k) / 4),
				),
			);
		lines.append(draw("text", {x: 0, y: 10}, this.all.unit));
		return lines;
	}
	/** A text about the column below the pointer. */
	words(x) {
		const {left, right, width} = STATE_SIZE,
			{event, all} = this;
		const s = ((x - left) / (width - left - right)) * this.times.at(-1);
		const k = this.times.findIndex(t => t > s) - 1;
		if (k < 0 || k >= all.seconds.length) return "";
		const at = `at ${time(this.middle(k))}: `;
		if (event.rate[k] === null) return `${at}not known`;
		return (
			at +
			`${rateShort(event.rate[k])}${all.unit && ` ${all.unit}`}, ` +
			(event.read[k] && event.low_95[k] === event.high_95[k]
				? "read"
				: `${rateShort(event.low_95[k])} to ${rateShort(event.high_95[k])}${event.read[k] ? ", read in a part of the time" : ", not read"}`)
		);
	}
	figure() {
		const {width, height} = STATE_SIZE,
			{event} = this;
		const cut = this.cut ? " Wider bands are cut off." : "",
			said = make("p", {class: "note"}, `Point at the diagram to read numbers.${cut}`);
		const drawn = draw(
			"svg",
			{
				viewBox: `0 0 ${width} ${height}`,
				role: "img",
				"aria-label": `${event.event}. ${stateNow(event, this.all)}; read for ${percent(event.read_share)} of the time.`,
			},
			this.axes(),
			draw("path", {class: "band", d: this.band()}),
			draw("path", {class: "estimate", d: this.line()}),
			this.reads(),
		);
		drawn.addEventListener("pointermove", pointer => {
			const box = drawn.getBoundingClientRect();
			said.textContent = this.words(((pointer.clientX - box.left) / box.width) * width);
		});
		return make(
			"figure",
			{class: "state", "data-event": event.event},
			make("h3", {}, event.event),
			drawn,
			said,
		);
	}
}

/** A text about the last interval of an event. */
function stateNow(event, all) {
	if (!event.now) return "not known in the last interval";
	const {rate, low_95: low, high_95: high, read, differs} = event.now;
	return `${rateShort(rate)}${all.unit && ` ${all.unit}`} in the last interval, ${read && low === high ? "read" : `95 % band ${rateShort(low)} to ${rateShort(high)}`}${differs ? ", differs from the other nodes" : ""}`;
}

const eventState = {
	id: "state",
	title: "State",
	build(box) {
		this.drawn = null;
		this.box = make("div", {class: "states"});
		this.summary = make("p", {class: "lead", id: "state-summary"});
		this.table = make("div", {class: "scroll"});
		box.append(
			make("header", {}, make("h2", {}, "Events over time, with their uncertainty"), this.summary),
			make(
				"p",
				{class: "legend", id: "state-legend"},
				make("span", {}, make("i", {class: "state-line"}), "estimate"),
				make(
					"span",
					{},
					make("i", {class: "state-band"}),
					"95 % band: of a hundred such bands, 95 hold the true rate",
				),
				make(
					"span",
					{},
					make("i", {class: "state-read"}),
					"an interval in which the event was read",
				),
			),
			this.box,
			make("div", {class: "block"}, make("h3", {}, "The last interval"), this.table),
		);
	},
	show() {
		const all = model.doc.state;
		if (!all || this.drawn === all) return;
		this.drawn = all;
		const each =
			all.intervals_each > 1
				? ` Each point stands for ${all.intervals_each} intervals: it has their mean, and a band that contains all of their bands.`
				: "",
			other = all.events.filter(({now}) => now?.differs).map(({event}) => event),
			apart = other.length
				? ` In the last interval, these events differ from the other nodes: ${other.join("; ")}.`
				: "";
		this.summary.textContent = `${plural(all.events.length, "event")}, ${plural(all.intervals, "interval")}, ${time(all.time_s)}. In an interval in which an event was not read, it is estimated.${each}${apart}`;
		this.box.replaceChildren(...all.events.map(event => new EventPlot(event, all).figure()));
		this.table.replaceChildren(
			plainTable(
				"Events in the last interval",
				[
					{title: "Event"},
					{title: all.unit ? `Rate, ${all.unit}` : "Rate", class: "n"},
					{title: "95 % band", class: "n"},
					{title: "Now"},
					{title: "Read", class: "n", hint: "share of the time in which the event was read"},
				],
				all.events.map(({event, now, read_share: share}) => [
					event,
					now ? rateShort(now.rate) : "–",
					!now
						? "–"
						: now.low_95 === now.high_95
							? "exact"
							: `${rateShort(now.low_95)} to ${rateShort(now.high_95)}`,
					!now
						? "not known"
						: `${now.read ? "read" : "estimated"}${now.differs ? ", differs" : ""}`,
					percent(share),
				]),
			),
		);
	},
};
