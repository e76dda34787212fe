#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# What session.sh needs on a machine that has a GPU and nothing else, in one file of at most 64 MiB: the program with
# its CUDA module, two test programs, the libraries that they load (Qt's two among them) and the scripts. It does not
# hold cuBLAS and NCCL, which are ten times as large and lie where there is CUDA or PyTorch.
#
#   pack.sh [FILE]     default build/gpu/pipewright-gpu.tar.xz; ARCH=compute capability (default 90)

set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
tree=build/gpu
file=${1:-$tree/pipewright-gpu.tar.xz}
most=$((64 * 1024 * 1024))
mkdir -p "$tree" "$(dirname "$file")"
trouble() { echo "pack.sh: $*" >&2; exit 1; }

# One file a program: our own libraries are static, as is CUDA's runtime. The tests of the studio stay here.
{
    cmake --preset cuda -B "$tree" -DPW_TESTS=ON -DPW_BENCHES=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=OFF -DPW_BLAS=NONE \
        -DPW_MPI=OFF -DPW_WERROR=OFF -DBUILD_SHARED_LIBS=OFF "-DCMAKE_CUDA_ARCHITECTURES=${ARCH:-90}-real" &&
        cmake --build "$tree" --target pipewright pw_cuda pw_tests_cuda pw_tests_executor
} >"$tree/pack.log" 2>&1 || { tail -n 30 "$tree/pack.log"; trouble "the build has failed; $tree/pack.log is its log"; }

packed=$tree/pipewright-gpu
rm -rf "$packed"
mkdir -p "$packed/bin" "$packed/lib/last"
cp "$tree"/app/pipewright "$tree"/app/pipewright-cuda.so "$tree"/tests/pw_tests_cuda "$tree"/tests/pw_tests_executor \
    "$packed/bin/" || trouble "not everything was built"
strip "$packed"/bin/* || trouble "strip has failed"
cp tests/gpu/session.sh tests/gpu/parts.sh tests/gpu/README.md "$packed/" || exit 1

# What the loader takes beside the C library and what comes with a GPU.
ldd "$packed"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(ld-linux|libc|libm|libdl|librt|libpthread|libresolv|libcuda|libcublas|libcublasLt|libnccl)[-.]' |
    while read -r library; do cp -L "$library" "$packed/lib/"; done
# The compiler's own, which may ask for a later C library than anything else here: for a machine whose own are older.
for library in libstdc++.so.6 libgcc_s.so.1; do
    [[ -f $packed/lib/$library ]] && mv "$packed/lib/$library" "$packed/lib/last/"
done
# The newest C library that any of it asks for.
newest=$(objdump -T "$packed"/bin/* "$packed"/lib/*.so* 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
echo "needs $newest; made of $(git describe --always --dirty 2>/dev/null)" | tee "$packed/MADE_OF"

tar -C "$tree" -cf - pipewright-gpu | xz -9 -T 0 >"$file" || trouble "$file cannot be written"
bytes=$(stat -c %s "$file")
[[ $bytes -le $most ]] || trouble "$file has $bytes bytes, more than $most"
echo "$file: $((bytes / 1024 / 1024 + 1)) MiB of at most 64; on the GPU machine:"
echo "  tar -xJf ${file##*/} && pipewright-gpu/session.sh --budget 600"
