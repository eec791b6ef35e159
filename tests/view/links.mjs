// SPDX-License-Identifier: GPL-2.0 OR MIT
// The links of a network in the window Run-time transfer: the drawing and the texts for a known network.
import {equal} from "../harness/test.mjs";
import {Report, altered} from "./report.mjs";

export const LINKS_CHECKS = 11;

const link = (ringlet, from, to, load, full) => ({ringlet, from, to, load, full});

/** Two ringlets, each with a node and a port, and the switch. */
const NETWORK = {
	topology: "ringlets:1",
	links: [
		link(0, 0, null, 0.5, 0.25),
		link(0, null, 0, 0.04, 0),
		link(1, 1, null, 0.02, 0),
		link(1, null, 1, 0.03, 0),
		link(2, null, null, 0.01, 0),
		link(2, null, null, 0.05, 0),
	],
	busiest: {...link(0, 0, null, 0.5, 0.25), crossed_by: [{source: 0, target: 1, share: 0.75}, {source: 1, target: 0, share: 0.25}]},
};

export async function linksChecks(shown, {smile}) {
	const {page} = shown;
	smile("view", "-o", "plain.html", "known.rec");
	const plain = new Report(shown, "plain.html");
	await plain.open("w=transfer");
	equal("links: none without a network", 0, await page.locator("#links").count());
	altered("plain.html", "links.html", document => {
		document.run = {...document.run, network: NETWORK};
	});
	const report = new Report(shown, "links.html");
	await report.open("w=transfer");
	equal(
		"links: the busiest one",
		"Network ringlets:1: the busiest link leads from node 0 to a port of the switch on ringlet 0. It carries packets for 50 % of the run, and was full for 25 %.",
		await shown.text("#links p"),
	);
	equal(
		"links: what crosses it",
		[
			["node 0", "node 1", "75 %"],
			["node 1", "node 0", "25 %"],
		],
		await shown.cells(page.getByRole("table", {name: "Traffic of the busiest link"}).locator("tbody tr")),
	);
	await page.locator("#links summary").click();
	equal(
		"links: each with its load",
		[
			["0", "node 0", "port 0", "50 %", "25 %"],
			["0", "port 0", "node 0", "4.0 %", "0 %"],
			["1", "node 1", "port 1", "2.0 %", "0 %"],
			["1", "port 1", "node 1", "3.0 %", "0 %"],
			["2", "port 0", "port 1", "1.0 %", "0 %"],
			["2", "port 1", "port 0", "5.0 %", "0 %"],
		],
		await shown.cells(page.getByRole("table", {name: "Load of each link"}).locator("tbody tr")),
	);
	const picture = page.locator("#links svg.network"),
		strokes = await picture.locator(".ring-link path").evaluateAll(paths => paths.map(path => path.getAttribute("stroke")));
	equal("links: drawn, each", 6, strokes.length);
	equal("links: the busiest has a colour of its own", 1, strokes.filter(stroke => stroke === strokes[0]).length);
	equal(
		"links: nodes and ports",
		["0", "p0", "1", "p1", "p0", "p1"],
		await picture.locator(".component .name").allTextContents(),
	);
	shown.quiet("links");
}
