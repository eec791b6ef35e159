// SPDX-License-Identifier: GPL-2.0 OR MIT
// The window State: the drawing of a state file, read from the elements of the page, compared with the
// numbers of the file.
import {writeFileSync} from "node:fs";
import {check, equal} from "../harness/test.mjs";
import {Report} from "./report.mjs";

export const STATE_CHECKS = 30;

/** Four intervals of a second: read, estimated, unknown, estimated. And one event that is always read. */
const FILE = `interval,dt_s,event,value,estimate,sd
1,1,"odd, with ""quotes""",1000,1000,0
1,1,all,10,10,0
2,1,"odd, with ""quotes""",,600,100
2,1,all,20,20,0
3,1,"odd, with ""quotes""",,,
3,1,all,30,30,0
4,1,"odd, with ""quotes""",,200,200
4,1,all,40,40,0
`;

/** A cluster: one node differs in the last interval. */
const NODES = `interval,dt_s,event,value,estimate,sd,next,next_sd,differs
1,1,node 0: a,10,10,0,10,1,1
1,1,node 1: a,,40,5,40,5,0
2,1,node 0: a,10,10,0,10,1,0
2,1,node 1: a,,90,5,90,5,1
`;

/** The numbers of a path in pairs, one array for each of its parts. */
const points = d =>
	d
		.split("M")
		.slice(1)
		.map(part => part.replace("Z", "").split("L").map(pair => pair.split(",").map(Number)));

/** The scales of the axes: a pixel of y as a rate, a pixel of x as a time. */
async function scales(figure) {
	return figure.evaluate(element => {
		const lines = [...element.querySelectorAll(".axes line")].map(line => Number(line.getAttribute("y1"))),
			words = [...element.querySelectorAll(".axes text")].map(text => text.textContent);
		return {
			zero: lines[0],
			tick: lines.at(-1),
			rate: Number(words[lines.length - 1].replace(/,/g, "").replace(" k", "e3")),
			words,
		};
	});
}

async function drawnChecks(shown, odd) {
	const {zero, tick, rate, words} = await scales(odd),
		value = y => Math.round((((zero - y) / (zero - tick)) * rate) / 20) * 20;
	const path = name => odd.locator(`path.${name}`).getAttribute("d");
	const [first, last] = points(await path("estimate"));
	equal("state: estimates are drawn to scale", [1000, 600], first.map(([, y]) => value(y)));
	equal("state: what is not known is a gap", [200, 200], last.map(([, y]) => value(y)));
	const [band, end] = points(await path("band"));
	equal(
		"state: the band, there along the upper ends, back along the lower ones",
		[1000, 800, 400, 1000],
		band.map(([, y]) => value(y)),
	);
	equal("state: never below 0", [600, 600, 0, 0], end.map(([, y]) => value(y)));
	equal(
		"state: the band is where the estimate is",
		[first[0][0], first[1][0], first[1][0], first[0][0]],
		band.map(([x]) => x),
	);
	const marks = await odd.locator(".reads circle").evaluateAll(all => all.map(c => [c.getAttribute("cx"), c.getAttribute("cy")].map(Number)));
	equal("state: intervals that were read are marked", [first[0]], marks);
	check("state: the unit and the time are at the axes", words.includes("events/s") && words.includes("4.00 s"), words);
	const box = await odd.locator("svg").boundingBox();
	await shown.page.mouse.move(box.x + (first[1][0] / 560) * box.width, box.y + box.height / 2);
	await shown.shows(
		"state: the pointer reads the numbers",
		odd.locator(".note").filter({hasText: /^at 1\.50 s: 600 events\/s, 404 to 796, not read$/}),
	);
}

async function aloneChecks(shown) {
	const {page} = shown,
		report = new Report(shown, "state.html");
	await report.open();
	const figures = page.locator("#window-state figure.state");
	equal("state: a figure for each event", 2, await figures.count());
	equal("state: its window alone", ["State"], await page.getByRole("tab").allInnerTexts());
	check("state: the head names the file", (await shown.text("#origin")).startsWith("state.csv\na state file"));
	check("state: how much there is", /2 events, 4 intervals, 4\.00 s/.test(await shown.text("#state-summary")));
	check("state: a legend", /estimate.*95 % band.*was read/s.test(await shown.text("#state-legend")));
	const odd = figures.filter({hasText: 'odd, with "quotes"'});
	await drawnChecks(shown, odd);
	equal(
		"screen reader: what a figure shows",
		1,
		await page.getByRole("img", {name: /^odd, with "quotes"\. 200 events\/s in the last interval, 95 % band 0 to 592; read for 25 % of the time\.$/}).count(),
	);
	equal("state: the last interval as a table", [
		['odd, with "quotes"', "200", "0 to 592", "estimated", "25 %"],
		["all", "40", "exact", "read", "100 %"],
	], await shown.rows("state"));
	equal("state: what was always read has no area", true, await figures
		.filter({has: page.getByRole("heading", {name: "all", exact: true})})
		.locator("path.band")
		.getAttribute("d")
		.then(d => points(d)[0].every(([x, y]) => points(d)[0].filter(([u, v]) => u === x && v === y).length >= 2)));
	await page.keyboard.press("1");
	check("state: keys of windows that are not there do nothing", await page.locator("#window-state").isVisible());
	shown.quiet("state");
	await shown.picture("state.png");
}

/** An estimated share, and a rate that was read. */
const RATES = `interval,dt_s,rate,unit,value,sd,low_95,high_95,flag
1,0.5,node 0: hits,,0.75,0.1,0.55,0.95,0
1,0.5,node 1: reads,/s,1200,0,1200,1200,0
`;

async function nodesChecks(shown) {
	await new Report(shown, "nodes.html").open();
	check(
		"state: the node that differs is named",
		(await shown.text("#state-summary")).endsWith("In the last interval, these events differ from the other nodes: node 1: a."),
	);
	equal("state: and marked in the table", [
		["node 0: a", "10", "exact", "read", "100 %"],
		["node 1: a", "90", "80 to 100", "estimated, differs", "0 %"],
	], await shown.rows("state"));
	await new Report(shown, "rates.html").open();
	equal("state: rates of a rates file as they are", [
		["node 0: hits", "0.75", "0.55 to 0.95", "estimated", "0 %"],
		["node 1: reads, /s", "1,200", "exact", "read", "100 %"],
	], await shown.rows("state"));
}

export async function stateChecks(shown, make) {
	writeFileSync("state.csv", FILE);
	make.smile("view", "state.csv", "-o", "state.html");
	make.smile("view", "known.rec", "state.csv", "-o", "both.html");
	writeFileSync("nodes.csv", NODES);
	make.smile("view", "nodes.csv", "-o", "nodes.html");
	writeFileSync("rates.csv", RATES);
	make.smile("view", "rates.csv", "-o", "rates.html");
	await aloneChecks(shown);
	await nodesChecks(shown);
	const both = new Report(shown, "both.html");
	await both.open();
	check("state: beside a recording, the overview is first", /3 of 5 pages/.test(await shown.text("#verdict")));
	await shown.page.keyboard.press("9");
	await shown.shows("state: 9 opens it", shown.page.locator("#window-state figure.state"));
	await new Report(shown, "known.html").open("w=state");
	check("state: without a state file there is no such window", await shown.page.getByRole("tab", {name: "State", exact: true}).isHidden());
}
