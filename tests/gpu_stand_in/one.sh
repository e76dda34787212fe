#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   one.sh PROGRAM MODULES FAMILY WAY ATTENTION ELEMENT CLIP OFFLOAD OPTIMIZER ORDER SEED
#
# One row of the cover: `pipewright verify` on the stand-in GPU. Prints one line; of a row that fails, what it said, too.

set -u
source "$(dirname "${BASH_SOURCE[0]}")/way.sh"
program=$1
export PW_MODULE_PATH=$2
shift 2
row="$*"
family=$1
use_way "$2" || exit 2
options=(verify "$family" --devices "$devices" --micro-batches 4 --plain --backend cuda --optimizer "$7"
    "${replicated[@]+"${replicated[@]}"}")
export PW_FAKE_ORDER=$8 PW_FAKE_SEED=$9 PW_FAKE_REPORT=1
[[ $3 == flash ]] && options+=(--flash-attention)
[[ $4 == bf16 ]] && options+=(--bf16)
[[ $5 == none ]] || options+=(--clip-norm 0.5)
[[ $5 == post ]] && options+=(--post-validation)
[[ $6 == all ]] && options+=(--offload all)

start=$(date +%s%N)
said=$(timeout 120 "$program" "${options[@]}" 2>&1)
status=$?
took=$((($(date +%s%N) - start) / 1000000))
why=""
[[ $status -eq 0 ]] || why="exit $status"
# A row that the family refuses, or that ran elsewhere, has shown nothing; what is left over has lost its owner.
grep -qE "^$family +[1-9]" <<<"$said" || why+=" no run"
grep -qE '^stand-in GPU: [1-9][0-9]* kernels, .* 0 blocks left' <<<"$said" || why+=" no kernels, or blocks left"
if [[ -z $why ]]; then
    echo "ok      $row ($took ms)"
else
    printf 'FAILED  %s (%s ms): %s\n%s\n' "$row" "$took" "$why" "$said"
    exit 1
fi
