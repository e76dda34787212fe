#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Models of one's own in PyTorch: stages of unequal size, weights that stages share, in FSDP and in DDP; wrong ones, whose
# fault has to be told in a sentence on a wire that goes to its end; and ranks that are killed and stopped, which have to be
# named within 5 s. Ends with 77 and a plain word where there is no PyTorch.
#
#     own_models.sh [PIPEWRIGHT [own|wrong|lost|torchrun …]]
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/dev/app/pipewright}")
# shellcheck source=tests/torch/common.sh
. "$here/common.sh"
[[ -x $program ]] || skip "there is no program $program"
out=$(mktemp -d /tmp/pipewright-own.XXXXXX) || exit 1
remove=$out
torch_folder "$out"
cp "$here/own_model.py" "$here/own_models.py" "$out/"

"$program" emit torch 1f1b --devices 2 --micro-batches 4 --to "$out/two" >/dev/null &&
    "$program" emit torch interleaved-1f1b --devices 2 --micro-batches 4 --chunks 2 --to "$out/loop" >/dev/null &&
    "$program" emit torch zb-v --devices 2 --micro-batches 4 --to "$out/v" >/dev/null || exit 1
echo "PyTorch $version"
limit=1500 python "$inside" own_models.py "$inside" "${@:2}"
