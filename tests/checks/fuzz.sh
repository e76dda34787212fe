#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Feeds every reader of foreign input with input that coverage guides, under the address and the
# undefined-behaviour sanitizer:
#
#   tests/checks/fuzz.sh [short|hour|SECONDS] [READER…]
#
# short (the usual) takes about two minutes in all, hour an hour a reader. Begins with the corpora
# of tests/fuzz/corpus; what is found new lies under build/fuzz/corpus, and an input that breaks a
# reader under build/fuzz/found. `merge` instead of a time puts what is new and adds coverage into
# tests/fuzz/corpus.
set -eu
cd "$(dirname "$0")/../.."

mode=${1:-short}
[ $# -gt 0 ] && shift
readers=${*:-text torch_csv project model costs rules stage_times options words families wire plan
  trace_chrome trace_paddle trace_timers trace_log trace_table trace_wire trace_gz trace_nsys store
  trace_primus trace_spans trace_rocprof trace_perfetto trace_zip trace_zstd
  lesson lesson_results measured strategy examples}
case $mode in
short) seconds=5 ;;
hour) seconds=3600 ;;
merge) seconds=0 ;;
*) seconds=$mode ;;
esac

[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
targets=
for reader in $readers; do targets="$targets fuzz_$reader"; done
targets="$targets fuzz_readers"
# shellcheck disable=SC2086 # a list of words
cmake --build build/fuzz --target $targets

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0
export UBSAN_OPTIONS=print_stacktrace=1
found=build/fuzz/found
mkdir -p "$found" build/fuzz/seeds
build/fuzz/tests/fuzz/fuzz_readers --seeds build/fuzz/seeds
failed=
for reader in $readers; do
  program=build/fuzz/tests/fuzz/fuzz_$reader
  own=tests/fuzz/corpus/$reader
  new=build/fuzz/corpus/$reader
  mkdir -p "$new" "$own"
  if [ "$mode" = merge ]; then
    kept=$(mktemp -d)
    # Every line once, by the fewest inputs: what is stored is read in every build's tests.
    "$program" -merge=1 -set_cover_merge=1 -use_counters=0 -max_len=2048 "$kept" "$own" "$new" \
      >/dev/null 2>&1
    rm -f "$own"/*
    find "$kept" -type f -exec cp -t "$own" {} +
    rm -r "$kept"
    continue
  fi
  begun=$(date +%s)
  if ! "$program" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -max_len=20000 \
    -dict=tests/fuzz/pipewright.dict -artifact_prefix="$found/$reader-" -print_final_stats=1 \
    "$new" "$own" "build/fuzz/seeds/$reader" >"$found/$reader.log" 2>&1; then
    failed="$failed $reader"
    tail -n 40 "$found/$reader.log"
  fi
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$found/$reader.log")
  echo "$reader: ${inputs:-?} inputs in $(($(date +%s) - begun)) s"
done
if [ -n "$failed" ]; then
  echo "broken:$failed; the inputs lie in $found" >&2
  exit 1
fi
