--
-- Dissector of B-Link frames for Wireshark and tshark, link type 147 (USER0).
--
-- What lives here: fields, columns, pairing of requests and responses, and what is malformed. The
-- tables in front are made while building. Lua 5.2 has no 64-bit integers: what is longer than 32
-- bits is a UInt64.

local smile = Proto("smile", "SMiLE B-Link")
local word_at = {BD1 = 0, BD2 = 8, EXTENDED_0 = 16, EXTENDED_1 = 24}
local sizes = {[0] = 0, [16] = 1, [64] = 2, [256] = 3}
local size_texts = {"0", "16", "64", "256"}

-- ---- fields ----------------------------------------------------------------------------------

local command_names, type_names = {}, {[0] = "none"}
for number, command in pairs(commands) do
	command_names[number] = command.name
end
for class, firsts in pairs(first_types) do
	for extended, first in pairs(firsts) do
		for size = 0, 3 do
			type_names[first + size] = string.format("%s-send%s, %s bytes", class:lower(),
				extended and ", extended header" or "", size_texts[size + 1])
		end
	end
end

local protos = {
	type = ProtoField.uint8("smile.type", "Packet type", base.DEC, type_names),
	malformed = ProtoField.bool("smile.malformed", "Malformed"),
	words = ProtoField.uint16("smile.words", "Words"),
	bd1 = ProtoField.uint64("smile.bd1", "BD1", base.HEX),
	bd2 = ProtoField.uint64("smile.bd2", "BD2", base.HEX),
	header = ProtoField.bytes("smile.extended_header", "Extended header"),
	data = ProtoField.bytes("smile.data", "Data"),
	trailer = ProtoField.uint64("smile.trailer", "Trailer", base.HEX),
	rest = ProtoField.bytes("smile.rest", "What stands there"),
	request = ProtoField.framenum("smile.request", "Answers the request in", base.NONE,
		frametype.REQUEST),
	response = ProtoField.framenum("smile.response", "Answered by the response in", base.NONE,
		frametype.RESPONSE),
	time = ProtoField.relative_time("smile.response_time", "Response time"),
	time_ns = ProtoField.uint64("smile.response_ns", "Response time in nanoseconds"),
}

-- A field that fits 16 bits is shown with its bits; of others the value is taken out here.
for _, field in ipairs(fields) do
	local name, title = "smile." .. field.name, field.title .. " [" .. field.mark .. "]"

	field.first = math.floor(field.shift / 8)
	field.bytes = math.floor((field.shift + field.bits - 1) / 8) - field.first + 1
	if field.bits > 16 then
		field.proto = ProtoField.uint64(name, title, base.HEX)
	else
		local mask = (2 ^ field.bits - 1) * 2 ^ (field.shift % 8)
		local make = field.bytes == 1 and ProtoField.uint8 or ProtoField.uint16

		field.mask = mask
		field.proto = make(name, title, field.word == "TRAILER" and base.HEX or base.DEC,
			field.name == "command" and command_names or nil, mask)
	end
	protos["field_" .. field.name] = field.proto
end
smile.fields = protos

local function malformed(name, text)
	return ProtoExpert.new("smile.malformed." .. name, text, expert.group.MALFORMED,
		expert.severity.ERROR)
end

local experts = {
	short = malformed("short", "The frame ends before BD1 and BD2 do"),
	ragged = malformed("ragged", "The length is no whole number of 64-bit words"),
	long = malformed("long", "The frame has more words than any B-Link frame"),
	unknown = malformed("unknown", "The command does not exist"),
	length = malformed("length", "The frame has another length than its command calls for"),
	cut = malformed("cut", "The capture holds a part of the frame only"),
	lone = ProtoExpert.new("smile.lone_response", "No request for this response in the capture",
		expert.group.SEQUENCE, expert.severity.NOTE),
}
smile.experts = experts

-- ---- requests and responses ------------------------------------------------------------------

-- waiting: by requester * 64 + transaction id: the request's frame, target, time. request_of and
-- response_of: frame numbers. answered_ns: by the response's frame.
local waiting, request_of, response_of, answered = {}, {}, {}, {}
function smile.init()
	waiting, request_of, response_of, answered = {}, {}, {}, {}
end

-- Nanoseconds since the first frame. A number has 53 bits: exact within 104 days.
local function now_ns(pinfo)
	return math.floor(pinfo.rel_ts * 1e9 + 0.5)
end

local function pair(number, frame, now)
	local class = frame.command and frame.command.class

	if class == "REQUEST" then
		waiting[frame.source * 64 + frame.transaction] = {number = number, target = frame.target, ns = now}
		return
	end
	local key = frame.target * 64 + frame.transaction
	local request = waiting[key]

	if class ~= "RESPONSE" or not request or request.target ~= frame.source then
		return
	end
	waiting[key] = nil
	request_of[number], response_of[request.number] = request.number, number
	if now >= request.ns then
		answered[number] = now - request.ns
	end
end

-- ---- the tree --------------------------------------------------------------------------------

local function has(field, frame)
	if field.of == "REQUEST" then
		return frame.command and frame.command.class ~= "RESPONSE"
	elseif field.of == "RESPONSE" then
		return frame.command and frame.command.class == "RESPONSE"
	end
	return field.of == "ALL" or frame.extended
end

