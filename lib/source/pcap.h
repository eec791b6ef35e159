/* SPDX-License-Identifier: MIT */
/*
 * pcap: loads libpcap when the first capture is opened. Most programs open no capture, so they
 * never load libpcap.
 *
 * What lives here: the functions of libpcap that capture.c calls, without their prefix:
 * smile_pcap.close() is pcap_close(). May use libpcap's header.
 */
#ifndef LIB_SOURCE_PCAP_H
#define LIB_SOURCE_PCAP_H

#include <pcap/pcap.h>

#include <base/lazy_library.h>

/* clang-format off */
#define PCAP_FUNCTIONS(X) \
	X(pcap_, close) X(pcap_, datalink) X(pcap_, dump) X(pcap_, dump_close) \
	X(pcap_, dump_file) X(pcap_, dump_flush) X(pcap_, dump_fopen) \
	X(pcap_, fopen_offline_with_tstamp_precision) X(pcap_, geterr) \
	X(pcap_, is_swapped) X(pcap_, major_version) X(pcap_, minor_version) \
	X(pcap_, next_ex) X(pcap_, open_dead_with_tstamp_precision)
/* clang-format on */

/**
 * struct pcap_functions - The functions of libpcap. They are valid after smile_pcap_load() has
 * returned 0.
 */
struct pcap_functions {
	PCAP_FUNCTIONS(LAZY_LIBRARY_MEMBER)
};

extern struct pcap_functions smile_pcap;

/**
 * smile_pcap_load() - Load libpcap, unless it is loaded already.
 *
 * Any thread may call this function.
 *
 * Return: 0; -ELIBACC with a message if libpcap is not installed.
 */
int smile_pcap_load(void);

#endif /* LIB_SOURCE_PCAP_H */
