# shellcheck shell=bash
# shellcheck disable=SC2154 # set by who sources this
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# What Pipewright has to show on a GPU, part by part, and how each is judged. Sourced by run.sh (all of it) and
# session.sh (as much as fits into a time, in order of worth), which set:
#
#   out        folder: a log a part, costs files, the store of runs
#   summary    file: a line a part
#   program    path of pipewright
#   ops_test, cuda_test   commands of the two test programs, as arrays
#   size       options of the model that fills the GPU, such as --size fit, as an array
#   iterations of the measured runs
#   families   options of the longest `verify`, as an array
#   SMALL, GAP_ITERATIONS   a model whose passes are short, and how often it runs (default small, 20)
#
# `perform NAME LIMIT` runs a part, says its lines and sets `verdict` to ok, FAILED, SKIPPED, MISSING or CUT.

# NAME, seconds that it took on an H200, and after how many it has failed; the most worth first.
gpu_parts() {
    cat <<'END'
ops 12 300
families 20 300
verify-six 15 200
verify-flash 6 120
verify-bf16 8 120
verify-nccl 15 200
launch-gap 4 120
busy-small 3 120
calibrate-line 32 200
run-1f1b 16 300
run-zb-h1 16 300
calibrate-v 35 200
run-zb-v 16 300
run-v-half 16 300
busy 12 200
fault-throw 3 60
fault-stall 6 60
fault-lose-message 6 60
fault-wrong-tag 3 60
fault-out-of-memory 3 60
sanitizer-ops 20 300
verify-calls 15 200
launch-gap-calls 6 120
busy-small-calls 4 120
verify-streams 8 200
verify-replicas 10 200
verify-replicas-nccl 20 200
verify-zero-1 4 200
verify-zero-1-nccl 8 200
verify-zero-1-of-4 10 200
verify-zero-1-of-4-nccl 20 200
verify-stages 10 200
verify-stages-nccl 15 200
verify-clip 15 200
verify-clip-nccl 18 200
verify-post-validation 15 200
verify-post-validation-nccl 18 200
verify-post-validation-zero-1 6 200
verify-post-validation-zero-1-nccl 10 200
verify-sgd 3 120
run-stages 2 120
sanitizer-memcheck 18 300
sanitizer-racecheck 30 300
sanitizer-synccheck 20 300
verify-bf16-all 60 300
verify-flash-all 60 300
verify 120 540
END
}

say() { printf '%s\n' "$*" | tee -a "$summary"; }

# How a part has ended, if nothing worse was said of it before.
judge() { # VERDICT
    [[ $verdict == ok ]] && verdict=$1
    return 0
}

missing() { # NAME WHY: a part that cannot run has shown nothing
    judge MISSING
    say "MISSING $1: $2 (--without $1 leaves it out)"
}

# A command under a limit, in the background, so that a signal reaches this script at once.
limited() { # SECONDS COMMAND...
    local limit=$1
    shift
    timeout --kill-after=10 "$limit" "$@" &
    wait $!
}

running= # the part whose command runs, or is about to; a script that is ended says it
part() { # NAME SECONDS COMMAND...: into a log of its own; a line of the summary
    local name=$1 limit=$2 start=$SECONDS status
    shift 2
    running=$name
    { printf '$ %s\n' "$*"; limited "$limit" "$@"; } >"$out/$name.log" 2>&1
    status=$?
    # shellcheck disable=SC2034 # session.sh reads it
    running=
    local took=$((SECONDS - start))
    if [[ $status -eq 0 ]] && grep -qE '^SKIP|[1-9][0-9]* skipped' "$out/$name.log"; then
        judge SKIPPED
        say "SKIPPED $name ($took s): $(grep -m 1 -A 1 '^SKIP' "$out/$name.log" | tr '\n' ' ')"
    elif [[ $status -eq 0 ]]; then
        say "ok      $name ($took s)"
    elif [[ ($status -eq 124 || $status -eq 137) && $limit -lt $full ]]; then
        judge CUT
        say "CUT     $name: the time was up after $took s of the $full s that it may take"
    else
        judge FAILED
        say "FAILED  $name, exit $status ($took s); the end of its log:"
        tail -n 6 "$out/$name.log" | sed 's/^/          /' | tee -a "$summary"
    fi
}

