#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# What every rank does, as `pipewright communication --sharded` has it, beside what PyTorch's own runtime makes of the same
# order: every family that it can hold, in several shapes, letter for letter. Ends with 77 and a plain word where there is
# no PyTorch.
#
#     lowering.sh [PIPEWRIGHT]
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/dev/app/pipewright}")
# shellcheck source=tests/torch/common.sh
. "$here/common.sh"
[[ -x $program ]] || skip "there is no program $program"
out=$(mktemp -d /tmp/pipewright-lowering.XXXXXX) || exit 1
remove=$out
torch_folder "$out"
cp "$here/lowering.py" "$out/"

order() { # FAMILY DEVICES MICRO_BATCHES [OPTIONS]
    local file=$out/$1-$2-$3-${5:-0}.only.csv
    "$program" convert "$1" "$file" --devices "$2" --micro-batches "$3" "${@:4}" >/dev/null 2>&1 || rm -f "$file"
}
for family in $("$program" families --json | grep -oP '"id": "\K[^"]+'); do
    for shape in "2 4" "4 8" "4 12" "6 12" "8 16"; do
        # shellcheck disable=SC2086 # two words
        order "$family" $shape
    done
done
for chunks in 3 4 5 6 9; do
    for family in interleaved-1f1b breadth-first; do
        order "$family" 4 8 --chunks "$chunks"
        order "$family" 3 9 --chunks "$chunks"
    done
done
python "$inside" -W ignore lowering.py "$inside" 2>"$out/errors.txt" || { cat "$out/errors.txt"; exit 1; }

compared=0 apart=0
for file in "$out"/*.only.csv; do
    for name in plain deferred; do
        place=as-sent
        [[ $name == deferred ]] && place=deferred
        compared=$((compared + 1))
        if ! "$program" communication "$file" --sharded --receive $place --csv 2>&1 | cmp -s - "${file%.only.csv}.$name.csv"; then
            echo "apart: $(basename "${file%.only.csv}"), $name"
            apart=$((apart + 1))
        fi
    done
done
echo "PyTorch $version: $compared listings compared, $apart apart"
[[ $compared -gt 0 && $apart -eq 0 ]]
