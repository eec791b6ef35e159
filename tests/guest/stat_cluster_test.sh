#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile stat --cluster over guests of smile cluster. Readings from files: each node has the same state, to the last bit,
# and it is the state of --filter. Counters of the cards: they have counted the accesses that stat_load.c has issued, and
# each node's view of each node is compared with these counts. Events of one processor. A guest that is paused, and a
# node that is killed: the other nodes continue, and show the node again when it runs again. The events of a card and of
# a processor on one node. stat_cluster.py compares. May use: smile, stat_load, the products of `make cluster`, python3.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/stat_cluster_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh
compare=$(realpath tests/guest/stat_cluster.py)
mkdir "$work/share"

# cluster NODES SCRIPT: run the script of the share on all nodes, and check that it succeeds there.
cluster() {
	timeout -k 5 600 "$smile" cluster --guest "$work/guest" --nodes "$1" --share "$work/share" --kill-on-bad-exit -- \
		sh "/host/$2" >"$work/out" 2>"$work/err" </dev/null || fail "status $? of $2 on $1 nodes"
}

# same NAME COMMAND...: check that the command succeeds.
same() {
	local name=$1
	shift
	"$@" >"$work/difference" 2>&1 || { cat "$work/difference"; fail "$name"; }
	echo "ok $name"
	sed 's/^/   /' "$work/difference"
}

# ---- readings of files -----------------------------------------------------------------------------
# Two events of four in each interval; node 3 has fewer intervals, and one without a reading.
cat >"$work/share/p.csv" <<'END'
event,sigma,beta,mean,r
loads,100,20,1000,0
stores,30,60,400,9
major-faults,5,3,50,0
page-faults,9,10,130,0
END
for node in 0 1 2 3; do
	"$smile" stat --simulate "$work/share/p.csv" --sets 1 --samples 200 -I 20 --seed $((node + 1)) |
		awk -F, -v node="$node" 'NR > 1 {
			if (!($3 in count)) name[events++] = $3
			value[$3, ++count[$3]] = $4
		}
		END {
			print "interval,dt_s,event,value"
			for (t = 1; t <= (node == 3 ? 150 : 200); t++)
				for (k = 0; k < 2; k++) {
					event = name[(2 * (t - 1) + k) % 4]
					if (node == 3 && t == 70) print t ",0.02,,"
					else print t ",0.02," event "," value[event, t]
				}
		}' >"$work/share/readings$node.csv"
done
cat >"$work/share/readings" <<'END'
exec smile stat --cluster --readings /host/readings$SMILE_NODE.csv -I 20 --parameters /host/p.csv --csv \
	-o /host/readings$SMILE_NODE.state --rates /host/rates$SMILE_NODE.csv >/host/view$SMILE_NODE.csv
END
cluster 4 readings
for node in 1 2; do
	same "readings: nodes 0 and $node have the same state, bit by bit" \
		cmp "$work/share/view0.csv" "$work/share/view$node.csv"
done
head -n $((1 + 4 * 4 * 150)) "$work/share/view0.csv" >"$work/part"
same "readings: so has node 3, as long as it has readings" cmp "$work/share/view3.csv" "$work/part"
for node in 0 1 2; do
	"$smile" stat --filter "$work/share/readings$node.csv" --parameters "$work/share/p.csv" |
		sed "1d; s/^/$node,/"
done | sort -t, -s -k2,2n -k1,1n >"$work/filtered"
sed '1d; /^3,/d' "$work/share/view0.csv" >"$work/part"
grep -v ,stores, "$work/filtered" >"$work/filtered.alone"
grep -v ,stores, "$work/part" >"$work/part.alone"
same "readings: the state is that of --filter" cmp "$work/filtered.alone" "$work/part.alone"
# Each interval has new stores, of variance 9: they are part of a count that was read, and of the band of a count that
# was not read.
same "readings: and a count has what is new in its interval, too" awk -F, '
	FNR == 1 { file++ }
	file <= 3 { if ($3 == "stores") read[file - 1, $1] = $4; next }
	$3 != "stores" { next }
	file == 4 { estimate[$1, $2] = $4; sd[$1, $2] = $5; next }
	{ n++ }
	($1, $2) in read { bad += ($4 - read[$1, $2]) ^ 2 > 1e-12 || $5 != 0; next }
	{ bad += $4 != estimate[$1, $2] || ($5 ^ 2 - sd[$1, $2] ^ 2 - 9) ^ 2 > 1e-12 }
	END { exit bad > 0 || n != 600 }' "$work"/share/readings[012].csv "$work/filtered" "$work/part"
