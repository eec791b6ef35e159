#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# smile stat --cluster on five guests, 30 counters, intervals of 20 ms: its share of each guest's processor, and the time
# between the nodes' starts of an interval (begin_bench.py), if an interrupt or the timers of the cards start it.
#
# environment: B; GUEST
set -eu
cd "$(dirname "$0")/../.."
out=$B/bench/begin
rm -rf "$out"
mkdir -p "$out/guest" "$out/share"
for file in "$GUEST/vmlinux" "$GUEST/cluster-image" "$B/emu/qemu/smile-monitor.so"; do
	ln -s "$(realpath "$file")" "$out/guest/${file##*/}"
done
for i in 0 1 2 3 4 5; do echo "reads$i,8000,5,5000,0"; done | sed '1i event,sigma,beta,mean,r' >"$out/share/p.csv"
cat >"$out/share/count" <<'END'
specs=
for i in 0 1 2 3 4 5; do specs="$specs --static reads$i:page=$i,types=read"; done
time smile stat --cluster -d dev:0 --node-ids narrow $specs --counters 2 -I 20 --parameters /host/p.csv \
	--truth /host/truth$SMILE_NODE.csv --json -- sleep 20 >/dev/null
END
echo "Load average at the begin: $(cat /proc/loadavg)"
"$B/bin/smile" cluster --guest "$out/guest" --nodes 5 --share "$out/share" -- sh /host/count </dev/null >"$out/log" 2>&1 ||
	{ cat "$out/log" >&2; exit 2; }
# The timer needs a clock that advances without traffic.
"$B/bin/smile" cluster --guest "$out/guest" --nodes 5 --card pace=realtime --share "$out/share" \
	--copy "$B/tests/bench/begin_timer" -- sh -c './begin_timer 20000 1000 >/host/timer$SMILE_NODE.csv' </dev/null \
	>"$out/timer.log" 2>&1 || { cat "$out/timer.log" >&2; exit 2; }
grep -E '^[0-9]+: (real|user|sys)' "$out/log" | sort
tests/bench/begin_bench.py "$out/share" 5
