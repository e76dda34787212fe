#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Writes what the core can say as a file that Qt's lupdate reads: `core_sentences.py FILE.cpp`.

A sentence of the core is a literal pattern in a call of one of the functions below (core/base/sentence.h). Patterns without a
letter only join others, and are the same in every language.
"""

import pathlib
import re
import sys

# Which arguments of a call are patterns where they are literals.
CALLS = {"said": {0}, "fail": {1}, "refuse": {1}, "counted": {1, 2}, "leave": {1, 2}, "systemFailure": {0},
         "proveLeast": {0}, "outside": {0}}
CALL = re.compile(r"\b(%s)(?:<[\w:, ]*>)?\(" % "|".join(CALLS))
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S)
ONLY_LITERALS = re.compile(r'\s*(?:"(?:[^"\\]|\\.)*"\s*)+\Z', re.S)


def end_of_literal(text, at):
    quote = text[at]
    at += 1
    while text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    return at + 1


def arguments(text, opened):
    """The texts between the commas of a call whose bracket is at `opened`."""
    depth, begin, at, found = 0, opened + 1, opened, []
    while at < len(text):
        c = text[at]
        if c == '"' or (c == "'" and not text[at - 1].isalnum()):
            at = end_of_literal(text, at)
            continue
        if text.startswith("//", at):
            at = text.index("\n", at)
            continue
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return found + [text[begin:at]]
        elif c == "," and depth == 1:
            found.append(text[begin:at])
            begin = at + 1
        at += 1
    return []


def patterns(text):
    for call in CALL.finditer(text):
        found = arguments(text, call.end() - 1)
        for place in CALLS[call.group(1)]:
            if place < len(found) and ONLY_LITERALS.match(found[place]):
                pattern = "".join(LITERAL.findall(found[place]))
                if re.search(r"[^\W\d_]", re.sub(r"\\.", "", pattern)):
                    yield pattern


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    found = set()
    for path in sorted((root / "core").rglob("*")):
        if path.suffix in (".h", ".cpp"):
            found.update(patterns(path.read_text(encoding="utf-8")))
    rows = "".join('    QT_TRANSLATE_NOOP("Sentences", "%s"),\n' % pattern for pattern in sorted(found))
    pathlib.Path(sys.argv[1]).write_text("const char* const sentences[] = {\n%s};\n" % rows, encoding="utf-8")


main()
