#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile run, with a program in place of QEMU that writes known words (fake_qemu.c): their counts, messages,
# exit statuses, signals.
#
# usage: RUN_BIN=DIRECTORY tests/run/run_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
fake_qemu "$RUN_BIN"

# pages: print smile.pages/1 in a short form, one line for each page: number, home, accesses by
# node.
pages() {
	"$smile" report pages --json "$@" | gojq -r \
		'.pages[] | "\(.page) \(.home) \(.accesses) r\(.reads) w\(.writes) l\(.locks)"'
}

# --- known words: every count is checked
ran "threads, barriers, a lock: exit status" 0 -o four --json four.json -- "$any" threads 4 10
cat >wanted <<'END'
65536 0 [0,0,0,160] r[0,0,0,160] w[0,0,0,0] l[0,0,0,0]
65537 1 [160,0,0,0] r[160,0,0,0] w[0,0,0,0] l[0,0,0,0]
65538 2 [0,160,0,0] r[0,160,0,0] w[0,0,0,0] l[0,0,0,0]
65539 3 [0,0,160,0] r[0,0,160,0] w[0,0,0,0] l[0,0,0,0]
65540 0 [0,30,30,30] r[0,10,10,10] w[0,10,10,10] l[0,10,10,10]
END
pages four-node?.rec >got
equal "every access that was remote is in the recordings" "$(cat wanted)" "$(cat got)"
equal "one recording a node" 4 "$(ls four-node*.rec | wc -l)"
says "the summary is on standard error" "^ *node *run time s" err
says "the summary says that the account holds" "^checked: " err
equal "standard output is the program's own" "" "$(cat out)"
equal "the summary as JSON" "smile.run/2 4 1400 670 730 0 true" "$(gojq -r '"\(.schema) \(.nodes)
	\(.accesses) \(.local) \(.remote) \(.exit_status) \(.complete)"' four.json | xargs)"
equal "and each check in it holds" "14 true" \
	"$(gojq -r '"\(.checks | length) \(all(.checks[]; .holds))"' four.json)"
equal "the time of each node is the sum of its parts" "true" "$(gojq -r '[.by_node[] | .cycles ==
	.work_cycles + .local_cycles + .cache_cycles + .wait_cycles + .idle_cycles +
	(.remote_cycles | add)] | all' four.json)"
equal "each node lost what its remote accesses cost" "true" "$(gojq -r '[.by_node[] |
	.remote_cycles.reads == 1000 * .remote.reads and .remote_cycles.writes == 20 * .remote.writes
	and .remote_cycles.locks == 1000 * .remote.locks] | all' four.json)"
exits "each recording's account holds" 0 report lost four-node0.rec four-node1.rec four-node2.rec \
	four-node3.rec

# --- the map
"$smile" report pages four-node?.rec >out 2>err
says "pages are reported by region and offset" "heap+0x1000" out
"$smile" report pages --json four-node2.rec >out 2>err
equal "of one recording, too; the heap is one region" "heap 268435456 8192" \
	"$(gojq -r '.pages[] | select(.page == 65538) | .region | "\(.kind) \(.start) \(.offset)"' out)"
"$smile" report phases --json four-node?.rec >out 2>err
equal "phases have their names" "null second half" \
	"$(gojq -r '[.phases[].name] | join(",")' out | sed 's/^,/null /')"
"$smile" report phases four-node?.rec >out 2>err
says "phases have their names in the table" "second half" out

# --- the map is damaged, and the records are intact
"$smile" dump four-node2.rec >all
head -c $(($(wc -c <four-node2.rec) - 40)) four-node2.rec >cut.rec
exits "a recording whose map is cut off: dump fails" 2 dump cut.rec
name="a recording whose map is cut off: its records are dumped"
if [ -s all ] && cmp -s all out; then ok "$name"; else not_ok "$name"; fi
says "a recording whose map is cut off: reported" "cut.rec: its [0-9]* records were read, .*cut off" err
exits "a recording whose map is cut off: report fails" 2 report pages --json cut.rec
equal "a recording whose map is cut off: its pages are reported, without regions" "2 null" \
	"$(gojq -r '.pages[] | select(.page == 65538) | "\(.home) \(.region)"' out)"
(cat four-node2.rec; echo) >beyond.rec
exits "a recording that goes on behind its map" 2 dump beyond.rec
says "a recording that goes on behind its map: reported" "and its trailer" err

# --- the result is the same in each run, whatever the host does
ran "the same once more" 0 -o again -q -- "$any" threads 4 10
equal "-q: no summary" "" "$(cat err)"
for node in 0 1 2 3; do
	"$smile" dump four-node$node.rec >a
	"$smile" dump again-node$node.rec >b
	if [ -s a ] && cmp -s a b; then ok "two runs, node $node: the same records"; else
		not_ok "two runs, node $node: the same records"; fi
	# Compare everything except the time of day, at offset 24, and the command line.
	strings -n 8 four-node$node.rec | grep smile.run/2 >a
	strings -n 8 again-node$node.rec | grep smile.run/2 >b
	if [ -s a ] && cmp -s a b; then ok "two runs, node $node: the same times"; else
		not_ok "two runs, node $node: the same times"; fi
done
refuses "recordings of different runs are not merged" "merge only recordings of one run" \
	report pages four-node0.rec "$(timeout -k 10 $limit "$smile" run -q -o other --latency \
	smile1998,read=500 -- "$any" threads 4 10; echo other-node1.rec)"

