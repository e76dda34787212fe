#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Everything that Pipewright has to show on a GPU, in one go; README.md beside this says what is what.
#
#   tests/gpu/run.sh [--quick] [--without PART]... [FOLDER]
#
# PROGRAM=path of pipewright (default: build/cuda/app/pipewright, built where it is absent and nvcc is there).
# SIZE=model of the runs that are measured (default h200; medium with --quick).
# OPS_TEST, CUDA_TEST=commands of the two test programs (default: those of build/dev).
# Output goes to FOLDER (default tests/gpu/results): a log a part, and summary.txt. Exit code 1 where a part failed,
# was skipped, is missing, or a figure is beyond its bound; --without PART says that a part is not wanted here.

set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

quick=false
without=()
while [[ ${1:-} == --* ]]; do
    case $1 in
        --quick) quick=true ;;
        --without) without+=("${2:?--without needs a part}"); shift ;;
        *) echo "there is no option $1; --quick and --without PART are" >&2; exit 2 ;;
    esac
    shift
done
out=${1:-tests/gpu/results}
mkdir -p "$out"
summary=$out/summary.txt
: >"$summary"

program=${PROGRAM:-build/cuda/app/pipewright}
read -r -a ops_test <<<"${OPS_TEST:-build/dev/tests/pw_tests_cuda tst_cuda_ops}"
read -r -a cuda_test <<<"${CUDA_TEST:-build/dev/tests/pw_tests_executor tst_cuda}"
if [[ ! -x $program ]]; then
    { cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=90-real &&
        cmake --build --preset cuda --target pipewright pw_cuda; } >"$out/build.log" 2>&1 ||
        { tail -n 30 "$out/build.log"; exit 1; }
fi
program_folder=$(cd "$(dirname "$program")" && pwd)
export PW_MODULE_PATH=$program_folder

failed=0
say() { printf '%s\n' "$*" | tee -a "$summary"; }
unwanted() { # NAME
    local one
    for one in "${without[@]+"${without[@]}"}"; do [[ $1 == "$one" ]] && return 0; done
    return 1
}
missing() { # NAME WHY: a part that cannot run has shown nothing
    if unwanted "$1"; then
        say "unwanted $1"
    else
        failed=1
        say "MISSING $1: $2 (--without $1 leaves it out)"
    fi
}
part() { # NAME SECONDS COMMAND...: into a log of its own; a line of the summary
    local name=$1 limit=$2 start=$SECONDS status
    shift 2
    unwanted "$name" && { say "unwanted $name"; return; }
    { printf '$ %s\n' "$*"; timeout --kill-after=10 "$limit" "$@"; } >"$out/$name.log" 2>&1
    status=$?
    if [[ $status -eq 0 ]] && grep -qE '^SKIP|[1-9][0-9]* skipped' "$out/$name.log"; then
        failed=1
        say "SKIPPED $name ($((SECONDS - start)) s): $(grep -m 1 -A 1 '^SKIP' "$out/$name.log" | tr '\n' ' ')"
    elif [[ $status -eq 0 ]]; then
        say "ok      $name ($((SECONDS - start)) s)"
    else
        failed=1
        say "FAILED  $name, exit $status ($((SECONDS - start)) s); the end of its log:"
        tail -n 6 "$out/$name.log" | sed 's/^/          /' | tee -a "$summary"
    fi
}
within() { # NAME FIGURE BOUND UNIT: a figure of a log, at most so large
    unwanted "${1%% *}" && return
    if [[ -z $2 ]]; then
        failed=1
        say "FAILED  $1: its log has no figure"
    elif awk -v figure="$2" -v bound="$3" 'BEGIN { exit !(figure <= bound) }'; then
        say "ok      $1: $2 $4, at most $3 $4"
    else
        failed=1
        say "FAILED  $1: $2 $4, more than $3 $4"
    fi
}

