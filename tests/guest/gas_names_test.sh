#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Record a program on a global address space with smile cluster. Check the addresses, which must be
# the same on all nodes; the names that the program gives them; their rows and homes; and the homes
# of pages that move. May use: smile, cc, the libraries, the products of `make cluster`.
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh

# cluster OPTION... -- COMMAND...: run smile cluster with four nodes
cluster() {
	timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes 4 --kill-on-bad-exit "$@" \
		>"$work/out" 2>"$work/err" </dev/null || fail "status $? of $*"
}

# expect WHAT COMMAND...: check that the command's output is equal to standard input.
expect() {
	local what=$1
	shift
	"$@" >"$work/out" 2>"$work/err" || fail "$what: status $?"
	while IFS= read -r line; do
		grep -qF -- "$line" "$work/out" || fail "$what: no '$line'"
	done
	echo "ok $what"
}

cc -O1 -Iinclude docs/examples/stencil.c "$B/libsmile-gas.a" "$B/libsisci.a" -lpthread -o "$work/stencil"
cluster -o "$work/block" -- "$work/stencil" block
recordings=("$work"/block-node?.rec)

# The node next to a border row reads it in two of four steps of each array, in the 254 inner
# columns.
expect "each node's accesses to the arrays, by name" "$smile" report structures --csv "${recordings[@]}" <<'END'
even steps,
odd steps,
END
"$smile" report structures --json "${recordings[@]}" | gojq -c '.structures[] | select(.kind == "named") |
	[.name, .bytes, .pages, .homes, .accesses, .remote]' | sort >"$work/out"
diff - "$work/out" <<'END' || fail "other counts of the arrays"
["even steps",524288,128,[508,1016,1016,508],[508,1016,1016,508],3048]
["odd steps",524288,128,[508,1016,1016,508],[508,1016,1016,508],3048]
END
# While the program runs, another process reads the recordings. It must find the names, and the
# times at which a phase began. A recording that was not closed must contain both.
mkdir "$work/share"
# shellcheck disable=SC2016 # for the guests to expand
"$smile" cluster --guest "$work/guest" --nodes 2 --kill-on-bad-exit --share "$work/share" -o "$work/live" --live \
	--timer 100ms:0 --copy "$work/stencil" -- \
	sh -c './stencil block && : >/host/done$SMILE_NODE; until [ -e /host/end ]; do usleep 100000; done' \
	>"$work/out" 2>"$work/err" </dev/null &
pid=$!
until url=$(sed -n 's/^smile cluster: live view: \(http.*\)$/\1/p' "$work/err") && [ "$url" ] &&
	[ -e "$work/share/done0" ] && [ -e "$work/share/done1" ] && python3 - "$url" 2>"$work/why" <<'END'; do
import json, sys, urllib.request
document = json.load(urllib.request.urlopen(sys.argv[1] + "data.json"))
running = [source["state"] for source in document["live"]["sources"]] == ["running"] * 2
named = {region["name"] for region in document["regions"]} >= {"even steps", "odd steps"}
began = len(document["phases"]) > 1 and document["phases"][1].get("began_within_ns", -1) >= 0
sys.exit(0 if running and named and began else f"running {running}, named {named}, began {began}")
END
	kill -0 "$pid" || fail "no view with names: $(cat "$work/why")"
	sleep 0.2
done
cp "$work/live-node0.rec" "$work/killed.rec"
: >"$work/share/end"
wait "$pid" || fail "status $? with a view"
pid=''
echo "ok a view has names and phases while the program runs"
expect "a recording that is not closed has names" "$smile" report structures --csv "$work/killed.rec" <<'END'
even steps,
END
expect "an array's rows" "$smile" report structures --variable 'even steps' "${recordings[@]}" <<'END'
even steps[48] - even steps[63]
even steps[190] - even steps[191]
END
expect "an address in it" "$smile" report structures --address 0x20000001f808 "${recordings[@]}" <<'END'
address    even steps[63]+8
END
expect "advice by name" "$smile" advise --json "${recordings[@]}" <<'END'
"even steps"
END
expect "a placement by name" "$smile" advise -o "$work/placement" "${recordings[@]}" </dev/null
grep -qx '# even steps, from 0x200000000000 on:' "$work/placement" || fail "the placement: $(cat "$work/placement")"
"$smile" view -o "$work/view.html" "${recordings[@]}" 2>"$work/err"
grep -q '"name":"odd steps"' "$work/view.html" || fail "the page has no names"
# The homes must be those of the layout, even for pages that no other node has accessed.
"$smile" report pages --csv "${recordings[@]}" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["region"] == "even steps" && int($column["region_offset_bytes"] / 131072) != $column["home"] { exit 1 }' ||
	fail "homes"

cluster -o "$work/round" -- "$work/stencil"
expect "advice that a space can follow" "$smile" advise --json "$work"/round-node?.rec <<'END'
place each part on its node: Gas_place(3)
END

# If a page moves, each access is counted at the node that had the page at that time.
cluster -o "$work/moves" -- "$B/tests/guest/gas_nodes" moves
"$smile" report pages --csv "$work"/moves-node?.rec | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["region"] == "extent 0" { print $column["region_offset_bytes"] / 4096, $column["home"] }' |
	sort -u >"$work/out"
for ((page = 0; page < 30; page++)); do
	for ((round = 1; round <= 6; round++)); do
		echo "$page $(((page * 7 + round * (page % 3 + 1)) % 4))"
	done
done | sort -u >"$work/expected"
echo "3 0" | sort -u - "$work/expected" | diff - "$work/out" >"$work/difference" || {
	cat "$work/difference"
	fail "pages that move"
}
echo "ok pages that move"