within() { # NAME FIGURE BOUND UNIT [least]: a figure of a log, at most so large, or at least
    [[ $verdict == CUT ]] && return
    local most="at most" more="more than" good='figure <= bound'
    [[ ${5:-} == least ]] && most="at least" more="less than" good='figure >= bound'
    if [[ -z $2 ]]; then
        judge FAILED
        say "FAILED  $1: its log has no figure"
    elif awk -v figure="$2" -v bound="$3" "BEGIN { exit !($good) }"; then
        say "ok      $1: $2 $4, $most $3 $4"
    else
        judge FAILED
        say "FAILED  $1: $2 $4, $more $3 $4"
    fi
}

off() { # LOG LABEL: how far off the prediction is, in percent, the worst of the lines that begin so
    sed -nE "s/^ *$2.*[^0-9.]([0-9]+(\.[0-9]+)?) %.*/\1/p; s/^ *$2.*exactly.*/0/p" "$1" 2>/dev/null |
        sort -g | tail -n 1
}

# The shape of the runs that fill the GPU. What `--size fit` has once chosen for a calibration is kept for its runs:
# devices of a V hold as much as the first of a line, each of them, so that a smaller model fits.
measured_shape() { # CALIBRATION
    local chosen
    chosen=$(sed -n 's/^--size fit[^ ]* is //p' "$out/$1.log" 2>/dev/null | head -n 1)
    printf '%s\n' --devices 4 --micro-batches 12 --backend cuda
    if [[ -n $chosen ]]; then printf '%s\n' "$chosen" | tr ' ' '\n'; else printf '%s\n' "${size[@]}"; fi
}

calibrate_part() { # NAME FAMILY LIMIT: a file of costs for every family of one placement
    local shape
    mapfile -t shape < <(measured_shape "$1")
    # Three iterations of each form: with what is run before, 13, and a model that fills a GPU takes two seconds for one.
    part "$1" "$3" "$program" costs calibrate "$2" "${shape[@]}" --iterations 3 --output "$out/$1.costs.json"
}

run_part() { # FAMILY CALIBRATION LIMIT: measured beside what that calibration predicts
    local shape costs=$out/$2.costs.json
    mapfile -t shape < <(measured_shape "$2")
    if [[ ! -s $costs ]]; then
        judge FAILED
        say "FAILED  run-$1: $2 has left no costs"
        return
    fi
    part "run-$1" "$3" "$program" run "$1" "${shape[@]}" --costs "$costs" --iterations "$iterations" --warmup 2 \
        --store "$out/runs.sqlite"
    within "run-$1 makespan" "$(off "$out/run-$1.log" makespan)" 5 "% off the prediction"
    within "run-$1 memory" "$(off "$out/run-$1.log" 'peak activation')" 1 "% off the prediction"
}

# How far kernels fill the passes of the model that fills the GPU, which the host that launches must not hold up, and of a
# small one, where it may: that is only told.
busy_part() { # NAME LIMIT OPTIONS...
    local name=$1 log=$out/$1.log share why way=(env COLUMNS=200)
    [[ $1 == *-calls ]] && way+=(PW_CUDA_GRAPHS=0)
    part "$1" "$2" "${way[@]}" "$program" run 1f1b "${@:3}" --as-planned --forward 1 --patience 60000 --kernels \
        --iterations 2 --no-store
    why=$(sed -n 's/^Kernels were not counted: //p' "$log" 2>/dev/null)
    if [[ -n $why ]]; then
        missing "$name" "$why"
        return
    fi
    share=$(sed -nE '/^Kernels, counted/,$ s/^  (F|B|BW) of stage [0-9]+ +([0-9.]+) %.*/\2/p' "$log" 2>/dev/null |
        sort -g | head -n 1)
    if [[ $name == busy && ${size[*]} =~ (fit|gb|h200) ]]; then
        within "$name share" "$share" 97 % least
    elif [[ $verdict == ok ]]; then
        say "told    $name share: $share %, whatever it is"
    fi
}

