#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The tests' own tools: a process that is left behind is found, named and ended, however it tries to escape;
# the same after a time-out and after a signal; and a test that does not pass is counted as failed.
#
# usage: tests/harness/harness_test.sh OWNER SCRATCH
set -u
owner=$(realpath "$1")
harness=$(realpath "$(dirname "$0")")
run=$harness/run.sh total=$harness/total.sh
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/test.sh"
scratch_make "$2"
cd "$scratch" || exit 2
# Processes that are killed here do not remove their temporary files.
mkdir tmp
export TMPDIR="$scratch/tmp"
export OWNER="$owner"

# script NAME: create a program from standard input.
script() {
	{ echo '#!/bin/sh' && cat; } >"$1"
	chmod +x "$1"
}

# gone NAME FILE: check that FILE has the number of at least one process, and that none of these
# processes exists.
gone() {
	[ -s "$2" ] || { not_ok "$1" "nothing was begun"; return; }
	there=
	while read -r number; do
		# A zombie has also ended.
		case $(sed 's/.*) //' "/proc/$number/stat" 2>/dev/null) in
		'' | Z* | X*) ;;
		*) there="$there $number" ;;
		esac
	done <"$2"
	equal "$1" "" "$there"
}

# before_long COMMAND...: repeat the command until it succeeds, for at most a minute; otherwise later
# checks fail.
before_long() {
	tries=0
	until "$@" 2>/dev/null || [ $tries -ge 1200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
}

# A process that ignores all signals that can be ignored, with a session of its own and an ended
# parent.
script stubborn <<'END'
trap '' TERM INT HUP
echo $$ >>pids
while :; do sleep 1000; done
END
script leaves <<'END'
rm -f pids
(setsid ./stubborn >/dev/null 2>&1 &)
until [ -s pids ]; do sleep 0.05; done # or the owner's limit passes
echo "1 passed, 0 failed, 0 skipped"
END
script waits <<'END'
(setsid ./stubborn >/dev/null 2>&1 &)
until [ -s pids ]; do sleep 0.05; done
echo waiting
exec sleep 1000
END
script clean <<'END'
sleep 0.2 &
echo "2 passed, 0 failed, 0 skipped"
END

# ---- the owner
"$owner" true
equal "a status of 0" 0 $?
"$owner" sh -c 'exit 42'
equal "another status" 42 $?
"$owner" sh -c 'kill -KILL $$'
equal "a signal" 137 $?
"$owner" ./nowhere 2>err
equal "no such command" 127 $?
"$owner" 2>err
equal "no command" 126 $?
"$owner" -r times ./clean >out
equal "what ends by itself is not left" 0 $?
equal "seconds, and those of the processor" 2 "$(wc -w <times)"
"$owner" -t 60 -g 0.5 ./leaves >out 2>err
equal "left: status" 125 $?
equal "left: named" 1 "$(grep -c "^owner: left behind: $(head -n 1 pids) .*stubborn" err)"
gone "left: and gone" pids
# The second limit is longer, in case the process had not started within the first one.
for seconds in 1 10 100; do
	rm -f pids
	"$owner" -t $seconds -g 0.5 ./waits >out 2>err
	status=$?
	[ ! -s pids ] || break
done
equal "too long: status" 124 $status
equal "too long: said" 1 "$(grep -c "^owner: no end after $seconds seconds$" err)"
gone "too long: gone" pids
for signal in INT:130 TERM:143 HUP:129; do
	rm -f pids out
	"$owner" -g 0.5 ./waits >out 2>err &
	pid=$!
	before_long grep -q waiting out
	kill -${signal%:*} $pid
	wait $pid
	equal "SIG${signal%:*}: status" ${signal#*:} $?
	gone "SIG${signal%:*}: gone" pids
done

# The owner's parent is killed, and cannot notify the owner.
rm -f pids out
sh -c '"$0" -g 0.5 ./waits >out 2>err & echo $! >owner-pid; wait' "$owner" &
pid=$!
before_long grep -q waiting out
kill -KILL $pid
wait $pid 2>/dev/null
owner_ended() {
	! kill -0 "$(cat owner-pid)"
}
before_long owner_ended
gone "its parent is killed: gone" pids

# ---- several commands, as CI runs them
parts=$harness/parts.sh
script unlucky <<'END'
echo "1 passed, 2 failed, 0 skipped"
exit 1
END
script idle <<'END'
echo "skipped 1: nothing to do"
echo "0 passed, 0 failed, 1 skipped"
END
script breaks <<'END'
echo "3 passed, 0 failed, 0 skipped"
exit 9
END
# parted NAME STATUS SUMS COMMAND...
parted() {
	title=$1 status=$2 sums=$3
	shift 3
	"$parts" "$@" >out 2>err
	equal "$title" "$status $sums" "$? $(tail -n 1 out)"
}
parted "two that pass" 0 "4 passed, 0 failed, 0 skipped" ./clean ./clean
parted "the second skips" 0 "2 passed, 0 failed, 1 skipped" ./clean ./idle
parted "the first fails, and the second is run" 1 "3 passed, 2 failed, 0 skipped" ./unlucky ./clean
parted "the second fails" 1 "3 passed, 2 failed, 0 skipped" ./clean ./unlucky
parted "a status alone" 1 "5 passed, 1 failed, 0 skipped" ./clean ./breaks
parted "one that runs no test" 1 "2 passed, 1 failed, 0 skipped" ./clean true
parted "none that runs a test" 1 "0 passed, 0 failed, 1 skipped" ./idle

# The host cannot create a minimal system, here because no archive of packages can be reached.
for may in yes ''; do
	(cd "$harness/../.." && B=$scratch/b DEBIAN_MIRROR=http://127.0.0.1:9/debian RELEASE_MAY_SKIP=$may \
		tests/release/release.sh trixie demo) >out 2>&1
	status=$?
	if [ $may ]; then
		equal "a release that cannot be tried: skipped" "0 0 passed, 0 failed, 1 skipped" \
			"$status $(tail -n 1 out)"
		equal "and why" 1 "$(grep -c '^skipped 1: trixie was not tried: ' out)"
	else
		equal "asked for: an error" 1 "$((status > 0))"
	fi
done

# ---- the runner
SMILE_TALLY=$scratch/tally
export SMILE_TALLY
# ran NAME STATUS SUMS PROGRAM...: run the runner with these programs; check its status and its
# sums.
ran() {
	title=$1 status=$2 sums=$3
	shift 3
	: >tally
	"$run" "$@" >out 2>err
	equal "$title" "$status $sums" "$? $(tail -n 1 out)"
}
SMILE_TALLY=$(realpath tally)
ran "a program that passes" 0 "2 passed, 0 failed, 0 skipped" ./clean
equal "its tally" "count 2 0 0" "$(grep -v '^time [0-9.]* [0-9.]* ./clean$' tally)"
ran "one that leaves a process" 1 "1 passed, 1 failed, 0 skipped" ./leaves
equal "it is named" 1 "$(grep -c 'left behind: [0-9]* .*stubborn' out)"
gone "it is gone" pids
script silent <<'END'
exit 0
END
script fails <<'END'
echo "3 passed, 0 failed, 0 skipped"
exit 3
END
script skips <<'END'
echo "skipped 4: no such thing"
echo "skipped: nor this"
echo "0 passed, 0 failed, 5 skipped"
END
script cmocka <<'END'
echo "[  SKIPPED ] one_test"
echo "[  PASSED  ] 2 test(s)."
echo "[  SKIPPED ] 1 test(s), listed below:"
echo "[  SKIPPED ] one_test"
END
ran "one that says nothing" 1 "0 passed, 1 failed, 0 skipped" ./silent
ran "one that fails and does not say so" 1 "3 passed, 1 failed, 0 skipped" ./fails
ran "all are run, whatever fails" 1 "5 passed, 2 failed, 5 skipped" ./fails ./silent ./clean ./skips
equal "why it skipped" "skip 4 ./skips: no such thing|skip 1 ./skips: nor this" \
	"$(grep '^skip' tally | paste -s -d '|')"
ran "cmocka's words" 0 "2 passed, 0 failed, 1 skipped" ./cmocka
equal "what cmocka skipped" "skip 1 ./cmocka: one_test" "$(grep '^skip' tally)"
for shell in sh bash; do
	printf '#!/bin/%s\nnot_defined\necho "1 passed, 0 failed, 0 skipped"\n' $shell >calls.sh
	chmod +x calls.sh
	ran "a command that $shell does not know" 1 "1 passed, 1 failed, 0 skipped" ./calls.sh
	equal "a command that $shell does not know: it is named" 1 \
		"$(grep -c '^   unknown command: ./calls.sh: .*not_defined: .*not found$' out)"
done
TEST_SECONDS=1 ran "one that takes too long" 1 "0 passed, 1 failed, 0 skipped" ./waits
rm -f pids out
"$run" ./waits ./clean >out 2>err &
pid=$!
before_long test -s pids
kill -TERM $pid
wait $pid
equal "interrupted: status" 143 $?
equal "interrupted: nothing else is run" 0 "$(grep -c clean out)"
gone "interrupted: gone" pids

# ---- a suite of the Makefile, and a whole run by check.sh, whose make is ended
script inside <<END
cd "$scratch" && exec ./waits
END
cat >probe.mk <<END
probe:
	@PROBE=yes \$(RUN) "$scratch/inside"
END
dead() {
	! kill -0 "$(cat pids)"
}
# begun ARGUMENT...: start make, which first reads probe.mk, and wait until it has started a test. It has
# a process group of its own, as under a terminal; otherwise a process in the background ignores SIGINT.
begun() {
	rm -f pids
	(cd "$harness/../.." && MAKEFILES=$scratch/probe.mk exec setsid env --default-signal=INT \
		make --no-print-directory "$@") >out 2>err &
	pid=$!
	before_long test -s pids
}
for target in probe check-debug-kernel; do
	for signal in INT TERM KILL; do
		begun "$target" -o deps-debug-kernel DEBUG_SUITES=probe SMILE_TALLY="$scratch/probe-tally"
		# make does not pass SIGINT to its children, because a terminal sends it to them.
		[ $signal = INT ] && kill -INT -$pid || kill -$signal $pid
		wait $pid 2>/dev/null
		before_long dead
		gone "$target ended by SIG$signal: gone" pids
	done
done

# ---- the closing lines
printf '%s\n' 'count 5 0 2' 'time 3.0 1.5 a' 'time 12.0 2.5 b' 'count 1 0 0' 'skip 2 a: why' >tally
"$total" tally 0 >out
equal "sums" "0 6 passed, 0 failed, 2 skipped" "$? $(tail -n 1 out)"
equal "the slowest first" "12.0 2.5 b" "$(sed -n 3p out | xargs)"
equal "why" "2 a: why" "$(sed -n '/^Skipped/{n;p;}' out | xargs)"
"$total" tally 125 >out
equal "make failed, and no test says so" "1 6 passed, 1 failed, 2 skipped" "$? $(tail -n 1 out)"
: >tally
"$total" tally 0 >out
equal "no test" "1 0 passed, 0 failed, 0 skipped" "$? $(tail -n 1 out)"

# ---- the harness of each language: the same closing line, status and reasons
cat >suite.sh <<END
. "$harness/test.sh"
ok "one"
not_ok "two" "why not"
skip "no such thing" 2
suite_end
END
cat >suite.py <<END
import sys
sys.path.insert(0, "$harness")
from test import check, skip, suite_end
check("one", True)
check("two", False, "why not")
skip("no such thing", 2)
suite_end()
END
cat >suite.mjs <<END
import {check, skip, suite} from "$harness/test.mjs";
await suite(4, "", () => {
	check("one", true);
	check("two", false, "why not");
	skip("no such thing", 2);
});
END
unset SMILE_NEEDS_BROWSER
for program in "sh suite.sh" "python3 suite.py" "node suite.mjs"; do
	ran "$program" 1 "1 passed, 1 failed, 2 skipped" "$program"
	equal "$program: what it says" "ok one|not ok two|skipped 2: no such thing" \
		"$(grep -e '^ok' -e '^not ok' -e '^skipped' out | paste -s -d '|')"
	equal "$program: why it failed" 1 "$(grep -c 'why not' out)"
done
suite_end
