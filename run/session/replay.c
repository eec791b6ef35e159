// SPDX-License-Identifier: MIT
/*
 * run/session: replays the program while it runs.
 *
 * What lives here: the loop that runs the schedule, sleeps when there is nothing to do, detects
 * processes that have ended, and handles Ctrl-C.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPLAY_WORDS 65536
#define NAP_MIN_NS 20000L
#define NAP_MAX_NS 1000000L
/*
 * Time in nanoseconds for which the loop polls for new words before it sleeps for the first time.
 */
#define ATTEND_NS 20000U
#define PIDS_MAX 1024
/*
 * The number of idle rounds, which take some milliseconds, after which pending accesses are passed
 * to the cards.
 */
#define SHOW_TURNS 8
/*
 * If each round has words to replay, all other checks are made only once in this number of rounds.
 * A round is shorter than a millisecond.
 */
#define KEEP_ROUNDS 16
/* Number of idle rounds between two checks of processes that are not children of this process. */
#define LOOK_TURNS 50
/* Time in nanoseconds after SIGTERM or SIGHUP after which the process is killed. */
#define GRACE_NS 5000000000U

static long longer(long nap_ns)
{
	return 2 * nap_ns < NAP_MAX_NS ? 2 * nap_ns : NAP_MAX_NS;
}

static void nap(long *nap_ns)
{
	nanosleep(&(struct timespec){.tv_nsec = *nap_ns}, NULL);
	*nap_ns = longer(*nap_ns);
}

/*
 * Poll for new words. After a thread has received its turn, it mostly writes a record within
 * microseconds, and waking this process takes longer than that. With a single processor, this
 * function is not called, because polling would keep the thread from running. Return: true if there
 * are new words.
 */
static bool attend(const struct run *run)
{
	uint64_t end = run_now_ns() + ATTEND_NS;
	bool stirs;

	do
		stirs = schedule_stirs(run->schedule);
	while (!stirs && run_now_ns() < end);
	return stirs;
}

/*
 * If @gathered is set, make the replay and the threads that wait for turns run on the processor
 * that this process uses now. Otherwise, let them run on all processors.
 */
static void gather(struct run *run, bool gathered)
{
	struct stream_header *header = run->stream;
	cpu_set_t set = header->host;
	int processor = gathered ? sched_getcpu() : -1;

	if (processor >= (int)STREAM_GATHERED_PROCESSOR || processor >= CPU_SETSIZE)
		processor = -1;
	if (processor >= 0) {
		CPU_ZERO(&set);
		CPU_SET(processor, &set);
	}
	sched_setaffinity(0, sizeof(set), &set);
	atomic_store(&header->gathered, STREAM_GATHERED(++run->gathers, processor + 1));
}

/*
 * Call this function when there is nothing to replay. If a thread has just received a turn, or
 * waits for a turn, wait for words from the thread. Return: true if such a thread exists.
 */
static bool hand_over(struct run *run)
{
	bool gathered = run->gather.gathered;

	if (!schedule_hurries(run->schedule))
		return false;
	if (run->several && gather_turn(&run->gather, run_now_ns()) != gathered)
		gather(run, !gathered);
	if (!run->several || run->gather.gathered || !attend(run))
		schedule_wait(run->schedule, NAP_MIN_NS);
	return true;
}

bool run_several_processors(void)
{
	cpu_set_t set;

	return !sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) > 1;
}

static struct run_signals signals_get(const struct run *run)
{
	struct run_signals signals = {0};

	if (run->config.ops->signals)
		run->config.ops->signals(run->config.opaque, &signals);
	return signals;
}

/* ---- processes ------------------------------------------------------------------------------- */

/*
 * Wait for children of this process: the process that it has started and, after the program has
 * ended, all processes that the program has started. Return: 1 if some children still run.
 */
static int reap(struct run *run)
{
	int state;
	pid_t pid;

	while ((pid = waitpid(-1, &state, WNOHANG)) > 0) {
		schedule_dead(run->schedule, (uint32_t)pid);
		if (pid != run->pid)
			continue;
		run->child_ended = 1;
		run->ends = signals_get(run).ends;
		run->status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
	}
	return !pid;
}

/*
 * Find the processes of the program that still run. Report the processes that have ended to the
 * schedule.
 */
static size_t look(struct run *run, uint32_t *pids, size_t capacity)
{
	size_t count = schedule_pids(run->schedule, pids, capacity), living = 0;

	if (count > capacity)
		count = capacity;
	for (size_t i = 0; i < count; i++) {
		if (run_process_is_dead(pids[i]) || !run_process_is_ours(pids[i]))
			schedule_dead(run->schedule, pids[i]);
		else
			pids[living++] = pids[i];
	}
	return living;
}

/*
 * Kill all processes of the program. Processes whose parent has ended become children of this
 * process, so continue until no child is left.
 */
static void end_all(struct run *run)
{
	long nap_ns = NAP_MIN_NS;

	for (;;) {
		run_process_kill_all();
		if (!reap(run))
			break;
		nap(&nap_ns);
	}
}

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

static void pass_on(const struct run *run, int number)
{
	/* The process id cannot be reused before this process has waited for it. */
	if (!run->child_ended)
		kill(run->pid, number);
}

/*
 * Send a signal to the program. After the signal, the program and its processes have some time to
 * end.
 */
