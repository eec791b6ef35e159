// SPDX-License-Identifier: MIT
/*
 * Serve: make documents on request, and make them again after an interval.
 *
 * What lives here: the decision when a document is made, the child process that makes it, and the
 * requests that wait for it. The child process makes the document from its copy of the counts, and
 * writes it to a file in memory. The server then sends the document from this file. Making
 * documents takes at most a tenth of a processor, so a document that takes long is made less often.
 */
#include "tools/serve/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/tool.h"

#define PACE_SHARE 10

/**
 * struct serve_waiter - A request that waits until a document (struct serve_product) is made.
 * @product: the document; NULL: the request no longer waits, and will be answered with the last
 *           document
 */
struct serve_waiter {
	struct serve_waiter *next;
	struct MHD_Connection *connection;
	struct serve_product *product;
};

uint64_t serve_pace(const struct serve *serve, uint64_t took_ns)
{
	uint64_t needed = took_ns * PACE_SHARE;

	return needed > serve->options->interval_ns ? needed : serve->options->interval_ns;
}

uint64_t serve_product_interval(const struct serve *serve, const struct serve_product *product)
{
	return serve_pace(serve, product->took_ns);
}

/* Check whether the last document was made from the current counts. */
static int is_current(const struct serve *serve, const struct serve_product *product)
{
	return product->serial == serve->serial &&
	       (product != &serve->data || serve_data_advised(serve));
}

/*
 * Check whether a document may be made now. Usually the interval must have passed. Two documents
 * are made without waiting for the interval: the last document, after the source has ended; and the
 * first document that contains all records from before the recordings were opened.
 */
static int is_due(const struct serve *serve, const struct serve_product *product)
{
	int last = serve->live->state != LIVE_RUNNING && !is_current(serve, product);

	return tool_now_ns() >= product->next_ns || (last && !product->failed) ||
	       (product->begun_behind && !serve->behind);
}

/*
 * Check whether it is too early for the first document. As long as it would contain only a part of
 * the older records in the recordings, a reader could not use it.
 */
static int is_early(const struct serve *serve, const struct serve_product *product)
{
	return serve->behind && !product->response && !product->child &&
	       tool_now_ns() < serve->began_ns + SERVE_FIRST_NS;
}

static void wake(struct serve *serve, const struct serve_product *product)
{
	for (struct serve_waiter *one = serve->waiters; one; one = one->next)
		if (one->product == product) {
			one->product = NULL;
			serve_mhd.resume_connection(one->connection);
		}
}

/* ---- making -------------------------------------------------------------------------------- */

/*
 * A handler for exit() that ends the child process immediately. exit() calls the handlers in
 * reverse order, and flushes stdio's buffers afterwards. This handler is called first. Therefore
 * the child does not call the other handlers, and does not flush the buffers.
 */
static void child_leave(void)
{
	_exit(TOOL_ERROR);
}

static void child_make(struct serve *serve, struct serve_product *product)
{
	FILE *out;
	int status = TOOL_ERROR;

	/*
	 * Functions that several commands share call exit() after an error. This handler is for
	 * these calls.
	 */
	if (atexit(child_leave))
		_exit(tool_error("no memory for the data"));
	out = fdopen(product->file, "w");
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	serve_http_abandon(serve);
	if (out)
		status = product->make(serve, out);
	if (out && fflush(out))
		status = tool_error("no memory for the data");
	/*
	 * Use _exit(), so that the child neither flushes the parent's buffers nor removes the
	 * parent's files.
	 */
	_exit(status);
}

/* Note that no process could be started. The next attempt is made after an interval. */
static void not_begun(struct serve *serve, struct serve_product *product)
{
	tool_message("%s cannot be made now: %s", product->path, strerror(errno));
	product->failed = 1;
	product->next_ns = product->begun_ns + serve->options->interval_ns;
}

static void begin(struct serve *serve, struct serve_product *product)
{
	product->wanted = 0;
	product->begun_ns = tool_now_ns();
	product->begun_serial = serve->serial;
	product->begun_behind = serve->behind;
	product->file = memfd_create("smile-serve", MFD_CLOEXEC);
	if (product->file < 0) {
		not_begun(serve, product);
		return;
	}
	/*
	 * Load the variables into this process. Otherwise each child would read the program's files
	 * again.
	 */
	Monitor_variables(serve->live->mon, NULL, 0);
	product->child = fork();
	if (!product->child)
		child_make(serve, product);
	if (product->child > 0 && product->begun)
		product->begun(serve);
	if (product->child < 0) {
		not_begun(serve, product);
		close(product->file);
		product->child = 0;
	}
}

static void report_slow(struct serve *serve, const struct serve_product *product)
{
	if (serve->slow_reported || product != &serve->data || serve->live->state != LIVE_RUNNING ||
	    serve_product_interval(serve, product) < 2 * serve->options->interval_ns)
		return;
	serve->slow_reported = 1;
	/*
	 * The smallest numbers in this message are 0.02 s and 0.2 s. The interval is at least 0.1
	 * s, the message requires twice the interval, and a tenth of this is the processor time.
	 */
	tool_message("making the data takes %.2f s of a processor: it is made at most every "
		     "%.1f s",
		     (double)product->took_ns / 1e9,
		     (double)serve_product_interval(serve, product) / 1e9);
}

