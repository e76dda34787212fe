# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# What the checks share; sourced first. A check works from the top of the sources, does one thing, prints what it did, and
# ends with 0 (held), 1 (a finding) or 77 (it cannot run here, and says why).

set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
check=$(basename "$0" .sh)

say() { printf '%s: %s\n' "$check" "$*"; }
found() { # SENTENCE: the check goes on, and fails at its end
    printf '%s: FOUND: %s\n' "$check" "$*" >&2
    findings=$((findings + 1))
}
findings=0
done_with() { # SENTENCE: the end of a check
    if [[ $findings -gt 0 ]]; then
        say "$findings found ($SECONDS s)"
        exit 1
    fi
    say "$* ($SECONDS s)"
    exit 0
}
cannot() {
    say "cannot run: $*"
    exit 77
}
need() { # COMMAND DEBIAN-PACKAGE
    command -v "$1" >/dev/null || cannot "$1 is not installed (Debian: apt-get install $2)"
}
need_file() { # FILE HOW-TO-HAVE-IT
    [[ -e $1 ]] || cannot "$1 is not there ($2)"
}
mirror_of_debian() { # prints the one that PW_MIRROR names, or else this machine's; nothing where there is none
    local mirror=${PW_MIRROR:-$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)}
    [[ -n $mirror ]] || mirror=$(awk '$1 == "deb" { print $2; exit }' /etc/apt/sources.list 2>/dev/null)
    printf '%s' "$mirror"
}

# A folder that goes when the check ends.
scratch=$(mktemp -d) || exit 1
clean_up() { rm -rf "$scratch"; }
trap clean_up EXIT
