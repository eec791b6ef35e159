#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Packs the guest's file system: busybox; the programs on the command line, with the shared
# libraries that they need; the kernel modules for access to the host; our own modules; and init. No
# root is needed: device nodes come from the kernel (devtmpfs). May use: what kernel.sh has fetched,
# busybox-static, ldd, modprobe and depmod, cpio.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/initramfs.sh [--output FILE] [--module FILE.ko]... \
# 	[--library NAME.so.N]... [--locale NAME]... [PROGRAM]...
#
# Programs are put in /usr/bin. Our own modules are put where modprobe finds them, and init loads them. --library names
# a library that programs load at run time; the libraries that they are linked with are added automatically.

set -euo pipefail

cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/sbin:/sbin
B=${B:-build}
GUEST=${GUEST:-$B/guest}
output=$GUEST/initramfs
own=()
loaded=()
locales=()
programs=()

fail() {
	echo "guest image: $*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--output) output=$2 && shift ;;
	--module) own+=("$2") && shift ;;
	--library) loaded+=("$2") && shift ;;
	--locale) locales+=("$2") && shift ;;
	-*) fail "unknown option $1" ;;
	*) programs+=("$1") ;;
	esac
	shift
done

for tool in cpio:cpio busybox:busybox-static modprobe:kmod ldd:libc-bin strip:binutils; do
	command -v "${tool%%:*}" >/dev/null ||
		fail "${tool%%:*} is missing; install the package ${tool##*:}"
done
busybox=$(command -v busybox)
ldd "$busybox" >/dev/null 2>&1 && fail "$busybox is not static; install the package busybox-static"
modules=$(realpath "$GUEST/modules" 2>/dev/null || :)
[ -d "${modules:-.}/lib/modules" ] ||
	fail "there is no kernel in $GUEST; run make guest-kernel"
version=$(basename "$modules"/lib/modules/*)

root=$(mktemp -d "$GUEST/root.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir -p "$root"/{bin,dev,etc,host,proc,root,smile,sys,tmp,usr/bin,"lib/modules/$version"}

cp "$busybox" "$root/bin/busybox"
"$busybox" --list | while read -r applet; do
	[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
done
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
printf 'hosts: files\n' >"$root/etc/nsswitch.conf"
cat >"$root/etc/fstab" <<-END
	proc /proc proc
	sys /sys sysfs
	debug /sys/kernel/debug debugfs
	trace /sys/kernel/tracing tracefs
	tmp /tmp tmpfs
	shm /dev/shm tmpfs
	pts /dev/pts devpts
END
install -m 755 tests/guest/init "$root/init"

# Add a shared object at the path where the loader looks for it.
add_library() {
	[ -e "$root$1" ] || install -D -m 755 "$1" "$root$1"
}

# Add the libraries that a program or library needs. For a static program, ldd says that it is not a
# dynamic executable, and fails.
add_needed() {
	local missing library
	missing=$({ ldd "$1" 2>/dev/null || :; } | awk '/not found/ { print $1 }')
	[ -z "$missing" ] || fail "$1 needs $missing, which this machine lacks"
	while read -r library; do
		add_library "$library"
	done < <(ldd "$1" 2>/dev/null | grep -o '/[^ ]*' | grep -v ':$')
}

for library in "${loaded[@]}"; do
	# A machine can also have the library for 32-bit and x32 programs, which the guest does not run.
	file=$(ldconfig -p | awk -v name="$library" '$1 == name && /x86-64/ && !found++ { print $NF }')
	[ -n "$file" ] || fail "$library is not there: make deps installs it"
	add_library "$file"
	add_needed "$file"
done

# A C library with the locale built in has no files for it.
for locale in "${locales[@]}"; do
	[ ! -d "/usr/lib/locale/$locale" ] ||
		{ mkdir -p "$root/usr/lib/locale" && cp -r "/usr/lib/locale/$locale" "$root/usr/lib/locale/"; }
done

for program in "${programs[@]}"; do
	[ -f "$program" ] || fail "$program is not there; build it first"
	# Remove debug information. The guest does not use it, and it is larger than the rest.
	strip --strip-debug -o "$root/usr/bin/$(basename "$program")" "$program"
	add_needed "$program"
done

# Add each module once, in loading order. Modules for the shared directory and for the network are
# listed separately, because not every guest has one. Parts that are built into the kernel need no
# module.
add_modules() {
	local list=$1 file
	shift
	while read -r file; do
		file=${file#"$modules"}
		[ -e "$root$file" ] && continue
		install -D -m 644 "$modules$file" "$root$file"
		echo "$file" >>"$root/smile/$list"
	done < <(modprobe -d "$modules" -S "$version" --show-depends -a "$@" |
		awk '$1 == "insmod" { print $2 }')
}
: >"$root/smile/modules"
: >"$root/smile/modules.share"
: >"$root/smile/modules.net"
add_modules modules virtio_pci virtio_console
add_modules modules.share 9pnet_virtio 9p
# A debug kernel has no network.
modprobe -d "$modules" -S "$version" --show-depends virtio_net >/dev/null 2>&1 && add_modules modules.net virtio_net

: >"$root/smile/modules.own"
for file in "${own[@]}"; do
	[ -f "$file" ] || fail "$file is not there; run make kmod KDIR=$GUEST/headers"
	release=$(modinfo -F vermagic "$file" | cut -d ' ' -f 1)
	[ "$release" = "$version" ] ||
		fail "$file is built for $release, not $version; run make kmod KDIR=$GUEST/headers"
	install -D -m 644 "$file" "$root/lib/modules/$version/extra/$(basename "$file")"
	strip --strip-debug "$root/lib/modules/$version/extra/$(basename "$file")"
	basename "$file" .ko >>"$root/smile/modules.own"
done
cp "$modules/lib/modules/$version"/modules.{order,builtin,builtin.modinfo} \
	"$root/lib/modules/$version/"
depmod -b "$root" "$version"

mkdir -p "$(dirname "$output")"
(cd "$root" && find . -mindepth 1 -print0 | LC_ALL=C sort -z |
	cpio --quiet --null --create --format newc --owner 0:0) >"$output.part"
mv "$output.part" "$output"
echo "guest image: $output, $(du -h "$output" | cut -f 1)," \
	"${#programs[@]} programs, ${#own[@]} own modules" >&2
