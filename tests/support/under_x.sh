#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# PROGRAM ARGS...: runs a test under an X server of its own. Ends with 77, which ctest takes as skipped,
# where there is none to be had.

for needed in xvfb-run Xvfb xauth xdotool; do
    if ! command -v "$needed" >/dev/null; then
        echo "SKIP: $needed is not installed"
        exit 77
    fi
done
export QT_QPA_PLATFORM=xcb
# No talk to a person's session; without an address the library looks for one, and leaks what it finds.
export DBUS_SESSION_BUS_ADDRESS=disabled:
exec xvfb-run -a -s "-screen 0 1440x900x24" "$@"
