// SPDX-License-Identifier: GPL-2.0 OR MIT
// Functions that the benches of pages share: a median, and the memory of a browser's processes.
import {readFileSync, readdirSync} from "node:fs";

export function median(list) {
	const sorted = [...list].sort((a, b) => a - b);
	return sorted[sorted.length >> 1];
}

/** The kernel's data of each process: its parent, and its peak memory in kilobytes. */
function processes() {
	const found = new Map();
	for (const pid of readdirSync("/proc").filter(name => /^\d+$/.test(name)))
		try {
			const status = readFileSync(`/proc/${pid}/status`, "ascii"),
				number = key => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1]);
			found.set(Number(pid), {parent: number("PPid"), peak: number("VmHWM") || 0});
		} catch {
			continue; // It has ended meanwhile.
		}
	return found;
}

/** The peak memory, in kilobytes, of the largest process among the descendants of @pid. */
export function largestProcess(pid) {
	const all = processes();
	let peak = 0;
	for (const [own, {parent, peak: bytes}] of all) {
		let above = parent;
		while (above > 1 && above !== pid) above = all.get(above)?.parent ?? 0;
		if (own !== pid && above === pid) peak = Math.max(peak, bytes);
	}
	return peak;
}
