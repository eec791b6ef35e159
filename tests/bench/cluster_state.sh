#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The data of chapter 8 of the thesis: SOR, four times, on four guests of smile cluster, each of which keeps the state of
# all nodes. There are three runs, which issue the same accesses. In the first run the cards count each page exactly, to
# find the events: reads and writes of the page of each other node that a node uses most. The second run counts these
# events, for their processes. The third run reads the events two at a time, and exchanges the readings; each card counts
# all events, which is the truth. All three runs have the segments of smile stat, so that SOR's memory is in the same
# pages.
#
# In the middle of the third run, in the second SOR, the guest of node 1 is paused for 60 intervals. In the third SOR,
# smile stat of node 2 is killed, and starts again 60 intervals later; the SOR of node 2 continues meanwhile, and is not
# counted. The next SOR starts when smile stat runs again, so that its segment and SOR's memory keep their addresses.
#
# usage: B=build GUEST=build/guest [INTERVAL_MS=20] tests/bench/cluster_state.sh OUT
#        OUT receives viewN.csv, ratesN.csv, truthN.csv, samples.csv, p.csv and exact.csv, for cluster_state.py
#        The guests share the host's processors: on a busy host, give them priority.
set -eu
out=$1
cd "$(dirname "$0")/../.."
mkdir -p "$out"
out=$(realpath "$out") smile=$(realpath "$B/bin/smile")
sor=$B/workload/nodes/sor nodes=4 interval=${INTERVAL_MS:-20}
scratch=$(mktemp -d)
cluster='' paused=''
trap '[ -z "$paused" ] || kill -CONT "$paused"; [ -z "$cluster" ] || kill "$cluster"; wait; rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM
rm -f "$out"/*.csv
mkdir "$scratch/guest" "$scratch/share"
for file in "$GUEST/vmlinux" "$GUEST/cluster-image" "$B/emu/qemu/smile-monitor.so"; do
	ln -s "$(realpath "$file")" "$scratch/guest/${file##*/}"
done
# A SOR begins when all nodes have ended the previous one: its memory is then free, so the new SOR gets the same
# pages.
cat >"$scratch/share/load" <<'END_OF_IT'
for run in 1 2 3 4; do
	[ $run != 4 ] || [ ! -e /host/kill ] || until [ -e /host/back ]; do sleep 0.1; done
	[ "$SMILE_NODE" != 0 ] || : >/host/begun$run
	./sor --size 127 --iterations 300 --check none >/dev/null || exit
	: >/host/ended$run-$SMILE_NODE
	until [ "$(echo /host/ended$run-*)" = "$(echo /host/ended$run-0 /host/ended$run-1 /host/ended$run-2 /host/ended$run-3)" ]; do
		sleep 0.1
	done
done
: >/tmp/over
END_OF_IT

# cluster OPTION... -- COMMAND...: run smile cluster with all nodes, in the background.
cluster() {
	rm -f "$scratch"/share/begun? "$scratch"/share/ended*
	timeout -k 5 1200 "$smile" cluster --guest "$scratch/guest" --nodes $nodes --kill-on-bad-exit "$@" \
		</dev/null >"$scratch/log" 2>&1 &
	cluster=$!
}

# ended STATUS...: wait until the cluster ends, with one of these statuses.
ended() {
	status=0
	wait "$cluster" || status=$?
	cluster=
	for allowed; do [ "$status" != "$allowed" ] || return 0; done
	cat "$scratch/log" >&2
	exit 2
}

# intervals N: sleep for N intervals.
intervals() { sleep "$(echo "$1 $interval" | awk '{ print $1 * $2 / 1000 }')"; }

# begun N: wait until the Nth SOR, not the first, is in its middle: a third of the time that the first one took.
begun() {
	until [ -e "$scratch/share/begun$1" ]; do
		kill -0 "$cluster" 2>/dev/null || ended
		sleep 0.1
	done
	sleep "$(stat -c %Y "$scratch/share/begun1" "$scratch/share/begun2" | awk 'NR == 1 { first = $1 } END { print ($1 - first) / 3 }')"
}

# guest_of NODE: print the process of the node's guest. It is a child of smile cluster, which
# timeout runs.
guest_of() {
	for process in $(pgrep -P "$(pgrep -P "$cluster")"); do
		if tr '\0' ' ' <"/proc/$process/cmdline" | grep -q "smile.node=$1 "; then echo "$process"; fi
	done
}

# Count as many events as in the runs below, so that the segments have the same length. The
# parameters of the processes have no effect.
printf '%s,100,5,50,0\n' page-faults context-switches task-clock cpu-clock minor-faults major-faults |
	sed '1i event,sigma,beta,mean,r' >"$scratch/share/p.csv"
# Without the program's addresses, the pages in the recording have the card's page numbers.
cat >"$scratch/share/exact" <<'END_OF_IT'
unset SMILE_NAMES
exec smile stat --cluster -a -e page-faults,context-switches,task-clock,cpu-clock,minor-faults,major-faults -I 20 \
	--parameters /host/p.csv -- sh /host/load >/dev/null
