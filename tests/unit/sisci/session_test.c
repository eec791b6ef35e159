/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of callbacks, and of effects that remain after a call: the child of a fork(), a thread that
 * is cancelled in a wait, handles of removed segments, and dropped events. May use sisci_fixture.h
 * and POSIX.
 */
#include "tests/unit/sisci/sisci_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

/*
 * The child must not have the objects of the parent, and each call must return. Return: 0, or the
 * number of a failure.
 */
static int child(const struct sisci_stage *stage)
{
	sci_error_t error;

	SCIWaitForInterrupt((sci_local_interrupt_t)stage->interrupt, SCI_INFINITE_TIMEOUT, 0,
			    &error);
	if (error != SCI_ERR_NOT_INITIALIZED)
		return 1;
	SCIRemoveSegment(stage->segment, 0, &error);
	if (error != SCI_ERR_OK)
		return 2;
	SCITerminate();
	SCIInitialize(0, &error);
	if (error != SCI_ERR_OK)
		return 3;
	SCITerminate();
	return 0;
}

static void session_child_of_a_fork_has_none(void **state)
{
	struct sisci_stage *stage = *state;
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(child(stage));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	/* The parent's objects are unchanged. */
	assert_int_equal(SCIGetLocalSegmentId(stage->segment), 77);
	assert_false(stage->segment->object.gone);
}

struct calls {
	sci_local_segment_t segment;
	bool good;
	int count;
};

static sci_callback_action_t on_interrupt(void *arg, sci_local_interrupt_t interrupt,
					  sci_error_t why)
{
	struct calls *calls = arg;
	sci_error_t error;
	int status;
	pid_t pid;

	/*
	 * A thread waits for an event that it must deliver itself. The call is refused, because it
	 * would never return.
	 */
	SCIWaitForLocalSegmentEvent(calls->segment, NULL, NULL, SCI_INFINITE_TIMEOUT, 0, &error);
	calls->good = interrupt && error == SCI_ERR_ILLEGAL_OPERATION && why == SCI_ERR_OK;
	pid = fork();
	if (!pid) {
		SCITerminate();
		_exit(0);
	}
	calls->good &= waitpid(pid, &status, 0) == pid && WIFEXITED(status);
	sisci_enter();
	calls->count++;
	pthread_cond_broadcast(&sisci_changed);
	sisci_leave();
	return SCI_CALLBACK_CONTINUE;
}

static void session_callback_is_called_for_each_trigger(void **state)
{
	struct sisci_stage *stage = *state;
	struct calls calls = {.segment = stage->segment};
	const struct smile_adapter_event event = {
		.kind = SMILE_ADAPTER_EVENT_INTERRUPT, .handle = 2, .count = 3};

	sisci_enter();
	stage->interrupt->callback = on_interrupt;
	stage->interrupt->arg = &calls;
	sisci_leave();
	sisci_stage_event(stage, &event);
	sisci_enter();
	while (calls.count < 3)
		sisci_wait_change();
	sisci_leave();
	assert_true(calls.good);
}

static void *waiter(void *opaque)
{
	sci_error_t error;

	SCIWaitForInterrupt(opaque, SCI_INFINITE_TIMEOUT, 0, &error);
	return NULL;
}

