// SPDX-License-Identifier: MIT
// Zoom: the range of pages that is shown, and the pointer and keys that change it.

/** The range of pages that is shown, as indices. */
function rangeOfState() {
	const from = Math.max(0, Math.min(model.count - 1, Number(state.from) || 0));
	const to =
		state.to === ""
			? model.count
			: Math.max(from + 1, Math.min(model.count, Number(state.to)));
	return {from, to};
}

function rangeSet(from, to) {
	from = Math.max(0, Math.round(from));
	to = Math.min(model.count, Math.max(from + 1, Math.round(to)));
	stateSet(from === 0 && to === model.count ? {from: "", to: ""} : {from, to});
}

function zoom(factor, at) {
	const {from, to} = rangeOfState(),
		width = Math.max(1, Math.min(model.count, (to - from) * factor));
	const begin = Math.max(
		0,
		Math.min(model.count - width, at - ((at - from) * width) / (to - from)),
	);
	rangeSet(begin, begin + width);
}

function pageText(index) {
	return model.ready ? `page ${pageNumber(model.number[index])}` : `page no. ${count(index)}`;
}

function rangeText() {
	const {from, to} = rangeOfState();
	return to - from === model.count
		? `all ${plural(model.count, "page")}`
		: `pages no. ${count(from + 1)} to ${count(to)} of ${count(model.count)}`;
}

function zoomBar(extra) {
	const middle = () => {
		const {from, to} = rangeOfState();
		return (from + to) / 2;
	};
	const move = part => {
		const {from, to} = rangeOfState(),
			by = (to - from) * part;
		rangeSet(
			Math.min(model.count - (to - from), Math.max(0, from + by)),
			Math.min(model.count, Math.max(to - from, to + by)),
		);
	};
	const bar = make(
		"div",
		{class: "bar"},
		make(
			"div",
			{class: "group", role: "group", "aria-label": "Zoom"},
			make(
				"button",
				{
					type: "button",
					"aria-label": "Zoom in",
					onclick: () => zoom(0.5, middle()),
				},
				"+",
			),
			make(
				"button",
				{
					type: "button",
					"aria-label": "Zoom out",
					onclick: () => zoom(2, middle()),
				},
				"−",
			),
			make(
				"button",
				{type: "button", onclick: () => rangeSet(0, model.count)},
				"All",
			),
		),
		make(
			"div",
			{class: "group", role: "group", "aria-label": "Move"},
			make(
				"button",
				{
					type: "button",
					"aria-label": "To lower addresses",
					onclick: () => move(-0.5),
				},
				"←",
			),
			make(
				"button",
				{
					type: "button",
					"aria-label": "To higher addresses",
					onclick: () => move(0.5),
				},
				"→",
			),
		),
		extra || "",
	);
	bar.append(make("span", {class: "soft range"}));
	return bar;
}

/**
 * Pointer and keys on a canvas of columns: a cursor, drag or wheel to zoom, Enter to open. @window
 * has columns(), cursor, point(i), and along(event): position 0 to 1 along the pages.
 */
function zoomable(canvas, window_) {
	let pressed = null;
	canvas.tabIndex = 0;
	canvas.classList.add("zoom");
	const column = event =>
		Math.max(
			0,
			Math.min(
				window_.columns() - 1,
				Math.floor(window_.along(event) * window_.columns()),
			),
		);
	canvas.addEventListener("pointermove", event => window_.point(column(event), pressed));
	canvas.addEventListener("pointerleave", () => {
		pressed = null;
	});
	canvas.addEventListener("pointerdown", event => {
		pressed = column(event);
	});
	canvas.addEventListener("pointerup", event => {
		const a = pressed,
			b = column(event);
		pressed = null;
		if (a !== null) window_.open(Math.min(a, b), Math.max(a, b), true);
	});
	canvas.addEventListener(
		"wheel",
		event => {
			if (!event.ctrlKey && !event.shiftKey) return;
			event.preventDefault();
			const {from, to} = rangeOfState();
			zoom(
				event.deltaY > 0 ? 1.5 : 1 / 1.5,
				from + window_.along(event) * (to - from),
			);
		},
		{passive: false},
	);
	canvas.addEventListener("keydown", event => {
		const {from, to} = rangeOfState(),
			last = window_.columns() - 1,
			at = window_.cursor;
		const next = {
			ArrowRight: at + 1,
			ArrowDown: at + 1,
			ArrowLeft: at - 1,
			ArrowUp: at - 1,
			Home: 0,
			End: last,
			PageDown: at + 10,
			PageUp: at - 10,
		}[event.key];
		const middle = from + ((at + 0.5) / (last + 1)) * (to - from);
		if (event.key === "+") zoom(0.5, middle);
		else if (event.key === "-") zoom(2, middle);
		else if (event.key === "0") rangeSet(0, model.count);
		else if (event.key === "Enter") window_.open(at, at);
		else if (next !== undefined) {
			window_.point(Math.max(0, Math.min(last, next)), null);
			say(window_.chart.readOut.textContent);
		} else return;
		event.preventDefault();
		event.stopPropagation();
	});
}

/** Open columns: one page's analysis, or zoom in. */
function columnsOpen({edges, counts}, a, b) {
	if (a !== b || counts[a] > 1) return rangeSet(edges[a], edges[b + 1]);
	if (model.ready) stateSet({w: "page", page: pageWord(edges[a])});
}
