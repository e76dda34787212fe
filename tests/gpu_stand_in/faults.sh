#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   faults.sh PROGRAM MODULES WAY...
#
# Runs on the stand-in GPU that are broken on purpose, or stopped at one moment after the other, each way: they must end
# within seconds, say which rank, and leave nothing that hangs.

set -u -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/way.sh"
program=${1:?PROGRAM}
export PW_MODULE_PATH=${2:?MODULES} PW_FAKE_PATIENCE=${PW_FAKE_PATIENCE:-10}
shift 2
if [[ $# -gt 1 ]]; then
    # They wait more than they work.
    printf '%s\n' "$@" | xargs -P 4 -I{} "$here/faults.sh" "$program" "$PW_MODULE_PATH" {}
    exit $(($? != 0))
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# WHAT WANTED-EXIT-CODES PATTERN: judges the run whose output is in the log and whose exit code is `status`.
judge() {
    local what=$1 wanted=$2 pattern=$3
    if [[ " $wanted " == *" $status "* ]] && grep -qE -- "$pattern" "$log" && ! grep -q '^stand-in GPU:' "$log"; then
        echo "ok      $what ($(((took + 500) / 1000)) s): $(grep . "$log" | tail -n 1 | cut -c 1-110)"
    else
        echo "FAILED  $what: exit $status, of $wanted; $pattern in:"
        tail -n 8 "$log"
        failed=1
    fi
}

# SECONDS COMMAND...: into the log, with a limit; sets status and took, in milliseconds.
timed() {
    local limit=$1 start
    shift
    start=$(date +%s%N)
    timeout --kill-after=5 "$limit" "$@" >"$log" 2>&1
    status=$?
    took=$((($(date +%s%N) - start) / 1000000))
}

way=${1:?WAY}
use_way "$way" || exit 2
run=("$program" run zb-h1 --devices "$devices" "${replicated[@]+"${replicated[@]}"}" --micro-batches 4 --layers 4 --hidden 16
    --sequence 8 --vocabulary 16 --micro-batch-size 1 --backend cuda --warmup 0 --no-store --as-planned --forward 1)
for fault in throw:F1.1 throw:B1.0 throw:W1.1 stall:F1.1 stall:W1.0 wrong-tag:F1.0 lose-message:B0.1 out-of-memory:B1.1; do
    timed 30 "${run[@]}" --patience 2000 --iterations 2 --inject "$fault"
    judge "$way $fault" 1 'rank [0-9]+'
done
# A peer that is gone: NCCL says so of one of its connections, and its kernels never end.
if [[ $way == nccl || $way == zero-1 ]]; then
    for kernel in 1 4 30 60; do
        PW_FAKE_NCCL_FAULT=$kernel timed 30 "${run[@]}" --patience 2000 --iterations 2
        judge "$way NCCL fails at kernel $kernel" 1 'remote process exited'
    done
fi
# Stop, from before the GPUs are open to the last iteration.
run+=(--patience 20000 --iterations 12)
timed 60 "${run[@]}"
judge "$way unbroken" 0 makespan
whole=$took
for part in 2 6 10 15 25 35 45 55 65 75 85 95; do
    moment=$(awk -v whole="$whole" -v part="$part" 'BEGIN { printf "%.3f", whole * part / 100 / 1000 }')
    # In the foreground it gets one signal; two would end it at once.
    timed 30 timeout --foreground --preserve-status --signal=INT "$moment" "${run[@]}"
    [[ -s $log ]] || echo "ended before it began" >"$log"
    judge "$way stopped at $part %" "0 130" 'the run was stopped|makespan|ended before it began'
    # An end of NCCL that its peer has left waits a second until it is cut off, one after the other.
    [[ $took -le $((whole + 10000)) ]] || { echo "FAILED  $way stopped at $part %: it took $took ms"; failed=1; }
done
exit $failed
