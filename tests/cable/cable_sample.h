/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A generator of packets of the cable, for the tests of their readers.
 */
#ifndef TESTS_CABLE_CABLE_SAMPLE_H
#define TESTS_CABLE_CABLE_SAMPLE_H

#include "emu/cable/cable.h"

/**
 * cable_sample() - Generate a random packet.
 * @state: state of the random numbers
 * @type: 1 to 20
 *
 * All fields of the type are random, and valid: cable_encode() accepts the packet.
 */
void cable_sample(uint64_t *state, unsigned int type, struct cable_packet *packet);

#endif /* TESTS_CABLE_CABLE_SAMPLE_H */
