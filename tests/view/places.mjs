// SPDX-License-Identifier: GPL-2.0 OR MIT
// Data structure and location in the page: names of addresses, and addresses of names, in C, C++ and
// Fortran; everything about one variable. The programs are those of tests/structures. They are built here and
// not run: BUILD/tests/view/recordings (recordings.c) makes their recordings.
import {execFileSync} from "node:child_process";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {check, equal} from "../harness/test.mjs";
import {Report, altered} from "./report.mjs";

const PROGRAMS = fileURLToPath(new URL("../structures/programs", import.meta.url));
export const PLACE_CHECKS = 64;

/**
 * The name of an element, the linker's name of its variable, and its offset in the variable, determined by hand from
 * the sources. particle is 112 bytes: pos 0, mass 24, tag 28, old 40.
 */
const KNOWN = {
	layout: {
		compiler: ["gcc", "-DFIRST_LINE=1", "-DSECOND_LINE=2"],
		sources: ["layout.c", "library.c"],
		libraries: ["-lpthread"],
		elements: [
			["matrix[0][0]", "matrix", 0],
			["matrix[130][17]", "matrix", (130 * 64 + 17) * 8],
			["matrix[255][63]", "matrix", 131064],
			["particles[12].pos.x", "particles", 12 * 112],
			["particles[7].mass", "particles", 7 * 112 + 24],
			["particles[7].tag+5", "particles", 7 * 112 + 28 + 5],
			["particles[99].old[2].z", "particles", 99 * 112 + 40 + 2 * 24 + 16],
			["shared_items[3].weight", "shared_items", 96],
			["own::calls[3]", "calls.0", 12],
		],
	},
	scopes: {
		compiler: ["g++"],
		sources: ["scopes.cpp"],
		libraries: ["-lpthread"],
		elements: [
			["sim::cells[42].id", "_ZN3sim5cellsE", 42 * 40],
			["sim::cells[42].value[3]", "_ZN3sim5cellsE", 42 * 40 + 8 + 24],
			["sim::grid.edge[1][2]", "_ZN3sim4gridE", 40],
		],
	},
	modules: {
		compiler: ["gfortran", "-fopenmp"],
		sources: ["modules.f90"],
		libraries: [],
		elements: [
			["fields::a(17,130)", "__fields_MOD_a", (130 * 40 + 16) * 8],
			["fields::a(1,0)", "__fields_MOD_a", 0],
			["fields::points(12)%y", "__fields_MOD_points", 11 * 16 + 8],
			["fields::text+40000", "__fields_MOD_text", 40000],
			["/block/c(7)", "block_", 48],
		],
	},
};

const hex = number => `0x${number.toString(16)}`;
const upward = (a, b) => a - b;
/** The largest multiple that is not above a number. */
const floor = (number, step) => number - (number % step);

/** [address, bytes] of each variable, by the linker's name. */
function symbols(program) {
	const found = new Map();
	for (const line of execFileSync("nm", ["-S", program], {encoding: "utf8"}).split("\n")) {
		const [start, bytes, kind, name] = line.split(/\s+/);
		if (name && "bBdD".includes(kind)) found.set(name, [parseInt(start, 16), parseInt(bytes, 16)]);
	}
	return found;
}

/** The program and its recording; addresses of the known names, and some more addresses. */
function build(name, make) {
	const {compiler, sources, libraries, elements} = KNOWN[name],
		[command, ...flags] = compiler,
		files = sources.map(file => path.join(PROGRAMS, file));
	execFileSync(command, [
		...flags,
		..."-g -O1 -no-pie -fno-pie -o".split(" "),
		name,
		...files,
		...libraries,
	]);
	const where = symbols(name),
		names = new Map(elements.map(([text, symbol, at]) => [text, where.get(symbol)[0] + at])),
		used = [...new Set(elements.map(([, symbol]) => symbol))].map(symbol => where.get(symbol));
	used.sort(([a], [b]) => a - b);
	const some = [],
		accessed = new Set([...names.values()].map(address => floor(address, 4)));
	for (const [start, bytes] of used) {
		for (let k = 1; k < 7 && k < bytes; k++) some.push(start + Math.floor((bytes * k) / 7) + k);
		// All pages of the matrix, so that counts are known for each part of it.
		for (let at = floor(start, 4); at < start + bytes; at += 4096) accessed.add(at);
	}
	const first = used[0][0],
		last = Math.max(...used.map(([start, bytes]) => start + bytes));
	make.recording(
		"program",
		`${name}.rec`,
		path.resolve(name),
		...[first, last, ...[...accessed].sort(upward)].map(n => n.toString(16)),
	);
	return {names, some};
}

