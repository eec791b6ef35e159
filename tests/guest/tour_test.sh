#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The tour "Your first cluster" of docs/guide.md, as it is printed, but with the command that `make install
# install-cluster` has installed below DESTDIR: it finds kernel, image and plug-in there. Also checks that a program
# starts that is built by pkg-config with the shared library; sisci_test.sh runs such a program in guests. May use: make,
# smile, the products of `make cluster`.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/tour_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh

# BUILT: nothing is built again, because other tests use the files.
make --no-print-directory install install-cluster B="$B" GUEST="$GUEST" BUILT=yes DESTDIR="$work/root" \
	>"$work/out" 2>&1 || fail "make install"
smile=$work/root/usr/local/bin/smile
man=$work/root/usr/local/share/man/man3
for page in sisci_session.3 man3/SCIOpen.3; do
	cmp "docs/man/$page" "$man/${page##*/}" >>"$work/out" 2>&1 || fail "$(ls -l "$man/${page##*/}") is not docs/man/$page"
done
grep -qx '.so man3/sisci_session.3' "$man/SCIOpen.3" || fail "SCIOpen(3) is no link"
echo "ok installed"

# The commands of the section, without the build command, whose results are already installed.
sed -n '/^## Your first cluster$/,/^## Single/p' docs/guide.md |
	awk '/^```/ { inside = !inside; next } inside && !/^make cluster /' >"$work/tour"
[ "$(grep -c '^build/bin/smile cluster ' "$work/tour")" = 2 ] || fail "the tour has not two clusters"
ln -s "$PWD/include" "$PWD/tests" "$work/"
mkdir -p "$work/build/bin"
ln -s "$smile" "$work/build/bin/smile"
ln -s "$(realpath "$B/libsisci.a")" "$work/build/"
(cd "$work" && timeout -k 5 400 bash -eux tour) >"$work/out" 2>&1 </dev/null || fail "the tour"
for node in 0 1 2 3; do
	grep -q "^$node: I am node $node of 4\$" "$work/out" || fail "node $node does not introduce itself"
done
[ "$(grep -c '^[01]: ok end$' "$work/out")" = 2 ] || fail "the program does not end"
"$smile" report transfers --csv "$work/pair-node0.rec" "$work/pair-node1.rec" >"$work/transfers"
[ "$(grep -cE '^(0,1|1,0),[1-9]' "$work/transfers")" = 2 ] || fail "nothing is recorded"
echo "ok the tour"

# All paths of pkg-config are relative to DESTDIR.
export PKG_CONFIG_PATH=$work/root/usr/local/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
# shellcheck disable=SC2046
cc -Wall -Werror tests/guest/sisci_pair.c $(pkg-config --cflags --libs sisci) -o "$work/shared" >"$work/out" 2>&1 ||
	fail "a program does not compile by pkg-config"
# shellcheck disable=SC2046
echo '#include <sisci_api.h>' |
	c++ -Wall -Werror -x c++ -fsyntax-only $(pkg-config --cflags sisci) - >"$work/out" 2>&1 ||
	fail "the header is not C++"
# There is no adapter on the host.
! SMILE_NODE=0 LD_LIBRARY_PATH=$work/root/usr/local/lib timeout -k 5 300 "$work/shared" >"$work/out" 2>&1 </dev/null ||
	fail "a program with the shared library, and no adapter"
grep -q 'is the driver smile_adapter loaded' "$work/out" || fail "a program with the shared library does not begin"
echo "ok a program by pkg-config"