# --- the machine
ran "one node: nothing is remote" 0 --nodes 1 -o one --json one.json -- "$any" threads 4 10
equal "one node: all is local" "1400 1400 0" "$(gojq -r '"\(.accesses) \(.local) \(.remote)"' one.json)"
equal "one node: no page in the recording" "" "$(pages one-node0.rec)"
ran "all threads on one node of two" 0 --nodes 2 --threads 1 -o list --json list.json -- "$any" \
	threads 4 10
equal "all threads on one node: the other one accesses nothing" "0 1" "$(gojq -r \
	'"\(.by_node[0].remote | add) \([.by_thread[].node] | unique | .[0])"' list.json)"
ran "threads in blocks" 0 --nodes 2 --threads block:4 -o block --json block.json -- "$any" threads 4 1
equal "threads in blocks: two and two" "0,0,1,1" \
	"$(gojq -r '[.by_thread[].node | tostring] | join(",")' block.json)"
printf '%s\n' '# all on the last node' 'pages 65536-65539 node 3' 'bytes 0x10004000+8 node 2' >place
ran "a list of threads that is too long" 2 -q --threads "$(seq -s, 1025 | sed 's/[0-9][0-9]*/0/g')" -- "$any" threads 1 1
says "a list of threads that is too long: the limit" "a list has at most 1024 nodes" err
ran "a placement file" 0 --place place -o place --json place.json -- "$any" threads 4 10
equal "a placement file: pages lie where it says" "3 3 3 3 2" \
	"$(pages place-node?.rec | awk '{ printf "%s%s", sep, $2; sep = " " }')"
equal "a placement file is reported" place "$(gojq -r .placement_file place.json)"
ran "a latency model with numbers of one's own" 0 --latency smile1998,read=7,mhz=100 -o latency \
	--json latency.json -- "$any" threads 4 10
equal "a latency model: its numbers count" "7 100000000 true" "$(gojq -r '"\(.latency.remote_cycles.read
	) \(.latency.frequency_hz) \([.by_node[] | .remote_cycles.reads == 7 * .remote.reads] | all)"' \
	latency.json | tr -d '\n\t')"
# --- the network: without a network, links carry any number of transactions at the same time
network="smile1998,read=40,write=40,lock=40"
ran "no network" 0 --latency $network --json free.json -- "$any" threads 4 20000
equal "no network: none in the document" null "$(gojq .network free.json)"
for topology in ring torus:2x2 ringlets:2; do
	ran "a $topology" 0 --latency $network --network $topology -o net --json net.json -- "$any" threads 4 20000
	equal "a $topology: it takes longer, by what was waited for" "true true" "$(gojq -sr \
		'"\(.[1].cycles > .[0].cycles) \([.[1].network.wait_cycles[] > 0] | all)"' free.json net.json)"
	equal "a $topology: what is accessed is the same" true "$(gojq -s '.[0].remote == .[1].remote' free.json net.json)"
	equal "a $topology: no link carries more than it can" "true true" "$(gojq -r '.network |
		"\(.busiest.load == ([.links[].load] | max)) \(.busiest.load < 0.9)"' net.json)"
	equal "a $topology: all that crosses the busiest link" 1 "$(gojq '[.network.busiest.crossed_by[].share] | add * 1000 |
		round / 1000' net.json)"
	cp net.json first.json
	ran "a $topology, again" 0 --latency $network --network $topology --json net.json -- "$any" threads 4 20000
	equal "a $topology, again: the same to the cycle" "$(gojq -c '[.cycles, .network]' first.json)" \
		"$(gojq -c '[.cycles, .network]' net.json)"
	exits "a $topology: in the recordings" 0 report transfers net-node?.rec
	says "a $topology: the busiest link is named" "^network $topology: the busiest link leads from " out
	says "a $topology: and what crosses it" "% of that: node [0-3] with the memory of node [0-3]" out
	equal "a $topology: for programs, too" "$(gojq -c .network.busiest first.json)" \
		"$("$smile" report transfers --json net-node?.rec | gojq -c .network.busiest)"
done
ran "a network nobody uses" 0 --network ring --place node:0 --threads 0 --json idle.json -- "$any" threads 4 2000
equal "a network nobody uses: nobody waits" "0 0" "$(gojq -r '.network | "\(.wait_cycles | add) \(.busiest.load)"' idle.json)"
equal "a network: single accesses are of 16 bytes" "readsb writesb locksb" "$(gojq -r '.network.requests |
	"\(.read) \(.write) \(.lock)"' idle.json)"
ran "a network behind caches" 0 --network ring --caches l1=4K/64/4 --json lines.json -- "$any" threads 4 10
equal "a network behind caches: lines pass it" "nread64 nwrite64 locksb" "$(gojq -r '.network.requests |
	"\(.read) \(.write) \(.lock)"' lines.json)"
ran "a cache" 0 --cache 64K,64,4 -o cache --json cache.json -- "$any" threads 4 10
equal "a cache: hits, and what is accessed is the same" "true 1400" \
	"$(gojq -r '"\(.cache_hits > 0) \(.local + .remote + .cache_hits)"' cache.json)"