/** The page's answer to an address or a name: the element's name, and the whole text. */
async function lookUp(shown, text) {
	await shown.page.evaluate(wanted => {
		location.hash = `#w=structure&at=${encodeURIComponent(wanted)}`;
	}, text);
	/* The page shows the request together with the answer. */
	const asked = wanted => document.querySelector("#window-structure label input")?.value === wanted;
	if (!(await shown.becomes(asked, text))) throw new Error(`${text}: is not looked up`);
	return [await shown.text("#found-name"), (await shown.text("#found")) ?? ""];
}

async function nameChecks(report, make, name, {names, some}) {
	const {shown} = report;
	await report.open("w=structure");
	for (const [text, address] of names) {
		const byAddress = await lookUp(shown, hex(address)),
			byName = await lookUp(shown, text);
		check(
			`${name}: ${text} and back`,
			byAddress[0] === text && byName[1].includes(hex(address)) && byName[0] === text,
			[byAddress, byName],
		);
	}
	const wanted = [],
		got = [];
	for (const address of some) {
		const json = reportOf(make, name, address);
		wanted.push(json ? JSON.parse(json).place.name : null);
		got.push((await lookUp(shown, hex(address)))[0]);
	}
	check(
		`${name}: there are addresses between`,
		wanted.filter(one => one !== null).length >= 6,
		wanted,
	);
	equal(`${name}: any address is called as by smile report structures`, wanted, got);
}

/** The command's answer for an address; "" if nothing is there. */
function reportOf(make, name, address) {
	try {
		return make.smile("report", "structures", "--json", "--address", hex(address), `${name}.rec`);
	} catch (error) {
		return error.stdout;
	}
}

/** A variable without parts: each page has its own name. */
async function textChecks(report, {names}) {
	const {shown} = report,
		{page} = shown,
		start = names.get("fields::text+40000") - 40000,
		table = page.locator("#variable details table"),
		wanted = [];
	await report.open("w=histogram&sort=page&dir=a&q=fields::text");
	for (let at = floor(start, 4096) + 4096; at < start + 65536; at += 4096)
		wanted.push(`fields::text+${at - start}`);
	const got = (await shown.rows("histogram")).map(row => row[1]);
	// The other variables on the last page may have more accesses.
	equal(
		"histogram: pages of one text have names of their own",
		wanted.slice(0, 15),
		got.filter(text => text.startsWith("fields::text+")).slice(0, 15),
	);
	await report.open("w=structure&at=fields::text");
	await page.locator("#variable details summary").first().click();
	await shown.shows("variable: nodes along a text, as a table", table);
	const rows = (await shown.cells(table.first().locator("tbody tr"))).map(row => row[0]);
	equal(
		"variable: its pages by where they begin",
		wanted.slice(0, 15),
		rows.filter(text => text.includes("+")).slice(0, 15),
	);
	// As if there were too many types: the document contains none.
	altered("modules.html", "unreported.html", document => (document.types = []));
	await new Report(shown, "unreported.html").open("w=structure");
	equal(
		"of a type that is not reported, the offset is",
		`fields::points+${11 * 16 + 8}`,
		(await lookUp(shown, hex(names.get("fields::points(12)%y"))))[0],
	);
	shown.quiet("texts");
}

async function elementChecks(report, {names}) {
	const {shown} = report,
		{page} = shown,
		address = names.get("matrix[130][17]"),
		home = Math.floor(address / 4096) % 4;
	await report.open("w=structure");
	await page.getByLabel("Address or element to look up").pressSequentially("matrix[130][17]");
	await page.keyboard.press("Enter");
	const found = await shown.text("#found");
	check(
		"look up: an element",
		found.includes(`matrix[130][17] (double): 8 bytes at ${hex(address)}`),
		found,
	);
	check(
		"look up: its page, home and section",
		found.includes(
			`Page ${Math.floor(address / 4096)}, home node ${home}, section ` +
				`${hex(floor(address % 4096, 64))} of 64 bytes`,
		),
		found,
	);
	const by = await shown.cells(page.locator("#found tbody tr"));
	equal(
		"look up: the nodes that access it",
		[
			[`node ${(home + 1) % 4}`, "1", "0", "0", "1"],
			[`node ${(home + 2) % 4}`, "0", "2", "0", "2"],
		],
		by.sort((a, b) => a[4] - b[4]),
	);
	const state = await shown.state();
	check("look up: is in the address", state.includes("at=matrix%5B130%5D%5B17%5D"), state);
	equal("look up: its variable is shown", "matrix", await shown.text("#variable-title"));
	const facts = await shown.text("#variable-facts");
	check(
		"variable: what it is",
		facts.includes("double [256][64], layout.c:") && facts.includes("131,072 bytes"),
		facts,
	);
	for (const [text, wanted] of [
		["matrix[256][0]", "Index 256 is outside of 0 to 255"],
		["matrix[1].x", "no member x"],
		["nothing", "No accessed data has the name nothing"],
		["matrix[1", "What does"],
		["particles[3].none", "no member none"],
		[hex(names.get("particles[12].pos.x") + 3), "particles[12].pos.x (double): 8 bytes"],
	]) {
		const [, answer] = await lookUp(shown, text);
		check(`look up: ${text}`, answer.includes(wanted), answer);
	}
	const row = await lookUp(shown, "matrix[3]");
	check("look up: a whole row", row[0].includes("matrix[3]") && row[1].includes("512 bytes"), row);
}

