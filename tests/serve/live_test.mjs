// SPDX-License-Identifier: GPL-2.0 OR MIT
// The page of smile serve in a headless browser, while a recording grows: new data is shown without a
// reload, the reader's position is kept, and the page reports when no more data arrives, and the
// reason.
//
// usage: node live_test.mjs BUILD SCRATCH
//
// Screenshots stay in SCRATCH. Without a browser the whole suite is skipped.
import {execFileSync} from "node:child_process";
import {mkdirSync} from "node:fs";
import path from "node:path";
import {browserMissing, browserStart} from "../browser/browser.mjs";
import {check, equal, suite} from "../harness/test.mjs";
import {Feeder, Front, LIMIT, Server, States, inTime} from "./serving.mjs";

const CHECKS = 97;
/** The size of a recording that is too large to be loaded in one step: so many pages, on so many nodes. */
const [MANY, NODES] = [70000, 11];

/** The live page, and the process that feeds it. */
class Live {
	constructor(shown, server, feed) {
		Object.assign(this, {shown, server, feed, page: shown.page});
		this.pages = this.page.locator("#window-histogram tbody tr:not(.spacer)");
		this.pause = this.page.getByRole("button", {name: /^(Pause|Go on)$/});
	}

	async open(fragment = "") {
		check(`open #${fragment}`, await this.shown.open(`${this.server.url}#${fragment}`));
	}

	async says(name, text) {
		const state = this.page.locator("#live-state");
		await this.shown.shows(name, state.filter({hasText: new RegExp(`^${text}`)}));
	}

	/** The number of the shown document. */
	async document() {
		return Number(await this.page.locator("html").getAttribute("data-document"));
	}

	isNewer(before) {
		return this.shown.becomes(was => Number(document.documentElement.dataset.document) > was, before);
	}

	async newer(name, before) {
		check(name, await this.isNewer(before), await this.shown.text("body"));
	}

	/** Send more data, and wait until the page shows it. */
	async feedAndSee(name, ...lines) {
		const before = await this.document();
		for (const line of lines) await this.feed.do(line);
		await this.newer(name, before);
	}

	/** Send more data, and wait until the page could show it. */
	async feedInVain(line) {
		const before = await this.document(),
			news = await inTime("/events", fetch(`${this.server.url}events`)),
			reader = news.body.pipeThrough(new TextDecoderStream()).getReader();
		await this.feed.do(line);
		for (let reported = "", newest = before; newest <= before; ) {
			const {value, done} = await inTime("news of another document", reader.read());
			if (done) throw new Error("the server reports no more");
			reported += value;
			newest = Math.max(...[...reported.matchAll(/"document":(\d+)/g)].map(m => Number(m[1])));
		}
		await reader.cancel();
		await this.page.evaluate(() => fetch("view.json").then(answer => answer.json()));
		await this.shown.drawn();
	}
}

async function updateChecks({page, shown, feed}, live) {
	await live.open();
	await live.says("live: says so", "Live");
	const verdict = await shown.text("#verdict");
	check(
		"live: the data so far",
		verdict.includes("1 of 1 page lies on the wrong node"),
		verdict,
	);
	await feed.do("reads 20 2 1 300");
	await shown.shows(
		"live: new pages are seen without a reload",
		page.locator("#verdict").filter({hasText: "2 of 2 pages"}),
	);
	const state = page.locator("#live-state");
	equal(
		"live: the status is read out, once",
		["status", "polite", null],
		[
			await state.getAttribute("role"),
			await state.getAttribute("aria-live"),
			await page.locator("#live-when").getAttribute("aria-live"),
		],
	);
}

