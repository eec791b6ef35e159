# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh
# Shared by the suites over traced programs, on top of tests/tools/command_checks.sh: sourced with SMILE
# MKCAPTURE SCRATCH as arguments.
#
# What lives here: smile run and other commands as checks with a time limit; waits for an event and for the end of
# background processes; the replacement of QEMU (fake_qemu.c); skipping if QEMU is missing. Needs sh, timeout and
# gojq.

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

# own PID: adds such a process. disown PID: removes a process that has been waited for.
own() {
	owned="$owned $1"
}
disown() {
	owned=$(for process in $owned; do [ "$process" = "$1" ] || echo "$process"; done | xargs)
}

# end_owned PID: ends such a process and waits for it. Not by SIGTERM: because of the trap above, dash drops SIGTERM in
# a child that has not run yet.
end_owned() {
	kill -KILL "$1" 2>/dev/null
	wait "$1" 2>/dev/null
	disown "$1"
}

# awaits COMMAND...: waits until the command succeeds; status 1 if it has not after $limit seconds.
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

# traced_programs: for suites that run $programs under QEMU, with a processor that has all instructions.
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

# ran NAME STATUS ARGUMENTS...: the same for smile run.
ran() {
	title=$1 status=$2
	shift 2
	ends "$title" "$status" run "$@"
}

# of FILTER: the result of gojq for the file out, in one line.
of() {
	gojq -r "$1" out | xargs
}

# identity NAME FILE: the account in this summary must hold: all accesses are those counted plus those left out.
identity() {
	equal "$1: counted and left out are all accesses" true "$(gojq '.accesses as $counted | .account |
		.counted == $counted and .accesses == .counted + ([.left_out[].accesses // 0] | add) and
		all(.left_out[]; .reason != "" and (.rule | type) == "string")' "$2" 2>&1)"
}

# identities NAME PROGRAM...: whichever accesses options leave out, the number of all accesses is the same.
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

# accounted NAME STATUS ARGUMENTS...: smile run with these arguments, into x*, must exit with this status, and all
# accounts must hold.
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
