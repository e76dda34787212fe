#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Steps of Muon as the executor takes them, beside torch.optim.Muon: with its products in floats they are the same, and as it
# is, in bfloat16, they differ by what that rounds. Ends with 77 and a plain word where there is no PyTorch with Muon.
#
#     muon.sh [TESTS OF THE EXECUTOR]
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
tests=$(realpath "${1:-$here/../../build/dev/tests/pw_tests_executor}")
# shellcheck source=tests/torch/common.sh
. "$here/common.sh"
[[ -x $tests ]] || skip "there is no program $tests"
out=$(mktemp -d /tmp/pipewright-muon.XXXXXX) || exit 1
remove=$out
torch_folder "$out"
python "$inside" -c 'import torch; torch.optim.Muon' 2>/dev/null || skip "PyTorch $version has no Muon"
mkdir "$out/numbers"
PW_MUON_NUMBERS=$out/numbers "$tests" tst_muon stepsAreThoseOfTheReference >"$out/log" || { cat "$out/log"; exit 1; }
cp "$here/muon.py" "$out/"
echo "PyTorch $version"
python "$inside" muon.py numbers
