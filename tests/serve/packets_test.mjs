// SPDX-License-Identifier: GPL-2.0 OR MIT
// The page of packets in a headless browser: the list at any place, conditions, one packet with its bits,
// a transaction's path; and the server's responses and refusals.
//
// usage: node packets_test.mjs BUILD SCRATCH
//
// Screenshots stay in SCRATCH. Without a browser the whole suite is skipped.
import {execFileSync} from "node:child_process";
import {mkdirSync, rmSync} from "node:fs";
import path from "node:path";
import {browserMissing, browserStart} from "../browser/browser.mjs";
import {check, equal, suite} from "../harness/test.mjs";
import {LIMIT, Server} from "./serving.mjs";

const CHECKS = 42;
const [build, scratch] = process.argv.slice(2);

const run = (command, ...args) => execFileSync(command, args, {encoding: "utf8", timeout: LIMIT});

function make() {
	rmSync(scratch, {recursive: true, force: true});
	mkdirSync(scratch, {recursive: true});
	const known = JSON.parse(run("python3", "tests/serve/packets_make.py", scratch)),
		database = path.join(scratch, "packets.db"),
		smile = path.join(build, "bin/smile");
	for (const node of [3, 0]) run(smile, "trace", "import", path.join(scratch, `node${node}.pcap`), "-o", database, "--node", String(node));
	// Trace 3 has numbers up to 99,999,999, and a thousand packets each at its start, middle and end.
	run("sqlite3", database, `INSERT INTO traces SELECT 3, 'huge', file, NULL, 100000000, 0, first_ns, last_ns, 1, data, NULL FROM traces WHERE trace = 1;
		CREATE TEMP TABLE places AS SELECT 0 AS place UNION ALL SELECT 49999500 UNION ALL SELECT 99999000;
		INSERT INTO chunks SELECT 3, place, place + 999, first_ns, last_ns, low_address, high_address, sources, targets, types, faults
			FROM chunks, places WHERE trace = 1 AND first = 0;
		INSERT INTO frames SELECT 3, place + packet, type, fault, time_ns, bd1, bd2, pair, trailer, body
			FROM frames, places WHERE trace = 1 AND packet < 1000`);
	run("sqlite3", database, "INSERT INTO nodes VALUES(0, 'front end'); INSERT INTO segments VALUES(1, 3, 0, 1048575, 'grid')");
	return {known, database};
}

/** The rows of the list. */
const numbers = page => page.locator("#rows tbody tr").evaluateAll(rows => rows.map(row => Number(row.dataset.packet)));

async function listCases(shown, known) {
	const {page} = shown,
		first = page.locator("#rows tbody tr").first();
	equal("the list begins with the first packet", 0, (await numbers(page))[0]);
	equal("times to the nanosecond", `${known.times[0].slice(0, -9)}.${known.times[0].slice(-9)}`, await first.locator("td").nth(1).innerText());
	const visible = (await numbers(page)).length;
	check("no more rows than fit", visible > 10 && visible < 60, visible);
	await page.mouse.move(400, 500);
	await page.mouse.wheel(0, 24 * 5);
	await shown.shows("the wheel moves by rows", () => document.querySelector("#rows tbody tr").dataset.packet === "5");
	await page.locator("#scroll").evaluate(scroll => (scroll.scrollTop = scroll.scrollHeight));
	await shown.shows("the scroll bar's end is the last packet", last => [...document.querySelectorAll("#rows tbody tr")].at(-1).dataset.packet === String(last), known.packets - 1);
	await page.locator("#rows").focus();
	await page.keyboard.press("Home");
	await shown.shows("Home", () => document.querySelector("#packet").dataset.packet === "0");
	for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
	await shown.shows("arrow keys choose", () => document.querySelector("#packet").dataset.packet === "3");
	await page.keyboard.press("End");
	await shown.shows("End", last => document.querySelector("#packet").dataset.packet === String(last), known.packets - 1);
	await page.locator("[name=go]").fill("12,345");
	await page.getByRole("button", {name: "Show"}).click();
	await shown.shows("go to a packet", () => document.querySelector("#packet").dataset.packet === "12345");
	await shown.shows("it is in the list", page.locator("#rows tbody tr[data-packet='12345']"));
}

async function packetCases(shown, known) {
	const {page} = shown,
		packet = page.locator("#packet");
	// Packet 12000: transaction 6000, node 0, nread64.
	await page.locator("[name=go]").fill("12000");
	await page.getByRole("button", {name: "Show"}).click();
	await shown.shows("one packet with its type", packet.locator("p.lead", {hasText: "Type 25: B-Link request-send, 0 bytes"}));
	check("names of users", (await packet.innerText()).includes("front end") && (await packet.innerText()).includes("grid"));
	equal("each word has 64 bits", 3 * 64, await packet.locator(".bits span").count());
	await packet.locator("tr[data-field=transaction_id]").hover();
	await shown.shows("a field that is pointed at shows its bits", () => document.querySelectorAll(".bits span.on").length === 6);
	equal("the bits are those of the value", 6000 / 3 % 64, await packet.locator(".bits span.on").evaluateAll(bits => parseInt(bits.map(bit => bit.textContent).join(""), 2)));
	await shown.shows("the path", packet.locator(".path text").filter({hasText: /^response64, \+/}));
	const lines = await packet.locator(".path text").allTextContents();
	check("the path over the nodes, from both traces", lines.some(line => line.startsWith("seen in trace 2 (node 0) at +0 ns, trace 1 (node 3) at +40 ns")) &&
		lines.some(line => line.startsWith("nread64 0x")) && lines.some(line => line.startsWith("response64, +")), lines.join("|"));
	await packet.getByRole("button", {name: /^Its response/}).click();
	await shown.shows("to its response", () => document.querySelector("#packet").dataset.packet === "12001");
	await packet.getByRole("button", {name: /^Its request/}).click();
	await shown.shows("and back", () => document.querySelector("#packet").dataset.packet === "12000");
	await packet.getByRole("button", {name: "Next"}).click();
	await shown.shows("the next", () => document.querySelector("#packet").dataset.packet === "12001");
	await shown.open(page.url());
	await shown.shows("the address keeps the place", () => document.querySelector("#packet").dataset.packet === "12001");
	for (const theme of ["light", "dark"]) {
		await page.screenshot({path: path.join(scratch, `packets-${theme}.png`)});
		await page.locator("#theme").click();
	}
	check("both themes", (await page.locator("html").getAttribute("data-theme")) === "light");
}

