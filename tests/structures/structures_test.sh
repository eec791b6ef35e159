#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of data structure and location: a program of known layout prints addresses with their names; each address must
# have this name, however the program was built. A message reports memory whose name cannot be found.
#
# usage: STRUCTURES_PROGRAMS=DIRECTORY tests/structures/structures_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
sources=$STRUCTURES_PROGRAMS
needs qemu-x86_64 g++ gfortran

# line FILE MARK: the number of the line with this comment.
line() {
	grep -n "$2" "$sources/$1" | cut -d: -f1
}
lines="-DFIRST_LINE=$(line layout.c '/\* first \*/') -DSECOND_LINE=$(line layout.c '/\* second \*/')"

# layout NAME FLAGS...: builds layout.c and its library with these flags in their own directory, and runs the program.
layout() {
	name=$1
	shift
	mkdir "$name" || return
	# shellcheck disable=SC2086
	gcc "$@" -shared -fPIC -o "$name/liblayout.so" "$sources/library.c" 2>err &&
		gcc "$@" $lines -o "$name/layout" "$sources/layout.c" -L"$name" -llayout \
			-Wl,-rpath,"$PWD/$name" -lpthread 2>>err || not_ok "$name: builds" "$(cat err)"
}

# trace NAME PROGRAM: runs the program; its output is in NAME.txt, its recordings are NAME-node*.rec.
trace() {
	OMP_NUM_THREADS=4 timeout -k 10 300 "$smile" run -q -o "$1" -- "$2" >"$1.txt" 2>err
	equal "$1: runs" 0 $?
	if [ "$(wc -l <"$1.txt")" -ge 5 ]; then ok "$1: prints its layout"; else
		not_ok "$1: prints its layout" "$(cat "$1.txt")"; fi
}

# located NAME ADDRESS: the name of the place at this address.
located() {
	"$smile" report structures --json --address "$2" "$1"-node?.rec 2>err | gojq -r .place.name
}

# names NAME [SED]: each line of NAME.txt, after changes by SED, must be the name found in the recordings.
names() {
	sed "${2:-}" "$1.txt" >"$1.wanted"
	[ -s "$1.wanted" ] || not_ok "$1: something has a name"
	while read -r text; do
		wanted=${text% *}
		equal "$1: $wanted" "$wanted" "$(located "$1" "${text##* }")"
	done <"$1.wanted"
}

# structures NAME FILTER: applies a filter of gojq to the table.
structures() {
	"$smile" report structures --json "$1"-node?.rec 2>err | gojq -r "$2"
}

# noted NAME PATTERN: the table must report why something has no name.
noted() {
	"$smile" report structures "$1"-node?.rec >out 2>err
	says "$1: reported '$2'" "$2" err
}

# --- C, with debug information: position-independent and not
layout pie -g -O1 -fPIE -pie
layout fixed -g -O1 -fno-pie -no-pie
layout o3 -g -O3
layout dwarf4 -g -gdwarf-4 -O0
for name in pie fixed o3 dwarf4; do
	trace $name $name/layout
	names $name
done
equal "every access counts once" true "$("$smile" report pages --json pie-node?.rec |
	gojq '[.pages[].accesses[]] | add' >pages.sum
	structures pie "([.structures[].accesses[]] | add) + .straddling == $(cat pages.sum)")"
equal "matrix: accesses by node, all pages" "98304 24576,24576,24576,24576 global double [256][64]" \
	"$(structures pie '.structures[] | select(.name == "matrix") |
		"\(.accesses | add) \(.accesses | map(tostring) | join(",")) \(.kind) \(.type)"')"
equal "first: read and written by all but its home" "6000 3000 3000 24000 heap" \
	"$(structures pie '.structures[] | select(.name | test("make_first")) |
		"\(.accesses | add) \(.reads | add) \(.writes | add) \(.bytes) \(.kind)"')"
