#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   beside.sh PROGRAM MODULES
#
# What a GPU, its driver and NCCL say of themselves beside a run on the stand-in GPU is shown, kept, and within its bounds.

set -u -o pipefail
program=${1:?PROGRAM}
export PW_MODULE_PATH=${2:?MODULES} PW_FAKE_PATIENCE=${PW_FAKE_PATIENCE:-10} COLUMNS=400
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR=$work/tmp
store=$work/runs.db
failed=0
# shellcheck source=tests/gpu_stand_in/has.sh
. "$(dirname "${BASH_SOURCE[0]}")/has.sh"

run() { "$program" run 1f1b --devices 2 --micro-batches 4 --size tiny --backend cuda --as-planned --forward 1 --warmup 0 \
    --iterations 2 --store "$store" "$@" >"$work/log" 2>&1; }

run
has "a run says how its GPU ran" 'GPU 0: 1980 MHz, memory 2619 MHz, 512 W, 45 to 46 °C, no throttling'
has "and where its memory is" 'GPU 0 has .* less of free memory than before, by the driver: .*other 0 B'
has "all of it accounted for" '!accounted for|fragmented'
"$program" show last --store "$store" --no-gantt >"$work/log" 2>&1
has "it is kept" 'GPU 0: 1980 MHz, memory 2619 MHz, 512 W, 45 to 46 °C, no throttling'
"$program" query "SELECT moment, watts, taken, reserved, workspaces FROM gpus ORDER BY moment" --store "$store" >"$work/log" 2>&1
has "and asked for" 'end .*512'

run --flash-attention --bf16 --heads 4 --hidden 64
has "flash attention is on tensor cores where they take it" 'flash attention on tensor cores, by'
run --flash-attention --heads 4 --hidden 64
has "and else on CUDA cores" 'flash attention on CUDA cores, by .* in bfloat16, with heads of a multiple of 16 up to 128'

PW_FAKE_SLOWED=$((0x4 | 0x8 | 0x40)) run
has "what slows it is told" 'throttled by its power limit, heat$'
PW_FAKE_NVML=0 run
has "without the library nothing is said of clocks" '!MHz'
has "but of memory" 'less of free memory than before'
PW_FAKE_OTHERS=700 run
has "memory that nobody has accounted for is a warning" 'GPU 0: 700 MiB of the .* nobody has accounted for'
PW_FAKE_OTHERS=700 "$program" verify 1f1b --devices 2 --micro-batches 2 --backend cuda >"$work/log" 2>&1
has "for verify, too, once" 'warning: in ([0-9]+) of \1 runs, and in the worst of them GPU 0: 700 MiB'
[[ $(grep -c '^warning' "$work/log") -eq 1 ]] || { echo "FAILED  more than one warning"; failed=1; }
"$program" verify 1f1b --devices 2 --micro-batches 2 --backend cuda >"$work/log" 2>&1
has "which else says nothing of it" '!warning'
PW_FAKE_GPUS=2 run
has "each GPU has its line" 'GPU 1: 1980 MHz'

export NCCL_DEBUG=INFO
PW_FAKE_GPUS=2 run
has "what NCCL says is in the log" '\[1\] NCCL INFO ncclCommInitRankConfig rank'
"$program" show last --store "$store" --no-gantt >"$work/log" 2>&1
has "and is kept" '\[1\] NCCL INFO ncclCommInitRankConfig rank'
NCCL_DEBUG=WARN PW_FAKE_GPUS=2 PW_FAKE_NCCL_FAULT=9 run --patience 3000
"$program" show last --store "$store" --no-gantt >"$work/log" 2>&1
has "of a run that failed, too" 'warning: .*NCCL WARN socketProgress'
has "without what was not asked for" '!NCCL INFO'
NCCL_DEBUG_FILE=$work/own PW_FAKE_GPUS=2 run
has "a file that somebody named has it alone" '!NCCL INFO'
grep -q 'NCCL INFO' "$work/own" || { echo "FAILED  the file has nothing"; failed=1; }
left=$(find "$TMPDIR" -name 'pipewright-nccl*' | wc -l)
[[ $left == 0 ]] || { echo "FAILED  $left files are left"; failed=1; }
exit $failed
