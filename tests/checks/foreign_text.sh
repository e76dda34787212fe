#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Finds places where text from outside could become markup in the window, or pass the program's way out of the
# terminal. What is allowed stands below with its reason; a new place is either made plain or added there.
#
#   tests/checks/foreign_text.sh [SOURCE_FOLDER]

set -u -o pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1
bad=0

# find WHAT PATTERN FOLDERS ALLOWED_FILES…
find_places() {
  local what=$1 pattern=$2 folders=$3
  shift 3
  local hits
  # shellcheck disable=SC2086
  hits=$(grep -rnE --include='*.cpp' --include='*.h' "$pattern" $folders | grep -vE '^[^:]*:[0-9]+: *///?')
  for file in "$@"; do
    hits=$(grep -v "^$file:" <<<"$hits")
  done
  if [[ -n $hits ]]; then
    echo "$what:"
    echo "$hits"
    bad=1
  fi
}

# Markup of our own, in which everything quoted is escaped.
find_places "a label with markup" 'setTextFormat\(Qt::(RichText|AutoText|MarkdownText)' ui \
  ui/window/schedule_page.cpp ui/timeline/empty_note.cpp ui/panels/inspector_panel.cpp ui/panels/model_dialog.cpp \
  ui/timeline/hover_card.cpp ui/panels/details_panel.cpp ui/improve/improve_panel.cpp ui/traces/found_bar.cpp \
  ui/traces/activity_table.cpp
# Qt guesses in these whether a text is markup, or takes it for such. The manual's view shows pages of our own.
find_places "text that may be taken for markup" \
  '\b(setHtml|insertHtml|appendHtml|setMarkdown|setWhatsThis|QTextBrowser|QErrorMessage|QSplashScreen)\b' ui \
  ui/help/manual_view.cpp ui/help/manual_view.h
find_places "a message box that guesses" 'QMessageBox::(question|warning|information|critical|about)\(' ui
find_places "a message box that guesses" 'new QMessageBox\b' ui ui/plain_text.cpp
find_places "a static text that guesses" 'QStaticText\(' ui ui/timeline/label_words.cpp
find_places "markup in a tool tip" 'setToolTip\(.*<(b|i|br|p|img|a|span)\b' ui
# The command line writes to its console, whose streams pass `SafeOutput`. What starts it has words of its own alone.
find_places "a way around the console" 'std::(cout|cerr|clog)\b|\b(printf|puts|fputs)\(' app app/pipewright.cpp app/launcher.cpp
exit $bad