/** Sixty pages; the reader looks at one of them. */
async function histogramChecks({page, shown, feed, pages}, live) {
	const scroll = page.locator("#window-histogram .scroll"),
		reported = page.locator("#selected"),
		scrolled = () => scroll.evaluate(box => box.scrollTop),
		focused = () => page.evaluate(() => document.activeElement.cells?.[0].innerText);
	await feed.do("reads 2 1 0 200 60");
	await live.open("w=histogram&sort=page&dir=a");
	await shown.shows("histogram: all there is", reported.filter({hasText: /^62 pages/}));
	await scroll.evaluate(box => (box.scrollTop = 260));
	const row = pages.filter({has: page.getByRole("cell", {name: "215", exact: true})});
	await row.focus();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowUp");
	await page.locator("#window-histogram tbody tr[tabindex='0']").focus();
	const [name, top, address] = [await focused(), await scrolled(), await shown.state()];
	await live.feedAndSee("histogram: new data", "reads 3 2 0 50 5");
	await shown.shows("histogram: with the new pages", reported.filter({hasText: /^67 pages/}));
	equal("histogram: the address is the same", address, await shown.state());
	equal("histogram: so is the place", top, await scrolled());
	equal("histogram: and the row with the focus", name, await focused());
	await page.getByRole("searchbox", {name: "Filter pages"}).pressSequentially("home:2");
	await live.feedAndSee("histogram: more data while a filter is typed", "reads 3 3 2 400");
	equal(
		"histogram: what was typed is there",
		["home:2", "filter"],
		[
			await page.locator("#filter").inputValue(),
			await page.evaluate(() => document.activeElement.id),
		],
	);
	await shown.shows("histogram: and is applied to the new data", () => {
		const rows = document.querySelectorAll("#window-histogram tbody tr:not(.spacer)");
		return [...rows].map(r => r.cells[0].innerText).join() === "400";
	});
}

async function transferChecks({page, shown, feed}, live) {
	const pair = async () => page.evaluate(() => document.activeElement.pair?.join());
	const cell = (row, column) =>
		page.locator(`#window-transfer table.matrix tbody tr:nth-child(${row + 1}) td`).nth(column);
	await live.open("w=transfer");
	await page.locator("#over-time summary").click();
	await cell(2, 1).focus();
	for (let i = 0; i < 12; i++) {
		const before = await live.document();
		await feed.do("reads 400 1 0 100");
		await feed.do("reads 150 2 1 300");
		await live.isNewer(before);
	}
	// Wait for each cell separately: the last line may arrive with a later document than the line before it.
	await shown.shows("transfer: the matrix grows", cell(1, 0).filter({hasText: "4,970"}));
	await shown.shows("transfer: and its other cell", cell(2, 1).filter({hasText: "1,820"}));
	await shown.shows(
		"transfer: the picture grows with it",
		page.locator("#network .arrow.count[data-pair='1-0'] text").filter({hasText: "4,970"}),
	);
	equal("transfer: the cell with the focus", "2,1", await pair());
	const table = page.locator("#over-time details[open] table");
	await shown.shows(
		"transfer: over time, as a table that stays open",
		table.locator("tbody tr td:nth-child(2)").filter({hasNotText: /^0$/}),
	);
	const rows = await shown.cells(table.locator("tbody tr")),
		[heads] = await shown.cells(table.locator("thead tr"));
	equal("transfer: by node", ["Ago", "All", "node 0", "node 1", "node 2", "node 3"], heads);
	check(
		"transfer: node 0 and 3 ask for nothing now, 1 and 2 do",
		rows.some(r => r[3] !== "0") && rows.some(r => r[4] !== "0") && rows.every(r => r[2] === "0"),
		rows,
	);
	const chart = page.locator("#over-time").getByRole("img", {name: /^Packets per second over time.*per second/});
	equal("transfer: in words", 1, await chart.count());
	await shown.picture("live-transfer.png");
}

async function windowChecks({page, shown}, live) {
	await live.open("w=diagram&from=10&to=20");
	const number = await shown.text("#window-diagram .range");
	await live.feedAndSee("diagram: pages come in below", "reads 1 1 0 10 7");
	await shown.shows("diagram: the same pages are shown", () => location.hash.includes("from=17&to=27"));
	const range = await shown.text("#window-diagram .range");
	check("diagram: as many", number && range.includes("1 page a column"), [number, range]);
	await live.open("w=page");
	const first = await shown.text("#window-page h2"),
		wanted = page.getByLabel("Page number, address or element");
	await wanted.selectText();
	await page.keyboard.press("7");
	await live.feedAndSee("page: another page is the hottest now", "reads 3000 3 0 250");
	equal("page: the one that is looked at stays", first, await shown.text("#window-page h2"));
	equal("page: so does what is typed", "7", await wanted.inputValue());
}

