# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""tests/engines/emits.py ends where a target refuses everything, and keeps what is emitted otherwise.

The program is a script that emits for all targets but one.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

EMITS = pathlib.Path(__file__).resolve().parents[1] / "engines" / "emits.py"
PROGRAM = """#!/bin/sh
case "$1 $*" in "convert "*"--to {refused}") echo "not this one" >&2; exit 1 ;; esac
"""


def emits(folder, refused, count):
    program = folder / "program"
    program.write_text(PROGRAM.replace("{refused}", refused))
    program.chmod(0o755)
    return subprocess.run([sys.executable, "-B", str(EMITS), str(program), str(folder / "emits"), str(count), "1"],
                          capture_output=True, text=True, timeout=100, check=False)


class Emits(unittest.TestCase):
    def test_a_target_that_refuses_everything_fails(self):
        with tempfile.TemporaryDirectory() as name:
            done = emits(pathlib.Path(name), "nemo", 8)
            self.assertEqual(done.returncode, 1)
            self.assertIn("nemo refuses everything, at last: not this one", done.stderr)

    def test_every_target_has_its_share(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = emits(folder, "nobody", 10)
            self.assertEqual(done.returncode, 0, done.stderr)
            cases = [json.loads(file.read_text()) for file in (folder / "emits").glob("*/case.json")]
            self.assertEqual(sorted(case["target"] for case in cases),
                             sorted(2 * ["torchtitan", "nemo", "megatron", "primus", "galvatron"]))


if __name__ == "__main__":
    unittest.main()
