#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Every skip in the logs of tests stands in tests/skips.txt, and the condition beside it holds here.
#
#   tests/checks/skips.sh [LOG...]     default: what ctest wrote last in build/dev
#
# Where a skip is not on the list, or its condition no longer holds, the check fails and names it.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

list=${PW_SKIPS:-tests/skips.txt}
logs=("$@")
[[ ${#logs[@]} -gt 0 ]] || logs=(build/dev/Testing/Temporary/LastTest.log)
for log in "${logs[@]}"; do need_file "$log" "run the tests first: ./run test"; done
need_file "$list" "it is part of the sources"

# Whether a condition of the list holds on this machine.
holds() { # CONDITION
    case $1 in
    "no command "*)
        ! PATH=$PATH:/usr/sbin:/usr/local/cuda/bin command -v "${1#no command }" >/dev/null
        ;;
    "no file "*)
        ! compgen -G "${1#no file }" >/dev/null
        ;;
    "no folder PW_DATA")
        [[ ! -d ${PW_DATA:-../shared/data} ]]
        ;;
    *)
        found "$list: \"$1\" is not a condition (no command NAME, no file PATTERN, no folder PW_DATA)"
        return 1
        ;;
    esac
}

patterns=() conditions=() reasons=()
while IFS='|' read -r pattern condition reason; do
    pattern=$(sed 's/^ *//; s/ *$//' <<<"$pattern")
    [[ -z $pattern || $pattern == \#* ]] && continue
    pattern=${pattern//\(/\\(} # a row's parenthesis: behind *, ? or @ the shell would take it for an extended pattern
    patterns+=("$pattern")
    conditions+=("$(sed 's/^ *//; s/ *$//' <<<"$condition")")
    reasons+=("$(sed 's/^ *//; s/ *$//' <<<"$reason")")
done <"$list"

# `SKIP   : TestClass::function(row) reason`, and `SKIP: reason` of a test that is not a Qt program, after ctest's line.
skips_of() {
    awk '
        /^[0-9]+\/[0-9]+ Test: /  { test = $NF }
        /^SKIP   : /              { sub(/^SKIP   : /, ""); print }
        /^SKIP: /                 { sub(/^SKIP: /, ""); print test " " $0 }
    ' "$@"
}

count=0
while IFS= read -r skip; do
    count=$((count + 1))
    name=${skip%% *}
    [[ $skip == *::* ]] && name="${skip%%")"*})"
    verdict="is not on the list"
    for i in "${!patterns[@]}"; do
        # shellcheck disable=SC2053 # the list holds patterns
        if [[ ${patterns[i]} == "says "* ]]; then
            [[ ${skip#"$name "} == ${patterns[i]#says } ]] || continue
        else
            [[ $name == ${patterns[i]} ]] || continue
        fi
        if holds "${conditions[i]}"; then
            say "skipped: $name: ${reasons[i]}"
            verdict=""
            break
        fi
        verdict="is on the list where there is ${conditions[i]}, and that is not so here"
    done
    [[ -z $verdict ]] || found "$skip: $verdict"
done < <(skips_of "${logs[@]}")

done_with "$count skipped, each for a reason in $list"
