#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Fetch and unpack the source package of the distribution's QEMU.
#
# 	emu/qemu/source.sh CACHE	leaves CACHE/VERSION/source, prints CACHE/VERSION
# 	emu/qemu/source.sh CACHE any	the same; if no QEMU is installed, for the version that apt would install
#
# The device must be compiled against exactly the headers from which the running QEMU was compiled. Debian ships no QEMU
# headers, but its source package has them. The script searches all archives in apt's configuration, including security
# updates. A rebuild of unchanged sources (+b3) has no source package of its own; dpkg reports the one from which it was
# built. The archive is signed by Debian's key, and has the check sum of each file, so apt accepts only Debian's files.
# If a broken connection has interrupted a download, it is resumed. The script writes only to CACHE, including apt's
# state. May use apt, dpkg and sh.
set -eu

PACKAGE=qemu-system-x86

die()
{
	echo "$0: $*" >&2
	exit 1
}

# installed PACKAGE: if the package is installed, print the version of its source.
installed()
{
	dpkg-query -W -f '${db:Status-Status} ${source:Version}\n' "$1" 2>/dev/null | sed -n 's/^installed //p'
}

# Print the version of the source of the package that apt would install.
candidate()
{
	apt-cache show --no-all-versions "$1" 2>/dev/null |
		awk '/^Version:/ { version = $2 }
			/^Source:.*\(/ { gsub(/[()]/, "", $3); version = $3 }
			END { print version }'
}

[ $# -eq 1 ] || [ "${2:-}" = any ] || die "usage: $0 CACHE [any]"
mkdir -p "$1"
cache=$(cd "$1" && pwd)

version=$(installed $PACKAGE)
[ -n "$version" ] || [ $# -eq 1 ] || version=$(installed qemu-user)
[ -n "$version" ] || [ $# -eq 1 ] || version=$(candidate qemu-user)
[ -n "$version" ] || die "$PACKAGE is not installed: apt-get install $PACKAGE"
dir=$cache/${version#*:}

# Two runs of make may share the cache, so lock it.
exec 9>"$cache/lock"
flock 9

if [ ! -d "$dir/source" ]; then
	for tool in dpkg-source apt-get; do
		command -v $tool >/dev/null || die "no $tool: apt-get install dpkg-dev"
	done
	work=$dir/fetch
	rm -rf "$work/source"
	mkdir -p "$work/lists/partial" "$work/archives/partial"

	# Read sources from the archives that apt already uses for binaries, verified only with Debian's own key.
	keys=
	for ring in /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/debian-archive-keyring.pgp; do
		[ ! -r "$ring" ] || keys="[signed-by=$ring] "
	done
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
		'Created-By: Packages' |
		awk -v keys="$keys" '$4 == "Debian" { print "deb-src " keys $1, $2, $3 }' |
		sort -u >"$work/sources.list"
	[ -s "$work/sources.list" ] ||
		die "apt knows no Debian archive: run apt-get update with one in its sources"

	set -- -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$work/lists" -o Dir::Cache::archives="$work/archives" \
		-o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= -o APT::Sandbox::User= \
		-o Acquire::Languages=none -o APT::Get::List-Cleanup=0 -o Acquire::Retries=3 \
		-o Acquire::AllowInsecureRepositories=false
	apt-get "$@" -o APT::Update::Error-Mode=any update >&2 ||
		die "cannot read the package lists: is the archive reachable, and signed by Debian?"
	(cd "$work" && apt-get "$@" source --download-only --only-source "qemu=$version" >&2) ||
		die "cannot fetch the source package qemu $version, see above. Try again: what has come so far is kept in" \
			"$work. If the archives of $work/sources.list have it no more:" \
			"apt-get update && apt-get install --only-upgrade $PACKAGE"
	dpkg-source -q --no-check -x "$work"/qemu_*.dsc "$work/source" >&2 ||
		die "cannot unpack $work/qemu_*.dsc: delete $dir and try again"
	# Remove the sources of firmware, which are two thirds of all files, because no firmware is built here. Also remove
	# the copies of changed files that dpkg-source keeps, which are a third of the remaining files.
	rm -rf "$work"/source/roms/*/ "$work/source/.pc"
	mv "$work/source" "$dir/source"
	rm -rf "$work"
fi
echo "$dir"
