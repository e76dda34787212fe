#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The files of resources/translations have every sentence of the window and of the core, and each is translated.
#
#   tests/checks/translations.sh [--update]     --update writes new sentences into the files, to be translated

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Qt's own folder first: what is in /usr/bin may be that of another Qt.
lupdate=
for candidate in /usr/lib/qt6/bin/lupdate lupdate-qt6 lupdate6 lupdate; do
    if version=$("$candidate" -version 2>/dev/null) && [[ $version == *" 6."* ]]; then
        lupdate=$candidate
        break
    fi
done
if [[ -z $lupdate ]]; then
    echo "SKIP: lupdate of Qt 6 is not installed (Debian: apt-get install qt6-l10n-tools)"
    exit 77
fi

# What the core says is collected from its sources.
need python3 python3
tests/checks/core_sentences.py "$scratch/core_sentences.cpp"

# FILES...: brings them up to the sources, without places, which would change with every line.
update() {
    local lost
    "$lupdate" -I . -locations none -no-obsolete -source-language en ui "$scratch/core_sentences.cpp" -ts "$@" >"$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2; found "lupdate failed"; }
    # A sentence that lupdate cannot tell the class of is under a name that the window does not ask for.
    lost=$(grep -E 'lacks Q_OBJECT|unknown namespace' "$scratch/log")
    [[ -z $lost ]] || found "tr() outside of a class: $lost"
}

# FILE: what it has, a line each: class, whether it counts, sentence and remark. Versions of lupdate write the rest differently.
sentences() {
    awk '
        /<name>/ { class = $0 }
        /<message/ { counts = /numerus="yes"/; sentence = ""; open = 1 }
        open && /<(source|comment)>/ { taking = 1 }
        taking { sentence = sentence $0 "\\n" }
        /<\/(source|comment)>/ { taking = 0 }
        /<\/message>/ { print class (counts ? " %n " : " ") sentence; open = 0 }' "$1" | tr -s ' ' | sort
}

files=(resources/translations/*.ts)
if [[ ${1:-} == --update ]]; then
    update "${files[@]}"
else
    mkdir "$scratch/new"
    cp "${files[@]}" "$scratch/new"
    update "$scratch"/new/*.ts
    for file in "${files[@]}"; do
        diff <(sentences "$file") <(sentences "$scratch/new/${file##*/}") >"$scratch/diff" && continue
        head -n 20 "$scratch/diff" >&2
        found "$file is not what the sources say: tests/checks/translations.sh --update"
    done
fi
# English has no file: what Qt would choose a plural for stands there as it is written.
both=$(grep -hE '<source>.*[a-z]\(e?s\)' "${files[@]}") && found "$both: 'plural' has both forms"
for file in "${files[@]}"; do
    open=$(grep -c 'type="unfinished"' "$file")
    [[ $open -eq 0 ]] || found "$file: $open not translated"
    say "$file: $(grep -c '<source>' "$file") sentences"
done
done_with "every sentence has its translation"
