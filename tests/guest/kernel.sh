#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Fetches the guest's kernel: the one that linux-image-amd64 stands for in the running Debian
# release, and the headers that match it. Nothing is installed and no root is needed; all stays
# under $B/guest:
#
#	vmlinuz		the kernel image
#	vmlinux		the same unpacked: boots sooner where nothing helps it to decompress itself
#	modules		lib/modules/VERSION below it, with its dependency lists
#	headers		a KDIR: make -C $B/guest/headers M=...
#
# These are links into kernel-VERSION_REVISION, which is complete or not there at all. May use: apt
# (its configured archives; no address is written here), dpkg-deb, depmod, xz or zstd.
#
# Usage: [B=build] tests/guest/kernel.sh

set -eu

B=${B:-build}
cd "$(dirname "$0")/../.."
mkdir -p "$B/guest"
guest=$(cd "$B/guest" && pwd)

say() {
	printf 'guest kernel: %s\n' "$*" >&2
}

# The last resort of every step: a kernel that is there already is better than none.
fail() {
	say "$*"
	if [ -e "$guest/vmlinuz" ] && [ -e "$guest/headers/Makefile" ]; then
		say "going on with $(basename "$(readlink -f "$guest/vmlinuz")"), fetched before"
		exit 0
	fi
	exit 1
}

for tool in apt-get:apt apt-cache:apt dpkg-deb:dpkg depmod:kmod flock:util-linux; do
	PATH=$PATH:/usr/sbin:/sbin command -v "${tool%%:*}" >/dev/null ||
		fail "${tool%%:*} is missing; install the package ${tool##*:}"
done
PATH=$PATH:/usr/sbin:/sbin
[ "$(dpkg --print-architecture)" = amd64 ] ||
	fail "this machine is $(dpkg --print-architecture); the guest is built for amd64 only"

# Two makes at once must not unpack over each other.
exec 9>"$guest/.lock"
flock 9

# Where apt keeps its lists: the machine's, or ours after update_lists.
apt_options="-q -o Dir::Cache=$guest/apt/cache -o Debug::NoLocking=true"
[ "$(id -u)" -ne 0 ] || apt_options="$apt_options -o APT::Sandbox::User=root"

update_lists() {
	say "fetching the archive's package lists"
	mkdir -p "$guest/apt/lists/partial" "$guest/apt/cache/archives/partial"
	apt_options="$apt_options -o Dir::State::Lists=$guest/apt/lists"
	# shellcheck disable=SC2086 # a list of options
	apt-get $apt_options update >"$guest/apt/update.log" 2>&1 ||
		fail "apt-get update failed, see $guest/apt/update.log"
}

# The candidate's control fields. apt-cache answers from the lists, without a network.
show() {
	# shellcheck disable=SC2086
	apt-cache $apt_options show --no-all-versions "$1" 2>/dev/null || :
}

depends() {
	show "$1" | sed -n 's/^Depends: //p' | sed 's/[,|]/\n/g' | awk '{ print $1 }'
}

# Sets image, headers (the packages) and release (the directory that holds them).
resolve() {
	image=$(depends linux-image-amd64 | grep -m 1 '^linux-image-[0-9]') || return 1
	headers=linux-headers-${image#linux-image-}
	revision=$(show "$image" | sed -n 's/^Version: //p')
	[ -n "$revision" ] && [ -n "$(show "$headers")" ] || return 1
	release=kernel-${image#linux-image-}_$(echo "$revision" | tr ':' '_')
}

mkdir -p "$guest/apt/cache/archives/partial"
if ! resolve; then
	update_lists
	resolve || fail "the archives of this machine's apt have no linux-image-amd64 with headers;" \
		"add Debian's main archive to its sources"
fi

# A little-endian number of $3 bytes at offset $2 of file $1.
number() {
	od -An -t "u$3" -j "$2" -N "$3" --endian=little "$1" | tr -d ' '
}

# Unpacks the ELF file inside the bzImage $1 to $2; the fields are those of the x86 boot protocol:
# setup_sects, payload_offset and payload_length.
extract() {
	offset=$((($(number "$1" 497 1) + 1) * 512 + $(number "$1" 584 4)))
	case $(od -An -t x1 -j "$offset" -N 4 "$1" | tr -d ' ') in
	fd377a58) unpacker="xz -dc --single-stream" ;;
	28b52ffd) unpacker="zstd -dc" ;;
	1f8b*) unpacker="gzip -dc" ;;
	*) return 1 ;;
	esac
	# The last four bytes are the unpacked length, which the other end takes for rubbish.
	tail -c "+$((offset + 1))" "$1" | head -c "$(($(number "$1" 588 4) - 4))" |
		$unpacker >"$2.part" 2>/dev/null || :
	[ "$(od -An -c -j 1 -N 3 "$2.part" | tr -d ' ')" = ELF ] && mv "$2.part" "$2"
}