{ date -u; uname -a; nvidia-smi 2>/dev/null; "$program" version; "$program" backends; } >"$out/machine.log" 2>&1
say "$(date -u +%F) $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)"

# 1. Operations against the CPU's, and small runs of every family against the reference.
if [[ -x ${ops_test[0]} ]]; then part ops 300 "${ops_test[@]}"; else missing ops "no ${ops_test[0]}"; fi
if [[ -x ${cuda_test[0]} ]]; then part families 300 "${cuda_test[@]}"; else missing families "no ${cuda_test[0]}"; fi

# 2. Every family as one device trains: 32 bits up to 1e-5, then bfloat16.
shape=(--devices 4 --micro-batches 8)
$quick || shape=()
part verify 540 "$program" verify "${shape[@]+"${shape[@]}"}" --backend cuda
part verify-bf16 300 "$program" verify --devices 4 --micro-batches 8 --bf16 --backend cuda
part verify-flash 300 "$program" verify --devices 4 --micro-batches 8 --flash-attention --backend cuda
# The other ways: NCCL's code path on one GPU, and devices without multiprocessors of their own.
part verify-nccl 200 env PW_CUDA_TRANSPORT=nccl "$program" verify 1f1b zb-v chimera --devices 4 --micro-batches 8 --plain --backend cuda
part verify-streams 200 env PW_CUDA_SPLIT=streams "$program" verify 1f1b zb-v dualpipe --devices 4 --micro-batches 8 --plain --backend cuda
# Copies of a stage: gradients of two added, shards of more swapped, the optimizer sharded, and PipeDream's stages with
# replicas of their own. By copies between devices, then by NCCL.
copied=(verify 1f1b chimera pipedream-2bw --devices 2 --micro-batches 4 --plain --backend cuda)
for way in "" nccl; do
    part "verify-replicas${way:+-$way}" 200 env PW_CUDA_TRANSPORT="$way" "$program" "${copied[@]}" --replicas 4
    part "verify-zero-1${way:+-$way}" 200 env PW_CUDA_TRANSPORT="$way" "$program" "${copied[@]}" --replicas 2 --zero-1
    part "verify-zero-1-of-4${way:+-$way}" 200 env PW_CUDA_TRANSPORT="$way" "$program" "${copied[@]}" --replicas 4 --zero-1
    part "verify-stages${way:+-$way}" 200 env PW_CUDA_TRANSPORT="$way" "$program" verify pipedream seq1f1b --devices 4 --micro-batches 8 --backend cuda
    # The norm of all gradients: waited for, and not, with updates that are taken back and results that are sent twice.
    part "verify-clip${way:+-$way}" 200 env PW_CUDA_TRANSPORT="$way" "$program" verify 1f1b zb-h2 --devices 4 --micro-batches 8 --clip-norm 0.5 --backend cuda
    part "verify-post-validation${way:+-$way}" 200 env PW_CUDA_TRANSPORT="$way" "$program" verify 1f1b zb-h2 chimera --devices 4 --micro-batches 8 --clip-norm 0.5 --post-validation --backend cuda
    part "verify-post-validation-zero-1${way:+-$way}" 200 env PW_CUDA_TRANSPORT="$way" "$program" verify 1f1b --devices 2 --micro-batches 4 --zero-1 --clip-norm 0.5 --post-validation --backend cuda
done
part run-stages 120 "$program" run pipedream --stage-replicas 2,1 --size tiny --backend cuda --iterations 2 --warmup 1

