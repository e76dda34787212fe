#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""No function that a header declares is used by nothing: neither by the programs nor by the tests.

    tests/checks/unused_functions.py [--tests]

Goes by names: one that stands nowhere but where it is declared and defined. What overrides a function of a base class, and
names that several headers declare, are not looked at. With --tests, functions that tests alone use are listed, too: a reader of
the code asks about each what it is for.
"""

import collections
import os
import re
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
# A type or a line's begin, the name, its parameters, what follows them, and whether a body does.
FUNCTION = re.compile(
    r"(?m)^ *(?:[\w:<>,&*\[\]~ ]+?[ &*>])?([a-z]\w*)\(((?:[^()]|\([^()]*\))*)\)([^;{]*)([;{])")
NO_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "catch", "static_assert", "decltype", "noexcept", "alignas"}


def texts(folders):
    found = [os.path.join(at, name) for folder in folders for at, _, names in os.walk(folder) for name in names]
    for path in sorted(found):
        if re.search(r"\.(cpp|h|cu|cuh|in)$", path):
            with open(path, encoding="utf-8") as file:
                yield path, NO_CODE.sub(" ", file.read())


def main():
    uses, declared, in_tests = collections.Counter(), collections.defaultdict(list), collections.Counter()
    for path, text in texts(["app", "core", "executor", "ui", "python"]):
        uses.update(WORD.findall(text))
        if not path.endswith(".h"):
            continue
        for name, _, after, end in FUNCTION.findall(text):
            if "override" not in after and name not in NO_NAMES:
                declared[name].append((path, 2 if end == ";" else 1))
    for _, text in texts(["tests"]):
        in_tests.update(WORD.findall(text))
    unused = 0
    for name, places in sorted(declared.items()):
        if len(places) > 1 or uses[name] > places[0][1]:
            continue
        if not in_tests[name]:
            print(f"unused_functions: FOUND: nothing uses {name} of {places[0][0]}", file=sys.stderr)
            unused += 1
        elif "--tests" in sys.argv:
            print(f"tests alone use {name} of {places[0][0]}")
    if unused:
        sys.exit(1)
    print(f"unused_functions: {len(declared)} names of functions in headers, each is used")


main()
