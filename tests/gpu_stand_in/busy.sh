#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   busy.sh PROGRAM MODULES
#
# What `run --kernels` says of the kernels of passes on the stand-in GPU: the same whatever the order in which they are told,
# kept with the run, and a sentence where nothing tells of them.

set -u -o pipefail
program=${1:?PROGRAM}
export PW_MODULE_PATH=${2:?MODULES} PW_FAKE_PATIENCE=${PW_FAKE_PATIENCE:-10} COLUMNS=400
unset PW_CUPTI
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
store=$work/runs.db
failed=0
# shellcheck source=tests/gpu_stand_in/has.sh
. "$(dirname "${BASH_SOURCE[0]}")/has.sh"

run() { "$program" run "${family:-1f1b}" --devices 2 --micro-batches 4 --size tiny --backend "${backend:-cuda}" --as-planned \
    --forward 1 --warmup 0 --iterations 2 "$@" >"$work/log" 2>&1; }

run --kernels --store "$store"
has "shares of the passes" '^  F of stage 0 +[0-9.]+ % +[1-9][0-9]* +[0-9.]+ +[0-9.]+'
has "and of backwards" '^  BW of stage 1 +[0-9.]+ %'
has "who limits is said" 'kernels fill (at least )?[0-9.]+ %'
has "kernels that take the most" '^  [A-Za-z]+ +[0-9.]+ % +[1-9]'
has "nothing is lost" '!lost|not counted'
"$program" show last --store "$store" --no-gantt >"$work/log" 2>&1
has "it is kept" 'kernels fill [0-9.]+ % of F of stage 0: [1-9][0-9]* kernels a pass'
has "and the run has ended well" 'finished'
run --no-store
has "nothing is counted that nobody asked for" '!Kernels|kernels fill'

# A pass has the kernels that it has, whatever order they run and are told in.
kernels() { sed -nE 's/.*"kind": "(F|BW)", "stage": ([01]),.*"kernels": ([0-9]+),.*/\1 \2 \3/p' "$work/log"; }
run --kernels --no-store --json
has "for programs, too" '"busy_rate": (0\.[0-9]+|1),'
first=$(kernels)
[[ $(wc -l <<<"$first") == 4 ]] || { echo "FAILED  four kinds of passes: $first"; failed=1; }
for seed in 2 3; do
    PW_FAKE_SEED=$seed PW_FAKE_ORDER=starved run --kernels --no-store --json
    [[ $(kernels) == "$first" ]] || { echo "FAILED  seed $seed has other kernels: $(kernels), not $first"; failed=1; }
    has "each pass is told of, seed $seed" '"kind": "F", "stage": 1, "segment": 0, "count": 4,'
done
PW_CUDA_SPLIT=streams run --kernels --no-store --json
[[ $(kernels) == "$first" ]] || { echo "FAILED  streams have other kernels: $(kernels), not $first"; failed=1; }
PW_CUDA_GRAPHS=1 run --kernels --no-store --json
[[ $(kernels) == "$first" ]] || { echo "FAILED  graphs have other kernels: $(kernels), not $first"; failed=1; }
has "which are launched" 'CUDA graphs: [1-9][0-9]* made'
family=dualpipe run --kernels --no-store
has "pairs are one" '^  F\+BW of stage [0-9]+ +[0-9.]+ %'

PW_FAKE_CUPTI_DROPPED=7 run --kernels --no-store
has "what is lost is counted" '7 records were lost'
run --kernels --no-store --wire
has "who follows hears it before the end" '"text":"kernels fill [0-9.]+ % of BW of stage 1: '
[[ $(tail -n 1 "$work/log") == *'"t":"finished"'* ]] || { echo "FAILED  the end is not the last that is heard"; failed=1; }
PW_FAKE_CUPTI=0 run --kernels --no-store
has "no permission" 'not counted: cuptiActivityEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES.*administrators'
has "and the run is whole" 'loss, first and last step'
PW_FAKE_CUPTI=2 run --kernels --no-store
has "a version that is not known" 'not counted: .*version 140000'
PW_FAKE_CUPTI=3 run --kernels --no-store
has "kernels of no pass" 'not counted: .*of none which pass launched it'
PW_FAKE_CUPTI=4 run --kernels --no-store
has "kernels without times" 'not counted: no pass that was measured has launched any that has times'
PW_CUPTI=$work/libcupti.so.13 run --kernels --store "$store" || { echo "FAILED  the run fails without CUPTI"; failed=1; }
has "no library" "not counted: CUPTI does not load: $work/libcupti.so.13"
"$program" show last --store "$store" --no-gantt >"$work/log" 2>&1
has "which is kept" 'warning: Kernels were not counted: CUPTI does not load'
backend=cpu run --kernels --no-store || { echo "FAILED  the run fails on cpu"; failed=1; }
has "a backend without kernels" 'not counted: cpu has no kernels'
exit $failed
