#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The completion scripts do what they should in bash, zsh and fish: a beginning goes in, what the shell makes of it comes out.
#
#   tests/checks/completion.sh [FOLDER-OF-THE-PROGRAMS]     default build/dev/app

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need zsh zsh
need fish fish

programs=$(realpath "${1:-build/dev/app}")
need_file "$programs/pipewright" "cmake --build --preset dev"
export PATH=$programs:$PATH HOME=$scratch XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch XDG_CACHE_HOME=$scratch
touch "$scratch/plan.pipewright.json"

# Beginnings, and the one thing that can follow; the last is a file of the folder.
lines=("pipewright simul" "pipewright simulate gpi" "pipewright simulate gpipe --devi"
    "pipewright simulate gpipe --color al" "pipewright completion zs" "pipewright check plan.pipe")
wanted=("pipewright simulate" "pipewright simulate gpipe" "pipewright simulate gpipe --devices"
    "pipewright simulate gpipe --color always" "pipewright completion zsh" "pipewright check plan.pipewright.json")

judge() { # SHELL INDEX GOT
    [[ $3 == "${wanted[$2]}" ]] || found "$1 makes \"$3\" of \"${lines[$2]}\", not \"${wanted[$2]}\""
}

in_bash() {
    pipewright completion bash >"$scratch/completion.bash" || found "no script for bash"
    local i got
    for i in "${!lines[@]}"; do
        # shellcheck disable=SC2016 # the inner shell expands it
        got=$(cd "$scratch" && bash --norc -c 'source completion.bash
            COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pipewright
            unset "COMP_WORDS[COMP_CWORD]"; echo "${COMP_WORDS[*]} ${COMPREPLY[*]}"' bash "${lines[i]}")
        judge bash "$i" "$got"
    done
}

# zsh completes in its line editor alone: one on a terminal of its own, with a key that completes and tells.
in_zsh() {
    cat >"$scratch/told.zsh" <<'TOLD'
PROMPT=''
told() { zle complete-word; print -r -- "$BUFFER" >>answers; zle kill-whole-line }
zle -N told
bindkey '^T' told
source completion.zsh
TOLD
    cat >"$scratch/ask.zsh" <<'ASK'
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell 'source told.zsh; : >ready'
for i in {1..200}; do [[ -e ready ]] && break; sleep 0.1; done
for line in "$@"; do
    before=$(wc -l <answers)
    zpty -w -n shell "$line"$'\x14'
    for i in {1..100}; do [[ $(wc -l <answers) -gt $before ]] && break; sleep 0.1; done
done
ASK
    pipewright completion zsh >"$scratch/completion.zsh" || found "no script for zsh"
    : >"$scratch/answers"
    (cd "$scratch" && TERM=dumb timeout 120 zsh -f ask.zsh "${lines[@]}")
    local i got one
    mapfile -t got <"$scratch/answers"
    for i in "${!lines[@]}"; do
        one=${got[i]:-}
        judge zsh "$i" "${one%" "}"
    done
}

in_fish() {
    pipewright completion fish >"$scratch/completion.fish" || found "no script for fish"
    local i got
    for i in "${!lines[@]}"; do
        # shellcheck disable=SC2016 # the inner shell expands it
        got=$(cd "$scratch" && fish --no-config -c 'source completion.fish; complete -C $argv[1]' "${lines[i]}" | cut -f 1)
        judge fish "$i" "${lines[i]% *} $got"
    done
}

in_bash
in_zsh
in_fish
done_with "bash, zsh and fish complete ${#lines[@]} beginnings each"
