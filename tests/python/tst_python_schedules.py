# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Schedules of families, of files and of one's own."""

import copy
import os
import pathlib
import pickle
import tempfile
import unittest

import pipewright as pw


class Families(unittest.TestCase):
    def test_every_family_is_there_with_its_parameters(self):
        ids = [family.id for family in pw.families()]
        self.assertEqual(ids, sorted(ids))
        self.assertIn("zb-v", ids)
        interleaved = pw.family("interleaved-1f1b")
        keywords = {parameter.keyword: parameter for parameter in interleaved.parameters}
        self.assertEqual(keywords["chunks"].type, "int")
        self.assertEqual(keywords["chunks"].default, 2)
        self.assertIsNone(keywords["chunks"].maximum)
        self.assertEqual(keywords["overlap"].type, "bool")
        self.assertEqual(pw.family("v-auto").parameters[-1].choices, ["span", "makespan"])

    def test_every_family_without_a_long_search_is_made(self):
        for family in pw.families():
            made = pw.schedule(family.id, devices=4, micro_batches=8)
            self.assertEqual(made.family, family.id)
            self.assertEqual(made.devices, 4)
            self.assertGreater(pw.simulate(made).makespan_ns, 0)

    def test_keywords_are_those_of_the_families(self):
        known = pw.keywords()
        for family in pw.families():
            for parameter in family.parameters:
                self.assertIn(parameter.keyword, known)


class Refusals(unittest.TestCase):
    def refused(self, sentence, call):
        with self.assertRaises(pw.Error) as caught:
            call()
        self.assertIsInstance(caught.exception, ValueError)
        self.assertIn(sentence, str(caught.exception))

    def test_sentences_are_those_of_the_command_line_with_keywords(self):
        self.refused("did you mean zb-v?", lambda: pw.schedule("zb-w"))
        self.refused(
            "devices takes a whole number from 1 to 65536, not '0'",
            lambda: pw.schedule("1f1b", devices=0),
        )
        self.refused("zb-v takes no chunks", lambda: pw.schedule("zb-v", chunks=3))
        self.refused("unknown option 'colour'", lambda: pw.schedule("1f1b", colour=1))
        self.refused("on or off, not '3'", lambda: pw.schedule("1f1b", overlap=3))
        self.refused("not 'nan'", lambda: pw.schedule("1f1b", forward=float("nan")))
        self.refused("not 'True'", lambda: pw.schedule("1f1b", devices=True))
        self.refused("a schedule may have 16000000", lambda: pw.schedule("1f1b", devices=60000, micro_batches=60000))

    def test_own_orders_name_device_and_pass(self):
        self.refused("device 1, entry 1: F of micro-batch 0", lambda: pw.Schedule([["F0", "BW0"], ["F0", "F0"]]))
        self.refused("device 1: 'xx'", lambda: pw.Schedule([["F0", "BW0"], ["xx"]]))
        self.refused("device 0 misses F", lambda: pw.Schedule([["BW0"], ["F0", "BW0"]]))
        self.refused("a pass is F, B, W, BW, R or U", lambda: pw.Pass("Q", 0, 0))
        self.refused("there is no device", lambda: pw.Schedule([]))
        self.refused("device 0: '?", lambda: pw.Schedule(["\nd1: F0", "F0 BW0"]))
        with self.assertRaises(TypeError):
            pw.Schedule([[3]])


