#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Kills the program at random moments of what writes: a run, an import, a project that is saved over another, a
# conversion, a calibration. After every kill each file is whole, the one from before or the new one; the store has
# no damage and takes the next run; no import is listed that is not all there; and the next write takes away what
# was left half written.
#
#   tests/checks/kill.sh PROGRAM [MOMENTS]       (default 100; the full check is 1000)
#
# Prints the seed; SEED=n repeats the moments as far as the machine does. Exit code 1 at the first thing torn.

set -u -o pipefail
program=$(realpath "${1:?kill.sh PROGRAM [MOMENTS]}")
moments=${2:-100}
RANDOM=${SEED:=$$}
echo "seed $SEED"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
store=$work/runs.sqlite
export PIPEWRIGHT_STORE=$store

fail() {
  echo "moment $moment ($kind): $*"
  cp -r "$work" "${KEEP:-$work.torn}" && echo "kept in ${KEEP:-$work.torn}"
  exit 1
}

# A trace to import, and a project that is large enough to take time to write.
"$program" run 1f1b --devices 4 --micro-batches 16 --backend emulated --iterations 20 >/dev/null &&
  "$program" convert last "$work/run.trace.json" &&
  "$program" convert 1f1b "$work/saved.pipewright.json" --devices 8 --micro-batches 512 >/dev/null &&
  "$program" convert zb-h1 "$work/converted.csv" --devices 8 --micro-batches 512 >/dev/null || exit 1

kinds=(run import save convert calibrate)
step() {
  case $1 in
    run) "$program" run 1f1b --devices 4 --micro-batches 8 --backend emulated --iterations 30 ;;
    import) "$program" import "$work/run.trace.json" --store "$store" ;;
    save) "$program" convert "$( ((RANDOM % 2)) && echo 1f1b || echo gpipe)" "$work/saved.pipewright.json" \
      --devices 8 --micro-batches 512 ;;
    convert) "$program" convert zb-h1 "$work/converted.csv" --devices 8 --micro-batches 512 ;;
    calibrate) "$program" costs calibrate 1f1b --devices 2 --micro-batches 2 --backend emulated --iterations 4 \
      --output "$work/measured.costs.json" ;;
  esac >/dev/null 2>"$work/said"
}
now() { echo $(($(date +%s%N) / 1000)); }

# How long each takes when it is left alone: moments are spread over a little more than that. A busy machine changes its
# speed, so this is measured anew now and then.
declare -A length
measure() { # TIMES
  local kind began took
  length=()
  for kind in "${kinds[@]}"; do
    for ((i = 0; i < $1; ++i)); do # the shortest: the first one may find nothing in memory
      began=$(now)
      step "$kind" || fail "does not work undisturbed: $(cat "$work/said")"
      took=$(($(now) - began))
      ((took < ${length[$kind]:-took + 1})) && length[$kind]=$took
    done
  done
}
moment=0
kind=none
measure 3

killed=0
for ((moment = 1; moment <= moments; ++moment)); do
  kind=${kinds[moment % ${#kinds[@]}]}
  after=$((RANDOM * 32768 + RANDOM))
  after=$((after % (length[$kind] * 11 / 10 + 1)))
  step "$kind" &
  child=$!
  sleep "$(printf '%d.%06d' $((after / 1000000)) $((after % 1000000)))"
  # The shell's child first: it must not begin anything more.
  victim=$(pgrep -P "$child" | head -1)
  kill -KILL "$child" 2>/dev/null
  [[ -n $victim ]] && kill -KILL "$victim" 2>/dev/null && killed=$((killed + 1))
  wait "$child" 2>/dev/null

  "$program" runs --check >"$work/said" 2>&1 || fail "the store: $(cat "$work/said")"
  for file in saved.pipewright.json converted.csv; do
    "$program" check "$work/$file" >"$work/said" 2>&1 || fail "$file: $(cat "$work/said")"
  done
  "$program" simulate 1f1b --devices 2 --micro-batches 2 --costs "$work/measured.costs.json" \
    >"$work/said" 2>&1 || fail "measured.costs.json: $(cat "$work/said")"
  if [[ $kind == import ]]; then
    "$program" runs --json | tr '{' '\n' | grep '"backend": "import"' | grep -qv '"status": "finished"' &&
      fail "an import is listed that is not all there"
  fi
  ((moment % 100 == 0)) && echo "$moment of $moments moments, $killed kills, after $SECONDS s"
  if ((moment % 25 == 0)); then
    measure 1
    left=$(find "$work" -name '.pipewright-*.part')
    [[ -z $left ]] || fail "half written files stay behind: $left"
  fi
done
echo "$moments moments, $killed of them while the program ran: nothing torn"