static void ask_to_end(struct run *run, int number)
{
	pass_on(run, number);
	if (!run->deadline_ns)
		run->deadline_ns = run_now_ns() + GRACE_NS;
}

/*
 * React to signals. The SIGINT of a Ctrl-C also reaches the program, so it is not passed on. A
 * signal that a process has sent to this process is passed on. Return: 1 if the run must end
 * immediately.
 */
static int obey(struct run *run)
{
	const struct run_signals signals = signals_get(run);

	if (signals.terminates != run->signals.terminates)
		ask_to_end(run, SIGTERM);
	if (signals.hangups != run->signals.hangups)
		ask_to_end(run, SIGHUP);
	if (signals.interrupts != run->signals.interrupts)
		pass_on(run, SIGINT);
	run->signals = signals;
	/*
	 * The first signal is passed to the program. If the program has already ended, the signal
	 * is passed to the program's remaining processes.
	 */
	if (signals.ends < 2 && !(run->child_ended && signals.ends > run->ends) &&
	    !(run->deadline_ns && run_now_ns() >= run->deadline_ns) && getppid() == run->guard)
		return 0;
	run->interrupted = 1;
	return 1;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void show_progress(const struct run *run)
{
	if (run->config.ops->progress)
		run->config.ops->progress(run->config.opaque, run);
}

static void replay_failed(struct run *run, int64_t error)
{
	/* If a card has failed, the error was already reported. */
	if (!run->failed) {
		if (error == -ENOSPC)
			run_message("more threads at the same time than the machine has processors "
				    "for; records written before that are valid");
		else if (error == -EUSERS)
			run_message("more processes than can be distinguished; records written "
				    "before that are valid");
		else if (error == -ENOMEM)
			run_memory_none();
		else
			run_message("the program can no longer be followed: %s; records written "
				    "before that are valid",
				    strerror((int)-error));
	}
	run->failed = 1;
	run_stream_stop(run);
}

/* Wait until the program ends. The program continues without a replay. */
static void wait_alone(struct run *run)
{
	long nap_ns = NAP_MAX_NS;

	run->alone = 1;
	while (!run->child_ended && !obey(run)) {
		reap(run);
		nap(&nap_ns);
	}
}

/*
 * Handle a round in which there is nothing to replay. Return: 1 if all processes of the program
 * have ended.
 */
static int idle(struct run *run, unsigned turns, int *reported)
{
	uint32_t pids[PIDS_MAX];
	size_t living;
	int left = reap(run);

	if (!run->child_ended && turns % LOOK_TURNS)
		return 0;
	living = look(run, pids, PIDS_MAX);
	if (!run->child_ended)
		return 0;
	/*
	 * After a fork, a process may need a long time until its first report. A process that
	 * executes an untraced program never reports anything.
	 */
	if (!living && left)
		living = run_process_traced();
	if (!living)
		return 1;
	if (!*reported && turns > LOOK_TURNS) {
		run_message("the program has ended; waiting for %zu process%s that it has started: "
			    "Ctrl-C ends %s",
			    living, living == 1 ? "" : "es", living == 1 ? "it" : "them");
		*reported = 1;
	}
	return 0;
}

void run_replay_abandon(struct run *run)
{
	long nap_ns = NAP_MIN_NS;

	run_stream_stop(run);
	do {
		run_process_kill_all();
		nap(&nap_ns);
	} while (run_process_reap());
}

void run_replay(struct run *run)
{
	struct stream_header *header = run->stream;
	unsigned turns = 0, ends = 0, rounds = 0;
	long nap_ns = NAP_MIN_NS;
	int reported = 0;

	/*
	 * Threads of the program wait for their turns, so this process must not sleep longer than
	 * it requests.
	 */
	prctl(PR_SET_TIMERSLACK, 1000UL);
	run->several = run_several_processors();
	for (;;) {
		int64_t done = schedule_run(run->schedule, REPLAY_WORDS);

		if (done < 0) {
			replay_failed(run, done);
			wait_alone(run);
			break;
		}
		if (done > 0) {
			nap_ns = NAP_MIN_NS;
			turns = ends = 0;
			if (++rounds % KEEP_ROUNDS)
				continue;
		} else {
			atomic_fetch_add(&header->idle, 1);
			turns++;
			if (turns == 1 && hand_over(run) && ++rounds % KEEP_ROUNDS)
				continue;
		}
		if (obey(run)) {
			run_stream_stop(run);
			break;
		}
		show_progress(run);
		run_cards_checkpoint(run);
		run_cards_rest(run);
		if (done > 0) {
			if (!run->child_ended)
				reap(run);
			continue;
		}
		/*
		 * After the first report of the end, replay the words that the last process wrote
		 * before its end.
		 */
		if (idle(run, turns, &reported) && ++ends > 1)
			break;
		/*
		 * Requests wait in a batch until the batch is full. Pass on the incomplete batch,
		 * because no more requests may arrive for some time.
		 */
		if (turns == SHOW_TURNS)
			machine_flush(run->machine);
		if (!ends) {
			schedule_wait(run->schedule, (uint64_t)nap_ns);
			nap_ns = longer(nap_ns);
		}
	}
	if (run->gather.gathered)
		gather(run, false);
	if (run->interrupted || run->alone)
		end_all(run);
}