# --- machines, and files that replace parts of them
papers=$SMILE_MACHINE
unset SMILE_MACHINE
ran "the default machine" 0 -o default --json default.json -- "$any" threads 4 10
says "the default machine: the first line has it" "^smile run: machine server2: 2 nodes, pages first-touch" err
equal "the default machine: it has caches" "server2 3" "$(gojq -r '"\(.machine.name) \(.caches | length)"' default.json)"
exits "the default machine: accesses are those of the program" 0 report pages --json default-node?.rec
equal "the default machine: to the last count" 1400 "$(gojq '[.pages[].accesses[]] | add' out)"
exits "advice for it" 0 advise default-node?.rec
says "advice for the default machine: it is of that" "^2 nodes, server2: local 160, remote read 280" out
exits "help of smile run" 0 run --help
says "help names the default machine" "^machines (default server2):" out
exits "help of smile sim" 0 sim --help
says "a simulation is of the papers' machine" "^machines (default smile1998):" out
exits "a run on another machine, advised" 0 advise four-node?.rec -o four.place
says "a run on another machine: the command names it" "^run it: *smile run --place four.place -o placed --machine=smile1998 -- " out
export SMILE_MACHINE=server4
ran "a default of the environment" 0 -o default --json default.json -- "$any" threads 4 10
equal "a default of the environment: it is that" server4 "$(gojq -r .machine.name default.json)"
ran "an option counts more" 0 --machine cxl -o default --json default.json -- "$any" threads 4 10
equal "an option counts more: it is that" cxl "$(gojq -r .machine.name default.json)"
SMILE_MACHINE=big refuses "a default that is not there" "SMILE_MACHINE: 'big' is neither a file nor a machine" run "$any"
export SMILE_MACHINE=$papers
ran "a server of two sockets" 0 --machine server2 --threads 0,1 -o server --json server.json -- "$any" threads 4 10
says "the first line has the machine" \
	"^smile run: machine server2: 2 nodes, pages first-touch; reads of memory 80 and 140 ns; caches l1 32K," err
equal "it is on the first line" 1 "$(grep -n 'machine server2' err | cut -d : -f 1)"
equal "the summary has it" "server2 first-touch 2 l1 l2 llc" "$(gojq -r '"\(.machine.name) \(.placement) \(.nodes
	) \([.caches[].level] | join(" "))"' server.json | tr -d '\n\t')"
equal "what caches served, what they did not, and what they wrote back are all accesses" true "$(gojq '
	(.transactions | .local + .remote) + .cache_hits == .accesses + .split + .write_backs and
	.cache_misses + .cache_hits == .accesses + .split' server.json)"
equal "each access is local or remote, whether caches served it or not" "true true true" "$(gojq -r '
	"\(.local + .remote == .accesses and .transactions.remote < .remote and .transactions.local < .local
	) \([.by_node[] | .local, .remote | add] | add == $all) \([.phases[].by_node[] | .local, .remote | add] | add == $all)"
	' --argjson all "$(gojq .accesses server.json)" server.json | tr -d '\n\t')"
equal "nodes and phases have their transactions" true "$(gojq '[.transactions.local, .transactions.remote] as $all |
	[.by_node, [.phases[].by_node[]]] | all(.[]; [([.[].transactions.local | add] | add), ([.[].transactions.remote |
	add] | add)] == $all)' server.json)"
says "the table has both" " local  *remote  *cached  *local lines  *remote lines" err
equal "by level, they are the same" true "$(gojq '([.by_node[].hits_by_level[] | .reads + .writes + .locks] | add) ==
	.cache_hits and ([.by_node[].cache_misses | add] | add) == .cache_misses' server.json)"
exits "pages of it" 0 report pages --json server-node?.rec
cp out pages.json
exits "phases of it" 0 report phases --json server-node?.rec
cp out phases.json
exits "structures of it" 0 report structures --json server-node?.rec
cp out structures.json
equal "by page, phase and structure, all accesses are there, exactly" "$(gojq -r '.account.counted | "\(.) \(.) \(.)"' \
	server.json)" "$(gojq '[.pages[].accesses[]] | add' pages.json) $(gojq '[.phases[].accesses] | add' phases.json
	) $(gojq '.accesses + .straddling' structures.json)"
equal "and each is a read, a write or a lock" "$(gojq .account.counted server.json)" "$(gojq '[.pages[] | .reads[],
	.writes[], .locks[]] | add' pages.json)"
equal "and by variable" "$(gojq .account.counted server.json)" \
	"$(gojq '([.structures[].accesses[]] | add) + .straddling' structures.json)"
# column NAME: sum of a column of rows for other programs.
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ sum += $at } END { print sum + 0 }' out
}
counted=$(gojq .account.counted server.json)
crossed=$(gojq '[.pages[].transactions.accesses[]] | add' pages.json)
equal "and transactions are apart" true "$([ "$crossed" -gt 0 ] && [ "$crossed" -lt "$counted" ] && echo true)"
for view in pages phases structures; do
	exits "rows of $view" 0 report $view --csv server-node?.rec
	equal "rows of $view have all accesses, and transactions" "$counted $crossed" \
		"$(column accesses) $(column transactions)"
	[ $view = phases ] || equal "rows of $view: each is a read, a write or a lock" "$counted $crossed" \
		"$(($(column reads) + $(column writes) + $(column locks))) $(($(column transaction_reads) +
		$(column transaction_writes) + $(column transaction_locks)))"
done
exits "the most accessed pages" 0 report top --json server-node?.rec
equal "all of them count" "$counted" "$(gojq .accesses out)"
equal "they have both" true "$(gojq -n --slurpfile pages pages.json --slurpfile top out '[$top[0].pages | sort_by(.page)[] |
	[.page, .accesses, .transactions.accesses]] == [$pages[0].pages | sort_by(.page)[] | [.page, (.accesses | add),
	(.transactions.accesses | add)]]')"
