#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The advice of `smile advise` for programs of other authors, on several machines: for each program, the predicted and
# the verified gain over first touch, the sentence of the advice, and whether a person who has read the source agrees.
#
#	[B=build] [PROGRAMS=PATTERN] [MACHINES=PATTERN] [SOURCES=DIRECTORY] tests/programs/advice.sh
#
# What lives here: the programs, the machines, and the two tables of docs/programs.md, which are written to B/advice.md.
# Existing results are kept: B/tests/advice has a folder for each program and machine; remove it to run it again.
# Programs of Debian run if they are installed. The sources of the other programs are fetched with git into SOURCES,
# unless they exist there, and are built with gcc -O2 -g.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
B=$(realpath "${B:-build}")
smile=$B/bin/smile
limit=600
results=$B/tests/advice
sources=$(realpath -m "${SOURCES:-$B/programs-sources}")
scratch_make "$B/tests/advice-scratch"
mkdir -p "$results" "$sources"
export LC_ALL=C
# shellcheck source=tests/programs/input.sh
. tests/programs/input.sh

# ---- the machines: NAME | OPTIONS. The second machine has a sixteenth of server4's second and last level, for
# programs whose data has a sixteenth of its usual size.

machines() {
	cat <<'END'
server2|--machine server2
server4/16|--machine server4 --caches l1=8K/64/8/1,l2=64K/64/16/14,llc=2M/64/16/50
smile1998|--machine smile1998 --place first-touch
END
}

# ---- the sources: NAME | WHERE | COMMIT

sources() {
	cat <<'END'
Splash-3|https://github.com/SakalisC/Splash-3|e35efba59688a585275d19a16bc6f9371da978e0
NPB3.0-omp-C|https://github.com/benchmark-subsetting/NPB3.0-omp-C|5d565d916cad47bf09a2fa7432bf8e5fa95446ec
gapbs|https://github.com/sbeamer/gapbs|b5e3e19c2845f22fb338f4a4bc4b1ccee861d026
LULESH|https://github.com/LLNL/LULESH|3e01c40b3281aadb7f996525cdd4a3354f6d3801
XSBench|https://github.com/ANL-CESAR/XSBench|ba08e5221af6106252b866e50ea123c69d31a4e2
gpu-rodinia|https://github.com/yuhc/gpu-rodinia|9c10d3ea16ddba2ba057cc3951a9efc4c2cc18a4
END
}

source_get() {
	local name=$1 where=$2 commit=$3

	[ -d "$sources/$name" ] || git clone -q -n "$where" "$sources/$name" || return
	[ -n "$(ls "$sources/$name")" ] || git -C "$sources/$name" checkout -q "$commit"
}

