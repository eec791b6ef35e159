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

# What passes between two sets is counted by nothing: an interval without readings.
awk -F, '
	NR == 1 { next }
	{
		value = $(NF - 2)
		if (value != "") read[$1]++
		length_s[$1] = $2
	}
	END {
		for (i in length_s) {
			all += length_s[i]
			if (!(i in read)) {
				gaps++
				unread += length_s[i]
			} else if (read[i] == 2) {
				sets++
			} else {
				bad++
			}
		}
		printf "%d sets, %d gaps, of the time %.4f\n", sets, gaps, unread / all
		exit bad > 0 || sets < 6 || gaps != sets - 1
	}' state.csv >turns || fail "sets and gaps do not take turns: $(cat turns)"
echo "ok $(cat turns)"

# A band need not hold the true count each time; three times the band does. The estimate has a gap go on
# as the time around it, but processors that run in turn send nothing while the sets change.
awk -F, -v rounds=$rounds -v gap="$(sed 's/.* //' turns)" '
	NR == 1 { next }
	{
		# The specification has a comma, so the event is two fields.
		count = $(NF - 4)
		low = $(NF - 3)
		high = $(NF - 2)
		share = $(NF - 1)
		truth = 100 * (NR - 1) * rounds
		band = high - count
		printf "event %d: %d, band %d to %d, truth %d, read %.2f of the time\n",
			NR - 1, count, low, high, truth, share
		if (low == "" || band <= 0 || band > count / 2 || share <= 0.1 || share >= 0.6)
			bad++
		if (truth < (count - 3 * band) * (1 - gap) || truth > count + 3 * band)
			bad++
		within += low * (1 - gap) <= truth && truth <= high
	}
	END {
		print within + 0 " of 6 within the band"
		exit bad > 0 || NR != 7
	}' counts.csv || fail "the counts are not what was sent"
echo "ok counts"
