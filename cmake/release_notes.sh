#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The notes of a release: what CHANGELOG.md says of its newest version, and every package with its size and digest.
#
#   cmake/release_notes.sh FOLDER      writes FOLDER/RELEASE.md about the packages in it

set -euo pipefail
[[ $# -eq 1 && -d $1 ]] || { echo "release_notes: a folder with packages is missing" >&2; exit 2; }
folder=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^project(Pipewright VERSION \([0-9][0-9.]*\).*/\1/p' CMakeLists.txt)
newest=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
if [[ -z $version || ($newest != Unreleased && $newest != "$version" && $newest != "$version "*) ]]; then
    echo "release_notes: CHANGELOG.md begins with '$newest', and this is version '$version'" >&2
    exit 1
fi

cd "$folder"
shopt -s nullglob
packages=(*.deb *.tar.gz *.run)
[[ ${#packages[@]} -gt 0 ]] || { echo "release_notes: no package is in $folder" >&2; exit 1; }
{
    printf '# Pipewright %s\n' "$version"
    sed -n '/^## /,$p' "$OLDPWD/CHANGELOG.md" | awk '/^## / { if (seen++) exit; next } { print }'
    printf '## Files\n\n| file | bytes | SHA-256 |\n|---|---|---|\n'
    for package in "${packages[@]}"; do
        # shellcheck disable=SC2016 # Markdown's own
        printf '| `%s` | %s | `%s` |\n' "$package" "$(stat -c %s "$package")" "$(sha256sum "$package" | cut -d ' ' -f 1)"
    done
    # shellcheck disable=SC2016 # likewise
    printf '\n`sha256sum FILE` tells whether a file came whole.\n'
} >RELEASE.md.new
mv RELEASE.md.new RELEASE.md
