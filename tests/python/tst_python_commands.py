# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Every command of the program is a function: with its keywords, an example that runs, and results that are tables."""

import doctest
import html
import inspect
import json
import os
import tempfile
import unittest

import pipewright as pw
from pipewright import _commands, _core, _results

COMMANDS = _core._commands()


class Registry(unittest.TestCase):
    def test_every_command_is_a_function_or_says_why_not(self):
        functions = {spec.command for spec in _commands._SPECS} | set(_commands.ELSEWHERE) | {"simulate"}
        self.assertEqual(set(COMMANDS), functions | set(_commands.NO_FUNCTIONS))
        for name in [*_commands.FUNCTIONS, *_commands.ELSEWHERE.values()]:
            self.assertIn(name, pw.__all__)

    def test_keywords_are_the_options(self):
        options = {option["name"] for option in COMMANDS["noise"]["options"]}
        keywords = set(inspect.signature(pw.noise).parameters) - {"schedules"}
        self.assertEqual({_commands._keyword(name) for name in options} - keywords, {"color", "help", "json"})
        self.assertIn("slow_link: ", pw.noise.__doc__)

    def test_what_the_core_does_itself_knows_every_keyword(self):
        wrong = {"plan": {"gpus": "x"}}
        words = {"plan": (), "compare": (["1f1b"],)}
        for spec in _commands._SPECS:
            if spec.core is None:
                continue
            other = wrong.get(spec.name, {"devices": "x"})
            for name, parameter in inspect.signature(_commands.FUNCTIONS[spec.name]).parameters.items():
                if parameter.kind is not inspect.Parameter.KEYWORD_ONLY or name in other or name + ":" in spec.own:
                    continue
                with self.assertRaises(pw.Error, msg=f"{spec.name} {name}") as raised:
                    _commands.FUNCTIONS[spec.name](*words.get(spec.name, ("1f1b",)), **{name: "zzz", **other})
                self.assertNotIn("unknown option", str(raised.exception), f"{spec.name} {name}")


class Examples(unittest.TestCase):
    def test_the_example_of_every_function_runs(self):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                pw.schedule("1f1b").save("1f1b.csv")
                pw.run("1f1b", backend="emulated", devices=4, iterations=2, store="runs.sqlite")
                pw.convert("last", "1f1b.trace.json", store="runs.sqlite")
                os.rename("runs.sqlite", "kept.sqlite")
                for name, function in _commands.FUNCTIONS.items():
                    names = {"pw": pw, "json": json}
                    test = doctest.DocTestParser().get_doctest(function.__doc__, names, name, None, None)
                    self.assertEqual(len(test.examples), 1, name)
                    told = []
                    result = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
                    self.assertEqual(result.failed, 0, "".join(told))
            finally:
                os.chdir(before)


class Mistakes(unittest.TestCase):
    def test_sentences_name_keywords(self):
        for call, said in [
            (lambda: pw.noise("1f1b", jiter=5), "unknown option 'jiter'; did you mean jitter?"),
            (lambda: pw.communication("1f1b", micro_batches=0), "micro_batches takes a whole number from 1"),
            (lambda: pw.plan(model="llama3-8b", micro_batch_size="x"), "micro_batch_size takes a whole number"),
            (lambda: pw.block(), "block takes FAMILY|FILE, and 0 are given"),
            (lambda: pw.query("SELEC 1", store="nowhere.sqlite"), "nowhere.sqlite"),
        ]:
            with self.assertRaises(pw.Error) as raised:
                call()
            self.assertIn(said, str(raised.exception))
            self.assertNotIn("--", str(raised.exception))

    def test_whole_command_lines_stay(self):
        told = _core._with_keywords("--devices is 0; `--data-parallel 8`: see pipewright plan --help")
        self.assertEqual(told, "devices is 0; `data_parallel=8`: see pipewright plan --help")

    def test_a_boolean_is_yes_or_no(self):
        given = {"model": "llama3-8b", "hardware": "h100", "gpus": 8, "global_batch": 32, "top": 1, "tensor_parallel": 2}
        told = {said: pw.plan(**given, sequence_parallel=said).as_list() for said in (True, False, "yes", "no")}
        self.assertEqual((told[True], told[False]), (told["yes"], told["no"]))
        self.assertNotEqual(told[True], told[False])

    def test_too_many_words(self):
        with self.assertRaises(TypeError):
            pw.check("a", "b")


class Results(unittest.TestCase):
    def test_an_object_has_names_and_is_a_dict(self):
        told = pw.communication("1f1b", devices=4, micro_batches=8)
        self.assertEqual(told.messages, told["messages"])
        self.assertIn("messages", dir(told))
        self.assertEqual(json.loads(json.dumps(told)), told.to_dict())
        self.assertIs(type(told.to_dict()), dict)
        with self.assertRaisesRegex(AttributeError, "there is no 'mesages' here; there are title, "):
            told.mesages

    def test_a_table_has_columns(self):
        rows = pw.noise("1f1b", "zb-h1", samples=50)
        self.assertEqual(rows.column("schedule"), ["zb-h1", "1f1b"])
        with self.assertRaises(KeyError):
            rows.column("nothing")
        self.assertEqual(repr(rows)[:22], "<Rows: 2 of schedule, ")
        self.assertEqual([type(row) for row in rows.to_dict()], [dict, dict])

    def test_foreign_text_is_text(self):
        hostile = "<script>alert(1)</script>"
        rows = _results.made([{hostile: hostile}])
        self.assertNotIn("<script>", rows._repr_html_())
        self.assertIn(html.escape(hostile), rows._repr_html_())
        self.assertNotIn("<script>", _results.made({"name": hostile})._repr_html_())

    def test_what_the_core_makes_is_a_table_too(self):
        compared = pw.compare(["1f1b", "zb-h1"])
        self.assertEqual([row["makespan_ms"] for row in compared.to_dict()], [33.0, 27.0])
        simulated = pw.simulate("1f1b", devices=2, micro_batches=2).to_dict()
        self.assertEqual(simulated["makespan_ms"], 9.0)
        self.assertEqual([one["kind"] for one in simulated["lanes"][0]["passes"]], ["F", "F", "BW", "BW"])
        json.dumps(simulated)

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "pip install pandas"):
                pw.compare(["1f1b"]).to_pandas()
            self.skipTest("pandas is not installed")
        frame = pw.simulate("1f1b", devices=2, micro_batches=2).to_pandas()
        self.assertEqual(len(frame), 8)
        self.assertEqual(frame.groupby("device")["end_ms"].max().tolist(), [9.0, 7.0])
        self.assertEqual(pw.compare(["1f1b", "zb-h1"]).to_pandas()["makespan_ms"].tolist(), [33.0, 27.0])
        self.assertEqual(list(pw.noise("1f1b", samples=20).to_pandas()["schedule"]), ["1f1b"])


if __name__ == "__main__":
    unittest.main()
