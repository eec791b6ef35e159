/* SPDX-License-Identifier: MIT */
/*
 * Entries: converts entries of the trace memory to packets of the public API. Only lib/instrument
 * uses this file.
 */
#ifndef LIB_INSTRUMENT_ENTRY_H
#define LIB_INSTRUMENT_ENTRY_H

#include <stddef.h>

#include <smile/monitor.h>

/**
 * smile_entry_decode() - Decode the entry at the beginning of @data.
 * @packet: receives the packet; packet->frame points into @data
 *
 * Return: the number of bytes of the entry; 0 if it is incomplete; -EPROTO if it is not an entry.
 */
int smile_entry_decode(const uint8_t *data, size_t bytes, struct Monitor_trace_packet *packet);

/* Decode word 1 of an entry. The time, the frame and the bytes of @packet stay unchanged. */
void smile_entry_word(uint64_t word, struct Monitor_trace_packet *packet);

#endif /* LIB_INSTRUMENT_ENTRY_H */
