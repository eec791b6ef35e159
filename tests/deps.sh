#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Installs the Debian packages in $DEPS that are missing. Asks for root only if packages are missing: without root and
# sudo, it lists these packages, once. PACKAGE@COMMAND is not missing if the command exists, whatever installed it.
set -eu

missing=
for package in $DEPS; do
	case $package in
	*@*) command -v "${package#*@}" >/dev/null && continue ;;
	esac
	package=${package%@*}
	dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
		missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
	as_root=
elif command -v sudo >/dev/null; then
	as_root=sudo
else
	echo "deps: as root, run: apt-get install --no-install-recommends$missing" >&2
	exit 1
fi
echo "deps: installing$missing" >&2
# shellcheck disable=SC2086
{
	$as_root apt-get -q update &&
		DEBIAN_FRONTEND=noninteractive $as_root apt-get -q -y install \
			--no-install-recommends $missing
} >&2 || {
	echo "deps: apt-get failed, see above: install them by hand" >&2
	exit 1
}
