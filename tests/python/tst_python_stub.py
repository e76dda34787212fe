# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The stub file has exactly the names that the module has, and everything says what it is."""

import ast
import pathlib
import unittest

import pipewright as pw

# Of every class, or of sequences; a stub has them where it says more than that they exist.
OF_ALL = {name for name in dir(object)} | {
    "__module__",
    "__repr__",
    "__str__",
    "__buffer__",
    "__release_buffer__",
    "__getstate__",
    "__setstate__",
    "_pybind11_conduit_v1_",
}


def members(body):
    names = {}
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            names.update((alias.asname, node) for alias in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = node
    return names


class Stub(unittest.TestCase):
    def setUp(self):
        path = pathlib.Path(pw.__file__).with_suffix(".pyi")
        self.stub = members(ast.parse(path.read_text()).body)

    def test_names_of_the_module(self):
        self.assertEqual(set(self.stub) - {"__version__", "__all__"}, set(pw.__all__))
        self.assertEqual(pw.__all__, sorted(pw.__all__, key=lambda name: (name[0].islower(), name)))
        public = {name for name in vars(pw) if not name.startswith("_")}
        self.assertEqual(public, set(pw.__all__))
        core = {name for name in vars(pw._core) if not name.startswith("_")}
        self.assertLess(core, set(pw.__all__))

    def test_names_of_every_class(self):
        for name, node in self.stub.items():
            if not isinstance(node, ast.ClassDef) or name == "Error":
                continue
            real = set(vars(getattr(pw, name))) - OF_ALL
            told = set(members(node.body)) - OF_ALL
            self.assertEqual(real - {"__init__"}, told - {"__init__"}, name)

    def test_properties_are_properties(self):
        for name, node in self.stub.items():
            if not isinstance(node, ast.ClassDef) or name == "Error":
                continue
            for member, definition in members(node.body).items():
                if member.startswith("__"):
                    continue
                told = any(getattr(d, "id", "") == "property" for d in definition.decorator_list)
                real = isinstance(getattr(getattr(pw, name), member), property)
                self.assertEqual(real, told, name + "." + member)

    def test_keywords_of_the_stub_are_known(self):
        known = pw.keywords()
        for argument in self.stub["schedule"].args.kwonlyargs:
            self.assertIn(argument.arg, known)

    def test_functions_and_classes_have_docstrings(self):
        for name in pw.__all__:
            if name != "Error":
                self.assertGreater(len(getattr(pw, name).__doc__ or ""), 10, name)
            self.assertEqual(getattr(pw, name).__module__.split(".")[0], "pipewright")


if __name__ == "__main__":
    unittest.main()
