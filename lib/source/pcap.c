/* SPDX-License-Identifier: MIT */
/* pcap: loads libpcap and gets the addresses of its functions. See lib/source/pcap.h. */
#include "lib/source/pcap.h"

#include <pthread.h>

#include "lib/base/error.h"

#define PCAP_FILE "libpcap.so.0.8"

struct pcap_functions smile_pcap;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int result;

static void load(void)
{
	static const char *const names[] = {PCAP_FUNCTIONS(LAZY_LIBRARY_NAME)};

	result = lazy_library_open(PCAP_FILE, names, sizeof(names) / sizeof(names[0]), &smile_pcap);
}

int smile_pcap_load(void)
{
	pthread_once(&once, load);
	if (result)
		return smile_error(ELIBACC, "captures need %s: install the package libpcap0.8",
				   PCAP_FILE);
	return 0;
}