local function fields_add(tree, tvb, word, at, frame)
	for _, field in ipairs(fields) do
		if field.word == word and has(field, frame) then
			local range = tvb(at + field.first, field.bytes)

			if field.mask then
				tree:add_le(field.proto, range)
			else
				local value = range:le_uint64()

				tree:add(field.proto, range, field.bits % 8 == 0 and value or
					value:band(UInt64.new(0xffffffff, 2 ^ (field.bits - 32) - 1)))
			end
		end
	end
end

-- A word with its fields below it.
local function word_add(tree, tvb, proto, word, at, frame)
	fields_add(tree:add_le(proto, tvb(at, 8)), tvb, word, at, frame)
end

local function links_add(tree, number)
	local ns = answered[number] or answered[response_of[number] or 0]

	if request_of[number] then
		tree:add(protos.request, request_of[number]):set_generated()
	end
	if response_of[number] then
		tree:add(protos.response, response_of[number]):set_generated()
	end
	if ns then
		tree:add(protos.time, NSTime.new(math.floor(ns / 1e9), ns % 1e9)):set_generated()
		tree:add(protos.time_ns, UInt64.new(ns % 2 ^ 32, math.floor(ns / 2 ^ 32))):set_generated()
	end
end

-- What is wrong with a frame that has BD1 and BD2: a key of experts, or nil.
local function fault_of(frame, bytes)
	if bytes % 8 ~= 0 then
		return "ragged"
	elseif bytes > frame_bytes_max then
		return "long"
	elseif not frame.command then
		return "unknown"
	elseif bytes ~= 24 + frame.header + frame.command.payload then
		return "length"
	end
end

local function fault_add(tree, fault)
	tree:add(protos.malformed, true):set_generated()
	tree:add_proto_expert_info(experts[fault])
end

local function frame_of(tvb)
	local symbol, id = tvb(2, 2):le_uint(), tvb(6, 2):le_uint()
	local frame = {source = tvb(0, 2):le_uint(), target = tvb(4, 2):le_uint(),
		number = symbol % 128, extended = math.floor(symbol / 128) % 2 == 1,
		transaction = id % 64}
	local firsts

	frame.command = commands[frame.number]
	frame.header = frame.extended and 16 or 0
	firsts = frame.command and first_types[frame.command.class]
	frame.type = firsts and firsts[frame.extended] + sizes[frame.command.payload] or 0
	return frame
end

local function body_add(tree, tvb, frame, fault)
	local bytes = tvb:len()
	local at, last = 16, fault and bytes or bytes - 8

	if frame.extended and last >= at + 16 then
		local header = tree:add(protos.header, tvb(at, 16))

		fields_add(header, tvb, "EXTENDED_0", at, frame)
		fields_add(header, tvb, "EXTENDED_1", at + 8, frame)
		at = at + 16
	elseif frame.extended then
		frame.extended = false
	end
	if last > at then
		tree:add(fault and protos.rest or protos.data, tvb(at, last - at))
	end
	if not fault then
		word_add(tree, tvb, protos.trailer, "TRAILER", last, frame)
	end
end

local function info_of(tvb, frame, number)
	local name = frame.command and frame.command.name or string.format("command 0x%02x", frame.number)
	local info = name

	if frame.command and frame.command.class ~= "RESPONSE" then
		info = info .. " 0x" .. tvb(8, 6):le_uint64():tohex():gsub("^0+(%x)", "%1")
	end
	info = info .. ", id " .. frame.transaction
	if request_of[number] then
		info = info .. ", answers " .. request_of[number]
		if answered[number] then
			info = info .. string.format(" after %.0f ns", answered[number])
		end
	elseif response_of[number] then
		info = info .. ", answered by " .. response_of[number]
	end
	return info
end

function smile.dissector(tvb, pinfo, root)
	local bytes = tvb:len()
	local tree, frame, fault = root:add(smile, tvb())

	pinfo.cols.protocol = "B-Link"
	if bytes < 16 then
		tree:add(protos.type, 0):set_generated()
		fault_add(tree, "short")
		if bytes > 0 then
			tree:add(protos.rest, tvb())
		end
		pinfo.cols.info = "malformed: short frame of " .. bytes .. " bytes"
		return bytes
	end
	frame = frame_of(tvb)
	fault = fault_of(frame, bytes)
	if not pinfo.visited then
		pair(pinfo.number, frame, now_ns(pinfo))
	end
	tree:append_text(string.format(", node %d to node %d", frame.source, frame.target))
	tree:add(protos.type, frame.type):set_generated()
	tree:add(protos.words, math.floor(bytes / 8)):set_generated()
	word_add(tree, tvb, protos.bd1, "BD1", 0, frame)
	word_add(tree, tvb, protos.bd2, "BD2", 8, frame)
	body_add(tree, tvb, frame, fault)
	links_add(tree, pinfo.number)
	if fault then
		fault_add(tree, fault)
	elseif frame.command.class == "RESPONSE" and not request_of[pinfo.number] then
		tree:add_proto_expert_info(experts.lone)
	end
	if tvb:reported_len() > bytes then
		tree:add_proto_expert_info(experts.cut)
	end
	pinfo.cols.src = "node " .. frame.source
	pinfo.cols.dst = "node " .. frame.target
	pinfo.cols.info = (fault and "malformed: " or "") .. info_of(tvb, frame, pinfo.number)
	return bytes
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, smile)