same "readings: a state file with each node's events" \
	grep -q '^200,0.02,node 3: page-faults,,130.*,130.*' "$work/share/readings0.state"
grep ',stores,' "$work/share/readings1.csv" | cut -d, -f1,4 >"$work/part"
sed -n 's/^\([0-9]*\),0.02,node 1: stores,\([^,]\{1,\}\),.*/\1,\2/p' "$work/share/readings0.state" >"$work/filtered"
same "readings: and with what was read of them" awk -F, '
	NR == FNR { read[$1] = $2; next }
	!($1 in read) || ($2 - read[$1]) ^ 2 > 1e-12 { bad++ }
	END { exit bad > 0 || FNR != 100 }' "$work/part" "$work/filtered"

same "readings: and each node's rates, by the same estimates" awk -F, '
	FNR == 1 { file++; next }
	file == 1 { count[$2, $1, $3] = $4; next }
	{
		node = substr($3, 6, 1)
		rate = count[$1, node, "major-faults"] / count[$1, node, "page-faults"]
		if ($3 != "node " node ": major faults of all" || ($5 - rate) ^ 2 > 1e-16 || $7 > $5 || $8 < $5) bad++
	}
	END { exit bad > 0 || FNR != 1 + 4 * 200 }' "$work/share/view1.csv" "$work/share/rates1.csv"

# A node with other parameters is left out, and named; each node waits for the other until it is
# requested to end.
cat >"$work/share/other" <<'END'
sed "s/^loads,100/loads,10$SMILE_NODE/" /host/p.csv >/tmp/p.csv
smile stat --cluster --readings /host/readings0.csv -I 20 --parameters /tmp/p.csv --csv >/tmp/view 2>/tmp/err &
until grep -q 'is left out' /tmp/err; do sleep 0.1; done
touch /host/told$SMILE_NODE
until [ -e /host/told0 ] && [ -e /host/told1 ]; do sleep 0.1; done
kill -INT $!
wait $! && exit 1
cat /tmp/err
END
cluster 2 other
same "a node that does not agree is left out" \
	grep -q 'node 1 is left out: it has other events, parameters, intervals or nodes' "$work/out"

# ---- counters of cards -----------------------------------------------------------------------------
cp "$B/tests/guest/stat_load" "$work/share"
cat >"$work/share/counters" <<'END'
cd /tmp
/host/stat_load 4000 >/host/issued$SMILE_NODE &
until [ -s page ]; do sleep 0.1; done
page=$(cat page) specs=
for i in 0 1 2 3 4 5; do
	specs="$specs --static reads$i:page=$((page + i)),types=read"
done
smile stat --cluster -d dev:0 --node-ids narrow $specs --counters 2 -I 50 --parameters /host/p.csv \
	--truth /host/truth$SMILE_NODE.csv --csv -- sh -c 'touch go; until [ -e done ]; do sleep 0.1; done' \
	>/host/view$SMILE_NODE.csv
status=$?
kill $!
exit $status
END
# On no host does a rate of this load reach the mean plus two sigma, so the bands are wide enough.
for i in 0 1 2 3 4 5; do echo "reads$i,8000,5,5000,0"; done | sed '1i event,sigma,beta,mean,r' >"$work/share/p.csv"
cluster 3 counters
same "counters: the cards have counted what was issued" "$compare" issued "$work/share" 3
same "counters: each node's view of each" "$compare" views "$work/share" 3 0.05

# ---- events of a processor -------------------------------------------------------------------------
# Each node continues until the other one has finished.
cat >"$work/share/processors" <<'END'
smile stat --cluster -C 0 -e page-faults,context-switches --counters 1 -I 50 --parameters /host/p.csv \
	--truth /host/truth$SMILE_NODE.csv --csv -- sh -c '
		together() {
			touch /host/$1$SMILE_NODE
			until [ -e /host/${1}0 ] && [ -e /host/${1}1 ]; do sleep 0.1; done
		}
		together begin
		i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i + 1)); done
		together end' >/host/view$SMILE_NODE.csv
END
printf '%s\n' event,sigma,beta,mean,r 'cpu0: page-faults,900,2,500,0' 'cpu0: context-switches,90,2,50,0' \
	>"$work/share/p.csv"
cluster 2 processors
same "events of a processor: each node's view of each" "$compare" views "$work/share" 2 0.05

