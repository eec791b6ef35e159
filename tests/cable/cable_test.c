/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Packets of the cable: each type is encoded and decoded, bit for bit; damaged and truncated
 * packets are recognised; and a capture of packets is written for cable_test.py, which decodes it
 * independently.
 *
 * usage: cable_test [FILE PACKETS]	with FILE: write the capture, and the fields as lines
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/pcapng/pcapng.h"
#include "tests/cable/cable_sample.h"
#include "tests/harness/test.h"

#define ROUNDS 2000

static unsigned int passed, failed;

static void check(const char *name, bool holds)
{
	*(holds ? &passed : &failed) += 1;
	printf("%s %s\n", holds ? "ok" : "not ok", name);
}

/*
 * A packet that is decoded and encoded again is unchanged; a packet that is encoded and decoded has
 * the same fields.
 */
static bool there_and_back(uint64_t *state, unsigned int type)
{
	struct cable_packet packet, decoded;
	uint8_t bytes[CABLE_BYTES_MAX], again[CABLE_BYTES_MAX];
	size_t count;

	cable_sample(state, type, &packet);
	count = cable_encode(&packet, bytes);
	return count && cable_decode(bytes, count, &decoded) == CABLE_FINE &&
	       !memcmp(&packet, &decoded, sizeof(packet)) &&
	       cable_encode(&decoded, again) == count && !memcmp(bytes, again, count);
}

/*
 * Any wrong bit of a packet or of an idle symbol is detected; a packet that is cut at any place is
 * also detected.
 */
static bool damage_noticed(uint64_t *state, unsigned int type)
{
	struct cable_packet packet, decoded;
	uint8_t bytes[CABLE_BYTES_MAX + 2] = {0};
	size_t count;

	cable_sample(state, type, &packet);
	count = cable_encode(&packet, bytes);
	/* The number of idle symbols is not protected by a check sum. */
	for (size_t bit = 0; bit < 8 * (type == CABLE_TYPE_IDLES ? 4 : count); bit++) {
		enum cable_fault fault;

		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		fault = cable_decode(bytes, count, &decoded);
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (fault == CABLE_FINE || !*cable_fault_name(fault))
			return false;
	}
	for (size_t cut = 0; cut < count; cut++)
		if (cable_decode(bytes, cut, &decoded) == CABLE_FINE)
			return false;
	return cable_decode(bytes, count + 2, &decoded) == CABLE_TOO_LONG &&
	       cable_decode(bytes, count + 1, &decoded) == CABLE_ODD;
}

/* Random bytes: no crash, and a decoded packet is encoded to the same bytes again. */
static bool noise_survived(uint64_t *state)
{
	uint8_t bytes[CABLE_BYTES_MAX + 40], again[CABLE_BYTES_MAX];
	struct cable_packet packet;

	for (unsigned int round = 0; round < 200000; round++) {
		size_t count;

		for (size_t i = 0; i < 24; i++) {
			*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
			bytes[i] = (uint8_t)(*state >> 40);
		}
		bytes[0] &= 3;
		bytes[1] = 0;
		count = (size_t)(*state >> 56) % 25;
		if (cable_decode(bytes, count, &packet) == CABLE_FINE &&
		    (cable_encode(&packet, again) != count || memcmp(bytes, again, count)))
			return false;
	}
	return true;
}

static bool impossible_refused(void)
{
	struct cable_packet packet = {.type = CABLE_TYPE_REQUEST, .command = 0x7d};
	uint8_t bytes[CABLE_BYTES_MAX];
	bool refused = !cable_encode(&packet, bytes);

	packet.type = 21;
	refused = refused && !cable_encode(&packet, bytes);
	packet.type = 0;
	refused = refused && !cable_encode(&packet, bytes);
	packet = (struct cable_packet){.type = CABLE_TYPE_REQUEST, .address = 1ULL << 48};
	refused = refused && !cable_encode(&packet, bytes);
	packet = (struct cable_packet){.type = CABLE_TYPE_IDLES};
	return refused && !cable_encode(&packet, bytes);
}

static void run_checks(void)
{
	uint64_t state = 1;
	char name[64];

	for (unsigned int type = 1; type <= CABLE_TYPE_SYNC; type++) {
		bool same = true, noticed = true;

		for (unsigned int round = 0; round < ROUNDS && same; round++)
			same = there_and_back(&state, type);
		for (unsigned int round = 0; round < 3 && noticed; round++)
			noticed = damage_noticed(&state, type);
		snprintf(name, sizeof(name), "type %u there and back", type);
		check(name, same);
		snprintf(name, sizeof(name), "type %u: damage is noticed", type);
		check(name, noticed);
	}
	check("noise", noise_survived(&state));
	check("impossible packets are refused", impossible_refused());
	check("the CRC of \"12345678\", as symbols",
	      cable_crc((const uint16_t[]){0x3132, 0x3334, 0x3536, 0x3738}, 4) == 0xa12b);
}

/* Print the fields of a packet as one line. */
static void print_packet(const struct cable_packet *packet)
{
	printf("%u %u %u %u %u %u %u %u %u %u %u %u %u %u %" PRIu64 " %u %u %" PRIu32 "\n",
	       packet->type, packet->target, packet->source, packet->ring_priority,
	       packet->priority, packet->phase, packet->old, packet->command, packet->busy,
	       packet->transaction, packet->trace, packet->tod_exponent, packet->tod_mantissa,
	       packet->transaction_priority, packet->address, packet->status, packet->idle,
	       packet->count);
}

static int write_capture(const char *path, unsigned int packets)
{
	struct pcapng *file;
	uint64_t state = 7;

	if (pcapng_create(&file, path, "cable_test") ||
	    pcapng_interface(file, CABLE_LINKTYPE, "cable0", NULL, NULL))
		return 2;
	for (unsigned int i = 0; i < packets; i++) {
		struct cable_packet packet;
		uint8_t bytes[CABLE_BYTES_MAX];
		struct pcapng_packet written = {.time_ns = 1000 + 7 * (uint64_t)i, .frame = bytes};

		cable_sample(&state, 1 + i % CABLE_TYPE_SYNC, &packet);
		written.bytes = (uint32_t)cable_encode(&packet, bytes);
		written.original_bytes = written.bytes;
		if (!written.bytes || pcapng_packet(file, &written))
			return 2;
		print_packet(&packet);
	}
	return pcapng_close(file) ? 2 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return write_capture(argv[1], (unsigned int)atoi(argv[2]));
	run_checks();
	return suite_end(passed, failed, 0);
}
