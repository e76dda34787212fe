#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Makes the reference of pw_schedule from the comments of its headers, build/reference/html/index.html, without a warning.
#
#   tests/checks/reference.sh

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need doxygen doxygen

read -r -a folders < <(sed -n 's/^pw_schedule: *\([^|]*\)|.*/\1/p' core/libraries.txt)
[[ ${#folders[@]} -gt 0 ]] || found "core/libraries.txt has no folders of pw_schedule"
mkdir -p build/reference
said=$({
    cat resources/reference/Doxyfile
    echo "INPUT = ${folders[*]/#/core/}"
    echo "OUTPUT_DIRECTORY = build/reference"
} | doxygen - 2>&1) || found "$said"
[[ -e build/reference/html/classpw_1_1Simulator.html ]] || found "the reference lacks the class Simulator"

done_with "build/reference/html/index.html is made"
