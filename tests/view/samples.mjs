// SPDX-License-Identifier: GPL-2.0 OR MIT
// The page of recordings of samples: each count has its band, no number is in cycles, and a page is shown on the
// wrong node only if the samples prove it. tests/sample/programs/mksampled.c lists the recordings' contents.
import {check, equal} from "../harness/test.mjs";
import {Report} from "./report.mjs";

export const SAMPLES_CHECKS = 76;

const WINDOWS = ["overview", "transfer", "histogram", "diagram", "heatmap", "page", "structure", "advice"];

/** Each of @counts is a number of samples and differs from all other numbers: its band must follow it. */
async function bandsChecks(report, name, page, counts) {
	const {shown} = report,
		bare = new RegExp(`(?<![\\da-fx,.[–])(${counts.join("|")})(?![\\d,.–\\]])(?! \\[)`, "g");
	let marked = 0;
	for (const w of WINDOWS) {
		await report.open(`w=${w}${w === "page" ? `&page=${page}` : ""}`);
		await shown.page.evaluate(() =>
			document.querySelectorAll("details").forEach(box => (box.open = true)),
		);
		const text = await shown.page.locator(`#window-${w}`).innerText(),
			rest = text.replace("95 % band", "").replace("this page has no cycles", "");
		/* Both would be numbers without a band. */
		check(`${name}: ${w}: nothing in cycles or in percent`, !/cycles|\d %/.test(rest) || rest);
		equal(`${name}: ${w}: counts without a band`, [], text.match(bare) || []);
		marked += (text.match(/\d \[[\d.,]+–[\d.,]+\]/g) || []).length;
	}
	check(`${name}: there are counts with bands`, marked > 20 || marked);
}

/** A node's samples of its own memory are no transfer; a cell that is not surely above the limit is not marked. */
async function transferChecks(report) {
	const {shown} = report,
		cells = shown.page.locator("#window-transfer table.matrix tbody td");
	await report.open("w=transfer");
	equal("samples: transfer: each has its band", ["30 [20–43]", "10 [4.7–19]", "41 [29–56]", "520 [476–567]"], await cells.allInnerTexts());
	await report.open("w=transfer&th=1");
	/* The mean of 10 and 41 is 25.5. */
	equal("samples: transfer: what is surely above the mean", ["30 [20–43]", "10 [4.7–19]", "▲ 41 [29–56]", "520 [476–567]"], await cells.allInnerTexts());
	equal(
		"samples: transfer: the picture",
		["10 [4.7–19]", "▲ 41 [29–56]"],
		(await shown.page.locator("#network svg.network .count text").allTextContents()).sort(),
	);
	equal(
		"samples: transfer: bottlenecks have no share of a mean",
		[["node 1", "node 0", "41 [29–56]"]],
		await shown.cells(shown.page.locator("#bottlenecks tbody tr")),
	);
	equal("samples: transfer: no bytes", 0, await shown.page.getByRole("button", {name: "Bytes"}).count());
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
			"40 [28–55] of the 51 [37–68] remote samples would have been local.",
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
		[["20", "private + 0x4000", "node 0", "node 1", "40 [28–55]", "40 [28–55]"]],
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
		/Samples show no better node for it/.test(await shown.text("#page-facts")),
	);
	await bandsChecks(report, "samples", 20, [601, 561, 550, 520, 500, 51, 41, 40]);
	await transferChecks(report);
	smile("view", "-o", "half.html", "known-node0.rec");
	await new Report(shown, "half.html").open();
	check("samples: a recording is missing: it is said", /^1 recording of this run is not here/.test(await shown.text("#window-overview .warn")));
	await new Report(shown, "half.html").open("w=advice");
	check("samples: a recording is missing: no command", /^Some recordings of the run/.test(await shown.text("#no-command")));
	await new Report(shown, "half.html").open();
	check("samples: a recording is missing: nothing is claimed", /^Samples put no page/.test(await shown.text("#verdict")));
	sampled("accesses", "memory");
	smile("view", "-o", "accesses.html", "accesses-node0.rec", "accesses-node1.rec");
	await bandsChecks(new Report(shown, "accesses.html"), "samples of accesses", 16, [
		"2,690", "2,080", "1,970", "1,550", "1,360", "1,140", 830, 720, 610, 530,
	]);
	await new Report(shown, "accesses.html").open("w=page&page=16&s=4096");
	/* With one section, the curves are points: each separate line is a band. */
	check(
		"samples of accesses: curves of reads and writes have bands",
		await page.evaluate(async () => {
			const move = CanvasRenderingContext2D.prototype.moveTo;
			let bands = 0;
			CanvasRenderingContext2D.prototype.moveTo = function (...at) {
				/* The lines of the frame start at its left side. */
				bands += this.canvas.getAttribute("aria-label").startsWith("Read/write") && at[0] > 100;
				return move.apply(this, at);
			};
			window.dispatchEvent(new Event("resize"));
			document.querySelectorAll("#window-page canvas").forEach(c => (c.style.width = "90%"));
			for (let i = 0; i < 100 && bands < 2; i++) await new Promise(done => setTimeout(done, 50));
			return bands >= 2 || bands;
		}),
	);
	shown.quiet("samples");
}
