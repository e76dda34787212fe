#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The loop closed, on the CPU with PyTorch: a job of four ranks whose last stage is heavy, and one whose first is; Schedule1F1B
# with one line of labels; `pipewright advise`; its three best changes emitted, run, and held against the promise. Ends with 77
# and a plain word where there is no PyTorch.
#
#     loop.sh [PIPEWRIGHT]
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3
#   CHANGES=N           so many of the best (default 3)

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/dev/app/pipewright}")
# shellcheck source=tests/torch/common.sh
. "$here/../torch/common.sh"
[[ -x $program ]] || skip "there is no program $program"
"$program" advise --help >/dev/null 2>&1 || skip "$program has no command advise"
out=$(mktemp -d /tmp/pipewright-loop.XXXXXX) || exit 1
remove=$out
torch_folder "$out"
cp -r "$here/loop.py" "$here/../../executor/torch/pipewright_torch" "$out/"
echo "PyTorch $version"
readonly split=4,4,4,4
held=0 ran=0 ranked=0 jobs=0

# value FILE EXPRESSION: of the JSON in it, as d
value() { python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }

# job NAME OPTIONS…
job() {
    local name=$1 advice=$out/$1.json
    shift
    python "$inside" loop.py "$name" --split $split "$@" >"$out/$name.txt" 2>&1 || { tail -n 5 "$out/$name.txt"; exit 1; }
    "$program" advise "$out/$name" --measured-layers $split --json >"$advice" || exit 1
    local step
    step=$(value "$advice" 'd["step_ms"]')
    printf '%s: a step of %.1f ms; %s\n' "$name" "$step" "$(value "$advice" 'd["why"]')"
    jobs=$((jobs + 1))
    local promised="" measured=""
    for n in $(seq "${CHANGES:-3}"); do
        change "$name" "$advice" "$n" "$@"
    done
    # The order of what was measured is that of what was promised, but for changes that differ by less than a hundredth.
    if python3 -c 'import sys
p, m = ([float(x) for x in words.split()] for words in sys.argv[1:3])
sys.exit(any(p[i] < p[j] - .01 and m[i] > m[j] + .01 for i in range(len(p)) for j in range(len(p))))' "$promised" "$measured"; then
        ranked=$((ranked + 1))
    else
        echo "    the changes are ranked otherwise than they were measured"
    fi
}

# change NAME ADVICE NUMBER OPTIONS…
change() {
    local name=$1 advice=$2 n=$3 place=$1-$3 at="d['changes'][$(($3 - 1))]"
    shift 3
    local what options=() new
    what=$(value "$advice" "${at}['what']")
    [[ $what != bound ]] || return 0
    new=$(value "$advice" "','.join(map(str, ${at}['split'])) or '$split'")
    "$program" advise "$out/$name" --measured-layers $split --change "$n" --emit torch --output "$out/$place.torch" \
        >"$out/$place.emit" 2>&1 || { cat "$out/$place.emit"; return 0; }
    # A split is one line of the job's configuration; another order is the file that was written.
    [[ $what == split ]] || options=(--csv "$place.torch/schedule.csv")
    python "$inside" loop.py "$place" --split "$new" "${options[@]}" "$@" >"$out/$place.txt" 2>&1 ||
        { tail -n 5 "$out/$place.txt"; return 0; }
    "$program" advise "$out/$name" --measured-layers $split --change "$n" --after "$out/$place" --json >"$out/$place.json" 2>&1 ||
        { head -n 5 "$out/$place.json"; return 0; }
    "$program" advise "$out/$place" --json >"$out/$place.own" 2>/dev/null
    local gain low high got
    gain=$(value "$advice" "${at}['gain']") low=$(value "$advice" "${at}['low']") high=$(value "$advice" "${at}['high']")
    got=$(python3 -c 'import sys; print(1 - float(sys.argv[2]) / float(sys.argv[1]))' \
        "$(value "$advice" 'd["step_ms"]')" "$(value "$out/$place.own" 'd["step_ms"]')")
    ran=$((ran + 1)) promised+=" $gain" measured+=" $got"
    local word=outside
    if awk -v low="$low" -v high="$high" -v got="$got" 'BEGIN { exit !(got >= low && got <= high) }'; then
        word=holds held=$((held + 1))
    fi
    printf '    %-9s %-16s split %-20s promised %5.1f %% (%5.1f to %5.1f)  measured %5.1f %%  %s\n' "$what" \
        "$(value "$advice" "${at}['family'] or 'own order'")" "$new" "$(scaled "$gain")" "$(scaled "$low")" "$(scaled "$high")" \
        "$(scaled "$got")" "$word"
}

scaled() { awk -v part="$1" 'BEGIN { print 100 * part }'; }

job heavy-head --head 15
job heavy-first --first 12
echo "$held of $ran intervals hold the measurement; $ranked of $jobs jobs ranked right"
[[ $ran -gt 0 && $((10 * held)) -ge $((8 * ran)) && $ranked -eq $jobs ]]
