#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# ./run does what it says: packages, configuring, building, starting, and what it tells where something fails. The tools it
# calls are stand-ins that write down how they were called; nothing is installed or built.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

top=$scratch/top
tools=$scratch/tools
mkdir -p "$top/tests/checks" "$tools"
cp run "$top/"
cp tests/checks/skips.sh tests/checks/common.sh "$top/tests/checks/"
cp tests/skips.txt "$top/tests/"

tool() { # NAME: its script comes from standard input; every call is written down
    # shellcheck disable=SC2016 # the stand-in expands it
    { printf '#!/bin/bash\necho "%s $*" >>"$CALLS"\n' "$1"; cat; } >"$tools/$1"
    chmod +x "$tools/$1"
}
tool dpkg-query <<'TOOL'
[[ " $MISSING " == *" ${!#} "* ]] || printf installed
TOOL
tool apt-get <<'TOOL'
[[ $1 != "$FAILING" ]] || { echo "E: no mirror"; exit 100; }
TOOL
# shellcheck disable=SC2016 # the stand-in expands it
tool id <<<'echo "${USER_ID:-0}"'
tool sudo <<<'exit 1'
tool cmake <<'TOOL'
[[ $1 != "$FAILING" ]] || { echo "CMake Error: no compiler"; exit 1; }
[[ $1 == --build ]] || exit 0
[[ -z $FAILING_TARGET || " $* " != *" $FAILING_TARGET "* ]] || { echo "CMake Error: no compiler"; exit 1; }
for tree in studio dev headless; do
    mkdir -p "build/$tree/app"
    for program in pipewright pipewright-studio; do
        printf '#!/bin/bash\necho "%s in %s: $*" | tee -a "$CALLS"\n' "$program" "$tree" >"build/$tree/app/$program"
        [[ $program == pipewright ]] || printf 'sleep 1\necho "%s in %s closed" >>"$CALLS"\n' "$program" "$tree" >>"build/$tree/app/$program"
        chmod +x "build/$tree/app/$program"
    done
done
TOOL
tool nvidia-smi <<'TOOL'
[[ -n $GPU ]] || { echo "no devices were found"; exit 6; }
echo "GPU 0: $GPU (UUID: GPU-1)"
TOOL
tool ctest <<'TOOL'
mkdir -p build/dev/Testing/Temporary
printf '%s\n' "$SKIPPED" >build/dev/Testing/Temporary/LastTest.log
exit "${TESTS_END_WITH:-0}"
TOOL

left=() # what an earlier build has left below build/

# NAME=VALUE... -- ARGS: runs it; its output goes to $scratch/out and $scratch/err, its exit code to $code.
code=0
ran() {
    local settings=()
    while [[ $1 != -- ]]; do settings+=("$1"); shift; done
    shift
    rm -rf "$top/build"
    local file
    for file in "${left[@]+"${left[@]}"}"; do
        mkdir -p "$top/build/$(dirname "$file")"
        touch "$top/build/$file"
    done
    : >"$scratch/calls"
    env -i PATH="$tools:/usr/bin:/bin" HOME="$scratch" CALLS="$scratch/calls" MISSING="" FAILING="" FAILING_TARGET="" SKIPPED="" GPU="" \
        "${settings[@]+"${settings[@]}"}" timeout 60 "$top/run" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
}
ends_with() { # CODE TITLE
    [[ $code -eq $1 ]] || { tail -n 5 "$scratch/err"; found "$2: exit $code, not $1"; }
}
tells() { # WHERE PATTERN TITLE
    grep -qE -- "$2" "$scratch/$1" || found "$3: no \"$2\" in $1"
}
in_order() { # TITLE PATTERN...: each call after the one before it
    local title=$1 line=0 pattern at
    shift
    for pattern in "$@"; do
        at=$(grep -nE -- "$pattern" "$scratch/calls" | awk -F: -v after="$line" '$1 > after { print $1; exit }')
        [[ -n $at ]] || { found "$title: no \"$pattern\" after line $line of the calls"; return; }
        line=$at
    done
}
silent_on() { # PATTERN TITLE: no such call
    ! grep -qE -- "$1" "$scratch/calls" || found "$2: called $(grep -E -- "$1" "$scratch/calls" | head -n 1)"
}

ran -- --help
ends_with 0 help
tells out '^Usage: ./run' help
silent_on . help

mkdir -p "$top/cmake"
# shellcheck disable=SC2016 # the stand-in expands it
printf '#!/bin/bash\necho "portable $*" >>"$CALLS"\ntouch build/packages/pipewright-linux-x86_64.tar.gz build/packages/pipewright-studio-x86_64.run\n' >"$top/cmake/portable.sh"
chmod +x "$top/cmake/portable.sh"
cp cmake/release_notes.sh "$top/cmake/"
printf 'project(Pipewright VERSION 7.1 LANGUAGES CXX)\n' >"$top/CMakeLists.txt"
printf '# Changes\n\nAll.\n\n## 7.1\n\nNew things.\n\n### And more\n\n## 7.0\n\nOld things.\n' >"$top/CHANGELOG.md"
tool cpack <<'TOOL'
mkdir -p build/packages
printf content >build/packages/pipewright.deb
TOOL
ran -- package
ends_with 0 package
in_order package '^cmake --preset studio$' '^cmake --preset portable$' '^cmake --build --preset studio' \
    '^cmake --build --preset portable --target pipewright pw_launcher manual_pipewright modules$' '^cpack .*-G DEB -B build/packages' \
    '^portable build/portable build/studio build/packages$'
