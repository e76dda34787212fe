#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   cover.sh PROGRAM MODULES [ROWS [SEED]]
#
# `pipewright verify` of every family on the stand-in GPU, over a cover of all pairs of what factors.txt names; prints each row
# with its result. ROWS: only so many, spread over the cover. MODULES is the folder with the module that was built over the
# stand-in.

set -u -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${1:?PROGRAM} modules=${2:?MODULES} most=${3:-0} seed=${4:-1}
rows=$(grep -v '^#' "$here/factors.txt" | awk -v seed="$seed" -f "$here/cover.awk") || exit 1
if [[ $most -gt 0 ]]; then
    rows=$(awk -v most="$most" '{ row[NR] = $0 } END { step = NR / most; for (at = 1; at <= NR; at += step) print row[int(at)] }' <<<"$rows")
fi
# The longest first: those of most GPUs come last.
tac <<<"$rows" | xargs -P "$(($(nproc) + 1))" -L 1 "$here/one.sh" "$program" "$modules"
status=$?
echo "$(wc -l <<<"$rows") rows of every family, every two values of two factors together in at least one"
exit $((status != 0))
