# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Families in files are families."""

import pathlib
import tempfile
import unittest

import pipewright as pw

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples" / "families"


class FamilyFiles(unittest.TestCase):
    def test_they_are_made_and_compared_as_any_other(self):
        ids = pw.load_families(SAMPLES)
        self.assertIn("v-rally", ids)
        self.assertEqual(pw.load_families(SAMPLES), ids)
        self.assertIn("v-rally", [family.id for family in pw.families()])
        for p, m in ((2, 4), (4, 8), (4, 7)):
            self.assertEqual(
                pw.schedule("file-1f1b", devices=p, micro_batches=m),
                pw.schedule("1f1b", devices=p, micro_batches=m),
            )
        rows = pw.compare(["file-zb-h1", "zb-h1", "v-rally"], devices=4, micro_batches=8)
        self.assertEqual(rows[0].makespan_ms, rows[1].makespan_ms)
        self.assertIsNone(rows[2].refusal)
        with self.assertRaisesRegex(pw.Error, "volley"):
            pw.schedule("v-rally", volley=0)

    def test_what_is_wrong_has_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.family"
            path.write_text("family bad\nsummary A bad one.\norder\n  F q\nend\n")
            with self.assertRaisesRegex(pw.Error, "bad.family, line 4, column 5: there is no name 'q'"):
                pw.load_families(folder)
            with self.assertRaises(pw.Error):
                pw.load_families(folder + "/nowhere")


if __name__ == "__main__":
    unittest.main()
