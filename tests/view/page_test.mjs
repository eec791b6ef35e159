// SPDX-License-Identifier: GPL-2.0 OR MIT
// The page of smile view, in a headless browser: the contents of the screen for recordings in which every count
// is known, and the effects of keys, the mouse and a screen reader.
//
// usage: node page_test.mjs BUILD SCRATCH
//
// BUILD/tests/view/recordings (recordings.c) makes the recordings; its head lists their contents.
// Screenshots stay in SCRATCH. Without a browser the whole suite is skipped.
import {readFileSync, rmSync, statSync} from "node:fs";
import path from "node:path";
import {browserMissing, browserStart} from "../browser/browser.mjs";
import {check, equal, suite} from "../harness/test.mjs";
import {LINKS_CHECKS, linksChecks} from "./links.mjs";
import {PLACE_CHECKS, placeChecks} from "./places.mjs";
import {SAMPLES_CHECKS, samplesChecks} from "./samples.mjs";
import {STATE_CHECKS, stateChecks} from "./states.mjs";
import {Report, altered, packed, prepare} from "./report.mjs";

const CHECKS = 182;

async function overviewChecks(report) {
	const {shown} = report,
		{page} = shown;
	const pages = page.getByRole("table", {name: "Pages by cycles saved if moved"});
	await report.open();
	equal(
		"overview: the verdict",
		"3 of 5 pages lie on the wrong node; the most costly are in grid. On the nodes that use them most, " +
			"47 % of the 24.3 k cycles lost to remote accesses would be saved.",
		await shown.text("#verdict"),
	);
	equal(
		"overview: structures, the worst first",
		["grid", '</script><b>"&x', "heap"],
		(await shown.rows("overview")).map(row => row[0]),
	);
	equal(
		"overview: the first page's row",
		[
			["65536", "grid", "node 0", "node 1", "10.1 k", "10.1 k"],
			["65538", '</script><b>"&x', "node 2", "shared", "9,000", "3,000"],
		],
		(await shown.cells(pages.locator("tbody tr"))).slice(0, 2),
	);
	await report.open("u=bytes");
	const matrix = page.getByRole("table", {name: /^Run-time transfer: packets /});
	equal(
		"overview: its matrix is of packets, whatever is shown elsewhere",
		"node 1 → node 0: 110 packets",
		await matrix.locator("tr:nth-child(2) td").first().getAttribute("title"),
	);
	await report.open();
	equal(
		"screen reader: tabs",
		1,
		await page.getByRole("tab", {name: "Histogram table", exact: true}).count(),
	);
	equal("screen reader: a table with its name", 1, await pages.count());
	equal(
		"screen reader: a chart that says what it shows",
		1,
		await page.getByRole("img", {name: /^Access diagram.*5 pages in 5 columns/}).count(),
	);
	await pages.locator("tbody tr").first().focus();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await shown.shows(
		"overview: arrow and Enter open the second page",
		page.locator("#window-page").getByRole("heading", {name: /65538$/}),
	);
	shown.quiet("overview");
}

