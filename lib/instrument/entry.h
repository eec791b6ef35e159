/* SPDX-License-Identifier: MIT */
/*
 * Entries of the trace memory, as packets of the public API. For lib/instrument.
 */
#ifndef LIB_INSTRUMENT_ENTRY_H
#define LIB_INSTRUMENT_ENTRY_H

#include <stddef.h>

#include <smile/monitor.h>

/**
 * smile_entry_decode() - Decode the entry at the beginning of some bytes.
 * @packet: receives the packet; its frame lies in @data
 *
 * Return: the number of bytes of the entry; 0 if it is incomplete; -EPROTO if it is not an entry.
 */
int smile_entry_decode(const uint8_t *data, size_t bytes, struct Monitor_trace_packet *packet);

/* Decode word 1 of an entry; @packet's time, frame and bytes are untouched. */
void smile_entry_word(uint64_t word, struct Monitor_trace_packet *packet);

#endif /* LIB_INSTRUMENT_ENTRY_H */