tells err 'pipewright-studio-x86_64.run' package
# The notes of the release: the newest version's changes alone, and each file as it is.
notes=$top/build/packages/RELEASE.md
for line in '# Pipewright 7.1' 'New things.' '### And more' \
    "| \`pipewright.deb\` | 7 | \`$(printf 'content' | sha256sum | cut -d ' ' -f 1)\` |"; do
    grep -qxF -- "$line" "$notes" || found "package: no \"$line\" in RELEASE.md"
done
[[ $(grep -c '^| `pipewright' "$notes") -eq 3 ]] || found "package: RELEASE.md has not every file"
! grep -q 'Old things' "$notes" || found "package: RELEASE.md tells an older version"
sed -i 's/VERSION 7.1/VERSION 8/' "$top/CMakeLists.txt"
ran -- package
ends_with 1 "a version without changes"
tells err "begins with '7.1', and this is version '8'" "a version without changes"

ran -- studoi
ends_with 2 "an unknown argument"
tells err "Unknown argument 'studoi'" "an unknown argument"
silent_on '^apt-get|^cmake' "an unknown argument"

ran MISSING="ninja-build libdnnl-dev" -- --no-install
ends_with 1 "missing packages with --no-install"
tells err 'Missing packages:.*ninja-build.*libdnnl-dev' "missing packages with --no-install"
silent_on '^apt-get|^cmake' "missing packages with --no-install"

ran MISSING="ninja-build" USER_ID=1000 --
ends_with 1 "missing packages without root"
tells err 'ninja-build' "missing packages without root"
silent_on '^apt-get|^cmake' "missing packages without root"

ran MISSING="ninja-build zlib1g-dev" --
ends_with 0 "missing packages as root"
tells calls '^apt-get update' "missing packages as root"
tells calls '^apt-get install .*ninja-build zlib1g-dev$' "missing packages as root"

ran MISSING="ninja-build" FAILING=update --
ends_with 1 "no mirror"
tells err 'no mirror' "no mirror"
tells err 'ninja-build' "no mirror"
silent_on '^cmake' "no mirror"

ran --
ends_with 0 "everything is there, no display"
silent_on '^apt-get' "everything is there"
tells calls '^cmake --preset' "everything is there"
tells calls '^cmake --build' "everything is there"
tells calls '^pipewright in .*: simulate samples/' "no display"
silent_on '^pipewright-studio' "no display"

tells calls '^cmake --build --preset dev --target programs$' "only what is started is built, with nvcc and without a GPU"
in_order "no display" '--target pipewright$' '^pipewright in dev: simulate' '--target programs$'

ran "GPU=NVIDIA H100" --
ends_with 0 "with a GPU"
tells calls '^cmake --build --preset dev --target programs module_cuda$' "with a GPU"

left=(dev/app/pipewright-cuda.so dev/app/pipewright-mpich.so dev/python/pipewright/_core.cpython-311-x86_64-linux-gnu.so)
ran --
ends_with 0 "modules of an earlier build"
tells calls '^cmake --build --preset dev --target programs module_cuda module_mpi module_python$' "modules of an earlier build"
left=(dev/app/pipewright-mpi.so)
ran -- -- families
tells calls '^cmake --build --preset headless --target programs$' "another tree's modules"
left=(headless/app/pipewright-mpi.so)
ran -- -- families
tells calls '^cmake --build --preset headless --target programs module_mpi$' "the command line's modules"
left=()

ran -- modules
ends_with 0 modules
tells calls '^cmake --build --preset dev --target programs modules$' modules
tells err 'all there:.* libopenmpi-dev .* pybind11-dev' modules
silent_on '^pipewright' modules

ran DISPLAY=:99 --
ends_with 0 "with a display"
# The window and the rest of the build go side by side.
for later in '^pipewright-studio in dev' '--target programs$'; do
    in_order "with a display" '--target pipewright-studio$' "$later"
done
silent_on '--target pipewright$|^pipewright in' "with a display"

ran DISPLAY=:99 FAILING_TARGET=programs --
ends_with 1 "the command line cannot be built while the studio is open"
tells calls '^pipewright-studio in dev.*closed$' "the studio stays open"
tells err 'no compiler' "the studio stays open"

ran FAILING=--preset --
ends_with 1 "configuring fails"
tells err 'no compiler' "configuring fails"
tells err 'The whole log: .*/build/logs/configure-' "configuring fails"

ran FAILING=--build --
ends_with 1 "building fails"
tells err 'no compiler' "building fails"

ran -- -- simulate zb-v --devices 8
ends_with 0 "the command line"
tells calls '^pipewright in .*: simulate zb-v --devices 8$' "the command line"

ran -- test -R simulator
ends_with 0 "tests"
tells calls '^ctest .*-R simulator$' "tests"
tells calls '^cmake --build --preset dev$' "tests build everything"
silent_on '^pipewright' "tests"

ran TESTS_END_WITH=8 -- test
ends_with 8 "tests that fail"
tells err 'Tests failed' "tests that fail"

ran "SKIPPED=SKIP   : TestNothing::isSkipped() for no reason" -- test
ends_with 1 "a skip that is on no list"
tells err 'TestNothing::isSkipped\(\) for no reason: is not on the list' "a skip that is on no list"

echo 'TestNothing::*(one row) | no command pw-no-such-command | the row of one' >"$scratch/skips.txt"
ran "SKIPPED=SKIP   : TestNothing::isSkipped(one row) for no reason" "PW_SKIPS=$scratch/skips.txt" -- test
ends_with 0 "a row that is on the list"
tells err 'skipped: TestNothing::isSkipped\(one row\): the row of one' "a row that is on the list"

done_with "./run installs, builds, starts and fails as it says"
