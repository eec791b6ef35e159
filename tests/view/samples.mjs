// SPDX-License-Identifier: GPL-2.0 OR MIT
// The page of recordings of samples: each count has its band, no figure is of cycles, and a page lies on the
// wrong node only if samples are sure of it. What is in the recordings: tests/sample/programs/mksampled.c.
import {check, equal} from "../harness/test.mjs";
import {Report} from "./report.mjs";

export const SAMPLES_CHECKS = 27;

const WINDOWS = ["overview", "transfer", "histogram", "diagram", "heatmap", "page", "structure", "advice"];

/** No share and no cycles: both would be figures without a band. */
async function unmarkedChecks(report) {
	const {shown} = report;
	for (const name of WINDOWS) {
		await report.open(`w=${name}`);
		const text = await shown.page.locator(`#window-${name}`).innerText(),
			rest = text.replace("95 % band", "").replace("there are no cycles here", "");
		check(`samples: ${name}: nothing in cycles or in percent`, !/cycles|\d %/.test(rest) || rest);
	}
}

export async function samplesChecks(shown, {smile, sampled}) {
	const {page} = shown;
	sampled("known");
	smile("view", "-o", "samples.html", "known-node0.rec", "known-node1.rec");
	const report = new Report(shown, "samples.html");
	await report.open();
	equal(
		"samples: the verdict",
		"1 of 5 pages lies on the wrong node; most of them in private. On the nodes that use them most, " +
			"40 [29–54] of the 51 [38–67] remote samples would have been local.",
		await shown.text("#verdict"),
	);
	check(
		"samples: what they are",
		/^Estimates: .*NUMA hint faults, source faults/.test(await shown.text("#samples")),
	);
	equal(
		"samples: the command",
		"smile advise known-node0.rec known-node1.rec -o placement",
		await shown.text("#fix-command"),
	);
	equal(
		"samples: the page that lies wrong",
		[["20", "private + 0x4000", "node 0", "node 1", "40 [29–54]", "40 [29–54]"]],
		await shown.cells(
			page.getByRole("table", {name: "Pages by cycles saved if moved"}).locator("tbody tr"),
		),
	);
	await report.open("w=histogram&sort=page");
	equal(
		"samples: counts of pages have bands",
		["500 [457–546]", "0 [0.0–3.7]", "0 [0.0–3.7]", "–", "500 [457–546]"],
		(await shown.rows("histogram")).find(row => row[0] === "19").slice(4),
	);
	await report.open("w=page&page=18");
	check(
		"samples: one sample puts no page elsewhere",
		/Samples put it on no other node/.test(await shown.text("#page-facts")),
	);
	await unmarkedChecks(report);
	shown.quiet("samples");
}
