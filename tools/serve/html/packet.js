// SPDX-License-Identifier: MIT
// Packets: one packet, field by field, with the bits of each field.

/** The words of a frame that have fields, with the places of the fields, from the JSON of a packet. */
function wordsOf(packet) {
	const words = [];
	for (const place of packet.places) {
		const last = words[words.length - 1];
		if (last && last.byte === place.byte) last.places.push(place);
		else words.push({name: place.word, byte: place.byte, places: [place]});
	}
	for (const word of words) {
		const bytes = packet.frame.slice(2 * word.byte, 2 * word.byte + 16);
		// Little-endian: the last byte is the highest.
		word.value = BigInt(`0x${bytes.match(/../g).reverse().join("")}`);
	}
	return words;
}

/** 64 cells, the highest bit first; each has the name of its field. */
function bitsOf(word) {
	const strip = element("div", {class: "bits", role: "img", "aria-label": `bits of ${word.name}`});
	for (let bit = 63; bit >= 0; bit--) {
		const index = word.places.findIndex(place => bit >= place.bit && bit < place.bit + place.bits),
			place = word.places[index],
			value = String((word.value >> BigInt(bit)) & 1n),
			kind = `${index % 2 ? "odd" : ""} ${place && bit === place.bit + place.bits - 1 ? "first" : ""}`;
		strip.append(
			element("span", {class: kind.trim(), "data-field": place ? place.name : "",
				title: `bit ${bit}: ${place ? place.name : "no field"}`}, value),
		);
	}
	return strip;
}

function meaningOf(packet, place, commands) {
	if (place.name === "command") return commands[place.value] ?? "no such command";
	return {source: packet.source_name, target: packet.target_name, address: packet.segment_name}[place.name] ?? "";
}

function fieldsOf(packet, commands) {
	const table = element("table", {class: "fields"},
			element("thead", {}, element("tr", {}, ...["field", "bits", "value", "", "meaning, confidence"].map(text => element("th", {}, text))))),
		body = element("tbody");
	for (const place of packet.places) {
		const meaning = meaningOf(packet, place, commands),
			bits = place.bits > 1 ? `${place.bit + place.bits - 1}-${place.bit}` : place.bit;
		body.append(
			element("tr", {"data-field": place.name},
				element("td", {}, place.name), element("td", {}, `${place.word} ${bits}`),
				element("td", {class: "v"}, place.bits > 16 ? `0x${place.value.toString(16)}` : String(place.value)),
				element("td", {}, meaning), element("td", {}, `${place.title} [${place.mark}]`)),
		);
	}
	table.append(body);
	return table;
}

function dataOf(hex) {
	const lines = hex.match(/.{1,32}/g) ?? [];
	return lines.map((line, i) => `${(16 * i).toString(16).padStart(4, "0")}  ${line.match(/../g).join(" ")}`).join("\n");
}

/** Highlight the field under the pointer, and its bits. */
function pointAt(section, name) {
	for (const part of section.querySelectorAll("[data-field]")) part.classList.toggle("on", Boolean(name) && part.dataset.field === name);
}

function packetDraw(section, packet, list, total) {
	const to = (text, number) => {
			const button = element("button", {type: "button"}, text);
			button.disabled = number === null || number < 0 || number >= total;
			button.addEventListener("click", () => list.reveal(number));
			return button;
		},
		words = wordsOf(packet);
	section.replaceChildren(
		element("h2", {}, `Packet ${count(packet.packet)} of trace ${packet.trace}`),
		element("p", {class: "lead"}, `Type ${packet.type}: ${packet.type_text}. ${seconds(packet.time_ns)} s. ${packet.frame.length / 2} bytes.`),
		...(packet.fault ? [element("p", {class: "lead"}, element("b", {class: "bad"}, `Malformed: ${packet.fault_text}.`))] : []),
		element("div", {class: "steps"}, to("Previous", packet.packet - 1), to("Next", packet.packet + 1),
			...(packet.request === null ? [] : [to(`Its request: ${count(packet.request)}`, packet.request)]),
			...(packet.response === null ? [] : [to(`Its response: ${count(packet.response)}`, packet.response)])),
		element("div", {id: "path"}),
		element("h3", {}, "Bits"),
		...words.map(word => element("div", {class: "word"}, element("div", {}, word.name, element("br"), element("code", {}, `0x${word.value.toString(16).padStart(16, "0")}`)), bitsOf(word))),
		element("h3", {}, "Fields"),
		fieldsOf(packet, list.commands),
	);
	if (packet.data) section.append(element("h3", {}, `Data, ${packet.data.length / 2} bytes`), element("pre", {class: "data"}, dataOf(packet.data)));
	section.onmouseover = event => pointAt(section, event.target.closest("[data-field]")?.dataset.field);
	section.onmouseleave = () => pointAt(section, "");
}
