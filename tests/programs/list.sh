# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash
#
# The programs, and their work on the files of input.sh. Sourced by programs.sh and by tests/bench/programs_bench.sh.
#
# What lives here: a line for each: NAME | WHAT IT DOES | COMMAND
#
# The status of diff is 1, since the files differ. numpy is a package of its own besides python3.

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