equal "second: fifty blocks" 50 \
	"$(structures pie '.structures[] | select(.name | test("make_second")) | .blocks')"
equal "a library's variable in the program has its type" "struct shared_item [500]" \
	"$(structures pie '.structures[] | select(.name == "shared_items") | .type')"
exits "one variable" 0 report structures --variable matrix pie-node?.rec
says "one variable: its rows" '^matrix\[16\]\[0\] - matrix\[31\]\[63\]  *8,192 ' out
says "one variable: its pages" '^[0-9][0-9]*  matrix' out
"$smile" report structures --json --variable matrix pie-node?.rec >out 2>err
equal "one variable: its parts are all of it" "98304 98304" "$(gojq -r \
	'"\([.parts[].accesses[]] | add) \([.page_parts[].accesses[]] | add)"' out)"
refuses "a variable that is not there" "no variable is called 'nix'" \
	report structures --variable nix pie-node0.rec
refuses "an address where nothing is" "no variable is known at address 0x10" \
	report structures --address 0x10 pie-node0.rec
equal "filters" "matrix" "$(
	"$smile" report structures --json --match 'mat*' pie-node?.rec 2>err |
		gojq -r '.structures[].name')"
equal "least accesses" "true" "$(
	"$smile" report structures --json --min-accesses 1000 pie-node?.rec 2>err |
		gojq '(.structures | length) >= 2 and all(.structures[]; (.accesses | add) >= 1000)')"
json "a table as JSON" 0 smile.structures/1 report structures pie-node0.rec --json

# --- static counters of variables, in a run whose addresses are those of the previous recording
# counted NODE N: the count of static counter N of this node's card.
counted() {
	"$smile" report static --json "again-node$1.rec" | gojq -r ".counters[$2].total"
}
timeout -k 10 300 "$smile" run -q -o again --static 'variable=matrix[7],map=fixed-node0.rec' \
	--static 'variable=matrix[7][60-63],types=write' --static 'variable=particles[12].pos' \
	--static 'variable=layout.c:'"$(line layout.c '/\* first \*/')"' (make_first)' --static-only \
	-- fixed/layout >out 2>err
equal "--static variable: runs" 0 $?
places=$("$smile" report static --json again-node0.rec | gojq -r '.counters[].counts | "\(.node) \(.address) \(.length_bytes)"')
matrix=$(sed -n 's/^matrix\[0\]\[0\] //p' fixed.txt)
equal "--static variable: a row of 64 doubles" "$((matrix + 7 * 512)) 512" "$(echo "$places" | sed -n '1s/^[0-9]* //p')"
equal "--static variable: a range of items" "$((matrix + 7 * 512 + 60 * 8)) 32" "$(echo "$places" | sed -n '2s/^[0-9]* //p')"
equal "--static variable: a member" "$(sed -n 's/^particles\[12\].pos.x //p' fixed.txt | xargs printf '%d') 24" \
	"$(echo "$places" | sed -n '3s/^[0-9]* //p')"
equal "--static variable: all of a heap block, page by page" "24000" \
	"$(echo "$places" | sed 1,3d | awk '{ bytes += $3; if (int($2 / 4096) != int(($2 + $3 - 1) / 4096)) print } END { print bytes }')"
# The home's card must count what the dynamic counters of the other run counted: 98304 accesses to 256 rows.
equal "--static variable: every access by the other nodes" 384 "$(counted "$(echo "$places" | sed -n '1s/ .*//p')" 0)"
equal "--static variable: a heap block's pages have as many as its structure" \
	"$(structures fixed '[.structures[] | select(.name | test("make_first")) | .accesses | add] | add')" \
	"$(i=3; echo "$places" | sed 1,3d | while read -r node _; do counted "$node" "$i"; i=$((i + 1)); done | awk '{ all += $1 } END { print all }')"
