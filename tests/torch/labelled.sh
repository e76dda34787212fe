#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Training programs that know nothing of Pipewright, with one line of labels: PyTorch's own schedules, an own loop, and stand-ins
# of Megatron-Core and DeepSpeed. Their traces are imported and recognised, their gradients are those without labels, and what
# labels cost is measured in pairs. Then Schedule1F1B without labels. Ends with 77 and a plain word where there is no PyTorch.
#
#     labelled.sh [PIPEWRIGHT]
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3
#   PAIRS=N             pairs of steps for the cost of labels (default 100)

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/dev/app/pipewright}")
# shellcheck source=tests/torch/common.sh
. "$here/common.sh"
[[ -x $program ]] || skip "there is no program $program"
out=$(mktemp -d /tmp/pipewright-labelled.XXXXXX) || exit 1
remove=$out
torch_folder "$out"
cp -r "$here/labelled.py" "$here/labelled_engines.py" "$here/stand_ins" "$here/../../executor/torch/pipewright_torch" "$out/"
echo "PyTorch $version"
ran=0 failures=0
fault() {
    echo "    $1"
    failures=$((failures + 1))
}

# recognised NAME EXPECTED: the trace in $out/NAME has this family, with no entry out of order
recognised() {
    local text
    text=$("$program" import "$out/$1" 2>&1)
    ran=$((ran + 1))
    printf '%-22s %s\n' "$1" "$(grep -m 1 -E '^  family' <<<"$text" | sed -E 's/^ *family *//')"
    if ! grep -m 1 -E '^  family' <<<"$text" | grep -qF "$2, 0 of" || grep -q 'cannot\|doubled' <<<"$text"; then
        echo "$text" | head -n 20
        fault "$1: not $2"
    fi
}

# trained NAME SCHEDULE EXPECTED OPTIONS…
trained() {
    local name=$1 schedule=$2 expected=$3
    shift 3
    python "$inside" labelled.py "$schedule" --labels --traces "$name" --gradients "$name.with" "$@" >"$out/$name.txt" 2>&1 ||
        { tail -n 5 "$out/$name.txt"; fault "$name did not run"; return; }
    python "$inside" labelled.py "$schedule" --gradients "$name.without" "$@" >>"$out/$name.txt" 2>&1
    recognised "$name" "$expected"
    for file in "$out/$name".with.*; do
        cmp -s "$file" "${file/.with./.without.}" || fault "$name: the gradients of rank ${file##*.} are others than without labels"
    done
}

trained 1f1b 1F1B '1F1B' --ranks 4 --layers 1,1,1,1
trained profiler-steps 1F1B '1F1B' --ranks 2 --layers 1,1 --profiler-steps
trained replicas 1F1B '1F1B' --ranks 2 --replicas 2 --layers 1,1
trained gpipe GPipe 'kFkB (group 8)' --ranks 2 --layers 1,1
trained interleaved Interleaved1F1B 'Interleaved 1F1B (chunks 2, group 2)' --ranks 2 --layers 1,1,1,1
trained zbv ZBVZeroBubble 'ZB-V' --ranks 2 --layers 1,1,1,1
trained loop loop 'kFkB (group 8)' --ranks 2 --layers 1,1
for engine in megatron interleaved deepspeed; do
    expected=1F1B
    [[ $engine != interleaved ]] || expected='Interleaved 1F1B (chunks 2, group 2)'
    python "$inside" labelled_engines.py $engine "engine-$engine" >"$out/$engine.txt" 2>&1 ||
        { tail -n 5 "$out/$engine.txt"; fault "$engine did not run"; continue; }
    recognised "engine-$engine" "$expected"
done
for shape in "3 2,1,3" "2 1,1"; do
    # shellcheck disable=SC2086 # no option needs a space
    python "$inside" labelled.py 1F1B --ranks ${shape% *} --layers ${shape#* } --traces "unlabelled-${shape% *}" \
        >"$out/unlabelled.txt" 2>&1 || { tail -n 5 "$out/unlabelled.txt"; fault "a program without labels did not run"; }
    recognised "unlabelled-${shape% *}" 1F1B
done
python "$inside" labelled.py 1F1B --labels --ranks 2 --layers 1,1 --hidden 256 --rows 128 --steps 0 --pairs "${PAIRS:-100}" \
    2>/dev/null | grep labels_cost >"$out/pairs.json"
cost=$(grep -oP '"labels_cost_percent": \K[-0-9.e]+' "$out/pairs.json")
echo "labels cost ${cost:-no figure} % of a step, the median of ${PAIRS:-100} pairs: $(cat "$out/pairs.json")"
awk -v cost="$cost" 'BEGIN { exit !(cost != "" && cost < 1) }' || fault "labels cost 1 % or more"
echo "$ran traces, $failures failures"
[[ $ran -gt 0 && $failures -eq 0 ]]
