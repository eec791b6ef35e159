/* SPDX-License-Identifier: MIT */
/*
 * Instruments: the interface between the public API and the back-ends. There is a back-end for each
 * kind of source.
 */
#ifndef LIB_INSTRUMENT_INSTRUMENT_H
#define LIB_INSTRUMENT_INSTRUMENT_H

#include <smile/monitor.h>

/**
 * struct smile_instrument_ops - A back-end. Each function implements a function of the public API.
 * @prefix: prefix of the source, such as "emu:"
 * @open: receives in @name the text after the prefix
 * @packet: NULL if the caller cannot pass packets to the instrument
 * @connect: NULL if the instrument has no trigger line in this process
 */
struct smile_instrument_ops {
	const char *prefix;
	int (*open)(struct Monitor_instrument *instrument, const char *name,
		    const struct smile_trace_config *config);
	int (*arm)(struct Monitor_instrument *instrument);
	int (*stop)(struct Monitor_instrument *instrument);
	int (*wait)(struct Monitor_instrument *instrument, int timeout_ms);
	int (*packet)(struct Monitor_instrument *instrument, const void *frame, size_t bytes,
		      uint64_t time_ns);
	int (*read)(struct Monitor_instrument *instrument, struct Monitor_trace_packet *packet);
	int (*status)(struct Monitor_instrument *instrument, struct smile_trace_status *status);
	void (*connect)(struct Monitor_instrument *instrument, struct Monitor_instrument *other);
	void (*close)(struct Monitor_instrument *instrument);
};

/**
 * struct Monitor_instrument - An open instrument.
 * @ops: the back-end of the instrument
 * @state: the back-end's own data
 */
struct Monitor_instrument {
	const struct smile_instrument_ops *ops;
	void *state;
};

extern const struct smile_instrument_ops smile_instrument_emu;
extern const struct smile_instrument_ops smile_instrument_dev;

#endif /* LIB_INSTRUMENT_INSTRUMENT_H */
