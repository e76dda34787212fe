#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Every family that PyTorch's runtime can hold: emitted as a folder, run there on the CPU, its wire and its
# traces kept in a store, recognised, compared. Ends with 77 and a plain word where there is no PyTorch.
#
#     round_trip.sh [PIPEWRIGHT] [OUT]
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3
#   FAMILIES="a b"      only these

set -u -o pipefail

here=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$here/build/dev/app/pipewright}")
out=$(realpath -m "${2:-$(mktemp -d /tmp/pipewright-torch.XXXXXX)}")
readonly here program out
readonly devices=2 micro_batches=4
# What a CPU really computes is compared with one device; what takes its modelled time, with the plan.
readonly hop_ms=0.4 forward_ms=60 backward_ms=60 weight_ms=60

# shellcheck source=tests/torch/common.sh
. "$here/tests/torch/common.sh"
[[ -x $program ]] || skip "there is no program $program"
mkdir -p "$out"
torch_folder "$out"
echo "PyTorch $version, $devices devices, $micro_batches micro-batches"
printf '%-20s %-10s %-10s %-34s %-10s %s\n' family gradients wire recognised "off plan" "in both runs"

failures=0 ran=0 cannot=0
for family in ${FAMILIES:-$("$program" families --json | grep -oP '"id": "\K[^"]+')}; do
    folder=$out/$family
    rm -rf "$folder"
    if ! "$program" emit torch "$family" --devices $devices --micro-batches $micro_batches --to "$folder" \
        >"$out/$family.emit" 2>&1; then
        printf '%-20s cannot: %s\n' "$family" "$(tail -n 1 "$out/$family.emit" | cut -c 1-110)"
        cannot=$((cannot + 1))
        continue
    fi
    ran=$((ran + 1))
    good=yes
    # Really trained: gradients, a trace a rank.
    python "$inside/$family" -m pipewright_torch run plan.pipewright.json --wire --verify --as-planned \
        --size tiny --iterations 2 --traces traces >"$folder/wire.jsonl" 2>"$folder/errors.txt"
    error=$(grep -oP 'worst relative error \K[0-9.e+-]+' "$folder/wire.jsonl" | head -n 1)
    wire=finished
    grep -q '"status":"finished"' "$folder/wire.jsonl" || { wire=failed; good=no; }
    [[ -n $error ]] || { error=none; good=no; }
    store=$folder/runs.sqlite
    "$program" import "$folder/wire.jsonl" --store "$store" >"$folder/import_wire.txt" 2>&1 || { wire="no import"; good=no; }
    "$program" import "$folder"/traces/rank*.json --store "$store" --json >"$folder/import_traces.json" \
        2>"$folder/import_traces.txt" || good=no
    known=$(grep -oP '"(family|title)": "\K[^"]+' "$folder/import_traces.json" | head -n 1)
    apart=$(grep -oP '"(entries_out_of_order|out_of_order)": \K[0-9]+' "$folder/import_traces.json" | head -n 1)
    [[ ${apart:-none} == 0 ]] || good=no
    "$program" diff 1 2 --store "$store" >"$folder/diff.txt" 2>&1 || good=no
    diff=$(grep -oP '[0-9]+(?= passes in both)' "$folder/diff.txt" | head -n 1)
    # Every pass takes its modelled time; the plan is made of what was measured in PyTorch a moment before.
    "$program" convert "$family" "$folder/paced.pipewright.json" --order --devices $devices \
        --micro-batches $micro_batches --forward $forward_ms --backward $backward_ms --weight $weight_ms \
        --comm $hop_ms >"$folder/paced.txt" 2>&1
    # On a machine that others use too, a measurement and the run behind it may see different loads.
    for try in 1 2 3; do
        python "$inside/$family" -m pipewright_torch run paced.pipewright.json --wire --backend emulated --measure \
            --iterations 3 >"$folder/paced.jsonl" 2>>"$folder/errors.txt"
        off=$(sed -nE 's/.*"t":"finished".*"makespan":([0-9]+).*"predicted_makespan":([0-9]+).*/\1 \2/p' "$folder/paced.jsonl" |
            awk '$2 > 0 { printf "%+.1f %%", 100 * ($1 / $2 - 1) }')
        awk -v off="${off%% *}" 'BEGIN { exit !(off != "" && off < 5 && off > -5) }' && break
        echo "    $family, try $try: ${off:-no figure}" >&2
    done
    awk -v off="${off%% *}" 'BEGIN { exit !(off != "" && off < 5 && off > -5) }' || good=no
    printf '%-20s %-10s %-10s %-34s %-10s %s%s\n' "$family" "$error" "$wire" \
        "${known:-?}, ${apart:-?} out of order" "${off:-none}" "${diff:-none} passes" "$([[ $good == yes ]] || echo '   FAILED')"
    [[ $good == yes ]] || failures=$((failures + 1))
done
echo "$ran families ran, $cannot cannot, $failures failed; files in $out"
[[ $ran -gt 0 && $failures -eq 0 ]]
