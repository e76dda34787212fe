#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   script.sh BUILD
#
# tests/gpu/run.sh as a whole, on the stand-in GPU: every part must run and every line of its summary must be good, but for
# bounds of time, which mean nothing here and must have a figure all the same.

set -u -o pipefail
build=$(cd "${1:?BUILD}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# It takes the modules beside the program. Where all families are meant, three are enough: the others would take an hour.
ln -s "$build/tests/gpu_stand_in/pipewright-cuda.so" "$work/"
cat >"$work/pipewright" <<END
#!/bin/bash
[[ \$1 == verify && \$2 == --* ]] && set -- verify 1f1b zb-v chimera "\${@:2}"
exec "$build/app/pipewright" "\$@"
END
# shellcheck disable=SC2016 # it is a script's own
printf '#!/bin/bash\nwhile [[ $1 == --* ]]; do [[ $1 == --tool || $1 == --error-exitcode ]] && shift; shift; done\nexec "$@"\n' \
    >"$work/compute-sanitizer"
chmod +x "$work/compute-sanitizer" "$work/pipewright"
export PATH=$work:$PATH SIZE=tiny SMALL=tiny GAP_ITERATIONS=3 PROGRAM=$work/pipewright PW_FAKE_MEMORY=8192
export OPS_TEST="$build/tests/pw_tests_gpu tst_cuda_ops" CUDA_TEST="env PW_MODULE_PATH=$work $build/tests/pw_tests_executor tst_cuda"
"$here/../gpu/run.sh" --quick --without families "$work/results" >"$work/said" 2>&1
cat "$work/results/summary.txt"

failed=0
complain() { echo "script.sh: $*"; failed=1; }
figure='[0-9.]+ (% off the prediction|µs|s), (more than|at most)'
while IFS= read -r line; do
    [[ $line =~ $figure ]] && continue # a bound, with a figure
    complain "$line"
done < <(grep -E '^(FAILED|MISSING|SKIPPED)' "$work/results/summary.txt")
for wanted in ops verify verify-bf16 verify-flash verify-nccl verify-zero-1-of-4-nccl verify-post-validation run-1f1b run-v-half busy busy-small \
    verify-calls launch-gap-calls busy-small-calls launch-gap sanitizer-racecheck fault-throw fault-out-of-memory; do
    grep -qE "^ok +${wanted}[: ]" "$work/results/summary.txt" || complain "no good line of $wanted"
done
for bound in 'run-zb-v makespan' 'run-zb-v memory' 'launch-gap median' 'fault-stall end' 'busy share' 'busy-small share' \
    'launch-gap-calls median' 'busy-small-calls share'; do
    grep -qE "${bound}: [0-9.]+ " "$work/results/summary.txt" || complain "no figure of $bound"
done
exit $failed
