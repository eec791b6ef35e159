#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Whether the processor's events improve the estimates of a card's events. The papers' programs run on two nodes of
# smile cluster. Node 0 counts sixteen events of its card and three events of its processor, all at the same time; these
# counts are the truth. joint_bench.py then reads four of the card's events at a time.
#
# environment: B; GUEST; JOINT_PROGRAMS: some of sor fft radix water gauss
set -eu
cd "$(dirname "$0")/../.."
smile=$(realpath "$B/bin/smile") out=$B/bench/joint
rm -rf "$out"
mkdir -p "$out/guest" "$out/share"
for file in "$GUEST/vmlinux" "$GUEST/cluster-image" "$B/emu/qemu/smile-monitor.so"; do
	ln -s "$(realpath "$file")" "$out/guest/${file##*/}"
done

# cluster OPTION... -- COMMAND...: run smile cluster with two nodes.
cluster() {
	"$smile" cluster --guest "$out/guest" --nodes 2 "$@" </dev/null >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 2; }
}

cat >"$out/share/count" <<'END'
program=$1
shift
[ $SMILE_NODE = 0 ] || exec ./$program $(cat /host/arguments)
exec smile stat -e page-faults,context-switches,task-clock -d dev:0 --node-ids narrow "$@" -I 20 -o /host/$program.csv \
	-- ./$program $(cat /host/arguments)
END

header=--header
for program in ${JOINT_PROGRAMS:-sor fft radix water gauss}; do
	case $program in
	sor) arguments='--size 128 --iterations 150' ;;
	fft) arguments='--size 65536' ;;
	radix) arguments='--size 524288' ;;
	water) arguments='--size 216 --iterations 6' ;;
	gauss) arguments='--size 256' ;;
	esac
	binary=$B/workload/nodes/$program
	echo "$arguments" >"$out/share/arguments"
	# The reads and writes of the eight pages with the most accesses. Page numbers are as in the card: relative to
	# the start of the node's memory.
	# shellcheck disable=SC2086 # a list of options
	cluster -o "$out/$program" -- "$binary" $arguments
	specs=$("$smile" report pages --csv "$out/$program-node0.rec" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["page"] % 1048576 < 65520 {
			print $column["accesses"], $column["home"], $column["page"] % 1048576
		}' | sort -rn | awk 'NR <= 8 {
			for (k = 0; k < 2; k++)
				printf " --static node%d.page%d.%s:node=%d,page=%d,types=%s", $2, $3, k ? "write" : "read", $2, $3,
					k ? "write" : "read"
		}')
	# shellcheck disable=SC2086
	cluster --share "$out/share" --copy "$binary" -- sh /host/count "$program" $specs
	tests/bench/joint_bench.py $header "$smile" "$program" "$out/share/$program.csv"
	header=
done
