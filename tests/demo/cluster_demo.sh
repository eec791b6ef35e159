#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The demonstration of a cluster: SOR on four guests that share its grid. Each guest's card counts: first the accesses
# with the initial placement of the pages; then the program reads its cards' counts and moves its pages. May use: the
# built tree, the products of `make cluster`.
#
# Usage: [B=build] [DEMO=DIR] [GUEST_FILES=DIR] tests/demo/cluster_demo.sh
#
# Leaves the recordings in $DEMO ($B/cluster-demo). GUEST_FILES is the directory for --guest of smile cluster.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
DEMO=${DEMO:-$B/cluster-demo}
PATH=$PWD/$B/bin:$PATH
mkdir -p "$DEMO"
program="$(realpath --relative-to="$DEMO" "$B/workload/nodes/sor") --size 128 --iterations 6"
cd "$DEMO"
rm -f sor-node*.rec

show() {
	printf '\n$ %s\n' "$*"
	${GUEST_FILES:+env "SMILE_GUEST=$GUEST_FILES"} setpriv --pdeathsig TERM "$@"
}

cat <<END

A cluster: four guests, each with an SCI adapter, through which it reads and writes the others' memory, and a card,
which counts what passes. SOR, a grid of 128 x 128 points in 17 pages that all of them see at the same addresses,
6 iterations. The pages are spread over the nodes one by one. (smile is $B/bin/smile; the files are in $DEMO.)
END
# shellcheck disable=SC2086 # a command
{
	show smile cluster --nodes 4 -o sor -- $program
	show smile report transfers sor-node?.rec
	cat <<END

The same program, which asks its own cards after each iteration (two barriers), and moves each page to the node that
has used it most:
END
	show smile cluster --nodes 4 -- $program --adapt 2
}
