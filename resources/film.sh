#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Makes the film at the top of README: the walk of tests/ui/tst_x11_film.cpp in the real window, under an X server of its own,
# put together by img2webp (Debian's package webp). Pictures are taken where the walk has come to, so that a slow machine makes
# the same film, but for the times of the run in it.
#
#     resources/film.sh [OUT.webp] [TESTS OF THE WINDOW]
#
#   QUALITY=N   of the pictures, 0 to 100 (default 55)

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/film.webp}
tests=${2:-$here/../build/dev/tests/pw_tests_ui}
for needed in xvfb-run xdotool img2webp; do
    command -v "$needed" >/dev/null || { echo "film: $needed is not installed (Debian: xvfb, xdotool, webp)" >&2; exit 1; }
done
pictures=$(mktemp -d /tmp/pipewright-film.XXXXXX)
trap 'rm -rf "$pictures"' EXIT
mkdir "$pictures/home"
export QT_QPA_PLATFORM=xcb DBUS_SESSION_BUS_ADDRESS=disabled: PW_FILM=$pictures
export HOME=$pictures/home XDG_DATA_HOME=$pictures/home XDG_CONFIG_HOME=$pictures/home XDG_RUNTIME_DIR=$pictures/home
xvfb-run -a -s "-screen 0 1120x660x24" "$tests" tst_x11_film | grep -E 'QINFO|FAIL|SKIP|Totals'

words=(-loop 0 -min_size -mixed -q "${QUALITY:-55}" -m 6)
while read -r picture milliseconds; do
    words+=(-d "$milliseconds" "$pictures/$picture")
done <"$pictures/frames.txt"
img2webp "${words[@]}" -o "$out"
bytes=$(stat -c %s "$out")
echo "$out: $bytes bytes"
readonly most=2000000
[[ $bytes -le $most ]] || { echo "film: that is more than $most" >&2; exit 1; }
