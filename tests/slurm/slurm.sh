#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Runs schedules under a real Slurm on the loopback of this machine: munge, slurmctld and slurmd of its own,
# in a folder that goes away with them. Ends with 77 and a plain word where that cannot be had.
#
#     slurm.sh [PIPEWRIGHT]        default: build/dev/app/pipewright

set -u -o pipefail

here=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$here/build/dev/app/pipewright}")
readonly here program
# Where the machine has much else to do, a rank may not have its turn for seconds: that is no fault of any.
readonly calm=(--patience 60000)

skip() {
    echo "SKIP: $1"
    exit 77
}

[[ -x $program ]] || skip "there is no program $program"
for need in slurmctld slurmd srun sbatch scontrol sinfo; do
    PATH=$PATH:/usr/sbin command -v $need >/dev/null ||
        skip "there is no $need (Debian: slurmctld, slurmd, slurm-client)"
done
command -v munged >/dev/null || [[ -x /usr/sbin/munged ]] || skip "there is no munged (Debian: munge)"
[[ $(id -u) -eq 0 ]] || skip "daemons that start jobs need root"
export PATH=$PATH:/usr/sbin

folder=$(mktemp -d /tmp/pipewright-slurm.XXXXXX) || exit 1
chmod 755 "$folder"
daemons=()
failures=0

# Whatever was started here, and the daemons of its steps: they know this folder.
# shellcheck disable=SC2317 # called by trap
ours() {
    grep -lzsxF "SLURM_CONF=$folder/slurm.conf" /proc/[0-9]*/environ | grep -o '[0-9]*' | grep -vx "$$"
}

