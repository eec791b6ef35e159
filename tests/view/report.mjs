// SPDX-License-Identifier: GPL-2.0 OR MIT
// Pages of smile view for the tests: making, changing and opening them.
import {execFileSync} from "node:child_process";
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import path from "node:path";
import {pathToFileURL} from "node:url";
import {check} from "../harness/test.mjs";

/** One page, made by smile view, in the browser. */
export class Report {
	constructor(shown, file) {
		Object.assign(this, {shown, url: pathToFileURL(path.resolve(file)).href});
	}

	/** A check that the page opens and becomes ready. */
	async open(fragment = "") {
		check(`open #${fragment}`, await this.shown.open(`${this.url}#${fragment}`));
	}
}

/** The built commands, executed in @scratch from now on. If one fails, the test ends. */
export function prepare(build, scratch) {
	mkdirSync(scratch, {recursive: true});
	process.chdir(scratch);
	const command = name => (...rest) =>
		execFileSync(path.join(build, name), rest, {
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
			timeout: 300000,
			killSignal: "SIGKILL",
		});
	return {
		build,
		smile: command("bin/smile"),
		recording: command("tests/view/recordings"),
		sampled: command("tests/sample/mksampled"),
	};
}

/** Numbers below 16,384 in the encoding of the document: docs/view.md. */
export function packed(some) {
	const bytes = some.flatMap(n => (n < 128 ? [n] : [(n & 0x7f) | 0x80, n >> 7]));
	return Buffer.from(bytes).toString("base64");
}

/** A page with another document. */
export function altered(file, to, change) {
	const mark = 'id="document">',
		html = readFileSync(file, "utf8"),
		begin = html.indexOf(mark) + mark.length,
		end = html.indexOf("</script>", begin),
		document = JSON.parse(html.slice(begin, end));
	change(document);
	const text = JSON.stringify(document).replaceAll("<", "\\u003c");
	writeFileSync(to, html.slice(0, begin) + text + html.slice(end));
}
