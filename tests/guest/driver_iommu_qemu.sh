#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# QEMU with an IOMMU that the guest's kernel uses. driver_iommu_test.sh passes this script to run.sh
# by --qemu.
set -euo pipefail

arguments=()
while [ $# -gt 0 ]; do
	case $1 in
	-append)
		arguments+=(-append "$2 intel_iommu=on iommu.strict=1" -device intel-iommu)
		shift
		;;
	*) arguments+=("$1") ;;
	esac
	shift
done
exec qemu-system-x86_64 "${arguments[@]}"