static_refuses() {
	refuses "--static variable=$1" "$2" run -q -o no --static "variable=$1${3-,map=fixed-node0.rec}" -- fixed/layout
}
static_refuses matrix "lies on 33 pages and needs as many counters, of which 16 of 16 are free: count a part"
static_refuses 'matrix[0-3][1]' "only the last index can be a range"
static_refuses 'matrix[256]' "the index 256 is out of range: use 0 to 255"
static_refuses 'matrix[9-300]' "the index 300 is out of range"
static_refuses 'matrix[1' "a \] is missing"
static_refuses 'matrix[x]' "an index is a whole number"
static_refuses 'matrix.x' "an element of this array is NAME\[I\]"
static_refuses 'particles[1].nix' "has no member 'nix'"
static_refuses 'particles[1].mass.x' "has no named parts"
static_refuses nix "no variable is called 'nix'"
static_refuses counter "give map=RECORDING" ""
static_refuses counter "not-there.rec" ",map=not-there.rec"
static_refuses counter "leave out page, address and bytes" ",map=fixed-node0.rec,page=1"
static_refuses 'matrix[7]' "link the program with -no-pie" ",map=pie-node0.rec"
refuses "--static map without a variable" "give variable, too" run -q -o no --static page=1,map=x -- fixed/layout
timeout -k 10 300 "$smile" run -q -o narrow --node-ids narrow --static 'variable=matrix[7],map=pie-node0.rec' \
	-- pie/layout >out 2>err
equal "--static variable: narrow addresses" "$(($(sed -n 's/^matrix\[0\]\[0\] //p' pie.txt) % (1 << 28) + 7 * 512))" \
	"$("$smile" report static --json narrow-node0.rec | gojq '.counters[0].counts.address')"

# --- the types in the document of smile view
"$smile" view --json pie-node?.rec >view.json 2>err
equal "view: dimensions of an array" "[[0,256],[0,64]] 8 double" "$(gojq -r '.types as $t |
	(.variables[] | select(.name == "matrix") | $t[.shape]) |
	"\(.dimensions | tojson) \(.item_bytes) \($t[.item].name)"' view.json)"
equal "view: members of a struct, of a struct in it, and none of a union" \
	'pos:0:24 mass:24:4 tag:28:8 old:40:72 / x:0:8 y:8:8 z:16:8 / []' "$(gojq -r '.types as $t |
	(.variables[] | select(.name == "particles") | $t[$t[.shape].item].members) as $m |
	def reported: map("\(.[0]):\(.[1]):\(.[2])") | join(" ");
	"\($m | reported) / \($t[$m[0][3]].members | reported) / \($t[$m[2][3]].members | tojson)"' view.json)"
equal "view: blocks of the heap by their numbers" true "$(gojq '[.variables[] |
	select(.name | test("make_second")) | .pieces[] | .[2]] | length > 0 and . == sort and .[0] == 0' view.json)"
equal "view: accesses of a variable by node are those of the table" true "$(
	"$smile" report structures --json pie-node?.rec 2>err | gojq --slurpfile v view.json '
	(.structures[] | select(.name == "matrix") | .accesses | add) ==
	($v[0].variables[] | select(.name == "matrix") | .accesses)')"

# --- 200,000 small blocks: too many to be reported individually, and none gets a wrong name
gcc -g -O0 -o many "$sources/many.c" -lpthread 2>err || not_ok "many: builds" "$(cat err)"
timeout -k 10 300 "$smile" run -q -o many -- ./many >out 2>err
equal "many: runs" 0 $?
"$smile" report structures --json many-node?.rec 2>err >table
equal "many: the small blocks are called after both places" "true" "$(gojq \
	'[.structures[] | select(.kind == "several" and (.name | test("make_node")) and
		(.name | test("make_text"))) | .accesses | add] | add > 300000' table)"
equal "many: the large one after its own" "160000 120000" "$(gojq -r \
	'.structures[] | select(.bytes == 160000) | "\(.bytes) \(.accesses | add)"' table)"
