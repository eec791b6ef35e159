# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh
# Shared by the suites over traced programs, on top of tests/tools/command_checks.sh: sourced with SMILE
# MKCAPTURE SCRATCH as arguments.
#
# What lives here: functions that run smile run and other commands with a time limit; that wait for
# an event or for the end of background processes; that replace QEMU (fake_qemu.c); and that skip
# the test if QEMU is missing. Needs sh, timeout and gojq.

# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/../tools/command_checks.sh"
# Seconds after which a run is considered to hang.
limit=300
# The first of the processors that the suite may use; this need not be processor 0.
# shellcheck disable=SC2034
one_processor=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
# Background processes that have not been waited for: they end with the suite, however it ends.
owned=
trap 'for process in $owned; do kill -KILL "$process" 2>/dev/null; done' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# own PID: add PID to the list of background processes. disown PID: remove a process that has been
# waited for.
own() {
	owned="$owned $1"
}
disown() {
	owned=$(for process in $owned; do [ "$process" = "$1" ] || echo "$process"; done | xargs)
}

# end_owned PID: end a background process, and wait for it. Do not use SIGTERM: because of the trap
# above, dash drops SIGTERM in a child that has not run yet.
end_owned() {
	kill -KILL "$1" 2>/dev/null
	wait "$1" 2>/dev/null
	disown "$1"
}

# awaits COMMAND...: wait until the command succeeds. The status is 1 if it has not succeeded after
# $limit seconds.
awaits() {
	looks=$((limit * 10))
	until "$@"; do
		[ $looks -gt 0 ] || return 1
		looks=$((looks - 1))
		sleep 0.1
	done
}

# has PATTERN FILE: the file has a line that matches.
has() {
	grep -q -e "$1" "$2"
}

# needs PROGRAM...: if one of these is missing, the suite ends here.
needs() {
	for program; do
		command -v "$program" >/dev/null && continue
		skip "$program is not there: nothing was traced"
		suite_end
		exit
	done
}

# traced_programs: prepare a suite that runs $programs in QEMU. Its processor has all instructions.
traced_programs() {
	# shellcheck disable=SC2034
	programs=$RUN_PROGRAMS
	needs qemu-x86_64
	QEMU_CPU=max
	export QEMU_CPU
}

# fake_qemu DIRECTORY: from here on, programs run under the qemu-x86_64 in DIRECTORY; $any can be any program that
# can be traced, since the replacement of QEMU uses only its arguments.
fake_qemu() {
	export PATH="$1:$PATH"
	mkdir lib && : >lib/smile-tracer.so && : >lib/smile-preload.so
	SMILE_LIBDIR=$(pwd)/lib
	export SMILE_LIBDIR
	# shellcheck disable=SC2034
	any=$(command -v sleep)
}

# ends NAME STATUS ARGUMENTS...: smile with these arguments must exit with this status, in time. Leaves out, err.
ends() {
	name=$1 expected=$2
	shift 2
	timeout -k 10 $limit "$smile" "$@" >out 2>err
	equal "$name" "$expected" $?
}

# ran NAME STATUS ARGUMENTS...: like ends, for smile run.
ran() {
	title=$1 status=$2
	shift 2
	ends "$title" "$status" run "$@"
}

# of FILTER: the result of gojq for the file out, in one line.
of() {
	gojq -r "$1" out | xargs
}

# identity NAME FILE: check the summary in FILE: the number of all accesses is the sum of those
# counted and those left out.
identity() {
	equal "$1: counted and left out are all accesses" true "$(gojq '.accesses as $counted | .account |
		.counted == $counted and .accesses == .counted + ([.left_out[].accesses // 0] | add) and
		all(.left_out[]; .reason != "" and (.rule | type) == "string")' "$2" 2>&1)"
}

# identities NAME PROGRAM...: whichever accesses the options leave out, the number of all accesses
# must be the same.
identities() {
	case_name=$1 all=
	shift
	for how in --quiet --stacks --no-constants "--stacks --no-constants"; do
		# shellcheck disable=SC2086
		timeout -k 10 $limit "$smile" run -q $how -o x --json x.json -- "$@" >out 2>err || cat err
		identity "$case_name, $how" x.json
		all="$all $(gojq .account.accesses x.json)"
	done
	equal "$case_name: all accesses are as many, whatever is left out" 1 "$(echo "$all" | xargs -n 1 | sort -u | wc -l)"
}

# accounted NAME STATUS ARGUMENTS...: run smile run with these arguments, with the recordings x*. It
# must exit with this status, and all counts must be complete.
accounted() {
	case_name=$1 status=$2
	shift 2
	rm -f x-node*.rec x.json
	ends "$case_name" "$status" run -o x --json x.json "$@"
	equal "$case_name: every account holds" "" "$(gojq -r 'if .checks | length < 6 then "too few" else
		.checks[] | select(.holds | not) | "\(.check) (\(.node)): \(.is), should be \(.should_be)"
		end' x.json 2>&1)"
	identity "$case_name" x.json
}
