#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver on a machine with an IOMMU, which lets the cards write only to memory that the driver
# gave them. If a card writes after the driver has released it, this is a fault. May use:
# driver_test.sh, driver_iommu_qemu.sh.
set -euo pipefail

here=$(dirname "$0")
# With a debug kernel, the small ring is tested only without an IOMMU, and the large ring in host
# memory only with an IOMMU.
if [ -e "${GUEST:-${B:-build}/guest}/needs" ]; then
	DRIVER_PARTS=${DRIVER_PARTS:-translated host mapped no_fault}
fi
export DRIVER_PARTS=${DRIVER_PARTS:-translated host full mapped no_fault}
export DRIVER_NAME=driver_iommu
exec "$here/driver_test.sh" --qemu "$here/driver_iommu_qemu.sh" "$@"
