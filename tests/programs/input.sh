# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash
#
# The programs' input: the same for each run, and on each host. Sourced by programs.sh and advice.sh, with
# B and scratch set.
#
# What lives here: the files in the folder scratch/input, which input names afterwards, and the programs' search path.

# The distribution's programs, not programs that a user has put in front of them; MORE_PATH: folders of programs
# that are unpacked elsewhere.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin${MORE_PATH:+:$MORE_PATH}

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
seq 200000 | awk '{ print ($1 * 7919) % 200003 }' >"$input/numbers"
printf 'all: a b c\na b c:\n\t@cut -d" " -f 2 text | head -n 50 | sort >$@ && wc -l <$@\n' >"$input/Makefile"

# Sixteen-bit samples of a wave.
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d\n", 8000 * sin(i / 20) }' >"$input/wave.txt"
python3 -c 'import struct, sys
with open(sys.argv[1]) as f: s = [int(x) for x in f]
open(sys.argv[2], "wb").write(struct.pack("<%dh" % len(s), *s))' "$input/wave.txt" "$input/wave.raw"
cp "$B/workload/sor" "$input/binary"
echo 'scale = 120; 4 * a(1)' >"$input/pi.bc"
echo quit >>"$input/pi.bc"
