// SPDX-License-Identifier: MIT
// Samples: recordings whose counts are estimates. Each count is shown with its 95 % band.

/** The document's member for sampled recordings; undefined if counts are exact. */
const sampled = () => model.doc.sampled;

/** Are the types of accesses known? Exact counts have types, or the page warns that they have none. */
const typesKnown = () => !sampled() || !model.doc.untyped;

/** The 95 % band of a count of samples: [low, high], from the bands in the document. */
function bandOf(n) {
	const bands = sampled().bands;
	let i = bands.length - 1;
	if (n < bands.length && bands[n][0] === n) return bands[n].slice(1);
	while (i > 0 && bands[i][0] > n) i--;
	const [from, low, high] = bands[i],
		[to, lowTo, highTo] = bands[i + 1] || bands[i],
		part = to > from ? (n - from) / (to - from) : 0;
	return [low + part * (lowTo - low), high + part * (highTo - high)];
}

/** A count of accesses, in the form of count() or short(). A count of samples has its band, rounded outwards. */
function tally(n, form = count) {
	if (!sampled()) return form(n);
	const end = (x, round) => {
		/* short() has three digits of numbers above 10,000. */
		const shortened = form === short && x >= 1e4 ? Math.floor(Math.log10(x)) - 2 : 0,
			unit = 10 ** shortened;
		return x < 10 ? (round(x * 10) / 10).toFixed(1) : form(round(x / unit) * unit);
	};
	const [low, high] = bandOf(n);
	return `${form(n)} [${end(low, Math.floor)}–${end(high, Math.ceil)}]`;
}

/** The highest value of a diagram, with its band. */
const heightOf = most => (sampled() ? Math.max(bandOf(most)[1], most) : most);

/** The unit of the cost of remote accesses: cycles. Samples have no cycles, so their number is used. */
const lossUnit = () => (sampled() ? "remote samples" : "cycles");

function losses(n) {
	return `${tally(n, short)} ${lossUnit()}`;
}

/** A note on the meaning of counts. */
function samplesNote() {
	const {source, unit} = sampled();
	return `Estimates: all counts are of samples (${unit}, source ${source}), and [A–B] behind a count is its 95 % band, for the expected number of samples. A page lies on the wrong node if another node has more than half of its samples, the lower end of the band of this share is also above one half, and chance is an unlikely reason: see smile-advise(1). smile-sample(1) explains what a sample is.`;
}
