// SPDX-License-Identifier: MIT
/*
 * smile cluster --ethernet: the network for programs that need TCP.
 *
 * What lives here: the part of the network inside a guest. It consists of the driver from the boot
 * image, the addresses and the names. hub.c connects the guests.
 */
#include "tools/cluster/cluster.h"

void ethernet_script_print(FILE *to, const struct cluster *cluster)
{
	uint32_t i;

	if (!cluster->ethernet)
		return;
	/* An image that was made from an earlier kernel does not contain the driver. */
	fputs("[ -s /smile/modules.net ] || {\n"
	      "\techo 'smile cluster: --ethernet: the guests have no driver of a network: make "
	      "guest-kernel cluster' >/dev/virtio-ports/org.smile.error\n"
	      "\texit 2\n"
	      "}\n"
	      "while read -r module; do insmod \"$module\"; done </smile/modules.net\n"
	      "ifconfig eth0 10.83.0.$((SMILE_NODE + 1)) netmask 255.255.255.0 up || exit 2\n"
	      "sed -i \"/node$SMILE_NODE/d\" /etc/hosts\n",
	      to);
	for (i = 0; i < cluster->nodes; i++)
		fprintf(to, "echo 10.83.0.%u node%u >>/etc/hosts\n", i + 1, i);
}
