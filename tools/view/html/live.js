// SPDX-License-Identifier: MIT
// Live: the page of `smile serve`. The server reports new data by events, and the page then requests the data. It
// requests the head of the document. It requests the texts of pages only if they are few, or if the shown window
// needs them, and then only the new texts.

/** Up to so many rows, pages are always requested: windows that do not need them then show more. */
const LIVE_ROWS = 200000;
/** Requests at a time. */
const LIVE_AHEAD = 4;
/** Largest number of received texts that are kept while other requests fail. */
const LIVE_KEPT = 1000;
/** Time from a failure to the next try, ms: the first, and the longest; the time doubles with each failure. */
const LIVE_PAUSE = [250, 4000];

const live = {
	paused: false,
	pressed: false,
	asking: false,
	wanted: false,
	document: -1,
	instance: "",
	/** The last model whose pages were unpacked, and the zoomed range at that time, by page numbers. */
	packed: null,
	range: null,
	/** The received texts of models that are not complete, by key. */
	texts: new Map(),
	/** Length of the last pause after a failure; 0: the last request succeeded. */
	pause: 0,
};

/** Show the state of the connection as a text. Screen readers read it only if it changes. */
function liveTell(kind, text) {
	const state = document.getElementById("live-state");
	document.getElementById("live").dataset.kind = kind;
	if (state.textContent !== text) state.textContent = text;
}

function liveState() {
	const {state, message, interval_ms: ms} = live.news || model.doc?.live || {};
	if (live.lost)
		return liveTell(
			"lost",
			"Connection lost: smile serve has ended, or the network is down. The page shows the last data that arrived, and tries to connect again.",
		);
	if (live.paused) return liveTell("paused", "Paused: the page does not change until you press Go on.");
	if (state === "failed")
		return liveTell(
			"failed",
			`The source has failed: ${message || "it is gone"}. The page shows the counts up to then.`,
		);
	if (state === "ended")
		return liveTell(
			"ended",
			`The source has ended: no more data will arrive.${message ? ` ${message}.` : ""}`,
		);
	liveTell(
		"running",
		`Live: new data at most every ${time(ms / 1000)}.${message ? ` Trouble: ${message}.` : ""}`,
	);
}

// ---- data

/** Has the reader selected text? An update would lose the selection. */
function liveSelected() {
	const chosen = getSelection();
	return (
		chosen &&
		!chosen.isCollapsed &&
		document.getElementById("main").contains(chosen.anchorNode)
	);
}

/** Must the screen not change now? */
function liveHeld() {
	const selected = liveSelected();
	if (selected) liveTell("paused", "New data waits as long as text is selected.");
	return selected || live.pressed || document.getElementById("help-box").open;
}

async function liveAsk(path) {
	const answer = await fetch(path, {cache: "no-store"});
	if (answer.ok) return answer;
	throw new Error(await answer.text());
}

const liveHead = async () => (await liveAsk("view.json")).json();

/** Does the shown window need pages? */
const livePagesShown = () => (windows.find(w => w.id === state.w) || overview).pages;

/** Must the pages of a model be requested for the shown window? */
function livePagesNeeded(of) {
	return !of.ready && (livePagesShown() || of.rows <= LIVE_ROWS);
}

/** Request a text. It is kept until a model is complete, so that it is not requested again if others fail. */
async function liveText(key) {
	const text = await (await liveAsk(`pages?key=${key}`)).text();
	if (live.texts.size < LIVE_KEPT) live.texts.set(key, text);
	return text;
}

/** Get the pages of a model, a few requests at a time; known pages are not requested. */
async function liveUnpack(mine) {
	const {keys} = mine.doc.pages,
		known = live.packed && modelAlike(mine, live.packed) ? live.packed.texts : new Map();
	for (const key of live.texts.keys()) if (!keys.includes(key)) live.texts.delete(key);
	const missing = keys.filter(key => !known.has(key) && !live.texts.has(key)),
		texts = new Map();
	const begin = key => {
		const text = liveText(key);
		/* The code that waits for the text handles its failure; until then, ignore it. */
		text.catch(() => {});
		texts.set(key, text);
	};
	missing.splice(0, LIVE_AHEAD).forEach(begin);
	try {
		await modelUnpack(
			mine,
			async i => {
				const key = keys[i];
				if (!texts.has(key)) return live.texts.get(key);
				const text = await texts.get(key);
				if (missing.length) begin(missing.shift());
				texts.delete(key);
				return text;
			},
			live.packed,
		);
	} finally {
		/* Wait for all pending requests, so that no text is requested a second time meanwhile. */
		await Promise.allSettled(texts.values());
	}
	live.packed = mine;
	live.texts.clear();
	performance.mark("unpacked");
}

/**
* Do one update at a time; then do the update that was requested meanwhile. A failed update is tried
 * again with the next document, after a pause, so that a server in trouble gets few requests.
 */
