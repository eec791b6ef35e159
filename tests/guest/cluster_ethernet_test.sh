#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile cluster --ethernet: the guests must reach each other by name and by TCP, but no other
# machine. If this machine has MPICH or Open MPI, an MPI program runs on the nodes as
# docs/cluster.md describes. May use: smile, the products of `make cluster`, MPICH, Open MPI.
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh

[ -n "$(find "$GUEST/modules/" -name 'virtio_net.ko*')" ] || {
	echo "the guests' kernel was fetched without a network: make guest-kernel"
	exit 77
}

mkdir "$work/share"
cat >"$work/share/ethernet.sh" <<'END'
for node in $(seq 0 $((SMILE_NODES - 1))); do
	# A node does not answer before it has started.
	until ping -c 1 -w 5 node$node >/dev/null; do :; done
	echo "reaches node$node"
done
# No other machine can be reached: there is no route, and no other interface.
ip route
ls -1 /sys/class/net
ping -c 1 -w 1 192.0.2.1 2>&1 | grep -o 'Network is unreachable'
# Send more than a window of TCP from node 1 to node 0. nc ends when its input ends, so keep its
# input open.
case $SMILE_NODE in
0)
	mkfifo /tmp/open
	exec 9<>/tmp/open
	nc -l -p 5000 <&9 | md5sum
	;;
1)
	until nc -w 60 node0 5000 </bin/busybox; do usleep 100000; done
	md5sum </bin/busybox
	;;
esac
# Each node must keep running until all nodes have reached each other.
: >/host/done$SMILE_NODE
for node in $(seq 0 $((SMILE_NODES - 1))); do
	until [ -e /host/done$node ]; do usleep 100000; done
done
END
timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes 3 --ethernet --share "$work/share" -K -- sh /host/ethernet.sh \
	>"$work/out" 2>"$work/err" </dev/null || fail "status $?"
for from in 0 1 2; do
	for to in 0 1 2; do
		grep -qx "$from: reaches node$to" "$work/out" || fail "node $from does not reach node $to"
	done
	grep -qx "$from: Network is unreachable" "$work/out" || fail "node $from reaches more"
	[ "$(grep -cx "$from: \(eth0\|lo\)" "$work/out")" = 2 ] || fail "other interfaces of node $from"
	[ "$(grep -c "^$from: 10\.83\.0\.0/24 dev eth0" "$work/out")" = 1 ] || fail "other routes of node $from"
done
[ "$(grep -c '^[01]: [0-9a-f]\{32\}  -$' "$work/out")" = 2 ] || fail "no two sums"
[ "$(sed -n 's/^[01]: \([0-9a-f]\{32\}\)  -$/\1/p' "$work/out" | sort -u | wc -l)" = 1 ] || fail "other bytes arrive"
echo "ok guests reach each other, and nothing else"

cat >"$work/sum.c" <<'END'
#include <mpi.h>
#include <smile/gas.h>
#include <stdio.h>
/* Each rank stores 10 words in the page of the next; the ranks meet by MPI. */
int main(int argc, char **argv)
{
	int rank, size, sum;
	struct Gas *gas;
	void *memory;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (Gas_open(&gas) < 0 || Gas_node(gas) != (unsigned int)rank ||
	    Gas_alloc(gas, size * 4096UL, GAS_BLOCK, &memory) < 0 ||
	    Gas_name(gas, memory, "pages", 4096) < 0 || Gas_share(gas, -1) < 0)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (int i = 0; i < 10; i++)
		((volatile int *)memory)[(rank + 1) % size * 1024 + i] = rank + i;
	MPI_Barrier(MPI_COMM_WORLD);
	rank = ((volatile int *)memory)[rank * 1024 + 9];
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (Gas_node(gas) == 0)
		printf("sum %d\n", sum);
	Gas_close(gas);
	MPI_Finalize();
	return 0;
}
END

# ranks COMPILER SCRIPT COPY...: run the program with the script of docs/cluster.md.
ranks() {
	local compiler=$1 script=$2
	shift 2
	rm -rf "$work/share"
	mkdir "$work/share"
	"$compiler" -Iinclude "$work/sum.c" "$B/libsmile-gas.a" "$B/libsisci.a" -o "$work/sum"
	timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes 3 --memory 512 --ethernet --share "$work/share" \
		-o "$work/mpi" "$@" --copy "$work/sum" --copy "docs/examples/$script" -- sh "$script" ./sum \
		>"$work/out" 2>"$work/err" </dev/null || fail "status $? of $script"
	grep -qx '0: sum 30' "$work/out" || fail "another sum of $script"
	"$smile" report structures --json "$work"/mpi-node?.rec |
		gojq -c '.structures[] | select(.name == "pages") | .writes' >"$work/out"
	grep -qx '\[10,10,10\]' "$work/out" || fail "other stores of $script"
	echo "ok $script: ranks of MPI, and what they store in each other's memory"
}

if command -v mpiexec.hydra >/dev/null && command -v mpicc.mpich >/dev/null; then
	ranks mpicc.mpich mpi.sh --copy "$(command -v mpiexec.hydra)" --copy "$(command -v hydra_pmi_proxy)"
else
	echo "ok # skip MPICH is not on this machine"
fi
if command -v orted >/dev/null && command -v mpicc.openmpi >/dev/null; then
	set --
	for file in /usr/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_*.so; do
		case $file in *ucx* | *ofi* | *psm* | *openib* | *slurm*) ;; *) set -- "$@" --copy "$file" ;; esac
	done
	ranks mpicc.openmpi openmpi.sh --copy "$(command -v orterun)" --copy "$(command -v orted)" "$@"
else
	echo "ok # skip Open MPI is not on this machine"
fi
