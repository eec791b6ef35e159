// SPDX-License-Identifier: MIT
// State: the choices of the page, kept in the address after "#", so that a link shows the same.

const stateDefaults = {
	w: "overview",
	q: "",
	show: "all",
	sort: "lost",
	dir: "d",
	th: "2",
	hot: "",
	s: "64",
	from: "",
	to: "",
	page: "",
	src: "",
	dst: "",
	t: "",
	as: "",
	of: "",
	at: "",
	v: "",
	u: "packets",
	ph: "",
};
const state = {...stateDefaults};
const stateListeners = [];

function stateRead() {
	const given = new URLSearchParams(location.hash.slice(1));
	for (const key of Object.keys(stateDefaults))
		state[key] = given.get(key) ?? stateDefaults[key];
}

function stateText(changes) {
	const text = new URLSearchParams();
	for (const [key, value] of Object.entries({...state, ...changes}))
		if (String(value) !== stateDefaults[key]) text.set(key, value);
	return "#" + text;
}

/** Change the state. The browser's button "back" reverts a change of the window. */
function stateSet(changes) {
	const text = stateText(changes);
	if ("w" in changes && changes.w !== state.w) history.pushState(null, "", text);
	else history.replaceState(null, "", text);
	Object.assign(
		state,
		Object.fromEntries(Object.entries(changes).map(([k, v]) => [k, String(v)])),
	);
	stateListeners.forEach(listener => listener(changes));
}

window.addEventListener("popstate", () => {
	stateRead();
	stateListeners.forEach(l => l({}));
});

/** Number of a page and its home as one word, and back. */
function pageWord(page) {
	return `${model.number[page]}@${model.home[page]}`;
}

function pageOfState() {
	const [number, home] = state.page.split("@").map(Number);
	return state.page ? pageFind(number, Number.isNaN(home) ? undefined : home) : -1;
}

function openPage(number, home) {
	stateSet({w: "page", page: home === undefined ? number : `${number}@${home}`});
}
