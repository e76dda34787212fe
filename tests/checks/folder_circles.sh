#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Looks for circles of includes between the folders of core, executor and ui. Fails at one, and says which includes it is of.
#
#   tests/checks/folder_circles.sh [SOURCE_FOLDER]

set -u -o pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1

grep -rE '^#include "(core|executor|ui)/' --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
    core executor ui | sort | awk '
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
    print circles " circles, " inside " folders in them"
    exit circles > 0
}'