async function histogramChecks(report) {
	const {shown} = report,
		{page} = shown;
	const first = async () => (await shown.rows("histogram")).map(row => row[0]);
	const heading = page.locator("#window-histogram").getByRole("columnheader").nth(5);
	await report.open("w=histogram");
	equal(
		"histogram: pages by lost cycles",
		["65536", "65538", "65537", "65539", "131072"],
		await first(),
	);
	equal(
		"histogram: a row",
		"65537|grid + 0x1000|node 1|node 1|93 %|540|540|–|–|7.4 %|4,000|0|–|500|40|–".split("|"),
		(await shown.rows("histogram"))[2],
	);
	await heading.getByRole("button").click();
	equal(
		"histogram: sorted by accesses",
		["65537", "65536", "65538", "131072", "65539"],
		await first(),
	);
	equal(
		"histogram: the order is in the address",
		"#w=histogram&sort=accesses",
		await shown.state(),
	);
	equal("histogram: the heading says so", "descending", await heading.getAttribute("aria-sort"));
	await page.locator("[data-show=wrong]").click();
	equal("histogram: the wrong node alone", ["65536", "131072", "65539"], await first());
	await page.locator("[data-show=often]").click();
	equal("histogram: most frequently accessed", ["65537"], await first());
	const hot = page.getByRole("textbox", {name: /^Hot from/});
	await hot.fill("10%");
	await hot.press("Enter");
	equal(
		"histogram: hot from a tenth of the accesses, as a card counts them",
		["65537", "65536", "65538"],
		await first(),
	);
	await hot.fill("90");
	await hot.press("Enter");
	equal("histogram: hot from a number of accesses", ["65536", "65538"], await first());
	check("histogram: the threshold is in the address", /hot=90/.test(await shown.state()));
	await hot.fill("");
	await hot.press("Enter");
	await page.locator("[data-show=all]").click();
	await page.keyboard.press("/");
	await page.keyboard.type("home:0");
	await shown.shows(
		"histogram: a filter by home",
		page.locator("#selected").filter({hasText: /^2 pages of 5/}),
	);
	await report.open("w=histogram&q=0x10002010");
	equal("histogram: a filter by address", ["65538"], await first());
	await report.open("w=transfer");
	await page.locator("#window-transfer tbody tr:nth-child(2) td:nth-child(2)").click();
	equal("transfer: a pair opens its pages", ["65536"], await first());
	altered("known.html", "hot.html", document => (document.hot_from = "90"));
	const other = new Report(shown, "hot.html");
	await other.open("w=histogram&show=often");
	equal("histogram: the threshold of smile view --hot", ["65536", "65538"], await first());
	shown.quiet("histogram");
}

/** A machine with caches: accesses are those of the processors; costs are those of transactions behind the caches. */
async function cachesChecks(report) {
	const {shown} = report,
		first = async () => (await shown.rows("histogram")).map(row => row[0]);
	await report.open("");
	equal(
		"caches: both are named",
		["Accesses of processors", "Remote transactions"],
		(await shown.page.locator(".figures dt").allTextContents()).slice(0, 2),
	);
	await report.open("w=histogram");
	equal(
		"caches: a row",
		"65537|grid + 0x1000|node 1|node 1|93 %|500|540|540|–|–|7.4 %|4,000|0|–|500|40|–".split("|"),
		(await shown.rows("histogram"))[2],
	);
	equal(
		"caches: a page that they serve",
		"65540|–|node 2|node 2|0 %|3,000|–|–|–|–|0 %|0|0|–|–|–|–".split("|"),
		(await shown.rows("histogram")).find(row => row[0] === "65540"),
	);
	await report.open("w=histogram&show=often&hot=2000");
	equal("caches: hot pages have as many accesses", ["65536", "65540"], await first());
	await report.open("w=advice");
	equal(
		"caches: the advice counts transactions",
		"All transactions",
		await shown.page
			.getByRole("table", {name: "Advice by variable"})
			.getByRole("columnheader")
			.nth(5)
			.textContent(),
	);
	shown.quiet("caches");
}

async function transferChecks(report) {
	const {shown} = report,
		{page} = shown;
	await report.open("w=transfer");
	equal(
		"transfer: the matrix",
		[
			["node 0", "·", "·", "30", "5"],
			["node 1", "▲ 110", "·", "30", "·"],
			["node 2", "·", "40", "·", "·"],
			["node 3", "20", "·", "30", "·"],
		],
		await shown.rows("transfer"),
	);
	const arrows = () =>
		page
			.locator("#network .arrow.count")
			.evaluateAll(list => list.map(g => [g.dataset.pair, g.querySelector("text").textContent]));
	equal(
		"picture: an arrow for each pair, its count beside it",
		[
			["0-3", "5"],
			["3-0", "20"],
			["0-2", "30"],
			["1-2", "30"],
			["3-2", "30"],
			["2-1", "40"],
			["1-0", "▲ 110"],
		],
		await arrows(),
	);
	equal(
		"picture: thicker with traffic",
		true,
		await page
			.locator("#network .arrow path")
			.evaluateAll(list => list.map(p => Number(p.getAttribute("stroke-width"))))
			.then(all => all.length === 7 && all.every((w, i) => !i || w >= all[i - 1]) && all[6] > 5 * all[0]),
	);
	equal("picture: a component for each node", 4, await page.locator("#network .component").count());
	equal(
		"picture: says what it shows",
		1,
		await page.getByRole("img", {name: /^Picture: packets from node to node\. node 1 to node 0 110, /}).count(),
	);
	check(
		"picture: a legend with units",
		/few packets.*110, the most of a pair.*a bottleneck/s.test(await shown.text("#network .legend")),
	);
	await shown.picture("network.png");
	await page.locator("#network .arrow.count[data-pair='1-0'] text").click();
	equal("picture: an arrow opens its pages", "#w=histogram&src=1&dst=0", await shown.state());
	await report.open("w=transfer");
	const threshold = page.getByRole("spinbutton", {name: "Threshold, times the mean"});
	await threshold.fill("5");
	await threshold.press("Tab");
	check(
		"transfer: a higher threshold marks none",
		!(await shown.text("#window-transfer table")).includes("▲"),
	);
	await page.locator("#window-transfer td").first().focus();
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("Enter");
	equal(
		"transfer: arrows and Enter",
		["65538"],
		(await shown.rows("histogram")).map(row => row[0]),
	);
}

