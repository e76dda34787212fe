#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The pages of the manual are sound roff, and say what --help says; the page for contributors has every folder.
#
#   tests/checks/manual.sh [FOLDER-OF-THE-PROGRAMS]     default build/dev/app

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need mandoc mandoc
need man man-db
need groff groff-base

programs=${1:-build/dev/app}
need_file "$programs/pipewright" "cmake --build --preset dev"
export LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen

look_at() { # NAME COMMAND...: the command prints the page
    local name=$1 page=$scratch/$1.1 option
    shift
    "$@" >"$page" || { found "$* failed"; return; }
    [[ -s $page ]] || found "$* printed nothing"
    mandoc -T lint -W warning "$page" || found "mandoc warns of $name"
    local warnings
    # Long options do not fill a line; that is no fault of the page.
    warnings=$(MANWIDTH=100 man --warnings=w -E UTF-8 -l "$page" 2>&1 >"$scratch/text" | grep -Ev "can't break line|cannot adjust line")
    [[ -z $warnings ]] || found "man warns of $name: $warnings"
    # Every option that the help names is on the page.
    col -bx <"$scratch/text" >"$scratch/plain" 2>/dev/null || cp "$scratch/text" "$scratch/plain"
    while IFS= read -r option; do
        grep -q -e "$option" "$scratch/plain" || found "$name's page has no $option"
    done < <("${help[@]}" | grep -oE '(^|[ ,])--[a-z][a-z-]+' | tr -d ' ,' | sort -u)
    say "$name: $(wc -l <"$scratch/plain") lines"
}
help=("$programs/pipewright" simulate --help)
look_at pipewright "$programs/pipewright" help --roff
if [[ -x $programs/pipewright-studio ]]; then
    help=("$programs/pipewright-studio" --help)
    look_at pipewright-studio "$programs/pipewright-studio" --man
fi
for folder in core/*/ executor/*/ ui/*/; do
    grep -qF "\`${folder%/}\`" resources/manual/contributing.md || found "resources/manual/contributing.md does not know ${folder%/}"
done
done_with "the manual holds"
