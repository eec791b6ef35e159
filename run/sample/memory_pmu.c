// SPDX-License-Identifier: MIT
/* run/sample: finds the events to sample. See memory_pmu.h. */
#include "run/sample/memory_pmu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/sample/host.h"
#include "run/sample/perf_ring.h"

#define DEVICES "/sys/bus/event_source/devices"
/*
 * Only loads that take at least this number of cycles are sampled. `perf mem` uses the same limit.
 * Intel's processors require a limit.
 */
#define LOAD_CYCLES 30U
#define PRECISE_DEFAULT 2U
#define PRECISE_MAX 3U
/*
 * The number of samples per second, for each event, that take one percent of a processor's time. A
 * sample takes up to 10 us of its processor's time, and there are two events.
 */
#define SAMPLES_FOR_PERCENT 500U

/*
 * Read the first line of a file of a PMU. Return: true if the file has a line. If it has no line,
 * @text is "".
 */
static bool pmu_line(char *text, size_t bytes, const char *pmu, const char *folder,
		     const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), DEVICES "/%s/%s%s%s", pmu, folder, *folder ? "/" : "", name);
	return sample_line(text, bytes, path);
}

/*
 * Set the bits of @config that a list such as "0-7,32" names. The bits receive the low bits of
 * @value, in the order of the list.
 */
static bool bits_set(uint64_t *config, const char *list, uint64_t value)
{
	char *end;

	while (*list) {
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (end == list)
			return false;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last < first || last > 63 || (*end && *end != ','))
			return false;
		for (; first <= last; first++, value >>= 1)
			*config = (*config & ~(1ULL << first)) | (value & 1) << first;
		list = *end ? end + 1 : end;
	}
	return true;
}

/*
 * Set a term of an event. The PMU's directory format/ in sysfs defines the bits of the term.
 * Return: true if the PMU has this term.
 */
static bool term_set(struct sample_planned *event, const char *pmu, const char *term,
		     uint64_t value)
{
	char format[128];

	if (!pmu_line(format, sizeof(format), pmu, "format", term))
		return false;
	if (!strncmp(format, "config:", 7))
		return bits_set(&event->config, format + 7, value);
	if (!strncmp(format, "config1:", 8))
		return bits_set(&event->config1, format + 8, value);
	if (!strncmp(format, "config2:", 8))
		return bits_set(&event->config2, format + 8, value);
	return false;
}

/* Find a PMU, and initialise an event of this PMU without terms. Return: true if the PMU exists. */
static bool pmu_find(struct sample_planned *event, const char *pmu)
{
	char text[32];

	*event = (struct sample_planned){.precise = 0};
	if (!pmu_line(text, sizeof(text), pmu, "", "type"))
		return false;
	event->type = (uint32_t)strtoul(text, NULL, 10);
	return true;
}

/*
 * Find an event in the PMU's list in sysfs, and set its terms, such as
 * "event=0xcd,umask=0x1,ldlat=3". Return: true if the PMU lists the event.
 */
static bool event_find(struct sample_planned *event, const char *pmu, const char *name)
{
	char text[256], *rest = text, *term;

	if (!pmu_find(event, pmu) || !pmu_line(text, sizeof(text), pmu, "events", name))
		return false;
	snprintf(event->name, sizeof(event->name), "%s/%s/", pmu, name);
	while ((term = strsep(&rest, ","))) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		if (!term_set(event, pmu, term, value ? strtoull(value, NULL, 0) : 1))
			return false;
	}
	return true;
}

static uint32_t precise_of(const char *pmu)
{
	char text[16];
	unsigned long most;

	if (!pmu_line(text, sizeof(text), pmu, "caps", "max_precise"))
		return PRECISE_DEFAULT;
	most = strtoul(text, NULL, 10);
	return most < PRECISE_MAX ? (uint32_t)most : PRECISE_MAX;
}

/*
 * On Intel processors, find the load events and the store events. Some processors also need an
 * auxiliary event for loads.
 */
static void intel_find(struct sample_plan *plan, const char *pmu)
{
	struct sample_planned loads, stores, beside;

	if (plan->count + 3 > SAMPLE_PLAN_MAX || !event_find(&loads, pmu, "mem-loads"))
		return;
	term_set(&loads, pmu, "ldlat", LOAD_CYCLES);
	loads.precise = precise_of(pmu);
	if (event_find(&beside, pmu, "mem-loads-aux")) {
		beside.leads = true;
		plan->list[plan->count++] = beside;
	}
	plan->list[plan->count++] = loads;
	if (event_find(&stores, pmu, "mem-stores")) {
		stores.precise = precise_of(pmu);
		plan->list[plan->count++] = stores;
	}
}

/*
 * On AMD processors, find the event for operations of all kinds. Some of these operations access
 * memory.
 */
static void amd_find(struct sample_plan *plan)
{
	struct sample_planned *event = &plan->list[plan->count];

	if (plan->count == SAMPLE_PLAN_MAX || !pmu_find(event, "ibs_op"))
		return;
	snprintf(event->name, sizeof(event->name), "ibs_op//");
	/*
	 * Sample by the number of operations, and not by the number of cycles. Otherwise,
	 * operations that take many cycles would be sampled more often.
	 */
	term_set(event, "ibs_op", "cnt_ctl", 1);
	plan->kernel_too = !term_set(event, "ibs_op", "swfilt", 1);
	plan->count++;
}

static uint64_t frequency_of(double overhead)
{
	uint64_t frequency = (uint64_t)(overhead * SAMPLES_FOR_PERCENT), most;
	char text[32];

	if (!frequency)
		frequency = 1;
	if (!sample_line(text, sizeof(text), "/proc/sys/kernel/perf_event_max_sample_rate"))
		return frequency;
	most = strtoull(text, NULL, 10);
	return most && most < frequency ? most : frequency;
}

void sample_plan_faults(struct sample_plan *plan)
{
	*plan = (struct sample_plan){
		.source = SAMPLE_FAULTS,
		.list = {{.name = "page-faults",
			  .type = PERF_TYPE_SOFTWARE,
			  .config = PERF_COUNT_SW_PAGE_FAULTS}},
		.count = 1,
		.sample_type = SAMPLE_TYPE_FAULTS,
	};
}

int sample_plan_memory(struct sample_plan *plan, double overhead, char *why, size_t why_bytes)
{
	*plan = (struct sample_plan){
		.source = SAMPLE_MEMORY,
		.sample_type = SAMPLE_TYPE_MEMORY,
		.frequency = frequency_of(overhead),
	};
	intel_find(plan, "cpu");
	intel_find(plan, "cpu_core");
	if (!plan->count)
		amd_find(plan);
	if (plan->count)
		return 0;
	snprintf(why, why_bytes,
		 "the processors do not sample memory accesses, or a hypervisor hides it: there is "
		 "neither cpu/events/mem-loads nor ibs_op in " DEVICES);
	return -ENODEV;
}

void sample_plan_names(const struct sample_plan *plan, char *names, size_t bytes)
{
	size_t length = 0;

	*names = '\0';
	for (size_t i = 0; i < plan->count && length < bytes; i++)
		if (!plan->list[i].leads)
			length += (size_t)snprintf(names + length, bytes - length, "%s%s",
						   length ? ", " : "", plan->list[i].name);
}
