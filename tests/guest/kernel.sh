#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Fetches a kernel for the guest and the headers that match it: the kernel on which linux-image-amd64
# depends in the running Debian release. With --release, it is the kernel on which
# linux-image-X.Y-amd64 depends in the archives of this machine's apt, or linux-image-amd64 in the
# release's backports. Nothing is installed and no root is needed; all files are under $GUEST:
#
#	vmlinuz		the kernel image
#	vmlinux		the same unpacked: boots sooner without KVM, where decompression is slow
#	modules		lib/modules/VERSION below it, with its dependency lists
#	headers		a KDIR: make -C $GUEST/headers M=...
#
# These are links into kernel-VERSION_REVISION, which is either complete or missing. May use: apt
# (its configured archives; no address is written here), dpkg-deb, tar, depmod, xz or zstd.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/kernel.sh [--release X.Y]
# GUEST is $B/guest if it is not given, or $B/guest-X.Y

set -eu

say() {
	printf 'guest kernel: %s\n' "$*" >&2
}

B=${B:-build}
wanted=''
if [ "${1:-}" = --release ] && [ $# -eq 2 ]; then
	wanted=$2
elif [ $# -gt 0 ]; then
	say "usage: $0 [--release X.Y]"
	exit 1
fi
GUEST=${GUEST:-$B/guest${wanted:+-$wanted}}
cd "$(dirname "$0")/../.."
mkdir -p "$GUEST"
guest=$(cd "$GUEST" && pwd)

# If a step fails, use the kernel of an earlier call.
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

# Two make processes that run at the same time must not unpack to the same directory.
exec 9>"$guest/.lock"
flock 9

# The directory of apt's lists: that of the machine, or our own after update_lists.
common_options="-q -o Dir::Cache=$guest/apt/cache -o Debug::NoLocking=true"
[ "$(id -u)" -ne 0 ] || common_options="$common_options -o APT::Sandbox::User=root"
apt_options=$common_options
unreached=''

update_lists() {
	say "fetching the archive's package lists"
	mkdir -p "$guest/apt/lists/partial" "$guest/apt/cache/archives/partial"
	apt_options="$common_options -o Dir::State::Lists=$guest/apt/lists $*"
	# shellcheck disable=SC2086 # a list of options
	apt-get $apt_options update >"$guest/apt/update.log" 2>&1 ||
		fail "apt-get update failed, see $guest/apt/update.log"
	# If apt cannot reach an archive, it reports no error. The archive may have nothing to do
	# with the kernel.
	unreached=$(grep -m 1 'Failed to fetch\|Could not' "$guest/apt/update.log" || :)
}

# Add the backports of the running release, only to our own lists: from the server of its main
# archive, with the same key.
add_backports() {
	mkdir -p "$guest/apt"
	# shellcheck disable=SC1091
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	# shellcheck disable=SC2016 # for apt-get to expand
	apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(SITE) $(SIGNED_BY)' \
		'Created-By: Packages' 2>/dev/null |
		awk -v codename="$codename" '$1 == codename && $2 == "main" {
			key = $4 ~ "^/" ? "[signed-by=" $4 "] " : ""
			print "deb " key $3 " " codename "-backports main"
			exit
		}' >"$guest/apt/backports.list"
	[ -s "$guest/apt/backports.list" ] ||
		fail "apt does not know where $codename comes from; add Debian's main archive to" \
			"its sources"
	update_lists -o "Dir::Etc::SourceList=$guest/apt/backports.list" \
		-o Dir::Etc::SourceParts=/dev/null
}

# Print the candidates' control fields. apt-cache answers from the lists, without a network, and
# takes 0.8 s.
show() {
	# shellcheck disable=SC2086
	apt-cache $apt_options show --no-all-versions "$@" 2>/dev/null || :
}

# field PACKAGE NAME: print the field of the package, from the control fields on stdin
field() {
	awk -v package="$1" -v name="$2:" '$1 == "Package:" { found = $2 == package }
		found && $1 == name { sub(/^[^ ]* /, ""); print }'
}

depends() {
	field "$1" Depends | sed 's/[,|]/\n/g' | awk '{ print $1 }'
}

# Sets image and headers (the packages), their dependencies (parts: the kernel and its modules, if the image has only
# scripts; needs: those of the headers), and release (the directory that holds them). $1 is the metapackage; if a
# release is requested, the packages must be of this release.
resolve() {
	image=$(show "$1" | depends "$1" | grep -m 1 "^linux-image-${wanted:-[0-9][0-9.]*}[.]") || return 1
	headers=linux-headers-${image#linux-image-}
	fields=$(show "$image" "$headers")
	revision=$(printf '%s\n' "$fields" | field "$image" Version)
	parts=$(printf '%s\n' "$fields" | depends "$image" | grep -E '^linux-(base|binary|modules)-[0-9]') || :
	needs=$(printf '%s\n' "$fields" | depends "$headers" | grep -E '^linux-(headers|kbuild)-') || return 1
	[ -n "$revision" ] || return 1
	release=kernel-${image#linux-image-}_$(echo "$revision" | tr ':' '_')
}

# Find the kernel with the existing lists. If this fails, use new lists, because the existing ones
# may be missing or name removed packages. If a release was requested, also use the backports.
find_kernel() {
	meta=linux-image-${wanted:+$wanted-}amd64
	if [ -z "${1:-}" ] && resolve "$meta"; then
		return
	fi
	update_lists
	resolve "$meta" && return
	[ -n "$wanted" ] || [ -z "$unreached" ] ||
		fail "an archive cannot be reached, see $guest/apt/update.log: $unreached"
	[ -n "$wanted" ] || fail "the archives of this machine's apt have no $meta with headers;" \
		"add Debian's main archive to its sources"
	add_backports
	resolve linux-image-amd64 && return
	[ -z "$unreached" ] || fail "an archive cannot be reached, see $guest/apt/update.log: $unreached"
	fail "neither the archives of this machine's apt nor the backports have Linux" \
		"$wanted; try another --release"
}

mkdir -p "$guest/apt/cache/archives/partial"
find_kernel

# number FILE OFFSET BYTES: print the little-endian number of BYTES bytes at OFFSET of FILE.
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
	# Remove the last four bytes, which are the unpacked length. The unpacker would report them
	# as garbage.
	tail -c "+$((offset + 1))" "$1" | head -c "$(($(number "$1" 588 4) - 4))" |
		$unpacker >"$2.part" 2>/dev/null || :
	[ "$(od -An -c -j 1 -N 3 "$2.part" | tr -d ' ')" = ELF ] && mv "$2.part" "$2"
}

# Unpacks the packages in $1 to $2. Leaves out most modules that a guest does not use: depmod reads all modules, which
# takes 10 s for the compressed modules of a later release. A guest needs virtio, its console in drivers/char, 9p, and
# for a cluster's network drivers/net/virtio_net and net/core. Leaves out two thirds of the headers: those of other
# architectures and of device trees, and the empty files in include/config, one for each option that is set, which only
# a build of the kernel needs.
unpack() {
	mkdir -p "$2/unpacked" "$2/modules"
	for package in "$1"/*.deb; do
		dpkg-deb --fsys-tarfile "$package" | tar -x -C "$2/unpacked" --no-same-owner \
			--exclude='*/kernel/drivers/[!cnv]*' --exclude='*/kernel/drivers/n[!e]*' \
			--exclude='*/kernel/drivers/net/*/*' --exclude='*/kernel/sound' \
			--exclude='*/kernel/net/[!9c]*' --exclude='*/kernel/net/c[!o]*' \
			--exclude='*/kernel/fs/[!9fn]*' \
			--exclude='*/linux-headers-*/arch/[!x]*' --exclude='*/include/dt-bindings' \
			--exclude='*/include/config/[0-9A-Z]*'
	done

	# The files of the image: /lib/modules. In later releases this is /usr/lib/modules, which
	# also contains the kernel.
	version=${image#linux-image-}
	mkdir -p "$2/modules/lib/modules"
	for lib in lib usr/lib; do
		[ -e "$2/unpacked/$lib/modules/$version/kernel" ] || continue
		mv "$2/unpacked/$lib/modules/$version" "$2/modules/lib/modules/$version"
	done
	for kernel in "$2/unpacked/boot/vmlinuz-$version" "$2/modules/lib/modules/$version/vmlinuz"; do
		[ ! -e "$kernel" ] || mv "$kernel" "$2/vmlinuz-$version"
	done
	extract "$2/vmlinuz-$version" "$2/vmlinux-$version" || {
		rm -f "$2/vmlinux-$version.part"
		ln -s "vmlinuz-$version" "$2/vmlinux-$version"
		say "cannot unpack vmlinuz; the guest will boot more slowly (install xz-utils, zstd)"
	}
	rm -f "$2/modules/lib/modules/$version/build" "$2/modules/lib/modules/$version/source"
	depmod -b "$2/modules" "$version"

	# The files of the headers. The links to linux-kbuild are already relative. Make the paths
	# in the Makefile relative, so that the tree can be moved.
	rm -rf "$2/unpacked/boot" "$2/unpacked/lib" "$2/unpacked/usr/lib/modules" \
		"$2/unpacked/usr/share"
	mv "$2/unpacked/usr" "$2/usr"
	rm -rf "$2/unpacked"
	# shellcheck disable=SC2016 # for make to expand
	sed -i -e 's,^include /usr/src/,include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../,' \
		-e 's,^KBUILD_OUTPUT=/usr/src/.*,KBUILD_OUTPUT := $(dir $(realpath $(lastword $(MAKEFILE_LIST)))),' \
		"$2/usr/src/$headers/Makefile"
	[ -e "$2/usr/src/$headers/scripts/mod/modpost" ] ||
		fail "$headers comes without scripts/mod/modpost"
}

download() {
	rm -rf "$guest/download"
	mkdir -p "$guest/download"
	# shellcheck disable=SC2086 # lists of options and packages
	(cd "$guest/download" && apt-get $apt_options download "$image" $parts "$headers" $needs 9>&-) \
		>"$guest/download.log" 2>&1
}

# Whether the fetched kernel is complete. If an older version of this script fetched it, it lacks
# the network's modules.
complete() {
	[ -n "$(find "$guest/$release/modules" -name 'virtio_net.ko*' 2>/dev/null)" ]
}

if ! complete; then
	say "fetching $image and its headers, $revision (about 85 MB)"
	# Old lists may name packages that the archive has removed.
	if ! download; then
		find_kernel again
		complete || download ||
			fail "the download failed, see $guest/download.log"
	fi
fi
if ! complete; then
	rm -rf "$guest/unpacking"
	unpack "$guest/download" "$guest/unpacking"
	rm -rf "${guest:?}/$release"
	mv "$guest/unpacking" "$guest/$release"
	rm -rf "$guest/download"
fi

# Replace each link in one step, and only if it changes, because built files depend on the links.
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
# Remove 90 MB of caches, which apt makes anew.
rm -f "$guest"/apt/cache/*.bin
say "${image#linux-image-} ($revision) is in $GUEST"
