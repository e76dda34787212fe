#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# clang-tidy finds nothing in the sources of both programs (app, core, executor, ui); .clang-tidy says what it looks for.
#
#   tests/checks/tidy.sh [--since COMMIT | --seconds N | --of LIBRARY] [BUILD-FOLDER]     default build/dev, built
#
# Works on the units that are compiled together, so that a header is read once for many files. With --since only the units
# with a file that changed since that commit, in the tests too; with --seconds those that changed last come first, and none
# is begun later than that; with --of the units of one library, such as pw_schedule.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need clang-tidy clang-tidy
need clang++ clang

since='' seconds='' library=''
case ${1:-} in
--since) since=$2 && shift 2 ;;
--seconds) seconds=$2 && shift 2 ;;
--of) library=$2 && shift 2 ;;
esac
build=${1:-build/dev}
need_file "$build/compile_commands.json" "cmake --preset dev && cmake --build --preset dev"

# The same commands without what g++ alone knows: its precompiled headers and names of warnings.
sed -E 's# -include [^ ]*cmake_pch\.hxx##; s# -(Winvalid-pch|fpch-preprocess|fno-semantic-interposition)##g; s# -W[a-z][^ ",]*##g' \
    "$build/compile_commands.json" >"$scratch/compile_commands.json"

# Files of ours, and units that include files of ours; what a tool wrote is left out.
mapfile -t units < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$scratch/compile_commands.json" |
    grep -E '/Unity/unity_|/(app|core|executor|ui)/[a-z_/]*\.cpp$' |
    grep -Ev 'mocs_compilation|qrc_|_autogen|cmake_pch|/executor/cuda/|command_registry|family_registry' |
    { if [[ -n $since ]]; then cat; else grep -Ev "^($PWD|$(realpath "$build"))/tests/"; fi; } |
    { if [[ -n $library ]]; then grep "/CMakeFiles/$library\.dir/"; else cat; fi; } | sort -u)
if [[ -n $since ]]; then
    mapfile -t changed < <(git diff --name-only "$since" -- '*.cpp' '*.h')
    mapfile -t units < <(for unit in "${units[@]}" "${changed[@]/#/$PWD/}"; do
        for file in "${changed[@]}"; do
            [[ $unit == *.cpp && $unit == "$PWD/$file" ]] || grep -qsF "/$file\"" "$unit" && { echo "$unit"; break; }
        done
    done | sort -u)
fi
[[ ${#units[@]} -gt 0 || -n $since ]] || cannot "$build has no units${library:+ of $library}"
if [[ -n $seconds ]]; then
    # A unit is as new as its newest file.
    git log --format= --name-only -- '*.cpp' '*.h' | awk '!seen[$0]++' >"$scratch/newest"
    mapfile -t units < <(for unit in "${units[@]}"; do
        { sed -n "s#^\#include \"$PWD/\(.*\)\"#\1#p" "$unit" && printf '%s\n' "${unit#"$PWD"/}"; } >"$scratch/files"
        printf '%s %s\n' "$(grep -nxFf "$scratch/files" "$scratch/newest" | head -n 1 | cut -d: -f1)" "$unit"
    done | sort -n | cut -d' ' -f2-)
fi

export scratch
ends=$(($(date +%s) + ${seconds:-86400}))
export ends
# shellcheck disable=SC2317 # the shell that xargs starts calls it
look_at() { # UNIT: its findings on standard output
    [[ $(date +%s) -lt $ends ]] || return 0
    echo >>"$scratch/looked"
    clang-tidy -p "$scratch" --quiet "$1" 2>"$scratch/$(basename "$1").$$.err" || cat "$scratch/$(basename "$1").$$.err"
}
export -f look_at
printf '%s\0' "${units[@]}" | xargs -0 -r -P "$(nproc)" -I{} bash -c 'look_at {}' >"$scratch/all"

# A header is read by many units; each finding counts once. What moc wrote is not ours, and tests name the namespace they test.
grep -E ': (warning|error): ' "$scratch/all" | sed "s#^$PWD/##" |
    grep -Ev '^[^ ]*\.moc:|^tests/.*google-build-using-namespace' | sort -u >"$scratch/findings"
while IFS= read -r line; do found "$line"; done <"$scratch/findings"
done_with "clang-tidy finds nothing in $(wc -l 2>/dev/null <"$scratch/looked" || echo 0) of ${#units[@]} units"