async function transferTimeChecks(report) {
	const {shown} = report,
		{page} = shown;
	const slider = page.getByRole("slider", {name: "Phase"});
	await report.open("w=transfer");
	await page.locator("[data-unit=bytes]").click();
	equal(
		"transfer: bytes",
		["node 1", "▲ 1,760", "·", "480", "·"],
		(await shown.rows("transfer"))[1],
	);
	equal("transfer: bytes are in the address", "#w=transfer&u=bytes", await shown.state());
	const note = await shown.text("#bytes-note");
	check("transfer: what a byte is, is said", note?.includes("at least"), note);
	const units = page.getByRole("group", {name: "Unit"}).getByRole("button");
	equal(
		"transfer: the button says so",
		["false", "true"],
		await units.evaluateAll(all => all.map(b => b.getAttribute("aria-pressed"))),
	);
	await slider.press("ArrowRight");
	equal(
		"transfer: the slider by keys",
		["#w=transfer&u=bytes&ph=0", "begin"],
		[await shown.state(), await shown.text("#phase-shown")],
	);
	equal(
		"transfer: bytes of the first phase",
		[
			["node 0", "·", "·", "·", "·"],
			["node 1", "1,120", "·", "·", "·"],
			["node 2", "·", "640", "·", "·"],
			["node 3", "·", "·", "·", "·"],
		],
		await shown.rows("transfer"),
	);
	await slider.press("ArrowRight");
	await page.locator("[data-unit=packets]").click();
	equal(
		"transfer: packets of the second",
		["node 1", "40", "·", "30", "·"],
		(await shown.rows("transfer"))[1],
	);
	for (const one of await page.locator("#window-transfer details > summary").all()) await one.click();
	await shown.shows(
		"transfer: over time, as a table",
		page.locator("#window-transfer details table").filter({hasText: "solve"}),
	);
	shown.quiet("transfer");
}

/** A hundred phases; each column shows two of them. */
async function phaseChecks(report) {
	const {shown} = report,
		{page} = shown;
	const slider = page.getByRole("slider", {name: "Phase"}),
		packets = async () => (await shown.rows("transfer"))[1][1].replace(/[▲ ]/g, "");
	await report.open("w=transfer&ph=5");
	equal(
		"phases: a phase's number shows its column",
		["4", "2", "11"],
		[
			(await shown.text("#phase-shown")).split(" ")[1],
			await slider.inputValue(),
			await packets(),
		],
	);
	await slider.press("ArrowRight");
	equal(
		"phases: the slider's column is in the address by its first phase",
		"#w=transfer&ph=6",
		await shown.state(),
	);
	equal("phases: its packets", "15", await packets());
	await page.getByRole("img", {name: /^Transfers/}).click();
	const chosen = Number((await shown.state()).split("=").at(-1)),
		reported = await shown.text("#phase-shown");
	check(
		"phases: so is one that is selected in the chart",
		chosen > 6 && chosen % 2 === 0 && reported === `phase ${chosen} – phase ${chosen + 1}`,
		[chosen, reported],
	);
	await report.open("w=transfer&ph=100");
	equal("phases: one that there is not", "all phases", await shown.text("#phase-shown"));
	shown.quiet("phases");
}

