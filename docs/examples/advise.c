/* SPDX-License-Identifier: MIT */
/* Print a sentence of advice for each variable of a recording. */
#include <err.h>
#include <stdio.h>

#include <smile/advise.h>

int main(int argc, char **argv)
{
	char text[MONITOR_SENTENCE_BYTES];
	struct Monitor_advise *advise;
	struct Monitor *mon;
	int got;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: advise RECORDING");
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	if (Monitor_advise_new(mon, NULL, &advise) < 0)
		errx(2, "%s", Monitor_error_message());
	for (size_t i = 0; i < Monitor_advise_figure(advise, MONITOR_FIGURE_DATA); i++)
		puts(Monitor_advise_sentence(advise, Monitor_advise_data_at(advise, i), text));
	Monitor_advise_free(advise);
	return Monitor_close(mon) < 0;
}