/** The page does not change the screen while the reader uses it. */
async function heldChecks({page, shown, feed, pause}, live) {
	await live.open();
	const {x, y, width, height} = await page.locator("#theme").boundingBox();
	await page.mouse.move(x + width / 2, y + height / 2);
	await page.mouse.down();
	let before = await live.document();
	await live.feedInVain("reads 5 1 0 500");
	equal("held: nothing changes under a pressed button", before, await live.document());
	await page.mouse.up();
	await live.newer("held: and then it does", before);
	const state = await shown.state();
	check("held: the press was one", state.includes("t="), state);
	await page.mouse.move(x + width / 2, y - 5);
	await page.mouse.down();
	await page.evaluate(() => window.dispatchEvent(new Event("blur")));
	await live.feedAndSee(
		"held: not by a press whose end the window does not see",
		"reads 5 1 0 504",
	);
	await page.mouse.up();
	await page.mouse.down({button: "right"});
	await live.feedAndSee("held: nor by another button", "reads 5 1 0 503");
	await page.mouse.up({button: "right"});
	await page.evaluate(() => getSelection().removeAllRanges());
	await page.locator("#verdict").selectText();
	before = await live.document();
	await feed.do("reads 5 1 0 502");
	await live.says("selected: says that it waits", "New data waits");
	equal("selected: nothing changes", before, await live.document());
	await page.evaluate(() => getSelection().removeAllRanges());
	await live.newer("selected: and then it does", before);
	await live.says("selected: is live again", "Live");
	await pause.click();
	await live.says("pause: says so", "Paused");
	before = await live.document();
	await live.feedInVain("reads 5 1 0 501");
	equal(
		"pause: nothing changes",
		[before, "true"],
		[await live.document(), await pause.getAttribute("aria-pressed")],
	);
	await pause.click();
	await live.newer("pause: goes on", before);
}

async function endChecks({page, shown, feed, server, pause}, live, build) {
	await live.open("w=structure");
	await feed.do("region 200 60 matrix");
	await feed.do("end");
	await live.says("end: is reported", "The source has ended");
	await shown.shows(
		"end: names that come at the end are there",
		page.locator("#window-structure").getByRole("cell", {name: "matrix", exact: true}),
	);
	equal("no complaint on the console", [], shown.complaints);
	equal(
		"no request to anywhere else",
		[],
		shown.requests.filter(url => !url.startsWith(server.url)),
	);
	equal(
		"screen readers find the state and the button",
		[1, 1],
		[
			await page.getByRole("status").filter({hasText: "The source has ended"}).count(),
			await pause.count(),
		],
	);
	await shown.picture("live-ended.png");
	const front = await Front.start(server);
	await shown.open(`${front.url}#w=structure`);
	await live.says("lost: a port in front of the server", "The source has ended");
	front.lead(null);
	await server.end();
	await live.says("lost: is reported", "Connection lost");
	await shown.picture("live-lost.png");
	const other = await Server.start(build, "growing.rec");
	front.lead(other);
	await live.says("lost: another server at the same place is found", "The source has ended");
	front.end();
	await other.end();
}

async function growing(shown, build) {
	const feed = await Feeder.start(build, "growing.rec");
	let server;
	try {
		server = await Server.start(build, "growing.rec", "--interval", "0.2");
		const live = new Live(shown, server, feed);
		await feed.do("reads 50 1 0 100");
		for (const checks of [
			updateChecks,
			histogramChecks,
			transferChecks,
			windowChecks,
			heldChecks,
			endChecks,
		])
			await checks(live, live, build);
	} finally {
		await server?.end();
		await feed.end();
	}
}

/** Texts of pages that the page has requested since the last call: [all, different ones]. */
function asked({shown}) {
	const texts = shown.requests.filter(url => url.includes("/pages?key="));
	shown.requests.length = 0;
	return [texts.length, new Set(texts).size];
}

/** The head of the document, once it has all pages. */
async function headOf(server, pages) {
	const until = performance.now() + LIMIT;
	for (;;) {
		const head = await inTime(
			"/view.json",
			fetch(`${server.url}view.json`).then(answer => answer.json()),
		);
		if (head.pages.count === pages) return head;
		if (performance.now() > until) throw new Error(`${head.pages.count} pages, not ${pages}`);
	}
}

