# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The notebooks among the samples are notebooks; what the first shows is so, and the others run and find what they say."""

import ast
import contextlib
import io
import json
import os
import pathlib
import unittest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
QUESTIONS = sorted((SAMPLES / "notebooks").glob("*.ipynb"))
NOTEBOOK = SAMPLES / "pipewright.ipynb"


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


class Questions(unittest.TestCase):
    """Those of the gallery: a question each, whose cells hold themselves to what the text between them says."""

    def test_each_is_a_notebook_without_outputs(self):
        self.assertGreaterEqual(len(QUESTIONS), 10)
        for path in QUESTIONS:
            content = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual((content["nbformat"], content["nbformat_minor"]), (4, 5), path.name)
            self.assertEqual(content["cells"][0]["cell_type"], "markdown", path.name)
            code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
            self.assertTrue(all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code), path.name)
            self.assertTrue(any("assert " in "".join(cell["source"]) for cell in code), path.name)

    def test_each_runs(self):
        before = os.getcwd()
        for path in QUESTIONS:
            names = {}
            with self.subTest(path.stem), contextlib.redirect_stdout(io.StringIO()):
                try:
                    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                        if cell["cell_type"] == "code":
                            exec(compile("".join(cell["source"]), path.stem, "exec"), names)
                finally:
                    os.chdir(before)


if __name__ == "__main__":
    unittest.main()
