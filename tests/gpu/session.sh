#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# A quarter of an hour on a machine that has a GPU and nothing else: as many parts as fit, the most worth first, from a
# pack that was made elsewhere. README.md beside this says what to type.
#
#   session.sh [--budget SECONDS] [--only PART,…] [--again] [--from PACK] [--work FOLDER] [--size NAME]
#              [--largest MIB] [OUT]
#   session.sh --pack [FILE]      makes the pack (pack.sh)
#   session.sh --list             the parts, and how long each should take
#
# OUT (default: gpu-evidence) gets summary.txt and results.tar.gz, in pieces where it is large: 8 files of 15 MiB
# (--largest) at most, also where the time is up or a signal ends the script. FOLDER (default: build/gpu-session, or
# beside the unpacked program) keeps what was done: a second call goes on with what is left, and --again begins anew,
# with --only for those parts. --only takes patterns, such as 'verify-*'.
# PROGRAM, OPS_TEST and CUDA_TEST name programs that are there, in place of a pack.
# Exit code: 0 all that was wanted is shown, 1 something failed, 3 parts are left for another call.

set -u -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/gpu/parts.sh
. "$here/parts.sh"

begun=$SECONDS
budget=600 only=() again=false size=(--size fit) iterations=5 families=() largest=15
if [[ -d $here/bin ]]; then
    pack='' work=$here/session
else
    pack=$here/../../build/gpu/pipewright-gpu.tar.xz work=$here/../../build/gpu-session
fi
while [[ ${1:-} == --* ]]; do
    case $1 in
        --pack) shift; exec "$here/pack.sh" "$@" ;;
        --list) gpu_parts | awk '{ printf "%-36s %4d s, at most %d s\n", $1, $2, $3; all += $2 }
                    END { printf "%-36s %4d s\n", "all", all }'
            exit 0 ;;
        --budget) budget=${2:?--budget needs seconds}; shift ;;
        --only) IFS=, read -r -a only <<<"${2:?--only needs parts}"; shift ;;
        --again) again=true ;;
        --from) pack=${2:?--from needs a file}; shift ;;
        --work) work=${2:?--work needs a folder}; shift ;;
        --largest) largest=${2:?--largest needs mebibytes}; shift ;;
        --size) size=(--size "${2:?--size needs a name}"); shift ;;
        *) echo "there is no option $1; --budget, --only, --again, --from, --work, --size, --largest, --pack and --list are" >&2
            exit 2 ;;
    esac
    shift
done
[[ $budget =~ ^[1-9][0-9]*$ ]] || { echo "--budget $budget is not a number of seconds" >&2; exit 2; }
[[ $largest =~ ^[1-9][0-9]*$ ]] || { echo "--largest $largest is not a number of mebibytes" >&2; exit 2; }
given=${1:-gpu-evidence}
mkdir -p "$given" "$work" || exit 2
given=$(cd "$given" && pwd) work=$(cd "$work" && pwd)
out=$work/logs summary=$work/summary.txt ended_file=$work/ended
mkdir -p "$out"

