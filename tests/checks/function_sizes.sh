#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# No function is longer than a person sees at once: 70 lines from its first brace to its last, or a line right behind the
# first brace that begins with "// One function:" and says why it is longer.
#
# Where the formatter has been, a function's braces stand alone and one below the other. So do those of classes, whose
# last one has a semicolon behind it, and of namespaces, whose last one says what it ends: neither is looked at.
#
#   tests/checks/function_sizes.sh

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
readonly most=70

# shellcheck disable=SC2016 # the words are awk's
find app core executor ui tests \
    \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp.in' \) -print0 |
    xargs -0 awk -v most="$most" '
    function indent(line) { match(line, /^ */); return RLENGTH }
    FNR == 1 { delete begun; delete excused }
    /^ *\{$/ {
        begun[indent($0)] = FNR
        delete excused[indent($0)]
        opened = indent($0)
        next
    }
    (opened in begun) && FNR == begun[opened] + 1 && /^ *\/\/ One function: / { excused[opened] = 1 }
    /^ *\};/ { delete begun[indent($0)] }
    /^ *\}$/ && (indent($0) in begun) {
        lines = FNR - begun[indent($0)] + 1
        ++functions
        if (lines > most && !(indent($0) in excused))
            print "long", FILENAME ":" begun[indent($0)], lines
        delete begun[indent($0)]
    }
    END { print "functions", functions }' >"$scratch/functions"
while read -r _ place lines; do
    found "$place: a function of $lines lines; split it by what its parts do ($most at most)"
done < <(grep '^long' "$scratch/functions")
done_with "$(awk '/^functions/ { all += $2 } END { print all }' "$scratch/functions") functions have $most lines at most, or say why not"
