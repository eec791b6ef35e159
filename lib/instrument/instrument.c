/* SPDX-License-Identifier: MIT */
/* Instruments: implements the public API for instruments, and has the table of back-ends. */
#include "lib/instrument/instrument.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"

static const struct smile_instrument_ops *const backends[] = {
	&smile_instrument_emu,
	&smile_instrument_dev,
};

int Monitor_instrument_open(struct Monitor_instrument **out, const char *source,
			    const struct smile_trace_config *config)
{
	struct Monitor_instrument *instrument;
	int error;

	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++) {
		size_t length = strlen(backends[i]->prefix);

		if (strncmp(source, backends[i]->prefix, length))
			continue;
		instrument = calloc(1, sizeof(*instrument));
		if (!instrument)
			return smile_error(ENOMEM, "no memory for the instrument %s", source);
		instrument->ops = backends[i];
		error = backends[i]->open(instrument, source + length, config);
		if (error) {
			free(instrument);
			return error;
		}
		*out = instrument;
		return 0;
	}
	return smile_error(EINVAL, "'%s' is no instrument: use emu: or dev:N", source);
}

int Monitor_instrument_connect(struct Monitor_instrument *instrument,
			       struct Monitor_instrument *other)
{
	if (!instrument->ops->connect || instrument->ops != other->ops)
		return smile_error(EINVAL, "only instruments in this process can be connected: "
					   "emu:");
	instrument->ops->connect(instrument, other);
	return 0;
}

int Monitor_instrument_arm(struct Monitor_instrument *instrument)
{
	return instrument->ops->arm(instrument);
}

int Monitor_instrument_stop(struct Monitor_instrument *instrument)
{
	return instrument->ops->stop(instrument);
}

int Monitor_instrument_wait(struct Monitor_instrument *instrument, int timeout_ms)
{
	return instrument->ops->wait(instrument, timeout_ms);
}

int Monitor_instrument_packet(struct Monitor_instrument *instrument, const void *frame,
			      size_t bytes, uint64_t time_ns)
{
	if (!instrument->ops->packet)
		return smile_error(EINVAL, "packets can be passed only to an instrument in this "
					   "process: emu:");
	return instrument->ops->packet(instrument, frame, bytes, time_ns);
}

int Monitor_instrument_read(struct Monitor_instrument *instrument,
			    struct Monitor_trace_packet *packet)
{
	return instrument->ops->read(instrument, packet);
}

int Monitor_instrument_status(struct Monitor_instrument *instrument,
			      struct smile_trace_status *status)
{
	return instrument->ops->status(instrument, status);
}

int Monitor_instrument_close(struct Monitor_instrument *instrument)
{
	if (!instrument)
		return 0;
	instrument->ops->close(instrument);
	free(instrument);
	return 0;
}
