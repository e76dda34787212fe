# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A type checker knows every keyword, finds what is wrong, and finds nothing else."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import pipewright as pw

RIGHT = """
import pipewright as pw

compared: pw.Comparison = pw.compare(["1f1b", "zb-h1"], devices=4, micro_batches=8)
table: pw.Rows = pw.noise("1f1b", pw.schedule("zb-h1"), samples=100, slow=["1:2", "2:2"])
messages: int = pw.communication("1f1b", receive=None).messages
found: pw.Plan = pw.plan(model="llama3-8b", hardware="h100", gpus=64, sequence_parallel=True)
better: pw.Optimised = pw.optimize("1f1b", time_limit=1.5, memory_limit="6mb")
told: str = pw.show("last", no_gantt=True)
rows: list[float | None] = [row.makespan_ms for row in compared]
"""

WRONG = {
    'pw.noise("1f1b", jiter=3)': "jiter",
    'pw.plan(model="llama3-8b", gpus="many")': "gpus",
    'pw.optimise("1f1b", time_limit="long")': "time_limit",
    'pw.blok("1f1b")': "blok",
}


class Types(unittest.TestCase):
    def checked(self, text):
        mypy = shutil.which("mypy")
        if mypy is None:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "asked.py"
            path.write_text(text, encoding="utf-8")
            package = pathlib.Path(pw.__file__).resolve().parent.parent
            return subprocess.run(
                [mypy, "--strict", "--python-version", "3.11", "--cache-dir", folder, str(path)],
                env={**os.environ, "MYPYPATH": str(package)},
                cwd=folder,
                capture_output=True,
                text=True,
            ).stdout

    def test_right_calls_are_right(self):
        self.assertIn("Success", self.checked(RIGHT))

    def test_wrong_calls_are_named(self):
        told = self.checked("import pipewright as pw\n\n" + "\n".join(WRONG) + "\n")
        for line, (call, name) in enumerate(WRONG.items(), 3):
            self.assertTrue(any(f":{line}:" in one and name in one for one in told.splitlines()), call + "\n" + told)
        self.assertIn(f"Found {len(WRONG)} errors", told)

    def test_the_stub_is_what_the_module_is(self):
        stubtest = shutil.which("stubtest")
        if stubtest is None:
            self.skipTest("mypy is not installed")
        package = str(pathlib.Path(pw.__file__).resolve().parent.parent)
        with tempfile.TemporaryDirectory() as folder:
            # Classes of the compiled part are made by a class of their own, and say no signature of what makes them.
            allowed = pathlib.Path(folder) / "allowed"
            allowed.write_text("pipewright\\.[A-Z][A-Za-z]*(\\.__init__)?\n", encoding="utf-8")
            words = ["--ignore-missing-stub", "--concise", "--allowlist", str(allowed), "--ignore-unused-allowlist"]
            done = subprocess.run(
                [stubtest, *words, "pipewright"],
                env={**os.environ, "MYPYPATH": package, "PYTHONPATH": package},
                cwd=folder,
                capture_output=True,
                text=True,
            )
            if "cannot import name '_core'" in done.stdout + done.stderr:
                self.skipTest("mypy is of another version of Python than the module")
            self.assertEqual((done.stdout, done.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()
