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

    def test_a_path_is_a_family(self):
        order = "order\n  for j in 0 .. m\n    F j\n    BW j\n  end\nend\n"
        with tempfile.TemporaryDirectory() as folder:

            def file(name):
                path = pathlib.Path(folder) / (name + ".family")
                path.write_text(f"family {name}\nsummary S.\nparameter {name}-n 1 .. 4 default 1: n\n" + order)
                return path

            made = pw.schedule(file("path-a"), path_a_n=2, devices=2, micro_batches=3)
            self.assertEqual((made.family, made.parameters), ("path-a", {"path_a_n": 2}))
            rows = pw.compare([file("path-b"), "zb-v"], path_b_n=3, devices=4)
            self.assertEqual([row.name for row in rows], ["path-b", "zb-v"])
            self.assertTrue(pw.verify(file("path-c"), devices=2, micro_batches=2, plain=True)["good"])
            self.assertIn("TorchTitan", pw.convert(file("path-d"), to="torchtitan", path_d_n=2, devices=2))
            with self.assertRaisesRegex(pw.Error, "path_e|path-e.*5"):
                pw.schedule(file("path-e"), path_e_n=5)

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
