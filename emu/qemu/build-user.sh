#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Build a qemu-x86_64 that loads plug-ins, from the distribution's own source package.
#
# 	emu/qemu/build-user.sh [CACHE]		CACHE is that of source.sh; without it, a temporary one is used
#
# If the packaged qemu-x86_64 is linked statically, as in Debian 13, `smile run` needs the one that this script builds.
# For users who have only the package, the script is installed as build-qemu, beside source.sh. The build takes two
# minutes on two processors, and is needed only once. The result is stored in a directory in which all trees, and the
# package, search for it:
#
# 	/var/lib/smile-monitor/qemu-x86_64		built by root, for all users
# 	${XDG_CACHE_HOME:-~/.cache}/smile-monitor/qemu-x86_64	built by another user, for this one
#
# Each of these files is a link to the version that was built last. If one of them loads plug-ins, nothing is built, and
# no network is needed. To build again, delete the directory. source.sh has verified the sources that are compiled.
# May use a compiler, meson, ninja, python3.
set -eu

die()
{
	echo "$0: $*" >&2
	exit 1
}

# failed WHAT LOG: print the end of the log, which gives the reason.
failed()
{
	tail -n 20 "$2" >&2
	die "$1 failed: see $2"
}

[ $# -le 1 ] || die "usage: $0 [CACHE]"
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
all=/var/lib/smile-monitor
if [ "$(id -u)" -eq 0 ]; then
	home=$all
else
	home=${XDG_CACHE_HOME:-${HOME:?}/.cache}/smile-monitor
fi

# works QEMU: check whether QEMU loads plug-ins. If it does not, it lacks the option for them.
works()
{
	[ -x "$1" ] && "$1" -h 2>/dev/null | grep -q -e '-plugin '
}

for built in "$home/qemu-x86_64" "$all/qemu-x86_64"; do
	if works "$built"; then
		echo "$built"
		exit 0
	fi
done
mkdir -p "$home"
exec 8>"$home/lock"
flock 8

missing=
for tool in cc:gcc meson:meson ninja:ninja-build pkg-config:pkg-config python3:python3 dpkg-source:dpkg-dev; do
	command -v "${tool%:*}" >/dev/null || missing="$missing ${tool#*:}"
done
python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
pkg-config --exists glib-2.0 2>/dev/null || missing="$missing libglib2.0-dev"
[ -z "$missing" ] || die "as root, run: apt-get install --no-install-recommends$missing"

# Another process may have built QEMU meanwhile.
if works "$home/qemu-x86_64"; then
	echo "$home/qemu-x86_64"
	exit 0
fi
work=$home/work
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

directory=$("$here/source.sh" "${1:-$work/source}" any)
version=qemu-$(basename "$directory")

# From 8.1 on, QEMU lets the host's kernel choose the addresses of a program's memory, between QEMU's own mappings. The
# addresses then depend on the timing of QEMU's threads. Earlier versions, and the version built here with the change
# below, search for free addresses from a fixed address upwards. Debian's check sums have been verified before this
# change.
ordered()
{
	cd "$directory/source/linux-user"
	grep -q 'static abi_long mmap_h_eq_g' mmap.c && ! grep -q found_here mmap.c || return 0
	sed -i '/^static abi_long target_mmap__locked/,/^}/{
		/^    host_prot = /i\
    if (!reserved_va \&\& !start \&\& !(flags \& (MAP_FIXED | MAP_FIXED_NOREPLACE))) {\
        abi_ulong found_here = mmap_find_vma(0, len, TARGET_PAGE_SIZE);\
\
        if (found_here != (abi_ulong)-1) {\
            munmap(g2h_untagged(found_here), len);\
            start = found_here;\
        }\
    }
	}' mmap.c
	grep -q found_here mmap.c
}
(ordered) || echo "$0: $version is another one than this is for: addresses of programs can differ between runs" >&2
echo "$0: building $version in $work: two minutes on two processors, once" >&2
mkdir "$work/build"
# All runs must have the same addresses, so `smile run` disables address space randomization. A position-independent
# QEMU would then be at the addresses that programs expect for themselves, and their heap would have no room. QEMU is
# therefore linked at a fixed address below 2 GB, which neither position-independent nor other programs use. QEMU's
# --disable-pie affects only the compiler, but Debian's linker also generates position-independent programs by default.
(
	unset CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKELEVEL
	cd "$work/build"
	"$directory/source/configure" --target-list=x86_64-linux-user --without-default-features \
		--enable-plugins --disable-install-blobs --disable-docs --disable-tools --disable-werror \
		--disable-pie --extra-ldflags='-no-pie -Wl,-Ttext-segment=0x60000000' \
		>"$home/configure.log" 2>&1 8>&- || failed configure "$home/configure.log"
	ninja ${JOBS:+-j "$JOBS"} qemu-x86_64 >"$home/build.log" 2>&1 8>&- ||
		failed "the build" "$home/build.log"
)
works "$work/build/qemu-x86_64" || die "the QEMU built has no plug-ins: see $home/configure.log"
rm -rf "${home:?}/$version.new" "${home:?}/$version"
mkdir "$home/$version.new"
strip -o "$home/$version.new/qemu-x86_64" "$work/build/qemu-x86_64"
mv "$home/$version.new" "$home/$version"
ln -sfn "$version/qemu-x86_64" "$home/qemu-x86_64"
rm -f "$home/configure.log" "$home/build.log"
echo "$home/qemu-x86_64"
