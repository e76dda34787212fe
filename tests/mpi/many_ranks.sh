#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Emulated runs of many ranks over MPI on this machine: do they end, does every pass come back, and how long does it take.
# Ends with 77 and a plain word where there is no such launcher.
#
#     many_ranks.sh [PIPEWRIGHT [RANKS...]]        default: build/dev/app/pipewright 64 72
#
#   PW_MPI=mpich   the same under MPICH's mpiexec.hydra

set -u -o pipefail

here=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$here/build/dev/app/pipewright}")
[[ $# -eq 0 ]] || shift
counts=("$@")
[[ ${#counts[@]} -gt 0 ]] || counts=(64 72)
readonly here program counts
readonly limit=${PW_MANY_LIMIT:-600}

skip() {
    echo "SKIP: $1"
    exit 77
}

[[ -x $program ]] || skip "there is no program $program"
if [[ ${PW_MPI:-openmpi} == mpich ]]; then
    command -v mpiexec.hydra >/dev/null || skip "there is no mpiexec.hydra (Debian: mpich)"
    start=(mpiexec.hydra)
else
    command -v mpirun >/dev/null || skip "there is no mpirun (Debian: openmpi-bin)"
    mpirun --version 2>/dev/null | grep -q "Open MPI" || skip "mpirun is not that of Open MPI"
    start=(mpirun --oversubscribe)
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
failures=0

# Seconds from the start of the launcher to its end.
many() { # RANKS
    local ranks=$1 begun took code passes wanted unlike
    begun=$(date +%s%N)
    timeout "$limit" "${start[@]}" -n "$ranks" "$program" run 1f1b --devices "$ranks" \
        --micro-batches $((2 * ranks)) --backend emulated --iterations 1 --warmup 0 --no-store --wire \
        >"$folder/run.jsonl" 2>"$folder/run.err"
    code=$?
    took=$((($(date +%s%N) - begun) / 1000000))
    passes=$(grep '^{"t":"pass"' "$folder/run.jsonl" | grep -cE '"kind":"(F|BW)"')
    wanted=$((ranks * 2 * ranks * 2)) # F and BW of every micro-batch on every stage
    unlike=$(grep '"t":"log"' "$folder/run.jsonl" | grep -c 'clock agrees')
    if [[ $code -eq 0 && $passes -eq $wanted ]] && grep -q '"status":"finished"' "$folder/run.jsonl"; then
        echo "passed: $ranks ranks ($passes passes, $((took / 1000)).$(((took % 1000) / 100)) s in all," \
            "$(sed -n 's/.*"makespan":\([0-9]*\).*"predicted_makespan":\([0-9]*\).*/makespan \1 ns, planned \2 ns/p' \
                "$folder/run.jsonl"), $unlike clocks measured)"
    else
        echo "FAILED: $ranks ranks (exit code $code, $passes of $wanted passes, $took ms)"
        tail -n 3 "$folder/run.err" | sed 's/^/    /'
        failures=$((failures + 1))
    fi
}

for ranks in "${counts[@]}"; do
    many "$ranks"
done
exit $((failures > 0))
