#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: smile stat reads six static events with two counters in rotation, while known traffic
# is sent to the card's own node. May use: busybox, perf_send, smile.
set -eu

cd /tmp

fail() {
	echo "stat: $*"
	for file in counts.csv state.csv err; do
		[ ! -s $file ] || head -n 40 $file | sed "s/^/    $file: /"
	done
	exit 1
}

# Sends rounds of 1 read of page 1, 2 of page 2, and so on, in $1 parts of half a second each, and writes the
# number of rounds to the file rounds. Rounds are short, so that an interval has several of them on a slow
# host, too. There are several parts because a stall of the host can use up a whole period of time.
cat >traffic <<'END'
#!/bin/sh
rounds=0
for _ in $(seq "$1"); do
	sent=$(perf_send 0 for:500 read:1:0:1 read:2:0:2 read:3:0:3 read:4:0:4 read:5:0:5 read:6:0:6) ||
		exit 9
	rounds=$((rounds + sent))
done
echo $rounds >rounds
exit 5
END
chmod +x traffic

# SPEC names no node: the card's own node is 3, as configured on the command line of QEMU, and
# perf_send sends its traffic to node 3.
specs=
for page in 1 2 3 4 5 6; do
	specs="$specs --static page=$page,types=read"
done

status=0
# shellcheck disable=SC2086 # a list of options
smile stat -d dev:0 $specs --counters 2 -I 100 --csv -o state.csv -- ./traffic 12 \
	>counts.csv 2>err || status=$?
[ $status = 5 ] || fail "it ended with status $status, and the program with 5"
[ "$(wc -l <counts.csv)" = 7 ] || fail "not six events"
echo "ok the program's status, and six events"

# Print the number of sets of two readings and the number of gaps in the state file $1, as "SETS
# GAPS".
turns() {
	awk -F, '
		NR == 1 { next }
		{
			# The specification has a comma, so the event is two fields.
			if ($(NF - 4) != "") read[$1]++
			all[$1]
		}
		END {
			for (i in all)
				if (!(i in read)) gaps++
				else if (read[i] == 2) sets++
				else bad++
			print bad ? "bad" : sets + 0 " " gaps + 0
		}' "$1"
}

# While this card is stopped, its link waits, and its clock stands still: no time is without a reading.
# An event has a band when it has four readings, which takes twelve sets.
set -- $(turns state.csv)
[ "$2" = 0 ] && [ "$1" -ge 12 ] || fail "sets and gaps: $*"
echo "ok $1 sets without gaps: the link waits"

# The following is true in every run. The events take turns, so that each has a third of the sets. Two
# counters without gaps read two events all the time. No more accesses are read than were sent, and a count
# is not smaller than its readings. The error of an estimate is random. Its size depends on how much
# readings differ, and they differ more on a host that stalls. So an error, and half a band of 95 %, are at
# most that of four standard errors of a random sample of these readings, and a quarter of the count. This
# awk takes no square roots.
awk -F, -v rounds="$(cat rounds)" -v sets="$1" '
	# Is the value larger than the square root of the other number?
	function exceeds(value, square) {
		return value > 0 && value * value > square
	}
	FNR == 1 { file++; next }
	{ event = substr($(file == 1 ? 3 : 1), 7) }
	file == 1 && $(NF - 4) != "" {
		read[event] += $(NF - 4)
		squares[event] += $(NF - 4) * $(NF - 4)
		turns[event]++
	}
	file == 1 { next }
	{
		count = $(NF - 4)
		low = $(NF - 3)
		high = $(NF - 2)
		share = $(NF - 1)
		shares += share
		truth = event * rounds
		sum += count
		sent += truth
		n = turns[event]
		variance = (squares[event] - read[event] * read[event] / n) / (n - 1)
		four = 16 * sets * (sets / n - 1) * variance
		printf "event %d: %d, band %d to %d, truth %d, %d read in %d sets, %.2f of the time\n",
			event, count, low, high, truth, read[event], n, share
		if (event != FNR - 1 || low == "" || low > count || high <= count)
			bad++
		if (exceeds(high - count * 1.25, 1.96 * 1.96 * four))
			bad++
		if (n < int(sets / 3) || n > int((sets + 2) / 3))
			bad++
		if (read[event] <= 0 || read[event] > truth || read[event] > count)
			bad++
		if (exceeds(count - truth * 1.25, four) || exceeds(truth * 0.75 - count, four))
			bad++
	}
	END {
		printf "all together %.3f of the truth\n", sum / sent
		exit bad > 0 || FNR != 7 || shares < 1.999 || shares > 2.001
	}' state.csv counts.csv || fail "the counts are not what was sent"
echo "ok counts"

# Six events fit into the counters: the card is not stopped, and counts are exact.
status=0
# shellcheck disable=SC2086 # a list of options
smile stat -d dev:0 $specs -I 100 --csv -o state.csv -- ./traffic 2 >counts.csv 2>err || status=$?
[ $status = 5 ] || fail "all at once: it ended with status $status, and the program with 5"
awk -F, -v rounds="$(cat rounds)" '
	NR > 1 && ($(NF - 4) != rounds * (NR - 1) || $(NF - 3) != $(NF - 4) || $(NF - 1) != 1) { bad++ }
	END { exit bad > 0 || NR != 7 }' counts.csv || fail "all at once: the counts are not what was sent"
echo "ok all at once, and exact"

# The link of this card does not wait: packets between two sets are not counted, and the time between two
# sets is an interval without readings.
# shellcheck disable=SC2086,SC2016 # a list of options, and a program for another shell
smile stat -d dev:1 $specs --counters 2 -I 100 --csv -o state.csv -- \
	sh -c 'for _ in $(seq 20); do sleep 0.1; done' >counts.csv 2>err ||
	fail "a link that does not wait: status $?"
set -- $(turns state.csv)
[ "$1" -ge 2 ] && [ "$2" = $(($1 - 1)) ] || fail "a link that does not wait: sets and gaps: $*"
echo "ok $1 sets and $2 gaps: the link does not wait"

# With such short intervals, programs end while the card is between two intervals; their SIGCHLD must
# interrupt only the wait.
for part in 1 2 3 4 5 6 7 8 9 10; do
	# shellcheck disable=SC2086 # a list of options
	smile stat -d dev:1 $specs --counters 2 -I 1 --csv -- sleep 0.1$part >counts.csv 2>err ||
		fail "a program that ends between two intervals: status $?"
done
echo "ok programs that end between two intervals"
