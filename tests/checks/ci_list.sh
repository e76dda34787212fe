#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The table of parts in resources/manual/contributing.md is what .ci/run does, and what every change runs through stays under
# an hour.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

page=resources/manual/contributing.md
need_file .ci/run "it is part of the sources"
.ci/run --list >"$scratch/list" || found ".ci/run --list: exit $?"
# shellcheck disable=SC2016 # the marks of code in a table
awk -F'\t' '{ printf "| %s | %s | %s |\n", $3, $2, $1 == "change" ? "`.ci/run`" : "`--release`" }' \
    "$scratch/list" >"$scratch/rows"
while IFS= read -r row; do
    grep -qxF -- "$row" "$page" || found "$page has no row $row"
done <"$scratch/rows"
# shellcheck disable=SC2016 # the marks of code in a table
grep -E '^\| .* \| [0-9]+ \| `(\.ci/run|--release)` \|$' "$page" | grep -vxFf "$scratch/rows" |
    while IFS= read -r row; do echo "$page: $row is no part of .ci/run"; done >"$scratch/extra"
[[ ! -s $scratch/extra ]] || found "$(cat "$scratch/extra")"
minutes=$(awk -F'\t' '$1 == "change" { sum += $2 } END { print sum + 0 }' "$scratch/list")
[[ $minutes -gt 0 && $minutes -lt 60 ]] || found "the parts of a change have $minutes minutes in all, not under 60"

done_with "$(wc -l <"$scratch/list") parts, $minutes minutes of them for every change"
