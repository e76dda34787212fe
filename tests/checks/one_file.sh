#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The command line and the studio as one file each run where nothing is: in a root with the unpacked folder alone, in one of
# an old Debian with a C library of its own, in one without Qt; and they are small and start soon. Needs root for the roots.
#
#   tests/checks/one_file.sh [TREE] [SUITE…]     TREE: a folder in whose packages they are (default build/portable)
#
# SUITES are releases of Debian to try it on, where a mirror has them: by default this machine's.

# Mounts are made in a namespace of its own, so that nothing of this machine is left mounted, or removed, whatever happens.
if [[ -z ${PW_OWN_MOUNTS:-} ]] && [[ $(id -u) -eq 0 ]]; then
    PW_OWN_MOUNTS=yes exec unshare --mount --propagation private "$0" "$@"
fi
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[[ $(id -u) -eq 0 ]] || cannot "a root of its own needs root"
tree=${1:-build/portable}
packed=$tree/packages/pipewright-linux-x86_64.tar.gz
studio=$tree/packages/pipewright-studio-x86_64.run
need_file "$packed" "./run package, or cmake/portable.sh $tree"
shift $(($# > 0 ? 1 : 0))

readonly most_bytes=$((15 << 20)) most_studio_bytes=$((80 << 20)) slowest_start=500 # milliseconds
size=$(stat -c %s "$packed")
[[ $size -le $most_bytes ]] || found "$packed has $size bytes, $most_bytes are the most"
root=$scratch/root
# shellcheck disable=SC2317 # the trap of common.sh calls it
clean_up() {
    umount -l "$scratch"/*/proc "$scratch"/*/tmp 2>/dev/null
    rm -rf --one-file-system "$scratch"
}
make_root() { # FOLDER: what every root has
    mkdir -p "$1/proc" "$1/tmp" "$1/opt"
    mount -t proc proc "$1/proc" || cannot "/proc cannot be mounted"
}
in_root() { # ROOT COMMAND…
    local folder=$1
    shift
    chroot "$folder" "$@"
}
expect() { # ROOT TITLE WORD COMMAND…: the command works, and says the word
    local folder=$1 title=$2 word=$3
    shift 3
    in_root "$folder" "$@" >"$scratch/out" 2>&1 </dev/null || { tail -n 8 "$scratch/out"; found "$title: $*"; return; }
    grep -q -- "$word" "$scratch/out" || { tail -n 5 "$scratch/out"; found "$title: no \"$word\" from $*"; }
}
try_line() { # ROOT WHERE
    local line=/opt/pipewright-linux-x86_64/bin/pipewright begin took
    local samples=/opt/pipewright-linux-x86_64/share/pipewright/samples
    begin=$(date +%s%N)
    expect "$1" "version $2" "pipewright [0-9]" "$line" version
    took=$((($(date +%s%N) - begin) / 1000000))
    [[ $took -le $slowest_start || -n ${PW_NO_TIMES:-} ]] || found "$2: it takes $took ms to say its version"
    expect "$1" "simulate $2" makespan "$line" simulate "$samples/zb-v.pipewright.json"
    expect "$1" "plan $2" "GiB" "$line" plan --model llama3-8b --gpus 8 --global-batch 64
    expect "$1" "optimise $2" "ms" "$line" optimise "$samples/02-1f1b.pipewright.json" --time-limit 0.5
    expect "$1" "run $2" "run 1" "$line" run 1f1b --devices 2 --size tiny --iterations 2 --store /tmp/runs.sqlite
    expect "$1" "export $2" traceEvents "$line" convert last --store /tmp/runs.sqlite --to chrome-json
    cp "$scratch/out" "$1/tmp/run.trace.json"
    expect "$1" "read $2" "1F1B" "$line" import /tmp/run.trace.json
    expect "$1" "reduce $2" "" "$line" reduce /tmp/run.trace.json --output /tmp/digests
    expect "$1" "wire $2" '"finished"\|finished' "$line" run 1f1b --devices 2 --size tiny --iterations 1 --no-store --json
    # What belongs to it is found beside it, whichever loader has started it.
    [[ ! -e $1/opt/pipewright-linux-x86_64/share/pipewright/web/pipewright-web.html ]] ||
        expect "$1" "a lesson $2" 'id="data"' "$line" lesson export 05-1f1b
    expect "$1" "backends $2" cpu "$line" backends
    say "$2: all that was tried goes; the version takes $took ms"
}

# Nothing but the folder: the C library and the loader are its own.
make_root "$root"
tar -xzf "$packed" -C "$root/opt" || cannot "$packed cannot be unpacked"
folder=$root/opt/pipewright-linux-x86_64
say "$packed: $size bytes, $(du -sm "$folder" | cut -f1) MB unpacked; takes the system's glibc from $(cat "$folder/lib/glibc/needed") on, else its own"
try_line "$root" "a root with nothing in it"

# On this machine, whose C library is as new: that one is taken, for it knows the modules of the system.
cp -a "$folder" "$scratch/here"
"$scratch/here/bin/pipewright" version >/dev/null || found "it does not start here"
if [[ $(printf '%s\n' "$(cat "$folder/lib/glibc/needed")" "$(ldd --version | sed -n '1s/.* //p')" | sort -V | tail -n 1) == "$(ldd --version | sed -n '1s/.* //p')" ]]; then
    "$scratch/here/bin/pipewright" run 1f1b --devices 2 --backend emulated --iterations 200 --no-store --json >/dev/null 2>&1 &
    job=$!
    for _ in $(seq 50); do
        [[ $(readlink "/proc/$job/exe") == *ld-linux* ]] && break
        sleep 0.02
    done
    taken=$(grep -o '/.*/libc\.so\.6' "/proc/$job/maps" 2>/dev/null | head -n 1)
    kill "$job" 2>/dev/null
    wait "$job" 2>/dev/null
    [[ -z $taken || $taken != "$scratch"* ]] || found "the system's C library is as new, and $taken was taken"
fi
# By a link, as people put it on their path.
ln -s "$scratch/here/bin/pipewright" "$scratch/linked"
"$scratch/linked" simulate zb-v | grep -q makespan || found "it does not start by a link"

# Ranks as processes, by the system's MPI.
if [[ -e $scratch/here/lib/pipewright/pipewright-mpi.so ]] && command -v mpirun.openmpi >/dev/null; then
    mpirun.openmpi --allow-run-as-root --oversubscribe -np 2 "$scratch/here/bin/pipewright" \
        run 1f1b --devices 2 --size tiny --iterations 1 --no-store --json >"$scratch/out" 2>&1 || { tail -n 5 "$scratch/out"; found "a run of two processes"; }
    grep -q finished "$scratch/out" || found "two processes do not finish a run"
    say "the module for MPI is loaded with the system's library"
fi

# The module for CUDA, unpacked at the same place: it is there, and says what the machine misses.
if [[ -e $tree/packages/pipewright-cuda-linux-x86_64.tar.gz ]]; then
    mkdir "$scratch/cuda"
    for part in pipewright-linux-x86_64 pipewright-cuda-linux-x86_64; do tar -xzf "$tree/packages/$part.tar.gz" -C "$scratch/cuda"; done
    "$scratch/cuda/pipewright-linux-x86_64/bin/pipewright" backends >"$scratch/out" 2>&1
    grep -q '^cuda' "$scratch/out" || found "no word of CUDA"
    ! grep -q 'there is no module pipewright-cuda' "$scratch/out" || found "the module for CUDA is not found"
fi

# Releases of Debian.
mirror=$(mirror_of_debian)
# shellcheck source=/dev/null
[[ $# -gt 0 ]] || set -- "$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")"
for suite in "$@"; do
    if [[ -z $mirror ]] || ! command -v debootstrap >/dev/null; then
        say "$suite: no mirror, or no debootstrap"
        continue
    fi
    debian=$scratch/$suite
    if ! debootstrap --variant=minbase "$suite" "$debian" "${PW_MIRROR:-$mirror}" >"$scratch/debootstrap" 2>&1; then
        say "$suite: debootstrap failed: $(tail -n 1 "$scratch/debootstrap")"
        continue
    fi
    make_root "$debian"
    tar -xzf "$packed" -C "$debian/opt"
    try_line "$debian" "a bare $suite, glibc $(in_root "$debian" ldd --version | sed -n '1s/.* //p')"
    bare=${bare:-$debian}
done

# The studio: in a bare release, else in a root with the shell, tar and gzip of this machine.
if [[ -e $studio ]]; then
    size=$(stat -c %s "$studio")
    [[ $size -le $most_studio_bytes ]] || found "$studio has $size bytes, $most_studio_bytes are the most"
    if [[ -z ${bare:-} ]]; then
        bare=$scratch/tools
        make_root "$bare"
        for tool in sh tar gzip tail mktemp mkdir mv rm; do
            path=$(command -v "$tool")
            mkdir -p "$bare/bin"
            cp -L "$path" "$bare/bin/"
            # A system has all of its C library.
            { ldd "$path" | grep -o '/[^ ]*'; ls /lib/x86_64-linux-gnu/lib{m,dl,pthread,rt,resolv,util}.so.*; } | while read -r library; do
                mkdir -p "$bare$(dirname "$library")"
                cp -Ln "$library" "$bare$library"
            done
        done
    fi
    cp "$studio" "$bare/opt/studio.run"
    inside=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp chroot "$bare")
    begin=$(date +%s%N)
    "${inside[@]}" /opt/studio.run --version >"$scratch/out" 2>&1 || { tail -n 5 "$scratch/out"; found "the studio does not start"; }
    first=$((($(date +%s%N) - begin) / 1000000))
    grep -q 'pipewright-studio [0-9]' "$scratch/out" || found "the studio says no version"
    begin=$(date +%s%N)
    "${inside[@]}" /opt/studio.run --version >/dev/null 2>&1
    again=$((($(date +%s%N) - begin) / 1000000))
    "${inside[@]}" /opt/studio.run --render zb-v /tmp/figure.png >"$scratch/out" 2>&1 || { tail -n 5 "$scratch/out"; found "the studio draws nothing"; }
    [[ -s $bare/tmp/figure.png ]] || found "there is no figure"
    "${inside[@]}" /opt/studio.run --command version | grep -q 'pipewright [0-9]' || found "the command line in it does not start"
    say "the studio: $size bytes; unpacks and starts in $first ms, then in $again ms"
    if command -v Xvfb >/dev/null; then
        display=:$((90 + RANDOM % 900))
        Xvfb "$display" -screen 0 1280x800x24 >"$scratch/xvfb" 2>&1 &
        server=$!
        for _ in $(seq 100); do [[ -S /tmp/.X11-unix/X${display#:} ]] && break; sleep 0.1; done
        mkdir -p "$bare/tmp/.X11-unix"
        mount --bind /tmp/.X11-unix "$bare/tmp/.X11-unix"
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp DISPLAY="$display" chroot "$bare" /opt/studio.run >"$scratch/out" 2>&1 &
        window=$!
        shown=no
        for _ in $(seq 100); do
            if ! command -v xdotool >/dev/null; then
                sleep 5
                kill -0 "$window" 2>/dev/null && shown=yes
                break
            fi
            DISPLAY=$display xdotool search --onlyvisible --name Pipewright >/dev/null 2>&1 && { shown=yes; break; }
            sleep 0.2
        done
        [[ $shown == yes ]] || { tail -n 5 "$scratch/out"; found "the studio shows no window in a root without Qt"; }
        kill "$window" "$server" 2>/dev/null
        wait "$window" "$server" 2>/dev/null
        umount -l "$bare/tmp/.X11-unix"
        [[ $shown == yes ]] && say "the studio shows its window in a root without Qt"
    else
        say "no Xvfb: the window was not tried"
    fi
else
    say "there is no $studio (cmake/portable.sh takes a tree of the preset studio, too): only the command line was tried"
fi
done_with "one file each, and nothing else"