async function highChecks(report) {
	const {shown} = report;
	// As a card with few counters reports the page: three reads of the first word, two of the first two words.
	altered("high.html", "high.html", document => {
		document.details.ranges = [packed([512, 5, 2, 512, 5, 3])];
	});
	await report.open("w=structure&at=high");
	const hottest = shown.page.locator("#variable").getByRole("table", {name: "Hottest elements"});
	equal(
		"high: ranges of two sizes at one address",
		[
			["+ 0x0, 4 bytes", "3"],
			["+ 0x0, 8 bytes", "2"],
		],
		(await shown.cells(hottest.locator("tbody tr"))).map(row => row.slice(0, 2)),
	);
	shown.quiet("high");
}

async function adviceChecks(report) {
	const {shown} = report,
		{page} = shown;
	await report.open("w=advice");
	equal(
		"advice: names the structure",
		"grid: 1 of 2 pages lies on the wrong node; it belongs on node 1; moving 1 saves 68.5% of 14,750 cycles. In the source: let a thread of node 1 allocate it, or write it first.",
		await shown.text("#advice-verdict"),
	);
	equal(
		"advice: by variable",
		[
			["grid", "1", "node 1"],
			['</script><b>"&x', "1", "node 0"],
			["heap", "1", "node 3"],
		],
		(await shown.rows("advice")).map(row => [row[0], row[3], row[8]]),
	);
	equal(
		"advice: the command",
		"smile advise known.rec -o placement && smile run --place placement -o placed -- './my test' a",
		await shown.text("#command"),
	);
	await page.getByRole("button", {name: "Copy the command"}).press("Enter");
	await shown.shows(
		"advice: is copied by key",
		page.locator("#status").filter({hasText: /Copied|Selected/}),
	);
	const file = await page.getByRole("textbox", {name: "Placement file"}).inputValue();
	equal(
		"advice: the placement file",
		["65536-65537 node 1", "65538 node 1", "65539 node 0", "131072 node 3"].map(s => `pages ${s}`),
		file
			.split("\n")
			.map(line => line.split(" #")[0])
			.filter(line => line.startsWith("pages")),
	);
	equal("advice: is what smile advise writes", readFileSync("known.place", "utf8"), file);
	await page.locator("#window-advice tbody tr").first().press("Enter");
	await shown.shows(
		"advice: a row opens its data",
		page.locator("#variable-title").filter({hasText: /^grid$/}),
	);
	shown.quiet("advice");
}

async function diagramChecks(report) {
	const {shown} = report,
		{page} = shown;
	await report.open("w=diagram");
	await page.locator("#window-diagram").getByRole("img").press("ArrowRight");
	let reported = await shown.text("#window-diagram .read-out");
	check(
		"diagram: the read-out of a column",
		reported.includes(
			"page 65537 · grid + 0x1000 · home node 1 · 540 accesses: node 1 500, node 2 40",
		),
		reported,
	);
	await shown.drag("#window-diagram canvas", 0.5, 0.98);
	check("diagram: dragging zooms", (await shown.state()).includes("from="), await shown.state());
	await page.keyboard.press("0");
	equal("diagram: 0 shows all", "#w=diagram", await shown.state());
	await page.keyboard.press("Home");
	await page.keyboard.press("Enter");
	await shown.shows(
		"diagram: Enter opens a page",
		page.locator("#window-page").getByRole("heading", {name: /65536$/}),
	);
	await report.open("w=heatmap");
	await page.getByRole("img", {name: /^Heat map/}).press("ArrowRight");
	reported = await shown.text("#window-heatmap .read-out");
	check("heat map: a cell", reported.includes("page 65536 · grid · solve: 40 accesses"), reported);
	shown.quiet("diagram and heat map");
}