/* Report that a signal has killed the child, because the child itself cannot report it. */
static void report_killed(struct serve_product *product, int signal)
{
	if (product->killed_reported)
		return;
	product->killed_reported = 1;
	tool_message("%s cannot be made: signal %d (%s) ended the process that makes it%s",
		     product->path, signal, strsignal(signal),
		     signal == SIGKILL
			     ? "; the kernel does that when there is no memory left: free some"
			     : "");
}

/*
 * Make the response that sends the file of the document. The response then owns the file. Return:
 * NULL if it cannot be made.
 */
static struct MHD_Response *product_take(struct serve *serve, const struct serve_product *product,
					 uint64_t bytes)
{
	struct MHD_Response *response;

	if (product->take)
		return product->take(serve, product->file, bytes);
	response = serve_mhd.create_response_from_fd64(bytes, product->file);
	if (response)
		serve_headers(response, product->type, product->policy);
	return response;
}

static uint64_t time_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000ULL + (uint64_t)time.tv_usec * 1000ULL;
}

/*
 * Handle the end of the child. If the child has made the document, serve the document from its file
 * from now on.
 */
static void take(struct serve *serve, struct serve_product *product, int status,
		 const struct rusage *usage)
{
	struct MHD_Response *response = NULL;
	struct stat made;

	product->child = 0;
	product->took_ns = time_ns(usage->ru_utime) + time_ns(usage->ru_stime);
	if (WIFEXITED(status) && WEXITSTATUS(status) == TOOL_OK && !fstat(product->file, &made))
		response = product_take(serve, product, (uint64_t)made.st_size);
	product->failed = !response;
	if (response && product->made)
		product->made(serve);
	product->next_ns = product->begun_ns + serve_product_interval(serve, product);
	if (WIFSIGNALED(status))
		report_killed(product, WTERMSIG(status));
	if (!response) {
		close(product->file);
		return;
	}
	if (product->response)
		serve_mhd.destroy_response(product->response);
	product->response = response;
	product->serial = product->begun_serial;
	report_slow(serve, product);
}

int serve_product_run(struct serve *serve, struct serve_product *product)
{
	struct rusage usage;
	int status, made = 0;

	if (product->child && wait4(product->child, &status, WNOHANG, &usage) == product->child) {
		take(serve, product, status, &usage);
		made = !product->failed;
	}
	if (product->child || is_early(serve, product))
		return made;
	if (product->wanted && is_due(serve, product))
		begin(serve, product);
	if (!product->child)
		wake(serve, product);
	return made;
}

void serve_product_end(struct serve *serve, struct serve_product *product)
{
	if (product->child) {
		kill(product->child, SIGTERM);
		waitpid(product->child, NULL, 0);
		close(product->file);
		product->child = 0;
	}
	product->failed = 1;
	wake(serve, product);
}

/* ---- asking -------------------------------------------------------------------------------- */

static enum MHD_Result answer(struct MHD_Response *made, struct MHD_Connection *connection)
{
	static const char text[] =
		"The data cannot be made; the server's terminal shows the reason.\n";
	struct MHD_Response *response;
	enum MHD_Result result;

	if (made)
		return serve_mhd.queue_response(connection, MHD_HTTP_OK, made);
	response = serve_mhd.create_response_from_buffer(strlen(text), (void *)text,
							 MHD_RESPMEM_PERSISTENT);
	if (!response)
		return MHD_NO;
	serve_headers(response, "text/plain; charset=utf-8", NULL);
	serve_mhd.add_response_header(response, "Retry-After", "5");
	result = serve_mhd.queue_response(connection, MHD_HTTP_SERVICE_UNAVAILABLE, response);
	serve_mhd.destroy_response(response);
	return result;
}

enum MHD_Result serve_product_serve(struct serve *serve, struct serve_product *product,
				    struct MHD_Response *const *response,
				    struct MHD_Connection *connection, void **state)
{
	int fresh = product->response && is_current(serve, product) && !product->timed;
	int due = product->child || is_due(serve, product);
	struct serve_waiter *waiter = *state;

	/*
	 * A request that has already waited is answered with the present document, even if newer
	 * counts have arrived.
	 */
	if (waiter || fresh || (product->response && !due) || serve->closing)
		return answer(*response, connection);
	waiter = calloc(1, sizeof(*waiter));
	if (!waiter)
		return MHD_NO;
	*waiter = (struct serve_waiter){
		.next = serve->waiters, .connection = connection, .product = product};
	serve->waiters = waiter;
	*state = waiter;
	if (!product->child || product->begun_serial != serve->serial)
		product->wanted = 1;
	serve_mhd.suspend_connection(connection);
	return MHD_YES;
}

void serve_product_forget(struct serve *serve, void **state)
{
	struct serve_waiter **at = &serve->waiters;

	while (*at && *at != *state)
		at = &(*at)->next;
	if (*at)
		*at = (*at)->next;
	free(*state);
	*state = NULL;
}
