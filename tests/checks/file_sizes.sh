#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# No source of the programs is longer than a person holds in the head: 450 lines, or a line at its top that begins with
# "// One file:" and says why it is longer.
#
#   tests/checks/file_sizes.sh

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
readonly most=450

count=0
while IFS= read -r -d '' file; do
    count=$((count + 1))
    lines=$(wc -l <"$file")
    if [[ $lines -gt $most ]] && ! head -n 25 "$file" | grep -q '^// One file: '; then
        found "$file has $lines lines; split it by what its parts are about ($most at most)"
    fi
done < <(find app core executor ui \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0)
done_with "$count files have $most lines at most, or say why not"