equal "many: almost nothing has no name" "true" "$(gojq \
	'([.structures[] | select(.name == "heap" or .name == "") | .accesses | add] | add // 0) < 3000' table)"
if [ "$(stat -c %s many-node0.rec)" -lt 40000000 ]; then ok "many: bounded"; else
	not_ok "many: bounded"; fi

# --- C: qualifiers of arrays, of their items, of pointers. The compiler determines their order, and typedefs.
gcc -g -O1 -o qualified "$sources/qualified.c" -lpthread 2>err || not_ok "qualified: builds" "$(cat err)"
exits "qualified: runs" 0 run -q -o qualified -- ./qualified
"$smile" report structures --json qualified-node?.rec 2>err |
	gojq -r '.structures[] | select(.kind == "global") | "\(.name): \(.type)"' |
	sed 's/volatile const/const volatile/; s/item_t/const volatile int/' >types
while read -r type; do
	equal "qualified: $type" "$type" "$(grep "^${type%%:*}:" types)"
done <<'END'
both: const volatile int [512]
shaky: volatile int [512]
counted: _Atomic volatile int [512]
plane: const volatile double [32][32]
rows: const volatile int [32][16]
shaky_rows: const volatile int [32][16]
items: const volatile int [512]
links: int *const volatile [512]
reads: const int *volatile [512]
far: const int *const *const volatile [512]
one: const volatile int
link: int *const
END

