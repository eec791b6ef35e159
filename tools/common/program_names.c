// SPDX-License-Identifier: MIT
/*
 * Program names. See tools/common/program_names.h.
 */
#include "tools/common/program_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "tools/common/tool.h"

#define VARIABLE "SMILE_NAMES"

int program_names_begin(struct Monitor *mon)
{
	int file = memfd_create("smile-names", MFD_CLOEXEC);
	char path[64];

	if (file < 0)
		return -1;
	/*
	 * The file is unlinked, so that it disappears with this process. The program opens it
	 * through /proc.
	 */
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), file);
	if (Monitor_names_follow(mon, file) < 0 || setenv(VARIABLE, path, 1)) {
		close(file);
		return -1;
	}
	return file;
}

void program_names_end(int file, struct Monitor *mon)
{
	if (file < 0)
		return;
	if (Monitor_names_end(mon) < 0)
		tool_message("%s", Monitor_error_message());
	close(file);
	unsetenv(VARIABLE);
}
