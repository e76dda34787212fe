#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# No source of the programs is longer than one idea takes: 600 lines, or a line at its top that begins with "// One file:" and
# says why it is longer. What a person has to hold in the head is a class, whatever its files: see class_sizes.py.
#
#   tests/checks/file_sizes.sh

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
readonly most=600

find app core executor ui \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    xargs -0 wc -l | awk '$2 != "total"' >"$scratch/lines"
while read -r lines file; do
    head -n 25 "$file" | grep -q '^// One file: ' ||
        found "$file has $lines lines; split it by the ideas in it ($most at most)"
done < <(awk -v most=$most '$1 > most' "$scratch/lines")
done_with "$(wc -l <"$scratch/lines") files have $most lines at most, or say why not"
