#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
#   translate.sh KERNELS.cu OUT.cpp
#
# Makes C++ of a file of kernels: a launch becomes a call, a variable that a block shares one that the stand-in holds. Lines
# keep their numbers.

set -eu
{
    printf '#line 1 "%s"\n' "$1"
    sed -z -E \
        -e 's/\b([A-Za-z_][A-Za-z_0-9]*)((<[^<>;()]*>)?)<<<([^;]*)>>>\(([^;]*)\);/pw::gpu::launch("\1", \4, [=] { \1\2(\5); });/g' \
        -e 's/__shared__ ([^;]+)\b([A-Za-z_][A-Za-z_0-9]*)((\[[^];]*\])*);/struct Shared_\2 { \1\2\3; }; auto\& \2 = pw::gpu::shared<Shared_\2>().\2;/g' \
        "$1"
} >"$2"
