#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Every file says whose it is and under which licence, by a header or by .reuse/dep5 (https://reuse.software, version 3.0); what
# is copied into output may be used by whoever had it written.
#
#   tests/checks/reuse.sh

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need reuse reuse

told=$(reuse lint 2>&1) || found "$(tail -n 20 <<<"$told")"
while read -r line; do
    found "$line"
done < <(grep -E 'ERROR' <<<"$told")

# What `emit` and pages hold of this program.
for file in executor/torch/pipewright_torch/__init__.py web/page.html resources/web/page.html; do
    [[ -e $file ]] || found "$file is not there"
    reuse spdx 2>/dev/null | awk -v file="FileName: ./$file" '$0 == file { at = 1 } at && /^LicenseInfoInFile/ { print } at && /^$/ { exit }' |
        grep -q LicenseRef-Pipewright-Output || found "$file may not be used under any licence by whoever had it written"
done

done_with "every file says its licence"