async function liveWork(work) {
	if (live.asking) return void (live.wanted = true);
	live.asking = true;
	live.wanted = false;
	try {
		await work();
		live.pause = 0;
	} catch (error) {
		const [first, most] = LIVE_PAUSE;
		console.info(String(error));
		live.wanted = true;
		live.pause = Math.min(2 * live.pause || first, most);
		await new Promise(done => setTimeout(done, live.pause));
	}
	live.asking = false;
	if (!live.wanted) livePages();
	else if (!live.lost) liveRenew();
}

/** Get the next document. */
function liveRenew() {
	return liveWork(async () => {
		const start = performance.now(),
			next = modelOf(await liveHead());
		let failure;
		try {
			if (livePagesNeeded(next)) await liveUnpack(next);
		} catch (error) {
			/* A window of pages keeps the old pages; any other window shows the new sums. */
			if (model.ready && livePagesShown()) throw error;
			failure = error;
		}
		await new Promise(done => liveSwap(next, done));
		if (failure) throw failure;
		performance.measure("update", {start});
	});
}

/** Get the pages of the shown document, if they are needed and missing. */
function livePages() {
	if (live.asking || live.lost || !livePagesNeeded(model)) return;
	const mine = model;
	liveWork(async () => {
		await liveUnpack(mine);
		liveRange();
		windowShow();
	});
}

function liveTaken(doc) {
	if (live.instance !== doc.live.instance || doc.live.history.columns > rate.columns.length)
		rateBegin(doc.live.history);
	live.instance = doc.live.instance;
	live.document = doc.live.document;
	document.getElementById("live-when").textContent =
		`Data of ${new Date().toLocaleTimeString()}.`;
	document.documentElement.dataset.document = doc.live.document;
	liveState();
}

/** A name of a page's row that does not depend on its index: indices change when pages are added. */
function liveItem(item) {
	return typeof item === "number" ? pageWord(item) : item?.name;
}

/** Show the next document instead of the last one. */
function liveSwap(next, done) {
	/* A paused page is also updated if it needs pages that the server no longer has. */
	if (live.paused && !livePagesNeeded(model)) return done();
	if (liveHeld()) return void setTimeout(() => liveSwap(next, done), 100);
	const zoomed = (state.from !== "" || state.to !== "") && model.count;
	if (!zoomed) live.range = null;
	else if (model.ready) {
		const {from, to} = rangeOfState();
		live.range = [model.number[from], model.number[to - 1]];
	}
	if (model.ready && !state.page && state.w === "page" && pageWindow.at >= 0)
		livePlace({page: pageWord(pageWindow.at)});
	for (const w of windows) {
		if (w.table instanceof LongTable && !w.stale && model.ready)
			w.kept = liveItem(w.table.list[w.table.active]);
		w.stale = true;
	}
	model = next;
	liveRange();
	headFill();
	windowShow();
	liveTaken(next.doc);
	done();
}

/** Zoom to the same pages as before, by their numbers, when the new pages are unpacked. */
function liveRange() {
	if (!live.range || !model.ready) return;
	const [first, last] = live.range;
	live.range = null;
	livePlace({from: String(pageFrom(first)), to: String(pageFrom(last + 1))});
}

/** Change the state without notifying listeners, since the place is the same under another name. */
function livePlace(changes) {
	Object.assign(state, changes);
	history.replaceState(null, "", stateText({}));
}

// ---- a window with new numbers, and otherwise unchanged

const LIVE_FOCUS = "button,summary,input,select,textarea,canvas,[tabindex]";

function liveName(element) {
	const own =
		element.tagName === "TR"
			? element.cells[0]?.textContent
			: element.tagName === "CANVAS"
				? ""
				: (element.getAttribute("aria-label") ??
					(/^(BUTTON|SUMMARY)$/.test(element.tagName)
						? element.textContent
						: ""));
	return [
		element.tagName,
		element.id,
		element.pair?.join(),
		element.closest("table")?.caption?.textContent,
		own,
	].join("|");
}

function liveKeep(panel) {
	const active = panel.contains(document.activeElement) ? document.activeElement : null,
		all = [...panel.querySelectorAll(LIVE_FOCUS)],
		name = active && liveName(active);
	return {
		height: panel.offsetHeight,
		scroll: [window.scrollX, window.scrollY],
		boxes: [...panel.querySelectorAll(".scroll")].map(b => [b.scrollTop, b.scrollLeft]),
		open: [...panel.querySelectorAll("details")].map(d => d.open),
		search: [...panel.querySelectorAll("input[type='search']")].map(i => i.value),
		name,
		nth: active && all.filter(e => liveName(e) === name).indexOf(active),
		index: active ? all.indexOf(active) : -1,
		tag: active?.tagName,
		text:
			active && "value" in active
				? [active.value, active.selectionStart, active.selectionEnd]
				: null,
	};
}

