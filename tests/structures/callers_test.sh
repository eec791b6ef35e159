#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of the names of heap blocks: a block is named after the line of the program that requested the memory, whatever
# function allocated it for that line, and however the program was built. If names cannot be read from a program, a
# message reports the reason, with the remedy.
#
# usage: STRUCTURES_PROGRAMS=DIRECTORY tests/structures/callers_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
sources=$STRUCTURES_PROGRAMS
needs qemu-x86_64 gcc g++ gfortran objcopy

# wanted FILE: the marked lines of FILE, as FILE:LINE.
wanted() {
	grep -nE '(/\*|!) [a-z_]+( \*/)?$' "$sources/$1" | sed "s/\([0-9]*\):.*/$1:\1/"
}

# called NAME PROGRAM FILE: runs the program; each marked line of FILE must have a block, and no other line may have a
# block of the same size.
called() {
	OMP_NUM_THREADS=4 timeout -k 10 300 "$smile" run -q -o "$1" -- "$2" >out 2>err
	equal "$1: runs" 0 $?
	"$smile" report structures --json "$1"-node?.rec 2>"$1.notes" >"$1.table"
	equal "$1: is reported" 0 $?
	wanted "$3" | sort >"$1.wanted"
	[ -s "$1.wanted" ] || not_ok "$1: lines are marked"
	gojq -r '.structures[] | select(.kind == "heap" and .bytes >= 9000) | .name' "$1.table" |
		grep -o '^[^ ]*' | sort -u >"$1.found"
	if cmp -s "$1.wanted" "$1.found"; then ok "$1: blocks are called after what wanted them"; else
		not_ok "$1: blocks are called after what wanted them" "$(diff "$1.wanted" "$1.found")"; fi
}

# built NAME COMMAND...: builds with a compiler that may be missing.
built() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null || ! "$@" -o "$name" >err 2>&1; then
		skip "$name: $1 is not there, or cannot build it"
		return 1
	fi
}

# c NAME COMMAND...: builds and checks wrappers.c.
c() {
	built "$@" "$sources/wrappers.c" -lpthread && called "$1" "./$1" wrappers.c
}
c gcc gcc -g -O0
c gcc4 gcc -g -gdwarf-4 -O1
c gccz gcc -g -gz=zlib -O0
c split gcc -g -gsplit-dwarf -O0
c split4 gcc -g -gdwarf-4 -gsplit-dwarf -O0
c clang clang -g -O0
c clang4 clang -g -gdwarf-4 -O0
c clangsplit clang -g -gsplit-dwarf -O0
c lto gcc -g -O1 -flto
c lld clang -g -O0 -fuse-ld=lld
if command -v dwz >/dev/null; then
	cp gcc packed
	cp gcc other
	dwz packed && dwz -m shared.debug other gcc
	called packed ./packed wrappers.c
	called packed_together ./gcc wrappers.c
	mv shared.debug elsewhere
	exits "packed together: its file is gone" 0 report structures packed_together-node0.rec
	says "packed together: the note names the file" 'shared.debug, which cannot be read' err
else
	skip "dwz is not there: two programs"
fi

for level in 0 2; do
	built "containers$level" g++ -std=c++17 -g -O$level "$sources/containers.cpp" -lpthread &&
		called "containers$level" "./containers$level" containers.cpp
	built "fortran$level" gfortran -g -fopenmp -O$level "$sources/allocates.f90" &&
		called "fortran$level" "./fortran$level" allocates.f90
	built "rust$level" rustc -g -C "opt-level=$level" "$sources/vectors.rs" &&
		called "rust$level" "./rust$level" vectors.rs
done
# Functions have their names in the source: an outlined one has that of its function, without long template arguments.
if built outlined g++ -std=c++17 -fopenmp -g -O1 "$sources/containers.cpp" -lpthread; then
	called outlined ./outlined containers.cpp
	gojq -r '.structures[] | select(.kind == "heap" and .bytes >= 9000) | .name' outlined.table >names
	equal "functions are called as in the source" "1 0" "$(grep -c ' (maker<\.\.\.>::fill)$' names) $(
		grep -c -e _omp_fn -e '(_Z' names)"
