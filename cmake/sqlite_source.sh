#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# SQLite as one file of C, from Debian's source package, for a system that Debian has no library of it for (the preset
# windows): FOLDER/sqlite3.c and sqlite3.h. apt checks the signatures; what this machine's apt knows and has stays as it is.
#
#   cmake/sqlite_source.sh FOLDER

set -eu -o pipefail
into=${1:?"cmake/sqlite_source.sh FOLDER"}
if [[ -f $into/sqlite3.c && -f $into/sqlite3.h ]]; then
    exit 0
fi
for program in apt-get dpkg-source gcc make tclsh; do
    command -v "$program" >/dev/null || {
        echo "$program is not installed (Debian: apt-get install dpkg-dev gcc make tcl)" >&2
        exit 1
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # apt reads as a user of its own

# The sources of whatever this machine takes its packages from.
mkdir -p "$work/parts" "$work/lists/partial" "$work/source"
for list in /etc/apt/sources.list.d/*.sources; do
    [[ -f $list ]] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/parts/$(basename "$list")"
done
[[ ! -f /etc/apt/sources.list ]] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/parts/main.list"
options=(-q -o "Dir::State::lists=$work/lists" -o "Dir::Etc::sourceparts=$work/parts" -o Dir::Etc::sourcelist=/dev/null)
apt-get "${options[@]}" update
(cd "$work/source" && apt-get "${options[@]}" source sqlite3)

tree=$(find "$work/source" -mindepth 1 -maxdepth 1 -type d -name 'sqlite3-*')
mkdir -p "$work/build" "$into"
(cd "$work/build" && "$tree/configure" --disable-tcl --disable-readline && make sqlite3.c)
cp "$work/build/sqlite3.c" "$work/build/sqlite3.h" "$into/"
