/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handlers of signals. See handlers.h. May use the channel.
 *
 * The first word of the kernel's form of an action is the handler. The program may have passed an
 * invalid address, or the address of memory that is only readable, so the kernel copies this word.
 */
#include "run/tracer/handlers.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "run/stream.h"
#include "run/tracer/channel.h"

static uint64_t replacement, *handlers;

static bool handler_read(uint64_t address, uint64_t *handler)
{
	struct iovec to = {handler, sizeof(*handler)};
	struct iovec from = {(void *)(uintptr_t)address, sizeof(*handler)};

	return address && process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(*handler);
}

static bool handler_write(uint64_t address, uint64_t handler)
{
	struct iovec from = {&handler, sizeof(handler)};
	struct iovec to = {(void *)(uintptr_t)address, sizeof(handler)};

	return process_vm_writev(getpid(), &from, 1, &to, 1, 0) == sizeof(handler);
}

static bool is_function(uint64_t handler)
{
	return handler != (uint64_t)(uintptr_t)SIG_DFL && handler != (uint64_t)(uintptr_t)SIG_IGN;
}

void handlers_begin(uint64_t function, uint64_t table)
{
	replacement = function;
	handlers = (uint64_t *)(uintptr_t)table;
}

void handlers_enter(struct thread *thread)
{
	uint64_t number = thread->args[0], handler;

	thread->handler = 0;
	if (!replacement || number >= STREAM_SIGNALS)
		return;
	thread->handler_before = handlers[number];
	if (!handler_read(thread->args[1], &handler) || !is_function(handler) ||
	    !handler_write(thread->args[1], replacement))
		return;
	/* A signal can arrive before the call returns. */
	handlers[number] = handler;
	thread->handler = handler;
}

void handlers_leave(struct thread *thread, int64_t result)
{
	uint64_t number = thread->args[0], before;

	if (!replacement || number >= STREAM_SIGNALS)
		return;
	if (thread->handler) {
		handler_write(thread->args[1], thread->handler);
		if (result < 0)
			handlers[number] = thread->handler_before;
	}
	if (!result && handler_read(thread->args[2], &before) && before == replacement)
		handler_write(thread->args[2], thread->handler_before);
}