# How a run ends that is broken on purpose: on time, naming rank, pass and peer. What the same run takes unbroken, with
# the start of the program and of the GPU's libraries, is no part of that time.
fault_part() { # FAULT LIMIT
    local broken=("$program" run 1f1b --devices 2 --size tiny --backend cuda --iterations 1 --warmup 0 --no-store)
    local name=fault-${1%%:*} whole=$out/fault-none.ns start status took last
    if [[ ! -s $whole ]]; then
        start=$(date +%s%N)
        limited "$2" "${broken[@]}" >"$out/fault-none.log" 2>&1 && echo $(($(date +%s%N) - start)) >"$whole"
    fi
    start=$(date +%s%N)
    limited "$2" "${broken[@]}" --inject "$1" >"$out/$name.log" 2>&1
    status=$?
    took=$(($(date +%s%N) - start - $(cat "$whole" 2>/dev/null || echo 0)))
    last=$(tail -n 1 "$out/$name.log")
    if [[ $status -eq 1 && $last == *"rank "* ]]; then
        say "ok      $name: $last"
    else
        judge FAILED
        say "FAILED  $name: exit $status, where 1 and the rank's name are wanted: $last"
    fi
    within "$name end" "$(awk -v ns="$took" 'BEGIN { printf "%.1f", (ns > 0 ? ns : 0) / 1e9 }')" 5 s
}

test_part() { # NAME LIMIT PROGRAM COMMAND...: a command that runs a test program, which may not be there
    if [[ -x $3 ]]; then part "$1" "$2" "${@:4}"; else missing "$1" "no $3"; fi
}

# Memory and races, with the smallest model. The tool rewrites every kernel that is loaded: only those that are
# launched, not all of cuBLAS.
sanitizer_part() { # TOOL LIMIT
    local tool=$1 found tiny=("$program" run zb-v --devices 2 --size tiny --backend cuda --iterations 1 --warmup 0
        --forward 1 --patience 600000 --no-store)
    [[ $tool == ops ]] && tool=memcheck
    found=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
    local checked=(env CUDA_MODULE_LOADING=LAZY "$found" --tool "$tool" --error-exitcode 9)
    if [[ -z $found ]]; then
        missing "sanitizer-$1" "no compute-sanitizer"
    elif [[ $1 == ops ]]; then
        # A few operations with sizes that fill no block: what one model does not come to.
        test_part sanitizer-ops "$2" "${ops_test[0]}" "${checked[@]}" "${ops_test[@]}" elementwise columnSumsAndTheirBits \
            flashAttention embedding
    else
        part "sanitizer-$1" "$2" "${checked[@]}" "${tiny[@]}"
    fi
}

verify_part() { # NAME LIMIT
    local way=() four=(--devices 4 --micro-batches 8) copied=(1f1b chimera pipedream-2bw --devices 2 --micro-batches 4 --plain)
    local six=(1f1b zb-h1 zb-v v-half chimera pipedream-2bw) what
    local name=${1%-nccl}
    [[ $1 == *-nccl ]] && way=(env PW_CUDA_TRANSPORT=nccl)
    [[ $1 == verify-nccl ]] && name=verify-three
    case $name in
        verify) what=("${families[@]+"${families[@]}"}") ;;
        verify-six) what=("${six[@]}" "${four[@]}") ;;
        verify-flash) what=("${six[@]}" "${four[@]}" --plain --flash-attention) ;;
        verify-bf16) what=("${six[@]}" "${four[@]}" --plain --bf16) ;;
        verify-sgd) what=("${six[@]}" "${four[@]}" --plain --optimizer sgd) ;;
        verify-flash-all) what=("${four[@]}" --flash-attention) ;;
        verify-bf16-all) what=("${four[@]}" --bf16) ;;
        verify-calls) way=(env PW_CUDA_GRAPHS=0); what=("${six[@]}" "${four[@]}") ;;
        verify-streams) way=(env PW_CUDA_SPLIT=streams); what=(1f1b zb-v dualpipe "${four[@]}" --plain) ;;
        # Copies of a stage: gradients of two added, shards of more swapped, the optimizer sharded, and PipeDream's
        # stages with replicas of their own.
        verify-replicas) what=("${copied[@]}" --replicas 4) ;;
        verify-zero-1) what=("${copied[@]}" --replicas 2 --zero-1) ;;
        verify-zero-1-of-4) what=("${copied[@]}" --replicas 4 --zero-1) ;;
        verify-stages) what=(pipedream seq1f1b "${four[@]}") ;;
        # The norm of all gradients: waited for, and not, with updates that are taken back and results sent twice.
        verify-clip) what=(1f1b zb-h2 "${four[@]}" --clip-norm 0.5) ;;
        verify-post-validation) what=(1f1b zb-h2 chimera "${four[@]}" --clip-norm 0.5 --post-validation) ;;
        verify-post-validation-zero-1)
            what=(1f1b --devices 2 --micro-batches 4 --zero-1 --clip-norm 0.5 --post-validation)
            ;;
        verify-three) what=(1f1b zb-v chimera "${four[@]}" --plain) ;; # NCCL's code path on one GPU
        *) echo "there is no part $1" >&2; return 2 ;;
    esac
    part "$1" "$2" "${way[@]+"${way[@]}"}" "$program" verify "${what[@]+"${what[@]}"}" --backend cuda
}

