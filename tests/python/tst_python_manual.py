# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What the manual's page on Python shows is what Python says."""

import doctest
import pathlib
import re
import unittest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "manual" / "python.md"


class Page(unittest.TestCase):
    def test_its_lines_say_what_stands_below_them(self):
        blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
        self.assertGreater(len(blocks), 5)
        names = {}
        for number, block in enumerate(blocks):
            test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", None, None)
            told = []
            result = doctest.DocTestRunner(verbose=False).run(test, out=told.append, clear_globs=False)
            names = test.globs
            self.assertEqual(result.failed, 0, "".join(told))


if __name__ == "__main__":
    unittest.main()
