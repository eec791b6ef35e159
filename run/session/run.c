// SPDX-License-Identifier: MIT
/*
 * run/session: the run, from its beginning to its end.
 *
 * What lives here: creating the machine, the schedule, the cards and the captures; running the
 * program; and completing the recordings and captures, even after an error.
 */
#include "run/allocations/allocations.h"
#include "run/session/session_inside.h"
#include "run/session/migration.h"
#include "run/session/network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void notice(void *opaque, enum schedule_notice kind, const char *text)
{
	run_message("%s", text);
}

static bool run_migrates(const struct run_config *config)
{
	return config->migrate_ns || config->migrate_phases;
}

/* Check whether the frames of this node are captured. */
static bool run_captures(const struct run_config *config, unsigned node)
{
	return config->capture && (config->capture_node < 0 || config->capture_node == (int)node);
}

static int machine_start(struct run *run)
{
	static const struct machine_ops ops = {
		.frames = run_cards_frames,
		.counted = run_cards_counted,
		.accessed = run_accessed,
	};
	const struct run_config *asked = &run->config;
	struct machine_config config = {
		.nodes = asked->nodes,
		.processors = MACHINE_PROCESSORS_MAX,
		.latency = &asked->latency,
		.placement = asked->placement,
		.placement_node = asked->placement_node,
		.cache = asked->cache,
		.caches = asked->caches,
		.no_responses = run->no_responses,
		.locals = asked->prefix != NULL,
		.accesses = asked->prefix != NULL,
		.counts_aside = run_several_processors(),
	};
	int err;

	run->counted_bytes = run_counted_bytes(run);
	config.tally_bytes = run->counted_bytes;
	if (asked->caches.count)
		config.accessed_bytes = SMILE_WORD_BYTES;
	run_memory_begin();
	/* The rest of the memory is left for the program and for the delivery of the counts. */
	config.counts_bytes = run_memory_left() / 3;
	checkpoint_phase(&run->checkpoint, run_now_ns());
	/* Do not create B-Links for nodes whose frames are not used. */
	for (unsigned n = 0; n < asked->nodes; n++)
		if (asked->prefix || run_migrates(asked) || run_captures(asked, n))
			config.watch |= 1ULL << n;
	err = machine_create(&run->machine, &config, &ops, run);
	if (err < 0)
		return run_error(err, "a machine like this cannot be built: %s", strerror(-err));
	if (asked->placement_file)
		return run_place_apply(asked->placement_file, run);
	return 0;
}

/* An epoch has ended. This is a function of struct schedule_ops. */
static void epoch(void *opaque, uint64_t cycle, bool phase, uint64_t *delays)
{
	struct run *run = opaque;
	int err;

	if (run->network)
		run_network_epoch(run->network, cycle, delays);
	if (!run->migrate)
		return;
	err = migrate_look(run->migrate, cycle, phase, delays);
	if (err < 0)
		machine_fail(run->machine, err);
}

/*
 * Compute the length of an epoch, and the interval after which moves of pages are judged. The epoch
 * is a multiple of the interval.
 */
static struct migrate_config migrate_times(const struct run *run)
{
	double cycles_of_ns = (double)machine_frequency(run->machine) / 1e9;
	uint64_t epoch = (uint64_t)((double)run->config.migrate_ns * cycles_of_ns);
	uint64_t look = (uint64_t)(MIGRATE_LOOK_NS * cycles_of_ns);
	uint64_t looks;

	if (!run->config.migrate_ns)
		return (struct migrate_config){.look_cycles = look};
	looks = (epoch + look - 1) / look;
	look = looks ? epoch / looks : 1;
	return (struct migrate_config){.epoch_cycles = looks ? looks * look : 1,
				       .look_cycles = look};
}

static int schedule_start(struct run *run)
{
	static const struct schedule_ops ops = {
		.phase = run_map_phase,
		.notice = notice,
		.block = run_heap_block,
		.region = run_names_region,
		.frame = run_frames_frame,
		.epoch = epoch,
		.meet = run_intervals_next,
		.sleeps = run_process_sleeps,
	};
	struct migrate_config times;
	struct schedule_config config = {
		.machine = run->machine,
		.mapping = run->config.mapping,
		.threads = run->config.threads,
		.list = run->config.list,
		.list_count = run->config.list_count,
		.orders = run->orders.list,
		.orders_count = run->orders.count,
		.epoch_phases = run->config.migrate_phases,
		.ops = &ops,
		.opaque = run,
	};
	int err;

	if (run_migrates(&run->config)) {
		times = migrate_times(run);
		config.epoch_cycles = times.look_cycles;
		run->migrate = migrate_create(run->machine, &times);
		if (!run->migrate)
			return run_error(-ENOMEM, "no memory");
	}
	if (run->config.network.nodes) {
		config.epoch_cycles = machine_cycles(run->machine, RUN_NETWORK_EPOCH_NS);
		run->network =
			run_network_new(run->machine, &run->config.network,
					run->config.cache.bytes ? run->config.cache.line_bytes : 0);
		if (!run->network)
			return run_error(-ENOMEM, "no memory");
	}
	err = schedule_create(&run->schedule, &config, run->stream);

	if (err < 0)
		return run_error(err, "the replay cannot begin: %s", strerror(-err));
	return 0;
}

