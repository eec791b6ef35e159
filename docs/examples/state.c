/* SPDX-License-Identifier: MIT */
/* Two events are simulated, and one of them is read in each interval. Estimate both events,
 * their ratio, and the next interval. */
#include <err.h>
#include <stdio.h>

#include <smile/estimate.h>

/* Get the value of a simulated counter. The rate of the work changes every 25 intervals. */
static double counted(int interval, size_t event)
{
	return (interval / 25 % 2 ? 300 : 100) * (event ? 4 : 1) + interval * 37 % 11;
}

int main(void)
{
	struct Estimate_rate ratio = {
		.kind = ESTIMATE_RATIO, .scale = 1, .of_count = 1, .by_count = 1};
	struct Estimate_state *state;
	struct Estimate_band band;
	int rate;

	if (Estimate_state_new(&state) < 0 || Estimate_state_event(state, "loads") < 0 ||
	    Estimate_state_event(state, "cycles") < 0)
		errx(2, "no state");
	ratio.of[0] = (size_t)Estimate_state_find(state, "loads");
	ratio.by[0] = (size_t)Estimate_state_find(state, "cycles");
	rate = Estimate_state_rate(state, &ratio);
	Estimate_state_predict(state, 0);
	for (int k = 0; k < 200; k++) {
		double begin_s = 0.01 * k, end_s = 0.01 * (k + 1);
		size_t event = k % 7 % 2;

		Estimate_state_predict(state, end_s);
		Estimate_state_reading(state, event, begin_s, end_s, counted(k, event));
		if (Estimate_state_learn(state) < 0)
			errx(2, "no memory");
	}
	if (Estimate_state_band(state, 0, &band) >= 0)
		printf("loads %.0f, %.0f to %.0f\n", band.value, band.low, band.high);
	if (Estimate_state_rate_band(state, (size_t)rate, &band) >= 0)
		printf("loads a cycle %.2f, %.2f to %.2f\n", band.value, band.low, band.high);
	if (Estimate_state_next(state, 0, 0.01, &band) >= 0)
		printf("then %.0f, %.0f to %.0f\n", band.value, band.low, band.high);
	Estimate_state_free(state);
}
