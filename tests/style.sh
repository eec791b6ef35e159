#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Style: the house rules that a program can check. Each rule is one test.
set -u
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh

# rule NAME OUTPUT: the rule holds if OUTPUT, the list of places that break it, is empty.
rule() {
	if [ -z "$2" ]; then ok "$1"; else not_ok "$1" "$2"; fi
}

files() {
	git ls-files -- "$@" | while read -r file; do [ -f "$file" ] && echo "$file"; done
}

includes() {
	files "$1/*.c" "$1/*.h" | xargs -r grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($2)"
}

# If includes() found nothing, no file could break the rule.
[ -n "$(includes emu/card 'emu/card')" ] || { echo "style.sh finds no includes"; exit 1; }

# Each version of clang-format formats a few lines differently.
if clang-format --version | grep -q ' version 14\.'; then
	rule "clang-format" "$(files '*.c' '*.h' | xargs clang-format --dry-run -Werror 2>&1 | head -20)"
else
	skip "clang-format is not version 14, by which the tree is formatted"
fi
rule "every source says its licence in its first two lines" "$(files '*.c' '*.h' '*.sh' '*.js' '*.mjs' |
	xargs awk 'FNR == 1 { found = 0 } /SPDX-License-Identifier/ { found = 1 } FNR == 2 && !found { print FILENAME }
		FNR == 2 { nextfile }')"
rule "no tracked file is empty" "$(files | while read -r file; do [ -s "$file" ] || echo "$file"; done)"
rule "no line of C has more than 100 columns" "$(files '*.c' '*.h' | xargs awk '
	length + 7 * gsub(/\t/, "&") > 100 {
		columns = 0
		for (i = 1; i <= length; i++)
			columns += substr($0, i, 1) == "\t" ? 8 - columns % 8 : 1
		if (columns > 100) print FILENAME ":" FNR
	}')"
# If a comment says "May use x.h" or "see docs/x.md", the file must exist. A path is relative to the top, to include/,
# or to the folder of the comment; a path in a macro or in the kernel's sources is not checked.
rule "a path that a comment names exists" "$( (files; echo
	files '*.c' '*.h' | xargs grep -nE '^[[:space:]]*(/?\*|//)|/\*') | awk '
	!NF { comments = 1; next }
	!comments { known[$0]; name = $0; sub(/.*\//, "", name); names[name]
		folder = $0; while (sub(/\/[^\/]*$/, "", folder)) folders[folder]; next }
	{
		place = $1; sub(/:[0-9]*:.*/, "", place); line = $0; sub(/^[^:]*:[0-9]*:/, "", line)
		at = $0; sub(/^[^:]*:/, "", at); sub(/:.*/, "", at)
		from = place; sub(/[^\/]*$/, "", from)
		count = split(line, words, /[^[:alnum:]_.\/<*-]+/)
		for (i = 1; i <= count; i++) {
			word = words[i]; sub(/[.]+$/, "", word)
			if (word ~ /[<*]/ || word ~ /^\//) continue
			if (word ~ /^[a-z_0-9]+\.h$/ && !(word in names) ||
			    word ~ /^(emu|lib|run|tools|tests|include|kmod|docs)\/[[:alnum:]_.\/-]+\.(c|h|md|sh|py|csv|txt|lua)$/ &&
			    !(word in known) && !(("include/" word) in known) && !((from word) in known))
				print place ":" at ": " word
			# A folder, or a file without its ending.
			else if (word ~ /^(emu|lib|run|tools|tests|kmod|docs)\/[[:alnum:]_\/-]+$/) {
				folder = word; sub(/\/$/, "", folder)
				if (!(folder in folders) && !((folder ".c") in known) && !((folder ".h") in known) &&
				    !(folder in known))
					print place ":" at ": " word
			}
		}
	}')"
rule "a path that a page of docs/ names exists" "$(files 'docs/*.md' 'docs/design/*.md' README.md CONTRIBUTING.md |
	xargs grep -noE '`(emu|run|tools|tests|kmod|docs|(lib|include)/[[:alnum:]-]+)/[[:alnum:]_./-]+`' | tr -d '`' | grep -v NAME |
	while IFS=: read -r page line path; do
		[ -e "$path" ] || [ -e "include/$path" ] || echo "$page:$line: $path"
	done)"
rule "each term of docs/glossary.md names its file" "$(awk -F'|' '
	/^\| / && $2 !~ /^ (name of|schema|term|word) $/ { rows++
		if ($(NF - 1) !~ /`([^`]+\/|git )[^`]+`/) print FILENAME ":" FNR ":" $2 }
	END { if (!rows) print FILENAME " has no terms" }' docs/glossary.md)"
