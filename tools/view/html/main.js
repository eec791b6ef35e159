// SPDX-License-Identifier: MIT
// Main: the windows, the choice of the shown window, and the keys.

const windows = [overview, transfer, histogram, diagram, heatmap, pageWindow, structure, advice];
windows.push(eventState);

/** Does the document hold only the state of counters? */
function stateAlone() {
	return !!model.doc.state && !model.doc.origin;
}

/** Does the document hold data for a window? */
function windowHas(w) {
	return w === eventState ? !!model.doc.state : !stateAlone();
}

function tabMake(w, i) {
	return make(
		"button",
		{
			type: "button",
			role: "tab",
			id: `tab-${w.id}`,
			"aria-controls": `window-${w.id}`,
			"aria-keyshortcuts": i + 1,
			onclick: () => stateSet({w: w.id}),
		},
		w.title,
	);
}

/** Show the chosen window. Its elements are made when it is first shown. */
function windowShow() {
	if (!model.doc) return;
	const shown =
		windows.find(w => w.id === state.w && windowHas(w)) ||
		(stateAlone() ? eventState : overview);
	for (const w of windows) {
		const tab = document.getElementById(`tab-${w.id}`),
			panel = document.getElementById(`window-${w.id}`);
		const active = w === shown;
		tab.setAttribute("aria-selected", active);
		tab.tabIndex = active ? 0 : -1;
		tab.hidden = !windowHas(w);
		panel.hidden = !active;
		if (active && !panel.childElementCount) {
			w.build(panel);
			w.shape = liveShape();
			w.stale = false;
		}
	}
	const nav = document.querySelector("nav"),
		tab = document.getElementById(`tab-${shown.id}`);
	if (tab.offsetLeft + tab.offsetWidth > nav.clientWidth || nav.scrollLeft > tab.offsetLeft)
		nav.scrollLeft = tab.offsetLeft - 24;
	document.title = `${shown.title} · SMiLE Data Layout Visualizer`;
	if (shown.stale) liveFresh(shown, document.getElementById(`window-${shown.id}`));
	else shown.show();
	if (windowShow.last && windowShow.last !== shown) window.scrollTo(0, 0);
	windowShow.last = shown;
	if (model.doc.live) livePages();
}

/** Make all windows again, since colours are read only when a window is drawn. */
function windowsRenew() {
	for (const w of windows) {
		document.getElementById(`window-${w.id}`).replaceChildren();
		Object.assign(w, {key: null, shown: null, done: false});
	}
	windowShow();
}

function themeApply() {
	const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
	document.documentElement.dataset.theme = state.t || system;
	document.getElementById("theme").textContent = isDark() ? "Light" : "Dark";
	document.getElementById("theme").setAttribute(
		"aria-label",
		isDark() ? "Show light" : "Show dark",
	);
}

function headFill() {
	const {origin, files, nodes, version} = model.doc,
		kind = model.doc.live?.kind;
	const when = origin?.start_ms
		? new Date(origin.start_ms).toISOString().slice(0, 16).replace("T", " ") + " UTC"
		: "";
	document.getElementById("origin").textContent = [
		origin?.command_line || files.join(" "),
		[
			stateAlone() ? "" : plural(nodes, "node"),
			stateAlone()
				? kind
					? "live, from a state file"
					: "a state file"
				: kind && kind !== "recordings"
				? `live, from a ${kind}`
				: plural(files.length, "recording"),
			when,
			origin?.host,
			`smile ${version}`,
		]
			.filter(Boolean)
			.join(" · "),
	].join("\n");
	document.getElementById("origin").style.whiteSpace = "pre-line";
}

function keyPressed(event) {
	const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
	if (
		event.ctrlKey ||
		event.metaKey ||
		event.altKey ||
		typing ||
		document.getElementById("help-box").open
	)
		return;
	if (event.key >= "1" && event.key <= String(windows.length)) {
		if (!windowHas(windows[event.key - 1])) return;
		stateSet({w: windows[event.key - 1].id});
		document.getElementById(`tab-${state.w}`).focus();
	} else if (event.key === "?") document.getElementById("help-box").showModal();
	else if (event.key === "/") {
		event.preventDefault();
		stateSet({w: "histogram"});
		document.getElementById("filter").focus();
	}
}

function tabKeys(event) {
	const there = windows.filter(windowHas),
		i = there.findIndex(w => w.id === state.w),
		last = there.length - 1;
	const to = {
		ArrowRight: i === last ? 0 : i + 1,
		ArrowLeft: i ? i - 1 : last,
		Home: 0,
		End: last,
	}[event.key];
	if (to === undefined) return;
	event.preventDefault();
	stateSet({w: there[to].id});
	document.getElementById(`tab-${state.w}`).focus();
}

/** Make the parts that do not depend on the shown window: tabs, buttons, keys. */
function shellMake() {
	document.getElementById("tabs").append(...windows.map(tabMake));
	document.getElementById("tabs").addEventListener("keydown", tabKeys);
	document.getElementById("main").replaceChildren(
		...windows.map(w =>
			make("section", {
				class: "window",
				id: `window-${w.id}`,
				role: "tabpanel",
				"aria-labelledby": `tab-${w.id}`,
				hidden: true,
			}),
		),
	);
	document.getElementById("theme").addEventListener("click", () =>
		stateSet({t: isDark() ? "light" : "dark"}),
	);
	document.getElementById("help").addEventListener("click", () =>
		document.getElementById("help-box").showModal(),
	);
	document.getElementById("skip").addEventListener("click", event => {
		event.preventDefault();
		document.querySelector("main button, main [tabindex='0']")?.focus();
	});
	document.addEventListener("keydown", keyPressed);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
		themeApply();
		windowsRenew();
	});
	window.addEventListener("hashchange", () => {
		stateRead();
		themeApply();
		windowShow();
	});
	stateListeners.push(changes => {
		if (!("t" in changes)) return windowShow();
		themeApply();
		windowsRenew();
	});
	themeApply();
}

function firstShow() {
	headFill();
	windowShow();
	performance.mark("first-view");
}

function begin() {
	const doc = JSON.parse(document.getElementById("document").textContent);
	document.getElementById("document").remove();
	stateRead();
	shellMake();
	if (doc.schema === "smile.serve/1") return void liveBegin();
	modelBegin(doc);
	firstShow();
	document.addEventListener("DOMContentLoaded", async () => {
		const element = document.getElementById("chunks"),
			chunks = JSON.parse(element.textContent);
		element.remove();
		/* The browser draws the first window before the pages are unpacked. */
		if (model.count > 20000) await new Promise(requestAnimationFrame).then(breath);
		await modelUnpack(model, i => chunks[i], null);
		performance.mark("unpacked");
		document.documentElement.dataset.ready = "1";
		windowShow();
	});
}

begin();
