// SPDX-License-Identifier: GPL-2.0 OR MIT
// The harness of the suites in JavaScript: named checks, their count, and the closing line of a suite, as
// test.sh for shell scripts. May use only Node's own library.
import {isDeepStrictEqual} from "node:util";

const tally = {passed: 0, failed: 0, skipped: 0};

export function check(name, isSo, got = "") {
	tally[isSo ? "passed" : "failed"]++;
	console.log((isSo ? "ok " : "not ok ") + name.replaceAll("\n", "?"));
	if (isSo) return;
	const text = typeof got === "string" ? got : (JSON.stringify(got) ?? String(got));
	console.log(`  got: ${text.slice(0, 1500)}`);
}

/** Compares nested values, and types: 1 is not "1". */
export function equal(name, expected, got) {
	check(
		name,
		isDeepStrictEqual(got, expected),
		`${JSON.stringify(got)}\n  expected: ${JSON.stringify(expected)}`,
	);
}

/**
 * Skip @count checks. With SMILE_NEEDS_BROWSER=1, which `make check` sets, no check may be skipped.
 */
export function skip(why, count = 1) {
	const needed = process.env.SMILE_NEEDS_BROWSER === "1";
	tally[needed ? "failed" : "skipped"] += count;
	console.log(needed ? `not ok ${count} checks that are needed: ${why}` : `skipped ${count}: ${why}`);
}

/**
 * Run @body, which has @planned checks, and close. If something is @missing, all of them are skipped.
 * If the number of checks differs from @planned, the suite fails, as after an unexpected error. The
 * process ends with the suite, even if files or connections are still open.
 */
export async function suite(planned, missing, body) {
	try {
		if (missing) skip(missing, planned);
		else await body();
	} catch (error) {
		check("no unexpected error", false, error.stack);
	}
	const count = tally.passed + tally.failed + tally.skipped;
	if (count !== planned) check(`${planned} checks are planned`, false, `${count} were made`);
	const {passed, failed, skipped} = tally;
	process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`, () =>
		process.exit(failed ? 1 : 0),
	);
}
