# SPDX-License-Identifier: GPL-2.0 OR MIT
# Sum up what `smile dump` prints: a line for each phase, type, source, destination, range and packet,
# with its count. A stream and a counting recording of the same accesses give the same lines.
# Sort the output. -v block=BYTES: a range counts as the block of so many bytes that it lies in, as exact
# counts have it.
function value(key,    at) {
	if (!match($0, "\"" key "\":[^,}]*"))
		return "-"
	at = length(key) + 3
	return substr($0, RSTART + at, RLENGTH - at)
}
/"kind":"(dynamic|count)"/ {
	address = value("address")
	if (block)
		address -= address % 4096 % block
	sum[phase + 0 " " value("type") " " value("source") " " value("destination") " " \
		sprintf("%.0f", address) " " (block ? block : value("length_bytes")) " " \
		value("response")] += value("count")
}
/"kind":"event"/ { print; if (value("phase") == "true") phase++ }
/"kind":"(static|overflow)"/ {
	sum["static " phase + 0 " " value("index") " " value("type")] += value("count")
}
END { for (key in sum) print key, sum[key] }
