#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile sample --children on a machine with four nodes: a script that runs a program, forked
# workers, and children that end immediately. Each process has its own recordings, with the right
# nodes. The recordings are compared with /proc/PID/numa_maps, and with the faults of each process
# in /proc/PID/stat.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/guest/nodes_checks.sh
. tests/guest/nodes_checks.sh
nodes_run 4 4 256 "$B"/tests/sample/{pinned,process_kinds,as_nobody} "$B/bin/smile"

# status NAME STATUS: check the exit status of the program; that each fault is counted or left out
# for a reason; and that each sampled process has a recording for each node.
status() {
	equal "$1: the status" "$2" "$(cat "$share/$1.status")"
	equal "$1: all faults are accounted for" true "$(gojq '(.account | .accesses > 0 and
		.accesses == .counted + ([.left_out[].accesses] | map(. // 0) | add)) and
		.samples == ([.processes[].samples] | add)' "$share/$1.json")"
	equal "$1: recordings" "$(gojq -r '.processes[].recordings | "\(.)-node\(range(4)).rec" | sub("/host/"; "")' \
		"$share/$1.json" | sort | xargs)" "$(cd "$share" && printf '%s\n' "$1"-node?.rec "$1".*-node?.rec |
		grep -v '[*]' | sort | xargs)"
}
# lost NAME: print the number of faults for which the kernel had no room. This happens on a busy
# host.
lost() {
	gojq '.account.left_out[] | select(.reason | test("^lost")) | .accesses' "$share/$1.json"
}
# faults NAME PROCESS KERNEL: check that the faults of a process are those that the kernel has
# counted. A few more occur when the process ends.
faults() {
	equal "$1: the faults of process $2 are those of the kernel" true "$(gojq --argjson kernel "$3" \
		--argjson lost "$(lost "$1")" '.processes[] | select(.process == '"$2"') | .accesses - $kernel |
		. <= 64 and . >= -$lost' "$share/$1.json")"
}

# ---- a script
status script 6
equal "script: the program's status" 3 "$(cat "$share/pinned.status")"
read -r program kernel <"$share/script.kernel"
equal "script: the program has recordings" "pinned false" "$(gojq -r ".processes[] | select(.process == $program) |
	\"\(.name) \(.copy)\"" "$share/script.json")"
faults script "$program" "$kernel"
"$smile" report pages --json "$share/script.$program"-node?.rec >"$share/pages.json"
"$smile" view --json "$share/script.$program"-node?.rec | gojq .run >"$share/run.json"
"$B/tests/sample/homes" "$share/script.$program-node0.rec" >"$share/homes.json"
if python3 tests/sample/judge.py "$share/script.out" "$share/script.numa_maps" "$share/pages.json" "$share/run.json" \
	"$share/homes.json" >"$share/judged"; then
	ok "script: the program's samples ($(tail -n 1 "$share/judged"))"
else
	not_ok "script: the program's samples" "$(cat "$share/judged")"
fi
equal "script: others' samples are not its own" true "$(gojq --argjson all "$(gojq .account.accesses "$share/script.json")" \
	'.others > 0 and .others < $all' "$share/run.json")"
equal "script: advice is a placement of the program" 0 "$("$smile" advise -o "$share/script.place" \
	"$share/script.$program"-node?.rec >/dev/null 2>&1; echo $?)"

# ---- workers
status workers 0
equal "workers: they are copies, and each has recordings" 4 "$(gojq '[.processes[] | select(.copy and .samples > 512)] |
	length' "$share/workers.json")"
while read -r _ number worker address bytes; do
	read -r _ kernel <<<"$(grep "^$worker " "$share/workers.kernel")"
	faults workers "$worker" "$kernel"
	"$smile" report pages --json "$share/workers.$worker"-node?.rec >"$share/pages.json"
	"$B/tests/sample/homes" "$share/workers.$worker-node0.rec" >"$share/homes.json"
	if python3 tests/sample/judge_worker.py "$number" "$address" "$bytes" "$share/worker$worker.numa_maps" \
		"$share/pages.json" "$share/homes.json" >"$share/judged"; then
		ok "worker $number: its samples and homes ($(tail -n 1 "$share/judged"))"
	else
		not_ok "worker $number: its samples and homes" "$(cat "$share/judged")"
	fi
done < <(grep '^worker' "$share/workers.out")

# ---- children that end immediately
status setuid 0
equal "setuid: it is not sampled, and that is said" "1 1" "$(gojq .processes_not_sampled "$share/setuid.json") $(grep -c \
	'warning: the kernel has ended the sampling of process [0-9]*, since .*/setuid' "$share/setuid.err")"
status once 4
status many 0
equal "500 children: all are counted" 500 "$(gojq '.processes_without_samples + .processes_with_fewest_samples +
	(.processes | length) - 1' "$share/many.json")"
equal "500 children: files are of the machine, not of the children" true "$(gojq -n "$(cat "$share/many.files") < 40")"

suite_end
