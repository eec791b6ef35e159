// SPDX-License-Identifier: MIT
// Samples: recordings whose counts are estimates. Each is shown with its 95 % band.

/** The mark of such recordings; undefined if counts are exact. */
const sampled = () => model.doc.sampled;

/** Do samples say whether they are reads or writes? Exact counts do, or say that they do not. */
const typesKnown = () => !sampled() || !model.doc.untyped;

/** The 95 % band of a count of samples: [low, high], from those that the document has. */
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

/** A count of accesses, in the form of count() or short(); of samples, with its band, rounded outwards. */
function tally(n, form = count) {
	if (!sampled()) return form(n);
	const end = (x, round) => {
		/* short() has three digits of what is above 10,000. */
		const shortened = form === short && x >= 1e4 ? Math.floor(Math.log10(x)) - 2 : 0,
			unit = 10 ** shortened;
		return x < 10 ? (round(x * 10) / 10).toFixed(1) : form(round(x / unit) * unit);
	};
	const [low, high] = bandOf(n);
	return `${form(n)} [${end(low, Math.floor)}–${end(high, Math.ceil)}]`;
}

/** The highest of a diagram with bands in it. */
const heightOf = most => (sampled() ? Math.max(bandOf(most)[1], most) : most);

/** What remote accesses cost: cycles; samples do not tell, so that it is their number. */
const lossUnit = () => (sampled() ? "remote samples" : "cycles");

function losses(n) {
	return `${tally(n, short)} ${lossUnit()}`;
}

/** A note on what counts are. */
function samplesNote() {
	const {source, unit} = sampled();
	return `Estimates: all counts are of samples (${unit}, source ${source}), and [A–B] behind one is its 95 % band, for the expected number of samples. A page lies on the wrong node if another one has more than half of its samples, and the lower end of that share's band is above one half, too, hardly by chance: see smile-advise(1). smile-sample(1) says what a sample is.`;
}
