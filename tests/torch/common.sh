# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# For the scripts beside it: a Python that has PyTorch, and a folder that it sees too.
#
#   TORCH_ROOT=FOLDER   a root folder with PyTorch in it, for chroot (needs root); else this machine's python3
#
# shellcheck shell=bash

skip() {
    echo "SKIP: $1"
    exit 77
}

torch_end() {
    if [[ -n ${TORCH_ROOT:-} && -n ${inside:-} ]]; then
        umount "$TORCH_ROOT$inside" && rmdir "$TORCH_ROOT$inside"
    fi
    [[ -z ${remove:-} ]] || rm -rf "$remove"
}

# torch_folder OUT: from here on `python FOLDER ARGUMENTS…` runs it in a folder below $inside, which is OUT as it sees it.
# At the end of the script the folder $remove goes away, where that is set.
torch_folder() {
    trap torch_end EXIT
    trap 'exit 1' INT TERM
    if [[ -n ${TORCH_ROOT:-} ]]; then
        [[ $(id -u) -eq 0 ]] || skip "chroot into $TORCH_ROOT needs root"
        [[ -x $TORCH_ROOT/usr/bin/python3 ]] || skip "there is no python3 in $TORCH_ROOT"
        inside=/tmp/$(basename "$1")
        mkdir -p "$TORCH_ROOT$inside"
        mount --bind "$1" "$TORCH_ROOT$inside" || { inside= && skip "$1 cannot be mounted in $TORCH_ROOT"; }
        local folder
        for folder in proc dev dev/shm; do
            mountpoint -q "$TORCH_ROOT/$folder" || mount --bind "/$folder" "$TORCH_ROOT/$folder"
        done
        # shellcheck disable=SC2016 # the inner shell expands
        python() { chroot "$TORCH_ROOT" env PYTHONDONTWRITEBYTECODE=1 sh -c 'cd "$0" && exec timeout "$@"' \
            "$1" "${limit:-300}" python3 "${@:2}"; }
    else
        command -v python3 >/dev/null || skip "there is no python3"
        inside=$1
        # shellcheck disable=SC2016
        python() { env PYTHONDONTWRITEBYTECODE=1 sh -c 'cd "$0" && exec timeout "$@"' \
            "$1" "${limit:-300}" python3 "${@:2}"; }
    fi
    # shellcheck disable=SC2034 # for the scripts that read this
    version=$(python "$inside" -c 'import torch, torch.distributed.pipelining.schedules; print(torch.__version__)' \
        2>/dev/null) || skip "there is no PyTorch with its pipelining (python3 -c 'import torch.distributed.pipelining')"
}