fi
built own_new g++ -std=c++17 -DOWN -g -O1 "$sources/containers.cpp" -lpthread &&
	called own_new ./own_new containers.cpp

# --- several calls on one line are several structures with different names
# named NAME: runs the program; NAME.found has its blocks by size, with their names.
named() {
	exits "$1: runs" 0 run -q -o "$1" -- "./$1"
	"$smile" report structures --json "$1"-node?.rec 2>err | gojq -r '[.structures[] |
		select(.kind == "heap" and .bytes >= 60000)] | sort_by(.bytes)[] |
		"\(.bytes) \(.name)"' >"$1.found"
}
line() {
	grep -n "$2" "$sources/$1" | cut -d: -f1
}
for level in 0 2; do
	built "one_line$level" g++ -std=c++17 -g -O$level "$sources/one_line.cpp" || continue
	resize=$(line one_line.cpp y.resize) two=$(line one_line.cpp '3 \* COUNT') loop=$(line one_line.cpp '5 \* COUNT')
	cat >wanted <<END
60000 one_line.cpp:$two:N (main)
80000 one_line.cpp:$two:N (main)
160000 one_line.cpp:$resize:N (Mesh::resize)
320000 one_line.cpp:$resize:N (Mesh::resize)
800000 one_line.cpp:$loop (main)
END
	named "one_line$level"
	equal "one_line$level: each call of a line has a name" "$(cat wanted)" \
		"$(sed "s/\(cpp:$two:\|cpp:$resize:\)[0-9]* /\1N /" "one_line$level.found")"
	equal "one_line$level: no two have the same" 5 "$(cut -d' ' -f2 "one_line$level.found" | sort -u | wc -l)"
	built "one_statement$level" gfortran -g -O$level "$sources/one_line.f90" || continue
	at=one_line.f90:$(line one_line.f90 'allocate(u')
	named "one_statement$level"
	equal "one_statement$level: each array of a statement has a name" \
		"160000 $at (one_line), allocation 1,320000 $at (one_line), allocation 2" \
		"$(paste -s -d, "one_statement$level.found")"
done

# --- programs that cannot be read
if objcopy --compress-debug-sections=zstd gcc4 zstd 2>err; then
	timeout -k 10 300 "$smile" run -q -o zstd -- ./zstd >out 2>err
	exits "zstd: is reported" 0 report structures zstd-node0.rec
	if ! grep -q wrappers.c: out; then
		says "zstd: the note names the compression and the remedy" \
			'compressed with zstd.*objcopy --decompress-debug-sections' err
	fi
else
	skip "objcopy without zstd"
fi
rm -f ./*.dwo
for view in "report structures" advise "view --json"; do
	# shellcheck disable=SC2086
	exits "split: its file is gone: smile $view" 0 $view split-node?.rec
done
exits "split: its file is gone" 0 report structures split-node0.rec
says "split: the note names the file and the remedy" \
	'\.dwo, which cannot be read.*without -gsplit-dwarf' err

# --- a user's file with the name of a system file: it counts, and names blocks
cat >grid.c <<'END'
#include <stdlib.h>
long *grid(void)
{
	long *block = malloc(80000);

	for (int i = 0; i < 10000; i++)
		block[i] = i;
	return block;
}
END
cat >uses.c <<'END'
long *grid(void);
int main(void)
{
	return (int)grid()[0];
}
END
for library in libc-grid.so ld-grid.so libgomp.so.grid; do
	gcc -g -O0 -shared -fPIC -o $library grid.c 2>err || not_ok "$library: builds" "$(cat err)"
	gcc -g -O0 -o uses uses.c -L. -l:$library -Wl,-rpath,"$PWD" 2>err ||
		not_ok "$library: its program builds" "$(cat err)"
	exits "$library: runs" 0 run -q -o grid -- ./uses
	"$smile" report structures --json grid-node?.rec 2>err >table
	equal "$library: its accesses count, and name the block" "grid.c:4 (grid) true" "$(gojq -r \
		'.structures[] | select(.bytes == 80000) | "\(.name) \((.accesses | add) > 5000)"' table)"
done
suite_end
