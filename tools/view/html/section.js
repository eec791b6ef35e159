// SPDX-License-Identifier: MIT
// Section: accesses within a page, and the curves of reads and writes.

/**
 * Accesses by [section][node] of blocks as in a binary heap (1: the page, 2 and 3: its halves...):
* blocks that are larger than a section are counted as straddling, and in no section.
 */
function sectionsOf(details, bytes, types) {
	const sections = model.doc.page_bytes / bytes,
		sums = new Float64Array(sections * model.nodes);
	let straddling = 0;
	for (const [block, node, type, n] of details) {
		if (!types.includes(type)) continue;
		const row = 2 ** Math.floor(Math.log2(block)),
			size = model.doc.page_bytes / row;
		if (size > bytes) straddling += n;
		else sums[Math.floor(((block - row) * size) / bytes) * model.nodes + node] += n;
	}
	return {sections, sums, straddling};
}

function readWriteCurves(to, area, reads, writes, most) {
	const each = area.width / reads.length;
	most = heightOf(most);
	[
		[reads, ink("accent"), []],
		[writes, ink("bad"), [5, 3]],
	].forEach(([values, colour, dash], curve) => {
		to.strokeStyle = colour;
		to.lineWidth = 1.6;
		to.setLineDash(dash);
		to.beginPath();
		values.forEach((n, i) =>
			to.lineTo(
				area.left + (i + 0.5) * each,
				area.top + area.height * (1 - n / most),
			),
		);
		to.stroke();
		if (reads.length <= 64)
			values.forEach((n, i) => {
				to.fillStyle = colour;
				to.fillRect(
					area.left + (i + 0.5) * each - 1.5,
					area.top + area.height * (1 - n / most) - 1.5,
					3,
					3,
				);
			});
		to.setLineDash([]);
		/* Draw the curves side by side: both may have the same values. */
		if (sampled() && each > 6)
			values.forEach((n, i) =>
				whisker(to, area, area.left + (i + 0.5) * each + 2 * curve - 1, n, most),
			);
	});
	to.setLineDash([]);
	to.lineWidth = 1;
}

function sectionWords(sections, bytes) {
	return Array.from({length: sections}, (_, i) => hex(i * bytes));
}
