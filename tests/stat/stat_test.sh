#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile stat: --filter against an independent filter (reference.py), --fit of data from --simulate, and bad
# input: each mistake is reported with its line.
#
# What lives here: as in cli_test.sh, one check in one or two lines. Needs python3, and gnuplot for the plot.
#
# usage: tests/stat/stat_test.sh SMILE MKCAPTURE SCRATCH
set -u
reference=$(realpath "$(dirname "$0")/reference.py")
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/../tools/command_checks.sh"

# --- the filter
"$reference" make .
for model in gauss-markov integrated; do
	exits "$model: status" 0 stat --filter readings.csv --parameters p.csv --model $model
	equal "$model: as an independent filter has it" "1000 rows" \
		"$("$reference" readings.csv p.csv $model <out 2>&1)"
	cp out $model.csv
done
exits "without --model" 0 stat --parameters p.csv --filter readings.csv
check "is gauss-markov" cmp out gauss-markov.csv
"$smile" stat --filter - --parameters p.csv <readings.csv >out 2>err
equal "readings from standard input" 0 $?
check "are the same" cmp out gauss-markov.csv
sed 's/$/\r/' readings.csv >crlf.csv
exits "lines that end with CR LF" 0 stat --filter crlf.csv --parameters p.csv
check "are the same, too" cmp out gauss-markov.csv
# A byte order mark at the start, as spreadsheets and editors write it.
for file in readings.csv p.csv; do
	{ printf '\357\273\277'; cat "$file"; } >"marked-$file"
	sed '1s/[^,]*/"&"/g' "$file" >"quoted-$file"
done
exits "files that begin with a byte order mark" 0 stat --filter marked-readings.csv --parameters marked-p.csv
check "are the same, too" cmp out gauss-markov.csv
exits "files with quotes around the names of columns" 0 stat --filter quoted-readings.csv --parameters quoted-p.csv
check "are the same, too" cmp out gauss-markov.csv
exits "--model auto" 0 stat --filter readings.csv --parameters p.csv --model auto
says "names the likelier one" 'gauss-markov is the more likely model: log likelihood' err
check "and uses it" cmp out gauss-markov.csv

# An exact reading is the estimate, without uncertainty; before any reading, it is the process's mean with its sigma.
printf 'event,sigma,beta,mean,r\na,2,1,10,0\nb,3,1,20,0\n' >two.csv
printf 'interval,dt_s,event,value\n7,1,a,12.5\n8,1,,\n' >short.csv
exits "two events" 0 stat --filter short.csv --parameters two.csv
equal "by hand" "interval,event,estimate,sd 7,a,12.5,0 7,b,20,3 8,a,10.919699,1.859747 8,b,20,3" \
	"$(awk -F, 'NR == 1 { printf "%s", $0; next }
		{ printf " %s,%s,%.8g,%.7g", $1, $2, $3, $4 }' out)"

# --- errors in readings, and their lines
# wrong NAME PATTERN ROW...: readings with these rows, the first of which is on line 2
wrong() {
	name=$1 pattern=$2
	shift 2
	{ echo interval,dt_s,event,value; printf '%s\n' "$@"; } >wrong.csv
	"$smile" stat --filter wrong.csv --parameters two.csv >out 2>err
	equal "$name: status" 2 $?
	says "$name: message" "$pattern" err
}
wrong "out of order" 'wrong.csv:3: interval 4 comes after interval 5: intervals must ascend' 5,1,a,1 4,1,a,1
# A second writer is refused, and the file of the first one is kept.
python3 -c 'import fcntl, time
file = open("owned.csv", "w")
fcntl.lockf(file, fcntl.LOCK_EX)
file.write("kept")
file.flush()
time.sleep(1000)' &
writer=$!
while [ ! -s owned.csv ] && kill -0 $writer; do sleep 0.1; done
printf 'interval,dt_s,event,value\n1,1,a,1\n' >one.csv
for option in output rates; do
	"$smile" stat --readings one.csv --$option owned.csv >out 2>err
	equal "--$option: a file that another program writes: status" 2 $?
	says "--$option: a file that another program writes: message" "another program is writing owned.csv" err
