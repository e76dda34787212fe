#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Another release of Debian, from nothing: what is committed is built and tested there by the README's command, and the
# packages made there install and run in a second bare root. Needs root, a mirror, 12 GB of disk and two builds' time.
#
#   tests/checks/other_release.sh SUITE [ctest's options…]     for example trixie, which is Debian 13
#
# The mirror is the one of this machine; PW_MIRROR names another.

# Mounts are made in a namespace of its own, so that nothing of this machine is left mounted, or removed, whatever happens.
if [[ -z ${PW_OWN_MOUNTS:-} ]] && [[ $(id -u) -eq 0 ]]; then
    PW_OWN_MOUNTS=yes exec unshare --mount --propagation private "$0" "$@"
fi
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need debootstrap debootstrap
[[ $(id -u) -eq 0 ]] || cannot "a root of its own needs root"
suite=${1:-}
[[ -n $suite ]] || cannot "no release is named, such as trixie"
shift
mirror=$(mirror_of_debian)
[[ -n $mirror ]] || cannot "no mirror of Debian is configured here (PW_MIRROR names one)"

root=$scratch/root
debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >"$scratch/debootstrap" 2>&1 ||
    { tail -n 3 "$scratch/debootstrap"; cannot "debootstrap of $suite from $mirror failed"; }
# shellcheck disable=SC2317 # the trap of common.sh calls it
clean_up() {
    umount -l "$root/proc" "$root/sys" "$root/dev/shm" "$root/dev/pts" "$root/dev" 2>/dev/null
    rm -rf --one-file-system "$scratch"
}
{ mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" && mount --bind /dev "$root/dev" &&
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" && mount -t tmpfs tmpfs "$root/dev/shm"; } ||
    cannot "/proc, /sys and /dev cannot be mounted"
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
        DEBIAN_FRONTEND=noninteractive QT_QPA_PLATFORM=offscreen "$@"
}
git clone -q . "$root/root/pipewright" || cannot "what is committed cannot be cloned"
inside apt-get update -q >/dev/null 2>&1 || cannot "the package lists of $mirror cannot be had"
# The second build takes from the first what is the same; git tells a test which files are the project's own.
inside apt-get install -y -q --no-install-recommends ccache git lintian >"$scratch/apt" 2>&1 ||
    { tail -n 15 "$scratch/apt"; cannot "ccache, git and lintian cannot be installed"; }
say "a bare $suite, after $SECONDS s"

inside sh -c 'cd /root/pipewright && exec ./run test "$@"' test "$@" >"$scratch/tests" 2>&1 </dev/null ||
    { tail -n 60 "$scratch/tests"; found "./run test fails on $suite"; }
say "./run test, after $SECONDS s: $(grep -E 'tests passed|tests failed' "$scratch/tests" | tail -n 1)"

inside sh -c 'cd /root/pipewright && cmake --preset studio && cmake --build --preset studio' >"$scratch/studio" 2>&1 ||
    { tail -n 30 "$scratch/studio"; found "the preset studio does not build on $suite"; done_with; }
inside sh -c 'cd /root/pipewright && tests/checks/packages.sh' || found "the packages of $suite"
say "the packages, after $SECONDS s"
PW_MIRROR=$mirror tests/checks/clean_root.sh "$suite" "$root/root/pipewright/build/studio" || found "the packages in a clean $suite"
done_with "built, tested, packaged and installed on $suite"
