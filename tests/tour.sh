#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tour: at most four files lead a newcomer from the README to the line that composes a record; each file is named
# in the previous one. Also checks every link between documents.
set -u
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh

# stop FILE TEXT: FILE contains TEXT, which leads to the next stop, or is the end.
stops=0
stop() {
	stops=$((stops + 1))
	if grep -qF -e "$2" "$1" 2>/dev/null; then ok "$1: $2"; else not_ok "$1: $2" "the file lacks this text"; fi
}
stop README.md '](docs/architecture.md)'
stop docs/architecture.md '](../emu/card/swap_out.c)'
stop emu/card/swap_out.c dynamic_range_table.h
stop emu/card/dynamic_range_table.h 'word[0] = SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_DYNAMIC)'
[ "$stops" -le 4 ] || not_ok "at most four files lead to a record"

links=$(git ls-files '*.md' | while read -r file; do
	grep -oE '\]\([^)# ]+' "$file" | sed 's/^](//' | grep -v ':' | sed "s|^|$file |"
done)
[ "$(echo "$links" | wc -l)" -gt 50 ] || { echo "tour.sh finds no links"; exit 1; }
broken=$(echo "$links" | while read -r file link; do
	[ -e "$(dirname "$file")/$link" ] || echo "$file: $link"
done)
if [ -z "$broken" ]; then ok "each link leads to a file"; else not_ok "each link leads to a file" "$broken"; fi

suite_end