# ---- a card and a processor in the same intervals --------------------------------------------------
# Six events of the card fit into its counters: all are exact. With two counters they take turns; the events of the
# processor, which need no counter, do not.
cat >"$work/share/both" <<'END'
cd /tmp
for counters in 16 2; do
	rm -f go done page
	/host/stat_load 1000 >/host/issued$SMILE_NODE-$counters &
	until [ -s page ]; do sleep 0.1; done
	page=$(cat page) specs=
	for i in 0 1 2 3 4 5; do
		specs="$specs --static reads$i:page=$((page + i)),types=read"
	done
	smile stat -e page-faults,context-switches -d dev:0 --node-ids narrow $specs --counters $counters -I 20 --csv \
		-- sh -c 'touch go; until [ -e done ]; do sleep 0.1; done' >/host/both$SMILE_NODE-$counters.csv || exit 1
	# The other node may still read this node's memory.
	touch /host/counted$SMILE_NODE-$counters
	until [ -e /host/counted0-$counters ] && [ -e /host/counted1-$counters ]; do sleep 0.1; done
	kill $!
	wait $! || :
done
END
cluster 2 both
same "a card and a processor together" "$compare" both "$work/share" 2

# ---- a guest that is paused, and a node that is killed ---------------------------------------------
printf '%s\n' event,sigma,beta,mean,r context-switches,50,2,100,0 page-faults,40,2,100,0 >"$work/share/p.csv"
live=$work/share/live0.json
cat >"$work/share/paused" <<'END'
state() {
	exec smile stat --cluster -a -e context-switches,page-faults --counters 1 -I 100 --parameters /host/p.csv \
		--live --json --rate 'faults a switch=page-faults/context-switches' -- \
		sh -c 'until [ -e /host/finish ]; do sleep 0.1; done'
}
state >/host/live$SMILE_NODE.json &
if [ $SMILE_NODE = 2 ]; then
	until [ -e /host/resumed ]; do sleep 0.1; done
	kill -KILL $!
	wait $!
	until [ -e /host/again ]; do sleep 0.1; done
	state >/dev/null
fi
wait $!
END
timeout -k 5 600 "$smile" cluster --guest "$work/guest" --nodes 3 --share "$work/share" -- sh /host/paused \
	>"$work/out" 2>"$work/err" </dev/null &
cluster=$! guest=
trap '[ -z "$guest" ] || kill -CONT "$guest"; kill "$cluster" 2>/dev/null; wait; rm -rf "$work"' EXIT

# count NODE STATE: print the number of intervals in which node 0 has seen the node in this state.
count() {
	grep -c "\"node\":$1,\"state\":\"$2\"" "$live" || :
}

# seen NODE STATE COUNT: wait until node 0 has seen the node in this state in COUNT intervals, or
# until the cluster ends.
seen() {
	until [ -e "$live" ] && [ "$(count "$1" "$2")" -ge "$3" ]; do
		kill -0 "$cluster" 2>/dev/null || fail "the cluster has ended before node $1 was $2"
		sleep 0.1
	done
}

seen 1 here 20
seen 2 here 20
# The guest of node 1: a child of smile cluster, which timeout runs.
for process in $(pgrep -P "$(pgrep -P "$cluster")"); do
	if tr '\0' ' ' <"/proc/$process/cmdline" | grep -q 'smile.node=1 '; then guest=$process; fi
done
[ -n "$guest" ] || fail "no guest of node 1"
kill -STOP "$guest"
silent=$(count 1 silent)
other=$(count 2 here)
# At most one interval of the earlier silence may still be reported.
seen 1 silent $((silent + 31))
seen 2 here $((other + 5))
here=$(count 1 here)
kill -CONT "$guest"
guest=
seen 1 here $((here + 20))
touch "$work/share/resumed"
seen 2 gone 1
here=$(count 1 here)
seen 2 gone 30
seen 1 here $((here + 5))
here=$(count 2 here)
touch "$work/share/again"
seen 2 here $((here + 20))
touch "$work/share/finish"
status=0
wait "$cluster" || status=$?
trap 'rm -rf "$work"' EXIT
# A load from the memory of the killed node may fail; the command reports it.
[ "$status" = 0 ] || { [ "$status" = 1 ] && grep -q "accesses to nodes' memory have failed" "$work/err"; } ||
	fail "status $status with nodes that are paused and killed"
same "nodes that are paused and killed" "$compare" paused "$work/share"
