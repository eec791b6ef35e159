// SPDX-License-Identifier: MIT
// Live: the page of `smile serve`, which asks for its data and is reported when there is more. It asks for the
// head of the document, and for the texts of its pages only if they are few or the window that is shown
// needs them; of these only for those that are new.

/** As many rows come unasked: then windows that could do without pages show more. */
const LIVE_ROWS = 200000;
/** Requests at a time. */
const LIVE_AHEAD = 4;
/** So many texts that have come are kept while others fail. */
const LIVE_KEPT = 1000;
/** Time from a failure to the next try, ms: at first, and at most; it doubles. */
const LIVE_PAUSE = [250, 4000];

const live = {
	paused: false,
	pressed: false,
	asking: false,
	wanted: false,
	document: -1,
	instance: "",
	/** The last model whose pages are there, and what was zoomed to then, by numbers. */
	packed: null,
	range: null,
	/** Texts that have come of models that are not complete, by key. */
	texts: new Map(),
	/** How long the last pause after a failure was; 0: nothing has failed since. */
	pause: 0,
};

/** What goes on, in words: said aloud only if it is another than before. */
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
			"Connection lost: smile serve has ended, or the network is down. What is shown is what came before; this page goes on trying.",
		);
	if (live.paused) return liveTell("paused", "Paused: what is shown stays until you go on.");
	if (state === "failed")
		return liveTell(
			"failed",
			`The source has failed: ${message || "it is gone"}. What was counted before is shown.`,
		);
	if (state === "ended")
		return liveTell(
			"ended",
			`The source has ended: nothing more will come.${message ? ` ${message}.` : ""}`,
		);
	liveTell(
		"running",
		`Live: new data at most every ${time(ms / 1000)}.${message ? ` Trouble: ${message}.` : ""}`,
	);
}

// ---- data

/** Text that the reader has selected would be lost. */
function liveSelected() {
	const chosen = getSelection();
	return (
		chosen &&
		!chosen.isCollapsed &&
		document.getElementById("main").contains(chosen.anchorNode)
	);
}

/** Is this a moment at which what is on the screen must not be changed? */
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

/** Can the window that is shown do nothing without pages? */
const livePagesShown = () => (windows.find(w => w.id === state.w) || overview).pages;

/** Does what is shown need the pages of a model? */
function livePagesNeeded(of) {
	return !of.ready && (livePagesShown() || of.rows <= LIVE_ROWS);
}

/** A text, which is kept until a model is complete: if others fail it need not come again. */
async function liveText(key) {
	const text = await (await liveAsk(`pages?key=${key}`)).text();
	if (live.texts.size < LIVE_KEPT) live.texts.set(key, text);
	return text;
}

/** Get the pages of a model, a few requests at a time; those that are known are not asked for. */
async function liveUnpack(mine) {
	const {keys} = mine.doc.pages,
		known = live.packed && modelAlike(mine, live.packed) ? live.packed.texts : new Map();
	for (const key of live.texts.keys()) if (!keys.includes(key)) live.texts.delete(key);
	const missing = keys.filter(key => !known.has(key) && !live.texts.has(key)),
		texts = new Map();
	const begin = key => {
		const text = liveText(key);
		/* It is waited for later: until then a failure is not handled. */
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
		/* What is on its way is not asked for a second time meanwhile. */
		await Promise.allSettled(texts.values());
	}
	live.packed = mine;
	live.texts.clear();
	performance.mark("unpacked");
}

/**
 * One thing at a time; then what was wanted meanwhile. What has failed is tried again with the next
 * document, after a pause, so that a server in trouble is not asked all the time.
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
			/* Old pages are better than none, but not than new sums. */
			if (model.ready && livePagesShown()) throw error;
			failure = error;
		}
		await new Promise(done => liveSwap(next, done));
		if (failure) throw failure;
		performance.measure("update", {start});
	});
}

/** The pages of the document that is shown, if they are needed and not there. */
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

/** What a page's row is called whatever its index: indices change as pages come. */
function liveItem(item) {
	return typeof item === "number" ? pageWord(item) : item?.name;
}

/** Show the next document in the place of the last. */
function liveSwap(next, done) {
	/* Also then, if pages are asked for that the server has no more. */
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

/** The same pages as before, by their numbers, once the new ones are there. */
function liveRange() {
	if (!live.range || !model.ready) return;
	const [first, last] = live.range;
	live.range = null;
	livePlace({from: String(pageFrom(first)), to: String(pageFrom(last + 1))});
}

/** The same place by another name: no listener is notified. */
function livePlace(changes) {
	Object.assign(state, changes);
	history.replaceState(null, "", stateText({}));
}

// ---- a window with new numbers in it, and all else as it was

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
	/* A row that has gone: the one that is where it was. */
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

/** Called for a window that is stale; true if that was put right. */
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
		/* The browser tries again by itself, but not after a refusal. */
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
 * While the main button is pressed: others open menus, or scroll, and their release may never be reported;
 * nor is that of a press which the system took over.
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
		liveTell("running", "Asking for the data…");
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
