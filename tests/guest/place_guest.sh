#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, run programs with smile place on four nodes. The script writes the nodes of their
# pages, as the kernel reports them, to files in the shared directory. The host compares them with
# the placement.
# shellcheck source=tests/guest/nodes_guest.sh
. /host/nodes_guest.sh

# maps_keep PID NAME: save the kernel's lists of the process's memory.
maps_keep() {
	cat "/proc/$1/numa_maps" >"/host/$2.numa_maps" && cat "/proc/$1/maps" >"/host/$2.maps"
}

# other_process PID FILE: print the structures in FILE, with the nodes of their pages, as another
# process gets them.
other_process() {
	while read -r structure number from bytes _; do
		pages=$(((from + bytes - 1) / 4096 - from / 4096 + 1))
		echo "$structure $number $from $bytes $(page_nodes "$1" "$from" $pages)"
	done <"$2"
}

smile doctor --json >/host/doctor.json
cat /proc/sys/kernel/numa_balancing

# several_begin NAME PLACEMENT: start the program several, which runs until several_end.
several_begin() {
	rm -f input "$1.out"
	mkfifo input
	smile place --json "/host/$1.json" "/host/$2" -- several wait <input >"$1.out" 2>"/host/$1.err" &
	smile=$!
	exec 4>input
	awaits grep -q '^named' "$1.out"
	program=$(pidof several)
	cp "$1.out" "/host/$1.out"
}
several_end() {
	exec 4>&-
	wait $smile || fail "several: status $?"
}

several_begin several several.place
maps_keep "$program" several
other_process "$program" several.out >/host/several.other
several_end

# Another process moves three pages.
several_begin moved several.place
named=$(sed -n 's/^named 0 \([0-9]*\) .*/\1/p' moved.out)
page_nodes "$program" "$named" 3 1 || exit 1
several_end

# A placement with pages on a node that does not exist.
several_begin absent absent.place
several_end

# The placement puts more pages on node 3 than it has. Those without room are placed on other nodes,
# and the program continues.
smile place --json /host/full.json /host/full.place -- /host/large >/host/full.out 2>/host/full.err || exit 1

# sor NAME PLACEMENT ARGUMENTS...: while sor computes, save the nodes of its grid, and the
# processors of its threads.
sor() {
	name=$1 placement=$2 iterations=300
	shift 2
	processors() {
		cat /proc/"$program"/task/*/status | sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' | sort
	}
	# A thread is bound to its processors soon after its start.
	computes() {
		[ "$(processors 2>/dev/null | uniq | wc -l)" -ge 4 ]
	}
	# The grid is written before the threads start.
	grid_begins() {
		program=$(pidof sor) &&
			start=$(sed -n 's,^\([0-9a-f]*\)-[0-9a-f]* rw-s .*/dev/zero.*,\1,p' \
				"/proc/$program/maps" | head -n 1) && [ -n "$start" ] && computes
	}
	# The report is written when the program ends.
	begins_or_ends() {
		grid_begins || [ -s "/host/$name.json" ]
	}
	# Stop the program while its state is read. On a fast machine it may have ended; then repeat
	# the run with more iterations.
	while :; do
		rm -f "/host/$name.json"
		smile place --json "/host/$name.json" "/host/$placement" -- /host/workload/sor "$@" \
			--iterations=$iterations >"/host/$name.out" 2>"/host/$name.err" &
		smile=$!
		awaits begins_or_ends
		[ -s "/host/$name.json" ] || ! kill -STOP "$program" || ! computes || break
		kill -CONT "$program" 2>/dev/null
		wait $smile || fail "sor: status $?"
		iterations=$((iterations * 10))
		[ $iterations -le 1000000 ] || fail "sor ends before its grid is seen"
	done
	maps_keep "$program" "$name"
	bytes=$((64 + 128 * 128 * 4))
	echo "grid 0 $((0x$start)) $bytes" >grid
	other_process "$program" grid >"/host/$name.other"
	processors >"/host/$name.processors"
	kill -CONT "$program"
	wait $smile || fail "sor: status $?"
}
sor sor sor.place --size=128
# If the placement does not contain a region, the calls of smile_place() in the program apply to it.
sor calls several.place --size=128 --layout placed
