# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The notebook among the samples is one, and its cells say what stands below them."""

import ast
import contextlib
import io
import json
import pathlib
import unittest

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "samples" / "pipewright.ipynb"


class Notebook(unittest.TestCase):
    def setUp(self):
        self.content = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        self.code = [cell for cell in self.content["cells"] if cell["cell_type"] == "code"]

    def test_it_has_the_form_of_version_4(self):
        self.assertEqual(set(self.content), {"cells", "metadata", "nbformat", "nbformat_minor"})
        self.assertEqual((self.content["nbformat"], self.content["nbformat_minor"]), (4, 5))
        ids = [cell["id"] for cell in self.content["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        for cell in self.content["cells"]:
            wanted = {"cell_type", "id", "metadata", "source"}
            if cell["cell_type"] == "code":
                wanted |= {"execution_count", "outputs"}
            self.assertEqual(set(cell), wanted)
            self.assertTrue(all(isinstance(line, str) for line in cell["source"]))
        self.assertEqual([cell["execution_count"] for cell in self.code], list(range(1, len(self.code) + 1)))

    def test_its_cells_run_in_order_and_print_what_is_shown(self):
        names = {}
        for cell in self.code:
            source = "".join(cell["source"])
            tree = ast.parse(source)
            shown = None
            if isinstance(tree.body[-1], ast.Expr):
                shown = ast.Expression(tree.body.pop().value)
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(tree, "cell", "exec"), names)
                value = None if shown is None else eval(compile(shown, "cell", "eval"), names)
            streams = [out for out in cell["outputs"] if out["output_type"] == "stream"]
            self.assertEqual(printed.getvalue(), "".join("".join(s["text"]) for s in streams), source)
            results = [out for out in cell["outputs"] if out["output_type"] == "execute_result"]
            self.assertEqual(len(results), 0 if value is None else 1, source)
            if value is not None:
                data = results[0]["data"]
                self.assertEqual(repr(value), "".join(data["text/plain"]))
                if "image/svg+xml" in data:
                    self.assertEqual(value._repr_svg_(), "".join(data["image/svg+xml"]))
                if "text/html" in data:
                    self.assertEqual(value._repr_html_(), "".join(data["text/html"]))


if __name__ == "__main__":
    unittest.main()