# --- C++ and Fortran
g++ -g -O1 -o scopes "$sources/scopes.cpp" -lpthread 2>err || not_ok "scopes: builds"
trace scopes ./scopes
names scopes
equal "a vector's memory belongs to the vector's allocation site" 24000 "$(structures scopes \
	".structures[] | select(.name | test(\"scopes.cpp:.*main\")) | .bytes" | sort -n | tail -n 1 |
	awk '{ print $1 - $1 % 1000 }')"
gfortran -g -O1 -fopenmp -o modules "$sources/modules.f90" 2>err || not_ok "modules: builds"
trace modules ./modules
names modules
equal "Fortran: bounds in the type" "real(kind=8) (40,0:130)" \
	"$(structures modules '.structures[] | select(.name == "fields::a") | .type')"
# Fortran's first index is the fastest: a row of its first index is contiguous.
for item in '(17,130) 0 8' '(17-20,130) 0 32' '(1-40,130) -128 320'; do
	set -- $item
	"$smile" replay small.pcap --node-ids narrow -o static.rec \
		--static "variable=fields::a$1,map=modules-node0.rec" >out 2>err
	equal "Fortran: --static variable=a$1" \
		"$((($(sed -n 's/^fields::a(17,130) //p' modules.txt) + $2) % (1 << 28))) $3" \
		"$("$smile" report static --json static.rec | gojq -r '.counters[0].counts | "\(.address) \(.length_bytes)"')"
done
fortran_refuses() {
	refuses "Fortran: --static variable=$1" "$2" replay small.pcap --node-ids narrow -o no.rec \
		--static "variable=$1,map=modules-node0.rec"
}
fortran_refuses 'a(17)' "give all indices"
fortran_refuses 'a(0,0)' "the index 0 is out of range: use 1 to 40"
fortran_refuses 'a(1,2-3)' "only the first index can be a range"
fortran_refuses 'a(1,2x)' "a ) is missing"
fortran_refuses 'a[1]' "an element of this array is NAME(I,"
equal "Fortran: its bounds, its order" "[[1,40],[0,131]] true" "$("$smile" view --json modules-node?.rec 2>err |
	gojq -r '.types as $t | .variables[] | select(.name == "fields::a") | $t[.shape] |
	"\(.dimensions | tojson) \(.fortran)"')"

# --- without debug information: only names; stripped: only the names that other objects can use
layout bare -O1 -g0
trace bare bare/layout
names bare 's/matrix\[0\]\[0\]/matrix/; s/matrix\[130\]\[17\]/matrix+66696/
	s/matrix\[255\]\[63\]/matrix+131064/; /matrix/!d'
noted bare "has no debug information"
layout stripped -O1 -g
trace first stripped/layout
rm -f first-node?.rec
strip stripped/layout stripped/liblayout.so
trace stripped stripped/layout
noted stripped "was stripped"
for name in bare stripped; do
	"$smile" report structures --json $name-node?.rec 2>err >table
	equal "$name: what the library exports has its name" shared_items \
		"$(gojq -r '.structures[] | select(.name == "shared_items") | .name' table)"
	equal "$name: no type is reported" true "$(gojq 'all(.structures[]; .type == "")' table)"
done
equal "stripped: what has no name is reported by its place" true "$(gojq \
	'any(.structures[]; .name == "layout" and .kind == "anonymous" and (.accesses | add) > 90000)' table)"

# --- a separate debug file, found by its link
layout apart -O1 -g
objcopy --only-keep-debug apart/layout apart/layout.debug
strip apart/layout
objcopy --add-gnu-debuglink=apart/layout.debug apart/layout
trace apart apart/layout
equal "a separate debug file" "matrix[130][17]" \
	"$(located apart "$(sed -n 's/^matrix\[130\]\[17\] //p' apart.txt)")"
mv apart/layout.debug apart/elsewhere
noted apart "was stripped"
# The C library's debug information is not read: its allocations are named after the program's line.
mkdir libc
gcc -g -O1 -shared -fPIC -o libc/libc.so.7 -Wl,-soname,libc.so.7 -x c - 2>err <<'END' || not_ok "libc: builds" "$(cat err)"
#include <stdlib.h>
long *take(void)
{
	long *block = calloc(5000, sizeof(*block));

	block[1] = 1;
	return block;
}
END
objcopy --only-keep-debug libc/libc.so.7 libc/libc.so.7.debug
strip libc/libc.so.7
objcopy --add-gnu-debuglink=libc/libc.so.7.debug libc/libc.so.7
gcc -g -O1 -o libc/takes -x c - -Llibc -l:libc.so.7 -Wl,-rpath,"$PWD/libc" 2>err <<'END' ||
long *take(void);
int main(void)
{
	long *block = take();

	for (int i = 0; i < 5000; i++)
		block[i] = i;
	return 0;
}
END
	not_ok "libc: its program builds" "$(cat err)"
exits "libc: runs" 0 run -q -o libc -- libc/takes
equal "libc: what it allocates is called after the line that wanted it" "<stdin>:4 (main)" \
	"$(structures libc '.structures[] | select(.bytes == 40000) | .name')"

# --- stacks, if they count: the variables of functions on the threads' stacks
# stacked NAME [PROGRAM]: runs it on six nodes, with a thread on each and all memory on the first.
stacked() {
	timeout -k 10 300 "$smile" run -q --stacks --nodes 6 --place single -o "$1" -- "${2:-./$1}" \
		>"$1.txt" 2>err
	equal "$1: runs" 0 $?
}
for level in 0 2; do
	gcc -g -O$level -o frames$level "$sources/frames.c" -lpthread 2>err ||
		not_ok "frames$level: builds" "$(cat err)"
	stacked frames$level
	names frames$level '/ or /d'
	"$smile" report structures --json frames$level-node?.rec 2>err >table
	equal "frames$level: an array of main's, which others write" \
		"0,32768,32768,32768,0,0 98304 stack double [256][64]" "$(gojq -r '.structures[] |
		select(.name == "main::matrix") | "\(.accesses | map(tostring) | join(",")) \(
		(.reads | add) + (.writes | add)) \(.kind) \(.type)"' table)"
	equal "frames$level: arrays of each thread's own" "512 512 512 512" "$(gojq -r \
		'[.structures[] | select(.name | test("thread [123]::work::own|quiet::unseen")) |
		.accesses | add | tostring] | join(" ")' table)"
	equal "frames$level: what is left of a stack is its thread's" true "$(gojq \
		'any(.structures[]; .name == "stack of thread 1" and .kind == "anonymous")' table)"
