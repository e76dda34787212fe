#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Feeds every reader of foreign input with input that coverage guides, under the address and the
# undefined-behaviour sanitizer:
#
#   tests/checks/fuzz.sh [short|hour|SECONDS] [READER…]
#
# short (the usual) takes about two minutes in all and tries the same inputs each time, as far as it
# gets; hour takes an hour a reader. Begins with the corpora of tests/fuzz/corpus; what is found new
# lies under build/fuzz/corpus, and an input that breaks a reader under build/fuzz/found. `merge`
# instead of a time puts what is new and adds coverage into tests/fuzz/corpus.
set -eu
cd "$(dirname "$0")/../.."

mode=${1:-short}
[ $# -gt 0 ] && shift
random=0 runs=-1
case $mode in
short) seconds=4 random=1 runs=20000 ;;
hour) seconds=3600 ;;
merge) seconds=0 ;;
*) seconds=$mode ;;
esac

[ -f build/checked/build.ninja ] || cmake --preset checked
cmake --build --preset checked --target fuzz_guided fuzz_readers
program=build/checked/tests/fuzz/fuzz_guided readers_program=build/checked/tests/fuzz/fuzz_readers

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0
export UBSAN_OPTIONS=print_stacktrace=1
found=build/fuzz/found
rm -rf build/fuzz/seeds
mkdir -p "$found" build/fuzz/seeds
"$readers_program" --seeds build/fuzz/seeds
if [ $# -eq 0 ]; then
  mapfile -t readers < <(ls build/fuzz/seeds)
  set -- "${readers[@]}"
fi

# READER: what is stored of it, an input a file; says where.
stored() {
  local own=build/fuzz/stored/$1
  rm -rf "$own"
  mkdir -p "$own" "build/fuzz/corpus/$1"
  [ ! -f "tests/fuzz/corpus/$1.txt" ] || "$readers_program" --unpack "tests/fuzz/corpus/$1.txt" "$own"
  echo "$own"
}

# READER: every line once, by the fewest inputs: what is stored is read in every build's tests.
merge() {
  local own kept
  own=$(stored "$1")
  kept=$(mktemp -d)
  PW_READER=$1 "$program" -merge=1 -set_cover_merge=1 -use_counters=0 -max_len=2048 \
    "$kept" "$own" "build/fuzz/corpus/$1" >/dev/null 2>&1
  "$readers_program" --pack "$kept" "tests/fuzz/corpus/$1.txt"
  rm -r "$kept"
}

# READER: says how far it came; what breaks it is named at the end.
feed() {
  local own new=build/fuzz/corpus/$1 log=$found/$1.log begun inputs status=0
  own=$(stored "$1")
  [ "$mode" = short ] && new=$(mktemp -d)
  begun=$(date +%s)
  PW_READER=$1 "$program" -seed="$random" -runs="$runs" -max_total_time="$seconds" -timeout=25 \
    -rss_limit_mb=3000 -max_len=20000 -dict=tests/fuzz/pipewright.dict -artifact_prefix="$found/$1-" -print_final_stats=1 \
    "$new" "$own" "build/fuzz/seeds/$1" >"$log" 2>&1 || status=$?
  [ "$mode" = short ] && rm -r "$new"
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "$1: ${inputs:-?} inputs in $(($(date +%s) - begun)) s"
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$log"
    echo "$1" >>"$found/broken"
  fi
}

rm -f "$found/broken"
for reader in "$@"; do
  if [ "$mode" = merge ]; then merge "$reader"; else feed "$reader"; fi &
  [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
done
wait
if [ -s "$found/broken" ]; then
  echo "broken: $(tr '\n' ' ' <"$found/broken"); the inputs lie in $found" >&2
  exit 1
fi
