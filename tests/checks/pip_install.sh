#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# `pip install` of a clean copy into an environment of its own: the module works, and so does the command.
#
#   tests/checks/pip_install.sh [PYTHON]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${1:-/usr/bin/python3}
begun=$SECONDS
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "pip_install: FOUND: $*"
    exit 1
}

mkdir "$scratch/source"
# What git has; what was made here is no part of a package.
git ls-files -z | tar --null -T - -c | tar -x -C "$scratch/source"
"$python" -m venv --system-site-packages "$scratch/venv"
# The caches of compilers serve it: the same flags as the other trees.
CMAKE_ARGS="-DPW_WERROR=ON" "$scratch/venv/bin/pip" install --no-build-isolation --no-deps --quiet "$scratch/source" \
    >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; fail "it is not built"; }

cd "$scratch"
program=venv/bin/pipewright
version=$(sed -n 's/.*project(Pipewright VERSION \([0-9.]*\).*/\1/p' source/CMakeLists.txt)
[[ $("$program" --version) == *"$version"* ]] || fail "the command is not version $version"
"$program" simulate zb-v --devices 4 --micro-batches 8 | grep -q 'makespan *25.5 ms' || fail "the command simulates otherwise"
venv/bin/python -m pipewright simulate 1f1b --devices 4 --json >json || fail "python -m pipewright"
"$program" nonsense >/dev/null 2>&1 && fail "a wrong command ends with 0"
venv/bin/python - "$version" <<'PY' || fail "the module"
import sys
import pipewright as pw
assert pw.__version__ == sys.argv[1], pw.__version__
assert "site-packages" in pw.__file__ or "dist-packages" in pw.__file__, pw.__file__
assert pw.simulate(pw.schedule("zb-v", devices=4, micro_batches=8)).makespan_ms == 25.5
import importlib.util
assert importlib.util.find_spec("pipewright_torch"), "the package for PyTorch is not there"
PY
size=$(du -sk venv/lib/python3*/site-packages/pipewright | cut -f1 | head -1)
ldd "$program" | grep -qE 'libQt|libcuda|libmpi' && fail "it links what a compute node has not"
echo "pip_install: module and command work, $((size / 1024)) MB ($((SECONDS - begun)) s)"
