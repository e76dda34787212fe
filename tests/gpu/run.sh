#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Everything that Pipewright has to show on a GPU, in one go; README.md beside this says what is what.
#
#   tests/gpu/run.sh [--quick] [FOLDER]
#
# PROGRAM=path of pipewright (default: build/cuda/app/pipewright, built where it is absent and nvcc is there).
# OPS_TEST, CUDA_TEST=paths of tst_cuda_ops and tst_cuda (default: those of build/dev, left out where absent).
# Output goes to FOLDER (default tests/gpu/results): a log a part, and summary.txt. Exit code 1 where a part failed.

set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

quick=false
[[ ${1:-} == --quick ]] && { quick=true; shift; }
out=${1:-tests/gpu/results}
mkdir -p "$out"
summary=$out/summary.txt
: >"$summary"

program=${PROGRAM:-build/cuda/app/pipewright}
ops_test=${OPS_TEST:-build/dev/tests/tst_cuda_ops}
cuda_test=${CUDA_TEST:-build/dev/tests/tst_cuda}
if [[ ! -x $program ]]; then
    { cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=90-real &&
        cmake --build --preset cuda --target pipewright pw_cuda; } >"$out/build.log" 2>&1 ||
        { tail -n 30 "$out/build.log"; exit 1; }
fi
program_folder=$(cd "$(dirname "$program")" && pwd)
export PW_MODULE_PATH=$program_folder

failed=0
say() { printf '%s\n' "$*" | tee -a "$summary"; }
part() { # NAME SECONDS COMMAND...: into a log of its own; a line of the summary
    local name=$1 limit=$2 start=$SECONDS status
    shift 2
    { printf '$ %s\n' "$*"; timeout --kill-after=10 "$limit" "$@"; } >"$out/$name.log" 2>&1
    status=$?
    if [[ $status -eq 0 ]]; then
        say "ok      $name ($((SECONDS - start)) s)"
    else
        failed=1
        say "FAILED  $name, exit $status ($((SECONDS - start)) s); the end of its log:"
        tail -n 6 "$out/$name.log" | sed 's/^/          /' | tee -a "$summary"
    fi
}
left_out() { say "left out $1: $2"; }

{ date -u; uname -a; nvidia-smi 2>/dev/null; "$program" version; "$program" backends; } >"$out/machine.log" 2>&1
say "$(date -u +%F) $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)"

# 1. Operations against the CPU's, and small runs of every family against the reference.
if [[ -x $ops_test ]]; then part ops 300 "$ops_test"; else left_out ops "no $ops_test"; fi
if [[ -x $cuda_test ]]; then part families 300 "$cuda_test"; else left_out families "no $cuda_test"; fi

# 2. Every family as one device trains: 32 bits up to 1e-5, then bfloat16.
shape=(--devices 4 --micro-batches 8)
$quick || shape=()
part verify 540 "$program" verify "${shape[@]+"${shape[@]}"}" --backend cuda
part verify-bf16 300 "$program" verify --devices 4 --micro-batches 8 --bf16 --backend cuda
# The other ways: NCCL's code path on one GPU, and devices without multiprocessors of their own.
part verify-nccl 200 env PW_CUDA_TRANSPORT=nccl "$program" verify 1f1b zb-v chimera --devices 4 --micro-batches 8 --plain --backend cuda
part verify-streams 200 env PW_CUDA_SPLIT=streams "$program" verify 1f1b zb-v dualpipe --devices 4 --micro-batches 8 --plain --backend cuda

# 3. Predicted and measured, on four devices that fill the GPU; times and bytes side by side.
size=(--size h200)
iterations=5
$quick && { size=(--size medium --bf16); iterations=3; }
common=(--devices 4 --micro-batches 12 "${size[@]}" --backend cuda)
store=()
"$program" help run | grep -q -- --store && store=(--store "$out/runs.sqlite")
measure() { # FAMILY: calibrated on its own placement, then run with that
    part "calibrate-$1" 200 "$program" calibrate "$1" "${common[@]}" --iterations "$iterations" --output "$out/$1.costs.json"
    part "run-$1" 300 "$program" run "$1" "${common[@]}" --costs "$out/$1.costs.json" --iterations "$iterations" --warmup 2 "${store[@]+"${store[@]}"}"
}
for family in 1f1b zb-h1 zb-v v-half; do measure "$family"; done

# 4. Launch gap: passes so short that the host decides; the report and the costs file name the gap.
part launch-gap 120 "$program" calibrate 1f1b --devices 4 --size small --backend cuda --iterations 20 --output "$out/small.costs.json"

# 5. Memory and races, with the smallest model.
if sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null); then
    tiny=("$program" run zb-v --devices 2 --size tiny --backend cuda --iterations 1 --warmup 0 --forward 1 --patience 600000)
    for tool in memcheck racecheck synccheck; do
        part "sanitizer-$tool" 300 "$sanitizer" --tool "$tool" --error-exitcode 9 "${tiny[@]}"
    done
else
    left_out sanitizer "no compute-sanitizer"
fi

# 6. How runs end: on time, naming rank, pass and peer.
for fault in throw:F1.1 stall:F1.1 lose-message:F1.0 wrong-tag:F1.0 out-of-memory:F1.1; do
    name=fault-${fault%%:*}
    start=$SECONDS
    timeout 30 "$program" run 1f1b --devices 2 --size tiny --backend cuda --inject "$fault" --iterations 1 --warmup 0 >"$out/$name.log" 2>&1
    status=$?
    say "$([[ $status -eq 1 ]] && echo 'ok     ' || { echo FAILED; }) $name: exit $status after $((SECONDS - start)) s: $(tail -n 1 "$out/$name.log")"
    [[ $status -eq 1 ]] || failed=1
done

for log in "$out"/run-*.log; do
    [[ -f $log ]] && { say ""; say "== ${log##*/}"; grep -Ei 'makespan|bubble|peak|activation|split into|plain streams' "$log" | tee -a "$summary"; }
done
exit $failed
