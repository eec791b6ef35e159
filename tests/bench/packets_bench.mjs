// SPDX-License-Identifier: GPL-2.0 OR MIT
// The page of packets in a headless browser: the time until the rows of another place are shown, and whether a
// drag over the whole trace makes the browser miss frames. Prints a row of a table in Markdown.
//
// usage: node packets_bench.mjs BUILD DATABASE
import {browserMissing, browserStart} from "../browser/browser.mjs";
import {Server} from "../serve/serving.mjs";

const PLACES = 200,
	FRAMES = 300;
const [build, database] = process.argv.slice(2);
const missing = browserMissing(build);
if (missing) {
	console.error(`packets_bench.mjs: ${missing}`);
	process.exit(2);
}

/**
 * Runs in the page: move the scroll bar to random places, one after another, and wait each time until the
 * rows are drawn.
 */
async function places({total, count}) {
	const scroll = document.getElementById("scroll"),
		height = scroll.scrollHeight - scroll.clientHeight,
		took = [];
	for (let i = 0; i < count; i++) {
		const begin = performance.now();
		scroll.scrollTop = Math.random() * height;
		// A pixel of the scroll bar stands for many packets.
		const to = (scroll.scrollTop / height) * total,
			near = () => Math.abs(document.querySelector("#rows tbody tr").dataset.packet - to) < total / height + 100;
		do await new Promise(requestAnimationFrame);
		while (!near());
		took.push(performance.now() - begin);
	}
	return took.sort((a, b) => a - b);
}

/**
 * Runs in the page: move the scroll bar from end to end, one step in each frame. Returns the times between frames,
 * and the time until the last row is drawn.
 */
async function drag({total, count}) {
	const scroll = document.getElementById("scroll"),
		gaps = [];
	scroll.scrollTop = 0;
	let last = await new Promise(requestAnimationFrame);
	for (let i = 1; i <= count; i++) {
		scroll.scrollTop = (i / count) * (scroll.scrollHeight - scroll.clientHeight);
		const now = await new Promise(requestAnimationFrame);
		gaps.push(now - last);
		last = now;
	}
	const begin = performance.now();
	while (document.querySelector("#rows tbody tr:last-child").dataset.packet !== String(total - 1)) await new Promise(requestAnimationFrame);
	return {gaps: gaps.sort((a, b) => a - b), rest: performance.now() - begin};
}

const ms = number => number.toFixed(1),
	share = (values, part) => values[Math.min(values.length - 1, Math.floor(values.length * part))];
const server = await Server.start(build, database),
	shown = await browserStart(build);
try {
	await shown.open(server.url);
	const answer = await fetch(new URL("traces.json", server.url)),
		total = (await answer.json()).traces[0].packets,
		took = await shown.page.evaluate(places, {total, count: PLACES}),
		dragged = await shown.page.evaluate(drag, {total, count: FRAMES});
	console.log(`| ${total.toLocaleString("en-US")} | ${ms(share(took, 0.5))} | ${ms(share(took, 0.99))} | ${ms(share(dragged.gaps, 0.5))} | ${ms(share(dragged.gaps, 0.99))} | ${ms(share(dragged.gaps, 1))} | ${ms(dragged.rest)} |`);
} finally {
	await shown.close();
	await server.end();
}