bin=$B/programs-built/bin
mkdir -p "$bin" "$B/programs-built/input"
# build NAME: build its programs in bin, and create their input files in input; only once.
build() {
	local at=$sources/$1 app input=$B/programs-built/input
	local c="gcc -O2 -g -fopenmp -w" cxx="g++ -O2 -g -fopenmp -w"

	[ ! -e "$B/programs-built/$1.built" ] || return 0
	case $1 in
	Splash-3)
		cp -r "$at/codes" "$scratch/splash"
		for app in kernels/{cholesky,fft,radix,lu/contiguous_blocks} \
			apps/{barnes,fmm,radiosity,raytrace,volrend,water-nsquared,ocean/contiguous_partitions}; do
			make -s -C "$scratch/splash/$app" || return
			find "$scratch/splash/$app" -maxdepth 1 -type f -name '[A-Z]*[A-Z]' ! -name 'README*' \
				-exec cp {} "$bin" \;
		done
		mkdir -p "$input/inputs"
		cp "$at"/codes/kernels/cholesky/inputs/lshp.O "$at"/codes/apps/raytrace/inputs/teapot.* \
			"$at"/codes/apps/volrend/inputs/*4.den "$input/inputs"
		cp "$at/codes/apps/water-nsquared/random.in" "$input"
		sed '2s/.*/256/' "$at/codes/apps/barnes/inputs/n8k-p4" >"$input/barnes"
		cp "$at/codes/apps/fmm/inputs/input.4.256" "$input/fmm"
		sed 's/512/216/; s/ 3   6/ 2   6/' "$at/codes/apps/water-nsquared/inputs/n512-p4" >"$input/water"
		;;
	NPB3.0-omp-C)
		cp -r "$at" "$scratch/npb"
		cp "$scratch/npb/config/make.def.template" "$scratch/npb/config/make.def"
		mkdir -p "$scratch/npb/bin"
		for app in CG FT IS MG SP; do
			make -s -C "$scratch/npb" $app CLASS=S CFLAGS="-O2 -g -fopenmp -w" CLINKFLAGS=-fopenmp C_LIB=-lm || return
		done
		cp "$scratch"/npb/bin/*.S "$bin"
		;;
	gapbs)
		for app in pr bfs cc sssp tc; do
			$cxx -std=c++11 -o "$bin/gapbs-$app" "$at/src/$app.cc" || return
		done
		;;
	LULESH) $cxx -DUSE_MPI=0 -o "$bin/lulesh" "$at"/lulesh*.cc ;;
	XSBench) $c -std=gnu99 -o "$bin/XSBench" "$at"/openmp-threading/*.c -lm ;;
	gpu-rodinia)
		$c -o "$bin/kmeans" "$at"/openmp/kmeans/kmeans_openmp/*.c -lm &&
			$cxx -o "$bin/streamcluster" "$at/openmp/streamcluster/streamcluster_omp.cpp" &&
			$cxx -o "$bin/hotspot" "$at/openmp/hotspot/hotspot_openmp.cpp" &&
			$cxx -o "$bin/srad" "$at/openmp/srad/srad_v2/srad.cpp" &&
			$cxx -o "$bin/needle" "$at/openmp/nw/needle.cpp" &&
			$cxx -o "$bin/rodinia-bfs" "$at/openmp/bfs/bfs.cpp" &&
			$cxx -o "$bin/pathfinder" "$at/openmp/pathfinder/pathfinder.cpp" || return
		awk 'BEGIN { print 4096; for (i = 0; i < 4096; i++) print 4 * i, 4; print "\n0\n\n" 4 * 4096
			for (i = 0; i < 4 * 4096; i++) { n = (n * 1103 + i) % 10007; print n % 4096, 1 } }' >"$input/graph"
		awk 'BEGIN { for (i = 0; i < 512 * 512; i++) { n = (n * 7 + i) % 1000; print 320 + n / 100 } }' >"$input/temp"
		awk 'BEGIN { for (i = 0; i < 512 * 512; i++) { n = (n * 5 + i) % 997; print n / 100000 } }' >"$input/power"
		awk 'BEGIN { for (i = 0; i < 2000; i++) { printf "%d", i; for (j = 0; j < 16; j++) {
			n = (n * 1103 + i + j) % 10007; printf " %d", n } print "" } }' >"$input/points"
		;;
	esac && touch "$B/programs-built/$1.built"
}

# ---- the programs: NAME | OF | WORK | COMMAND, with < FILE for its input | does a person who knows the source agree?

programs() {
	cat <<'END'
xz|Debian|compress|xz -1 -k -c text|yes: the program has one thread, and its first touch is right
xz, 2 threads|Debian|compress|xz -1 -T2 --block-size=200000 -k -c text|yes: the main thread copies the input into the buffer of each worker (stream_encoder_mt.c)
zstd|Debian|compress with 2 threads|zstd -q -T2 -c text|yes: one job compresses the whole input
pigz|Debian|compress with 4 threads|pigz -p 4 -n -c text|yes: the program keeps its buffers in pools, and any idle thread can use a buffer
pbzip2|Debian|compress with 4 threads|pbzip2 -p4 -b1 -k -c text|yes: any idle thread can use a buffer
plzip|Debian|compress with 4 threads|plzip -n4 -B 100000 -1 -k -c text|yes: each task allocates its own memory
lbzip2|Debian|compress with 2 threads|lbzip2 -n 2 -k -c few|yes: the input is one block
bzip2|Debian|compress|bzip2 -k -c few|yes: the program has one thread
gzip|Debian|compress|gzip -n -k -c text|yes: the program has one thread
sort|Debian|200000 lines, 4 threads|sort --parallel=4 -S 20M numbers|yes, for smile1998: main reads all lines, and threads sort parts of them; the work of merging is handed out at run time
openssl|Debian|encrypt|openssl enc -aes-256-cbc -K 00 -iv 00 -in text|yes: the program has one thread
sqlite3|Debian|rows, an index, a query|sqlite3 :memory: ".read rows.sql"|yes: the program has one thread
perl|Debian|count words|perl words.pl few|yes: the program has one thread
python3|Debian|4 threads, a lock|python3 threads.py|yes: all threads share all objects, and only one thread runs at a time
gcc|Debian|compile and link|gcc -O2 -o result primes.c|yes: each of its processes has one thread
cholesky|Splash-3|lshp.O, 4 threads|CHOLESKY -p4 inputs/lshp.O|yes: each block of the matrix belongs to one thread
fft|Splash-3|65536 points, 4 threads|FFT -p4 -m16|yes: comments in fft.c say where to distribute x, trans and umain2
radix|Splash-3|524288 keys, 4 threads|RADIX -p4 -n524288|yes: comments in radix.c say where to distribute the keys and ranks
lu|Splash-3|matrix of 192, 4 threads|LU -p4 -n192|yes: comments in lu.c say where to distribute the blocks
ocean|Splash-3|grid of 66, 4 threads|OCEAN -p4 -n66|yes: each thread works on a part of each grid, but main writes the grids first
barnes|Splash-3|256 bodies, 4 threads|BARNES < barnes|yes: each thread uses its own element of the array Local
fmm|Splash-3|256 bodies, 4 threads|FMM < fmm|partly: each particle belongs to a thread, but later steps assign it to other threads, as the advice says
radiosity|Splash-3|test scene, 4 threads|RADIOSITY -p 4 -ae 50000 -en 0.5 -bf 0.5 -batch|yes: threads steal tasks from each other, and all threads read the scene
raytrace|Splash-3|teapot, 4 threads|RAYTRACE -p4 inputs/teapot.env|yes: threads steal rays from each other, and all threads read the scene
volrend|Splash-3|head, 4 threads|VOLREND 4 inputs/head-scaleddown4 2|yes: threads steal blocks of the picture from each other, and all threads read the volume
water-nsquared|Splash-3|216 molecules, 4 threads|WATER-NSQUARED < water|yes: each thread has its own molecules, but main writes them first
CG|NPB|class S|cg.S|yes: makea() writes the matrix in one thread, and the threads later divide its rows
IS|NPB|class S|is.S|yes: create_seq() writes the keys in one thread, and the threads later divide them; the advice also says that threads wait at the critical section
FT|NPB|class S|ft.S|yes: planes are divided among threads
SP|NPB|class S|sp.S|yes: the threads divide the planes, along another axis in each sweep
MG|NPB|class S|mg.S|yes: each thread works on some planes of the grids
page rank|gapbs|16384 vertices|gapbs-pr -g 14 -n 1 -i 8|yes: the builder divides the vertices among threads, but later all vertices are one chunk of the dynamic loop, so one thread processes them all
bfs|gapbs|4096 vertices|gapbs-bfs -g 12 -n 2|yes: the builder divides the edges among threads; in the search all threads share them
cc|gapbs|4096 vertices|gapbs-cc -g 12 -n 1|yes: the builder divides the edges among threads; in the search all threads share them
sssp|gapbs|2048 vertices|gapbs-sssp -g 11 -n 1|yes: the builder divides the edges among threads; in the search all threads share them
tc|gapbs|1024 vertices|gapbs-tc -g 10 -n 1|yes: the builder divides the edges among threads
LULESH|LULESH|10 cubed, 4 steps|lulesh -s 10 -i 4|yes: one thread allocates the domain, and the threads divide its elements and nodes
XSBench|XSBench|100 particles, 4 threads|XSBench -t 4 -s small -G unionized -g 500 -p 100 -l 34|yes: each thread looks up random points in the whole grid
kmeans|Rodinia|2000 points, 4 threads|kmeans -n 4 -i points|yes: main reads the points, and threads divide them
streamcluster|Rodinia|512 points, 4 threads|streamcluster 5 10 16 512 512 50 none result 4|yes: main reads the points, and threads divide them
hotspot|Rodinia|grid of 512, 4 threads|hotspot 512 512 4 4 temp power result|yes: main reads the grid, and threads divide its rows
srad|Rodinia|image of 512, 4 threads|srad 512 512 0 31 0 31 4 0.5 4|yes: main writes the image, and threads divide its rows
bfs, Rodinia|Rodinia|4096 vertices, 4 threads|rodinia-bfs 4 graph|yes: the threads divide the vertices, but each thread also accesses the neighbours of its vertices
pathfinder|Rodinia|20 rows of 2000|pathfinder 2000 20|yes: the array wall has a pointer to each row, and all threads read it
needle|Rodinia|1024 letters, 4 threads|needle 1024 10 4|yes: the blocks on a diagonal, which different threads process, share pages
END
}

# ---- the runs

# measure NAME MACHINE OPTIONS COMMAND: a run and its advice, verified if there is something to do. Leaves the documents.
measure() {
	local name=$1 machine=$2 options=$3 command=$4 place=$results/$1/${2%/*} stdin=/dev/null status

	[ ! -e "$place/advice.json" ] || return 0
	rm -rf "$place"
	mkdir -p "$results/$name"
	cp -r "$input" "$place"
	[[ $command != *"<"* ]] || stdin=$place/${command##*< }
	command=${command%%<*}
	# shellcheck disable=SC2016
	eval "set -- $(sed 's/\$/\\$/g' <<<"$command")"
	# shellcheck disable=SC2086
	(cd "$place" && PATH=$bin:$PATH exec timeout -k 10 $limit "$smile" run -q $options --json run.json -o rec -- "$@" \
		<"$stdin" >out 2>err) || :
	gojq -e .account "$place/run.json" >"$place/error" 2>&1 || {
		not_ok "$name, $machine: is traced" "$(tail -n 5 "$place/err")"
		return 1
	}
	(cd "$place" && PATH=$bin:$PATH exec timeout -k 10 $limit "$smile" advise --json -o placement rec-node*.rec >plain.json 2>>err)
	if [ "$(gojq .to_move "$place/plain.json")" = 0 ]; then
		cp "$place/plain.json" "$place/advice.json"
	else
		(cd "$place" && PATH=$bin:$PATH exec timeout -k 10 $limit "$smile" advise --json --verify rec-node*.rec \
			>verified.json 2>>err)
		status=$?
		[ $status -le 1 ] || {
			not_ok "$name, $machine: is verified" "$(tail -n 5 "$place/err")"
			return 1
		}
		mv "$place/verified.json" "$place/advice.json"
	fi
	find "$place" -mindepth 1 ! -name '*.json' ! -name err ! -name placement -delete
}

# cell FILE: print the predicted gain (with its range) and the verified gain; "-" if there is
# nothing to do.
cell() {
	gojq -r 'def r: . * 100 | round / 100;
		.time as $t | if .to_move == 0 then "-" else
		"\($t.cycles / $t.predicted_cycles | r)" +
		(if $t.predicted_cycles_at_most > 1.1 * $t.predicted_cycles_at_least then
			" (\($t.cycles / $t.predicted_cycles_at_most | r) to \($t.cycles / $t.predicted_cycles_at_least | r))"
		 else "" end) + ", \($t.cycles / .verified.cycles | r)" end' "$1"
}

# Check that the verified run is not slower than the recorded run, within 2 %, and that its time is
# in the predicted range, widened by 10 %.
judge() {
	equal "$1, $2: it is not slower, and measured in the range that was predicted" "true true" "$(gojq -r '.time as $t |
		if .to_move == 0 then "true true" else .verified |
		"\(.cycles <= 1.02 * $t.cycles) \(.cycles >= 0.9 * $t.predicted_cycles_at_least and
			.cycles <= 1.1 * $t.predicted_cycles_at_most)" end' "$3")"
}

# words FILE: print the first sentence that recommends a change of the source.
words() {
	gojq -r '[.data[] | select(.action != null)][0] // null | if . == null then "nothing to do" else
		"\(.name | gsub("\\|"; "/")): \(.layout); \(.action)" end' "$1"
}

have=
while IFS='|' read -r name where commit; do
	if source_get "$name" "$where" "$commit" && build "$name" >"$scratch/build.log" 2>&1; then
		have="$have $name"
	else
		skip "$name is not there, or not built: $(tail -n 1 "$scratch/build.log")"
	fi
done < <(sources)
echo "built:$have"
cp -r "$B/programs-built/input/." "$input"

while IFS='|' read -r machine options; do
	[[ $machine =~ ${MACHINES:-.} ]] || continue
	while IFS='|' read -r name of work command agrees; do
		[[ $name =~ ${PROGRAMS:-.} ]] || continue
		if ! PATH=$bin:$PATH command -v "${command%% *}" >/dev/null; then
			skip "$name is not there"
			continue
		fi
		measure "$name" "$machine" "$options" "$command" && judge "$name" "$machine" "$results/$name/${machine%/*}/advice.json"
	done < <(programs)
done < <(machines)

# ---- the tables

{
	echo "| program | source | work |$(machines | sed 's/|.*/ |/' | tr -d '\n' | sed 's/|/| /g; s/^/ /')" | sed 's/ *$//'
	machines | sed 's/.*/---|/' | tr -d '\n' | sed 's/^/|---|---|---|/'
	echo
	while IFS='|' read -r name of work command agrees; do
		[ -d "$results/$name" ] || continue
		row="| $name | $of | $work |"
		while IFS='|' read -r machine options; do
			file=$results/$name/${machine%/*}/advice.json
			row="$row $([ -e "$file" ] && cell "$file") |"
		done < <(machines)
		echo "$row"
	done < <(programs)
	echo
	echo '| program | where | the advice | agrees |'
	echo '|---|---|---|---|'
	while IFS='|' read -r name of work command agrees; do
		while IFS='|' read -r machine options; do
			file=$results/$name/${machine%/*}/advice.json
			[ -e "$file" ] || continue
			said=$(words "$file")
			[ "$said" = "nothing to do" ] || break
			machine=
		done < <(machines)
		[ -d "$results/$name" ] && echo "| $name | ${machine:-all} | $said | $agrees |"
	done < <(programs)
} >"$B/advice.md"
cat "$B/advice.md"
suite_end
