// SPDX-License-Identifier: MIT
// Packets: the list. It holds only the visible rows. Its position is the number of the first visible packet, so that
// the number of rows does not matter, even if there are a hundred million. The scroll bar has a height that browsers
// allow, and its position is a share of the trace.

const ROW = 24;
/** The largest height that all browsers lay out, px. */
const HEIGHT_MAX = 8000000;

/** Send a request to the server, and return the parsed answer. */
async function ask(path, parameters, signal) {
	const response = await fetch(`${path}?${new URLSearchParams(parameters)}`, {signal});
	if (!response.ok) throw new Error((await response.text()).trim());
	// A time in nanoseconds has more digits than a JavaScript number can hold.
	const text = (await response.text()).replace(/("time_ns":)(-?\d+)/g, '$1"$2"');
	return JSON.parse(text, (key, value) => (key === "time_ns" ? BigInt(value) : value));
}

const count = number => number.toLocaleString("en-US");
const seconds = ns => `${ns / 1000000000n}.${String(ns % 1000000000n).padStart(9, "0")}`;
const hexadecimal = number => (number === null ? "" : `0x${number.toString(16)}`);

function element(name, attributes = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	made.append(...children);
	return made;
}

class List {
	constructor(onChoose) {
		this.table = document.getElementById("rows");
		this.body = this.table.tBodies[0];
		this.frame = document.getElementById("frame");
		this.scroll = document.getElementById("scroll");
		this.search = document.getElementById("search");
		Object.assign(this, {onChoose, conditions: {}, rows: [], anchor: 0, chosen: -1, total: 0, commands: {}});
		this.frame.addEventListener("wheel", event => this.wheel(event), {passive: false});
		this.scroll.addEventListener("scroll", () => this.dragged());
		this.table.addEventListener("keydown", event => this.key(event));
		this.body.addEventListener("click", event => {
			const row = event.target.closest("tr");
			if (row) this.choose(this.rows[row.sectionRowIndex].packet);
		});
		new ResizeObserver(() => this.measure()).observe(this.frame);
	}

	get visible() {
		return Math.max(1, Math.floor(this.frame.clientHeight / ROW) - 1);
	}

	get filtered() {
		return Object.keys(this.conditions).length > 1;
	}

	/** Show another trace, or apply other conditions. */
	show(trace, conditions, anchor) {
		this.conditions = {trace: trace.trace, ...conditions};
		this.total = trace.packets;
		this.measure();
		return this.go(anchor);
	}

	measure() {
		const view = this.scroll.clientHeight,
			height = Math.min(HEIGHT_MAX, Math.max(view, this.total * ROW));
		if (this.height === height && this.view === view) return;
		[this.height, this.view] = [height, view];
		document.getElementById("height").style.height = `${height}px`;
		if (this.total) this.go(this.anchor);
	}

	/** The first packet for a position of the scroll bar, 0 to 1. */
	anchorOf(share) {
		return Math.round(share * Math.max(0, this.total - (this.filtered ? 1 : this.visible)));
	}

	dragged() {
		// The page itself has set this position: the user has not dragged the scroll bar.
		if (Math.abs(this.scroll.scrollTop - this.setTop) < 1) return;
		this.setTop = this.scroll.scrollTop;
		this.go(this.anchorOf(this.scroll.scrollTop / (this.height - this.view)), true);
	}

	wheel(event) {
		if (event.ctrlKey) return;
		event.preventDefault();
		const unit = event.deltaMode === 1 ? 1 : event.deltaMode === 2 ? this.visible : 1 / ROW;
		this.wheeled = (this.wheeled || 0) + event.deltaY * unit;
		const rows = Math.trunc(this.wheeled);
		this.wheeled -= rows;
		if (rows) this.step(rows);
	}

