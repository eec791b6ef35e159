#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Programs that users have, under `smile run`: for each, its output and status beside those of a native run, the
# account of its accesses, whether a second run gives the same counts, and the time beside that of QEMU alone.
#
#	[B=build] [PROGRAMS=PATTERN] tests/programs/programs.sh
#
# What lives here: the programs with their work, and the table of docs/programs.md, which goes to B/programs.md.
# Times are printed, and not judged. A program that is not installed is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
B=$(realpath "${B:-build}")
pattern=${PROGRAMS:-.}
smile=$B/bin/smile
scratch_make "$B/tests/programs"
table=$B/programs.md
limit=600
export LC_ALL=C
# The table is of what tracing costs: of the machine whose replay costs least.
export SMILE_MACHINE=smile1998
# The distribution's, not what a user has put in front of them.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

command -v gojq >/dev/null || { skip "no gojq: make deps"; suite_end; exit; }
qemu=$("$smile" doctor | sed -n 's/^ok *smile run *\([^ ]*\) .*/\1/p')
[ -n "$qemu" ] || { echo "$0: smile run does not work here: smile doctor says why" >&2; exit 2; }

# ---- what they work on: the same for each run, and on each host

input=$scratch/input
mkdir "$input"
awk 'BEGIN {
	for (i = 0; i < 20000; i++) {
		seed = (seed * 1103515245 + 12345) % 2147483648
		printf "%d item%d %s\n", seed % 100000, i, substr("the quick brown fox jumps over the lazy dog", 1 + seed % 20, 20)
	}
}' >"$input/text"
head -n 2000 "$input/text" >"$input/few"
awk '{ print NR ": " $0 }' "$input/few" | sed '5~9s/fox/cat/' >"$input/other"
head -n 400 "$input/text" | awk 'BEGIN { print "[" } { printf "%s{\"n\": %d, \"name\": \"%s\"}\n", (NR > 1 ? "," : ""), $1, $2 }
	END { print "]" }' >"$input/list.json"
