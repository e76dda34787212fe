#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
# Pipewright's studio, with all that it needs behind this script. It unpacks itself once, into PIPEWRIGHT_UNPACKED or
# ~/.cache/pipewright, and starts. --unpack FOLDER only unpacks; --command WORDS… starts the command line in it.
set -eu
sum=@SUM@
bytes=@BYTES@
unpack() { tail -c "$bytes" "$1" | gzip -dc | tar -xf - -C "$2"; }
if [ "${1:-}" = --unpack ]; then
    mkdir -p "${2:?a folder}"
    unpack "$0" "$2"
    exit
fi
place=${PIPEWRIGHT_UNPACKED:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/pipewright}
folder=$place/studio-$sum
if [ ! -x "$folder/pipewright-studio/bin/pipewright-studio" ]; then
    mkdir -p "$place"
    part=$(mktemp -d "$place/part-XXXXXX")
    trap 'rm -rf "$part"' EXIT
    trap 'exit 1' INT TERM HUP
    unpack "$0" "$part"
    # Somebody else may have been sooner.
    if ! said=$(mv -T "$part" "$folder" 2>&1) && [ ! -x "$folder/pipewright-studio/bin/pipewright-studio" ]; then
        printf '%s\n' "$said"
        exit 1
    fi
    trap - EXIT
    rm -rf "$part"
fi
program=pipewright-studio
if [ "${1:-}" = --command ]; then
    shift
    program=pipewright
fi
exec "$folder/pipewright-studio/bin/$program" "$@"
