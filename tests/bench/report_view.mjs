// SPDX-License-Identifier: GPL-2.0 OR MIT
// report_view.mjs BUILD PAGE: the time until a page of smile view is first shown, and the memory that it needs.
//
// What lives here: rows of the bench: name, seconds since the start of the navigation, "" (the processor time
// of a browser's page is unknown), kilobytes of the largest of the browser's processes. Chromium runs headless,
// without a network; each row is the median of three navigations.
import {browserMissing, browserStart} from "../browser/browser.mjs";
import {largestProcess, median} from "./browser_bench.mjs";
import path from "node:path";
import {pathToFileURL} from "node:url";

const ROUNDS = 3;
const MARKS = {
	"first paint": "first-contentful-paint",
	"first view": "first-view",
	"all pages unpacked": "unpacked",
};

const [build, file] = process.argv.slice(2),
	missing = browserMissing(build);
if (missing) throw new Error(`report_view: ${missing}`);
const times = Object.fromEntries(Object.keys(MARKS).map(name => [name, []]));
let peak = 0;
for (let round = 0; round < ROUNDS; round++) {
	const shown = await browserStart(build);
	try {
		if (!(await shown.open(pathToFileURL(path.resolve(file)).href)))
			throw new Error("report_view: the page was not ready in time");
		for (const [name, mark] of Object.entries(MARKS))
			times[name].push(
				await shown.page.evaluate(
					of => performance.getEntriesByName(of)[0].startTime,
					mark,
				),
			);
		peak = Math.max(peak, largestProcess(process.pid));
	} finally {
		await shown.close();
	}
}
for (const [name, list] of Object.entries(times))
	console.log(`${name}, from the navigation\t${(median(list) / 1000).toFixed(6)}\t\t${peak}`);