async function conditionCases(shown, known) {
	const {page} = shown,
		apply = () => page.getByRole("button", {name: "Show"}).click();
	await page.getByRole("button", {name: "Clear"}).click();
	await page.locator("[name=address]").fill("0x5000..0x5fff");
	await page.locator("#rows").focus();
	await page.keyboard.press("Home");
	await apply();
	await shown.shows("conditions: the first that fulfils them", first => document.querySelector("#rows tbody tr")?.dataset.packet === String(first), known.page5[0]);
	const got = await numbers(page);
	equal("and all behind it", known.page5.slice(0, got.length), got);
	await page.mouse.move(400, 500);
	await page.mouse.wheel(0, 24 * 30);
	await shown.shows("the wheel moves by packets that do", to => document.querySelector("#rows tbody tr").dataset.packet === String(to), known.page5[30]);
	await page.mouse.wheel(0, -24 * 10);
	await shown.shows("and back", to => document.querySelector("#rows tbody tr").dataset.packet === String(to), known.page5[20]);
	await page.locator("[name=address]").fill("");
	const [from, to] = [known.times[1], known.times[2]].map(time => `${time.slice(0, -9)}.${time.slice(-9)}`);
	await page.locator("[name=time]").fill(`${from}..${to}`);
	await page.locator("#rows").focus();
	await page.keyboard.press("Home");
	await apply();
	await shown.shows("a time to the nanosecond", () => document.querySelectorAll("#rows tbody tr").length === 2);
	equal("both its ends", [1, 2], await numbers(page));
	await page.locator("[name=time]").fill("");
	await page.locator("[name=source]").fill("x");
	await apply();
	await shown.shows("what is no number is marked", page.locator("#search.bad", {hasText: "no number"}));
	await page.getByRole("button", {name: "Clear"}).click();
	await page.locator("[name=malformed]").check();
	await apply();
	await shown.shows("malformed ones", () => document.querySelectorAll("#rows tbody tr.fault").length === 1);
	equal("which is named", ["777"], (await numbers(page)).map(String));
	await page.screenshot({path: path.join(scratch, "packets-malformed.png")});
}

/** A hundred million numbers, only a few of which have rows: the page must not access the others. */
async function hugeCases(shown, server) {
	const {page} = shown,
		last = 99999999;
	let asked = 0;
	page.on("request", request => (asked += request.url().includes("packets.json")));
	await page.getByRole("button", {name: "Clear"}).click();
	await shown.shows("no condition", () => document.querySelectorAll("#rows tbody tr").length > 10);
	await page.locator("#trace").selectOption("3");
	await shown.shows("a trace of 100,000,000 packets", page.locator("#origin", {hasText: "100,000,000 packets"}));
	await shown.shows("its first rows", () => document.querySelector("#rows tbody tr")?.dataset.packet === "0");
	for (const [share, name] of [[0.5, "the middle"], [1, "the end"], [0, "the begin"]]) {
		asked = 0;
		await page.locator("#scroll").evaluate((scroll, to) => (scroll.scrollTop = to * (scroll.scrollHeight - scroll.clientHeight)), share);
		await shown.shows(`the scroll bar goes to ${name}`, ([to, most]) => {
			const rows = [...document.querySelectorAll("#rows tbody tr")].map(row => Number(row.dataset.packet));
			return rows.length > 10 && rows.length < 60 && Math.abs(rows[0] / most - to) < 1e-4;
		}, [share, last]);
		if (share === 1) check("with few questions, whatever the length", asked > 0 && asked < 4, asked);
	}
}

async function serverCases(server) {
	const status = async (what, options) => (await fetch(new URL(what, server.url), options)).status;
	equal("what is refused", [400, 400, 400, 404, 404, 405, 400], [
		await status("packets.json"), await status("packets.json?trace=1&source=-1"), await status("packets.json?trace=1&first=1e3"),
		await status("packet.json?trace=1&packet=99999999"), await status("other.json"),
		await status("packets.json?trace=1", {method: "POST"}), await status("packet.json?trace=1&packet=1;drop"),
	]);
	const readers = await Promise.all(Array.from({length: 40}, (_, i) =>
		fetch(new URL(`packets.json?trace=1&first=${i * 900}&count=100`, server.url)).then(answer => answer.json())));
	check("forty readers at once get what they asked for", readers.every((answer, i) => answer.packets.length === 100 && answer.packets[0].packet === i * 900));
}

await suite(CHECKS, browserMissing(build), async () => {
	const {known, database} = make(),
		server = await Server.start(build, database),
		shown = await browserStart(build);
	try {
		check("open", await shown.open(server.url));
		await listCases(shown, known);
		await packetCases(shown, known);
		await conditionCases(shown, known);
		await hugeCases(shown, server);
		await serverCases(server);
		equal("the page complains of nothing", [], shown.complaints);
	} finally {
		await shown.close();
		await server.end();
	}
});
