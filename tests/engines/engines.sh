#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Random emits, read by the engines' own functions: TorchTitan's _split_module and its map of stages, NeMo AutoModel's
# _process_module, Megatron's PipelineParallelLayerLayout and get_schedule_table, Primus's launcher and factory, Galvatron's
# reader of strategies, and PyTorch's of tables. An engine whose sources are not there is said to be unchecked; ends with 77 where none is.
#
#     engines.sh [PIPEWRIGHT]
#
#   PW_ENGINES=FOLDER   checkouts of them: torchtitan, Automodel, Megatron-LM, Primus, Hetu-Galvatron; and Megatron-LM-5318,
#                       Megatron-LM-5329, the heads of these pull requests (git fetch origin refs/pull/5318/head)
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3
#   EMITS=N SEED=N      so many (default 200), and the first number of the draws

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/dev/app/pipewright}")
# shellcheck source=tests/torch/common.sh
. "$here/../torch/common.sh"
[[ -x $program ]] || skip "there is no program $program"
[[ -n ${PW_ENGINES:-} ]] || skip "PW_ENGINES names no folder with the engines' sources"
[[ -d $PW_ENGINES ]] || skip "there is no folder $PW_ENGINES"
command -v python3 >/dev/null || skip "there is no python3"
engines=(torchtitan Automodel Megatron-LM Megatron-LM-5318 Megatron-LM-5329 Primus Hetu-Galvatron)
out=$(mktemp -d /tmp/pipewright-engines.XXXXXX) || exit 1
remove=$out
trap 'rm -rf "$out"' EXIT
for engine in "${engines[@]}"; do
    commit=$(git -C "$PW_ENGINES/$engine" rev-parse --short=8 HEAD 2>/dev/null) || commit="of no known commit"
    [[ -d $PW_ENGINES/$engine ]] && echo "$engine $commit"
done
python3 "$here/emits.py" "$program" "$out/emits" "${EMITS:-200}" ${SEED:+"$SEED"} || exit 1
# PyTorch where there is one; without it the engines that need none are still asked.
if (remove="" && torch_folder "$out" >/dev/null 2>&1); then
    torch_folder "$out"
    echo "PyTorch $version"
    cp "$here/engines.py" "$out/"
    mkdir -p "$out/engines"
    for engine in "${engines[@]}"; do
        [[ ! -d $PW_ENGINES/$engine ]] ||
            (cd "$PW_ENGINES/$engine/" && find . -name '*.py' -print0 | tar -c --null -T -) |
            (mkdir -p "$out/engines/$engine" && tar -x -C "$out/engines/$engine")
    done
    python "$inside" engines.py engines emits
else
    python3 -B "$here/engines.py" "$PW_ENGINES" "$out/emits"
fi
