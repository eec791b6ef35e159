# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench: loss by rate, way and ring, from the lines of guest_bench_guest.sh, as comma-separated values.

function value(name,    i) {
	for (i = 1; i <= NF; i++)
		if (index($i, name "=") == 1)
			return substr($i, length(name) + 2)
	return ""
}

BEGIN {
	print "way,ring_records,pause_ms,packets_per_s_asked,packets_per_s,packets,lost"
}

# The try with the least loss counts.
/^ring=/ {
	key = value("label") "," value("ring") "," value("pause") "," value("rate")
	if (key in lost && value("lost") / value("sent") >= lost[key] / sent[key])
		next
	if (!(key in lost))
		keys[++count] = key
	rate[key] = value("sent") * 1e9 / value("wall_ns")
	sent[key] = value("sent")
	lost[key] = value("lost")
}

END {
	for (i = 1; i <= count; i++)
		printf "%s,%.0f,%d,%d\n", keys[i], rate[keys[i]], sent[keys[i]], lost[keys[i]]
	exit !count
}
