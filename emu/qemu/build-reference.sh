#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Build a QEMU that contains the card.
#
#	emu/qemu/build-reference.sh CACHE	leaves CACHE-reference/qemu-system-x86_64
#
# The plug-in must match a QEMU that was compiled elsewhere. The QEMU that this script builds needs no plug-in: it
# contains the same device sources, unchanged, in the tree of the same source package, reduced to two machines (q35,
# pc). Use it if the plug-in refuses to load; tests compare the plug-in with it. The first build takes minutes. A later
# build compiles only the files that have changed. Run the result with the firmware of the installed packages:
# -L /usr/share/qemu -L /usr/share/seabios -L /usr/lib/ipxe/qemu.
set -eu

die()
{
	echo "$0: $*" >&2
	exit 1
}

[ $# -eq 1 ] || die "usage: $0 CACHE"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=$("$here/source.sh" "$1")
out=$(cd "$1" && pwd)-reference
tree=$out/source-$(basename "$dir")
build=$out/build-$(basename "$dir")

for tool in python3 meson ninja pkg-config flex bison; do
	command -v $tool >/dev/null ||
		die "no $tool: apt-get install python3 meson ninja-build pkg-config flex bison"
done
for library in glib-2.0:libglib2.0-dev pixman-1:libpixman-1-dev zlib:zlib1g-dev; do
	pkg-config --exists "${library%:*}" || die "no ${library%:*}: apt-get install ${library#*:}"
done
echo '#include <libfdt.h>' | ${CC:-cc} -E - >/dev/null 2>&1 ||
	die "no libfdt.h: apt-get install libfdt-dev"

if [ ! -d "$tree" ]; then
	mkdir -p "$out"
	rm -rf "$tree.new"
	cp -a "$dir/source" "$tree.new"
	mv "$tree.new" "$tree"
fi

# Link the device's sources into a directory that QEMU's build includes.
device=$tree/hw/misc/smile
rm -rf "$device"
mkdir -p "$device"
sources=
for source in "$root"/emu/card/*.c "$root"/emu/trace/*.c "$here"/smile_monitor.c "$here"/smile_trace.c "$here"/slot.c "$here"/pace.c \
	"$here"/feed.c "$here"/vmstate.c "$here"/state_check.c "$here"/pcap_stream.c; do
	ln -s "$source" "$device/"
	sources="$sources '$(basename "$source")',"
done
echo "softmmu_ss.add(when: 'CONFIG_SMILE_MONITOR', if_true: files($sources))" \
	>"$device/meson.build"
grep -q "subdir('smile')" "$tree/hw/misc/meson.build" ||
	echo "subdir('smile')" >>"$tree/hw/misc/meson.build"
grep -q 'config SMILE_MONITOR' "$tree/hw/misc/Kconfig" ||
	printf '\nconfig SMILE_MONITOR\n    bool\n    depends on PCI && MSI_NONBROKEN\n' \
		>>"$tree/hw/misc/Kconfig"
{
	echo CONFIG_PCI_DEVICES=n
	for part in Q35 I440FX ISA_DEBUG PCIE_PORT VIRTIO_PCI VIRTIO_SERIAL SMILE_MONITOR; do
		echo CONFIG_$part=y
	done
} >"$tree/configs/devices/x86_64-softmmu/smile.mak"

if [ ! -f "$build/build.ninja" ]; then
	mkdir -p "$build"
	(cd "$build" && "$tree/configure" --target-list=x86_64-softmmu \
		--without-default-features --without-default-devices \
		--with-devices-x86_64=smile --enable-tcg --enable-kvm --enable-pie \
		--enable-fdt=system --disable-docs --disable-tools --disable-install-blobs \
		--disable-werror --with-git-submodules=ignore \
		--extra-cflags="-idirafter $root/include -idirafter $root") >"$out/configure.log" ||
		die "configure failed: see $out/configure.log"
fi
echo "building in $build, about five minutes the first time" >&2
ninja -C "$build" ${JOBS:+-j "$JOBS"} qemu-system-x86_64 >"$out/build.log" ||
	die "the build failed: see $out/build.log"
ln -sf "$build/qemu-system-x86_64" "$out/qemu-system-x86_64"
"$out/qemu-system-x86_64" -device smile-monitor,help >/dev/null ||
	die "the QEMU built knows no smile-monitor: see $out/build.log"
echo "$out/qemu-system-x86_64"
