#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   again.sh PROGRAM MODULES
#
# Runs one after the other in one process use what the first has made, and results that are there at one moment leave
# together, on the stand-in GPU: the numbers stay right, and connections are made once.

set -u -o pipefail
program=${1:?PROGRAM}
export PW_MODULE_PATH=${2:?MODULES} PW_FAKE_PATIENCE=${PW_FAKE_PATIENCE:-10} PW_FAKE_GPUS=4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "FAILED  $*"; tail -n 12 "$work/log"; failed=1; }

# Both ways between neighbours of three, two ends each: 8; and 4 of the two GPUs that messages of several sizes go between.
# A calibration is a dozen runs.
export NCCL_DEBUG=INFO NCCL_DEBUG_FILE=$work/said
"$program" costs calibrate zb-h1 --devices 3 --size tiny --backend cuda --iterations 3 --output "$work/costs.json" >"$work/log" 2>&1 ||
    complain "calibrate"
made=$(grep -c 'Init START' "$work/said")
if [[ $made == 12 ]]; then
    echo "ok      a calibration makes each of its connections once"
else
    complain "$made ends of connections, not 12"
fi
unset NCCL_DEBUG NCCL_DEBUG_FILE

# Orders whose devices send to both sides at one moment, whose results replace others, and that come and go within a run.
while read -r family order near; do
    if PW_FAKE_ORDER=$order PW_CUDA_RECEIVE=$near timeout 200 "$program" verify "$family" --devices 4 --micro-batches 8 \
        --backend cuda >"$work/log" 2>&1; then
        echo "ok      $family, $order, receives ${near:-as made}"
    else
        complain "verify $family, $order, receives '$near'"
    fi
done <<'EOF'
zb-v fair
dualpipe starved near
v-half starved
zb-v starved near
EOF
exit $failed
