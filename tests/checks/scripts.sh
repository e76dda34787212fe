#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Every script of the sources is clean for shellcheck.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need shellcheck shellcheck
need git git

scripts=()
while IFS= read -r file; do
    [[ -f $file ]] || continue
    IFS= read -r first <"$file" || true
    [[ $first =~ ^'#!'.*[/\ ](ba|da)?sh$ || $first == "# shellcheck shell="* ]] && scripts+=("$file")
done < <(git ls-files --cached --others --exclude-standard -- run .ci '*.sh' ':!*.cpp')
[[ ${#scripts[@]} -ge 5 ]] || found "only ${#scripts[@]} scripts: is this the top of the sources?"

for script in "${scripts[@]}"; do
    shellcheck -x -P SCRIPTDIR "$script" || found "$script"
done
done_with "${#scripts[@]} scripts are clean: ${scripts[*]}"
