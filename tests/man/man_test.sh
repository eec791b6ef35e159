#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The man pages of section 3: one page for each exported function, with all sections; equal to the output of
# lib/man3.py; without a warning of groff or man. Their examples compile, run and print the documented output.
#
# usage: tests/man/man_test.sh BUILD [KERNEL-DOC]
set -u
built=$(realpath "$1")
kernel_doc=${2-}
pages=$PWD/docs/man/man3
top=$PWD
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
scratch_make "$built/tests/man"

if [ -n "$kernel_doc" ] && command -v perl >/dev/null; then
	mkdir "$scratch/man3"
	check "lib/man3.py" lib/man3.py "$kernel_doc" "$scratch/man3"
	check "the pages are those of the headers: make man3" diff -r "$scratch/man3" "$pages"
else
	skip "no kernel-doc or no perl: make deps-man" 2
fi

{
	cat lib/libsmile-monitor.map lib/*/*.map | sed -n 's/^\t\([A-Za-z]\w*\);$/\1/p'
	sed -n 's/^CALL(.*, \(SCI[A-Za-z]*\), (.*/\1/p' include/sisci/sisci_api.h
} | sort >"$scratch/exported"
(cd "$pages" && ls -- *.3) | sed 's/\.3$//' | sort >"$scratch/described"
check "each exported function has a page, and each page a function" sh -c "
	[ \$(wc -l <'$scratch/exported') -gt 150 ] && diff '$scratch/exported' '$scratch/described'"
check "each page has its sections, and each parameter a description" sh -c "
	cd '$pages' && ! grep -l 'undescribed' * && for page in Monitor_*.3 Estimate_*.3 Gas_*.3; do
		for section in NAME LIBRARY SYNOPSIS DESCRIPTION 'RETURN VALUE' 'THREAD SAFETY' EXAMPLE 'SEE ALSO'; do
			grep -qx \".SH \$section\" \$page || echo \"\$page: no \$section\"
		done
		grep -q '^.B #include <smile/' \$page || echo \"\$page: no #include\"
	done | diff /dev/null -"
check "pages that are links lead to a page with the function" sh -c "
	cd '$pages' && for page in \$(grep -l '^\.so ' *.3); do
		target=\$(sed -n 's,^\.so man3/,../,p' \$page)
		grep -q \"\${page%.3}(\" \"\$target\" || echo \"\$page: \$target\"
	done | diff /dev/null -"
# Print the calls of a header, or of the page, as "name(arguments)", one in each line.
awk '/^CALL\(/ { inside = 1 } inside { gsub(/\\$/, ""); text = text $0 } /clang-format on/ { inside = 0 }
	END {
		gsub(/[ \t]+/, " ", text)
		count = split(text, calls, "CALL\\(")
		for (i = 2; i <= count; i++) {
			sub(/^[^,]*, /, "", calls[i])
			sub(/, \(/, "(", calls[i])
			sub(/\)\).*/, ")", calls[i])
			print calls[i]
		}
	}' include/sisci/sisci_api.h | sort >"$scratch/sisci_calls"
cat docs/man/sisci.7 docs/man/sisci_absent.3 | sed -n '/^\.nf$/,/^\.fi$/p' | tr '\n' ' ' | sed 's/;/;\n/g; s/    / /g' |
	sed -nE 's/.*[ *B](SCI\w+)(\\fP)?(\(.*\));$/\1\3/p' | tr -s ' ' | sort >"$scratch/sisci_page"
check "sisci.7 and sisci_absent.3 have the calls of sisci_api.h, with their arguments" sh -c "
	[ \$(wc -l <'$scratch/sisci_calls') -gt 80 ] && diff '$scratch/sisci_calls' '$scratch/sisci_page'"
cat docs/man/sisci_*.3 | sed -n '/^\.nf$/,/^\.fi$/{/^\./!p}' | tr '\n' ' ' | sed 's/;/;\n/g; s/( */(/g' |
	sed -nE 's/.*[ *](SCI\w+\(.*\));$/\1/p' | tr -s ' ' | sort >"$scratch/sisci_pages"