done
equal "a file that another program writes is kept" kept "$(cat owned.csv)"
kill $writer
wait $writer 2>/dev/null
wrong "unknown event" 'wrong.csv:3: event c is not in the parameters' 1,1,a,1 2,1,c,1
wrong "no length" 'wrong.csv:2: dt_s 0: an interval must be longer than 0' 1,0,a,1
wrong "less than no length" 'wrong.csv:3: dt_s -1: an interval must be longer' 1,1,a,1 2,-1,a,1
wrong "two lengths" 'wrong.csv:3: interval 1 has two lengths' 1,1,a,1 1,2,b,1
wrong "twice" 'wrong.csv:4: event a was read in this interval already, in line 2' 1,1,a,1 1,1,b,1 1,1,a,2
wrong "NaN" "wrong.csv:2: value 'nan' is no number" 1,1,a,nan
wrong "infinite" "wrong.csv:2: value 'inf' is not finite" 1,1,a,inf
wrong "beyond doubles" "wrong.csv:2: value '1e999' is not finite, or too large" 1,1,a,1e999
wrong "huge" 'wrong.csv:2: value 1e200 is beyond 1e100' 1,1,a,1e200
wrong "huge length" 'wrong.csv:2: dt_s 1e200 is beyond 1e100' 1,1e200,a,1
wrong "text" "wrong.csv:2: value '12x' is no number" 1,1,a,12x
wrong "no value" 'wrong.csv:2: value is empty' 1,1,a,
wrong "no event" 'wrong.csv:2: a value without an event' 1,1,,5
wrong "no interval" "wrong.csv:2: interval '' is no whole number" ,1,a,1
wrong "negative interval" "wrong.csv:2: interval '-1' is no whole number" -1,1,a,1
wrong "columns" 'wrong.csv:3: 3 columns, and the header has 4' 1,1,a,1 2,1,a
wrong "quotes" 'wrong.csv:2: a quote has no end' '1,1,"a,1'
wrong "nothing" 'wrong.csv has no interval'
equal "what was good before a mistake is there" "1,a,1,0" \
	"$(printf 'interval,dt_s,event,value\n1,1,a,1\n2,1,a,x\n' |
		"$smile" stat --filter - --parameters two.csv 2>/dev/null | sed -n 2p)"

# impossible NAME PATTERN ROW...: parameters with these rows
impossible() {
	name=$1 pattern=$2
	shift 2
	{ echo event,sigma,beta,mean,r; printf '%s\n' "$@"; } >wrong.csv
	refuses "$name" "$pattern" stat --filter short.csv --parameters wrong.csv
}
impossible "no sigma" 'wrong.csv:2: event a: no such process: sigma is not above 0' a,0,1,1,0
impossible "negative sigma" 'wrong.csv:2: .*sigma is not above 0' a,-1,1,1,0
impossible "no beta" 'wrong.csv:3: event b: .*beta is not above 0' a,1,1,1,0 b,1,0,1,0
impossible "negative r" 'wrong.csv:2: .*r is a variance, and below 0' a,1,1,1,-1
impossible "NaN as a parameter" "wrong.csv:2: beta 'nan' is no number" a,1,nan,1,0
impossible "a huge parameter" 'wrong.csv:2: .*beyond 1e100' a,1e150,1,1,0
impossible "no number" "wrong.csv:2: mean is empty" a,1,1,,0
impossible "no name" 'wrong.csv:2: event has no name' ,1,1,1,0
impossible "an event twice" 'event a occurs twice' a,1,1,1,0 a,1,1,1,0
impossible "no event at all" 'wrong.csv has no event'
header() {
	echo "$2" >wrong.csv
	refuses "$1" "wrong.csv:1: the header must begin with event,sigma,beta,mean,r, .*: column $3" \
		stat --filter short.csv --parameters wrong.csv
}
header "a header of fewer columns" event,sigma,beta "4 is ''"
header "a header with other names" 'event,sigma,"alpha",mean,r' "3 is 'alpha'"
header "a header with other separators" 'event;sigma;beta;mean;r' "1 is 'event;sigma"
: >empty.csv
refuses "an empty file" 'empty.csv is empty: its first line must be interval,dt_s,event,value' \
	stat --filter empty.csv --parameters two.csv
refuses "no file" 'cannot open missing.csv: No such file' stat --filter missing.csv --parameters two.csv
refuses "no parameters" '--filter needs the processes of its events' stat --filter short.csv
refuses "no such model" "'kalman' is none of" stat --filter short.csv --parameters two.csv --model kalman
refuses "auto from a pipe" 'reads the readings twice' stat --filter - --parameters two.csv --model auto
refuses "two things at once" 'give one of them' stat --filter short.csv --fit short.csv
refuses "nothing to do" 'no action is given' stat

# --- simulate and fit: table 5.1's INST_RETIRED and BR_BOGUS, 10 sets of 3000 samples at 40 ms
printf 'event,sigma,beta,mean,r\nINST_RETIRED,7.248e6,40.02,8.705e6,0\nBR_BOGUS,1170,30.66,1288,0\n' >known.csv
exits "simulate" 0 stat --simulate known.csv --seed 6
cp out samples.csv
equal "so many samples" 60001 "$(wc -l <samples.csv)"
exits "fit" 0 stat --fit samples.csv
cp out fitted.csv
says "the columns of --parameters, then the confidence" \
	'^event,sigma,beta,mean,r,sigma_low,sigma_high,beta_low,beta_high,mean_low,mean_high,' fitted.csv
