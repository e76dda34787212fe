#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The CPU's operations hold whatever multiplies the matrices: oneDNN, OpenBLAS, or Pipewright's own loops. Builds only what
# differs, in build/blas.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need cmake cmake
need ninja ninja-build
need_file "$(compgen -G '/usr/include/*/openblas*/cblas.h' | head -n 1)" "Debian: apt-get install libopenblas-dev"
need_file /usr/include/dnnl.h "Debian: apt-get install libdnnl-dev"

for blas in DNNL OPENBLAS NONE; do
    tree=build/blas/$blas
    { cmake -S tests/checks/blas -B "$tree" -G Ninja -DPW_BLAS="$blas" && cmake --build "$tree"; } >"$scratch/log" 2>&1 ||
        { tail -n 20 "$scratch/log"; found "PW_BLAS=$blas does not build"; continue; }
    "$tree/tests" tst_cpu_ops >"$scratch/log" 2>&1 || { grep -A 3 '^FAIL' "$scratch/log"; found "PW_BLAS=$blas fails its tests"; }
    libraries=$(readelf -d "$tree/tests" | grep -oE 'lib(dnnl|openblas)' | sort -u | tr '\n' ' ')
    case $blas in
    DNNL) [[ $libraries == "libdnnl " ]] ;;
    OPENBLAS) [[ $libraries == "libopenblas " ]] ;;
    NONE) [[ -z $libraries ]] ;;
    esac || found "PW_BLAS=$blas links \"$libraries\""
    say "$blas: $(grep '^Totals' "$scratch/log"), $SECONDS s so far"
done

# A choice that cannot be had stops the build, and says which.
cmake -S tests/checks/blas -B "$scratch/tree" -G Ninja -DPW_BLAS=OPENBLAS \
    -DOPENBLAS_LIBRARY=OPENBLAS_LIBRARY-NOTFOUND -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DCMAKE_SYSTEM_LIBRARY_PATH= -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DOPENBLAS_INCLUDE_DIR=/nowhere >"$scratch/log" 2>&1 &&
    found "PW_BLAS=OPENBLAS without OpenBLAS is taken"
cmake -S tests/checks/blas -B "$scratch/other" -G Ninja -DPW_BLAS=MKL >"$scratch/log" 2>&1 && found "PW_BLAS=MKL is taken"
grep -q "PW_BLAS is MKL, not AUTO, DNNL, OPENBLAS or NONE" "$scratch/log" || found "PW_BLAS=MKL is refused without a reason"
done_with "three ways to multiply pass the tests of the CPU's operations"
