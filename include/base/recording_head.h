/* SPDX-License-Identifier: MIT */
/*
 * Recording head: the offsets of the numbers at the beginning of a recording (docs/recording.md).
 *
 * What lives here: the offsets. The library uses them to read and write recordings. `smile serve`
 * uses them to send a recording while it is being written.
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
