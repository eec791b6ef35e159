#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Runs a command in a minimal system, as its root or as another of its users.
#
#	tests/release/enter.sh [-u USER] [-n] ROOT COMMAND [ARGUMENT]...
#
# The command has its own mounts and processes. Both end with the command, and with this script, however the
# script ends. With -n it has no network, not even the loopback interface. The caller's environment is not passed on.
# May use: util-linux.
set -eu

user=root
network=
while getopts u:n option; do
	case $option in
	u) user=$OPTARG ;;
	n) network=--net ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || {
	echo "usage: $0 [-u USER] [-n] ROOT COMMAND [ARGUMENT]..." >&2
	exit 2
}
root=$(cd "$1" && pwd)
shift

# shellcheck disable=SC2086 # $network is an option or nothing
exec setpriv --pdeathsig KILL unshare --mount --propagation private --pid --ipc --fork --kill-child $network \
	sh -euc '
	root=$1 user=$2
	shift 2
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sysfs "$root/sys"
	mount -t tmpfs -o mode=755 tmpfs "$root/dev"
	mount -t tmpfs -o mode=1777 tmpfs "$root/run"
	for device in null:3 zero:5 full:7 random:8 urandom:9; do
		mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
	done
	mknod -m 666 "$root/dev/tty" c 5 0
	mkdir "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
	mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
	ln -s pts/ptmx "$root/dev/ptmx"
	ln -s /proc/self/fd "$root/dev/fd"
	ln -s fd/0 "$root/dev/stdin"
	ln -s fd/1 "$root/dev/stdout"
	ln -s fd/2 "$root/dev/stderr"
	home=$(awk -F: -v user="$user" "\$1 == user { print \$6 }" "$root/etc/passwd")
	cd "$root"
	exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 \
		HOME="$home" USER="$user" LOGNAME="$user" SMILE_RELEASE_ROOT=yes \
		chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups \
		sh -c "cd && exec \"\$@\"" sh "$@"
' sh "$root" "$user" "$@"
