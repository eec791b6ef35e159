# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh
# Shared by the suites over the command, on top of tests/harness/test.sh: sourced with SMILE MKCAPTURE
# SCRATCH as arguments.
#
# What lives here: checks of the command, and the captures they use; the current folder is then SCRATCH.
# Needs sh, dd, od, and gojq or python3 to read JSON.

if [ $# -ne 3 ]; then
	echo "usage: $0 SMILE MKCAPTURE SCRATCH" >&2
	exit 2
fi
smile=$(realpath "$1") make=$(realpath "$2")
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/../harness/test.sh"
scratch_make "$3"
cd "$scratch" || exit 2

# exits NAME STATUS ARGUMENTS...: smile with these arguments must exit with this status. Leaves out and err.
exits() {
	name=$1 expected=$2
	shift 2
	"$smile" "$@" >out 2>err
	equal "$name" "$expected" $?
}

# refuses NAME PATTERN ARGUMENTS...: status 2, nothing on stdout, and a message that matches PATTERN.
refuses() {
	name=$1 pattern=$2
	shift 2
	"$smile" "$@" >out 2>err </dev/null
	status=$?
	if [ $status -eq 2 ] && [ ! -s out ] && grep -q -e "$pattern" err; then
		ok "$name"
	else
		not_ok "$name" "status $status, wanted 2 and a message with '$pattern'" "$(cat out)"
	fi
}

# says NAME PATTERN FILE
says() {
	if grep -q -e "$2" "$3"; then ok "$1"; else not_ok "$1" "no '$2' in:" "$(cat "$3")"; fi
}

if command -v gojq >/dev/null; then
	json_valid() { [ -s "$1" ] && gojq -e . "$1" >/dev/null 2>&1; }
elif command -v python3 >/dev/null; then
	json_valid() { [ -s "$1" ] && python3 -m json.tool "$1" >/dev/null 2>&1; }
else
	echo "neither gojq nor python3: cannot check JSON" >&2
	exit 2
fi

# json NAME STATUS SCHEMA ARGUMENTS...: one valid line of JSON that starts with its schema.
json() {
	name=$1 expected=$2 schema=$3
	shift 3
	"$smile" "$@" >out 2>err
	status=$?
	if [ $status -eq "$expected" ] && json_valid out && [ "$(wc -l <out)" -eq 1 ] &&
		grep -q "^{\"schema\":\"$schema\"" out; then
		ok "$name"
	else
		not_ok "$name" "status $status, wanted $expected and a line of $schema" \
			"$(head -c 300 out)"
	fi
}

# patch FILE OFFSET OCTAL...: overwrites bytes.
patch() {
	file=$1 offset=$2
	shift 2
	for byte; do
		# shellcheck disable=SC2059
		printf "\\$byte" | dd of="$file" bs=1 seek="$offset" conv=notrunc 2>/dev/null
		offset=$((offset + 1))
	done
}

for kind in small straddle malformed empty far; do
	"$make" $kind.pcap $kind || { echo "mkcapture $kind failed"; exit 1; }
done
