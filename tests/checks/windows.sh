#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Windows, as Debian's mingw compiles for it and Wine runs it. First what core/system promises (files that are whole, locks,
# programs that are started, names that are not ASCII …): its files for Windows and the test of all of them, compiled without
# a warning. Then pipewright.exe (preset windows): whatever it says and writes is, byte for byte, what the program of this
# machine says and writes. The same test of core/system runs on Linux in every build's tests (system_program).
#
#   tests/checks/windows.sh [PROGRAM]      the program of this machine, with the same sources; build/dev's where none is named

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

program=$(realpath "${1:-build/dev/app/pipewright}")
need_file "$program" "cmake --build build/dev --target pipewright"
compiler=x86_64-w64-mingw32-g++-posix
need "$compiler" g++-mingw-w64-x86-64-posix
need x86_64-w64-mingw32-gcc-posix gcc-mingw-w64-x86-64-posix
need_file /usr/x86_64-w64-mingw32/lib/libz.a "Debian: apt-get install libz-mingw-w64-dev"
wine=$(command -v wine64 wine | head -n 1)
[[ -n $wine ]] || wine=/usr/lib/wine/wine64 # of Debian 12, which puts it on no path
need_file "$wine" "Debian: apt-get install wine64"
export WINEPREFIX=$scratch/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=' LC_ALL=C.UTF-8

files=0
for file in core/system/*_windows.cpp tests/system/system_program.cpp; do
    echo "#include \"$file\""
    files=$((files + 1))
done >"$scratch/program.cpp"
"$compiler" -std=c++20 -O1 -static -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Wl,--wrap=mbrtowc -I. "$scratch/program.cpp" \
    -o "$scratch/program.exe" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; found "it does not compile"; done_with; }
say "$files files compiled in $SECONDS s, $(stat -c %s "$scratch/program.exe") bytes"

run() { timeout 300 "$wine" "$scratch/program.exe" "$@" 2>"$scratch/errors"; }
run >"$scratch/said" || { cat "$scratch/said"; found "under Wine not all of it holds: exit ${PIPESTATUS[0]}"; }
[[ $(<"$scratch/said") == "all holds" ]] || found "it ends with \"$(tail -n 1 "$scratch/said")\", and not with a line feed alone"
# Its streams carry bytes as they are.
printf 'a\r\nb\n' | run words 'größe' >"$scratch/said"
printf '[größe]\n' | cmp -s - "$scratch/said" || found "standard output is not the bytes that were written: $(od -c "$scratch/said" | head -n 3)"
grep -qF $'a\r' "$scratch/errors" || found "standard input is not the bytes that came"

# The whole command line.
{ cmake --preset windows && cmake --build --preset windows --target pipewright; } >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log"; found "pipewright.exe is not built"; done_with; }
exe=$PWD/build/windows/app/pipewright.exe
x86_64-w64-mingw32-objdump -p "$exe" | sed -n 's/^.*DLL Name: //p' >"$scratch/needs"
grep -viE '^(kernel32|msvcrt|advapi32|shell32|user32|ole32|ws2_32|bcrypt)\.dll$' "$scratch/needs" &&
    found "pipewright.exe needs files beside it that Windows does not have"
say "pipewright.exe: $(($(stat -c %s "$exe") / 1000000)) MB, built after $SECONDS s"

# Each program has a folder with the same files.
for side in linux windows; do
    mkdir "$scratch/$side"
    cp samples/zb-h1.txt samples/05-zb-v.pipewright.json tests/data/traces/kineto-rank0-of-128.json.gz "$scratch/$side/"
    gzip -cd tests/data/traces/kineto-event-sync.json.gz >"$scratch/$side/trace.json"
    cp samples/zb-h1.txt "$scratch/$side/größe 7.txt"
    printf 'd0: F0 BW0\nd1: F0 F0\n' >"$scratch/$side/wrong.txt"
    printf 'no zstd' | sed 's/^/\x28\xB5\x2F\xFD/' >"$scratch/$side/packed.json.zst"
done
export COLUMNS=100
unset PIPEWRIGHT_STORE PIPEWRIGHT_RULES PIPEWRIGHT_FAMILIES XDG_DATA_HOME XDG_CONFIG_HOME
tried=0
ends_alike() { # WORDS...
    local here there
    (cd "$scratch/linux" && timeout 300 "$program" "$@" </dev/null) >"$scratch/linux.out" 2>"$scratch/linux.err"
    here=$?
    (cd "$scratch/windows" && timeout 300 "$wine" "$exe" "$@" </dev/null) >"$scratch/windows.out" 2>"$scratch/windows.err"
    there=$?
    tried=$((tried + 1))
    [[ $here -eq $there ]] || found "pipewright $*: exit $there in place of $here"
}
same() { # WORDS...: both programs say and write the same, and end alike
    local stream
    ends_alike "$@"
    for stream in out err; do
        cmp -s "$scratch/linux.$stream" "$scratch/windows.$stream" && continue
        found "pipewright $*: it says something else: $(diff "$scratch/linux.$stream" "$scratch/windows.$stream" | head -n 8)"
    done
}
same --version
same families
same simulate zb-h1 --devices 4 --micro-batches 8
same simulate 05-zb-v.pipewright.json --json
same simulate 'größe 7.txt'
same explain zb-h1.txt
same compare 1f1b zb-h1 zb-v dualpipe --devices 4 --micro-batches 8
same plan --model llama3-8b --gpus 16 --global-batch 256
same optimise 1f1b --devices 3 --micro-batches 4
same noise 1f1b --devices 4 --micro-batches 8
for form in project torch-csv text svg chrome-json; do
    same convert zb-h1.txt "made.$form" --to "$form"
    same convert zb-h1.txt --to "$form"
done
same simulate made.project
same convert 1f1b 'größe.json' --to project --devices 2 --micro-batches 4
same convert 1f1b engine --to torch --devices 4 --micro-batches 8
same import kineto-rank0-of-128.json.gz
same import trace.json --json
same import trace.json --store runs.sqlite
same import kineto-rank0-of-128.json.gz --store runs.sqlite
same runs --store runs.sqlite
same show 1 --store runs.sqlite
same query 'SELECT number, title, status FROM run ORDER BY number' --store runs.sqlite
ends_alike reduce trace.json --output digest # where its file lies is in a digest
same merge digest --store job.sqlite
same runs --store job.sqlite
# It tells errors of rounding, which are another C library's.
ends_alike verify 1f1b --devices 2 --micro-batches 2 --backend cpu
same help store
# What is wrong is said alike, too.
same simulate wrong.txt
same simulate no-such-file.json
same simulate 1f1b --devices nine
same convert zb-h1.txt no/such/folder.json
same import wrong.txt
# What this build lacks is said.
"$wine" "$exe" import "$scratch/windows/packed.json.zst" >"$scratch/said" 2>&1 && found "a damaged file of zstd is read"
grep -q 'zstd, which this program was built without' "$scratch/said" || found "of zstd it says: $(<"$scratch/said")"
diff -rq -x '*.sqlite*' -x '*.digest' "$scratch/linux" "$scratch/windows" || found "the files that were written differ"
wineserver=$(command -v wineserver || echo "${wine%/*}/wineserver")
[[ ! -x $wineserver ]] || "$wineserver" -k # it would write into the folder that goes
done_with "core/system holds under $("$wine" --version 2>/dev/null), and pipewright.exe does $tried times what the program here does"
