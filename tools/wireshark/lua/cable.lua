-- ---- the SCI cable ---------------------------------------------------------------------------
--
-- Packets of link type 148 (USER1), docs/cable.md: fields, and what is damaged. The masks are those of
-- include/hw/cable.h.

local smile_cable = Proto("smile_cable", "SCI cable")
local cable_phases = {[0] = "no try", "do try", "retry A", "retry B"}

local function cable_field(name, title, mask, values, display)
	return ProtoField.uint16("smile_cable." .. name, title, display or base.DEC, values, mask)
end

local cf = {
	type = ProtoField.uint8("smile_cable.type", "Packet type", base.DEC),
	kind = cable_field("kind", "Kind [D]", nil, {"packet", "idles", "sync"}),
	target = cable_field("target", "target node [H]"),
	symbol = cable_field("command_symbol", "Command symbol", nil, nil, base.HEX),
	mpr = cable_field("mpr", "maximum ringlet priority [M]", cable.MPR),
	spr = cable_field("spr", "send priority [M]", cable.SPR),
	phase = cable_field("phase", "phase [D]", cable.PHASE, cable_phases),
	old = cable_field("old", "has passed the scrubber [M]", cable.OLD),
	echo = cable_field("echo", "echo [M]", cable.ECHO),
	extended = cable_field("extended", "extended header [M]", cable.EXTENDED),
	command = cable_field("command", "command [H]", cable.CODE, command_names),
	busy = cable_field("busy", "not accepted [M]", cable.BUSY),
	response = cable_field("response", "echo of a response [M]", cable.RESPONSE),
	echo_id = cable_field("echo_transaction_id", "transaction id [M]", cable.TRANSACTION),
	source = cable_field("source", "source node [H]"),
	control = cable_field("control", "Control symbol", nil, nil, base.HEX),
	trace = cable_field("trace", "trace [M]", cable.CONTROL_TRACE),
	tod_exponent = cable_field("tod_exponent", "time of death, exponent [M]", cable.TOD_EXPONENT),
	tod_mantissa = cable_field("tod_mantissa", "time of death, mantissa [M]", cable.TOD_MANTISSA),
	tpr = cable_field("tpr", "transaction priority [M]", cable.TPR),
	id = cable_field("transaction_id", "transaction id [H]", cable.CONTROL_TRANSACTION),
	address = ProtoField.uint64("smile_cable.address", "address [D]", base.HEX),
	status = cable_field("status", "status", nil, nil, base.HEX),
	header = ProtoField.bytes("smile_cable.extended_header", "Extended header"),
	data = ProtoField.bytes("smile_cable.data", "Data"),
	crc = cable_field("crc", "CRC [M]", nil, nil, base.HEX),
	idle = cable_field("flow", "flow control [D]", cable.FLOW, nil, base.HEX),
	count = ProtoField.uint32("smile_cable.count", "idle symbols [D]"),
	rest = ProtoField.bytes("smile_cable.rest", "What stands there"),
}
smile_cable.fields = cf

local damage = ProtoExpert.new("smile_cable.malformed", "The packet is damaged",
	expert.group.MALFORMED, expert.severity.ERROR)
smile_cable.experts = {damage}

-- Lua 5.2 (Wireshark up to 4.2) has functions for bits; 5.4 (from 4.4 on) has operators, which 5.2 cannot read.
local bits = bit32 or load([[return {
	band = function(a, b) return a & b end,
	bxor = function(a, b) return a ~ b end,
	lshift = function(a, count) return a << count end,
	btest = function(a, b) return a & b ~= 0 end,
}]])()

local function symbol_at(tvb, number)
	return tvb(2 * number, 2):le_uint()
end

-- Over the symbols from 1 on, but the last.
local function cable_crc(tvb, symbols)
	local value = cable.CRC_BEGIN

	for number = 1, symbols - 1 do
		value = bits.bxor(value, symbol_at(tvb, number))
		for _ = 1, 16 do
			value = bits.lshift(value, 1)
			if value > 0xffff then
				value = bits.bxor(bits.band(value, 0xffff), cable.CRC_POLYNOMIAL)
			end
		end
	end
	return value
end

local function symbols_add(tree, tvb, number, names)
	for _, name in ipairs(names) do
		tree:add_le(cf[name], tvb(2 * number, 2))
	end
end

-- What is wrong with a packet that ends behind symbol @last instead of @count.
local function end_check(tvb, last, count)
	if count ~= last then
		return count < last and "ends too early" or "is too long for its command"
	end
	return cable_crc(tvb, count) ~= symbol_at(tvb, count) and "has a wrong CRC" or nil
end

