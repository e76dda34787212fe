#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Looks at the includes between the folders of core, executor and ui. Fails at a circle of them, whether folders inside others
# count by themselves or with the first one (core/reading/chrome as core/reading), and at an include of a library of core that
# core/libraries.txt does not let its own use. Says which includes it is of.
#
#   tests/checks/folder_circles.sh [SOURCE_FOLDER]

set -u -o pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
grep -rE '^#include "(core|executor|ui)/' --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
    core executor ui | sort >"$scratch/includes"

# WHOLE (0 or 1): circles of folders, or of first folders.
circles() {
    awk -v whole="$1" '
function folder(path, parts) {
    if (!whole) {
        split(path, parts, "/")
        return parts[1] "/" parts[2]
    }
    sub("/[^/]*$", "", path)
    return path
}
{
    file = substr($0, 1, index($0, ":") - 1)
    split($0, parts, "\"")
    if (gsub("/", "/", file) < 2 || gsub("/", "/", parts[2]) < 2) {
        if (!whole)
            next # of ui itself
    }
    from = folder(file)
    to = folder(parts[2])
    seen[from]; seen[to]
    if (from == to || (from, to) in why)
        next
    why[from, to] = file " includes " parts[2]
    reached[from, to] = 1
}
END {
    # Whoever reaches a folder reaches what that one reaches.
    for (middle in seen)
        for (from in seen)
            if ((from, middle) in reached)
                for (to in seen)
                    if ((middle, to) in reached)
                        reached[from, to] = 1
    circles = inside = 0
    for (from in seen) {
        if (!((from, from) in reached) || from in told)
            continue
        ++circles
        print "a circle of folders:"
        delete circle
        for (to in seen)
            if ((from, to) in reached && (to, from) in reached) {
                circle[to]
                told[to]
                ++inside
            }
        for (one in circle)
            for (other in circle)
                if ((one, other) in why)
                    print "  " one " -> " other ": " why[one, other]
    }
    print circles " circles, " inside (whole ? " folders in them" : " first folders in them")
    exit circles > 0
}' "$scratch/includes"
}

# What a library of core includes is in it, or in what it links.
libraries() {
    awk '
FILENAME ~ /libraries.txt$/ {
    if ($0 !~ /^pw_/)
        next
    library = $1
    sub(":", "", library)
    links = 0
    may[library, library]
    for (i = 2; i <= NF; ++i) {
        if ($i == "|")
            links = 1
        else if (!links)
            of["core/" $i] = library
        else
            for (one in libraries)
                if (($i, one) in may)
                    may[library, one]
    }
    libraries[library]
    next
}
/^core\// {
    file = substr($0, 1, index($0, ":") - 1)
    split($0, parts, "\"")
    split(file, here, "/")
    split(parts[2], there, "/")
    from = of[here[1] "/" here[2]]
    to = of[there[1] "/" there[2]]
    if (from == "") {
        if (!(here[2] in lost)) {
            print "core/libraries.txt has no library of core/" here[2]
            ++wrong
        }
        lost[here[2]]
    } else if (there[1] != "core" || !((from, to) in may)) {
        print from " may not use " (to == "" ? there[1] : to) ": " file " includes " parts[2]
        ++wrong
    }
}
END {
    print wrong + 0 " includes against the order of the libraries of core"
    exit wrong > 0
}' core/libraries.txt "$scratch/includes"
}

failed=0
circles 1 || failed=1
circles 0 || failed=1
libraries || failed=1
exit $failed
