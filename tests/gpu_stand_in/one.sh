#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   one.sh PROGRAM MODULES WAY ATTENTION ELEMENT CLIP OFFLOAD OPTIMIZER GRAPHS ORDER SEED
#
# One row of the cover: `pipewright verify` of every family, or of those that PW_ROW_FAMILIES matches, on the stand-in GPU.
# Prints one line; of a row that fails, what it said, too.

set -u
source "$(dirname "${BASH_SOURCE[0]}")/way.sh"
program=$1
export PW_MODULE_PATH=$2
shift 2
row="$*"
use_way "$1" || exit 2
# What `verify` allows in 16 bits is meant for few layers: four GPUs are two copies of two stages.
[[ $3 == bf16 && $devices -eq 4 ]] && devices=2 replicated=(--replicas 2)
families=(1f1b gpipe zb-h1 zb-h2 zb-v v-half chimera dualpipe dualpipe-v interleaved-1f1b hanayo)
# Segments do not go to the host.
[[ $5 == none ]] && families+=(seq1f1b)
# Asynchronous families have no norm of all gradients, and PipeDream no replicas of whole pipelines; in 16 bits its many updates
# lead further apart than the three steps that `verify` allows for.
[[ $4 == none ]] && families+=(pipedream-2bw)
[[ $4 == none && $3 == f32 && ${#replicated[@]} -eq 0 ]] && families+=(pipedream)
if [[ -n ${PW_ROW_FAMILIES:-} ]]; then
    mapfile -t families < <(printf '%s\n' "${families[@]}" | grep -xE "$PW_ROW_FAMILIES")
fi
options=(verify "${families[@]}" --devices "$devices" --micro-batches "$((2 * devices))" --plain --backend cuda
    --optimizer "$6" "${replicated[@]+"${replicated[@]}"}")
export PW_FAKE_ORDER=$8 PW_FAKE_SEED=$9 PW_FAKE_REPORT=1 PW_CUDA_GRAPHS=0
graphs='0 launches of graphs, 0 graphs left'
[[ $7 == on ]] && PW_CUDA_GRAPHS=1 graphs="${PW_ROW_LAUNCHES:-[1-9][0-9]*} launches of graphs, 0 graphs left"
[[ $2 == flash ]] && options+=(--flash-attention)
[[ $3 == bf16 ]] && options+=(--bf16)
[[ $4 == none ]] || options+=(--clip-norm 0.5)
[[ $4 == post ]] && options+=(--post-validation)
[[ $5 == all ]] && options+=(--offload all)

start=$(date +%s%N)
said=$(timeout "${PW_ROW_LIMIT:-300}" "$program" "${options[@]}" 2>&1)
status=$?
took=$((($(date +%s%N) - start) / 1000000))
why=""
[[ $status -eq 0 ]] || why="exit $status"
# What a family refuses, or what ran elsewhere, has shown nothing; what is left over has lost its owner.
for family in "${families[@]}"; do
    grep -qE "^$family +[1-9]" <<<"$said" || why+=" no run of $family"
done
grep -qE "^stand-in GPU: [1-9][0-9]* kernels, .* $graphs, 0 blocks left" <<<"$said" ||
    why+=" no kernels, graphs that are off or not launched, or blocks left"
if [[ -z $why ]]; then
    echo "ok      $row (${#families[@]} families, $took ms)"
else
    printf 'FAILED  %s (%s ms): %s\n%s\n' "$row" "$took" "$why" "$said"
    exit 1
fi
