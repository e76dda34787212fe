#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Everything that Pipewright has to show on a GPU, in one go; README.md beside this says what is what, and session.sh
# does as much of it as fits into a time, without a build.
#
#   tests/gpu/run.sh [--quick] [--without PART]... [FOLDER]
#
# PROGRAM=path of pipewright (default: build/cuda/app/pipewright, built where it is absent and nvcc is there).
# SIZE=model of the runs that are measured (default fit; medium with --quick).
# OPS_TEST, CUDA_TEST=commands of the two test programs (default: those of build/dev).
# Output goes to FOLDER (default tests/gpu/results): a log a part, and summary.txt. Exit code 1 where a part failed,
# was skipped, is missing, or a figure is beyond its bound; --without PART says that a part is not wanted here.

set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=tests/gpu/parts.sh
. tests/gpu/parts.sh

size=(--size "${SIZE:-fit}")
iterations=5
families=()
without=()
while [[ ${1:-} == --* ]]; do
    case $1 in
        --quick)
            size=(--size "${SIZE:-medium}" --bf16)
            iterations=3
            families=(--devices 4 --micro-batches 8)
            ;;
        --without) without+=("${2:?--without needs a part}"); shift ;;
        *) echo "there is no option $1; --quick and --without PART are" >&2; exit 2 ;;
    esac
    shift
done
out=${1:-tests/gpu/results}
mkdir -p "$out"
rm -f "$out/fault-none.ns"
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
PW_MODULE_PATH=$(cd "$(dirname "$program")" && pwd)
export PW_MODULE_PATH

unwanted() { # NAME
    local one
    for one in "${without[@]+"${without[@]}"}"; do [[ $1 == "$one" ]] && return 0; done
    return 1
}

describe_machine
failed=0
while read -r -u 3 name _ limit; do
    if unwanted "$name"; then
        say "unwanted $name"
        continue
    fi
    perform "$name" "$limit" "$limit"
    [[ $verdict == ok ]] || failed=1
done 3< <(gpu_parts)
say_figures
exit $failed