perform() { # NAME LIMIT FULL: the limit is the part's own, or less where less time is left
    full=$3 verdict=ok
    case $1 in
        ops) test_part ops "$2" "${ops_test[0]}" "${ops_test[@]}" ;;
        families) test_part families "$2" "${cuda_test[0]}" "${cuda_test[@]}" ;;
        calibrate-line) calibrate_part "$1" 1f1b "$2" ;;
        calibrate-v) calibrate_part "$1" zb-v "$2" ;;
        run-1f1b | run-zb-h1) run_part "${1#run-}" calibrate-line "$2" ;;
        busy)
            local shape
            mapfile -t shape < <(measured_shape calibrate-line)
            busy_part busy "$2" "${shape[@]}"
            ;;
        busy-small*) busy_part "$1" "$2" --devices 4 --micro-batches 12 --backend cuda --size "${SMALL:-small}" ;;
        run-zb-v | run-v-half) run_part "${1#run-}" calibrate-v "$2" ;;
        run-stages)
            part "$1" "$2" "$program" run pipedream --stage-replicas 2,1 --size tiny --backend cuda --iterations 2 \
                --warmup 1 --no-store
            ;;
        # Passes so short that the host decides; the report and the costs file name the gap.
        launch-gap*)
            local way=()
            [[ $1 == *-calls ]] && way=(env PW_CUDA_GRAPHS=0)
            part "$1" "$2" "${way[@]+"${way[@]}"}" "$program" costs calibrate 1f1b --devices 4 --size "${SMALL:-small}" --backend cuda \
                --iterations "${GAP_ITERATIONS:-20}" --output "$out/small${1#launch-gap}.costs.json"
            local gap
            gap=$(sed -nE 's/.*launch gap ([0-9.]+) µs.*/\1/p' "$out/$1.log" 2>/dev/null | head -n 1)
            if [[ $1 == launch-gap ]]; then within "$1 median" "$gap" 20 µs
            elif [[ $verdict == ok ]]; then say "told    $1 median: $gap µs, whatever it is"; fi
            ;;
        fault-throw | fault-stall | fault-out-of-memory) fault_part "${1#fault-}:F1.1" "$2" ;;
        fault-*) fault_part "${1#fault-}:F1.0" "$2" ;;
        sanitizer-*) sanitizer_part "${1#sanitizer-}" "$2" ;;
        verify*) verify_part "$1" "$2" ;;
        *) echo "there is no part $1" >&2; return 2 ;;
    esac
}

# What the measured runs had to say, for the end of the summary.
say_figures() {
    local log
    for log in "$out"/run-*.log; do
        [[ -f $log ]] || continue
        say ""
        say "== ${log##*/}"
        grep -Ei 'makespan|bubble|peak|activation|busy|free memory|split into|plain streams' "$log" | tee -a "$summary"
    done
    for log in "$out"/busy*.log; do
        [[ -f $log ]] || continue
        say ""
        say "== ${log##*/}"
        sed -n '/^Kernels/,$p' "$log" | tee -a "$summary"
        grep -A 1 'CUDA graphs' "$log" | tee -a "$summary"
    done
}

describe_machine() { # into machine.log, and a line of the summary
    { date -u; uname -a; nvidia-smi 2>/dev/null; "$program" version; "$program" backends; } >"$out/machine.log" 2>&1
    say "$(date -u +%F) $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)"
}