/** The window beside the diagram; the diagram and the heat map for one home or one source. */
async function aloneChecks(report) {
	const {shown} = report,
		{page} = shown;
	const canvas = page.locator("#window-diagram canvas"),
		beside = page.locator("aside.beside");
	/** The position of column @i of @columns. */
	const place = async (i, columns) => {
		const box = await canvas.boundingBox();
		return {position: {x: 58 + ((box.width - 62) * (i + 0.5)) / columns, y: 150}};
	};
	const rows = async window => {
		const details = page.locator(`#window-${window} details`).first();
		if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
		await details.locator("tbody tr").first().waitFor();
		return shown.cells(details.locator("tbody tr"));
	};
	await report.open("w=diagram");
	await canvas.hover(await place(0, 5));
	await shown.shows(
		"beside: the data structure under the pointer",
		beside.filter({hasText: /grid.*Page\s*65536.*Home\s*node 0.*node 1 110 \(100 %\)/s}),
	);
	await canvas.hover(await place(2, 5));
	await shown.shows("beside: it follows the pointer", beside.filter({hasText: /Page\s*65538/}));
	await canvas.click(await place(1, 5));
	equal("beside: a click opens nothing", "#w=diagram", await shown.state());
	await canvas.hover(await place(4, 5));
	await shown.shows("beside: a click keeps it", beside.filter({hasText: /Page\s*65537.*Kept/s}));
	await shown.picture("beside.png");
	await beside.getByRole("button", {name: "follow the pointer"}).click();
	await canvas.hover(await place(4, 5));
	await shown.shows("beside: and lets it go", beside.filter({hasText: /Page\s*131072/}));
	await canvas.click(await place(3, 5));
	await canvas.click(await place(3, 5));
	check("beside: a second click opens the page", (await shown.state()).includes("page=65539"));

	await report.open("w=diagram");
	await page.locator("#window-diagram").getByRole("combobox", {name: "Home"}).selectOption("0");
	equal("alone: the choice is in the address", "#w=diagram&dst=0", await shown.state());
	equal(
		"alone: the pages of node 0",
		[
			["page 65536", "1", "110", "0", "110", "0", "0"],
			["page 131072", "1", "20", "0", "0", "0", "20"],
		],
		(await rows("diagram")).map(row => row.slice(0, 7)),
	);
	check(
		"alone: it says so",
		(await shown.text("#window-diagram .range")).includes("pages of node 0 alone"),
	);
	await page.locator("#window-diagram").getByRole("combobox", {name: "Source"}).selectOption("3");
	equal(
		"alone: of these, node 3's",
		[["page 131072", "1", "20"]],
		(await rows("diagram")).map(row => row.slice(0, 3)),
	);
	await report.open("w=heatmap&src=1");
	equal(
		"alone: the heat map of node 1's accesses",
		[
			["page 65536", "70", "40"],
			["page 65537", "0", "500"],
			["page 65538", "0", "30"],
		],
		await rows("heatmap"),
	);
	await page.locator("#window-heatmap").getByRole("combobox", {name: "Source"}).selectOption("");
	await page.locator("#window-heatmap").getByRole("combobox", {name: "Home"}).selectOption("2");
	equal("alone: and of node 2's pages", [["page 65538", "0", "90"]], await rows("heatmap"));
	check("alone: nothing is left out", (await shown.text("#heatmap-alone")).includes("all pages"));
	altered("known.html", "few.html", document => {
		for (const key of ["pages", "ranges", "phases"]) document.details[key] = document.details[key].slice(0, 1);
	});
	const few = new Report(shown, "few.html");
	await few.open("w=heatmap&src=1");
	equal("alone: pages whose phases were not kept are left out", [["page 65536", "70", "40"]], await rows("heatmap"));
	check("alone: and counted", (await shown.text("#heatmap-alone")).startsWith("2 pages of these are left out"));
	shown.quiet("alone");
}