wanted() { # NAME
    [[ ${#only[@]} -eq 0 ]] && return 0
    local pattern
    for pattern in "${only[@]}"; do
        # shellcheck disable=SC2053 # a pattern
        [[ $1 == $pattern ]] && return 0
    done
    return 1
}
for pattern in "${only[@]+"${only[@]}"}"; do
    found=false
    while read -r name _; do
        # shellcheck disable=SC2053 # a pattern
        [[ $name == $pattern ]] && found=true
    done < <(gpu_parts)
    $found || { echo "no part is called $pattern; --list names them" >&2; exit 2; }
done
touch "$ended_file" "$summary"
if $again; then
    while read -r name verdict; do
        wanted "$name" || printf '%s %s\n' "$name" "$verdict"
    done <"$ended_file" >"$ended_file.new"
    mv "$ended_file.new" "$ended_file"
fi

# ---- what is run

# Folders of the libraries that a pack cannot bring: NVIDIA's own packages, and those that Python's bring.
library_folders() {
    local library root place roots places loaded=${LD_LIBRARY_PATH:-}
    mapfile -t roots < <(python3 -c 'import site, sys
print(*site.getsitepackages(), site.getusersitepackages(), *[p for p in sys.path if p.endswith("-packages")], sep="\n")' \
        2>/dev/null)
    roots+=(/usr/lib/python3*/dist-packages /usr/local/lib/python3*/*-packages /opt/*/lib/python3*/site-packages
        "$HOME"/.local/lib/python3*/site-packages "$HOME"/*/lib/python3*/site-packages)
    # shellcheck disable=SC2206 # patterns, and lists of folders
    places=(${loaded//:/ } /usr/local/cuda*/lib64 /usr/local/cuda*/targets/*/lib /usr/local/cuda*/extras/CUPTI/lib64 /usr/local/lib
        /opt/*/lib64)
    for root in "${roots[@]}"; do places+=("$root"/nvidia/*/lib); done
    for library in libcublas.so.13 libcublasLt.so.13 libnccl.so.2 libcupti.so.13; do
        ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*${library//./\\.} " && continue
        for place in "${places[@]}"; do
            [[ -e $place/$library ]] && { printf '%s\n' "$place"; break; }
        done
    done | sort -u
}

if [[ -n ${PROGRAM:-} ]]; then
    program=$PROGRAM
    read -r -a ops_test <<<"${OPS_TEST:-build/dev/tests/pw_tests_cuda tst_cuda_ops}"
    read -r -a cuda_test <<<"${CUDA_TEST:-build/dev/tests/pw_tests_executor tst_cuda}"
else
    place=$here
    if [[ ! -d $here/bin ]]; then
        [[ -f $pack ]] || { echo "there is no $pack; session.sh --pack makes it where nvcc and Qt are" >&2; exit 2; }
        place=$work/pipewright-gpu
        [[ -x $place/bin/pipewright && $place -nt $pack ]] ||
            { tar -xJf "$pack" -C "$work" && touch "$place"; } || exit 2
    fi
    program=$place/bin/pipewright
    ops_test=("$place/bin/pw_tests_cuda" tst_cuda_ops) cuda_test=("$place/bin/pw_tests_executor" tst_cuda)
    export LD_LIBRARY_PATH=$place/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    # Where the machine's own libstdc++ is too old, that of the pack.
    "$program" version >/dev/null 2>&1 || LD_LIBRARY_PATH=$place/lib/last:$LD_LIBRARY_PATH
fi
PW_MODULE_PATH=$(cd "$(dirname "$program")" && pwd)
libraries=$(library_folders | paste -s -d :)
export PW_MODULE_PATH LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}${LD_LIBRARY_PATH:+${libraries:+:}}$libraries

# ---- what comes out

# Everything that there is by now, whole or as it was before: in pieces that may be carried one by one.
hand_over() {
    local fresh=$work/results.new piece=$((largest * 1024 * 1024)) most=6 without=() large
    { cat "$summary"; summary=/dev/null say_figures; } >"$given/summary.txt"
    while :; do
        tar -C "$work" "${without[@]+"${without[@]}"}" -cf - summary.txt ended logs 2>/dev/null | gzip -1 >"$fresh" || return
        [[ $(stat -c %s "$fresh") -le $((piece * most)) || ${#without[@]} -gt 8 ]] && break
        # The largest file that is still in it stays here.
        large=$(cd "$work" && find logs -type f -printf '%s %p\n' | sort -rn | awk '{ print $2 }' |
            grep -vxF "$(printf '%s\n' none "${without[@]#--exclude=}")" | head -n 1)
        without+=("--exclude=$large")
        echo "left out of the archive, as it would be too large: $large" >>"$given/summary.txt"
    done
    rm -f "$given"/results.tar.gz*
    if [[ $(stat -c %s "$fresh") -le $piece ]]; then
        mv "$fresh" "$given/results.tar.gz"
    else
        split -b "$piece" -d -a 1 "$fresh" "$given/results.tar.gz." && rm "$fresh"
    fi
}

# shellcheck disable=SC2317 # called by trap
cut_off() {
    trap '' TERM INT HUP
    if [[ -n $running ]]; then
        local process
        for process in $(jobs -p); do kill -TERM "$process" 2>/dev/null; done
        say "CUT     $running: the script was ended by a signal"
    fi
    hand_over
    exit 3
}
trap cut_off TERM INT HUP

describe_machine
{ echo "libraries from: ${libraries:-the loader}"; ldd "$PW_MODULE_PATH/pipewright-cuda.so"; } >>"$out/machine.log" 2>&1
# What is not there would fail every part in turn: said once, at once.
if ! found=$("$program" backends 2>&1) || [[ $found == *"cuda  not available"* ]]; then
    say "FAILED  no GPU can be used here: $(head -n 6 <<<"$found" | tr -s ' \n' ' ')"
    hand_over
    exit 1
fi

declare -A ended=()
while read -r name verdict; do ended[$name]=$verdict; done <"$ended_file"
left=0 failed=0
while read -r -u 3 name usual limit; do
    wanted "$name" || continue
    if [[ -n ${ended[$name]:-} ]]; then
        [[ ${ended[$name]} == ok ]] || failed=1
        continue
    fi
    rest=$((budget - (SECONDS - begun) - 5)) # a few seconds for the archive
    if [[ $rest -lt $usual ]]; then
        left=$((left + 1))
        continue # a shorter one further down may still fit
    fi
    perform "$name" "$((rest < limit ? rest : limit))" "$limit"
    if [[ $verdict == CUT ]]; then
        left=$((left + 1))
    else
        [[ $verdict == ok ]] || failed=1
        printf '%s %s\n' "$name" "$verdict" >>"$ended_file"
    fi
    hand_over
done 3< <(gpu_parts)
say "$((SECONDS - begun)) s; parts left for another call: $left"
hand_over
[[ $failed -ne 0 ]] && exit 1
[[ $left -eq 0 ]] || exit 3
