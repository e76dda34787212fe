#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   mutants.sh BUILD [NAMES...]
#
# Plants every fault of mutants.txt in a copy of its file, builds the module over the stand-in with it, and runs what must
# notice it. BUILD is a tree with `pipewright`, `pw_gpu_module` and `pw_tests_gpu`. Exit code 1 where a fault is not noticed
# or changes nothing, or where what should notice it fails without it, too.

set -u -o pipefail
build=$(cd "${1:?BUILD}" && pwd)
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$here/other_build.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=(-O1 -g0) # they are compiled more often than they run
seeds="1 2 3 4"

# FILE: what of executor/cuda is compiled anew where it changes: itself, or what includes it.
compiled() {
    local changed=$1 before=""
    while [[ $changed != "$before" ]]; do
        before=$changed
        changed=$(cd "$root/executor/cuda" && { printf '%s\n' "$before"; for one in $before; do
            grep -lF "\"executor/cuda/$one\"" -- *.h *.cuh *.cpp *.cu
        done; } | sort -u)
    done
    grep -E '\.(cpp|cu)$' <<<"$changed" | grep -v '^cuda_module'
}

# FOLDER FILE CHANGE COMMAND: the module, or the tests, with a fault.
plant() {
    local folder=$1 file=$2 change=$3 command=$4 made=() one
    mkdir -p "$folder/executor/cuda" "$folder/translated/executor/cuda"
    perl -0777 -pe "$change" "$root/executor/cuda/$file" >"$folder/executor/cuda/$file" || return 1
    cmp -s "$root/executor/cuda/$file" "$folder/executor/cuda/$file" && { echo "changes nothing" >&2; return 1; }
    case $file in
        *.cu) "$here/translate.sh" "$folder/executor/cuda/$file" "$folder/translated/executor/cuda/$file.cpp" || return 1 ;;
        *.cuh) "$here/translate.sh" "$folder/executor/cuda/$file" "$folder/translated/executor/cuda/$file" || return 1 ;;
    esac
    for one in $(compiled "$file"); do
        made+=("$(compile "$folder" "$one")") || return 1
    done
    if [[ $command == OPS* ]]; then
        link "$folder" tests/pw_tests_gpu pw_tests_gpu "${made[@]}"
    else
        link "$folder" tests/gpu_stand_in/pipewright-cuda.so pipewright-cuda.so "${made[@]}"
    fi
}

# FOLDER ORDER SEED COMMAND: whether it ends well there.
passes() {
    local folder=$1 what=$4 gpus=1 graphs=0
    if [[ $what == N=* ]]; then
        gpus=${what#N=} && gpus=${gpus%% *} && what=${what#* }
    fi
    [[ $what == GRAPHS* ]] && graphs=1 what=${what#* }
    local -a words
    read -r -a words <<<"$what"
    export PW_MODULE_PATH=$folder PW_FAKE_GPUS=$gpus PW_FAKE_ORDER=$2 PW_FAKE_SEED=$3 PW_FAKE_PATIENCE=10 PW_CUDA_GRAPHS=$graphs
    case ${words[0]} in
        V)
            [[ $what == *--micro-batches* ]] || words+=(--micro-batches 4)
            timeout 100 "$build/app/pipewright" verify "${words[@]:1}" --devices 2 --plain --backend cuda
            ;;
        OPS) timeout 100 "$folder/pw_tests_gpu" tst_cuda_ops "${words[@]:1}" ;;
        FAULTS) timeout 400 "$here/faults.sh" "$build/app/pipewright" "$folder" nccl ;;
        *) echo "there is no ${words[0]}" && exit 2 ;;
    esac >"$work/said" 2>&1
}

# ORDER COMMAND FOLDER: prints what noticed it; false where nothing did.
noticed() {
    local order seed orders=$1 tried=$seeds
    [[ $orders == any ]] && orders="fair starved"
    [[ $2 == FAULTS* ]] && tried=1 # thirty runs at as many moments each
    for seed in $tried; do
        for order in $orders; do
            passes "$3" "$order" "$seed" "$2" || { echo "$order, seed $seed"; return 0; }
        done
    done
    return 1
}

sound=$build/tests/gpu_stand_in
ln -sf "$build/tests/pw_tests_gpu" "$work/pw_tests_gpu"
ln -sf "$sound/pipewright-cuda.so" "$work/pipewright-cuda.so"
failed=0 count=0 good=""
trim() { sed -E 's/^ +//; s/ +$//' <<<"$1"; }
while IFS='|' read -r name file change order command; do
    name=$(trim "$name") file=$(trim "$file") change=$(trim "$change") order=$(trim "$order") command=$(trim "$command")
    [[ -z $name || $name == \#* ]] && continue
    [[ $# -gt 0 && " $* " != *" $name "* ]] && continue
    count=$((count + 1))
    if [[ $good != *"|$command|"* ]]; then
        if by=$(noticed any "$command" "$work"); then
            echo "FAILED  $name: its command fails without it ($by): $command"
            tail -n 5 "$work/said"
            failed=$((failed + 1))
            continue
        fi
        good+="|$command|"
    fi
    if ! plant "$work/$name" "$file" "$change" "$command"; then
        echo "FAILED  $name: it cannot be planted in $file"
        failed=$((failed + 1))
    elif by=$(noticed "$order" "$command" "$work/$name"); then
        echo "noticed $name ($by): $(grep -m 1 -E 'stand-in GPU|WRONG|FAIL|AddressSanitizer|failed' "$work/said" | cut -c 1-120)"
    else
        echo "FAILED  $name: $command does not notice it"
        failed=$((failed + 1))
    fi
    rm -rf "${work:?}/$name"
done < <(cat "$here/mutants.txt") # as it is now
echo "$((count - failed)) of $count faults noticed"
exit $((failed != 0))
