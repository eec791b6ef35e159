# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Functions for the tests of `smile cluster`, which source this file at the top of the tree. The
# file sets B, GUEST, smile and work. The directory $work is removed when the test ends; $work/guest
# has the kernel, the image and the plug-in that --guest expects. At the end, the process with the
# id $pid is killed, if the test has set pid. On a debug kernel the test ends immediately.
B=${B:-build}
GUEST=${GUEST:-$B/guest}
[ ! -e "$GUEST/needs" ] || { echo "not on a debug kernel: adapter_test.sh has the driver"; exit 77; }
smile=$(realpath "$B/bin/smile")
work=$(mktemp -d)
export TMPDIR=$work
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || :; rm -rf "$work"' EXIT
mkdir "$work/guest"
for file in "$GUEST/vmlinux" "$GUEST/cluster-image" "$B/emu/qemu/smile-monitor.so"; do
	ln -s "$(realpath "$file")" "$work/guest/${file##*/}"
done

fail() {
	echo "not ok $*"
	sed 's/^/    out: /' "$work/out" 2>/dev/null || :
	sed 's/^/    err: /' "$work/err" 2>/dev/null || :
	exit 1
}

# run STATUS ARGUMENT...: check that smile cluster ends with this status. It inherits standard
# input.
run() {
	local expected=$1 status=0
	shift
	timeout -k 5 600 "$smile" cluster "$@" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = "$expected" ] || fail "status $status instead of $expected: smile cluster $*"
}

# says out|err PATTERN: check that this output of the last run matches PATTERN.
says() {
	grep -q -- "$2" "$work/$1" || fail "$1 does not say '$2'"
}

# counts_of RECORDING: print a card's counts, "SOURCE,TARGET,READS,WRITES,LOCKS", sorted. Ignore the
# last 64 KB of 4 GB. They contain the messages of the drivers, which start before the other nodes
# record.
counts_of() {
	"$smile" report pages --csv "$1" | awk -F, '
		NR == 1 {
			for (i = 1; i <= NF; i++) column[$i] = i
			next
		}
		$column["page"] % 1048576 < 1048560 {
			pair = $column["source"] "," $column["home"]
			reads[pair] += $column["reads"]
			writes[pair] += $column["writes"]
			locks[pair] += $column["locks"]
		}
		END { for (pair in reads) print pair "," reads[pair] "," writes[pair] "," locks[pair] }' | sort
}

# counted_as_issued PREFIX NODES: for each other node, each program has printed "issued
# SOURCE,TARGET,READS,WRITES,LOCKS". Check that the recordings PREFIX0.rec... have exactly these
# counts, at both nodes of each pair. $work/issued receives the expected counts.
counted_as_issued() {
	local node
	sed -n 's/^[0-9]*: issued //p' "$work/out" | sort >"$work/issued"
	[ "$(wc -l <"$work/issued")" = $(($2 * ($2 - 1))) ] || fail "not all nodes say what they have issued"
	for ((node = 0; node < $2; node++)); do
		grep -qE "^$node: .* accepted = .* delivered \+ 0 lost" "$work/err" || fail "the account of node $node"
		counts_of "$1$node.rec" >"$work/counted"
		grep -E "^($node,|[0-9]+,$node,)" "$work/issued" | diff - "$work/counted" >"$work/difference" || {
			cat "$work/difference"
			fail "node $node has not counted what was issued"
		}
	done
}
