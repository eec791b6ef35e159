/* SPDX-License-Identifier: MIT */
/*
 * Sources of records: finds the kind of a source by its name.
 *
 * What lives here: the table of all kinds of sources, and the parser of their names.
 */
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/source/source.h"

static const struct smile_source_ops *const kinds[] = {
	&smile_source_dev,  &smile_source_read, &smile_source_emu,
	&smile_source_file, &smile_source_pci,
};

/*
 * Parse a name, which is "kind:rest", or the path of a recording. A name with a colon is a path if
 * a slash precedes the colon, or if the text before the colon is not a kind and a file with this
 * name exists.
 */
const struct smile_source_ops *smile_source_kind(const char *name, const char **rest)
{
	size_t length = strcspn(name, ":/");

	*rest = name;
	if (name[length] != ':')
		return &smile_source_file;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i]->prefix) == length && !memcmp(kinds[i]->prefix, name, length)) {
			*rest = name + length + 1;
			return kinds[i];
		}
	}
	if (!access(name, F_OK))
		return &smile_source_file;
	smile_error(EINVAL,
		    "\"%s\" is no source: use dev:N, read:N, emu:[CAPTURE], pci:ADDRESS or "
		    "file:RECORDING",
		    name);
	return NULL;
}
