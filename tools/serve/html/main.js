// SPDX-License-Identifier: MIT
// Packets: the page, with traces, conditions, and the state in the address.

const state = {traces: [], request: null};
const form = document.getElementById("conditions");
const list = new List(packetShow);

function traceNow() {
	return state.traces.find(trace => String(trace.trace) === form.elements.trace.value) ?? state.traces[0];
}

const numberOf = text => (/^(0x[0-9a-f]+|\d+)$/i.test(text) ? Number(text) : undefined);

/** Exact nanoseconds of a time in seconds as the list shows it: a JavaScript number has too few digits for them. */
function nanosecondsOf(text) {
	const found = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text);
	return found ? BigInt(found[1]) * 1000000000n + BigInt((found[2] ?? "").padEnd(9, "0")) : undefined;
}

/** The conditions as numbers for the server; undefined, with the field marked, if a field has no number. */
function conditionsNow() {
	const fields = form.elements,
		found = {},
		ranges = {request: 0xff * 2 ** 21, response: 0xff * 2 ** 29, none: 1};
	let wrong = false;
	const take = (name, text, key = name, parse = numberOf) => {
		const number = parse(text);
		if (number === undefined) {
			fields[name].classList.add("wrong");
			wrong = true;
		} else found[key] = number;
	};
	// A..B, A.. and ..B; a single A is A..A.
	const takeRange = (name, parse) => {
		const text = fields[name].value.trim(),
			ends = text.includes("..") ? text.split("..") : [text, text];
		if (ends[0]) take(name, ends[0].trim(), `${name}_first`, parse);
		if (ends[1]) take(name, ends[1].trim(), `${name}_last`, parse);
	};
	for (const name of ["source", "target", "transaction_id", "address", "time", "go"]) fields[name].classList.remove("wrong");
	for (const name of ["command", "source", "target", "transaction_id"]) if (fields[name].value.trim()) take(name, fields[name].value.trim());
	if (fields.types.value) found.types = ranges[fields.types.value];
	if (fields.malformed.checked) found.malformed = 1;
	takeRange("address", numberOf);
	takeRange("time", nanosecondsOf);
	return wrong ? undefined : found;
}

/** Write the fields into the address, so that a link shows the same packets to another reader. */
function stateKeep(packet) {
	const parameters = new URLSearchParams();
	for (const field of form.elements) if (field.name && field.name !== "go" && field.value && (field.type !== "checkbox" || field.checked)) parameters.set(field.name, field.value);
	if (packet !== undefined) parameters.set("packet", packet);
	history.replaceState(null, "", `#${parameters}`);
}

function stateRead() {
	const parameters = new URLSearchParams(location.hash.slice(1));
	for (const [name, value] of parameters) {
		const field = form.elements[name];
		if (!field) continue;
		if (field.type === "checkbox") field.checked = value === "1";
		else field.value = value;
	}
	const packet = Number(parameters.get("packet") ?? NaN);
	return Number.isInteger(packet) && packet >= 0 ? packet : -1;
}

async function packetShow(trace, number) {
	const section = document.getElementById("packet"),
		request = (state.request = {});
	try {
		const [packet, members] = await Promise.all([
			ask("packet.json", {trace, packet: number}), ask("transaction.json", {trace, packet: number})]);
		if (state.request !== request) return;
		packetDraw(section, packet, list, traceNow().packets);
		pathDraw(section.querySelector("#path"), members, state.traces, list.commands, {
			[packet.source]: packet.source_name, [packet.target]: packet.target_name});
		section.dataset.packet = number;
		stateKeep(number);
	} catch (error) {
		if (state.request === request) section.replaceChildren(element("p", {class: "lead"}, error.message));
	}
}

async function apply(anchor, chosen = -1) {
	const conditions = conditionsNow(),
		trace = traceNow();
	if (!conditions) return list.say("A condition is no number.", true);
	if (!trace) return list.say("The database has no traces.", true);
	const name = trace.node === null ? "" : `, node ${trace.node}${trace.node_name ? ` (${trace.node_name})` : ""}`;
	document.getElementById("origin").textContent = `${trace.name}${name}: ${count(trace.packets)} packets${trace.malformed ? `, ${count(trace.malformed)} malformed` : ""}${trace.damage ? `; the capture was damaged: ${trace.damage}` : ""}`;
	await list.show(trace, conditions, anchor);
	if (chosen >= 0) await list.reveal(chosen);
	else stateKeep();
	return undefined;
}

function themeSet(dark) {
	document.documentElement.dataset.theme = dark ? "dark" : "light";
	document.getElementById("theme").textContent = dark ? "Light" : "Dark";
}

async function begin() {
	themeSet(matchMedia("(prefers-color-scheme: dark)").matches);
	document.getElementById("theme").addEventListener("click", () => themeSet(document.documentElement.dataset.theme === "light"));
	const answer = await ask("traces.json", {});
	state.traces = answer.traces;
	list.commands = answer.commands;
	form.elements.trace.append(...answer.traces.map(trace => element("option", {value: trace.trace}, `${trace.trace}: ${trace.name}`)));
	const seen = new Set();
	for (const [number, name] of Object.entries(answer.commands)) {
		if (!seen.has(name)) form.elements.command.append(element("option", {value: number}, name));
		seen.add(name);
	}
	form.addEventListener("submit", event => {
		const go = form.elements.go.value.replace(/,/g, "").trim();
		event.preventDefault();
		if (go && !/^\d+$/.test(go)) list.say("Go to packet: no number.", true);
		else apply(go ? Number(go) : list.anchor, go && !Object.keys(conditionsNow() ?? {}).length ? Math.min(Number(go), traceNow().packets - 1) : -1);
	});
	form.addEventListener("reset", () => setTimeout(() => apply(list.anchor)));
	form.elements.trace.addEventListener("change", () => apply(0));
	await apply(0, stateRead());
	document.documentElement.dataset.ready = "1";
}

begin().catch(error => list.say(error.message, true));
