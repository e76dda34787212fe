#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   matrix.sh BUILD
#
# All that the stand-in GPU can show: covers of three seeds, every way of breaking and stopping a run without and with graphs, both sanitizers,
# tests/gpu/run.sh as a whole, and every planted fault. BUILD is a tree with `pipewright`, `pw_gpu_module`, `pw_tests_gpu` and `pw_tests_executor`.
# Ends with a score; exit code 1 where anything is not as it must be.

set -u -o pipefail
build=${1:?BUILD}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$build/app/pipewright modules=$build/tests/gpu_stand_in
said=$(mktemp)
trap 'rm -f "$said"' EXIT
{
    for seed in 1 2 3; do "$here/cover.sh" "$program" "$modules" 0 "$seed"; done
    for order in fair starved; do
        for graphs in 0 1; do
            PW_CUDA_GRAPHS=$graphs PW_FAKE_ORDER=$order "$here/faults.sh" "$program" "$modules" green streams self copies nccl zero-1
        done
    done
    for kind in address thread; do "$here/sanitized.sh" "$build" "$kind"; done
    # Its summary, in which bounds of time may be broken, is judged by the script.
    "$here/script.sh" "$build" 2>&1 | sed 's/^/        /' && echo "ok      tests/gpu/run.sh" || echo "FAILED  tests/gpu/run.sh"
    "$here/mutants.sh" "$build"
} 2>&1 | tee "$said"
good=$(grep -cE '^(ok|noticed) ' "$said")
bad=$(grep -cE '^FAILED ' "$said")
echo "stand-in GPU: $good as they must be ($(grep -c '^noticed ' "$said") planted faults noticed), $bad not"
[[ $bad -eq 0 ]]