class OwnOrders(unittest.TestCase):
    def test_passes_texts_and_lines_say_the_same(self):
        f, b = (lambda m: pw.Pass("F", 0, m)), (lambda m: pw.Pass("BW", 0, m))
        own = pw.Schedule([[f(0), f(1), b(0), b(1)], "F0 BW0 F1 BW1"], backward=1.5)
        self.assertEqual(own, pw.schedule("1f1b", devices=2, micro_batches=2))
        self.assertEqual(hash(own), hash(pw.schedule("1f1b", devices=2, micro_batches=2)))
        self.assertIsNone(own.family)
        self.assertIn("B 1.5 ms", own.costs_text)

    def test_orders_make_the_same_schedule_again(self):
        for family in ("gpipe", "interleaved-1f1b", "zb-v", "dualpipe-v", "seq1f1b"):
            made = pw.schedule(family, devices=4, micro_batches=8)
            again = pw.Schedule(
                made.orders,
                placement=made.placement,
                segments=made.segment_lengths,
            )
            self.assertEqual(made, again, family)

    def test_two_routes(self):
        made = pw.schedule("dualpipe", devices=4, micro_batches=8)
        again = pw.Schedule(
            made.orders,
            placement=tuple(made.placements),
            route_of_micro_batch=[0, 0, 0, 0, 1, 1, 1, 1],
        )
        self.assertEqual(made, again)
        pair = next(entry for entry in made.orders[0] if isinstance(entry, tuple))
        self.assertEqual({one.kind for one in pair}, {"F", "BW"})

    def test_a_pass_is_a_value(self):
        self.assertEqual(pw.Pass("F", 1, 2), pw.Pass("F", stage=1, micro_batch=2))
        self.assertNotEqual(pw.Pass("F", 1, 2), pw.Pass("B", 1, 2))
        self.assertEqual(len({pw.Pass("F", 1, 2), pw.Pass("F", 1, 2)}), 1)
        self.assertEqual(eval(repr(pw.Pass("W", 1, 2, segment=3)), {"Pass": pw.Pass}), pw.Pass("W", 1, 2, 3))


class Files(unittest.TestCase):
    def test_every_format_that_is_read_comes_back(self):
        made = pw.schedule("zb-v", devices=4, micro_batches=8, backward=1.25)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.pipewright.json", "a.csv", "a.txt"):
                path = pathlib.Path(folder) / name
                made.save(path)
                self.assertEqual(pw.schedule(path), made, name)
            project = pw.schedule(os.path.join(folder, "a.pipewright.json"))
            self.assertEqual(project.family, "zb-v")
            self.assertEqual(pw.simulate(project).makespan_ns, pw.simulate(made).makespan_ns)
            for name in ("a.svg", "a.trace.json", "a.table.csv"):
                made.save(pathlib.Path(folder) / name)
                self.assertGreater(os.path.getsize(os.path.join(folder, name)), 1000)
            with self.assertRaises(pw.Error):
                made.save(pathlib.Path(folder) / "a.xyz")

    def test_texts(self):
        made = pw.schedule("1f1b", devices=2, micro_batches=2)
        self.assertEqual(str(made), "d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n")
        self.assertEqual(pw.Schedule.from_text(str(made)), made)
        self.assertIn("0F0,0F1,0B0,0B1", made.to("torch-csv"))
        self.assertIn("SEND_F", made.to("torch-csv", communication=True))
        with self.assertRaises(pw.Error):
            made.to("word")

    def test_pickles_and_copies_are_the_same(self):
        """Other processes take them, with their costs."""
        own = pw.Schedule(["F0 F1 BW0 BW1", "F0 BW0 F1 BW1"], backward=1.5, comm=0.25)
        for one in (own, pw.schedule("zb-v", devices=2, micro_batches=4, forward=1.25), pw.schedule("dualpipe")):
            for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy([one])[0]):
                self.assertEqual(other, one)
                self.assertEqual(other.title, one.title)
                self.assertEqual(other.family, one.family)
                self.assertEqual(pw.simulate(other).makespan_ns, pw.simulate(one).makespan_ns)

    def test_a_name_of_a_file_need_not_be_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(os.fsencode(folder), b"\xff\xe9.csv")
            one = pw.schedule("1f1b", devices=2)
            one.save(name)
            self.assertEqual(pw.schedule(name), one)
            self.assertEqual(pw.schedule(os.fsdecode(name)), one)
            with self.assertRaises(pw.Error):
                pw.schedule("\udcff")

    def test_a_notebook_draws_it(self):
        picture = pw.schedule("1f1b", devices=2, micro_batches=2)._repr_svg_()
        self.assertTrue(picture.startswith("<svg") or picture.startswith("<?xml"))
        ring = pw.Schedule(["F0 BW0 F1 BW1", "F1 F0 BW1 BW0"])
        self.assertIsNone(ring._repr_svg_())
        with self.assertRaises(pw.Error):
            pw.simulate(ring)


if __name__ == "__main__":
    unittest.main()