awk 'BEGIN { print "P3 64 64 255"; for (i = 0; i < 64 * 64; i++) print i % 256, i * 7 % 256, i * 31 % 256 }' >"$input/image.ppm"
xz -k -c "$input/text" >"$input/text.xz"
cat >"$input/rows.sql" <<'END'
create table t (a integer primary key, b integer, c text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
	insert into t select i, i * 7919 % 3001, 'row ' || i from n;
create index b on t (b);
select sum(b), max(c) from t where b between 100 and 900;
END
cat >"$input/primes.c" <<'END'
#include <stdio.h>
int main(void) { int n = 0; for (int i = 2; i < 3000; i++) { int p = 1; for (int j = 2; j * j <= i; j++) p &= i % j != 0; n += p; } printf("%d\n", n); return n == 430 ? 0 : 1; }
END
cat >"$input/vector.cc" <<'END'
#include <algorithm>
#include <iostream>
#include <map>
#include <vector>
int main() { std::map<int, std::vector<int>> m; for (int i = 0; i < 5000; i++) m[i * 31 % 97].push_back(i); int s = 0; for (auto &p : m) { std::sort(p.second.rbegin(), p.second.rend()); s += p.second[0] * p.first; } std::cout << s << '\n'; }
END
cat >"$input/mean.f90" <<'END'
program mean
  real :: a(200,200)
  integer :: i, j
  do j = 1, 200
    do i = 1, 200
      a(i,j) = real(mod(i*j, 17))
    end do
  end do
  print *, sum(a) / size(a)
end program
END
cat >"$input/threads.py" <<'END'
import threading
total, lock = 0, threading.Lock()
def work(n):
    global total
    for i in range(n, 4000, 4):
        with lock:
            total += i
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
print(total)
END
cat >"$input/processes.py" <<'END'
from multiprocessing import Pool
def square(n):
    return n * n
if __name__ == "__main__":
    with Pool(2) as pool:
        print(sum(pool.map(square, range(200))))
END
cat >"$input/matrix.py" <<'END'
import numpy
a = numpy.arange(40000, dtype=float).reshape(200, 200)
print((a @ a.T).sum())
END
cat >"$input/words.pl" <<'END'
my %n; while (<>) { $n{$_}++ for split } print join(" ", map { "$_=$n{$_}" } sort keys %n), "\n";
END
cat >"$input/tree.lua" <<'END'
local function tree(n) if n == 0 then return {} end return {tree(n - 1), tree(n - 1)} end
local function count(t) if not t[1] then return 1 end return 1 + count(t[1]) + count(t[2]) end
print(count(tree(12)))
END
cat >"$input/words.rb" <<'END'
counts = Hash.new(0)
File.foreach(ARGV[0]) { |line| line.split.each { |word| counts[word] += 1 } }
puts counts.sort.first(5).inspect
END
cat >"$input/list.js" <<'END'
const list = []; for (let i = 0; i < 20000; i++) list.push(i * 7919 % 20011); list.sort((a, b) => a - b); console.log(list[77]);
END
cat >"$input/graph.dot" <<'END'
digraph g { a -> b -> c -> a; b -> d; d -> e -> f -> d; f -> a; }
END
printf 'all: a b c\na b c:\n\t@cut -d" " -f 2 text | head -n 50 | sort >$@ && wc -l <$@\n' >"$input/Makefile"

# Sixteen-bit samples of a wave.
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d\n", 8000 * sin(i / 20) }' >"$input/wave.txt"
python3 -c 'import struct, sys
with open(sys.argv[1]) as f: s = [int(x) for x in f]
open(sys.argv[2], "wb").write(struct.pack("<%dh" % len(s), *s))' "$input/wave.txt" "$input/wave.raw"
cp "$B/workload/sor" "$input/binary"

# ---- the programs: NAME | WHAT IT DOES | COMMAND

programs() {
	cat <<'END'
xz|compress|xz -1 -k -c text
xz, 2 threads|compress|xz -1 -T2 --block-size=200000 -k -c text
unxz|decompress|xz -d -k -c text.xz
zstd|compress with 2 threads|zstd -q -T2 -c text
pigz|compress with 4 threads|pigz -p 4 -n -c text
lbzip2|compress with 2 threads|lbzip2 -n 2 -k -c few
bzip2|compress|bzip2 -k -c few
gzip|compress|gzip -n -k -c text
lz4|compress|lz4 -q -c text
sort|with 4 threads|sort --parallel=4 -S 200K text
sha256sum|check sum|sha256sum text
openssl|encrypt|openssl enc -aes-256-cbc -K 00 -iv 00 -in text
sqlite3|rows, an index, a query|sqlite3 :memory: ".read rows.sql"
perl|count words|perl words.pl few
python3|4 threads, a lock|python3 threads.py
python3, processes|a pool of 2|python3 processes.py
numpy|product of matrices|python3 matrix.py
lua|a tree of tables|lua5.4 tree.lua
ruby|count words|ruby words.rb few
node|sort a list|node list.js
gawk|sum a column|gawk "{ s += $1 } END { print s }" text
mawk|sum a column|mawk "{ s += $1 } END { print s }" text
grep|a regular expression|grep -c -E "(quick|lazy).*o" text
sed|replace|sed -n "s/item\([0-9]*\)7 /<\1>/p" text
diff|two files|diff few other
bc|digits of pi|bc -l -q pi.bc
jq|filter a list|jq -c "map(select(.n > 50000)) | length" list.json
tar|archive|tar --mtime=@0 --owner=0 --group=0 -cf - few other
git|hash a file|git hash-object text
gcc|compile and link|gcc -O2 -o result primes.c
g++|compile|g++ -O1 -c -o result vector.cc
gfortran|compile|gfortran -O1 -c -o result mean.f90
tcc|compile and run|tcc -run primes.c
make|3 jobs|make -s -j3
convert|blur a picture, OpenMP|convert image.ppm -blur 0x2 -depth 8 ppm:-
dot|lay out a graph|dot -Tplain graph.dot
gnuplot|plot to text|gnuplot -e "set term dumb; plot sin(x)"
flac|compress a sound|flac -s -f --endian=little --sign=signed --channels=1 --bps=16 --sample-rate=44100 -o result wave.raw
readelf|sections of a program|readelf -S -W binary
bash|a script with a pipe|bash -c "for i in 1 2 3; do echo $i; done | sort -r"
END
}
echo 'scale = 120; 4 * a(1)' >"$input/pi.bc"
echo quit >>"$input/pi.bc"

# run NAME COMMAND...: in a fresh copy of the input. Leaves status, seconds, and what it made in NAME.made.
run() {
	local name=$1 begin end
	shift
	rm -rf "$scratch/place"
	cp -r "$input" "$scratch/place"
	begin=${EPOCHREALTIME/./}
	(cd "$scratch/place" && exec timeout -k 10 $limit "$@") >"$scratch/$name.out" 2>"$scratch/$name.err" </dev/null
	status=$?
	end=${EPOCHREALTIME/./}
	seconds=$(((end - begin + 500) / 1000))
	{
		cat "$scratch/$name.out"
		[ ! -e "$scratch/place/result" ] || cat "$scratch/place/result"
	} | sha256sum >"$scratch/$name.made"
	echo "status $status" >>"$scratch/$name.made"
}

dumps() {
	for file in "$scratch/place/$1"-node*.rec; do
		"$smile" dump "$file" || echo failed
	done | sha256sum
}

# measure NAME WHAT COMMAND...: one row of the table, and its checks.
measure() {
	local program=$1 what=$2 native_s emulated_s traced_s ratio=- right=yes repeats=no host account first
	shift 2
	run native "$@"
	native_s=$seconds
	run emulated "$qemu" "$(command -v "$1")" "${@:2}"
	emulated_s=$seconds
	# Alone, QEMU cannot begin with a script.
	cmp -s "$scratch/native.made" "$scratch/emulated.made" || emulated_s=
	run traced "$smile" run -q --json run.json -o rec -- "$@"
	traced_s=$seconds
	if ! gojq -e .account "$scratch/place/run.json" >/dev/null 2>"$scratch/error"; then
		not_ok "$program: is traced" "$(tail -n 5 "$scratch/traced.err")"
		echo "| $program | $what | not traced | | | | | | | | |" >>"$table"
		return
	fi
	cp "$scratch/place/run.json" "$scratch/first.json"
	first=$(dumps rec)
	cmp -s "$scratch/native.made" "$scratch/traced.made" || right=no
	equal "$program: output and status as natively" yes $right
	account=$(gojq -r '.account | .accesses == .counted + ([.left_out[].accesses // 0] | add)' "$scratch/first.json")
	equal "$program: accesses = counted + left out" true "$account"
	equal "$program: all is counted" true "$(gojq -r .complete "$scratch/first.json")"
	run again "$smile" run -q --json run.json -o rec -- "$@"
	[ "$first" != "$(dumps rec)" ] || repeats=yes
	host=$(gojq -r '[.host | to_entries[] | select(.value > 0) | .key] | join(", ")' "$scratch/first.json")
	! grep -q 'another run may' "$scratch/traced.err" || host="$host${host:+, }order"
	[ $repeats = yes ] || check "$program: the second run differs, and what it has from the host is named" test -n "$host"
	[ -z "$emulated_s" ] || ratio=$(awk "BEGIN { printf \"%.1f\", $traced_s / $emulated_s }")
	printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$program" "$what" "$right" \
		"$(gojq -r '.account.counted' "$scratch/first.json")" \
		"$(gojq -r '[.account.left_out[].accesses // 0] | add' "$scratch/first.json")" \
		"$repeats" "${host:--}" "$(ms "$native_s")" "$(ms "$emulated_s")" "$(ms "$traced_s")" "$ratio" >>"$table"
}
ms() {
	[ -n "$1" ] && awk "BEGIN { printf \"%.2f\", $1 / 1000 }" || echo -
}

{
	echo '| program | work | output right | counted | left out | repeats | from the host | native s | QEMU s | smile run s | to QEMU |'
	echo '|---|---|---|---|---|---|---|---|---|---|---|'
} >"$table"
while IFS='|' read -r name what command; do
	[[ $name =~ $pattern ]] || continue
	# shellcheck disable=SC2016
	eval "set -- $(sed 's/\$/\\$/g' <<<"$command")"
	if command -v "$1" >/dev/null; then
		measure "$name" "$what" "$@"
	else
		skip "$name is not installed: make deps-programs"
	fi
done < <(programs)
cat "$table"
suite_end
