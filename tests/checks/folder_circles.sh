#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Looks for circles of includes between the folders of core, executor and ui. Fails at one that the list below does not
# have, and at one of the list that is mended: the list only becomes shorter.
#
#   tests/checks/folder_circles.sh [SOURCE_FOLDER]

set -u -o pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1

# Folders that still know each other, a circle a line.
known=''

grep -rE '^#include "(core|executor|ui)/' --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
    core executor ui | sort | awk -v known="$known" '
function folder(path) { sub("/[^/]*$", "", path); return path }
{
    file = substr($0, 1, index($0, ":") - 1)
    split($0, parts, "\"")
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
    lines = split(known, listed, "\n")
    bad = circles = inside = 0
    for (from in seen) {
        if (!((from, from) in reached) || from in told)
            continue
        ++circles
        members = ""
        count = 0
        delete circle
        for (to in seen)
            if ((from, to) in reached && (to, from) in reached) {
                circle[to]
                told[to]
                ++count
            }
        inside += count
        fits = 0
        for (line = 1; line <= lines; ++line) {
            have = split(listed[line], names, " ")
            found = 0
            for (i = 1; i <= have; ++i)
                if (names[i] in circle)
                    ++found
            if (found == count) {
                fits = 1
                if (have > count) {
                    bad = 1
                    for (i = 1; i <= have; ++i)
                        if (!(names[i] in circle))
                            print "mended, take it out of the list: " names[i]
                }
                listed[line] = ""
            }
        }
        if (fits)
            continue
        bad = 1
        print "a circle of folders:"
        for (one in circle)
            for (other in circle)
                if ((one, other) in why)
                    print "  " one " -> " other ": " why[one, other]
    }
    for (line = 1; line <= lines; ++line)
        if (!bad && listed[line] != "") {
            bad = 1
            print "mended, take it out of the list: " listed[line]
        }
    print circles " circles, " inside " folders in them"
    exit bad
}'
