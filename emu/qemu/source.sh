#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Fetch and unpack the source package of the installed QEMU.
#
#	emu/qemu/source.sh CACHE	leaves CACHE/VERSION/source, prints CACHE/VERSION
#
# The device must be compiled against exactly the headers that the running QEMU was compiled from,
# and Debian ships no QEMU headers; its source package has them. The script searches all archives in
# apt's configuration, including security updates. A rebuild of unchanged sources (+b3) has no source
# package of its own; dpkg reports the one it was built from. May use apt, dpkg and sh, and writes
# only to CACHE, apt's state included.
set -eu

PACKAGE=qemu-system-x86

die()
{
	echo "$0: $*" >&2
	exit 1
}

[ $# -eq 1 ] || die "usage: $0 CACHE"
mkdir -p "$1"
cache=$(cd "$1" && pwd)

version=$(dpkg-query -W -f '${source:Version}' $PACKAGE 2>/dev/null) && [ -n "$version" ] ||
	die "$PACKAGE is not installed: apt-get install $PACKAGE"
dir=$cache/${version#*:}

# Two runs of make may share the cache, so lock it.
exec 9>"$cache/lock"
flock 9

if [ ! -d "$dir/source" ]; then
	for tool in dpkg-source apt-get; do
		command -v $tool >/dev/null || die "no $tool: apt-get install dpkg-dev"
	done
	work=$dir/fetch
	rm -rf "$work"
	mkdir -p "$work/lists/partial" "$work/archives/partial"

	# The archives that apt already uses for binaries, asked for sources instead.
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
		'Created-By: Packages' | awk '$4 == "Debian" { print "deb-src", $1, $2, $3 }' |
		sort -u >"$work/sources.list"
	[ -s "$work/sources.list" ] ||
		die "apt knows no Debian archive: run apt-get update with one in its sources"

	set -- -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$work/lists" -o Dir::Cache::archives="$work/archives" \
		-o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= -o APT::Sandbox::User= \
		-o Acquire::Languages=none -o APT::Get::List-Cleanup=0
	apt-get "$@" update >&2 || die "cannot read the package lists: is the archive reachable?"
	(cd "$work" && apt-get "$@" source --download-only --only-source "qemu=$version" >&2) ||
		die "no source package qemu $version in the archives of $work/sources.list:" \
			"apt-get update && apt-get install --only-upgrade $PACKAGE, then try again"
	dpkg-source -q --no-check -x "$work"/qemu_*.dsc "$work/source" >&2 ||
		die "cannot unpack $work/qemu_*.dsc: delete $dir and try again"
	mv "$work/source" "$dir/source"
	rm -rf "$work"
fi
echo "$dir"
