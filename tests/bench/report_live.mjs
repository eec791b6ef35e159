// SPDX-License-Identifier: GPL-2.0 OR MIT
// report_live.mjs BUILD SCRATCH [PAGES]: the live page of smile serve while a recording of a million
// pages on 64 nodes grows.
//
// What lives here: rows of a table in Markdown: the time until the first view, and the time from the notice of new
// data until it is shown; the megabytes that the page received; the longest time for which the browser was blocked
// (the longest task, if it took 50 ms or more). Each row is one run with a server and a browser of its own: so the last
// update arrives immediately, not after ten times the processor time of a document.
import {mkdirSync} from "node:fs";
import path from "node:path";
import {browserMissing, browserStart} from "../browser/browser.mjs";
import {Feeder, Server} from "../serve/serving.mjs";

const NODES = 64;
const [build, scratch] = process.argv.slice(2, 4).map(name => path.resolve(name)),
	pages = Number(process.argv[4] || 1 << 20);

/** Runs before the page's own scripts: records long tasks and the fetched bytes. */
function watch() {
	window.longTasks = [];
	new PerformanceObserver(list =>
		window.longTasks.push(...list.getEntries().map(entry => entry.duration)),
	).observe({type: "longtask", buffered: true});
}

/** Since the last call: [milliseconds of the longest task, bytes fetched]. */
function spent() {
	const tasks = window.longTasks.splice(0),
		bytes = performance.getEntriesByType("resource").map(entry => entry.encodedBodySize);
	performance.clearResourceTimings();
	return [Math.max(0, ...tasks), bytes.reduce((sum, one) => sum + one, 0)];
}

function row(name, milliseconds, [longest, bytes]) {
	const task = longest ? `${(longest / 1000).toFixed(2)}` : "< 0.05";
	console.log(`| ${name} | ${(milliseconds / 1000).toFixed(2)} | ${task} | ${(bytes / 1e6).toFixed(1)} |`);
}

/** Milliseconds until a mark of the page; for an update's mark, since the notice of the update. */
function took(mark) {
	const last = performance.getEntriesByName(mark).at(-1);
	return last.duration || last.startTime;
}

/**
 * Measure a page at @window until its @mark; or, with a @change, from the arrival of the change until
 * it is shown.
 */
async function measure(window, mark, change, name) {
	const file = path.join(scratch, "live.rec"),
		feed = await Feeder.start(build, file);
	await feed.do(`spread ${pages} ${NODES}`);
	const server = await Server.start(build, file, "--interval", "0.1"),
		shown = await browserStart(build);
	try {
		await shown.page.addInitScript(watch);
		// The server reads all records and makes the first document, which takes seconds.
		await shown.page.waitForTimeout(5000);
		await fetch(`${server.url}view.json`).then(answer => answer.text());
		await shown.open(`${server.url}#w=${window}`);
		await shown.page.waitForTimeout(1000);
		if (change) {
			const before = await shown.page.locator("html").getAttribute("data-document");
			await shown.page.evaluate(spent);
			await feed.do(change);
			await feed.do("end");
			await shown.becomes(
				was =>
					document.documentElement.dataset.document !== was &&
					document.getElementById("live").dataset.kind === "ended" &&
					performance.getEntriesByName("update").length,
				before,
			);
			// The browser reports tasks some time after their end.
			await shown.page.waitForTimeout(1000);
		}
		row(name, await shown.page.evaluate(took, mark), await shown.page.evaluate(spent));
	} finally {
		await shown.close();
		await server.end();
		await feed.end();
	}
}

const missing = browserMissing(build);
if (missing) throw new Error(`report_live: ${missing}`);
mkdirSync(scratch, {recursive: true});
console.log("| | elapsed s | longest task s | MB fetched |\n|---|---|---|---|");
const all = `spread ${pages} ${NODES}`,
	one = "reads 5 1 0 70000";
await measure("overview", "first-view", "", "first view");
await measure("histogram", "unpacked", "", "all pages unpacked, for the histogram");
await measure("overview", "update", all, "update: the overview");
await measure("histogram", "update", one, "update: the histogram, one page is new");
await measure("histogram", "update", all, "update: the histogram, all pages are");
await measure("diagram", "update", all, "update: the diagram, all pages are");
