#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Finds families that are named in the code outside core/families. What others need to know of a family they ask it
# (core/families/family.h, family_traits.h) or its order, so that a family of a file, or the next one, gets the same answers.
# Data that are about one family stand below, each file with its reason; comparing an id or a title with a word is wrong in
# those, too.
#
#   tests/checks/family_ids.sh [SOURCE_FOLDER]

set -u -o pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1
bad=0

allowed=(
  # Published measurements: which schedule the paper has run.
  core/plan/headlines.cpp core/plan/headlines_models.cpp core/plan/headlines_zero_bubble.cpp
  # Pictures beside the words of the glossary, drawn from schedules that show the word.
  ui/help/glossary_sketches.cpp
  # What the demonstration shows, and what its own run was made by.
  ui/window/demo.cpp
  # The paper's planner, not the family.
  app/commands/plan.cpp app/plan_papers.cpp
  # Primus's names of its own algorithms.
  core/io/primus_class.cpp
  # Examples in the package's own text.
  python/pipewright/__init__.py python/pipewright/_commands.py python/families.cpp python/what_if.cpp
)

named=$(grep -hoE '^ +family\.(id|title) = "[^"]+"' core/families/*.cpp | grep -oE '"[^"]+"' | tr -d '"' | sort -u)
ids=$(grep -hoE '^ +family\.id = "[^"]+"' core/families/*.cpp | grep -oE '"[^"]+"' | tr -d '"' | sort -u)
count=$(wc -w <<<"$ids")
files=$(find core/families -name '*.cpp' -exec grep -l '^Family [a-z0-9_]*()$' {} + | wc -l)
if [[ $count -ne $files ]]; then
  echo "$files families, but $count ids are found in core/families: they are read from lines 'family.id = \"…\"'"
  exit 1
fi

# one_of WORDS: an expression for any of them.
# shellcheck disable=SC2016 # it is sed's
one_of() { sed -E 's/[.[\*^$()+?{|]/\\&/g' <<<"$1" | paste -sd '|'; }

# hits PATTERN: lines of code, without comments, that have it.
hits() {
  grep -rnE --include='*.cpp' --include='*.h' --include='*.cu' --include='*.py' "$1" app core executor python ui |
    grep -vE '^core/families/|^[^:]*:[0-9]+: *(//|#)' | grep -E "^[^:]*:[0-9]+:([^/]|/[^/])*($1)"
}

found=$(hits "[\"'>]($(one_of "$ids"))[\"']")
for file in "${allowed[@]}"; do
  if ! grep -q "^$file:" <<<"$found"; then
    echo "$file names no family any more: take it out of $0"
    bad=1
  fi
  found=$(grep -v "^$file:" <<<"$found")
done
if [[ -n $found ]]; then
  echo "families by name: ask the family or its order, or name the file in $0 with its reason"
  echo "$found"
  bad=1
fi

compared=$(hits "([!=]= *(QStringLiteral\(|std::string_view\()?|(starts_with|startsWith|ends_with|endsWith|compare)\()\"($(one_of "$named"))\"|\"($(one_of "$named"))\"\)? *[!=]=")
compared+=$(hits '\b(family|id)(\(\))?\.(starts_with|startsWith|ends_with|endsWith)\("')
# A value that is chosen in a file of another program or in an option is a word of that program.
compared=$(grep -vE '^(app/plan_papers\.cpp):' <<<"$compared")
if [[ -n $compared ]]; then
  echo "an id or a title is compared with a word:"
  echo "$compared"
  bad=1
fi
exit $bad