	key(event) {
		const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: this.visible - 1, PageUp: 1 - this.visible};
		if (event.key === "Home") this.go(0).then(() => this.rows[0] && this.choose(this.rows[0].packet));
		else if (event.key === "End") this.end();
		else if (event.key in steps) this.move(steps[event.key]);
		else return;
		event.preventDefault();
	}

	/** Move the choice by some rows, and scroll the list if necessary. */
	async move(by) {
		let at = this.rows.findIndex(row => row.packet === this.chosen);
		if (at < 0) at = by > 0 ? -1 : 0;
		at += by;
		if (at < 0) await this.step(at);
		else if (at >= this.visible) await this.step(at - this.visible + 1);
		at = Math.min(Math.max(at, 0), this.visible - 1, this.rows.length - 1);
		if (this.rows[at]) this.choose(this.rows[at].packet);
	}

	async end() {
		await this.go(this.total - 1);
		if (this.filtered) await this.step(1 - this.visible);
		const last = this.rows[Math.min(this.rows.length, this.visible) - 1];
		if (last) this.choose(last.packet);
	}

	/** Scroll forward by a number of rows, or back if it is negative. */
	async step(by) {
		if (!this.filtered) return this.go(this.anchor + by);
		if (by > 0) {
			const last = this.rows[this.rows.length - 1];
			if (!last) return undefined;
			if (by < this.rows.length) return this.go(this.rows[by].packet);
			const more = await this.gather({first: last.packet + 1, count: by - this.rows.length + 1});
			return more && this.go((more[more.length - 1] ?? last).packet);
		}
		const first = (this.rows[0] ? this.rows[0].packet : this.anchor) - 1;
		if (first < 0) return undefined;
		const before = await this.gather({first, count: -by, backwards: 1});
		return before && before.length ? this.go(before[before.length - 1].packet) : undefined;
	}

	/** Rows from the server, in as many answers as necessary; null: failed, or replaced by a newer request. */
	async gather(parameters) {
		this.asking?.abort();
		const asking = (this.asking = new AbortController()),
			rows = [];
		let first = parameters.first;
		try {
			while (first >= 0 && rows.length < parameters.count) {
				const answer = await ask(
					"packets.json",
					{...this.conditions, ...parameters, first, count: parameters.count - rows.length},
					asking.signal,
				);
				rows.push(...answer.packets);
				first = answer.next;
				this.say(first >= 0 ? `searching: at packet ${count(first)}` : "");
			}
		} catch (error) {
			if (error.name === "AbortError") return null;
			this.say(error.message, true);
			return null;
		}
		return rows;
	}

	say(text, bad = false) {
		this.search.textContent = text;
		this.search.classList.toggle("bad", bad);
	}

	/** Scroll the list to a packet. */
	async go(anchor, dragging = false) {
		const last = this.filtered ? this.total - 1 : this.total - this.visible;
		anchor = Math.max(0, Math.min(anchor, last));
		this.anchor = anchor;
		const rows = await this.gather({first: anchor, count: this.visible + 1});
		if (!rows) return;
		this.rows = rows;
		// If no later packet fulfils the conditions, show the last packets that do.
		if (!rows.length && anchor > 0 && this.filtered && !dragging) {
			const before = await this.gather({first: anchor, count: 1, backwards: 1});
			if (before && before.length) return this.go(before[0].packet);
		}
		this.draw();
		if (!dragging) this.place();
	}

	place() {
		const of = Math.max(1, this.total - (this.filtered ? 1 : this.visible));
		this.scroll.scrollTop = (this.anchor / of) * (this.height - this.view);
		this.setTop = this.scroll.scrollTop;
	}

	draw() {
		const names = this.commands;
		this.body.replaceChildren(
			...this.rows.slice(0, this.visible).map(row => {
				const response = row.type > 28,
					cells = [
						count(row.packet), seconds(row.time_ns), row.type, names[row.command] ?? (row.command === null ? "" : `0x${row.command.toString(16)}`),
						row.source ?? "", row.target ?? "", row.transaction_id ?? "",
						hexadecimal(row.address), row.payload_bytes ?? "",
						row.fault ? "malformed" : row.request === null ? "" : count(row.request),
					],
					line = element("tr", {"data-packet": row.packet, class: row.fault ? "fault" : response ? "response" : row.type ? "request" : "other",
						"aria-selected": row.packet === this.chosen});
				line.append(...cells.map((cell, i) => element("td", i === 3 ? {} : {class: "n"}, String(cell))));
				return line;
			}),
		);
		const shown = Math.min(this.rows.length, this.visible);
		document.getElementById("place").textContent = !this.total
			? "This trace has no packets."
			: shown
				? `Packets ${count(this.rows[0].packet)} to ${count(this.rows[shown - 1].packet)} of ${count(this.total)}${this.filtered ? ", of those that fulfil the conditions" : ""}`
				: "No packet fulfils the conditions.";
	}

	choose(packet) {
		this.chosen = packet;
		for (const row of this.body.rows) row.setAttribute("aria-selected", Number(row.dataset.packet) === packet);
		this.onChoose(this.conditions.trace, packet);
	}

	/** Scroll the list so that a packet is in the middle, and choose it. */
	async reveal(packet) {
		if (!this.rows.slice(0, this.visible).some(row => row.packet === packet))
			await this.go(this.filtered ? packet : packet - Math.floor(this.visible / 2));
		this.choose(packet);
	}
}
