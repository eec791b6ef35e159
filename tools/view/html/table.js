// SPDX-License-Identifier: MIT
// Table: real tables; a long table holds only the visible rows.

const ROW_PIXELS = 26;
/** Browsers do not handle heights of more than about ten million pixels. */
const SCROLL_PIXELS_MAX = 8e6;

/** Cell of a table: text, an element, or [element, text]; class by the column. */
function cellOf(column, value) {
	const cell = make("td", {class: column.class});
	cell.append(...(Array.isArray(value) ? value : [value]));
	return cell;
}

/**
 * A short table: @columns are {title, class, hint}, @rows arrays of cells; @open(i) on Enter or a
 * click.
 */
function plainTable(caption, columns, rows, open) {
	const body = make("tbody");
	rows.forEach((cells, i) => {
		const row = make("tr", open ? {class: "go", tabindex: i ? -1 : 0} : {});
		cells.forEach((cell, k) => row.append(cellOf(columns[k], cell)));
		body.append(row);
	});
	if (open) {
		body.addEventListener("click", event => {
			const row = event.target.closest("tr");
			if (row) open([...body.children].indexOf(row));
		});
		body.addEventListener("keydown", event => rowKeys(event, body, open));
	}
	return make(
		"table",
		{},
		make("caption", {class: "hidden"}, caption),
		make(
			"thead",
			{},
			make(
				"tr",
				{},
				...columns.map(c =>
					make(
						"th",
						{
							scope: "col",
							class: c.class === "n" && "n",
							title: c.hint,
						},
						c.title,
					),
				),
			),
		),
		body,
	);
}

/** Columns of counts by type, if types are known. */
function typeColumns() {
	return typesKnown() ? ["Reads", "Writes", "Locks"].map(title => ({title, class: "n"})) : [];
}

/** Accesses by node: @rows are {node, name, reads, writes, locks, other, last}; @last: title of the last column. */
function nodeTable(caption, last, rows) {
	return plainTable(
		caption,
		[
			{title: "Node"},
			...typeColumns(),
			...(model.doc.untyped
				? [{title: sampled() ? "Samples" : "Untyped", class: "n"}]
				: []),
			{title: last, class: "n"},
		],
		rows.map(row => [
			[nodeMark(row.node), row.name],
			...(typesKnown() ? [row.reads, row.writes, row.locks].map(n => tally(n)) : []),
			...(model.doc.untyped ? [tally(row.other)] : []),
			row.estimate ? tally(row.last) : count(row.last),
		]),
	);
}

function rowKeys(event, body, open) {
	const rows = [...body.children],
		at = rows.indexOf(document.activeElement);
	const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1}[event.key];
	if (at < 0) return;
	if (event.key === "Enter") {
		event.preventDefault();
		return open(at);
	}
	if (to === undefined || !rows[to]) return;
	event.preventDefault();
	rows[at].tabIndex = -1;
	rows[to].tabIndex = 0;
	rows[to].focus();
}

/**
 * A long table. @columns: {key, title, class, hint, cell(item), sortable}; @open(item). rows(list)
 * shows a list of items; onsort(key) is called when a heading is pressed.
 */
