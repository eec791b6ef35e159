/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Functions for the tests of the static array.
 *
 * What lives here: functions that write the tables of the static array and read its counters, with
 * the bit positions of the datasheet as numbers. May use card_fixture.h.
 */
#ifndef TESTS_UNIT_CARD_STATIC_FIXTURE_H
#define TESTS_UNIT_CARD_STATIC_FIXTURE_H

#include "tests/unit/card/card_fixture.h"

#define RAISE_READ 0x020U
#define RAISE_WRITE 0x040U
#define RAISE_LOCK 0x080U
#define RAISE_REQUEST 0x100U
#define RAISE_RESPONSE 0x200U
#define RAISE_ALL 0x3e0U
#define GLOBAL(event) (16 + (event))
#define NONE (-1)

static inline void set_page(struct fixture *fx, uint32_t entry, uint32_t page, uint32_t node)
{
	fixture_set(fx, 0x100 + 8 * entry, 0x80000000 | page);
	fixture_set(fx, 0x104 + 8 * entry, node);
}

static inline void set_event(struct fixture *fx, uint32_t event, uint32_t page_entry,
			     uint32_t flags, uint32_t bottom, uint32_t top)
{
	fixture_set(fx, 0x200 + 4 * event,
		    0x80000000 | top << 20 | bottom << 10 | flags | page_entry);
}

static inline void set_counter(struct fixture *fx, uint32_t counter, int count, int activate,
			       int deactivate)
{
	uint32_t word = 0;

	if (count != NONE)
		word |= 0x20 | (uint32_t)count;
	if (activate != NONE)
		word |= 0x2000 | (uint32_t)activate << 8;
	if (deactivate != NONE)
		word |= 0x200000 | (uint32_t)deactivate << 16;
	fixture_set(fx, 0x280 + 4 * counter, word);
}

/* Let counter i count global event i, for each counter i. */
static inline void count_globals(struct fixture *fx)
{
	for (int i = 0; i < 16; i++)
		set_counter(fx, (uint32_t)i, GLOBAL(i), NONE, NONE);
}

/* The default configuration, with MODE.STATIC and @mode. */
static inline struct smile_config static_config(uint32_t mode)
{
	struct smile_config config = fixture_defaults();

	config.mode |= SMILE_MODE_STATIC | mode;
	return config;
}

/* Enable the card. Set the tables before: they are locked while the card is enabled. */
static inline void static_start(struct fixture *fx, uint32_t mode)
{
	struct smile_config config = static_config(mode);

	fixture_start(fx, &config);
}

static inline void expect_counter(struct fixture *fx, uint32_t counter, uint32_t count, bool active)
{
	assert_int_equal(fixture_get(fx, 0x2c0 + 4 * counter), count | (uint32_t)active << 31);
}

#endif /* TESTS_UNIT_CARD_STATIC_FIXTURE_H */
