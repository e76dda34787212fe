#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   graphs.sh PROGRAM MODULES
#
# Runs on the stand-in GPU with PW_CUDA_GRAPHS=1, against the same runs without: equal losses to the last digit, in every
# order; what repeats is launched as graphs; and what cannot become a graph is launched call by call.

set -u -o pipefail
program=${1:?PROGRAM}
export PW_MODULE_PATH=${2:?MODULES} PW_FAKE_PATIENCE=${PW_FAKE_PATIENCE:-10} PW_FAKE_REPORT=1 COLUMNS=400
unset PW_CUDA_GRAPHS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# shellcheck source=tests/gpu_stand_in/has.sh
. "$(dirname "${BASH_SOURCE[0]}")/has.sh"

run() { timeout 200 "$program" run "$@" --devices 2 --micro-batches 4 --size tiny --backend cuda --as-planned --forward 1 \
    --warmup 0 --patience 60000 --no-store --wire >"$work/log" 2>&1; }
losses() { grep '"t":"loss"' "$work/log"; }
# What the ranks' notes add up to: the made, launches, calls in them, and calls by themselves.
told() { grep -oE 'CUDA graphs: [^"]*' "$work/log" | tr -d , | tr -c '0-9\n' ' ' |
    awk '{ made += $1; launched += $2; within += $3; alone += $4 } END { print made + 0, launched + 0, within + 0, alone + 0 }'; }
fails() { echo "FAILED  $1"; grep -E '"log"|^stand-in' "$work/log" | tail -n 12; failed=1; }

# OPTIONS...: equal with graphs, in either order, and some are launched again in the third iteration.
same() {
    local wanted order made launched
    PW_CUDA_GRAPHS=0 run "$@" --iterations 3 || fails "$*"
    wanted=$(losses)
    [[ $(wc -l <<<"$wanted") == 3 ]] || fails "$*: no losses"
    for order in fair starved; do
        PW_CUDA_GRAPHS=1 PW_FAKE_ORDER=$order PW_FAKE_SEED=2 run "$@" --iterations 3 || fails "$*, $order"
        [[ $(losses) == "$wanted" ]] || fails "$*, $order: other losses"
        read -r made launched _ <<<"$(told)"
        [[ $made -ge 8 && $launched -ge $((made + 4)) ]] || fails "$*, $order: $made graphs, $launched launches"
        grep -qE '^stand-in GPU: .*, [1-9][0-9]* launches of graphs, 0 graphs left, 0 blocks left' "$work/log" ||
            fails "$*, $order: graphs or blocks left"
    done
    echo "ok      $*: $made graphs, $launched launches"
}
same 1f1b
same zb-v
same seq1f1b
same 1f1b --recompute 0
same zb-h1 --flash-attention
same zb-v --bf16
same dualpipe

# Once every place has its memory, all is graphs: four passes forward, four backward and the update, of two ranks, 18 in an
# iteration. An order that lets memory come late may need some iterations for that, and makes few graphs more.
export PW_CUDA_GRAPHS=1
run 1f1b --iterations 8
read -r _ short _ early <<<"$(told)"
run 1f1b --iterations 20
read -r made long _ late <<<"$(told)"
said="8 iterations: $short launches, $early calls by themselves; 20: $long, $late"
if [[ $long -ge $((18 * 18 - 36)) && $((long - short)) -ge $((12 * 18 - 36)) && $((late - early)) -lt $early ]]; then
    echo "ok      $said"
else
    fails "an iteration is not all graphs: $said"
fi
has "and nothing is refused" '!could not become'

PW_CUDA_GRAPHS=0 run 1f1b --iterations 3
wanted=$(losses)
has "0 is none" '!CUDA graphs'
for how in 0 2 3; do
    PW_FAKE_GRAPHS=$how run 1f1b --iterations 3
    [[ $(losses) == "$wanted" ]] || fails "no graphs ($how): other losses"
    has "no graphs ($how) are told of in a line" 'sequences of calls could not become a CUDA graph and are launched call by call: '
    has "and none is made" 'CUDA graphs: 0 made; 0 launches'
done
PW_CUDA_GRAPHS=yes run 1f1b --iterations 1 && fails "PW_CUDA_GRAPHS=yes is taken"
has "what it may say is said" "PW_CUDA_GRAPHS is 'yes', not 1 or 0"
exit $failed
