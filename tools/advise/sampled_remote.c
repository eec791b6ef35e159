// SPDX-License-Identifier: MIT
/*
 * smile advise --verify, for samples: sample the program again, with the placement and without it.
 *
 * What lives here: two runs of `smile sample`, and the share of remote samples in each run. If
 * `smile sample` fails, its last message is reported as the reason why the share is not known.
 */
#include "tools/advise/sampled_verify.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/analysis/sampled.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define PATH_BYTES (ADVISE_SCRATCH_BYTES + 64)
#define FIRST_SAMPLES_NS 2000000000 /* the default time to the first samples of source faults */
#define WORDS_BEFORE 16 /* the largest number of words before the program's name */

/**
 * struct again - One repeated run under `smile sample`.
 * @request: the program, and the options with which it is sampled
 * @prefix: prefix of the names of its recordings
 * @json: file of its JSON summary
 * @errors: file of the messages of `smile sample`
 */
struct again {
	const struct sampled_again *request;
	char prefix[PATH_BYTES];
	char json[PATH_BYTES];
	char errors[PATH_BYTES];
};

/* Read the last message of `smile sample` from the file of its messages. */
static void last_line(const char *path, char *line, size_t bytes)
{
	static const char own[] = "smile sample: ";
	char text[256];
	FILE *file = fopen(path, "re");

	snprintf(line, bytes, "smile sample has printed no message");
	while (file && fgets(text, sizeof(text), file)) {
		text[strcspn(text, "\n")] = '\0';
		if (!strncmp(text, own, strlen(own)))
			snprintf(line, bytes, "%s", text + strlen(own));
	}
	if (file)
		fclose(file);
}

static void files_remove(const struct again *again)
{
	char pattern[PATH_BYTES + 8];
	glob_t found;

	unlink(again->json);
	unlink(again->errors);
	snprintf(pattern, sizeof(pattern), "%s-node*", again->prefix);
	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
	globfree(&found);
}

/*
 * Read the numbers of samples from the JSON summary. Return: whether the share of remote samples is
 * known; if it is not known, @why contains the reason.
 */
static bool summary_take(const struct run_facts *summary, int recorded, uint64_t *remote,
			 uint64_t *samples, char *why, size_t why_bytes)
{
	const bool soon = summary->elapsed_ns < FIRST_SAMPLES_NS;

	*remote = summary->remote;
	*samples = summary->transactions;
	if ((int)summary->exit_status != recorded)
		snprintf(why, why_bytes, "the program has ended with status %d when it was sampled",
			 (int)summary->exit_status);
	else if (!*samples)
		snprintf(why, why_bytes, "a sampled run %s the placement had no samples%s",
			 summary->unscanned_nodes.at ? "with" : "without",
			 soon && !strcmp(summary->samples.source, "faults")
				 ? ", because the program ended before the kernel had scanned its "
				   "memory twice"
				 : "");
	else if (summary->unscanned_nodes.count)
		snprintf(why, why_bytes,
			 "the kernel does not scan the pages that the placement has put on node "
			 "%" PRIu64,
			 summary->unscanned_nodes.at[0]);
	else
		return true;
	return false;
}

static bool sample_again(const struct again *again, const char *placement, uint64_t *remote,
			 uint64_t *samples, char *why, size_t why_bytes)
{
	const struct sampled_again *request = again->request;
	char *words[WORDS_BEFORE] = {
		(char *)"smile",       (char *)"sample",	(char *)"--quiet",
		(char *)"--source",    (char *)request->source, (char *)"--output",
		(char *)again->prefix, (char *)"--json",	(char *)again->json};
	size_t before = 9, count = 0;
	struct run_facts summary;
	double seconds;
	bool known;
	char **all;

	if (request->bound)
		words[before++] = (char *)"--bind";
	if (placement) {
		words[before++] = (char *)"--place";
		words[before++] = (char *)placement;
	}
	words[before++] = (char *)"--";
	while (request->program[count])
		count++;
	all = tool_memory(before + count + 1, sizeof(*all));
	memcpy(all, words, before * sizeof(*all));
	memcpy(all + before, request->program, count * sizeof(*all));
	sampled_run_once("/proc/self/exe", all, request->reads, again->errors, &seconds);
	free(all);
	run_facts_decode(json_load_file(again->json, 0, NULL), &summary);
	known = summary.document &&
		summary_take(&summary, request->recorded, remote, samples, why, why_bytes);
	if (!summary.document)
		last_line(again->errors, why, why_bytes);
	run_facts_free(&summary);
	files_remove(again);
	return known;
}

