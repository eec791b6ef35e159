#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: record both cards at once, one by its mapping, one by read().
set -u

# shellcheck disable=SC2086 # a list of options
smile record -d dev:0 --until-link-down --node "$NODE" $OPTIONS -o /host/dev.rec &
first=$!
# shellcheck disable=SC2086
smile record -d read:1 --until-link-down --node "$NODE" $OPTIONS -o /host/read.rec || exit 1
wait "$first"
