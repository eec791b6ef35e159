// SPDX-License-Identifier: MIT
/*
 * smile run: the run, from its beginning to its end.
 *
 * What lives here: machine, schedule, cards and captures are made, the program is run, and all of
 * that is completed, whatever happens in between.
 */
#include "tools/run/run.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

static void notice(void *opaque, enum schedule_notice kind, const char *text)
{
	tool_message("%s", text);
}

/* Are responses used? Without them the machine has half the work. */
static int needs_responses(const struct run_options *options)
{
	if (options->capture || options->card.config.filter & SMILE_FILTER_RESPONSE)
		return 1;
	for (unsigned i = 0; i < options->card.specs_count; i++)
		if (options->card.specs[i].filter & SMILE_FILTER_RESPONSE)
			return 1;
	return 0;
}

static int machine_start(struct run *run)
{
	static const struct machine_ops ops = {
		.frames = run_cards_frames,
		.requests = run_cards_requests,
	};
	const struct run_options *options = &run->options;
	struct machine_config config = {
		.nodes = options->nodes,
		.processors = MACHINE_PROCESSORS_MAX,
		.latency = &options->latency,
		.placement = options->placement,
		.placement_node = options->placement_node,
		.cache = options->cache,
		.no_responses = run->no_responses,
		.batches = FEED_BATCHES,
		.locals = options->prefix != NULL,
	};
	int err;

	/* Nothing is made that is not used. */
	for (unsigned n = 0; n < options->nodes; n++)
		if (options->prefix || run->captures.node[n])
			config.watch |= 1ULL << n;
	err = machine_create(&run->machine, &config, &ops, run);
	if (err < 0)
		return tool_error("a machine like this cannot be built: %s", strerror(-err));
	if (options->placement_file)
		return run_place_apply(options->placement_file, run->machine);
	return TOOL_OK;
}

static int schedule_start(struct run *run)
{
	static const struct schedule_ops ops = {
		.phase = run_map_phase,
		.notice = notice,
		.block = run_heap_block,
		.frame = run_frames_frame,
	};
	const struct schedule_config config = {
		.machine = run->machine,
		.mapping = run->options.mapping,
		.threads = run->options.threads,
		.list = run->options.list,
		.list_count = run->options.list_count,
		.ops = &ops,
		.opaque = run,
	};
	int err = schedule_create(&run->schedule, &config, run->stream);

	if (err < 0)
		return tool_error("the replay cannot begin: %s", strerror(-err));
	return TOOL_OK;
}

/* Everything that may fail without the program. */
static int run_prepare(struct run *run)
{
	uint64_t captured = 0;
	int status = run_stream_create(run);

	if (status == TOOL_OK)
		status = run_cards_open(run);
	if (status == TOOL_OK)
		status = captures_create(&run->captures, run->options.capture, run->options.nodes,
					 run->options.capture_node, &captured);
	if (status == TOOL_OK)
		status = run_phases_begin(run);
	if (status == TOOL_OK)
		status = machine_start(run);
	if (status == TOOL_OK)
		status = schedule_start(run);
	return status;
}

static void run_finish(struct run *run)
{
	const struct stream_header *header = run->stream;
	int err = schedule_finish(run->schedule);

	run_cards_drain(run);
	if (err < 0 && !run->failed) {
		tool_error("the replay has ended early: %s; what was recorded before is good",
			   strerror(-err));
		run->failed = 1;
	}
	if (!atomic_load(&header->ready) && !run->interrupted) {
		tool_error("the program was not traced: see what QEMU says above; is qemu-x86_64 "
			   "of version 7.2 or later, with plugins?");
		run->failed = 1;
	}
	run_phases_end(run);
	run_cards_stop(run);
	run_map_report(run);
}

static int run_all(struct run *run, const struct run_program *program)
{
	int status = run_prepare(run), reported;

	if (status == TOOL_OK)
		status = run_tracer_start(run, program);
	if (status == TOOL_OK) {
		run_cards_begin(run);
		run_replay(run);
		run_finish(run);
	}
	run_cards_close(run);
	if (captures_close(&run->captures, TOOL_OK) != TOOL_OK)
		run->failed = 1;
	if (status == TOOL_OK) {
		reported = run_report(run);
		status = reported == TOOL_ERROR ? TOOL_ERROR : run->status ? run->status : reported;
	}
	run_phases_free(run);
	run_heap_free(run);
	run_frames_free(run);
	schedule_destroy(run->schedule);
	machine_destroy(run->machine);
	for (unsigned n = 0; n < MACHINE_NODES_MAX; n++)
		free(run->cards[n].file);
	run_stream_free(run);
	return status;
}

int run_execute(const struct run_options *options, char **command, int argc, char **argv)
{
	static struct run run = {.stream_fd = -1};
	struct run_program program;
	int status = run_program_find(&program, command);

	run.options = *options;
	run.command_line = tool_command_line(argc, argv);
	if (!run.command_line)
		status = tool_error("no memory");
	run.no_responses = !needs_responses(&run.options);
	if (status == TOOL_OK)
		status = run_guard(&run, &program, run_all);
	free(run.command_line);
	run_program_free(&program);
	return status;
}
