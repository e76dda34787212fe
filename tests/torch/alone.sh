#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# A run that PyTorch's executor starts by itself listens to this machine alone. Ends with 77 and a plain word where there is
# no PyTorch.
#
#     alone.sh [PIPEWRIGHT]
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/dev/app/pipewright}")
# shellcheck source=tests/torch/common.sh
. "$here/common.sh"
[[ -x $program ]] || skip "there is no program $program"
out=$(mktemp -d /tmp/pipewright-alone.XXXXXX) || exit 1
remove=$out
torch_folder "$out"
"$program" emit torch 1f1b --devices 2 --micro-batches 4 --to "$out/two" >/dev/null || exit 1
cp "$here/alone.py" "$out/two/"
echo "PyTorch $version"
limit=300 python "$inside/two" alone.py plan.pipewright.json
