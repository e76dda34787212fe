#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# What core/system promises (files that are whole, locks, programs that are started, names that are not ASCII …) holds on
# Windows, too: its files for Windows and the test of all of them are compiled by Debian's mingw, without a warning, and run by
# Wine in a folder of its own. The same test runs on Linux in every build's tests (system_program).

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

compiler=x86_64-w64-mingw32-g++-posix
need "$compiler" g++-mingw-w64-x86-64-posix
wine=$(command -v wine64 wine | head -n 1)
[[ -n $wine ]] || wine=/usr/lib/wine/wine64 # of Debian 12, which puts it on no path
need_file "$wine" "Debian: apt-get install wine64"

files=0
for file in core/system/*_windows.cpp tests/system/system_program.cpp; do
    echo "#include \"$file\""
    files=$((files + 1))
done >"$scratch/program.cpp"
"$compiler" -std=c++20 -O1 -static -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I. "$scratch/program.cpp" \
    -o "$scratch/program.exe" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; found "it does not compile"; done_with; }
say "$files files compiled in $SECONDS s, $(stat -c %s "$scratch/program.exe") bytes"

export WINEPREFIX=$scratch/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe='
run() { timeout 300 "$wine" "$scratch/program.exe" "$@" 2>"$scratch/errors"; }
run >"$scratch/said" || { cat "$scratch/said"; found "under Wine not all of it holds: exit ${PIPESTATUS[0]}"; }
[[ $(<"$scratch/said") == "all holds" ]] || found "it ends with \"$(tail -n 1 "$scratch/said")\", and not with a line feed alone"
# Its streams carry bytes as they are.
printf 'a\r\nb\n' | run words 'größe' >"$scratch/said"
printf '[größe]\n' | cmp -s - "$scratch/said" || found "standard output is not the bytes that were written: $(od -c "$scratch/said" | head -n 3)"
grep -qF $'a\r' "$scratch/errors" || found "standard input is not the bytes that came"
done_with "core/system holds under $("$wine" --version 2>/dev/null)"
