#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   sanitized.sh BUILD address|thread [ROWS]
#
# The module and the stand-in under a sanitizer, in the program of a build without one: a few rows of the cover. For address,
# blocks of memory are allocations of their own. Whole trees under sanitizers (presets checked and tsan) run the tests, too.

set -u -o pipefail
build=$(cd "${1:?BUILD}" && pwd)
kind=${2:?address or thread}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$here/other_build.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=("-fsanitize=$kind" -fno-omit-frame-pointer -g1 -O1)
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

mkdir -p "$work/executor/cuda"
[[ $kind == address ]] && cp "$here/lone_blocks.cpp" "$work/executor/cuda/block_store.cpp"
export -f compile
export build root objects work
make_all() { # FILES...: their objects, some at a time
    # shellcheck disable=SC2016 # for the shell that compiles
    printf '%s\n' "$@" | flags="${options[*]}" xargs -P "$(nproc)" -I{} \
        bash -c 'read -r -a options <<<"$flags"; compile "$work" {}'
}
mapfile -t host < <(cd "$root/executor/cuda" && printf '%s\n' *.cpp *.cu | grep -v '^cuda_module')
mapfile -t own < <(cd "$here" && printf '%s\n' *.cpp | grep -v '^lone_blocks')
objects_of_library=$(make_all "${own[@]}") || exit 1
objects_of_module=$(make_all "${host[@]}") || exit 1
# shellcheck disable=SC2086 # names of files without spaces
"$compiler" -shared -o "$work/libpw_gpu_stand_in.so" -Wl,-soname,libpw_gpu_stand_in.so $objects_of_library \
    "${options[@]}" -pthread || exit 1
ln -s libpw_gpu_stand_in.so "$work/libnccl.so.2"
# shellcheck disable=SC2086
link "$work" tests/gpu_stand_in/pipewright-cuda.so pipewright-cuda.so $objects_of_module || exit 1

# The program has no sanitizer of its own: its library comes first.
library=$("$compiler" -print-file-name="lib${kind:0:1}san.so")
cat >"$work/pipewright" <<END
#!/bin/sh
LD_LIBRARY_PATH=$work LD_PRELOAD=$library exec "$build/app/pipewright" "\$@"
END
chmod +x "$work/pipewright"
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0
export TSAN_OPTIONS=suppressions=$root/tests/tsan.supp:halt_on_error=1:ignore_noninstrumented_modules=1
# They take ten times as long.
export PW_ROW_LIMIT=1800 PW_ROW_FAMILIES='1f1b|zb-v|dualpipe|chimera|pipedream-2bw'
# Graphs repeat where addresses do, which here only the allocator decides.
[[ $kind == address ]] && export PW_ROW_LAUNCHES='[0-9]+'
"$here/cover.sh" "$work/pipewright" "$work" "${3:-6}"
