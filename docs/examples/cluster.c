/* SPDX-License-Identifier: MIT */
/* Three nodes have two counters each, and each node reads one of its counters in each interval.
 * At first, the readings of the last node arrive one interval late. Later they stop, so its band
 * grows. */
#include <err.h>
#include <stdio.h>

#include <smile/estimate.h>

int main(void)
{
	static const size_t counters[3] = {2, 2, 2};
	struct Estimate_process processes[6];
	struct Estimate_element elements[3];
	struct Estimate_cluster *cluster;
	struct Estimate_band band;

	for (size_t i = 0; i < 6; i++)
		processes[i] = (struct Estimate_process){.sigma = 100, .beta = 5, .mean = 1000};
	if (Estimate_cluster_new(&cluster, processes, counters, 3, 4) < 0)
		errx(2, "no cluster");
	for (uint64_t interval = 1; interval <= 40; interval++) {
		Estimate_cluster_predict(cluster, 0.02);
		for (uint64_t of = interval - 1; of <= interval; of++) {
			int count = Estimate_cluster_vector(cluster, of, 2, 1, elements, 3);

			for (int e = 0; e < count; e++) {
				int late = elements[e].node == 2 && of < 20;

				if (elements[e].node == 2 && !late)
					continue;
				if (late == (of < interval))
					Estimate_cluster_reading(cluster, of, elements[e].node,
								 elements[e].counter, 1100);
			}
		}
	}
	for (size_t node = 0; node < 3; node += 2) {
		if (Estimate_cluster_band(cluster, node, 0, &band) >= 0)
			printf("node %zu: %.0f +- %.0f\n", node, band.value, band.deviation);
	}
	if (Estimate_cluster_difference(cluster, 2, 0, &band) >= 0)
		printf("from the mean: %.0f +- %.0f\n", band.value, band.deviation);
	printf("after %d intervals\n", (int)Estimate_cluster_interval(cluster));
	Estimate_cluster_free(cluster);
}