/** For any number of pages, the first answer and the later answers are small. */
async function manyChecks(live) {
	const {shown, page, server, feed} = live,
		head = await headOf(server, MANY),
		all = (await (await fetch(`${server.url}data.json`)).text()).length,
		bytes = JSON.stringify(head).length,
		texts = head.pages.keys.length,
		sorted = "w=histogram&sort=page&dir=d";
	check("many: the head is small beside the document", bytes < all / 4, [bytes, all]);
	check("many: pages are in several texts", texts > 4, texts);
	await live.open();
	equal("many: the first view asks for the head alone", [0, 0], asked(live));
	await feed.do("reads 5 1 0 70000");
	await shown.shows(
		"many: an update of the first view",
		page.locator("#verdict").filter({hasText: "of 70,001 pages"}),
	);
	equal("many: asks for the head alone, too", [0, 0], asked(live));
	await page.getByRole("tab", {name: "Histogram table"}).click();
	const reported = page.locator("#selected");
	await shown.shows("many: the histogram has all pages", reported.filter({hasText: "70,001 pages"}));
	equal("many: it asked for each text once", [texts, texts], asked(live));
	await feed.do("reads 5 1 0 70001");
	await shown.shows("many: an update of one page", reported.filter({hasText: "70,002 pages"}));
	equal("many: asks for one text", [1, 1], asked(live));
	await page.evaluate(wanted => (location.hash = wanted), sorted);
	await shown.shows(
		"many: pages from both documents are in one order",
		live.pages.first().filter({hasText: String(65536 + MANY - 1)}),
	);
	const rows = await shown.rows("histogram");
	await live.open(sorted);
	equal("many: and are those of the document", rows, await shown.rows("histogram"));
}

/** Answers to the page from now on: requests for texts fail after the first @good, while @failing is true. */
class Trouble {
	constructor(good) {
		Object.assign(this, {good, failing: true, came: [], waited: [], failed: 0, since: 0});
	}

	async answer(route) {
		const url = route.request().url();
		if (!url.includes("/pages?")) {
			if (this.since) this.waited.push(performance.now() - this.since);
			this.since = 0;
			return route.continue();
		}
		if (!this.failing || this.came.length < this.good) {
			this.came.push(url);
			return route.continue();
		}
		this.failed++;
		this.since = performance.now();
		return route.fulfill({status: 404, body: "gone"});
	}
}

/** Texts that no longer exist when they are requested, as on a slow line. */
async function troubleChecks({page, shown, feed}, live) {
	const trouble = new Trouble(5),
		paths = /\/(view\.json|pages\?.*)$/;
	await page.route(paths, route => trouble.answer(route));
	await live.open("w=histogram");
	const before = await live.document();
	await feed.do("reads 5 1 0 70003");
	await live.newer("trouble: the next document's head is shown without them", before);
	while (trouble.waited.length < 3) await inTime("the next try", page.waitForRequest(paths));
	trouble.failing = false;
	await shown.shows(
		"trouble: all pages are there in the end",
		page.locator("#selected").filter({hasText: "70,003 pages"}),
	);
	check("trouble: there was some", trouble.failed >= 3, trouble.failed);
	equal(
		"trouble: what had come was not asked for again",
		trouble.came.length,
		new Set(trouble.came).size,
	);
	/* The page waits at least as long; there is no upper limit. */
	check(
		"trouble: longer and longer from a failure to the next try",
		[250, 500, 1000].every((least, i) => trouble.waited[i] >= least - 1),
		trouble.waited,
	);
	await page.unroute(paths);
}

async function many(shown, build) {
	const feed = await Feeder.start(build, "many.rec");
	let server;
	try {
		await feed.do(`spread ${MANY} ${NODES}`);
		server = await Server.start(build, "many.rec", "--interval", "0.1");
		const live = new Live(shown, server, feed);
		await manyChecks(live);
		await troubleChecks(live, live);
	} finally {
		await server?.end();
		await feed.end();
	}
}