exits "a map" 0 report heat --json server-node?.rec
equal "a map is of accesses" "$counted" "$(gojq '[.rows[].accesses[]] | add' out)"
exits "a map of transactions" 0 report heat --transactions --json server-node?.rec
equal "a map of transactions: says so" "$crossed transactions" "$(gojq -r '"\([.rows[].accesses[]] | add) \(.counts)"' out)"
exits "bands" 0 report pages --bands --csv server-node?.rec
equal "bands are of the nodes whose transactions there are" "$crossed true" "$(column transactions) $([ \
	"$(column accesses)" -gt "$crossed" ] && echo true)"
page=$(gojq '.pages[-1].page' pages.json)
exits "sections of a page of it" 0 report page --page "$page" --json server-node?.rec
for of in '' .transactions; do
	equal "sections add up to their page${of:+, $of}" true "$(gojq "([.sections[] | $of.accesses[]] +
		$of.straddling.accesses | add) == ($of.totals.accesses | add)" out | tail -n 1)"
done
equal "the page has them" true "$(gojq -n --slurpfile pages pages.json --slurpfile page out '$pages[0].pages[-1] |
	.accesses == $page[0].totals.accesses and .transactions.accesses == $page[0].transactions.totals.accesses')"
exits "rows of a page" 0 report page --page "$page" --csv server-node?.rec
equal "rows of a page: sections and the total" "$(gojq '.pages[-1] | (.accesses | add) * 2' pages.json
	) $(gojq '.pages[-1].transactions | (.accesses | add) * 2' pages.json)" "$(column accesses) $(column transactions)"
exits "a page by phase" 0 report phases --page "$page" --json server-node?.rec
equal "a page by phase: both" true "$(gojq -n --slurpfile pages pages.json --slurpfile page out '$pages[0].pages[-1] |
	(.accesses | add) == ([$page[0].phases[].accesses[]] | add) and
	(.transactions.accesses | add) == ([$page[0].phases[].transactions.accesses[]] | add)')"
hot=$(gojq '[.pages[].accesses | add] | sort | .[-2]' pages.json)
exits "hot pages" 0 report pages --hot "$hot" --json server-node?.rec
equal "hot pages: the threshold is of accesses" "$(gojq "[.pages[] | select((.accesses | add) >= $hot) | .page]" \
	pages.json)" "$(gojq '[.pages[].page]' out)"
exits "structures with many accesses" 0 report structures --min-accesses "$counted" --json server-node?.rec
equal "structures with many accesses: these are accesses, too" 1 "$(gojq '.structures | length' out)"
exits "transactions alone" 0 report pages --transactions --json server-node?.rec
equal "they are the same" true "$(gojq -n --slurpfile both pages.json --slurpfile alone out \
	'[$both[0].pages[] | .transactions | select(.accesses | add > 0)] == [$alone[0].pages[] |
	{accesses, reads, writes, locks}]')"
equal "and said to be that" transactions "$(gojq -r .counts out)"
exits "a table has a column of each" 0 report pages server-node?.rec
says "a table has both heads" " ACCESSES .*REMOTE TRANSACTIONS" out
says "and the legend says what" "^Remote transactions = the traffic between nodes behind the caches" out
exits "structures, too" 0 report structures server-node?.rec
says "structures have the column" " ACCESSES .*REMOTE TRANSACTIONS" out
exits "phases, too" 0 report phases server-node?.rec
says "phases have both columns" "ACCESSES *REMOTE TRANSACTIONS" out
exits "differences have both" 0 diff --json server-node?.rec -- server-node?.rec
equal "a difference of nothing" "0 0 $counted $crossed" "$(gojq -r '"\(.apart) \(.transactions.apart) \(.accesses[0]
	) \(.transactions.accesses[0])"' out | tr -d '\n\t')"
for table in pages regions; do
	exits "rows of differences of $table" 0 diff --csv=$table server-node?.rec -- server-node?.rec
	equal "rows of differences of $table have both" "$counted $crossed" \
		"$(column accesses_second) $(column transactions_second)"
done
exits "the page has both" 0 view --json server-node?.rec
equal "of all, by phase and region" "$counted $counted $counted" "$(gojq -r '"\(.summary.accesses
	) \([.phases[].accesses] | add) \([.regions[].sums.accesses] | add)"' out | tr -d '\n\t')"
equal "and transactions" "$crossed true" "$(gojq -r '"\([.phases[].transactions.accesses] | add
	) \(.summary.transactions | .accesses - .own == .reads + .writes + .locks)"' out | tr -d '\n\t')"
refuses "without caches, they are what is counted" "--transactions: the machine has no caches" report pages --transactions \
	latency-node0.rec
exits "the recordings have it" 0 advise server-node?.rec
says "the advice is for it" "^2 nodes, server2: local 160, remote read 280, write 0, lock 280 cycles" out
ran "a machine with another number of nodes, latency and placement" 0 --place single --latency numa2 --nodes 3 \
	--machine server2 -o other --json other.json -- "$any" threads 4 10
equal "options replace what the machine has, wherever they stand" "3 single numa2 3" \
	"$(gojq -r '"\(.nodes) \(.placement) \(.latency.model) \(.caches | length)"' other.json)"
ran "the papers' cache on another machine" 0 --machine server2 --cache 4K -o other --json other.json -- \
	"$any" threads 4 10