# Unpacks the packages in $1 to $2.
unpack() {
	mkdir -p "$2/unpacked" "$2/modules"
	for package in "$1"/*.deb; do
		dpkg-deb -x "$package" "$2/unpacked"
	done

	# The image's half: /lib/modules, or /usr/lib/modules in later releases.
	version=${image#linux-image-}
	mv "$2/unpacked/boot/vmlinuz-$version" "$2/vmlinuz-$version"
	extract "$2/vmlinuz-$version" "$2/vmlinux-$version" || {
		rm -f "$2/vmlinux-$version.part"
		ln -s "vmlinuz-$version" "$2/vmlinux-$version"
		say "cannot unpack vmlinuz; the guest will boot more slowly (install xz-utils, zstd)"
	}
	mkdir -p "$2/modules/lib/modules"
	for lib in lib usr/lib; do
		[ -e "$2/unpacked/$lib/modules/$version/kernel" ] || continue
		mv "$2/unpacked/$lib/modules/$version" "$2/modules/lib/modules/$version"
	done
	rm -f "$2/modules/lib/modules/$version/build" "$2/modules/lib/modules/$version/source"
	depmod -b "$2/modules" "$version"

	# The headers' half: the links to linux-kbuild are relative already, the Makefile's include
	# is made so, that the tree can be moved.
	rm -rf "$2/unpacked/boot" "$2/unpacked/lib" "$2/unpacked/usr/lib/modules" \
		"$2/unpacked/usr/share"
	mv "$2/unpacked/usr" "$2/usr"
	rm -rf "$2/unpacked"
	# shellcheck disable=SC2016 # for make to expand
	sed -i 's,^include /usr/src/,include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../,' \
		"$2/usr/src/$headers/Makefile"
	[ -e "$2/usr/src/$headers/scripts/mod/modpost" ] ||
		fail "$headers comes without scripts/mod/modpost"
}

download() {
	rm -rf "$guest/download"
	mkdir -p "$guest/download"
	# shellcheck disable=SC2046,SC2086 # lists of options and packages
	(cd "$guest/download" && apt-get $apt_options download "$image" "$headers" \
		$(depends "$headers" | grep -E '^linux-(headers|kbuild)-') 9>&-) \
		>"$guest/download.log" 2>&1
}

if [ ! -d "$guest/$release" ]; then
	say "fetching $image and its headers, $revision (about 85 MB)"
	# Lists that are too old name packages that the archive has dropped since.
	if ! download; then
		update_lists
		resolve || fail "linux-image-amd64 has gone from the package lists"
		[ -d "$guest/$release" ] || download ||
			fail "the download failed, see $guest/download.log"
	fi
fi
if [ ! -d "$guest/$release" ]; then
	rm -rf "$guest/unpacking"
	unpack "$guest/download" "$guest/unpacking"
	mv "$guest/unpacking" "$guest/$release"
	rm -rf "$guest/download"
fi

# Replaced in one step each, and only if they change: what is built depends on them.
point() {
	[ "$(readlink "$guest/$2" || :)" = "$1" ] && return
	ln -sfn "$1" "$guest/.$2"
	mv -fT "$guest/.$2" "$guest/$2"
}
point "$release/vmlinuz-${image#linux-image-}" vmlinuz
point "$release/vmlinux-${image#linux-image-}" vmlinux
point "$release/modules" modules
point "$release/usr/src/$headers" headers
for old in "$guest"/kernel-*; do
	[ "$old" = "$guest/$release" ] || rm -rf "$old"
done
say "${image#linux-image-} ($revision) is in $B/guest"
