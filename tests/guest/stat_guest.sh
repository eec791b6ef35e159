#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: smile stat reads six static events with two counters in rotation, while known traffic
# goes to the card's own node. May use: busybox, perf_send, smile.
set -eu

cd /tmp

fail() {
	echo "stat: $*"
	for file in counts.csv state.csv err; do
		[ ! -s $file ] || head -n 40 $file | sed "s/^/    $file: /"
	done
	exit 1
}

# For $1 times half a second, rounds of 10 reads of page 1, 20 of page 2, and so on; how many rounds there
# were is in the file rounds. An interval lasts for many rounds, so that readings are alike.
cat >traffic <<'END'
#!/bin/sh
rounds=0
for _ in $(seq "$1"); do
	sent=$(perf_send 0 for:500 read:1:0:10 read:2:0:20 read:3:0:30 read:4:0:40 read:5:0:50 read:6:0:60) ||
		exit 9
	rounds=$((rounds + sent))
done
echo $rounds >rounds
exit 5
END
chmod +x traffic

# SPEC names no node: the card's own is 3, as the board has it, and perf_send's traffic goes there.
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

# How many sets of two readings and how many gaps there are in the state file $1, as "SETS GAPS".
turns() {
	awk -F, '
		NR == 1 { next }
		{
			# The specification has a comma, so the event is two fields.
			if ($(NF - 2) != "") read[$1]++
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

# The link of this card waits while it is stopped, and its clock stands: no time is without a reading. A
# band takes four readings of each event, which are twelve sets.
set -- $(turns state.csv)
[ "$2" = 0 ] && [ "$1" -ge 12 ] || fail "sets and gaps: $*"
echo "ok $1 sets without gaps: the link waits"

# What holds for every run, whatever was read when: nothing is read that was not sent, a count is no less
# than what was read, and two counters without gaps read two events all the time. How close the counts
# are to what was sent is chance; half and double are far outside of it.
awk -F, -v rounds="$(cat rounds)" '
	FNR == 1 { file++; next }
	{ event = substr($(file == 1 ? 3 : 1), 7) }
	file == 1 { read[event] += $(NF - 2); next }
	{
		count = $(NF - 4)
		low = $(NF - 3)
		high = $(NF - 2)
		share = $(NF - 1)
		shares += share
		truth = 10 * event * rounds
		sum += count
		sent += truth
		printf "event %d: %d, band %d to %d, truth %d, %d read in %.2f of the time\n",
			event, count, low, high, truth, read[event], share
		if (event != FNR - 1 || low == "" || low > count || high <= count)
			bad++
		if (read[event] <= 0 || read[event] > truth || read[event] > count)
			bad++
		if (count < truth / 2 || count > truth * 2)
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
	NR > 1 && ($(NF - 4) != 10 * rounds * (NR - 1) || $(NF - 3) != $(NF - 4) || $(NF - 1) != 1) { bad++ }
	END { exit bad > 0 || NR != 7 }' counts.csv || fail "all at once: the counts are not what was sent"
echo "ok all at once, and exact"

# The link of this one does not wait: what passes between two sets is counted by nothing, and its time is
# an interval without readings.
# shellcheck disable=SC2086 # a list of options
smile stat -d dev:1 $specs --counters 2 -I 100 --csv -o state.csv -- \
	sh -c 'for _ in $(seq 20); do sleep 0.1; done' >counts.csv 2>err ||
	fail "a link that does not wait: status $?"
set -- $(turns state.csv)
[ "$1" -ge 2 ] && [ "$2" = $(($1 - 1)) ] || fail "a link that does not wait: sets and gaps: $*"
echo "ok $1 sets and $2 gaps: the link does not wait"