equal "it replaces the caches" "null 4096" "$(gojq -r '"\(.caches) \(.cache.bytes)"' other.json)"
ran "no caches" 0 --machine server4 --caches none -o other --json other.json -- "$any" threads 4 10
equal "no caches: reads take longer over two hops" "null [160,280,400,280]" \
	"$(gojq -c '"\(.caches) \(.latency.read_cycles[0])"' other.json | tr -d '"')"
equal "no caches: each node lost what its reads cost" true "$(gojq '[.by_node[] | .remote_cycles.reads >= 280 *
	.remote.reads and .remote_cycles.reads <= 400 * .remote.reads] | all' other.json)"
ran "a node that is only memory" 0 --machine cxl -o other --json other.json -- "$any" threads 4 10
equal "a node that is only memory: no thread runs there" "0 0 0 0" \
	"$(gojq -r '[.by_thread[].node] | join(" ")' other.json)"
ran "caches by hand" 0 --caches l1=1K/64/2/3,llc=8K/64/4 -o other --json other.json -- "$any" threads 4 10
equal "caches by hand: as they were given" "l1 1024 2 3 false llc 8192 4 14 true smile1998" "$(gojq -r '
	[(.caches[] | "\(.level) \(.bytes) \(.ways) \(.cycles) \(.shared)"), .machine.name] | join(" ")' other.json)"
equal "the time of each node is the sum of its parts, with caches" true "$(gojq -r '[.by_node[] | .cycles ==
	.work_cycles + .local_cycles + .cache_cycles + .wait_cycles + .idle_cycles +
	(.remote_cycles | add)] | all' other.json)"
cat >file.json <<'END'
{"schema": "smile.machine/1", "name": "mine", "nodes": 2, "mhz": 1000, "placement": "block",
 "latency_ns": [[90, 200], [210, 95]],
 "caches": [{"level": "l1", "bytes": 4096, "line_bytes": 64, "ways": 4, "cycles": 2, "shared": false}]}
END
ran "a machine of a file" 0 --machine file.json -o other --json other.json -- "$any" threads 4 10
equal "a machine of a file: as the file says" "mine mine block [[90,200],[210,95]] 2" "$(gojq -r '"\(.machine.name
	) \(.latency.model) \(.placement) \(.latency.read_cycles) \(.caches[0].cycles)"' other.json | tr -d '\n\t')"
ran "counters and a range" 0 --counters 1 --range 64 -o counters -- "$any" threads 4 10
equal "counters and a range: the same pages" "$(cat wanted)" "$(pages counters-node?.rec)"
ran "a capture" 0 --capture traffic -o capture -- "$any" threads 4 10
ran "the cards' records" 0 --records -o records -- "$any" threads 4 10
# same_dump NAME LINES A B: two recordings have the same dump, with at least this number of lines.
same_dump() {
	"$smile" dump "$3" >a
	"$smile" dump "$4" >b
	if [ "$(wc -l <a)" -ge "$2" ] && cmp -s a b; then ok "$1"; else not_ok "$1"; fi
}
for node in 0 1 2 3; do
	"$smile" replay traffic-node$node.pcap --node $node -o replay.rec >out 2>err
	same_dump "a capture replayed, node $node: the same records" 10 replay.rec \
		records-node$node.rec
	"$smile" replay --counts traffic-node$node.pcap --node $node -o replay.rec >out 2>err
	same_dump "a capture replayed, node $node: the same counts" 10 replay.rec four-node$node.rec
done
for how in "" --records; do
	# shellcheck disable=SC2086
	ran "many accesses${how:+, $how}" 0 $how -o many -- "$any" threads 4 5000
	# shellcheck disable=SC2086
	ran "many accesses${how:+, $how}, and a capture" 0 $how --capture much -o much -- "$any" threads 4 5000
	for node in 0 1 2 3; do
		same_dump "with and without a capture${how:+, $how}, node $node: the same" 20 \
			many-node$node.rec much-node$node.rec
	done
done
ran "responses are counted if asked for" 0 --packets responses -o responses -- "$any" threads 4 10
equal "responses: the same pages" "$(cat wanted)" "$(pages responses-node?.rec)"

