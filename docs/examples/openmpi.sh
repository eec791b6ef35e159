# SPDX-License-Identifier: MIT
# openmpi.sh PROGRAM [ARGUMENTS]: ranks of Open MPI, one on each node of smile cluster --ethernet --share DIR. Node 0 runs
# orterun, which starts its daemons by this script instead of ssh: /host/openmpi-nodeN contains the command for node N. A
# rank has the SMILE_* variables of its own node.
if [ "$1" = --begin ]; then
	node=$2
	shift 2
	echo "$*" >"/host/new-$node" && mv "/host/new-$node" "/host/openmpi-$node"
	exit
fi
# --copy has put the components into this directory; PMIx needs only the components in its library.
export OMPI_MCA_mca_base_component_path="$PWD" PMIX_MCA_mca_base_component_path=/tmp
export PMIX_MCA_pcompress_base_silence_warning=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if [ "$SMILE_NODE" != 0 ]; then
	mine=/host/openmpi-node$SMILE_NODE
	until [ -e "$mine" ]; do usleep 100000; done
	daemon=$(cat "$mine")
	rm "$mine"
	exec sh -c "$daemon"
fi
hosts=node0
for node in $(seq 1 $((SMILE_NODES - 1))); do hosts=$hosts,node$node; done
exec orterun --leave-session-attached --host $hosts --map-by node --bind-to none --mca plm_rsh_no_tree_spawn 1 \
	--mca plm_rsh_agent "sh $PWD/openmpi.sh --begin" --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 "$@"
