#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Generate the headers for compiling a device for the installed QEMU.
#
# 	emu/qemu/headers.sh CACHE		leaves CACHE/VERSION/include, prints CACHE/VERSION
# 	emu/qemu/headers.sh CACHE SOURCE	for a QEMU built elsewhere, from SOURCE: CACHE/built-VERSION
#
# QEMU's own headers are in its source package (source.sh). This script adds the headers that a configured build would
# generate: the QAPI headers, by QEMU's generator, and a config-host.h with the settings on which structures and inline
# functions depend. When the plug-in is loaded, it checks that these headers match the running QEMU (plugin.c). May use
# python3 and sh.
set -eu

die()
{
	echo "$0: $*" >&2
	exit 1
}

case $# in
1) dir=$("$(dirname "$0")/source.sh" "$1") ;;
2)
	[ -r "$2/VERSION" ] && [ -r "$2/qapi/qapi-schema.json" ] || die "$2 is no source of QEMU"
	dir=$1/built-$(cat "$2/VERSION")
	mkdir -p "$dir"
	ln -sfn "$(realpath "$2")" "$dir/source"
	;;
*) die "usage: $0 CACHE [SOURCE]" ;;
esac
source=$dir/source
command -v python3 >/dev/null || die "no python3: apt-get install python3"

case $(dpkg --print-architecture) in
amd64) host=X86_64 ;;
arm64) host=AARCH64 ;;
*) die "the plug-in is known to work on amd64 only: make qemu" ;;
esac

exec 9>"$1/lock"
flock 9
if [ ! -d "$dir/include" ] || [ -n "$(find "$0" "$source/VERSION" -newer "$dir/include")" ]; then
	work=$dir/include.new
	rm -rf "$work" "$dir/include"
	mkdir -p "$work/qapi"
	python3 -B "$source/scripts/qapi-gen.py" -o "$work/qapi" -b \
		"$source/qapi/qapi-schema.json" ||
		die "QEMU's QAPI generator failed in $source"

	: >"$work/config-poison.h"
	# A QEMU that loads plug-ins has CONFIG_TCG and CONFIG_PLUGIN. Without the first setting, a device would be compiled as
	# if it never ran under TCG. The second setting is part of the layout of CPUState.
	for setting in CONFIG_TCG CONFIG_PLUGIN CONFIG_POSIX CONFIG_LINUX CONFIG_INT128 CONFIG_INT128_TYPE CONFIG_IOVEC \
		CONFIG_MODULES CONFIG_ATOMIC64 CONFIG_SYSMACROS CONFIG_PREADV CONFIG_MADVISE \
		CONFIG_POSIX_MADVISE CONFIG_MALLOC_TRIM CONFIG_TLS_PRIORITY HAVE_GETLOADAVG_FUNCTION HOST_$host; do
		echo "#define $setting 1"
	done >"$work/config-host.h"

	read -r release <"$source/VERSION"
	echo "$release" | {
		IFS=. read -r major minor micro
		printf '#define QEMU_VERSION_%s %d\n' MAJOR "$major" MINOR "$minor" MICRO "$micro"
	} >>"$work/config-host.h"
	# A QEMU that was built elsewhere has no package.
	package=
	[ $# -gt 1 ] || package=$(dpkg-parsechangelog -l "$source/debian/changelog" -S Version)
	cat >"$work/smile-qemu.h" <<-END
		#define SMILE_QEMU_RELEASE "$release"
		#define SMILE_QEMU_PACKAGE "$package"
	END
	mv "$work" "$dir/include"
fi
echo "$dir"