done
equal "frames: one thread after another accesses the same members" "0,200,200,200,0,0" "$("$smile" \
	report structures --json frames0-node?.rec 2>err | gojq -r '.structures[] |
	select(.name == "main::particles") | .accesses | map(tostring) | join(",")')"
equal "frames: every access counts once" true "$("$smile" report pages --json frames0-node?.rec |
	gojq '[.pages[].accesses[]] | add' >pages.sum
	structures frames0 "([.structures[].accesses[]] | add) + .straddling == $(cat pages.sum)")"
case $(located frames0 "$(sed -n 's/^early::buffer or late::cells //p' frames0.txt)") in
"early::buffer or late::cells+0x"*) ok "frames: memory that was used again" ;;
*) not_ok "frames: memory that was used again" \
	"$(located frames0 "$(sed -n 's/^early::buffer or late::cells //p' frames0.txt)")" ;;
esac
exits "frames: and back from the name" 0 report structures --variable main::matrix frames0-node?.rec
says "frames: rows of it" '^main::matrix\[16\]\[0\] - main::matrix\[31\]\[63\]  .* 6,144 ' out
exits "frames: and of one thread's" 0 report structures --variable 'thread 2::work::own' \
	frames0-node?.rec
refuses "frames: of several threads one must be chosen" "3 variables are called 'work::own'" \
	report structures --variable work::own frames0-node?.rec
"$smile" view --json frames0-node?.rec >view.json 2>err
equal "frames: the page is reported dimensions and addresses" "stack [[0,256],[0,64]] true" "$(gojq -r \
	--argjson start "$(printf %d "$(sed -n 's/^main::matrix\[0\]\[0\] //p' frames0.txt)")" \
	'.types as $t | .variables[] | select(.name == "main::matrix") |
	"\(.kind) \($t[.shape].dimensions | tojson) \(.start == $start)"' view.json)"

# The counts are the same with and without names: without frames, only the stack has a name.
gcc -g0 -O0 -o frames_bare "$sources/frames.c" -lpthread 2>err || not_ok "frames_bare: builds"
stacked frames_bare
"$smile" report structures --json frames_bare-node?.rec 2>err >table
equal "frames_bare: what functions' frames had" true "$(gojq \
	'any(.structures[]; .name == "main'"'"'s frame" and .type == "" and (.accesses | add) > 98304)' table)"
noted frames_bare "has no debug information"
cp frames0 frames_stripped
strip frames_stripped
stacked frames_stripped
noted frames_stripped "was stripped"
equal "frames_stripped: no type is reported" true "$("$smile" report structures --json \
	frames_stripped-node?.rec 2>err | gojq 'all(.structures[]; .type == "")')"

# C++, with a method's array in threads that the library makes; Fortran, with OpenMP.
g++ -g -O1 -o frames_cxx "$sources/frames.cpp" -lpthread 2>err || not_ok "frames_cxx: builds" "$(cat err)"
stacked frames_cxx
names frames_cxx
g++ -O1 -o frames_linked "$sources/frames.cpp" -lpthread 2>err || not_ok "frames_linked: builds" "$(cat err)"
stacked frames_linked
equal "C++ without debug information: a block is called after the function that the source names" true "$(structures frames_linked \
	'any(.structures[]; .name | startswith("frames_linked (sim::model::step)"))')"