equal "every parameter within its confidence, in the order of the samples" \
	"INST_RETIRED 1 1 1, BR_BOGUS 1 1 1" "$(awk -F, '
	function within(low, x, high) { return low <= x && x <= high }
	NR == FNR { if (FNR > 1) { sigma[$1] = $2; beta[$1] = $3; mean[$1] = $4 }; next }
	FNR > 1 { printf "%s%s %d %d %d", (FNR > 2 ? ", " : ""), $1, within($6, sigma[$1], $7),
		within($8, beta[$1], $9), within($10, mean[$1], $11) }' known.csv fitted.csv)"
equal "confidence of a few percent" 1 "$(awk -F, 'NR > 1 && ($7 / $6 > 1.05 || $9 / $8 > 1.2) { bad = 1 }
	END { print !bad }' fitted.csv)"
printf 'interval,dt_s,event,value\n1,0.04,BR_BOGUS,1000\n' >one.csv
exits "what --fit writes, --parameters reads" 0 stat --filter one.csv --parameters fitted.csv
"$smile" stat --fit - <samples.csv >out 2>err
check "samples from standard input" cmp out fitted.csv
# A test read of a pipe would remove data from it.
cat samples.csv | "$smile" stat --fit /dev/stdin >out 2>err
check "samples from a pipe that has a name" cmp out fitted.csv
# Sets whose events take turns give the same result as sets with one event after another.
{ head -n 1 samples.csv; tail -n +2 samples.csv | sort -s -t, -k1,1n; } >turns.csv
exits "events by turns" 0 stat --fit turns.csv
check "are the same" cmp out fitted.csv

# misfit NAME PATTERN ROW...
misfit() {
	name=$1 pattern=$2
	shift 2
	{ echo set,dt_s,event,value; printf '%s\n' "$@"; } >wrong.csv
	"$smile" stat --fit wrong.csv >out 2>err
	equal "$name: status" 2 $?
	says "$name: message" "$pattern" err
}
misfit "sets out of order" 'wrong.csv:3: set 1 of event a comes after set 2' 2,1,a,1 1,1,a,1
misfit "times that differ" 'wrong.csv:3: event a: samples 1 and 2 s apart' 1,1,a,1 1,2,a,1
misfit "no time" 'wrong.csv:2: dt_s 0: must be above 0' 1,0,a,1
misfit "NaN in samples" "wrong.csv:2: value 'nan' is no number" 1,1,a,nan
misfit "huge sample" 'wrong.csv:2: value -1e200 is beyond 1e100' 1,1,a,-1e200
misfit "nameless event" 'wrong.csv:2: event has no name' 1,1,,3
misfit "too few" 'a is left out: 2 samples are too few' 1,1,a,1 1,1,a,2
misfit "constant" 'a is left out: all its samples are 7: a constant is no process' $(yes 1,1,a,7 | head -n 20)
misfit "no sample" 'wrong.csv has no sample'
refuses "readings are no samples" 'the header must be set,dt_s,event,value' stat --fit short.csv
echo 'interval,dt_s,event,value,estimate,sd' >lines.state
refuses "a state file has no samples" 'lines.state is a state file .*: --samples writes' stat --fit lines.state

if command -v gnuplot >/dev/null; then
	exits "a plot" 0 stat --fit samples.csv --plot fit.svg
	check "with the same parameters" cmp out fitted.csv
	mkdir home
	printf 'set terminal dumb\nset output "mine"\nset logscale y\nprint "hello"\n' >home/.gnuplot
	HOME=$PWD/home "$smile" stat --fit samples.csv --plot mine.svg >out 2>err
	equal "a plot by a user who has a .gnuplot" 0 $?
	check "is the same" cmp fit.svg mine.svg
	for text in '</svg>' 'INST_RETIRED: samples' 'histogram' 'Gaussian, sigma' 'fit, beta' 'lag, s' \
		'events an interval'; do
		says "it says: $text" "$text" fit.svg
	done
	# Two sets of two events: three figures of each set, and one of all sets together.
	awk -F, 'NR == 1 || $1 <= 2' samples.csv >sets.csv
	exits "figures of each set" 0 stat --fit sets.csv --figures figures
	equal "figures: a file for each" "14 2 4 4 4" "$(find figures -name '*.svg' | wc -l) $(for kind in autocorrelations \
		samples autocorrelation gaussian; do find figures -name "*-$kind.svg" | wc -l; done | paste -sd' ')"
	equal "figures: each is whole" 14 "$(grep -l '</svg>' figures/*.svg | wc -l)"
	says "figures: which event and set" ', set 2' "$(find figures -name '1-*-set2-samples.svg')"
	says "figures: the mean of all sets with the fit" 'fit, sigma' "$(find figures -name '2-*-autocorrelations.svg')"
	refuses "figures into a file" 'cannot make the folder sets.csv' stat --fit sets.csv --figures sets.csv
	refuses "figures of what?" 'no action is given' stat --figures figures
else
	skip "plot: gnuplot is not installed" 18
fi
refuses "a plot of what?" 'no action is given' stat --plot x.svg

suite_end
