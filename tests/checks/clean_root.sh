#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The packages install into a root that has nothing but Debian's base, and both programs run there. Needs root and a mirror.
#
#   tests/checks/clean_root.sh [SUITE] [BUILD-FOLDER]
#
# SUITE is the release that the packages were made on (default: the one of this machine); BUILD-FOLDER the one that
# packages.sh has worked in (default build/studio). The mirror is the one of this machine; PW_MIRROR names another.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need debootstrap debootstrap
[[ $(id -u) -eq 0 ]] || cannot "a root of its own needs root"

# shellcheck source=/dev/null
here=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
suite=${1:-$here}
build=${2:-build/studio}
mirror=$(mirror_of_debian)
[[ -n $mirror ]] || cannot "no mirror of Debian is configured here (PW_MIRROR names one)"
[[ $suite == "$here" || $# -ge 2 ]] || cannot "packages made on $here need its libraries; name the folder of those made on $suite"
debs=("$build"/packages/*.deb)
[[ -e ${debs[0]} ]] || cannot "there are no packages in $build/packages (tests/checks/packages.sh makes them)"

root=$scratch/root
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/tmp "$@"; }
# shellcheck disable=SC2317 # the trap of common.sh calls it
clean_up() {
    umount "$root/proc" 2>/dev/null
    rm -rf --one-file-system "$scratch"
}
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$scratch/debootstrap" 2>&1 ||
    { tail -n 3 "$scratch/debootstrap"; cannot "debootstrap of $suite from $mirror failed"; }
mount -t proc proc "$root/proc" || cannot "/proc cannot be mounted"
say "a bare $suite, after $SECONDS s"

# The command line alone first: it must not bring a desktop.
cp "${debs[@]}" "$root/tmp/"
install_debs() { # FILES... inside the root
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >"$scratch/apt" 2>&1 ||
        { tail -n 15 "$scratch/apt"; found "apt-get install $*"; return 1; }
}
inside apt-get update -q >/dev/null 2>&1 || cannot "the package lists of $mirror cannot be had"
expect() { # TITLE WORD COMMAND...: the command works, and says the word
    local title=$1 word=$2
    shift 2
    inside timeout 60 "$@" >"$scratch/out" 2>&1 || { tail -n 15 "$scratch/out"; found "$title: $*"; return; }
    grep -q -- "$word" "$scratch/out" || { tail -n 5 "$scratch/out"; found "$title: no \"$word\" from $*"; }
}
cd_names() { # NAME: its file inside the root
    basename "$(compgen -G "$build/packages/$1_*.deb")"
}
if install_debs "/tmp/$(cd_names pipewright)"; then
    expect "version" "pipewright [0-9]" pipewright version
    expect "a sample" "makespan" pipewright simulate /usr/share/pipewright/samples/zb-v.pipewright.json
    expect "a run that trains" "finished" pipewright run 1f1b --devices 2 --size tiny --iterations 1 --no-store --json
    inside sh -c 'dpkg -l | grep -Ei "^ii +(libqt|libx11-6)"' && found "the command line brought a desktop"
    say "the command line runs, after $SECONDS s"
fi
if install_debs "/tmp/$(cd_names pipewright-studio)"; then
    expect "version" "pipewright-studio [0-9]" pipewright-studio --version
    expect "a figure" "<svg" sh -c 'pipewright-studio --render zb-v /tmp/figure.svg && cat /tmp/figure.svg'
    # The window stands until it is ended.
    inside QT_QPA_PLATFORM=offscreen timeout 5 pipewright-studio >"$scratch/out" 2>&1
    status=$?
    [[ $status -eq 124 ]] || { tail -n 5 "$scratch/out"; found "the window ended by itself, exit $status"; }
    for page in pipewright pipewright-studio; do
        [[ -s $root/usr/share/man/man1/$page.1.gz ]] || found "no page of the manual of $page"
    done
fi
if compgen -G "$build/packages/pipewright-mpi_*.deb" >/dev/null && install_debs "/tmp/$(cd_names pipewright-mpi)" openmpi-bin; then
    expect "ranks as processes" "finished" mpirun --allow-run-as-root --oversubscribe -np 2 \
        pipewright run 1f1b --devices 2 --size tiny --iterations 1 --no-store --json
fi
# Without a GPU the module says what it misses; without the module there would be no word of it.
if compgen -G "$build/packages/pipewright-cuda_*.deb" >/dev/null && install_debs "/tmp/$(cd_names pipewright-cuda)"; then
    expect "the module for GPUs" "cuda" pipewright backends
fi
inside apt-get remove -y -q pipewright >"$scratch/apt" 2>&1 || { tail -n 5 "$scratch/apt"; found "the packages cannot be removed"; }
left=$(find "$root/usr" -iname '*pipewright*' ! -path '*/doc/*' | head -n 3)
[[ -z $left ]] || found "after the removal there is still $left"
done_with "both programs install, run and go on $suite"
