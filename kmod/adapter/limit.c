// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits of one session.
 *
 * What lives here: the module parameters that set the limits. Users who may open the device trust
 * each other with the adapter's resources, and each of them can open several sessions. The limits
 * therefore stop a program that fails to release its resources, but not a malicious program. May
 * use: no other file of this folder.
 */
#include "../param.h"
#include "smile_adapter.h"

#define LIMIT_PAGES_PER_MB ((1U << 20) / ADAPTER_PAGE_BYTES)

static unsigned int session_objects = 16384;
SMILE_PARAM(session_objects, 1, SMILE_ADAPTER_HANDLES);
MODULE_PARM_DESC(session_objects,
		 "segments, connections and interrupts of one open file, at most (16384)");

static unsigned int session_memory_mb;
SMILE_PARAM(session_memory_mb, 0, 4096);
MODULE_PARM_DESC(session_memory_mb,
		 "MB of the adapter's memory for one open file, at most (0: all of it)");

static unsigned int session_window_mb;
SMILE_PARAM(session_window_mb, 0, 4096);
MODULE_PARM_DESC(session_window_mb,
		 "MB of the adapter's window for one open file, at most (0: all of it)");

/* Check whether a session that has @used pages may get @more pages. Return: 0; -ENOSPC. */
static int limit_pages(u32 used, u32 more, u32 mb)
{
	return mb && (u64)used + more > (u64)mb * LIMIT_PAGES_PER_MB ? -ENOSPC : 0;
}

int adapter_limit_object(const struct adapter_session *session)
{
	return session->object_count < READ_ONCE(session_objects) ? 0 : -ENOSPC;
}

int adapter_limit_memory(const struct adapter_session *session, u32 pages)
{
	return limit_pages(session->memory_pages, pages, READ_ONCE(session_memory_mb));
}

int adapter_limit_window(const struct adapter_session *session, u32 pages)
{
	return limit_pages(session->window_pages, pages, READ_ONCE(session_window_mb));
}