function liveFocus(panel, kept) {
	if (!kept.tag) return;
	const all = [...panel.querySelectorAll(LIVE_FOCUS)],
		same = all.filter(e => liveName(e) === kept.name);
	/* If the row was removed, the row at its place. */
	const next = all[kept.index]?.tagName === kept.tag ? all[kept.index] : undefined;
	const element = same[kept.nth] || same[0] || next;
	if (!element) return;
	if (kept.text && element.type === "search" && element.value !== kept.text[0])
		element.value = kept.text[0];
	if (element !== document.activeElement) {
		const table = /^(TD|TR)$/.test(element.tagName) && element.closest("tbody");
		if (table) {
			for (const other of table.querySelectorAll("[tabindex='0']"))
				other.tabIndex = -1;
			element.tabIndex = 0;
		}
		element.focus({preventScroll: true});
	}
	if (element.type === "search" && kept.text)
		element.setSelectionRange(kept.text[1], kept.text[2]);
}

function livePut(w, panel, kept) {
	panel.querySelectorAll("details").forEach((d, i) => {
		if (kept.open[i] !== undefined && d.open !== kept.open[i]) d.open = kept.open[i];
	});
	if (w.table instanceof LongTable) {
		const at =
			w.kept === undefined
				? -1
				: w.table.list.findIndex(i => liveItem(i) === w.kept);
		w.table.active = Math.max(0, at);
	}
	panel.querySelectorAll(".scroll").forEach((box, i) => {
		if (kept.boxes[i]) [box.scrollTop, box.scrollLeft] = kept.boxes[i];
	});
	if (w.table instanceof LongTable && model.ready) w.table.draw(true);
	liveFocus(panel, kept);
	window.scrollTo(...kept.scroll);
}

/** Whether a window that was built for one document can show another. */
function liveShape() {
	const {groups, phases, live: has} = model.doc;
	return [
		model.nodes,
		!!model.count,
		phases.length,
		groups.phase_columns,
		groups.phases_each,
		!!has,
	].join();
}

/** Update a stale window; true if it was updated. */
function liveFresh(w, panel) {
	const kept = liveKeep(panel);
	w.stale = false;
	panel.style.minHeight = `${kept.height}px`;
	Object.assign(w, {key: null, shown: null, done: false});
	if (w === overview || w.shape !== liveShape()) {
		const order = w.order;
		panel.replaceChildren();
		w.build(panel);
		w.shape = liveShape();
		if (order) w.order = order;
		panel.querySelectorAll("input[type='search']").forEach((input, i) => {
			if (kept.search[i]) input.value = kept.search[i];
		});
	}
	w.show();
	livePut(w, panel, kept);
	panel.style.minHeight = "";
}

// ---- events

function liveNews(event) {
	live.news = JSON.parse(event.data);
	live.lost = false;
	liveState();
	if (live.news.instance === live.instance) rateAdd(live.news.sample);
	if (live.news.document !== live.document || live.news.instance !== live.instance)
		liveRenew();
	else livePages();
}

function liveListen() {
	live.events?.close();
	clearTimeout(live.again);
	live.events = new EventSource("events");
	live.events.addEventListener("news", liveNews);
	live.events.addEventListener("error", () => {
		live.lost = true;
		liveState();
		/* The browser reconnects by itself, but not after a refusal. */
		if (live.events.readyState === EventSource.CLOSED)
			live.again = setTimeout(liveListen, 5000);
	});
}

function livePause(paused) {
	const button = document.getElementById("pause");
	live.paused = paused;
	button.textContent = paused ? "Go on" : "Pause";
	button.setAttribute("aria-pressed", paused);
	if (paused) live.events?.close();
	else liveListen();
	live.lost = false;
	liveState();
}

/** A web page in the background needs no new data, so it does not request any. */
function liveSeen() {
	if (live.paused) return;
	clearTimeout(live.hide);
	if (document.hidden) live.hide = setTimeout(() => live.events?.close(), 10000);
	else if (live.events?.readyState === EventSource.CLOSED) liveListen();
}

/**
* Note whether the main button is pressed. Other buttons open menus or scroll, and the browser may never
 * report their release; it also does not report the release of a press that the system took over.
 */
function livePress() {
	const pressed = event => {
			if (event.button === 0) live.pressed = true;
		},
		released = () => setTimeout(() => (live.pressed = false), 50);
	document.addEventListener("pointerdown", pressed, true);
	for (const end of ["pointerup", "pointercancel", "contextmenu"])
		document.addEventListener(end, released, true);
	window.addEventListener("blur", released);
}

async function liveBegin() {
	document.getElementById("live").hidden = false;
	document.getElementById("pause").hidden = false;
	document.getElementById("pause").addEventListener("click", () => livePause(!live.paused));
	document.addEventListener("visibilitychange", liveSeen);
	livePress();
	try {
		liveTell("running", "Requesting the data…");
		const doc = await liveHead();
		live.asking = true;
		modelBegin(doc);
		liveTaken(doc);
		firstShow();
		await breath();
		live.asking = false;
		await liveWork(() => livePagesNeeded(model) && liveUnpack(model));
		document.documentElement.dataset.ready = "1";
		windowShow();
		liveListen();
	} catch (error) {
		liveTell("lost", `No data: ${String(error.message || error).trim()} Trying again.`);
		setTimeout(() => location.reload(), 5000);
	}
}