async function pageChecks(report) {
	const {shown} = report,
		{page} = shown;
	const charts = page.locator("#window-page details");
	const tables = charts.locator("table");
	await report.open("w=page&page=65536@0");
	const facts = await shown.text("#page-facts");
	check(
		"page: what it is",
		facts.includes(
			"lies on node 0. 110 remote accesses lose 10.1 k cycles. It belongs on node 1",
		),
		facts,
	);
	for (const one of await charts.locator("summary").all()) await one.click();
	await shown.shows("page: tables of the charts", tables.nth(2));
	equal("page: of each of them", 3, await tables.count());
	const rows = [];
	for (const one of await tables.all()) rows.push(await shown.cells(one.locator("tbody tr")));
	equal(
		"page: sections",
		[64, ["0x0", "100"], ["0xfc0", "10"]],
		[rows[0].length, rows[0][0], rows[0][63]],
	);
	equal(
		"page: reads and writes",
		[
			["0x0", "100", "0"],
			["0xfc0", "0", "10"],
		],
		[rows[1][0], rows[1][63]],
	);
	equal(
		"page: phases by name",
		[
			["begin", "70"],
			["solve", "40"],
		],
		rows[2],
	);
	await report.open("w=page&page=65536@0&s=4");
	await charts.first().locator("summary").click();
	await shown.shows(
		"page: sections of 4 bytes",
		() => document.querySelectorAll("#window-page details table tbody tr").length === 1024,
	);
	await report.open("w=structure");
	equal(
		"structure: a name of any characters is text",
		1,
		(await shown.rows("structure")).filter(row => row[0] === '</script><b>"&x').length,
	);
	await page.getByLabel("Address or element to look up").fill("0x10001010");
	await page.locator("#window-structure .bar button").first().click();
	const found = await shown.text("#found");
	check(
		"structure: an address",
		found.includes("grid (named) + 0x1010. Page 65537, home node 1"),
		found,
	);
	await report.open("w=advice");
	await page.keyboard.press("?");
	check("help: ? opens it", await page.getByRole("dialog", {name: "Help"}).isVisible());
	await page.keyboard.press("Escape");
	await page.evaluate(() => document.activeElement.blur());
	await page.keyboard.press("3");
	const state = await shown.state();
	check("keys: 3 is the third window", state.includes("w=histogram"), state);
	shown.quiet("windows");
}

/** Pictures for people; the test only checks that they are not empty. */
async function look(report) {
	const {shown} = report,
		{page} = shown;
	const size = (width, height) => page.setViewportSize({width, height});
	for (const [name, fragment, width, height, colorScheme] of [
		["overview-light", "", 1400, 1000, "light"],
		["overview-dark", "", 1400, 1000, "dark"],
		["overview-phone", "", 390, 844, "light"],
		["histogram", "w=histogram", 1400, 700, "light"],
		["diagram", "w=diagram", 1400, 760, "light"],
		["heatmap", "w=heatmap", 1400, 800, "dark"],
		["page", "w=page&page=65538", 1400, 1000, "light"],
		["advice", "w=advice", 1400, 700, "light"],
	]) {
		await page.emulateMedia({colorScheme});
		await size(width, height);
		await shown.open(`${report.url}#${fragment}`);
		await shown.picture(`${name}.png`);
		const html = page.locator("html");
		if (name === "overview-dark")
			equal("dark: by the system's setting", "dark", await html.getAttribute("data-theme"));
		if (name === "overview-phone")
			equal(
				"phone: nothing is wider than the screen",
				390,
				await html.evaluate(e => e.scrollWidth),
			);
	}
	await page.getByRole("button", {name: "Show dark"}).click();
	equal("dark: by the button, in the address", "#w=advice&t=dark", await shown.state());
	await size(1400, 900);
	await page.emulateMedia({colorScheme: "light"});
}

/** Wherever a colour or a length represents a number, there must be a legend beside it, and a unit. */
async function legendChecks(report) {
	const {shown} = report;
	for (const window of "overview transfer histogram diagram heatmap page structure".split(" ")) {
		await report.open(`w=${window}&page=65536@0`);
		const without = await shown.page.locator(`#window-${window}`).evaluate(box =>
			[...box.querySelectorAll("table.matrix, figure.chart")]
				.filter(e => e.offsetParent)
				.filter(e => {
					const legend = (e.matches("table") ? e.closest(".block") : e).querySelector(".legend"),
						words = e.querySelector("canvas, svg, caption");
					return (
						!legend?.textContent.trim() ||
						!/access|packet|bytes|cycles|reads/i.test(
							legend.textContent + words.textContent + words.getAttribute("aria-label"),
						)
					);
				})
				.map(e => e.outerHTML.slice(0, 200)),
		);
		equal(`legends: ${window}`, [], without);
	}
}

