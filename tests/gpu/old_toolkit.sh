#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Whether the CUDA module's host code compiles with the headers of CUDA 12.4, where only later ones are installed.
#
#   tests/gpu/old_toolkit.sh INCLUDE [COMPILER]      INCLUDE: folder of the toolkit's headers
#
# Three headers are copied, without what came after 12.4 and with its version number: everything that this code
# could take by mistake. It is not proof that 12.4 itself has all the rest, which only its own headers give.

set -eu -o pipefail
include=$1
compiler=${2:-c++}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
old=$(mktemp -d)
trap 'rm -r "$old"' EXIT

later='cudaGetDriverEntryPointByVersion|cuGreenCtxStreamCreate|minSmPartitionSize|smCoscheduledAlignment'
later+='|cudaLaunchHostFunc_v2|cuGreenCtxGetId|cudaEventElapsedTime_v2|cudaDeviceGetHostAtomicCapabilities'
for header in cuda.h cudaTypedefs.h cuda_runtime_api.h; do
    sed -E "s/\b(PFN_)?($later)(_v[0-9]+)?\b/pw_after_12_4_\2\3/g
            s/^(#define CUDART_VERSION +)[0-9]+/\112040/; s/^(#define CUDA_VERSION +)[0-9]+/\112040/" "$include/$header" >"$old/$header"
done
grep -q '^#define CUDART_VERSION *12040' "$old/cuda_runtime_api.h"
grep -q 'pw_after_12_4_minSmPartitionSize' "$old/cuda.h"

# What the later headers call deprecated is current in 12.4.
for source in executor/cuda/*.cpp; do
    printf '#include "%s"\n' "$source"
done | "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-deprecated-declarations \
    -Wno-subobject-linkage -I. \
    -isystem "$old" -isystem "$include" -DPW_CUDA_ARCHITECTURES='"80-real"' -x c++ -
echo "executor/cuda compiles with headers of CUDA 12.4"