class LongTable {
	constructor(caption, columns, open, onsort) {
		Object.assign(this, {columns, open, onsort, list: [], active: 0, first: -1});
		this.caption = make("caption", {class: "hidden"}, caption);
		this.heads = columns.map(c =>
			make(
				"th",
				{scope: "col", class: c.class === "n" && "n", title: c.hint},
				c.sortable
					? make(
							"button",
							{
								type: "button",
								onclick: () => onsort(c.key),
							},
							c.title,
						)
					: c.title,
			),
		);
		this.before = make("td", {colspan: columns.length});
		this.after = make("td", {colspan: columns.length});
		this.body = make("tbody");
		this.table = make(
			"table",
			{},
			this.caption,
			make("thead", {}, make("tr", {}, ...this.heads)),
			this.body,
		);
		this.box = make("div", {class: "scroll tall", tabindex: -1}, this.table);
		this.box.addEventListener("scroll", () => this.draw(), {passive: true});
		this.body.addEventListener("click", event => this.press(event));
		this.body.addEventListener("keydown", event => this.key(event));
		new ResizeObserver(() => this.draw(true)).observe(this.box);
	}
	sorted(key, descending) {
		this.columns.forEach((column, i) => {
			if (column.key !== key) return this.heads[i].removeAttribute("aria-sort");
			this.heads[i].setAttribute(
				"aria-sort",
				descending ? "descending" : "ascending",
			);
		});
		this.columns.forEach((column, i) => {
			const button = this.heads[i].firstElementChild;
			if (button)
				button.textContent =
					column.title +
					(column.key === key ? (descending ? " ↓" : " ↑") : "");
		});
	}
	rows(list) {
		this.list = list;
		this.active = 0;
		this.table.setAttribute("aria-rowcount", list.length + 1);
		this.box.scrollTop = 0;
		this.draw(true);
	}
	/** Measure the rows that fit, the pixels of all rows, and the pixels of a row on the scroll bar. */
	measure() {
		const fit = Math.max(
			1,
			Math.floor((this.box.clientHeight - ROW_PIXELS) / ROW_PIXELS),
		);
		const pixels = Math.min(this.list.length * ROW_PIXELS, SCROLL_PIXELS_MAX);
		const room = Math.max(0, pixels - fit * ROW_PIXELS),
			hidden = Math.max(0, this.list.length - fit);
		return {fit, pixels, each: hidden ? room / hidden : ROW_PIXELS};
	}
	draw(always) {
		const {fit, pixels, each} = this.measure();
		const first = Math.max(
			0,
			Math.min(this.list.length - fit, Math.round(this.box.scrollTop / each)),
		);
		const begin = Math.max(0, first - 8),
			end = Math.min(this.list.length, first + fit + 8);
		if (!always && begin === this.first) return;
		const focused = this.body.contains(document.activeElement);
		const above = Math.max(
			0,
			Math.min(begin * each, pixels - (end - begin) * ROW_PIXELS),
		);
		this.first = begin;
		this.before.style.height = above + "px";
		this.after.style.height =
			Math.max(0, pixels - above - (end - begin) * ROW_PIXELS) + "px";
		const rows = [make("tr", {class: "spacer", "aria-hidden": "true"}, this.before)];
		for (let i = begin; i < end; i++) rows.push(this.row(i));
		rows.push(make("tr", {class: "spacer", "aria-hidden": "true"}, this.after));
		this.body.replaceChildren(...rows);
		if (focused) this.focus();
	}
	row(i) {
		const item = this.list[i],
			row = make("tr", {
				class: "go",
				"aria-rowindex": i + 2,
				tabindex: i === this.active ? 0 : -1,
			});
		row.item = i;
		for (const column of this.columns) row.append(cellOf(column, column.cell(item)));
		if (this.mark?.(item)) row.classList.add("hot");
		return row;
	}
	focus() {
		[...this.body.children]
			.find(row => row.item === this.active)
			?.focus({preventScroll: true});
	}
	press(event) {
		const row = event.target.closest("tr");
		if (row?.item !== undefined) this.open(this.list[row.item]);
	}
	key(event) {
		const {fit} = this.measure(),
			last = this.list.length - 1;
		const to = {
			ArrowDown: this.active + 1,
			ArrowUp: this.active - 1,
			PageDown: this.active + fit,
			PageUp: this.active - fit,
			Home: 0,
			End: last,
		}[event.key];
		if (event.key === "Enter") {
			event.preventDefault();
			return this.open(this.list[this.active]);
		}
		if (to === undefined) return;
		event.preventDefault();
		this.go(Math.max(0, Math.min(last, to)));
	}
	go(to) {
		const {fit, each} = this.measure(),
			first = Math.round(this.box.scrollTop / each);
		this.active = to;
		if (to < first) this.box.scrollTop = to * each;
		else if (to >= first + fit) this.box.scrollTop = (to - fit + 1) * each;
		this.draw(true);
		this.focus();
	}
}