-- Request, response or echo. Return: type, text, what is wrong.
local function packet_add(tree, tvb, count)
	local symbol = symbol_at(tvb, 2)
	local echo, extended = bits.btest(symbol, cable.ECHO), bits.btest(symbol, cable.EXTENDED)
	local command, at = commands[bits.band(symbol, cable.CODE)], 5
	local branch

	symbols_add(tree, tvb, 1, {"target"})
	branch = tree:add_le(cf.symbol, tvb(4, 2))
	symbols_add(branch, tvb, 2, {"mpr", "spr", "phase", "old", "echo"})
	symbols_add(tree, tvb, 3, {"source"})
	if echo then
		local response = bits.btest(symbol, cable.RESPONSE)

		symbols_add(branch, tvb, 2, {"busy", "response", "echo_id"})
		symbols_add(tree, tvb, count, {"crc"})
		return response and cable.TYPE_RESPONSE_ECHO or cable.TYPE_REQUEST_ECHO,
			string.format("echo of a %s, id %d%s", response and "response" or "request",
				bits.band(symbol, cable.TRANSACTION),
				bits.btest(symbol, cable.BUSY) and ", busy" or ""), end_check(tvb, 4, count)
	end
	symbols_add(branch, tvb, 2, {"extended", "command"})
	if not command or not first_types[command.class] then
		return 0, "packet", "has a command that does not exist"
	end

	local response = command.class == "RESPONSE"
	local first = response and (extended and cable.TYPE_RESPONSE_EXTENDED or cable.TYPE_RESPONSE) or
		(extended and cable.TYPE_REQUEST_EXTENDED or cable.TYPE_REQUEST)
	local last = 4 + (response and 1 or 3) + (extended and 8 or 0) + command.payload / 2 + 1
	local type, text = first + sizes[command.payload], command.name

	if count < last then
		return type, text, "ends too early"
	end
	branch = tree:add_le(cf.control, tvb(8, 2))
	symbols_add(branch, tvb, 4, {"trace", "tod_exponent", "tod_mantissa", "tpr", "id"})
	if response then
		symbols_add(tree, tvb, at, {"status"})
		at = at + 1
	else
		local low = symbol_at(tvb, at + 1) * 65536 + symbol_at(tvb, at + 2)
		local address = UInt64.new(low, symbol_at(tvb, at))

		tree:add(cf.address, tvb(2 * at, 6), address)
		text = text .. " 0x" .. address:tohex():gsub("^0+(%x)", "%1")
		at = at + 3
	end
	if extended then
		tree:add(cf.header, tvb(2 * at, 16))
		at = at + 8
	end
	if command.payload > 0 then
		tree:add(cf.data, tvb(2 * at, command.payload))
	end
	symbols_add(tree, tvb, last, {"crc"})
	return type, text .. ", id " .. symbol_at(tvb, 4) % 64, end_check(tvb, last, count)
end

local function idles_add(tree, tvb, count)
	local flow

	if count ~= 3 then
		return cable.TYPE_IDLES, "idles", count < 3 and "ends too early" or "is too long"
	end
	flow = symbol_at(tvb, 1)
	symbols_add(tree, tvb, 1, {"idle"})
	tree:add_le(cf.count, tvb(4, 4))
	return cable.TYPE_IDLES, string.format("%d idles", tvb(4, 4):le_uint()),
		(tvb(4, 4):le_uint() == 0 or math.floor(flow / 256) + flow % 256 ~= 255) and
			"has damaged idle symbols" or nil
end

local function sync_add(tree, tvb, count)
	local wrong = count ~= cable.SYNC_SYMBOLS or symbol_at(tvb, count) ~= 0

	for number = 1, count - 1 do
		wrong = wrong or symbol_at(tvb, number) ~= cable.SYNC_SYMBOL
	end
	return cable.TYPE_SYNC, "sync", wrong and "is no sync packet" or nil
end

local cable_kinds = {packet_add, idles_add, sync_add}

function smile_cable.dissector(tvb, pinfo, root)
	local bytes = tvb:len()
	local tree, count = root:add(smile_cable, tvb()), math.floor(bytes / 2) - 1
	local type, text, wrong = 0, "packet", nil
	local add

	pinfo.cols.protocol = "SCI cable"
	if bytes >= 2 then
		tree:add_le(cf.kind, tvb(0, 2))
		add = cable_kinds[tvb(0, 2):le_uint()]
	end
	if bytes < 2 then
		wrong = "is empty"
	elseif bytes % 2 == 1 then
		wrong = "ends within a symbol"
	elseif not add then
		wrong = "is of an unknown kind"
	elseif add == packet_add and count < 4 then
		wrong = "ends too early"
	else
		type, text, wrong = add(tree, tvb, count)
	end
	tree:add(cf.type, type):set_generated()
	if wrong then
		tree:add_proto_expert_info(damage, "The packet " .. wrong)
		text = "malformed: " .. text .. " " .. wrong
	end
	if type > 0 and add == packet_add then
		pinfo.cols.src = "node " .. symbol_at(tvb, 3)
		pinfo.cols.dst = "node " .. symbol_at(tvb, 1)
	end
	pinfo.cols.info = text
	return bytes
end

DissectorTable.get("wtap_encap"):add(wtap.USER1, smile_cable)