void sampled_remote_measure(struct sampled_remote *remote, const struct sampled_again *request)
{
	struct again again = {.request = request};

	snprintf(again.prefix, sizeof(again.prefix), "%s/again", request->scratch);
	snprintf(again.json, sizeof(again.json), "%s/again.json", request->scratch);
	snprintf(again.errors, sizeof(again.errors), "%s/again.err", request->scratch);
	*remote = (struct sampled_remote){.known = true};
	for (unsigned i = 0; i < 2 && remote->known; i++)
		remote->known =
			sample_again(&again, i ? request->placement : NULL, &remote->remote[i],
				     &remote->samples[i], remote->why, sizeof(remote->why));
}

enum sampled_change sampled_remote_change(const struct sampled_remote *remote)
{
	struct sampled_share difference;

	if (!remote->known)
		return SAMPLED_UNCLEAR;
	difference = sampled_difference(remote->remote, remote->samples);
	if (difference.low > 0)
		return SAMPLED_MORE;
	return difference.high < 0 ? SAMPLED_FEWER : SAMPLED_UNCLEAR;
}

void sampled_remote_text(const struct sampled_remote *remote, char *text, size_t bytes)
{
	struct sampled_share without = sampled_share(remote->remote[0], remote->samples[0]);
	struct sampled_share with = sampled_share(remote->remote[1], remote->samples[1]);
	static const char *const changes[] = {
		[SAMPLED_UNCLEAR] = "the difference is unclear",
		[SAMPLED_FEWER] = "it is smaller with it",
		[SAMPLED_MORE] = "it is larger with it",
	};

	if (remote->known)
		snprintf(text, bytes,
			 "Sampled again, the remote share is %.1f%% without it [%.1f-%.1f], %.1f%% "
			 "with it [%.1f-%.1f]: %s.",
			 100 * without.share, sampled_percent_low(&without),
			 sampled_percent_high(&without), 100 * with.share,
			 sampled_percent_low(&with), sampled_percent_high(&with),
			 changes[sampled_remote_change(remote)]);
	else
		snprintf(text, bytes, "The remote share is not known: %s.", remote->why);
}

json_t *sampled_remote_json(const struct sampled_remote *remote)
{
	static const char *const changes[] = {
		[SAMPLED_UNCLEAR] = "unclear",
		[SAMPLED_FEWER] = "smaller",
		[SAMPLED_MORE] = "larger",
	};
	struct sampled_share difference = sampled_difference(remote->remote, remote->samples);
	json_t *object = json_object();

	if (!remote->known) {
		json_object_set_new(object, "change", json_null());
		json_object_set_new(object, "why", document_text(remote->why));
		return object;
	}
	json_object_set_new(object, "change", json_string(changes[sampled_remote_change(remote)]));
	for (unsigned i = 0; i < 2; i++) {
		const char *name = i ? "with" : "without";

		json_object_set_new(
			object, name,
			json_real(sampled_share(remote->remote[i], remote->samples[i]).share));
		sampled_share_set(object, name, remote->remote[i], remote->samples[i]);
	}
	json_object_set_new(object, "difference", json_real(difference.share));
	json_object_set_new(object, "difference_low_95", json_real(difference.low));
	json_object_set_new(object, "difference_high_95", json_real(difference.high));
	return object;
}
