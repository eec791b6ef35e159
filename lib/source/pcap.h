/* SPDX-License-Identifier: MIT */
/*
 * libpcap, loaded by the first capture that is opened: most programs open none.
 *
 * What lives here: those of its functions that capture.c calls, without their prefix:
 * smile_pcap.close() is pcap_close(). It may use libpcap's header.
 */
#ifndef LIB_SOURCE_PCAP_H
#define LIB_SOURCE_PCAP_H

#include <pcap/pcap.h>

#include <base/loaded.h>

/* clang-format off */
#define PCAP_FUNCTIONS(X) \
	X(close) X(datalink) X(dump) X(dump_close) X(dump_file) X(dump_flush) X(dump_fopen) \
	X(fopen_offline_with_tstamp_precision) X(geterr) X(is_swapped) X(major_version) \
	X(minor_version) X(next_ex) X(open_dead_with_tstamp_precision)
/* clang-format on */

/**
 * struct pcap_functions - libpcap's functions; after smile_pcap_load() has returned 0.
 */
struct pcap_functions {
#define PCAP_MEMBER(name) LOADED_MEMBER(pcap_, name)
	PCAP_FUNCTIONS(PCAP_MEMBER)
#undef PCAP_MEMBER
};

extern struct pcap_functions smile_pcap;

/**
 * smile_pcap_load() - Load libpcap, once.
 *
 * Any thread may call it.
 *
 * Return: 0, or -ELIBACC with a message: it is not installed.
 */
int smile_pcap_load(void);

#endif /* LIB_SOURCE_PCAP_H */
