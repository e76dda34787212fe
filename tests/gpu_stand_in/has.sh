# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # `work` is set, and `failed` read, by who sources this
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# For scripts that look at what a program has said into $work/log.

# WHAT PATTERN: whether the log has it; with ! before the pattern, that it has not.
has() {
    local what=$1 pattern=$2
    if [[ $pattern == !* ]]; then
        ! grep -qE -- "${pattern#!}" "$work/log" && { echo "ok      $what"; return; }
    else
        grep -qE -- "$pattern" "$work/log" && { echo "ok      $what"; return; }
    fi
    echo "FAILED  $what: $pattern in:"
    tail -n 30 "$work/log"
    failed=1
}