check "the pages of section 3 have them, too" diff "$scratch/sisci_calls" "$scratch/sisci_pages"
# examples_written: print the hand-written pages whose example differs from the program in
# docs/examples
examples_written() {
	(cd "$top/docs" && for page in man/*.3 man/smile_gas.7; do
		program=examples/$(basename "$page" .3 | sed 's/smile_gas.7/adaptive/; s/smile_//').c
		sed 1,2d "$program" | expand >"$scratch/program"
		sed -n '/^\.EX/,/^\.EE/{/^\.E[XE]/!p}' "$page" | sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//' |
			cmp -s - "$scratch/program" || echo "$page: not $program"
	done | diff /dev/null -)
}
check "the examples of pages written by hand are those of docs/examples" examples_written
# warnings COMMAND...: print the command's warnings; succeeds if there are none
warnings() {
	(cd "$top/docs/man" && "$@" 2>&1 >/dev/null | diff /dev/null -)
}
if command -v groff >/dev/null; then
	check "groff warns of nothing" warnings sh -c 'groff -man -ww -z ./*.3 ./smile_gas.7 man3/Monitor_* man3/Estimate_* man3/Gas_*'
else
	skip "groff is not installed"
fi
# The pages of man3 use no other macros than these pages.
if command -v man >/dev/null; then
	check "man warns of nothing" warnings env LC_ALL=C.UTF-8 MANWIDTH=80 sh -c 'man --warnings -l ./*.3 ./smile_gas.7'
else
	skip "man is not installed"
fi

cd "$scratch" || exit 2
check "a recording to read" "$built/bin/smile" sim sor --size 64 --iterations 2 --quiet -o sor --capture sor
# example PROGRAM PATTERN [ARGUMENT...]: check that the example compiles, ends with status 0, and
# prints a line that matches
example() {
	program=$1 pattern=$2
	shift 2
	check "docs/examples/$program.c compiles" cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror \
		"-I$top/include" "$top/docs/examples/$program.c" -o "$program" "-L$built" \
		"-Wl,-rpath,$built,--disable-new-dtags" -lsmile-analysis -lsmile-monitor -lsmile-estimate -lsmile-gas
	check "docs/examples/$program.c runs" sh -c '
		pattern=$1 && shift && "$@" >output.txt || { cat output.txt; exit 1; }
		grep -qE -e "$pattern" output.txt || { cat output.txt; exit 1; }' sh "$pattern" "./$program" "$@"
	echo "$program" >>examples
}
example access '^page 40, node 1: 1010 accesses$'
example advice '^page [0-9]+: from node [0-9] to node 1$' sor-node1.rec
example advise 'it belongs on node 1' sor-node1.rec
example capture '^100 frames$' sor-node0.pcap copy.pcap
check "the copy of a capture can be replayed" "$built/bin/smile" replay copy.pcap -o copy.rec
example cluster '^node 2: 10[0-9][0-9] \+- 9[0-9]$'
example config '^filter 0x712, ranges of 64 bytes$'
example difference '^page [0-9]+, node 1: ([0-9]+), then \1$' sor-node1.rec sor-node1.rec
example error 'cannot open the recording missing.rec'
example filter '^counter 2: 1800 \+- 0$'
example fit '^beta [0-9.]+, [0-9.]+ to [0-9.]+$'
example gas '^5000050000 on 1 nodes$'
example heap '^0x10000: 4096 bytes, site 0$'
example histogram '^section 3, node 1: [0-9]+$' sor-node1.rec
example instrument '^[0-9]+ packets, the trigger is packet [1-9][0-9]* of them$' sor-node0.pcap
example interval '^page 40, interval 0, node 1: 1000 reads$'
example local '^page 40 of node 1: 1000 reads$'
example object 'build-id [0-9a-f]+: [0-9]+ variables' heap
example phase '^phase 2 "sor": [1-9][0-9]* accesses$' sor-node1.rec
example process '^10.5 % is left$'
example program '^grid, on node 2$'
example rate '^4.00 %, 3.[0-9]+ to 4.[0-9]+$'
example record '^[0-9]+ times node 1 to node 0 at 0x100000000000$' sor-node1.rec
example recording '^an example, complete$' two.rec
example run '^0 to 1: 2, 1 to 0: 1$'
example source '^[1-9][0-9]* records of 4 nodes$' sor-node0.rec sor-node1.rec sor-node2.rec
example stack_frame '^thread 0 at 0x401234: 256 bytes$'
example state '^loads a cycle 0.2[0-9], 0.[0-9]+ to 0.[0-9]+$'
example static_counters '^counter 0: 1, of all 1$'
example statistics ', lost 0: balanced$' sor-node1.rec
example variable 'grid: [1-9][0-9]* accesses by node 1$' sor-node1.rec
example walk '^[1-9][0-9]* reads, [1-9][0-9]* writes$' sor-node1.rec
check "docs/examples/trace.c compiles" cc -std=c11 -Wall -Wextra -Werror "-I$top/include" \
	"$top/docs/examples/trace.c" -o trace "-L$built" "-Wl,-rpath,$built" -lsmile-trace
check "docs/examples/trace.c runs" sh -c './trace | grep -qx "not traced"'
# The program of docs/cluster.md, on one node.
check "docs/examples/stencil.c compiles" cc -std=c11 -Wall -Wextra -Werror "-I$top/include" \
	"$top/docs/examples/stencil.c" -o stencil "-L$built" \
	"-Wl,-rpath,$built,--disable-new-dtags" -lsmile-gas
check "docs/examples/stencil.c runs" sh -c './stencil | grep -qx "1013.438" && ./stencil block | grep -qx "1013.438"'
# Without an adapter, each program of the SISCI API reports what is missing.
for program in sisci_session sisci_segment sisci_map sisci_dma sisci_interrupt; do
	check "docs/examples/$program.c compiles" cc -std=c11 -Wall -Wextra -Werror "-I$top/include/sisci" \
		"$top/docs/examples/$program.c" -o "$program" "-L$built" "-Wl,-rpath,$built" -lsisci
	check "docs/examples/$program.c runs" sh -c \
		"./$program 2>&1 | grep -q 'there is no adapter of this number'"
done
# A machine without a PCI bus has no list of cards.
if [ -d /sys/bus/pci/devices ]; then
	example card '^[0-9]+ cards$'
else
	skip "no PCI bus: docs/examples/card.c" 2
	echo card >>examples
fi
check "each header of the library has an example" sh -c "
	sort examples >run && (cd '$top/include/smile' && basename -s .h monitor/*.h advise.h gas.h estimate/*.h) | sort | diff - run"

suite_end