async function variableChecks(report) {
	const {shown} = report,
		{page} = shown,
		along = page.locator("#variable details table"),
		index = "matrix\\[\\d+\\]\\[\\d+\\]";
	await report.open("w=structure&at=matrix");
	await page.locator("#variable details summary").first().click();
	await shown.shows("variable: nodes along it, as a table", along);
	const rows = await shown.cells(along.first().locator("tbody tr"));
	check(
		"variable: one column a page, by rows of the array",
		[32, 33].includes(rows.length) &&
			rows.every(row => new RegExp(`^${index} – ${index}`).test(row[0])),
		rows.slice(0, 3),
	);
	equal(
		"variable: shares of a page that one node read once and another wrote twice",
		["33 %", "67 %"],
		rows[5]
			.slice(2)
			.filter(cell => cell !== "0 %")
			.sort(),
	);
	const particles = page.getByRole("cell", {name: "particles", exact: true});
	await page.locator("#window-structure .tall tbody tr").filter({has: particles}).click();
	const members = await page
		.locator("#variable")
		.getByRole("table", {name: "Accesses by member"})
		.innerText();
	check(
		"variable: members",
		["pos.x", "mass", "old[ ].z"].every(one => members.includes(`particles[ ].${one}`)),
		members,
	);
	const state = await shown.state();
	check("variable: is in the address", state.includes("v=particles%40"), state);
	await page.locator("#variable canvas").first().press("ArrowRight");
	const reported = await shown.text("#variable .read-out");
	check("variable: the map by keys", reported.includes("lies on node"), reported);
	await page.keyboard.press("Enter");
	await shown.shows(
		"variable: Enter opens the page",
		page.locator("#window-page").getByRole("heading", {name: /page/}),
	);
}

async function sectionChecks(report, {names}) {
	const {shown} = report,
		{page} = shown,
		address = names.get("matrix[130][17]");
	await report.open(`w=page&page=${Math.floor(address / 4096)}&s=64`);
	await page.locator("#window-page details summary").first().click();
	const section = page.locator("#window-page details table").first().locator("tbody tr");
	await shown.shows(
		"page: elements of a section",
		section.nth(Math.floor((address % 4096) / 64)).filter({hasText: "matrix[130]["}),
	);
	const wanted = page.getByLabel("Page number, address or element");
	await wanted.fill("particles[7].mass");
	await wanted.press("Enter");
	const state = await shown.state();
	check(
		"page: asked for by an element",
		state.includes(`page=${Math.floor(names.get("particles[7].mass") / 4096)}`),
		state,
	);
	await report.open("w=histogram&sort=page&dir=a");
	const cells = await page
		.locator("#window-histogram tbody td:nth-child(2) span")
		.evaluateAll(spans => spans.map(span => [span.innerText, span.title]));
	check(
		"histogram: elements, and all of the page when pointed at",
		cells.some(
			([text, title]) =>
				/^matrix\[\d+\]\[\d+\]$/.test(text) &&
				/matrix\[\d+\]\[\d+\] – matrix\[\d+\]\[\d+\]/.test(title),
		),
		cells.slice(0, 4),
	);
	shown.quiet("places");
}

/** All tests of this file. */
export async function placeChecks(shown, make) {
	for (const name of Object.keys(KNOWN)) {
		const built = build(name, make);
		make.smile("view", `${name}.rec`, "-o", `${name}.html`);
		const report = new Report(shown, `${name}.html`);
		await nameChecks(report, make, name, built);
		if (name === "layout") {
			await elementChecks(report, built);
			await variableChecks(report);
			await sectionChecks(report, built);
		}
		if (name === "modules") await textChecks(report, built);
	}
	await shown.page.setViewportSize({width: 1400, height: 1500});
	for (const [name, fragment, colorScheme] of [
		["layout", "w=structure&at=particles[12].pos.x", "light"],
		["modules", "w=structure&at=a(17,130)", "dark"],
	]) {
		await shown.page.emulateMedia({colorScheme});
		await shown.open(`${new Report(shown, `${name}.html`).url}#${fragment}`);
		await shown.picture(`structure-${name}.png`);
	}
	await shown.page.setViewportSize({width: 1400, height: 900});
	await shown.page.emulateMedia({colorScheme: "light"});
}
