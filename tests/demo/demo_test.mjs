// SPDX-License-Identifier: GPL-2.0 OR MIT
// The demonstration, as a new user sees it: the page names the structure on the wrong node, and the
// command on the page corrects the placement.
//
// usage: node demo_test.mjs BUILD SCRATCH [PICTURES]
//
// BUILD holds the built tree; all files are created in SCRATCH. If PICTURES is given, pictures of
// the page, those of the README, are written to it. Without a browser the checks of the page are
// skipped.
import {spawnSync} from "node:child_process";
import {mkdirSync, realpathSync} from "node:fs";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {browserMissing, browserStart} from "../browser/browser.mjs";
import {check, skip, suite} from "../harness/test.mjs";

const DEMO_SCRIPT = fileURLToPath(new URL("demo.sh", import.meta.url));
const DEMO_CHECKS = 4;
const PAGE_CHECKS = 7;
const WINDOWS = ["overview", "diagram"];
const SCHEMES = ["light", "dark"];

/**
 * Run a command; returns its exit status and its output. The command is killed when the test ends,
 * or after a time limit.
 */
function run(command, args, options) {
	const done = spawnSync("setpriv", ["--pdeathsig", "KILL", command, ...args], {
		encoding: "utf8",
		maxBuffer: 1 << 26,
		timeout: 1200000,
		killSignal: "SIGKILL",
		...options,
	});
	return {status: done.status, text: done.stdout + done.stderr + (done.error ?? "")};
}

/** The number of remote accesses that a run prints; NaN if it prints none. */
function remote(text) {
	const found = /^accesses: .* \+ ([0-9,]+) remote$/m.exec(text);
	return found ? Number(found[1].replaceAll(",", "")) : NaN;
}

/** The tree and the directory are passed as by make demo: relative to the top of the repository. */
function demonstrationChecks(scratch) {
	const [B, DEMO] = process.argv.slice(2),
		{status, text} = run(DEMO_SCRIPT, [], {env: {...process.env, B, DEMO}}),
		url = `file://${scratch}/report.html`;
	check("demo: ends well", status === 0, text);
	check(
		"demo: names grid in words",
		text.includes("grid: 193 of 257 pages lie on the wrong node"),
		text,
	);
	check(
		"demo: what was predicted was measured",
		/; cycles of accesses: ([0-9,]+) predicted, \1 measured$/m.test(text),
		text,
	);
	check("demo: says where the page is", text.includes(url), text);
	return remote(text);
}

/** Check the first view; returns the command on the page. */
async function firstView(shown, url) {
	check("page: opens", await shown.open(url));
	const text = await shown.text("body");
	check(
		"page: its first view names the structure",
		/\bgrid: 193 of 257 pages lie on the wrong node/.test(text),
		text,
	);
	const command = (await shown.text("#fix-command")) ?? "";
	check("page: its first view gives the command", command.includes("--place"), command);
	check("page: nothing to complain about", !shown.complaints.length, shown.complaints);
	return command;
}

/** Run the command exactly as on the page, in the recordings' directory. */
function commandChecks(command, scratch, before) {
	const {status, text} = run("bash", ["-c", command || "false"], {cwd: scratch}),
		after = remote(text);
	check("page: the command works", status === 0, text);
	check("page: and mends it", after < before / 10, `${before} before, ${after} after\n${text}`);
	check("page: the program is none the worse", text.includes("sor: correct"), text);
}

/** Take pictures of the first view, and of the diagram of all pages. */
async function takePictures(shown, url, directory) {
	mkdirSync(directory, {recursive: true});
	await shown.page.setViewportSize({width: 1200, height: 800});
	for (const colorScheme of SCHEMES) {
		await shown.page.emulateMedia({colorScheme});
		for (const name of WINDOWS) {
			check(`picture: ${name}, ${colorScheme}`, await shown.open(`${url}#w=${name}`));
			await shown.picture(path.join(directory, `${name}-${colorScheme}.png`));
		}
	}
}

const [build, scratch, pictures] = process.argv.slice(2).map(name => path.resolve(name)),
	planned = DEMO_CHECKS + PAGE_CHECKS + (pictures ? WINDOWS.length * SCHEMES.length : 0);
await suite(planned, "", async () => {
	mkdirSync(scratch, {recursive: true});
	const here = realpathSync(scratch),
		url = pathToFileURL(path.join(here, "report.html")).href;
	process.env.PATH = `${realpathSync(path.join(build, "bin"))}:${process.env.PATH}`;
	const before = demonstrationChecks(here),
		missing = browserMissing(build);
	if (missing) return skip(missing, planned - DEMO_CHECKS);
	const shown = await browserStart(build);
	try {
		const command = await firstView(shown, url);
		if (pictures) await takePictures(shown, url, pictures);
		commandChecks(command, here, before);
	} finally {
		await shown.close();
	}
});