# shellcheck disable=SC2317 # called by trap
clean_up() {
    local pid
    if command -v scancel >/dev/null && [[ -n ${SLURM_CONF:-} ]]; then
        timeout 5 scancel --user root --quiet 2>/dev/null
        for _ in $(seq 25); do # steps leave sockets and shared memory where they are not let end
            [[ -z $(timeout 5 squeue -h 2>/dev/null) ]] && break
            sleep 0.2
        done
    fi
    for pid in "${daemons[@]}"; do
        kill "$pid" 2>/dev/null
    done
    for _ in $(seq 25); do
        kill -0 "${daemons[@]}" 2>/dev/null || break
        sleep 0.2
    done
    for pid in "${daemons[@]}" $(ours); do
        kill -9 "$pid" 2>/dev/null
    done
    [[ -n ${PW_KEEP:-} ]] || rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# A port that nobody listens on, and neither on the next one.
free_port() {
    local port
    for _ in $(seq 50); do
        port=$((20000 + RANDOM % 10000))
        (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && continue
        (exec 3<>/dev/tcp/127.0.0.1/$((port + 1))) 2>/dev/null && continue
        echo $port
        return
    done
    return 1
}

start_munge() {
    mkdir -p "$folder/munge" && chmod 755 "$folder/munge"
    head -c 1024 /dev/urandom >"$folder/munge/key" && chmod 400 "$folder/munge/key"
    munged --foreground --force --socket="$folder/munge/socket" --key-file="$folder/munge/key" \
        --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
        >"$folder/munge/out" 2>&1 &
    daemons+=($!)
    for _ in $(seq 50); do
        [[ -S $folder/munge/socket ]] && return
        sleep 0.1
    done
    skip "munged does not start: $(tail -n 1 "$folder/munge/out" "$folder/munge/log" 2>/dev/null | tail -n 1)"
}

start_slurm() {
    local port
    port=$(free_port) || skip "no port is free between 20000 and 30000"
    # PMIx names a job's folder below TmpFS, and Open MPI its shared memory, after the user and the job's number:
    # those of another Slurm that has not quite ended must be others.
    mkdir -p "$folder/state" "$folder/spool" "$folder/tmp"
    cat >"$folder/slurm.conf" <<END
ClusterName=pipewright
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
FirstJobId=$((1000 + RANDOM))
TmpFS=$folder/tmp
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
SchedulerParameters=sched_interval=1
NodeName=localhost NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=test Nodes=localhost Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$folder/slurm.conf
    slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.out" 2>&1 &
    daemons+=($!)
    slurmd -D -N localhost -f "$SLURM_CONF" >"$folder/slurmd.out" 2>&1 &
    daemons+=($!)
    for _ in $(seq 200); do
        [[ $(timeout 5 sinfo -h -o %T 2>/dev/null) == idle ]] && return
        sleep 0.3
    done
    skip "slurm does not come up: $(tail -n 1 "$folder/slurmctld.log" "$folder/slurmd.log" 2>/dev/null | tail -n 1)"
}

report() { # NAME GOOD DETAIL
    if [[ $2 == yes ]]; then
        echo "passed: $1${3:+ ($3)}"
    else
        echo "FAILED: $1${3:+ ($3)}"
        failures=$((failures + 1))
    fi
}

# The first way of srun that makes the processes one run: they are four ranks of one world.
find_mpi() {
    local way
    for way in pmix pmi2; do
        srun --mpi=list 2>&1 | grep -qw "$way" || continue
        if timeout 90 srun --mpi=$way -n 4 "$program" run 1f1b --devices 4 --micro-batches 4 "${calm[@]}" \
            --backend emulated --iterations 1 --no-store --json >"$folder/found.json" 2>"$folder/found.err" &&
            [[ $(grep -c '"makespan' "$folder/found.json") -ge 1 && $(grep -c '^{' "$folder/found.json") -eq 1 ]]; then
            mpi=$way
            return 0
        fi
    done
    return 1
}

start_munge
start_slurm
mpi=
if ! find_mpi; then
    echo "srun says: $(srun --mpi=list 2>&1 | tr '\n' ' ')"
    sed 's/^/    /' "$folder/found.err" | head -n 8
    report "srun makes four ranks of one run" no "no way of --mpi does"
    exit 1
fi
report "srun makes four ranks of one run" yes "--mpi=$mpi"

cd "$folder" || exit 1
export OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_rmaps_base_oversubscribe=1
timeout 120 srun --mpi=$mpi -n 4 "$program" run zb-h1 --devices 4 --micro-batches 8 --backend cpu --size tiny \
    "${calm[@]}" --as-planned --iterations 3 --store runs.sqlite --json >train.json 2>train.err
code=$?
report "four ranks train under srun" "$([[ $code -eq 0 ]] && echo yes || echo no)" \
    "$(grep -o '"last_loss": [0-9.]*' train.json | head -n 1) $(tail -n 1 train.err)"

# The same run, whole and with a rank that dies in its second iteration.
seconds_of() { # OUTPUT ARGUMENTS...: how long the run took; its exit code is in `code`
    local out=$1 begun
    begun=$(date +%s%N)
    shift
    timeout 60 srun --mpi=$mpi -n 4 "$program" run 1f1b --devices 4 --micro-batches 8 --backend cpu --size tiny \
        --as-planned --iterations 3 --no-store "${calm[@]}" "$@" >"$out" 2>&1
    code=$?
    took=$((($(date +%s%N) - begun) / 1000000))
}
seconds_of whole.txt
whole=$took
seconds_of lost.txt --inject die:F3.2@1
named=$(grep -ohE '(rank|task) 2[^.]*' lost.txt | head -n 1) # srun says task
[[ $code -ne 0 && -n $named && $((took - whole)) -lt 5000 ]] && good=yes || good=no
report "a lost rank ends all within 5 s, with its name" "$good" "$named; $took ms, the whole run $whole ms"

"$program" emit slurm 1f1b --devices 4 --micro-batches 8 --to job >/dev/null || exit 1
PATH=$(dirname "$program"):$PATH
export PATH PIPEWRIGHT_MPI=$mpi
sed -i "s/--backend cpu/& ${calm[*]}/" job/job.sbatch
id=$(cd job && sbatch --parsable job.sbatch)
for _ in $(seq 100); do
    state=$(squeue -h -j "$id" -o %T 2>/dev/null)
    [[ -z $state || $state == COMPLETED || $state == FAILED ]] && break
    sleep 1
done
state=$(scontrol show job "$id" 2>/dev/null | grep -o 'JobState=[A-Z]*')
report "the script of emit slurm runs by sbatch" "$([[ $state == JobState=COMPLETED ]] && echo yes || echo no)" "$state"
[[ $state == JobState=COMPLETED ]] || tail -n 5 job/*.out

# What `pipewright submit` sends, follows, keeps and cancels.
export PIPEWRIGHT_STORE=$folder/submitted.sqlite
timeout 120 "$program" submit --partition test --time 5 --folder sent -- run zb-h1 --devices 4 --micro-batches 8 \
    --backend cpu --size tiny --as-planned --iterations 2 "${calm[@]}" >sent.txt 2>sent.err
code=$?
kept=$("$program" runs --json 2>/dev/null | grep -c '"run": 1,')
[[ $code -eq 0 && $kept -eq 1 ]] && grep -q 'Slurm: job .* runs on localhost' sent.err && good=yes || good=no
report "pipewright submit runs and keeps a job" "$good" "$(head -n 1 sent.txt)"
[[ $good == yes ]] || tail -n 5 sent.err sent/job.log

timeout 60 "$program" submit --partition nowhere --folder nowhere -- run 1f1b --devices 2 --backend emulated >none.txt 2>&1
code=$?
[[ $code -eq 1 ]] && grep -qi 'Slurm does not take the job: .*partition' none.txt && good=yes || good=no
report "a partition that is not there is refused in Slurm's words" "$good" "$(tail -n 1 none.txt)"

"$program" submit --folder long -- run 1f1b --devices 4 --micro-batches 64 --backend emulated --iterations 1000 >long.txt 2>&1 &
sender=$!
for _ in $(seq 100); do
    grep -q 'runs on' long.txt && break
    sleep 0.3
done
kill -TERM $sender # a shell has its background programs ignore Ctrl-C
begun=$(date +%s%N)
wait $sender
took=$((($(date +%s%N) - begun) / 1000000))
id=$(grep -o 'job [0-9]* is sent' long.txt | grep -o '[0-9]*')
for _ in $(seq 50); do
    state=$(scontrol show job "$id" 2>/dev/null | grep -o 'JobState=[A-Z]*')
    [[ $state == JobState=CANCELLED ]] && break
    sleep 0.3
done
report "whoever ends submit cancels its job" "$([[ $state == JobState=CANCELLED ]] && echo yes || echo no)" "$state after $took ms"
exit $((failures > 0))