/*
 * Create the cards, the machine and the schedule first, and the files last. Call this function only
 * after the program is known to be traced. Otherwise the files of an earlier run would be lost if
 * the program is not traced, or if one of these parts cannot be created.
 */
static int run_prepare(struct run *run)
{
	int status = run_cards_open(run);

	if (!status)
		status = run_phases_begin(run);
	if (!status)
		status = machine_start(run);
	if (!status)
		status = schedule_start(run);
	if (status) {
		run_message("the program was ended before it began; %s", run_nothing);
		return status;
	}
	/* Open all files before any older file is emptied. */
	status = run_cards_save(run);
	if (!status)
		status = captures_check(run->config.capture, run->config.nodes,
					run->config.capture_node);
	if (status) {
		run_cards_remove(run);
		run_message("the program was ended before it began; %s", run_nothing);
		return status;
	}
	status = captures_create(&run->captures, run->config.capture, run->config.nodes,
				 run->config.capture_node);
	return status ? status : run_cards_begin(run);
}

static void run_finish(struct run *run)
{
	int err = schedule_finish(run->schedule);

	if (run->network)
		run_network_end(run->network, schedule_now(run->schedule));
	if (err < 0 && !run->failed) {
		run_message("the replay has ended early: %s; records written before that are valid",
			    strerror(-err));
		run->failed = 1;
	}
	run_tracer_broken(run);
	run_notes(run);
	run_names_end(run);
	run_cards_until(run);
	if (run->config.prefix && (run->interrupted || run->alone || run->broken || err < 0))
		run_message("the recordings end at %.6f s of simulated time",
			    (double)machine_time_ns(run->machine, schedule_now(run->schedule)) /
				    1e9);
	run_phases_end(run);
	run_cards_stop(run);
	run_map_report(run);
}

/* Get the exit status from the result of the caller's function and the program's exit status. */
static int run_status(const struct run *run)
{
	const struct run_ops *ops = run->config.ops;
	int status = ops->ended ? ops->ended(run->config.opaque, run) : 0;

	if (run->failed)
		return RUN_FAILED;
	return status == RUN_FAILED || !run->status ? status : run->status;
}

static int run_all(struct run *run, const struct run_program *program)
{
	int status = run_stream_create(run);

	run->program = program->file;
	run_called_find(run);
	if (!status)
		status = run_tracer_start(run, program);
	if (!status)
		status = run_files_write(run);
	if (status)
		run_message("the program was not started; %s", run_nothing);
	else
		status = run_tracer_await(run);
	if (!status)
		status = run_prepare(run);
	if (status && run->pid)
		run_replay_abandon(run);
	if (!status) {
		run->began_ns = run_now_ns();
		run_stream_go(run);
		run_replay(run);
		run_finish(run);
	}
	run_cards_close(run);
	if (captures_close(&run->captures) < 0)
		run->failed = 1;
	if (!status)
		status = run_status(run);
	run_phases_free(run);
	allocations_free(run->heap);
	run_frames_free(run);
	run_intervals_free(run);
	schedule_destroy(run->schedule);
	run_orders_free(&run->orders);
	run_names_free(run);
	migrate_destroy(run->migrate);
	run_network_free(run->network);
	machine_destroy(run->machine);
	for (unsigned n = 0; n < MACHINE_NODES_MAX; n++)
		free(run->cards[n].file);
	run_stream_free(run);
	free(run->real);
	free(run->called);
	return status < 0 ? RUN_FAILED : status;
}

int run_execute(const struct run_config *config, char **command)
{
	struct run_program program;
	bool works = false;
	struct run *run;
	int status;

	run_messages_to(config->ops, config->opaque);
	run = calloc(1, sizeof(*run));
	if (!run)
		return run_error(RUN_FAILED, "no memory");
	run->stream_fd = -1;
	run->config = *config;
	run->arguments = command;
	run->no_responses = !config->responses && !config->capture;
	status = run_program_find(&program, command);
	if (!status)
		status = run_guard(run, &program, run_all);
	run_program_free(&program);
	works = run->works;
	free(run);
	if (works)
		exit(status);
	return status;
}
