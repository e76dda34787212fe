#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# `cmake --install` puts everything below a prefix, and both programs run from there, wherever that folder is moved.
#
#   tests/checks/install.sh [BUILD-FOLDER]     default build/studio, which the preset studio makes

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need cmake cmake
need readelf binutils

build=${1:-build/studio}
need_file "$build/cmake_install.cmake" "cmake --preset studio && cmake --build --preset studio"
need_file "$build/app/pipewright-studio" "cmake --build --preset studio"

cmake --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 ||
    { tail -n 10 "$scratch/log"; found "cmake --install"; done_with; }
mv "$scratch/first" "$scratch/moved"
prefix=$scratch/moved

for path in bin/pipewright bin/pipewright-studio share/man/man1/pipewright.1.gz share/man/man1/pipewright-studio.1.gz \
    share/applications/pipewright-studio.desktop share/mime/packages/pipewright.xml \
    share/metainfo/io.github.pipewright.studio.metainfo.xml share/icons/hicolor/scalable/apps/pipewright.svg \
    share/pipewright/samples/zb-v.pipewright.json share/pipewright/manual/index.md share/doc/pipewright/README.md share/doc/pipewright/copyright; do
    [[ -s $prefix/$path ]] || found "$path is not installed"
done
# Everything that is meant for the folder is in it, and nothing else.
stray=$(cd "$prefix" && find . -type f | grep -Ev '^\./(bin/pipewright(-studio)?|lib[^ ]*/pipewright[^ ]*|share/[^ ]*(pipewright|copyright)[^ ]*)$')
[[ -z $stray ]] || found "stray files: $stray"
for path in $(cd "$prefix" && find bin lib* -type f 2>/dev/null); do
    readelf -d "$prefix/$path" 2>/dev/null | grep -E 'R(UN)?PATH' | grep -F "$PWD" && found "$path looks for libraries in the build folder"
    ldd "$prefix/$path" 2>/dev/null | grep -F 'not found' | grep -v cuda && found "$path lacks a library"
done

expect() { # WORD COMMAND...
    local word=$1
    shift
    (cd "$scratch" && env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$scratch" QT_QPA_PLATFORM=offscreen timeout 60 "$@") \
        >"$scratch/out" 2>&1 || { tail -n 5 "$scratch/out"; found "$*"; return; }
    [[ -z $word ]] || grep -q -- "$word" "$scratch/out" || { tail -n 5 "$scratch/out"; found "no \"$word\" from $*"; }
}
expect "pipewright [0-9]" pipewright version
expect makespan pipewright simulate "$prefix/share/pipewright/samples/zb-v.pipewright.json"
expect cpu pipewright backends
expect ZB-H1 pipewright help families --manual
expect '"finished"' pipewright run 1f1b --devices 2 --size tiny --iterations 1 --no-store --json
expect "pipewright-studio [0-9]" pipewright-studio --version
expect "" pipewright-studio --render zb-v "$scratch/figure.svg"
[[ -s $scratch/figure.svg ]] || found "no figure was drawn"
done_with "$(find "$prefix" -type f | wc -l) files installed; both programs run from a folder that was moved"