# kinds: prints "EXAMPLE <tab> COMMAND" for each example of the table of names by kind.
kinds() {
	awk -F ' [|] ' '
		/^## / { kinds = $0 == "## Names by kind" }
		kinds && /^\| / && !/^\| name of / {
			command = $3; sub(/^`/, "", command); sub(/` \|$/, "", command)
			count = split($2, examples, ", ")
			for (i = 1; i <= count; i++) {
				found = command; gsub("NAME", examples[i], found); print examples[i] "\t" found
			}
		}' docs/glossary.md
}
kinds=$(kinds)
[ "$(echo "$kinds" | wc -l)" -gt 20 ] || { echo "style.sh finds no names by kind in docs/glossary.md"; exit 1; }
tab=$(printf '\t')
rule "the commands of docs/glossary.md find their examples" "$(echo "$kinds" |
	while IFS=$tab read -r name command; do
		case $command in
		"git grep "* | "git ls-files "*)
			# The glossary itself contains each example.
			[ -n "$(sh -c "$command" | grep -v '^docs/glossary.md:')" ] || echo "$name: $command"
			;;
		*) echo "$name: neither git grep nor git ls-files: $command" ;;
		esac
	done)"
schemas=$(files 'tools/*.c' 'lib/*.c' 'run/*.c' | xargs grep -hoE '"smile\.[a-z.-]+/[0-9]' | tr -d '"' | sort -u)
[ -n "$schemas" ] || { echo "style.sh finds no JSON documents"; exit 1; }
rule "each JSON document is in docs/glossary.md" "$(echo "$schemas" | while read -r schema; do
	grep -qF "| $schema" docs/glossary.md || grep -qF ", $schema" docs/glossary.md || echo "$schema"
done)"
rule "no file over 800 lines" "$(files '*.c' '*.h' '*.sh' '*.js' '*.mjs' | xargs wc -l | awk '$1 > 800 && $2 != "total"')"
rule "card, instrument, cable and ring know neither QEMU nor files" \
	"$(for room in card trace cable ring; do
		includes emu/$room 'qemu|hw/pci|sysemu|linux/|pcap|stdio\.h|stdlib\.h|unistd\.h|lib/|smile/'
	done)"
# Parts of the analysis use the public API, as other programs do, and each other; one file has the ring's formula.
rule "the analysis uses the public API" \
	"$(includes lib/analysis 'tools/|tests/|emu/|lib/' | grep -v '[<"]lib/analysis/\|^lib/analysis/advise/network.c:.*"emu/ring/predict')"
rule "the library does not reach into machine or QEMU" "$(includes lib 'emu/qemu|emu/machine')"
rule "the library reaches the card, the instrument, the cable and the ring from one file each" \
	"$(includes lib 'emu/' | grep -v '^lib/source/source_emu.c\|^lib/instrument/emu.c\|^lib/trace-db/frame.h:.*"emu/cable/' |
		grep -v '^lib/analysis/advise/network.c:.*"emu/ring/')"
rule "tools use the public API, the analysis, the estimator and shared headers" \
	"$(includes tools 'lib/|emu/card' | grep -v '[<"]lib/analysis/\|[<"]lib/estimate/\|[<"]lib/exchange/\|[<"]lib/pcapng/\|[<"]lib/trace-db/')"
rule "the machine knows neither library nor card's inside" "$(includes emu/machine 'lib/|smile/|emu/card/card_inside')"
rule "the schedule knows the machine and the stream alone" \
	"$(includes run/schedule 'lib/|smile/|emu/card|run/tracer|stdio\.h')"
