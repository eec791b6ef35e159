#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tasks of an administrator: run admin_guest.sh in a guest with two cards. A shared directory
# contains udev and the files of kmod/. May use: run.sh; udev, and systemd-sysusers if the host has
# it.
set -euo pipefail

cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/sbin:/sbin
B=${B:-build}
GUEST=${GUEST:-$B/guest}
share=$GUEST/admin/share
root=$share/root
command -v udevadm >/dev/null || { echo "admin: udevadm is missing; install the package udev"; exit 1; }

rm -rf "$share"
mkdir -p "$root/usr/bin"
gcc -std=c11 -Wall -Wextra -Werror -O2 -static tests/guest/admin_hold.c -o "$root/usr/bin/admin_hold"
make --no-print-directory install-admin DESTDIR="$(realpath "$root")" PREFIX=/usr >/dev/null
for program in udevadm systemd-sysusers; do
	path=$(command -v $program) || continue
	cp -L "$path" "$root/usr/bin/"
	while read -r library; do
		install -D -m 755 "$library" "$root$library"
	done < <(ldd "$path" | grep -o '/[^ ]*' | grep -v ':$')
done

tests/guest/run.sh --name admin --share "$share" --card node=3 --card node=1 \
	tests/guest/admin_guest.sh
