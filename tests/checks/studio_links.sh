#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Finds places where a part of the studio reaches for another one past its type: by looking it up among children, by
# emitting its signal, by a property that the class does not declare. A feature is given what it works on; what it gives
# others it returns. What is allowed stands below with its reason and how often; a new place is made a typed link or added
# there.
#
#   tests/checks/studio_links.sh [SOURCE_FOLDER]

set -u -o pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1
bad=0

# find_places WHAT PATTERN FILE=TIMES…
find_places() {
  local what=$1 pattern=$2
  shift 2
  local hits file times now
  hits=$(grep -rnE --include='*.cpp' --include='*.h' "$pattern" ui | grep -vE '^[^:]*:[0-9]+: *//')
  for allowed in "$@"; do
    file=${allowed%=*} times=${allowed#*=}
    now=$(grep -c "^$file:" <<<"$hits")
    if [[ $now -lt $times ]]; then
      echo "$what: $file has $now of $times allowed: lower the number in $0"
      bad=1
    fi
    if [[ $now -le $times ]]; then
      hits=$(grep -v "^$file:" <<<"$hits")
    fi
  done
  if [[ -n $hits ]]; then
    echo "$what:"
    echo "$hits"
    bad=1
  fi
}

# A page or workspace takes its own widgets away before the range that they look at; the bench's panel cuts off its own
# fields before they go; a dialog finds the table within a page that it has made itself; a
# plan counts which of its own fields are set.
find_places "a part looked up among children" '\bfindChild(ren)?\b' \
  ui/adaptive/adaptive_charts.cpp=1 ui/compare/stacked_timelines.cpp=1 ui/job/job_page.cpp=1 ui/workspace/timeline_workspace.cpp=1 \
  ui/bench/bench_panel.cpp=1 ui/plan/plan_fields.cpp=3 ui/runs/run_account_view.cpp=1
# The same object, of which another thread holds a pointer that may be gone.
find_places "a signal of another object" '\b(Q_EMIT|emit) +[A-Za-z_]+(\(\))?(\.|->)' ui/panels/findings.cpp=1
# Style sheets choose by a property; a label's ink and a picture's number are read where they are written; what a person
# solves is marked so, be it a document or a bench, which share no class.
find_places "a property that no class declares" '(->|\.)(setProperty|property)\(' \
  ui/window/commands.cpp=1 ui/presentation.cpp=2 ui/export/handout_lanes.cpp=1 \
  ui/document/exercise.cpp=2
exit $bad
