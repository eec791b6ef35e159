/* SPDX-License-Identifier: MIT */
/* List the cards in this machine, with their drivers. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	struct Monitor_card cards[16];
	int count = Monitor_card_list(cards, 16);

	if (count < 0)
		errx(2, "%s", Monitor_error_message());
	for (int i = 0; i < count && i < 16; i++)
		printf("%s %s %s\n", cards[i].address, cards[i].driver, cards[i].device);
	printf("%d cards\n", count);
	return 0;
}
