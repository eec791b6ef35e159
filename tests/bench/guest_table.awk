# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench: the lines of guest_bench_guest.sh as tables. Of several rounds of a way, the round with the fewest lost
# records counts; of equal rounds, the one with the least processor time of the guest.

function value(name,    i) {
	for (i = 1; i <= NF; i++)
		if (index($i, name "=") == 1)
			return substr($i, length(name) + 2)
	return ""
}

# Nanoseconds of processor time, less the time that an idle guest needs.
function net(ns, share,    result) {
	result = ns - value("wall_ns") * share
	return result > 0 ? result : 0
}

function number(n) {
	return n >= 1e6 ? n / 1e6 " M" : n / 1e3 " k"
}

function text(label) {
	return label in names ? names[label] : label
}

BEGIN {
	names["host-mmap"] = "driver, DMA ring, mmap"
	names["host-mmap-1ms"] = "  the same, latency_us=1000"
	names["host-mmap-half"] = "  the same, watermark 32768"
	names["host-read"] = "driver, DMA ring, read()"
	names["card-mmap"] = "driver, card's RAM, mmap"
	names["card-read"] = "driver, card's RAM, read()"
	names["poll-busy"] = "no driver, polling"
	names["poll-nap"] = "no driver, polling each 1 ms"
	names["uio"] = "uio_pci_generic, interrupts"
	names["memory"] = "bound: records in memory"
}

/^table=/ {
	split($1, part, "=")
	table = part[2]
	if (table == "loss")
		loss = 1
	else if (!(table in seen)) {
		seen[table] = 1
		tables[++table_count] = table
	}
}

value("label") == "idle" {
	idle_guest = value("busy_ns") / value("wall_ns")
	idle_host = value("processors_ns") / value("wall_ns")
}

value("label") != "" && table != "" && table != "loss" {
	label = value("label")
	key = table SUBSEP label
	if (!(label in known)) {
		known[label] = 1
		labels[++label_count] = label
	}
	guest = net(value("busy_ns"), idle_guest)
	if (key in records && (value("lost") > lost[key] ||
			       (value("lost") == lost[key] && guest >= cpu[key])))
		next
	records[key] = value("records")
	lost[key] = value("lost")
	sent[key] = value("sent")
	cpu[key] = guest
	host[key] = net(value("processors_ns"), idle_host)
	board[key] = value("board_ns")
	flow[key] = value("flow_ns")
	looking[key] = value("looking_ns")
	own[key] = value("interrupts")
	all[key] = value("all_interrupts")
	median[key] = value("median_us")
	late[key] = value("p99_us")
}

function row(table, label,    key, n, rival) {
	key = table SUBSEP label
	rival = table SUBSEP "poll-busy"
	n = records[key]
	printf "%-30s %9.0f %7.3f %9.3f %8.3f %8.3f %6.1f %6.1f %8.0f %8.0f", text(label),
		n * 1e9 / flow[key], 100 * lost[key] / sent[key], cpu[key] / n / 1e3,
		host[key] / n / 1e3, board[key] / n / 1e3,
		cpu[rival] / records[rival] * n / cpu[key],
		host[rival] / records[rival] * n / host[key], own[key] * 1e6 / n, all[key] * 1e6 / n
	if (median[key] != "")
		printf " %7.0f %8.0f", median[key], late[key]
	if (table == "full" && looking[key] != "")
		printf " %9.3f", looking[key] / n / 1e3
	printf "\n"
}

END {
	if (!table_count)
		exit !loss
	printf "One counter: each packet is a record. A guest that does nothing takes %.2f %% of its\n",
		100 * idle_guest
	printf "processor (%.2f %% of the host's); that is taken off.\n", 100 * idle_host
	for (t = 1; t <= table_count; t++) {
		table = tables[t]
		if (table == "full")
			title = "as fast as the card drains"
		else if (table == "lone")
			title = "200 packets and 200 events/s"
		else
			title = number(table) " packets/s"
		printf "\n%-30s %9s %7s %9s %8s %8s %6s %6s %8s %8s", title, "records/s", "lost %",
			"CPU us/r", "host's", "card's", "ratio", "host's", "irq/M", "all/M"
		printf table == "full" ? " %9s\n" : " %7s %8s\n", table == "full" ? "looking" : "median", "99 % us"
		for (l = 1; l <= label_count; l++)
			if ((table, labels[l]) in records)
				row(table, labels[l])
	}
	print ""
	print "CPU us/r: of the guest's processor, per record, all that is not idle: interrupts, kernel"
	print "threads, consumer. host's: what of that the host gave to it; the rest it waited for QEMU's"
	print "lock or for the host. card's: of QEMU's other threads, which do the card's work."
	print "ratio: records per CPU second against polling in the same table, by the guest's and by the"
	print "host's account. irq/M: the card's interrupts per million records; all/M: those of any kind."
	print "looking: microseconds a record in the consumer's own loop over the mapping, by the guest's"
	print "clock: what the consumer does with it, and its way to this processor."
	print "median, 99 %: from the card's raising of an event to the consumer's looking at its record."
	print "Of several rounds: the one with the least loss, and then the least CPU us/r."
}