gfortran -g -O1 -fopenmp -o frames_fortran "$sources/frames.f90" 2>err || not_ok "frames_fortran: builds"
OMP_NUM_THREADS=4 stacked frames_fortran
names frames_fortran
# Frames of library functions have used a part of the array's memory before or after the array. This part has the names
# of both.
equal "Fortran: an array of a procedure's, 33, 33 and 32 columns of it by threads of OpenMP" \
	"1320,1320,1280" "$(structures frames_fortran '[.structures[] |
	select(.name | test("^solver::solve::a( or |$)")) | .accesses[1:4]] | transpose |
	map(add | tostring) | join(",")')"
# Through a library whose first segment contains all but the data, as gold and older linkers make it: the loader
# maps the whole library as executable, and then its data over the end.
for code in noseparate-code separate-code; do
	mkdir "through_$code"
	gcc -O2 -shared -fPIC -DTHROUGH_LIBRARY "-Wl,-z,$code" -o "through_$code/libthrough.so" \
		"$sources/through.c" -lpthread 2>err &&
		gcc -g -O1 -o "through_$code/through" "$sources/through.c" -L"through_$code" -lthrough \
			-Wl,-rpath,"$PWD/through_$code" 2>>err || not_ok "through_$code: builds" "$(cat err)"
	stacked "through_$code" "through_$code/through"
	names "through_$code"
done
# Without the option, a recording contains no frames.
timeout -k 10 300 "$smile" run -q --nodes 6 -o asked_not -- ./frames0 >out 2>err
equal "frames: only if asked for" "0" "$("$smile" report structures --json asked_not-node?.rec 2>err |
	gojq '[.structures[] | select(.kind == "stack" or (.name | test("stack")))] | length')"

# --- files that have changed since the run
address=$(sed -n 's/^matrix\[130\]\[17\] //p' pie.txt)
cp pie/layout kept
gcc -g -O2 -o pie/layout "$sources/library.c" -shared -fPIC
noted pie "was rebuilt after the recording"
case $(located pie "$address") in
layout+0x*) ok "a file of another build names nothing" ;;
*) not_ok "a file of another build names nothing" "$(located pie "$address")" ;;
esac
echo "no program" >pie/layout
noted pie "is no ELF file"
rm pie/layout
noted pie "cannot be read"
mkfifo pie/layout
noted pie "is no ELF file"
rm pie/layout
cp kept pie/layout
equal "and the right one again" "matrix[130][17]" "$(located pie "$address")"

# --- damaged files must never cause a crash. The build id is kept, so that the file is taken for the one that ran.
size=$(stat -c %s kept)
seed=1 crashes=0 runs=0
for section in .debug_info .debug_abbrev .debug_line .debug_str .symtab; do
	at=$(readelf -SW kept | awk -v name=$section '{ sub(/^ *\[ *[0-9]+\] */, "") }
		$1 == name { print $4, $5 }')
	[ -n "$at" ] || { not_ok "there is a section $section"; continue; }
	offset=$((0x${at% *})) bytes=$((0x${at#* }))
	for try in 1 2 3 4 5 6; do
		cp kept pie/layout
		for change in 1 2 3 4 5 6 7 8; do
			seed=$(((seed * 1103515245 + 12345) % 2147483648))
			printf "\\$(printf %o $((seed / 65536 % 256)))" | dd of=pie/layout bs=1 conv=notrunc \
				seek=$((offset + seed % bytes)) 2>/dev/null
		done
		timeout -k 10 300 "$smile" report structures pie-node0.rec >out 2>err
		status=$?
		runs=$((runs + 1))
		if [ $status -ne 0 ] || ! [ -s out ]; then
			crashes=$((crashes + 1))
			echo "  $section, try $try: status $status" >&2
		fi
	done
done
equal "damaged debug information: $runs files, all survived" "30 0" "$runs $crashes"
for part in 3 7 9; do
	head -c $((size * part / 10)) kept >pie/layout
	timeout -k 10 300 "$smile" report structures pie-node0.rec >out 2>err
	equal "a file cut off after $part tenths" 0 $?
done
cp kept pie/layout

suite_end
