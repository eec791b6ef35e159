#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: each line of /host/cases has a node and options. For each line, record two cards at
# the same time: the first by its mapping, the second by read().
set -u

case=0
while read -r node options; do
	# shellcheck disable=SC2086 # a list of options
	smile record -d dev:$((2 * case)) --until-link-down --node "$node" $options -o /host/dev$case.rec &
	first=$!
	# shellcheck disable=SC2086
	smile record -d read:$((2 * case + 1)) --until-link-down --node "$node" $options -o /host/read$case.rec ||
		exit 1
	wait "$first" || exit 1
	case=$((case + 1))
done </host/cases
