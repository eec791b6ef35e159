/* SPDX-License-Identifier: MIT */
/*
 * libpcap, loaded when the first capture is opened, because most programs open no capture.
 *
 * What lives here: the functions of libpcap that capture.c calls, without their prefix:
 * smile_pcap.close() is pcap_close(). It may use libpcap's header.
 */
#ifndef LIB_SOURCE_PCAP_H
#define LIB_SOURCE_PCAP_H

#include <pcap/pcap.h>

#include <base/loaded.h>

/* clang-format off */
#define PCAP_FUNCTIONS(X) \
	X(pcap_, close) X(pcap_, datalink) X(pcap_, dump) X(pcap_, dump_close) \
	X(pcap_, dump_file) X(pcap_, dump_flush) X(pcap_, dump_fopen) \
	X(pcap_, fopen_offline_with_tstamp_precision) X(pcap_, geterr) \
	X(pcap_, is_swapped) X(pcap_, major_version) X(pcap_, minor_version) \
	X(pcap_, next_ex) X(pcap_, open_dead_with_tstamp_precision)
/* clang-format on */

/**
 * struct pcap_functions - libpcap's functions, valid after smile_pcap_load() has returned 0.
 */
struct pcap_functions {
	PCAP_FUNCTIONS(LOADED_MEMBER)
};

extern struct pcap_functions smile_pcap;

/**
 * smile_pcap_load() - Load libpcap, once.
 *
 * Any thread may call it.
 *
 * Return: 0, or -ELIBACC with a message: libpcap is not installed.
 */
int smile_pcap_load(void);

#endif /* LIB_SOURCE_PCAP_H */
