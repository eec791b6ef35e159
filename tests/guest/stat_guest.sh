#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: smile stat reads six static events with two counters in rotation, while known traffic
# goes to the card's own node. May use: busybox, perf_send, smile.
set -eu

rounds=60
cd /tmp

fail() {
	echo "stat: $*"
	for file in counts.csv state.csv err; do
		[ ! -s $file ] || head -n 40 $file | sed "s/^/    $file: /"
	done
	exit 1
}

# Each round has 100 reads of page 1, 200 of page 2, and so on.
cat >traffic <<'END'
#!/bin/sh
i=0
while [ $i -lt "$1" ]; do
	perf_send 0 read:1:0:100 read:2:0:200 read:3:0:300 read:4:0:400 read:5:0:500 read:6:0:600 ||
		exit 9
	i=$((i + 1))
done
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
smile stat -d dev:0 $specs --counters 2 -I 100 --csv -o state.csv -- ./traffic $rounds \
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

# The link of this card waits while it is stopped, and its clock stands: no time is without a reading.
set -- $(turns state.csv)
[ "$2" = 0 ] && [ "$1" -ge 6 ] || fail "sets and gaps: $*"
echo "ok $1 sets without gaps: the link waits"

# A band need not hold the true count each time; three times the band does.
awk -F, -v rounds=$rounds '
	NR == 1 { next }
	{
		count = $(NF - 4)
		low = $(NF - 3)
		high = $(NF - 2)
		share = $(NF - 1)
		truth = 100 * (NR - 1) * rounds
		band = high - count
		sum += count
		sent += truth
		printf "event %d: %d, band %d to %d, truth %d, read %.2f of the time\n",
			NR - 1, count, low, high, truth, share
		if (low == "" || band <= 0 || band > count / 2 || share <= 0.1 || share >= 0.6)
			bad++
		if (truth < count - 3 * band || truth > count + 3 * band)
			bad++
		within += low <= truth && truth <= high
	}
	END {
		printf "%d of 6 within the band; all together %.3f of the truth\n", within, sum / sent
		exit bad > 0 || NR != 7
	}' counts.csv || fail "the counts are not what was sent"
echo "ok counts"

# Six events fit into the counters: the card is not stopped, and counts are exact.
status=0
# shellcheck disable=SC2086 # a list of options
smile stat -d dev:0 $specs -I 100 --csv -o state.csv -- ./traffic 10 >counts.csv 2>err || status=$?
[ $status = 5 ] || fail "all at once: it ended with status $status, and the program with 5"
awk -F, 'NR > 1 && ($(NF - 4) != 1000 * (NR - 1) || $(NF - 3) != $(NF - 4) || $(NF - 1) != 1) { bad++ }
	END { exit bad > 0 || NR != 7 }' counts.csv || fail "all at once: the counts are not what was sent"
echo "ok all at once, and exact"

# The link of this one does not wait: what passes between two sets is counted by nothing, and its time is
# an interval without readings.
# shellcheck disable=SC2086 # a list of options
smile stat -d dev:1 $specs --counters 2 -I 100 --csv -o state.csv -- sleep 2 >counts.csv 2>err ||
	fail "a link that does not wait: status $?"
set -- $(turns state.csv)
[ "$1" -ge 2 ] && [ "$2" = $(($1 - 1)) ] || fail "a link that does not wait: sets and gaps: $*"
echo "ok $1 sets and $2 gaps: the link does not wait"
