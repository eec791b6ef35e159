#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The demonstration without a card: SOR as an ordinary program under `smile run`, the data on the wrong node,
# the gain of moving it, and the report page in a browser. May use: the built tree.
#
# Usage: [B=build] [DEMO=DIR] tests/demo/demo.sh
#
# Leaves the recordings, the placement and report.html in $DEMO ($B/demo).
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
DEMO=${DEMO:-$B/demo}
PATH=$PWD/$B/bin:$PATH
mkdir -p "$DEMO"
program="$(realpath --relative-to="$DEMO" "$B/workload/sor") --iterations 4"
cd "$DEMO"
rm -f sor-node*.rec placement report.html

show() {
	printf '\n\n$ %s\n' "$*"
	setpriv --pdeathsig TERM "$@"
}

cat <<END


Without a card: any x86-64 program on an emulated machine, here the same SOR, 4 iterations, on the papers'
machine of four nodes. Its data is spread over the nodes page by page, as that machine does by itself. (smile is
$B/bin/smile; the files are in $DEMO.)
END
# shellcheck disable=SC2086 # a command
{
	show smile run --machine smile1998 -o sor -- $program
	show smile advise --verify -o placement sor-node?.rec
}
show smile view sor-node?.rec -o report.html
cat <<END

Open this page in a browser: it names the structure on the wrong node, and the command that fixes it.

    file://$PWD/report.html

END
