#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Small mistakes planted in core, one at a time: does a test notice?

    tests/mutation/core_mutants.py BUILD [--count 100] [--seed 1] [--only FOLDER_OR_FILE] [--least 90] [--list] [--missed LOG]

BUILD is a tree of shared libraries with pw_tests_core, _app and _executor, such as build/dev. A mistake is a comparison turned or moved by one, a
1 that is a 2, a sign, a sum without its last term, min for max, first for last, a condition negated, `and` for `or`, a break for
a continue. The unit of compilation that the file is in is compiled with it, its library is linked into a folder of its own, and
the tests that include the file's header run with that library in front, then those of core, of the program and of the executor that speak of
what stands around the mistake; the first that fails, crashes or does not end has noticed. The same seed plants the same mistakes in the same sources. Some change nothing that can be seen (an order of equals, a
size that is only reserved): so the goal is 90 in a hundred, and each that was missed is named, to be looked at. --missed plants those again
that an earlier run printed as missed.
"""

import argparse
import collections
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_TESTS = 10  # of a file: the nearest first
MOST_SPEAKING = 8  # of a line
PARTS = ("core", "app", "executor")  # whose tests are asked
TEST_SECONDS = 120
SLOW_SECONDS = 40  # a test that ends after this without a mistake cannot tell one by not ending

# What is written and what stands there instead; in code, outside of comments and texts.
OPERATORS = [
    ("comparison turned", r" < (?=\S)", " > "), ("comparison turned", r" > (?=\S)", " < "),
    ("comparison turned", r" <= ", " >= "), ("comparison turned", r" >= ", " <= "),
    ("comparison turned", r" == ", " != "), ("comparison turned", r" != ", " == "),
    ("boundary", r" < (?=\S)", " <= "), ("boundary", r" > (?=\S)", " >= "),
    ("boundary", r" <= ", " < "), ("boundary", r" >= ", " > "),
    ("one more", r" \+ 1\b(?!\.|')", " + 2"), ("one more", r" - 1\b(?!\.|')", " - 2"),
    ("sign", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "), ("sign", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("sign", r" \+= ", " -= "),
    ("min for max", r"std::min\(", "std::max("), ("min for max", r"std::max\(", "std::min("),
    ("min for max", r"std::min_element\(", "std::max_element("),
    ("min for max", r"std::max_element\(", "std::min_element("),
    ("first for last", r"\.front\(\)", ".back()"), ("first for last", r"\.back\(\)", ".front()"),
    ("first for last", r"std::lower_bound\(", "std::upper_bound("),
    ("first for last", r"std::upper_bound\(", "std::lower_bound("),
    ("term left out", r"(?<=[\w)\]]) \+ [A-Za-z_][\w.]*(?=[;,)])", ""),
    ("negated", r"\bif \((?!const|auto|!|std::|const auto)([^;{}]*)\)$", r"if (!(\1))"),
    ("and for or", r" && ", " || "), ("and for or", r" \|\| ", " && "),
    ("break for continue", r"\bcontinue;", "break;"),
]
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*')

Mutant = collections.namedtuple("Mutant", "path line kind before after")


def sources(only):
    listed = subprocess.run(["git", "ls-files", "core/*.cpp"], cwd=ROOT, text=True,
                            capture_output=True, check=True).stdout.split()
    return [path for path in listed if not only or path.startswith(only)]


def sites(path):
    """All mistakes that can be made in a file."""
    found = []
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").split("\n")):
        if line.lstrip().startswith(("#", "template", "static_assert", "namespace", "using")):
            continue
        covered = [(m.start(), m.end()) for m in TEXT.finditer(line)]
        for kind, pattern, instead in OPERATORS:
            for match in re.finditer(pattern, line):
                if any(a <= match.start() < b for a, b in covered):
                    continue
                changed = line[:match.start()] + match.expand(instead) + line[match.end():]
                found.append(Mutant(path, number, kind, line, changed))
    return found


class Build:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        for name in PARTS:
            if not self.tests(name).exists():
                sys.exit(f"{self.tests(name)} is not built")
        self.units = {}  # source -> (unity file, object)
        # What an earlier configuration left there is made no more.
        made = subprocess.run(["ninja", "-C", self.folder, "-t", "targets", "all"], text=True,
                              capture_output=True, check=True).stdout
        for unit in (self.folder / "core").glob("CMakeFiles/*/Unity/*.cxx"):
            if f"{os.path.relpath(unit, self.folder)}.o:" not in made:
                continue
            for included in re.findall(r'#include "([^"]+)"', unit.read_text(encoding="utf-8")):
                self.units[os.path.relpath(included, ROOT)] = unit
        self.commands = {}
        self.seconds = {}  # of a test without a mistake

    def tests(self, name):
        return self.folder / "tests" / f"pw_tests_{name}"

    def command(self, target):
        """The last command that makes a file."""
        if target not in self.commands:
            lines = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", target], text=True,
                                   capture_output=True, check=True).stdout.strip().split("\n")
            self.commands[target] = lines[-1]
        return self.commands[target]

    def library(self, unit):
        return unit.parent.parent.name.removesuffix(".dir").removesuffix("_files")

    def run(self, command):
        return subprocess.run(command, shell=True, cwd=self.folder, text=True, capture_output=True)

    def make(self, mutant, place):
        """The library with a mistake in it, in a folder; None: it does not compile."""
        unit = self.units.get(mutant.path)
        if unit is None:
            return None
        lines = (ROOT / mutant.path).read_text(encoding="utf-8").split("\n")
        lines[mutant.line] = mutant.after
        mutated = place / pathlib.Path(mutant.path).name
        mutated.write_text("\n".join(lines), encoding="utf-8")
        text = unit.read_text(encoding="utf-8")
        changed = place / "unit.cxx"
        changed.write_text(text.replace(f'"{ROOT / mutant.path}"', f'"{mutated}"'), encoding="utf-8")
        name = os.path.relpath(unit, self.folder) + ".o"
        compile_command = self.command(name)
        made = place / "unit.o"
        compile_command = compile_command.replace(f"-o {name}", f"-o {made}").replace(
            f"-c {unit}", f"-c {changed} -Wno-error")
        compile_command = re.sub(r"-MF \S+", f"-MF {place}/unit.d", compile_command)
        if self.run(compile_command).returncode != 0:
            return None
        library = f"core/lib{self.library(unit)}.so"
        link = self.command(library)
        link = link.replace(name, str(made)).replace(f"-o {library}", f"-o {place}/{pathlib.Path(library).name}")
        linked = self.run(link)
        if linked.returncode != 0:
            sys.exit(f"linking {library}: {linked.stderr[-600:]}")
        return place

    def ends(self, test, libraries):
        """The exit status of a test with the libraries of a folder in front; None: it did not end."""
        environment = dict(os.environ, LD_LIBRARY_PATH=str(libraries or ""), QT_QPA_PLATFORM="offscreen")
        part = next(part for part in PARTS if any((ROOT / "tests" / part).rglob(f"{test}.cpp")))
        program = self.tests(part)
        try:
            return subprocess.run([program, test], env=environment, cwd=self.folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=TEST_SECONDS).returncode
        except subprocess.TimeoutExpired:
            return None

    def notices(self, test, place):
        """Whether a test fails with the libraries of a folder in front, or does not end and would without them."""
        status = self.ends(test, place)
        if status is None and test not in self.seconds:
            begun = time.monotonic()
            self.ends(test, None)
            self.seconds[test] = time.monotonic() - begun
        return status != 0 if status is not None else self.seconds[test] < SLOW_SECONDS


def tests_of(includes, path):
    """Tests that include the header of a source, else those of who uses it; the nearest first."""
    # Its own header comes first in a source; several sources may have one.
    first = re.search(r'#include "(core/[^"]+)"', (ROOT / path).read_text(encoding="utf-8"))
    header = first.group(1) if first else path.removesuffix(".cpp") + ".h"
    stems = (pathlib.Path(path).stem, pathlib.Path(header).stem)
    own = [f"tst_{stem}" for stem in stems if f"tst_{stem}" in includes["tests"]]
    # A part of what a test is named after: recover_passes is tested by tst_recover.
    own += sorted((test for test in includes["tests"]
                   if any(stem.startswith(test.removeprefix("tst_") + "_") for stem in stems)),
                  key=len, reverse=True)
    words = set(re.split(r"[/_.]", path)) - {"core", "cpp", "trace"}

    def likeness(test):
        # Those that share its words, then those that look at little else.
        return -len(words & set(test.split("_"))), len(includes["tests"][test]), test

    near = sorted((t for t, files in includes["tests"].items() if header in files), key=likeness)
    far, around = [], {header}
    for _ in range(5):
        # One step further out, until somebody is met who tests it.
        around |= {h for h, files in includes["headers"].items() if files & around}
        far = sorted((t for t, files in includes["tests"].items() if files & around), key=likeness)
        if far:
            break
    return list(dict.fromkeys(own + near + far))[:MOST_TESTS]


def all_includes():
    pattern = re.compile(r'#include "(core/[^"]+)"')
    read = lambda file: set(pattern.findall(file.read_text(encoding="utf-8")))
    tests = {file.stem: read(file) for file in (ROOT / "tests" / "core").rglob("tst_*.cpp")}
    # A source that includes a header uses it: whoever tests that source's header sees it, too.
    headers = collections.defaultdict(set)
    for file in (ROOT / "core").rglob("*.[hc]*"):
        own = str(file.relative_to(ROOT).with_suffix(".h"))
        headers[own] |= read(file)
    # What a registry lists, which the build makes, nobody includes.
    for registry, folder in (("core/families/family.h", "core/families"),
                             ("core/reading/import_trace.h", "core/reading/formats")):
        headers[registry] |= {str(file.relative_to(ROOT).with_suffix(".h"))
                              for file in (ROOT / folder).glob("*.cpp")}
    return {"tests": tests, "headers": headers}


class Speaking:
    """Which tests speak of something: by the words that few of them have."""

    WORD = re.compile(r"[A-Z]?[a-z]{3,}")

    def __init__(self):
        self.words = {}
        for part in PARTS:
            for file in (ROOT / "tests" / part).rglob("tst_*.cpp"):
                self.words[file.stem] = self.of(file.read_text(encoding="utf-8") + file.stem)
        self.known = collections.Counter(word for words in self.words.values() for word in words)

    def of(self, text):
        return {word.lower() for word in self.WORD.findall(text)}

    def nearest(self, mutant):
        lines = (ROOT / mutant.path).read_text(encoding="utf-8").split("\n")
        around = self.of("\n".join(lines[max(0, mutant.line - 12):mutant.line + 13]) + mutant.path)
        rare = {word: math.log(len(self.words) / self.known[word]) ** 2 for word in around if word in self.known}

        named = set(re.split(r"[/_.]", mutant.path)) - {"core", "cpp"}

        def nearness(test):
            shared = sum(rare[word] for word in rare if word in self.words[test])
            return -shared / math.sqrt(len(self.words[test])) - len(named & set(test.split("_"))), test

        return sorted(self.words, key=nearness)[:MOST_SPEAKING]


def missed_in(log, every):
    """The mistakes that a log of this program names as missed."""
    said = {line.split(None, 1)[1].rsplit("  (", 1)[0].strip()
            for line in pathlib.Path(log).read_text(encoding="utf-8").split("\n") if line.startswith("MISSED")}
    return [mutant for mutant in every if told(mutant) in said]


def told(mutant):
    return f"{mutant.path}:{mutant.line + 1}: {mutant.kind}: {mutant.after.strip()}"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("build")
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="a folder or file of core")
    options.add_argument("--least", type=float, default=90, help="percent that must be noticed")
    options.add_argument("--list", action="store_true", help="names what would be planted")
    options.add_argument("--missed", help="a log of an earlier run: only those that it missed")
    asked = options.parse_args()

    chance = random.Random(asked.seed)
    every = [site for path in sources(asked.only) for site in sites(path)]
    if not every:
        sys.exit(f"nothing to mutate in '{asked.only}'")
    chance.shuffle(every)
    if asked.missed:
        every = missed_in(asked.missed, every)
    if asked.list:
        for mutant in every[:asked.count]:
            print(told(mutant))
        return 0
    build, includes, speaking = Build(asked.build), all_includes(), Speaking()
    noticed = missed = 0
    for mutant in every:
        if noticed + missed >= asked.count:
            break
        tests = list(dict.fromkeys(tests_of(includes, mutant.path) + speaking.nearest(mutant)))
        with tempfile.TemporaryDirectory() as folder:
            place = build.make(mutant, pathlib.Path(folder)) if tests else None
            if place is None and tests:
                continue  # does not compile: no mistake that anybody could make
            by = next((test for test in tests if build.notices(test, place)), None)
        where = told(mutant)
        if by:
            noticed += 1
            print(f"noticed  {where}  ({by})", flush=True)
        else:
            missed += 1
            print(f"MISSED   {where}  ({', '.join(tests) or 'no test includes it'})", flush=True)
    score = 100 * noticed / max(1, noticed + missed)
    print(f"{noticed} of {noticed + missed} mistakes noticed, {score:.0f} % (seed {asked.seed})")
    return 0 if score >= asked.least else 1


if __name__ == "__main__":
    sys.exit(main())
