/* SPDX-License-Identifier: MIT */
/* SISCI: types that the second version of the API shares with other interfaces. */
#ifndef DIS_TYPES_H
#define DIS_TYPES_H

#define DIS_BROADCAST_NODEID_GROUP_ALL 252
#define DIS_DMA_MAX_VECLEN 256

typedef struct {
	unsigned int size;
	unsigned int local_offset;
	unsigned int remote_offset;
	unsigned int flags;
} dis_dma_vec_t;

/* A list of node ids, which ends with 0. */
typedef unsigned int dis_nodeId_list_t[64 + 1];
typedef unsigned int dis_virt_adapter_t;

#endif /* DIS_TYPES_H */
