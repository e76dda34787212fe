# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Functions are families: for everything that takes one."""

import os
import pathlib
import pickle
import signal
import subprocess
import tempfile
import threading
import traceback
import unittest
import warnings

import pipewright as pw

PROGRAM = os.environ.get("PIPEWRIGHT_PROGRAM", "pipewright")


@pw.family
def own_gpipe(devices, micro_batches):
    """All forwards, then all backwards.

    More that nobody asks for in one line.
    """
    forwards = [f"F{j}" for j in range(micro_batches)]
    return [forwards + [f"BW{j}" for j in reversed(range(micro_batches))]] * devices


@pw.family("own-wide", placement="looped", title="Own, wide", limits={"chunks": (1, 4)})
def wide(devices, micro_batches, chunks=2):
    """Chunk after chunk."""
    if micro_batches % 2:
        raise pw.Error(f"micro_batches is {micro_batches}; an even number")
    forwards = [("F", j, c) for c in range(chunks) for j in range(micro_batches)]
    return [forwards + [("BW", j, c) for c in reversed(range(chunks)) for j in range(micro_batches)]] * devices


class OwnFamilies(unittest.TestCase):
    def test_a_function_is_a_family(self):
        family = pw.family("own-gpipe")
        self.assertEqual((family.title, family.summary), ("own-gpipe", "All forwards, then all backwards."))
        self.assertIn("own-gpipe", [one.id for one in pw.families()])
        self.assertEqual(own_gpipe(1, 1), [["F0", "BW0"]])  # and still a function
        for p, m, steps in ((1, 1, 1), (4, 8, 1), (3, 5, 2)):
            shape = {"devices": p, "micro_batches": m, "steps": steps}
            self.assertEqual(pw.schedule("own-gpipe", **shape), pw.schedule("gpipe", **shape))
        self.assertEqual(pw.simulate("own_gpipe", devices=4, micro_batches=8).makespan_ms, 33)

    def test_parameters_are_options(self):
        (chunks,) = pw.family("own-wide").parameters
        self.assertEqual((chunks.keyword, chunks.type, chunks.minimum, chunks.maximum), ("chunks", "int", 1, 4))
        self.assertEqual(pw.schedule("own-wide", chunks=3, devices=2, micro_batches=4).stages, 6)
        for keywords, why in ((dict(chunks=5), "chunks is 5; 1 to 4"), (dict(micro_batches=5), "an even number")):
            with self.assertRaisesRegex(pw.Error, "own-wide: .*" + why):
                pw.schedule("own-wide", **keywords)

    def test_they_are_compared(self):
        rows = pw.compare(["own-gpipe", "gpipe", "own-wide"], devices=4, micro_batches=7)
        self.assertEqual(rows[0].makespan_ms, rows[1].makespan_ms)
        self.assertEqual(rows[2].refusal, "micro_batches is 7; an even number")
        (row,) = pw.what_if("1f1b", family="own-wide")
        self.assertEqual(row.makespan_ms, pw.simulate("own-wide").makespan_ms)
        plan = pw.plan(model="llama3-8b", hardware="h100", gpus=8, global_batch=16, top=1, family="own-gpipe")
        self.assertEqual(len(plan.rows), 1)

    def test_they_train_as_one_device_does(self):
        told = pw.verify("own-wide", devices=2, micro_batches=4, plain=True)
        self.assertTrue(told["good"])
        self.assertEqual([family["family"] for family in told["families"]], ["own-wide"])

    def test_they_run(self):
        shape = {"devices": 2, "micro_batches": 4}
        ran = pw.run("own-wide", backend="emulated", iterations=1, no_store=True, **shape)
        self.assertEqual(ran["family"], "own-wide")
        order = pw.schedule("own-wide", **shape)
        ran = pw.run(order, backend="cpu", size="tiny", iterations=1, no_store=True)
        self.assertEqual(ran["backend"], "cpu")
        with self.assertRaisesRegex(pw.Error, "nowhere"):
            pw.run("own-wide", backend="nowhere", no_store=True)

    def test_they_are_emitted(self):
        shape = {"devices": 2, "micro_batches": 4}
        text = pw.convert("own-wide", to="torchtitan", **shape)
        self.assertIn("TorchTitan", text)
        with tempfile.TemporaryDirectory() as folder:
            paths = pw.convert(pw.schedule("own-wide", **shape), folder + "/torch", to="torch")
            self.assertTrue(all(pathlib.Path(path).is_file() for path in paths))
            table = pathlib.Path(folder, "torch", "schedule.csv").read_text()
        self.assertEqual(table.split(), pw.schedule("own-wide", **shape).to("torch-csv").split())
        with self.assertRaisesRegex(pw.Error, "nowhere"):
            pw.convert("own-wide", to="nowhere")

    def test_the_old_name_of_it_works_and_warns(self):
        shape = {"devices": 2, "micro_batches": 4}
        with self.assertWarnsRegex(DeprecationWarning, "pipewright.convert"):
            text = pw.emit("torchtitan", "own-wide", **shape)
        self.assertEqual(text, pw.convert("own-wide", to="torchtitan", **shape))

    def test_orders_and_traces_of_it_are_recognised(self):
        made = pw.schedule("own-wide", devices=2, micro_batches=4, chunks=3)
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/run.trace.json"
            made.save(path, format="chrome-json")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                trace = pw.import_trace(path)
        self.assertIn("Own, wide", trace.family)
        self.assertIn("chunks 3", trace.family)

    def test_other_programs_get_the_order(self):
        made = pw.schedule("own-wide", devices=2, micro_batches=4, steps=2)
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/own.pipewright.json"
            made.save(path)
            self.assertEqual(pw.schedule(path), made)
            told = subprocess.run([PROGRAM, "simulate", path], capture_output=True, text=True, check=True)
            self.assertIn("2 chunks a device, 2 steps", told.stdout)
        again = pickle.loads(pickle.dumps(made))
        self.assertEqual((again, again.family), (made, None))

    def test_some_shapes_are_a_file(self):
        with tempfile.TemporaryDirectory() as folder:

            def told(id, shapes, **parameters):
                path = f"{folder}/{id}.family"
                pw.family(id).save(path, shapes, name="saved-" + id, **parameters)
                for p, m in shapes:
                    shape = ["--devices", str(p), "--micro-batches", str(m)]
                    words = [PROGRAM, "convert", path, "-", "--to", "text", *shape]
                    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
                    self.assertEqual(text, str(pw.schedule(id, devices=p, micro_batches=m, **parameters)), id)
                return path

            shapes = [(2, 4), (4, 8), (4, 16)]
            path = told("own-wide", shapes, chunks=3)
            self.assertLess(len(pathlib.Path(path).read_text().splitlines()), 260)
            for id in ("own-gpipe", "zb-v", "v-half", "interleaved-1f1b", "seq1f1b"):
                told(id, shapes)
            told("1f1b", [(3, 7), (1, 1)], overlap=True)
            words = [PROGRAM, "simulate", path, "--devices", "3"]
            refused = subprocess.run(words, capture_output=True, text=True, check=False)
            self.assertIn("the file has the order of 2 devices with 4 micro-batches", refused.stderr)
            for id, why in (("chimera", "cannot say"), ("pipedream", "cannot say")):
                with self.assertRaisesRegex(pw.Error, why):
                    pw.family(id).save(folder + "/no.family", [(2, 4)])
            with self.assertRaisesRegex(pw.Error, "no shape"):
                pw.family("gpipe").save(folder + "/no.family", [])
            self.assertFalse(pathlib.Path(folder, "no.family").exists())

    def test_an_order_that_is_wrong_is_said(self):
        @pw.family
        def own_wrong(devices, micro_batches, way=0):
            if way == 0:
                return [["F0", "F1", "BW0", "BW1"], ["F0", "BW0", "BW1", "F1"]]
            if way == 1:
                return [["F0", "BW0"]]
            if way == 2:
                return [["F0", "F1", "BW0", "BW1"], ["F0", "X1"]]
            return pw.schedule("gpipe", devices=devices, micro_batches=micro_batches + 1)

        whys = (
            "own-wrong: device 1, entry 2: micro-batch 1 of stage 1 has BW before F",
            "own_wrong returns orders of 1 devices; asked for are 2",
            "own-wrong: device 1: .*X1",
            "3 micro-batches; asked for are 2",
        )
        for way, why in enumerate(whys):
            with self.assertRaisesRegex(pw.Error, why):
                pw.schedule("own-wrong", devices=2, micro_batches=2, way=way)

    def test_exceptions_come_through(self):
        @pw.family
        def own_broken(devices, micro_batches):
            return [["F0", 1 / (devices - devices)]]

        calls = (
            lambda: pw.schedule("own-broken"),
            lambda: pw.simulate("own-broken"),
            lambda: pw.compare(["gpipe", "own-broken"]),
            lambda: pw.what_if("gpipe", family="own-broken"),
            lambda: pw.verify("own-broken", devices=2, micro_batches=2, plain=True),
            lambda: pw.run("own-broken", backend="emulated", no_store=True),
            lambda: pw.convert("own-broken", to="torchtitan"),
        )
        for call in calls:
            frames = []
            try:
                call()
            except ZeroDivisionError as error:
                frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
            self.assertIn("own_broken", frames)
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/run.trace.json"
            pw.schedule("own-gpipe", devices=2, micro_batches=3).save(path, format="chrome-json")
            with self.assertWarnsRegex(RuntimeWarning, "left out: ZeroDivisionError"):
                pw.import_trace(path)

        @pw.family
        def own_broken(devices, micro_batches):  # noqa: F811, defined again
            return own_gpipe(devices, micro_batches)

        self.assertEqual(pw.schedule("own-broken"), pw.schedule("gpipe"))

    def test_a_family_of_the_program_keeps_its_name(self):
        for name, why in (("gpipe", "there is a family gpipe already"), ("Big", "small letters"), ("a--b", "dashes")):
            with self.assertRaisesRegex(pw.Error, why):
                pw.family(own_gpipe, name=name)
        with self.assertRaisesRegex(pw.Error, "did you mean own-wide.*name='own-wid'"):
            pw.family("own-wid")

    def test_every_form_of_the_decorator_names_it(self):
        for made in (pw.family(), pw.family(name="own-form"), pw.family("own-form", title="Own"), pw.family):

            def own_form(devices, micro_batches):
                return own_gpipe(devices, micro_batches)

            self.assertIs(made(own_form), own_form)
            self.assertEqual(pw.schedule("own_form"), pw.schedule("gpipe"))
        with self.assertRaisesRegex(TypeError, "twice"):
            pw.family("own-form", name="own-form")

    def test_what_a_function_takes_is_checked(self):
        def check(function, error, why, **described):
            with self.assertRaisesRegex(error, why):
                pw.family(function, name="own-odd", **described)

        check(lambda devices: 1, TypeError, "takes devices and micro_batches")
        check(lambda devices, micro_batches, x: 1, TypeError, "parameter x has no default")
        check(lambda devices, micro_batches, *x: 1, TypeError, "by their names")
        check(lambda devices, micro_batches, x=None: 1, TypeError, "not None")
        check(lambda devices, micro_batches, x=0: 1, TypeError, "outside 1 to 3", limits={"x": (1, 3)})
        check(lambda devices, micro_batches: 1, TypeError, "not a parameter", limits={"x": (1, 3)})
        check(lambda devices, micro_batches, json=1: 1, pw.Error, "json is an option of the program")
        check(lambda devices, micro_batches, chunks=True: 1, pw.Error, "chunks is of another type")

    def test_words_flags_and_numbers_come_as_they_are(self):
        seen = []

        @pw.family(limits={"own_form": ("wide", "narrow")})
        def own_typed(devices, micro_batches, own_form="wide", own_flag=True, own_part=0.5):
            seen.append((own_form, own_flag, own_part))
            return own_gpipe(devices, micro_batches)

        pw.schedule("own-typed")
        pw.schedule("own-typed", own_form="narrow", own_flag=False, own_part=2.5)
        self.assertEqual(seen[0], ("wide", True, 0.5))
        self.assertEqual((seen[-1][0], seen[-1][2]), ("narrow", 2.5))
        self.assertEqual(len(seen), 2)  # once for a schedule
        with self.assertRaisesRegex(pw.Error, "wide"):
            pw.schedule("own-typed", own_form="round")

    def test_segments_steps_and_routes(self):
        @pw.family
        def own_pieces(devices, micro_batches, segments=2):
            forwards = [("F", j, 0, q) for j in range(micro_batches) for q in range(segments)]
            backwards = [("BW", j, 0, q) for j in range(micro_batches) for q in reversed(range(segments))]
            return [forwards + backwards] * devices

        made = pw.schedule("own-pieces", devices=2, micro_batches=3, segments=3)
        self.assertEqual(made.segment_lengths, [1, 1, 1])
        made = pw.schedule("own-pieces", devices=2, micro_batches=3, segment_lengths="2,1")
        self.assertEqual(made.segment_lengths, [2, 1])

        @pw.family
        def own_both_ways(devices, micro_batches):
            known = pw.schedule("chimera", devices=devices, micro_batches=micro_batches)
            return known

        shape = {"devices": 4, "micro_batches": 8, "steps": 2}
        self.assertEqual(pw.schedule("own-both-ways", **shape), pw.schedule("chimera", **shape))

        @pw.family
        def own_steps(devices, micro_batches, steps):
            return pw.schedule("pipedream-2bw", devices=devices, micro_batches=micro_batches, steps=steps)

        self.assertEqual(pw.schedule("own-steps", **shape), pw.schedule("pipedream-2bw", **shape))

    def test_threads_and_ctrl_c(self):
        spans = []
        threads = [
            threading.Thread(
                target=lambda p=p: spans.append(pw.simulate("own-gpipe", devices=p, micro_batches=8).makespan_ms)
            )
            for p in range(2, 8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(spans), [3.0 * (7 + p) for p in range(2, 8)])
        began = threading.Event()

        @pw.family
        def own_endless(devices, micro_batches):
            began.set()
            while True:
                pass

        def interrupt():
            began.wait()
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        with self.assertRaises(KeyboardInterrupt):
            pw.simulate("own-endless")

        @pw.family
        def own_endless(devices, micro_batches):  # noqa: F811, no search meets the other one
            return pw.schedule("own-endless", devices=devices, micro_batches=micro_batches)

        with self.assertRaisesRegex(pw.Error, "asks for itself"):
            pw.schedule("own-endless")
        pw.family(own_gpipe, name="own-endless")


if __name__ == "__main__":
    unittest.main()