rule "the tracer knows the stream alone" \
	"$(includes run/tracer 'lib/|emu/machine|run/schedule|emu/card|uapi/')"
rule "the placing library knows the plan alone" "$(includes run/place 'emu/|uapi/|smile/monitor')"
rule "the papers' programs know of no machine" \
	"$(includes run/workload 'lib/|emu/machine|run/schedule|emu/card|run/stream')"
# edges: prints "FOLDER FOLDER" for each folder with a file that includes a file of the other folder.
edges() {
	files '*.c' '*.h' | xargs grep -oE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' |
		sed -E 's/:.*"([^"]*)"/ \1/' | while read -r file header; do
		from=${file%/*}
		for path in "$header" "$from/$header" "include/$header"; do
			[ ! -f "$path" ] || { echo "$from ${path%/*}"; break; }
		done
	done | awk '$1 != $2' | sort -u
}
edges=$(edges)
[ -n "$edges" ] || { echo "style.sh finds no folders that include others"; exit 1; }
# rooms: "ROOM GRANTED...": each room of the table, with the rooms that it may use.
rooms=$(sed -nE 's/^\| `([^`]*)\/` \|[^|]*\|([^|]*)\|$/\1 \2/p' docs/architecture.md | tr -d '`,')
[ "$(echo "$rooms" | wc -l)" -gt 20 ] || { echo "style.sh finds no rooms in docs/architecture.md"; exit 1; }
rule "a room has one row in docs/architecture.md" "$(echo "$rooms" | cut -d' ' -f1 | sort | uniq -d)"
rule "a room uses what docs/architecture.md grants it" "$( (echo "$rooms"; echo; echo "$edges") | awk '
	function within(path, folder) { sub(/\/$/, "", folder); return index(path "/", folder "/") == 1 }
	!NF { edges = 1; next }
	!edges { for (i = 2; i <= NF; i++) if ($i ~ /\//) granted[$1] = granted[$1] " " $i
		known[$1]; next }
	{
		room = ""
		for (r in known) if (within($1, r) && length(r) > length(room)) room = r
		fine = room == "tests" || within($2, room) || within($2, "include")
		count = split(granted[room], list, " ")
		for (i = 1; i <= count; i++) fine = fine || within($2, list[i])
		if (!room || !fine) print $1 " includes " $2
	}')"
rule "the top level is a line: tools, run, lib, emu, include" "$(echo "$edges" | awk '
	BEGIN { split("tools run lib emu include", top); for (i in top) at[top[i]] = i }
	{ split($1, from, "/"); split($2, to, "/") }
	from[1] in at && !(to[1] in at && at[to[1]] >= at[from[1]]) { print $1 " includes " $2 }')"
rule "no folder includes one that includes it" "$(echo "$edges" | tsort 2>&1 >/dev/null)"
rule "kernel versions are distinguished in kmod/compat.h alone" \
	"$(files 'kmod/*.c' 'kmod/*.h' | grep -v compat.h | xargs grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION')"
rule "QEMU versions are distinguished in emu/qemu/compat.h alone" \
	"$(files 'emu/qemu/*.c' 'emu/qemu/*.h' | grep -v compat.h | xargs grep -nE 'QEMU_VERSION_|SMILE_QEMU_IS|sysemu/|__has_include')"
rule "nothing is left unfinished" "$(git grep -InE 'TO''DO|FIX''ME|XX''X|HA''CK' -- . | grep -v XXXXXX)"
rule "the library neither prints nor exits" \
	"$(files 'lib/*.c' | xargs grep -nE '\<(printf|puts|perror|exit|abort)\(')"
# A prerequisite is expanded when it is read: a variable that a later file sets is still empty.
early() {
	env -u MAKEFLAGS -u MFLAGS make --warn-undefined-variables -n style 2>&1 |
		sed -nE "s/(.*): warning: undefined variable '(.*)'/\\1 \\2/p" | sort -u |
		while read -r where name; do
			git grep -hE "^$name *[:?+]?=" -- Makefile '*.mk' | sed "s|^|$where uses |"
		done
}
rule "no makefile uses what a later one sets" "$(early)"

suite_end
