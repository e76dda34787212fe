#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A benchmark of two builds, in turns: how every figure of the second compares with that of the first.

    tests/bench/pairs.py OLD NEW BENCH [--runs N] [ARGUMENT…]

OLD and NEW are build folders, BENCH is a program of their tests folder. The two run N times each (default 5) after one run
that does not count, and change places every time, so that a machine that grows slower does so for both. A line is printed for
each line of figures that both print: the median over the pairs of each figure's ratio, new by old. Lines whose first two
figures are off by more than 3 % carry a mark; percentiles and worst cases scatter, and tell something over many pairs alone.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys

NUMBER = re.compile(r"(?<![\w.×-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w×])")
LIMIT = 0.03


def printed(program, arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True,
                          env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    if done.returncode != 0:
        sys.exit(f"{program} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def figures(text):
    """The numbers of every line, by its heading, its own words and how often they came before."""
    heading, found, seen = "", {}, {}
    for line in text.splitlines():
        if not line.strip():
            continue
        words = " ".join(NUMBER.sub("#", line).split())
        indent = len(line) - len(line.lstrip())
        if indent <= 1:
            heading = words
        numbers = [float(number.replace(",", "")) for number in NUMBER.findall(line)]
        if numbers:
            key = (heading, words)
            seen[key] = seen.get(key, 0) + 1
            found[(*key, seen[key])] = numbers
    return found


def ratios(old, new, key):
    """Of each figure of a line; None where it is 0 or missing."""
    out = []
    for column in range(len(old[0][key])):
        pairs = [(one[key], other[key]) for one, other in zip(old, new) if key in one and key in other]
        own = [b[column] / a[column] for a, b in pairs if column < min(len(a), len(b)) and a[column]]
        out.append(statistics.median(own) if own else None)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("bench")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("arguments", nargs="*")
    chosen = parser.parse_args()
    programs = [folder / "tests" / chosen.bench for folder in (chosen.old, chosen.new)]
    for program in programs:
        if not program.exists():
            sys.exit(f"{program} is not there; cmake --build it with --target {chosen.bench}")
        printed(program, chosen.arguments)
    texts = ([], [])
    for run in range(chosen.runs):
        for which in ((0, 1), (1, 0))[run % 2]:
            texts[which].append(figures(printed(programs[which], chosen.arguments)))
    old, new = texts
    for key in old[0]:
        if key not in new[0]:
            continue
        found = ratios(old, new, key)
        times = [ratio for ratio in found[:2] if ratio is not None]
        mark = "!" if any(abs(ratio - 1) > LIMIT for ratio in times) else " "
        print(mark, key[1][:70].ljust(70), " ".join("    -" if ratio is None else f"{ratio:5.3f}" for ratio in found))


if __name__ == "__main__":
    main()