END_OF_IT
cluster -o "$scratch/exact" --share "$scratch/share" --copy "$sor" -- sh /host/exact
ended 0
echo "node,event,count" >"$out/exact.csv"
node=0
while [ $node -lt $nodes ]; do
	# Page numbers as on the card: relative to the start of the node's memory.
	"$smile" report pages --csv "$scratch/exact-node$node.rec" | awk -F, -v self=$node -v nodes=$nodes \
		-v exact="$out/exact.csv" -v specs="$scratch/share/specs$node" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["source"] == self && $column["home"] != self && $column["page"] % 1048576 < 65520 {
			away = ($column["home"] - self + nodes) % nodes
			if ($column["accesses"] > most[away]) {
				most[away] = $column["accesses"]
				home[away] = $column["home"]; page[away] = $column["page"] % 1048576
				count[away, "reads"] = $column["reads"]; count[away, "writes"] = $column["writes"]
			}
		}
		END {
			split("next opposite previous", name, " "); split("reads writes", type, " ")
			for (away = 1; away < nodes; away++)
				for (k = 1; k <= 2; k++) {
					printf "--static %s.%s:node=%d,page=%d,types=%s ", name[away], type[k], home[away],
						page[away], substr(type[k], 1, length(type[k]) - 1) >specs
					print self "," name[away] "." type[k] "," count[away, type[k]] >>exact
				}
		}'
	node=$((node + 1))
done

# counted OPTION...: count the events in the guests. Node 2 counts again after it was killed. A last line that it had
# written only in part is left out.
counted() {
	cat >"$scratch/share/counted" <<-END_OF_IT
		# count PART COMMAND
		count() {
			mkdir /tmp/\$1
			cd /tmp/\$1
			exec smile stat --cluster -d dev:0 --node-ids narrow \$(cat /host/specs\$SMILE_NODE) --counters 2 \\
				-I $interval --parameters /host/p.csv --truth truth\$SMILE_NODE.csv $* -- sh -c "\$2"
		}
		(count 1 "cd \$PWD; exec sh /host/load") &
		if [ \$SMILE_NODE = 2 ]; then
			until [ -e /host/kill ] || ! kill -0 \$! 2>/dev/null; do sleep 0.5; done
			[ ! -e /host/kill ] || kill -KILL \$!
		fi
		wait \$! || [ -e /host/kill ] || exit
		if [ \$SMILE_NODE = 2 ] && [ -e /host/kill ]; then
			until [ -e /host/again ]; do sleep 0.5; done
			(count 2 ': >/host/back; until [ -e /tmp/over ]; do sleep 0.5; done') || exit
		fi
		for file in /tmp/1/*.csv; do
			{ sed '\$d' \$file; tail -n 1 \$file | awk -F, -v columns="\$(head -n 1 \$file)" 'NF == split(columns, _)'
			  [ ! -d /tmp/2 ] || tail -n +2 /tmp/2/\${file##*/}; } >/host/\${file##*/}
		done
	END_OF_IT
	cluster --share "$scratch/share" --copy "$sor" -- sh /host/counted
}

sed -n '2,7s/^0,\(.*\),.*/\1,2000,5,2000,0/p' "$out/exact.csv" | sed '1i event,sigma,beta,mean,r' >"$scratch/share/p.csv"
counted ">/dev/null"
ended 0
# The samples of a node are a set, which is scaled to the nominal length of the interval. Samples
# before the first count of an event, and after the last one, do not belong to its process.
awk -F, -v dt_s="$(echo "$interval" | awk '{ print $1 / 1000 }')" '
	FNR == 1 { set++; next }
	$2 < dt_s / 2 || $2 > 1.5 * dt_s { next }
	{ key = set "," $3; if (!(key in count)) order[keys++] = key; value[key, ++count[key]] = $4 * dt_s / $2 }
	END {
		print "set,dt_s,event,value"
		for (i = 0; i < keys; i++) {
			key = order[i]; split(key, part, ","); first = 1; last = count[key]
			while (first < last && !value[key, first]) first++
			while (first < last && !value[key, last]) last--
			for (t = first; t <= last; t++) print part[1] "," dt_s "," part[2] "," value[key, t]
		}
	}' "$scratch"/share/truth?.csv >"$out/samples.csv"
"$smile" stat --fit "$out/samples.csv" >"$out/p.csv"
cp "$out/p.csv" "$scratch/share"

# If a sum is divided by a larger sum that contains it, the result is a share.
counted "--csv --rates rates\$SMILE_NODE.csv --rate reads=next.reads+opposite.reads+previous.reads \
	--rate writes=next.writes+opposite.writes+previous.writes \
	--rate next=next.reads/next.reads+opposite.reads+previous.reads >view\$SMILE_NODE.csv"
begun 2
paused=$(guest_of 1)
kill -STOP "$paused"
intervals 60
kill -CONT "$paused"
paused=
begun 3
: >"$scratch/share/kill"
intervals 60
: >"$scratch/share/again"
# If a load from the memory of the killed process fails, the command reports it.
ended 0 1
[ "$status" = 0 ] || grep -q "accesses to nodes' memory have failed" "$scratch/log" || { cat "$scratch/log" >&2; exit 2; }
cp "$scratch"/share/truth?.csv "$scratch"/share/view?.csv "$scratch"/share/rates?.csv "$out"
