# SPDX-License-Identifier: MIT
# mpi.sh PROGRAM [ARGUMENTS]: ranks of MPICH, one on each node of smile cluster --ethernet --share DIR. Node 0 runs
# mpiexec, which prints the command for each node; the other nodes read their commands from /host/mpi-launch. A rank has
# the SMILE_* variables of its own node.
launch=/host/mpi-launch
part() { sed -n "s/^HYDRA_LAUNCH: \(.*--proxy-id $SMILE_NODE\) *$/\1/p" $launch; }
export -p | grep ' SMILE_' >/tmp/node
if [ "$SMILE_NODE" != 0 ]; then
	until [ -e $launch ]; do usleep 100000; done
	exec $(part)
fi
hosts=node0
for node in $(seq 1 $((SMILE_NODES - 1))); do hosts=$hosts,node$node; done
# shellcheck disable=SC2016 # for each rank
{
	mpiexec.hydra -launcher manual -hosts $hosts -n "$SMILE_NODES" sh -c '. /tmp/node; exec "$@"' sh "$@"
	echo $? >/tmp/status
} | while IFS= read -r line; do
	case $line in
	HYDRA_LAUNCH_END) mv $launch.new $launch && $(part) & ;;
	HYDRA_LAUNCH:*) echo "$line" >>$launch.new ;;
	*) echo "$line" ;;
	esac
done
rm -f $launch
exit "$(cat /tmp/status)"