async function nothingChecks(report) {
	const {shown} = report;
	for (const window of "overview transfer histogram diagram heatmap page structure advice".split(" ")) {
		await report.open(`w=${window}`);
		equal(`nothing, ${window}: no complaint`, [], shown.complaints);
	}
	const opened = await shown.open(report.url),
		reported = await shown.text("#verdict");
	check(
		"nothing: says so",
		opened && reported.startsWith("No remote access was recorded"),
		reported,
	);
}

async function largeChecks(report, made) {
	const {shown} = report,
		{page} = shown;
	const last = 65536 + (1 << 18) - 1;
	await report.open();
	const at = await page.evaluate(() => {
		const time = name => performance.getEntriesByName(name)[0]?.startTime.toFixed(0);
		return {paint: time("first-contentful-paint"), view: time("first-view"), all: time("unpacked")};
	});
	const megabytes = (statSync("large.html").size / 1e6).toFixed(1);
	console.log(
		`large: 262,144 pages x 64 nodes: made in ${(made / 1000).toFixed(1)} s, ${megabytes} MB; ` +
			`first paint ${at.paint} ms, first view ${at.view} ms, all pages ${at.all} ms`,
	);
	const verdict = await shown.text("#verdict");
	check("large: the verdict", verdict.includes("of 262,144 pages"), verdict);
	await report.open("w=histogram&sort=page&dir=a");
	const rows = await shown.rows("histogram");
	check("large: rows are made as they are seen", rows.length > 0 && rows.length < 100, rows.length);
	equal("large: the first row", "65536", rows[0][0]);
	await page.locator("#window-histogram tbody tr[tabindex='0']").press("End");
	equal("large: the last row", String(last), (await shown.rows("histogram")).at(-1)[0]);
	for (const [name, state] of [
		["sort", "#w=histogram&sort=lost"],
		["diagram", "#w=diagram"],
		["heatmap", "#w=heatmap"],
	]) {
		const took = await page.evaluate(
			wanted =>
				new Promise(done => {
					const begin = performance.now();
					location.hash = wanted;
					setTimeout(() =>
						requestAnimationFrame(() => done(performance.now() - begin)),
					);
				}),
			state,
		);
		console.log(`large: ${name}: ${took.toFixed(0)} ms`);
	}
	await report.open("w=diagram&from=200000&to=200010");
	const range = await shown.text("#window-diagram .range");
	check("large: zoomed to ten pages", range.includes("1 page a column"), range);
	await shown.picture("large.png");
	shown.quiet("large");
}

async function allChecks(make) {
	const shown = await browserStart(make.build);
	const view = name => {
		make.smile("view", `${name}.rec`, "-o", `${name}.html`);
		return new Report(shown, `${name}.html`);
	};
	try {
		const known = view("known");
		for (const checks of [
			overviewChecks,
			transferChecks,
			transferTimeChecks,
			adviceChecks,
			histogramChecks,
			diagramChecks,
			aloneChecks,
			legendChecks,
			pageChecks,
			look,
		])
			await checks(known);
		await cachesChecks(view("caches"));
		const cards = view("cards");
		await cards.open("w=advice");
		const reported = await shown.text("#no-command");
		check(
			"advice: of cards: what cannot help is said",
			reported?.includes("cannot move a page to another"),
			reported,
		);
		await phaseChecks(view("phases"));
		await highChecks(view("high"));
		await placeChecks(shown, make);
		await stateChecks(shown, make);
		await samplesChecks(shown, make);
		await linksChecks(shown, make);
		await nothingChecks(view("nothing"));
		const begin = performance.now(),
			large = view("large");
		await largeChecks(large, performance.now() - begin);
	} finally {
		await shown.close();
	}
}

const [build, scratch] = process.argv.slice(2).map(name => path.resolve(name));
await suite(CHECKS + PLACE_CHECKS + STATE_CHECKS + SAMPLES_CHECKS + LINKS_CHECKS, browserMissing(build), async () => {
	const make = prepare(build, scratch);
	for (const kind of ["known", "caches", "nothing", "cards", "high", "phases", "large"])
		make.recording(kind, `${kind}.rec`);
	make.smile("advise", "known.rec", "-o", "known.place");
	await allChecks(make);
	rmSync("large.rec");
});
