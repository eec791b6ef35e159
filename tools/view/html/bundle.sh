#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Print the page of `smile view` as C source: three strings, cut at @DOCUMENT@ and @CHUNKS@ of
# index.html. The other marks of index.html are replaced by the style and the script, and by their
# SHA-256 in base64, so that the page uses only this script and this style, whatever a recording holds.
#
# The strings' names begin with the value of the environment variable NAME, or with view_page.
#
# Usage: bundle.sh index.html style.css SCRIPT.js... >page.c
set -eu

fail() {
	echo "bundle.sh: $*" >&2
	exit 1
}

[ $# -ge 3 ] || fail "usage: bundle.sh index.html style.css SCRIPT.js..."
page=$1 style=$2
shift 2
rest=$(cat "$page")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Print the rest of the page up to the mark $1.
upto() {
	case $rest in *"$1"*) ;; *) fail "no $1 in $page, or not in its place" ;; esac
	printf %s "${rest%%"$1"*}"
	rest=${rest#*"$1"}
}

hash() {
	sha256sum "$1" | cut -d ' ' -f 1 | tr a-f A-F | basenc -d --base16 | base64 | tr -d '\n'
}

string() {
	printf 'extern const char %s[];\nconst char %s[] = {\n' "$1" "$1"
	od -An -v -td1 -w24 "$2" | sed 's/ *\([-0-9][0-9]*\)/\1,/g'
	echo '0};'
}

{
	printf '"use strict";\n(() => {\n'
	cat "$@"
	printf '})();\n'
} >"$dir/script"
! grep -q '</script' "$dir/script" && ! grep -q '</style' "$style" ||
	fail "an end tag within the script or the style"
{
	upto @SCRIPT_HASH@
	hash "$dir/script"
	upto @STYLE_HASH@
	hash "$style"
	upto @STYLE@
	cat "$style"
	upto @DOCUMENT@
} >"$dir/before"
{
	upto @SCRIPT@
	cat "$dir/script"
	upto @CHUNKS@
} >"$dir/between"
printf '%s\n' "$rest" >"$dir/after"
echo "/* Made by tools/view/html/bundle.sh. */"
string "${NAME:-view_page}_before" "$dir/before"
string "${NAME:-view_page}_between" "$dir/between"
string "${NAME:-view_page}_after" "$dir/after"