# 3. Predicted and measured, on four devices that fill the GPU; times and bytes side by side.
size=(--size "${SIZE:-h200}")
iterations=5
$quick && { size=(--size "${SIZE:-medium}" --bf16); iterations=3; }
common=(--devices 4 --micro-batches 12 "${size[@]}" --backend cuda)
store=()
"$program" help run | grep -q -- --store && store=(--store "$out/runs.sqlite")
measure() { # FAMILY: calibrated on its own placement, then run with that
    part "calibrate-$1" 200 "$program" calibrate "$1" "${common[@]}" --iterations "$iterations" --output "$out/$1.costs.json"
    part "run-$1" 300 "$program" run "$1" "${common[@]}" --costs "$out/$1.costs.json" --iterations "$iterations" --warmup 2 "${store[@]+"${store[@]}"}"
}
off() { # LOG LABEL: how far off the prediction is, in percent, the worst of the lines that begin so
    sed -nE "s/^ *$2.*[^0-9.]([0-9]+(\.[0-9]+)?) %.*/\1/p; s/^ *$2.*exactly.*/0/p" "$1" 2>/dev/null |
        sort -g | tail -n 1
}
for family in 1f1b zb-h1 zb-v v-half; do
    measure "$family"
    within "run-$family makespan" "$(off "$out/run-$family.log" makespan)" 10 "% off the prediction"
    within "run-$family memory" "$(off "$out/run-$family.log" 'peak activation')" 1 "% off the prediction"
done

# 4. Launch gap: passes so short that the host decides; the report and the costs file name the gap.
part launch-gap 120 "$program" calibrate 1f1b --devices 4 --size small --backend cuda --iterations 20 --output "$out/small.costs.json"
within "launch-gap median" "$(sed -nE 's/.*launch gap ([0-9.]+) µs.*/\1/p' "$out/launch-gap.log" 2>/dev/null | head -n 1)" 20 µs

# 5. Memory and races, with the smallest model.
if sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null); then
    tiny=("$program" run zb-v --devices 2 --size tiny --backend cuda --iterations 1 --warmup 0 --forward 1 --patience 600000)
    for tool in memcheck racecheck synccheck; do
        # The tool rewrites every kernel that is loaded: only those that are launched, not all of cuBLAS.
        part "sanitizer-$tool" 300 env CUDA_MODULE_LOADING=LAZY "$sanitizer" --tool "$tool" --error-exitcode 9 "${tiny[@]}"
    done
else
    for tool in memcheck racecheck synccheck; do missing "sanitizer-$tool" "no compute-sanitizer"; done
fi

# 6. How runs end: on time, naming rank, pass and peer. What the same run takes unbroken, with the start of the
# program and of the GPU's libraries, is no part of that time.
broken=("$program" run 1f1b --devices 2 --size tiny --backend cuda --iterations 1 --warmup 0)
timed() { # NAME COMMAND...: into a log; sets status and took, in nanoseconds
    local log=$out/$1.log start
    shift
    start=$(date +%s%N)
    timeout --kill-after=10 60 "$@" >"$log" 2>&1
    status=$?
    took=$(($(date +%s%N) - start))
}
unbroken=0
for fault in none throw:F1.1 stall:F1.1 lose-message:F1.0 wrong-tag:F1.0 out-of-memory:F1.1; do
    name=fault-${fault%%:*}
    if [[ $fault == none ]]; then
        timed "$name" "${broken[@]}"
        [[ $status -eq 0 ]] && unbroken=$took
        continue
    fi
    unwanted "$name" && { say "unwanted $name"; continue; }
    timed "$name" "${broken[@]}" --inject "$fault"
    last=$(tail -n 1 "$out/$name.log")
    if [[ $status -eq 1 && $last == *"rank "* ]]; then
        say "ok      $name: $last"
    else
        failed=1
        say "FAILED  $name: exit $status, where 1 and the rank's name are wanted: $last"
    fi
    within "$name end" "$(awk -v ns="$((took - unbroken))" 'BEGIN { printf "%.1f", (ns > 0 ? ns : 0) / 1e9 }')" 5 s
done

for log in "$out"/run-*.log; do
    [[ -f $log ]] && { say ""; say "== ${log##*/}"; grep -Ei 'makespan|bubble|peak|activation|split into|plain streams' "$log" | tee -a "$summary"; }
done
exit $failed