# --- the arguments and the environment of the program, and its exit status
LD_PRELOAD='' timeout -k 10 $limit "$smile" run -q -o args -- "$any" arguments --nodes 'a  b' "it's" >out 2>err
equal "arguments arrive as they are" "[$any]
[arguments]
[--nodes]
[a  b]
[it's]" "$(grep '^\[' out)"
says "the preload library" "^LD_PRELOAD=$SMILE_LIBDIR/smile-preload.so$" out
ran "options for the tracer" 0 -q --stacks --libc -o args "$any" arguments
says "options for the tracer arrive" "stacks=on,libc=on" out
ran "a program's exit status" 7 -o exit -- "$any" exit 7
says "a program that fails is recorded, too" "^checked: " err
ran "a program that dies by a signal" 139 -o signal -- "$any" signal 11
says "a program that dies by a signal is recorded, too" "^checked: " err
exits "and its recordings are complete" 0 report lost signal-node0.rec signal-node1.rec
(cd / && timeout -k 10 $limit "$smile" run -q -o "$OLDPWD/name" -- "$any" exit 0 >/dev/null 2>&1)
equal "-o with a directory" 4 "$(ls name-node?.rec | wc -l)"
ran "without -o" 0 -q -- "$any" exit 0
equal "without -o the program's name is the prefix" 4 "$(ls sleep-node?.rec | wc -l)"
timeout -k 10 $limit "$smile" run -q --json - -o stdout -- "$any" arguments >out 2>err
equal "--json -: behind the program's own output" "[$any] smile.run/2" \
	"$(head -n 1 out) $(tail -n 1 out | gojq -r .schema)"
ran "a process that outlives the program" 1 --json orphan.json -o orphan -- "$any" orphan 1
equal "a process that outlives the program is waited for" 2 "$(gojq -r .accesses orphan.json)"

# --- signals
# interrupted NAME SIGNAL TIMES PROGRAM [NUMBER]: sends the signal so many times, one after the other; leaves status,
# out and err.
interrupted() {
	: >out
	setsid "$smile" run -o interrupted -- "$any" "$4" "${5:-0}" >out 2>err &
	pid=$!
	own $pid
	awaits has sleeping out
	kill "-$2" $pid
	if [ "$3" -gt 1 ]; then
		awaits has interrupted out
		kill "-$2" $pid
	fi
	wait $pid
	status=$?
	disown $pid
	"$smile" report lost interrupted-node?.rec >lost 2>&1
	complete=$?
	says "$1: the account holds" "^the account holds" lost
}
# recorded_to_the_end NAME: check a run whose program was ended by the signal.
recorded_to_the_end() {
	says "$1: recorded to its end" "^checked: " err
	equal "$1: the recordings are complete" 0 $complete
}
# recorded_until NAME: check a run whose program had to be killed.
recorded_until() {
	says "$1: until when it is recorded" "the recordings end at [0-9.]* s of simulated time" err
	equal "$1: it is not said that all is" "" "$(grep '^checked: ' err)"
	equal "$1: the recordings are not complete" 1 $complete
	says "$1: and say why" "not all of the run is counted: the program was killed" lost
}
interrupted "SIGINT" INT 1 sleep
recorded_to_the_end "SIGINT"
equal "SIGINT reaches the program" 130 $status
interrupted "SIGTERM" TERM 1 sleep
recorded_to_the_end "SIGTERM"
equal "SIGTERM reaches the program" 143 $status
interrupted "a second SIGINT" INT 2 stubborn
equal "a second SIGINT ends a program that ignores it" 137 $status
recorded_until "a second SIGINT"
sleep 3000 &
victim=$!
own $victim
interrupted "a process that is none of the program's" INT 2 liar $victim
recorded_until "a process that is none of the program's"
equal "a process that is none of the program's: the program is ended" 137 $status
kill -0 $victim 2>/dev/null
equal "a process that is none of the program's lives on" 0 $?
end_owned $victim

# --- a program that makes few accesses: they are in the recordings while it runs
# recorded: succeeds if the recording has as many records as expected.
recorded() {
	[ "$("$smile" dump trickle-node0.rec 2>&1 | grep -c "\"kind\":\"$kind\"")" -ge $least ]
}
# trickles NAME KIND LEAST HOW COMMAND...: start the command, which executes smile run.
trickles() {
	title=$1 kind=$2 least=$3 how=$4
	shift 4
	rm -f trickle-node?.rec
	: >out
	# shellcheck disable=SC2086
	setsid "$@" "$smile" run $how -o trickle -- "$any" trickle 60 >out 2>err &
	pid=$!
	own $pid
	awaits has sleeping out
	awaits recorded
	equal "$title: what it has done is recorded while it waits" $least \
		"$("$smile" dump trickle-node0.rec 2>/dev/null | grep -c "\"kind\":\"$kind\"")"
	kill -0 $pid 2>/dev/null
	equal "$title: it is still running" 0 $?
	kill -INT $pid
	wait $pid
	disown $pid
}
trickles "a program that does little" count 60 "" env
# The table of the card still has 15 of 60 words.
trickles "a program that does little, --records" dynamic 45 --records env
if command -v taskset >/dev/null; then
	trickles "a program that does little, on one processor" count 60 "" taskset -c "$one_processor"
else
	skip "a program that does little, on one processor: no taskset"
fi

# --- progress: on a terminal that the program does not use
# on_terminal COMMAND: leaves out.
on_terminal() {
	timeout -k 10 $limit script -qec "$1" /dev/null </dev/null >out 2>&1
}
if command -v script >/dev/null; then
	on_terminal "$smile run -o progress -- $any orphan 1 </dev/null >/dev/null"
	says "progress is shown" "simulated [0-9.]* s; [0-9,]* accesses; about [0-9.]* times slower" out
	on_terminal "$smile run -q -o progress -- $any orphan 1 </dev/null >/dev/null"
	equal "-q: no progress" "1 0" "$? $(grep -c simulated out)"
	on_terminal "$smile run -o progress -- $any orphan 1"
	says "a program that has the terminal: it is recorded" "^checked: " out
	equal "a program that has the terminal: no progress" 0 "$(grep -c 'simulated [0-9.]* s;' out)"
else
	skip "progress"
fi

# --- threads that were not traced, and names
ran "threads without a channel" 1 --json refused.json -o refused -- "$any" refused 3
equal "threads without a channel: the run is not complete" "false 1" "$(gojq -r \
	'"\(.complete) \([.checks[] | select(.holds | not)] | length)"' refused.json)"
says "threads without a channel: reported" "threads that were traced = threads does not hold" err
ran "a name with control characters" 0 --nodes 2 --threads 1 -o names -- "$any" names
"$smile" report pages names-node?.rec >out 2>err
says "a name with control characters: they are replaced" "?.31mRED?X+0x0" out
equal "a name with control characters: the terminal gets none" 0 "$(tr -d '\n\t -~' <out | wc -c)"
"$smile" report pages --json names-node?.rec >out 2>err
equal "a name with control characters: in a document it is as it was" '"\u001b[31mRED\nX"' \
	"$(gojq -c '.pages[].region | select(.kind == "shared").name' out)"

# --- programs that cannot be traced
ran "no such program" 127 -- no-such-program-at-all
says "no such program: named" "no-such-program-at-all.*PATH" err
ran "no such file" 127 -- ./absent
says "no such file: named" "./absent: No such file" err
ran "a directory" 126 -- /tmp
says "a directory: named" "/tmp is a directory" err
ran "a file that is not executable" 126 -- ./small.pcap
says "a file that is not executable: named" "chmod +x" err
echo "just text" >text && chmod +x text
ran "a file that is no program" 126 -- ./text
says "a file that is no program: named" "neither an ELF program nor a script" err
printf '#!/bin/sh\n' >script && chmod +x script
ran "a script" 0 -q -o script ./script arguments x
says "a script: its interpreter is traced" "script is a script.*interpreter, /bin/sh" err
printf '#!/usr/bin/env sleep\n' >script
ran "a script of env" 0 -q -o script ./script
says "a script of env: what env would execute is traced" "interpreter, .*/sleep" err
printf '#!/no/such/shell\n' >script
ran "a script without its interpreter" 127 ./script
says "a script without its interpreter: named" "'/no/such/shell'" err
head -c 64 "$any" >elf && chmod +x elf
ran "a program that is cut off" 126 ./elf
says "a program that is cut off: named" "elf is a damaged program" err
# A run that was not traced must not change older files, and must not create files.
mkdir untraced
echo older >untraced/old-node0.rec
# untraced TITLE REMEDY PROGRAM [ARGUMENT]...: check a run that is not traced. $under: words before
# the command.
under=
untraced() {
	title=$1 remedy=$2
	shift 2
	rm -f untraced/new* untraced/*.json
	# shellcheck disable=SC2086
	timeout -k 10 $limit $under "$smile" run --json untraced/run.json --capture untraced/new \
		-o untraced/old -- "$@" >out 2>err
	equal "$title" 2 $?
	says "$title: the remedy" "$remedy" err
	says "$title: said that nothing was recorded" "nothing was recorded" err
	equal "$title: no summary" 0 "$(grep -c checked: err)"
	equal "$title: the old recording is untouched, and nothing is new" "older old-node0.rec" \
		"$(cat untraced/old-node0.rec) $(ls untraced)"
}
untraced "a plug-in that does not come up" "smile doctor" "$any" untraced 0
untraced "a plug-in that is refused" "smile doctor" "$any" untraced 1
untraced "a QEMU that is killed before it loads the tracer" "out of memory" "$any" smothered 9
untraced "a QEMU that a seccomp filter kills" "seccomp filter" "$any" smothered 31
untraced "a program that ends before it begins" "ldd" "$any" halfway 127
untraced "a preload library that is not loaded" "smile-preload.so was not loaded" "$any" unmarked
cp "$any" elf
patch elf 4 001
untraced "a 32-bit program" "32-bit program.*-m64" ./elf
patch elf 4 002
patch elf 18 267
untraced "a program for aarch64" "for aarch64: only x86-64.*build it" ./elf
if [ -x /bin/busybox ] && ! ldd /bin/busybox >/dev/null 2>&1; then
	untraced "a static program" "linked statically.*link it dynamically" /bin/busybox true
else
	skip "a static program: no busybox" 6
fi
printf 'int main(void) {return 0;}\n' | gcc -Wl,--dynamic-linker=/lib/ld-other.so.1 -x c - -o other_loader
untraced "a program of another C library" "/lib/ld-other.so.1.*link it with glibc" ./other_loader
printf 'void __lsan_init(void) {} int main(void) {return 0;}\n' | gcc -rdynamic -x c - -o sanitized
untraced "a program with a sanitizer" "without -fsanitize" ./sanitized
# System calls that a container's seccomp filter may refuse.
under="$RUN_BIN/denies memfd_create"
untraced "no memory that can be shared" "seccomp filter" "$any" exit 0
# The sanitizer looks for leaks in a process of its own.
under="env ASAN_OPTIONS=detect_leaks=0 $RUN_BIN/denies fork"
untraced "no process can be started" "no process for the replay" "$any" exit 0
under=
timeout -k 10 $limit "$RUN_BIN/denies" personality "$smile" run -o random -- "$any" randomized 0 >out 2>err
equal "addresses stay randomized" 0 $?
says "addresses stay randomized: said" "addresses stay randomized.*counts are exact, but differ between two runs" err
ran "a QEMU that is killed later" 2 -o killed -- "$any" signal 9
says "a QEMU that is killed later: said" "was killed .*last accesses are missing" err
says "a QEMU that is killed later: how far the recordings go" "the recordings end at" err
exits "a QEMU that is killed later: they are readable, and not complete" 1 report lost killed-node0.rec
says "a QEMU that is killed later: they say why" "not all of the run is counted: the program was killed" out
ran "a QEMU that a seccomp filter kills later" 2 -o killed -- "$any" signal 31
says "a QEMU that a seccomp filter kills later: said" "was killed .*seccomp.*last accesses are missing" err
ran "words that no tracer writes" 2 -o nonsense -- "$any" nonsense
says "words that no tracer writes: reported" "reports something unknown" err
exits "words that no tracer writes: the recordings are readable, and not complete" 1 report lost nonsense-node0.rec

# --- missing parts
mkdir empty
if [ -x /var/lib/smile-monitor/qemu-x86_64 ]; then
	skip "no QEMU: one was built for all users" 2
else
	PATH=$(pwd)/empty XDG_CACHE_HOME=$(pwd)/empty "$smile" run -q -o qemu -- "$any" exit 0 >out 2>err
	equal "no QEMU" 2 $?
	says "no QEMU: the remedy" "apt-get install qemu-user" err
fi
SMILE_LIBDIR=$(pwd)/empty "$smile" run -q -o tracer -- "$any" exit 0 >out 2>err
equal "no tracer" 2 $?
says "no tracer: named" "empty/smile-tracer.so does not exist" err
ran "an output that cannot be written" 2 -o absent/x -- "$any" exit 0
says "an output that cannot be written: named" "absent/x-node0.rec" err
if [ -c /dev/full ]; then
	for node in 0 1 2 3; do ln -s /dev/full full-node$node.rec; done
	ran "a full disk" 2 -o full -- "$any" threads 4 10
	says "a full disk: named" "full-node0.rec" err
else
	skip "a full disk"
fi

# --- usage
# wrong NAME PATTERN ARGUMENTS...
wrong() {
	name=$1 pattern=$2
	shift 2
	refuses "$name" "$pattern" run "$@"
}
wrong "no program" "which program"
wrong "an empty name" "name is empty" ""
wrong "no nodes" "--nodes: '0'" --nodes 0 "$any"
wrong "too many nodes" "--nodes: '65'" --nodes 65 "$any"
wrong "threads to a node that is not there" "no node 4" --threads 0,4 "$any"
wrong "threads: nonsense" "neither round-robin nor block:N" --threads sideways "$any"
wrong "threads: block alone" "block:16" --threads block "$any"
wrong "a policy that is not there" "neither a file nor a policy.*round-robin" --place nowhere "$any"
wrong "a model that is not there" "neither a file nor a model" --latency fast "$any"
wrong "a model: nonsense" "none of local=" --latency smile1998,x=3 "$any"
wrong "a network that is none" "--network: \"star\" is no topology" --network star "$any"
wrong "a torus of other nodes" "torus:3x3 has 9 nodes, and --nodes says 4" --network torus:3x3 --nodes 4 "$any"
wrong "a network of one node" "a network has at least 2 nodes" --network ring --nodes 1 "$any"
wrong "a network, and pages that move" "cannot be combined with --place migrate" --network ring --place migrate "$any"
wrong "a cache of odd lines" "16, 64 or 256" --cache 64K,32 "$any"
wrong "a cache of odd sets" "the number of sets is no power of two" --cache 100,16,4 "$any"
wrong "a cache: nonsense" "--cache: size: 'big'" --cache big "$any"
wrong "a machine that is not there" "'big' is neither a file nor a machine: there are smile1998, server2" \
	--machine big "$any"
wrong "caches of both kinds" "--cache is the papers' cache.*--caches are in front" --cache 4K \
	--caches l1=4K/64/4 "$any"
wrong "caches: nonsense" "'big' is no level" --caches big "$any"
wrong "caches of odd lines" "a line has 16, 64 or 256 bytes" --caches l1=4K/32/4 "$any"
wrong "caches: a shared level in front" "the first level belongs to a processor" --caches llc=4K "$any"
wrong "caches: a number too many" "'7' is too much" --caches l1=4K/64/4/1/7 "$any"
wrong "too many caches" "up to 4 levels" --caches l1=1K,l2=2K,l3=4K,l4=8K,l5=16K "$any"
echo '{"schema": "smile.machine/1", "nodes": 2, "latency_ns": [[90, 200]]}' >short.json
wrong "a machine file with too few latencies" "short.json: latency_ns must have a row for each node" --machine short.json "$any"
echo '{"schema": "smile.machine/1", "nodes": 2, "latency_ns": [[90, 20], [20, 90]]}' >far.json
wrong "a machine file of what is no such machine" "own memory is farther" --machine far.json "$any"
echo '{"schema": "smile.run/2"}' >run.json
wrong "a machine file that is none" "no JSON document of schema smile.machine/1" --machine run.json "$any"
echo '{' >damaged.json
wrong "a machine file that is damaged" "damaged.json: " --machine damaged.json "$any"
wrong "two ways to choose phases" "--only-phase excludes" --only-phase a --from-phase b "$any"
wrong "a sample of nothing" "--sample-phases: '0'" --sample-phases 0 "$any"
wrong "a capture to standard output" "the program's own" --capture - "$any"
wrong "no static counter" "without a --static" --static-only "$any"
for line in "pages 5" "pages 7-5 node 1" "bytes 7 node 1" "bytes 0+0 node 1" "pages x node 1" \
	"pages 1 node 1 2" "pages 99999999999999 node 1" "places 1 node 1" "order 7 threads" \
	"order 0xffffffffffffffff threads 0,1" \
	"order x threads 1" "order 7 threads 1," "order 7 threads ,1" "order 7 threads 1,99999999" \
	"order 7 nodes 1" "order 7 threads 1 2"; do
	echo "$line" >bad
	wrong "a placement file: $line" "bad: line 1 is none of" --place bad "$any" exit
done
printf '\n# nothing\npages 1 node 4\n' >bad
wrong "a placement file: a node that is not there" "bad: line 3: there is no node 4" --place bad \
	"$any" exit
suite_end
