# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# use_way WAY sets how devices are made of the stand-in's GPUs and how results travel between them, and `devices` and
# `replicated` (options) to what fits.

# shellcheck disable=SC2034 # for who sources this
use_way() {
    devices=2 replicated=()
    export PW_FAKE_GPUS=1
    unset PW_CUDA_SPLIT PW_CUDA_TRANSPORT
    case $1 in
        green) ;; # one GPU in parts, copies between them
        streams) export PW_CUDA_SPLIT=streams ;; # one GPU, streams alone
        self) export PW_CUDA_TRANSPORT=nccl ;; # one GPU, NCCL to itself
        copies) export PW_FAKE_GPUS=4 PW_CUDA_TRANSPORT=copies devices=4 ;; # 4 GPUs, copies between them
        nccl) export PW_FAKE_GPUS=4 devices=4 ;; # 4 GPUs, NCCL
        zero-1) export PW_FAKE_GPUS=8 && replicated=(--replicas 4 --zero-1) ;; # 8 GPUs, NCCL, shards of four
        *) echo "there is no way $1" >&2; return 2 ;;
    esac
}
