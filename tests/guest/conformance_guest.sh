#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: the conformance suite over the source that the host names.
exec conformance "$SOURCE" 2>&1
