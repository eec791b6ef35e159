/* SPDX-License-Identifier: MIT */
/*
 * Cards in this machine. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_CARD_H
#define SMILE_MONITOR_CARD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * struct Monitor_card - A card on the PCI bus.
 * @address: PCI address, "0000:00:04.0"
 * @driver: name of the driver that is bound to the card; "" if no driver is bound
 * @device: device file of the card; "" if the card has no device file
 */
struct Monitor_card {
	char address[32];
	char driver[64];
	char device[64];
};

/**
 * Monitor_card_list() - List the cards in this machine, in the order of their PCI addresses.
 * @cards: receives the cards; caller-owned array of @capacity elements; may be NULL if @capacity is
 *         0
 *
 * Context: any thread.
 * Return: the number of cards, of which at most @capacity were filled in.
 * Errors: -ENOSYS if this machine has no accessible PCI bus.
 */
int Monitor_card_list(struct Monitor_card *cards, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_CARD_H */
