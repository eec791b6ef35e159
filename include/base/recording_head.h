/* SPDX-License-Identifier: MIT */
/*
 * Recording head: offsets of the numbers at the beginning of a recording (docs/recording.md).
 *
 * What lives here: these offsets, which the library's reader and writer use, and also `smile
 * serve`, which sends recordings while they are being written.
 */
#ifndef BASE_RECORDING_HEAD_H
#define BASE_RECORDING_HEAD_H

#include <stdint.h>

#define RECORDING_HEADER_MAX (1U << 20)
#define RECORDING_INCOMPLETE UINT64_MAX

#define RECORDING_OFFSET_VERSION 8
#define RECORDING_OFFSET_HEADER 12
#define RECORDING_OFFSET_RECORDS 16
#define RECORDING_OFFSET_START 24
#define RECORDING_OFFSET_FIELDS 32

#endif /* BASE_RECORDING_HEAD_H */