/** Lines and bands of a state file while it is written. */
async function states(shown, build) {
	const file = await States.start("grow.csv");
	let server;
	try {
		await file.add("1,1,odd,100,100,0", "1,1,all,5,5,0", "2,1,odd,,80,10", "2,1,all,6,6,0");
		server = await Server.start(build, "grow.csv", "--interval", "0.1");
		const live = new Live(shown, server, file),
			odd = live.page.locator("figure.state[data-event=odd]"),
			drawn = async selector => (await odd.locator(selector).getAttribute("d")).split("L").length;
		await live.open();
		await live.says("states: live", "Live");
		equal("states: the lines so far", [2, 4], [await drawn("path.estimate"), await drawn("path.band")]);
		const before = await live.document();
		await file.add("3,1,odd,90,90,0", "3,1,all,7,7,0");
		await live.newer("states: another interval", before);
		equal("states: the lines go on", [3, 6], [await drawn("path.estimate"), await drawn("path.band")]);
		equal("states: and the marks", 2, await odd.locator(".reads circle").count());
		equal("states: and the table", ["odd", "90", "exact", "read", "67 %"], (await shown.rows("state"))[0]);
		await file.end();
		await live.says("states: their end", "The source has ended");
	} finally {
		await server?.end();
		await file.end();
	}
}

/** Recordings of two nodes, one of which is killed: the page names it, and the other one continues. */
async function nodes(shown, build) {
	const first = await Feeder.start(build, "first.rec", 0),
		second = await Feeder.start(build, "second.rec", 1);
	let server;
	try {
		await first.do("reads 10 1 0 100");
		server = await Server.start(build, "first.rec", "second.rec", "--interval", "0.1");
		const live = new Live(shown, server, first);
		await live.open();
		await live.says("nodes: live", "Live");
		await second.end();
		await shown.shows(
			"nodes: the one that was killed is named",
			live.page.locator("p.warn").filter({hasText: "Node 1: its recording was not closed."}),
		);
		await live.says("nodes: the other goes on", "Live");
	} finally {
		await server?.end();
		await first.end();
		await second.end();
	}
}

/** Complete recordings of samples: each count has its band, and there are no rates. */
async function samples(shown, build) {
	execFileSync(path.join(build, "tests/sample/mksampled"), ["known"], {timeout: LIMIT});
	const server = await Server.start(build, "known-node0.rec", "known-node1.rec");
	try {
		const live = new Live(shown, server);
		await live.open("w=transfer");
		await live.says("samples: their end", "The source has ended");
		equal(
			"samples: each pair has its band",
			["30 [20–43]", "10 [4.7–19]", "41 [29–56]", "520 [476–567]"],
			await live.page.locator("#window-transfer table.matrix tbody td").allInnerTexts(),
		);
		equal("samples: no rates", 0, await live.page.locator("#over-time").count());
		await live.open();
		check("samples: what they are", /^Estimates: .*NUMA hint faults/.test(await shown.text("#samples")));
	} finally {
		await server.end();
	}
}

/** A recording that another server sends: a command with its name would find no file here. */
async function elsewhere(shown, build) {
	execFileSync(path.join(build, "tests/view/recordings"), ["known", "known.rec"], {timeout: LIMIT});
	const there = await Server.start(build, "known.rec");
	let here;
	try {
		here = await Server.start(build, there.url);
		const live = new Live(shown, here);
		await live.open("w=advice");
		await live.says("elsewhere: its end", "The source has ended");
		check("elsewhere: no command, and why", /^Not all recordings are on this machine/.test(await shown.text("#no-command")));
		await live.open();
		equal("elsewhere: none in the overview", 0, await live.page.locator("#fix-command").count());
		check("elsewhere: what lies wrong is said", /lie on the wrong node/.test(await shown.text("#verdict")));
	} finally {
		await here?.end();
		await there.end();
	}
}

const [build, scratch] = process.argv.slice(2).map(name => path.resolve(name));
await suite(CHECKS, browserMissing(build), async () => {
	mkdirSync(scratch, {recursive: true});
	process.chdir(scratch);
	const shown = await browserStart(build);
	try {
		await growing(shown, build);
		await many(shown, build);
		await states(shown, build);
		await nodes(shown, build);
		await samples(shown, build);
		await elsewhere(shown, build);
	} finally {
		await shown.close();
	}
});
