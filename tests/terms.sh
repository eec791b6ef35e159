#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Terms: each term of docs/glossary.md below is found by file name alone.
#
# A reader looks for a term in `git ls-files` and opens one room first. That first look is, of the source
# files (.c, .h, .lua) outside of tests/ and docs/,
#   1. those named like the term, or else those whose name has the term as a word, also in the plural;
#   2. of these, those in the folder in which the path of the data begins: emu, lib, include, kmod, tools;
#   3. of these, the headers, if there are any, since a header says what the term means.
# The check fails if a term has no such file, if they lie in more than one folder, or if the glossary does
# not have the term. It prints each term with its files.
set -u
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh

terms="adapter advice band barrier cache capture card checkpoint dissector entry estimate fabric filter
	histogram instrument interrupt interval latency level migration pattern phase placement plan
	range-table recording region ring role schedule section segment structure transaction trigger
	variable watermark window"

glossary=$(sed -nE 's/^\| ([^|]*) \|.*/\1/p' docs/glossary.md)
sources=$(git ls-files -- '*.c' '*.h' '*.lua' | grep -v -e '^tests/' -e '^docs/')

# best FILTER...: the lines of standard input that match the first pattern which any line matches.
best() {
	lines=$(cat)
	for pattern in "$@"; do
		found=$(printf '%s\n' "$lines" | grep -E "$pattern") && break
	done
	printf '%s\n' "$found"
}

# look TERM: the files of the first look.
look() {
	name=$(echo "$1" | tr - _)
	printf '%s\n' "$sources" | best "/${name}\.[a-z]+$" "[/_]${name}s?[_.][^/]*$" |
		best '^emu/' '^lib/' '^include/' '^kmod/' '^tools/' | best '\.h$' '.'
}

for term in $terms; do
	files=$(look "$term")
	folders=$(printf '%s\n' "$files" | sed 's|/[^/]*$||' | sort -u)
	words=$(echo "$term" | tr - ' ')
	if [ -z "$files" ]; then
		not_ok "$words" "no file has this name: name the file after the term"
	elif [ "$(printf '%s\n' "$folders" | wc -l)" -ne 1 ]; then
		not_ok "$words" "several rooms have this name: $(echo "$files" | tr '\n' ' ')"
	elif ! printf '%s\n' "$glossary" | grep -qw "$words"; then
		not_ok "$words" "not in docs/glossary.md"
	else
		ok "$words: $(echo "$files" | tr '\n' ' ')"
	fi
done
[ "$(echo "$terms" | wc -w)" -ge 20 ] || not_ok "at least twenty terms"

suite_end