static void session_thread_is_cancelled_in_a_wait(void **state)
{
	struct sisci_stage *stage = *state;
	const struct smile_adapter_event event = {
		.kind = SMILE_ADAPTER_EVENT_INTERRUPT, .handle = 2, .count = 2};
	pthread_t thread;
	sci_error_t error;
	void *result;
	bool waits = false;

	assert_int_equal(pthread_create(&thread, NULL, waiter, stage->interrupt), 0);
	while (!waits) {
		sisci_enter();
		waits = stage->interrupt->object.users == 1;
		sisci_leave();
	}
	assert_int_equal(pthread_cancel(thread), 0);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_ptr_equal(result, PTHREAD_CANCELED);
	assert_int_equal(stage->interrupt->object.users, 0);
	/* The library still works: it delivers both triggers, and no third one. */
	sisci_stage_event(stage, &event);
	SCIWaitForInterrupt((sci_local_interrupt_t)stage->interrupt, SCI_INFINITE_TIMEOUT, 0,
			    &error);
	assert_int_equal(error, SCI_ERR_OK);
	SCIWaitForInterrupt((sci_local_interrupt_t)stage->interrupt, 0, 0, &error);
	assert_int_equal(error, SCI_ERR_OK);
	SCIWaitForInterrupt((sci_local_interrupt_t)stage->interrupt, 0, 0, &error);
	assert_int_equal(error, SCI_ERR_TIMEOUT);
}

static void session_handle_of_a_gone_segment_has_its_id(void **state)
{
	struct sisci_stage *stage = *state;
	struct sci_remote_segment *remote;
	sci_error_t error;

	sisci_enter();
	remote = sisci_new(sizeof(*remote), KIND_REMOTE, stage->sd, NULL);
	sisci_add(remote, 0);
	remote->node = 3;
	remote->id = 900;
	remote->bytes = 5;
	sisci_leave();
	SCIDisconnectSegment(remote, 0, &error);
	assert_int_equal(error, SCI_ERR_OK);
	assert_int_equal(SCIGetRemoteSegmentId(remote), 900);
	assert_int_equal(SCIGetRemoteSegmentNodeId(remote), 16);
	assert_int_equal(SCIGetRemoteSegmentSize(remote), 5);
	SCIDisconnectSegment(remote, 0, &error);
	assert_int_equal(error, SCI_ERR_ILLEGAL_PARAMETER);
	assert_int_equal(SCIGetRemoteSegmentId(NULL), 0);
}

static void session_dropped_events_are_reported(void **state)
{
	struct sisci_stage *stage = *state;
	const struct smile_adapter_event event = {.kind = SMILE_ADAPTER_EVENT_CONNECT,
						  .handle = 1,
						  .node = THERE,
						  .dropped = 7,
						  .count = 1};
	sci_segment_cb_reason_t reason;
	sci_error_t error;
	unsigned node;

	sisci_stage_event(stage, &event);
	SCIWaitForLocalSegmentEvent(stage->segment, &node, NULL, SCI_INFINITE_TIMEOUT, 0, &error);
	assert_int_equal(error, SCI_ERR_OVERFLOW);
	reason = SCIWaitForLocalSegmentEvent(stage->segment, &node, NULL, SCI_INFINITE_TIMEOUT, 0,
					     &error);
	assert_int_equal(error, SCI_ERR_OK);
	assert_int_equal(reason, SCI_CB_CONNECT);
	assert_int_equal(node, 4 * (THERE + 1));
}

static void session_private_segment_is_never_available(void **state)
{
	struct sisci_stage *stage = *state;
	sci_error_t error;

	stage->segment->private = true;
	SCIPrepareSegment(stage->segment, 0, 0, &error);
	assert_int_equal(error, SCI_ERR_OK);
	SCISetSegmentAvailable(stage->segment, 0, 0, &error);
	assert_int_equal(error, SCI_ERR_ILLEGAL_OPERATION);
	SCISetSegmentUnavailable(stage->segment, 0, 0, &error);
	assert_int_equal(error, SCI_ERR_ILLEGAL_OPERATION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(session_child_of_a_fork_has_none, sisci_stage_setup,
						sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(session_callback_is_called_for_each_trigger,
						sisci_stage_setup, sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(session_thread_is_cancelled_in_a_wait,
						sisci_stage_setup, sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(session_handle_of_a_gone_segment_has_its_id,
						sisci_stage_setup, sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(session_dropped_events_are_reported,
						sisci_stage_setup, sisci_stage_teardown),
		cmocka_unit_test_setup_teardown(session_private_segment_is_never_available,
						sisci_stage_setup, sisci_stage_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
