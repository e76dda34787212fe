# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Traces of other programs, what-ifs, and stored runs."""

import os
import json
import pathlib
import subprocess
import tempfile
import unittest

import pipewright as pw


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name) / "zb.trace.json"
        cls.made = pw.schedule("zb-h1", devices=4, micro_batches=8, backward=1.25)
        cls.made.save(cls.path)
        cls.trace = pw.import_trace(cls.path)

    def test_one_of_several_runs_of_a_file(self):
        """Two threads of one process wrote the same passes; the second is twice as slow."""
        events = []
        for thread in range(2):
            for rank in range(2):
                # 1F1B on two devices with three micro-batches, in slots of 10 ms.
                slots = {0: ((0, "f"), (10, "f"), (30, "b"), (40, "f"), (50, "b"), (70, "b")),
                         1: ((10, "f"), (20, "b"), (30, "f"), (40, "b"), (50, "f"), (60, "b"))}
                done = {"f": 0, "b": 0}
                for begin, kind in slots[rank]:
                    events.append({"ph": "X", "pid": rank, "tid": thread,
                                   "name": {"f": "forward", "b": "backward"}[kind],
                                   "ts": begin * 1000 * (1 + thread),
                                   "dur": 10000 * (1 + thread),
                                   "args": {"iteration": 3, "pp_rank": rank, "model_chunk": 0,
                                            "microbatch": done[kind]}})
                    done[kind] += 1
        path = pathlib.Path(self.folder.name) / "two.json"
        path.write_text(json.dumps({"traceEvents": events}))
        first, second = (pw.import_trace(path, run=run) for run in range(2))
        self.assertEqual((first.runs, second.runs), (2, 2))
        self.assertEqual(second.measured.makespan_ms, 2 * first.measured.makespan_ms)
        with self.assertRaisesRegex(pw.Error, "run 2: the trace has runs 0 to 1"):
            pw.import_trace(path, run=2)

    def test_the_pipeline_is_found(self):
        trace = self.trace
        self.assertEqual((trace.devices, trace.stages, trace.micro_batches), (4, 4, 8))
        self.assertEqual(trace.family, "ZB-H1")
        self.assertEqual(trace.schedule, self.made)
        self.assertEqual(trace.measured.makespan_ns, pw.simulate(self.made).makespan_ns)
        self.assertAlmostEqual(trace.residual, 0, places=6)
        self.assertAlmostEqual(
            pw.simulate(trace.schedule).makespan_ms, pw.simulate(self.made).makespan_ms, places=3
        )

    def test_its_passes_are_columns(self):
        records = self.trace.records()
        self.assertEqual(len(records), self.made.pass_count)
        self.assertEqual(set(records.kind), {"F", "B", "W"})
        view = memoryview(records.rank)
        self.assertEqual(view.format, "i")
        self.assertEqual(sorted(set(view.tolist())), [0, 1, 2, 3])
        self.assertEqual(max(records.end_ns) - min(records.start_ns), pw.simulate(self.made).makespan_ns)
        with self.assertRaises(pw.Error):
            self.trace.records(iteration=99)

    def test_the_report_is_that_of_the_command_line(self):
        self.assertEqual(len(self.trace.report()["ranks"]), 4)

    def test_advice_is_that_of_the_command_line(self):
        advice = self.trace.advise(seconds=0.2)
        self.assertGreater(advice["step_ms"], 0)
        self.assertEqual(advice["layers"], [])
        layers = [4] * self.trace.stages
        moved = self.trace.advise(layers=layers, seconds=0.2)
        self.assertEqual(moved["layers"], layers)
        with self.assertRaises(pw.Error):
            self.trace.advise(layers=[1])

    def test_costs_become_a_file(self):
        path = pathlib.Path(self.folder.name) / "fitted.costs.json"
        self.trace.save_costs(path)
        with_file = pw.simulate(self.made, costs=path)
        self.assertAlmostEqual(with_file.makespan_ms, self.trace.measured.makespan_ms, places=3)

    def test_what_if(self):
        rows = pw.what_if(self.trace, family=["zb-h1", "zb-h2"], micro_batches=[8, 16])
        self.assertEqual(len(rows), 4)
        self.assertAlmostEqual(rows[0].makespan_ms, self.trace.measured.makespan_ms, places=3)
        self.assertAlmostEqual(rows[0].change, 0, places=6)
        self.assertEqual(rows[0].simulation().makespan_ms, rows[0].makespan_ms)
        self.assertEqual(rows[0].schedule(), self.made)
        orders = pw.what_if("1f1b", order_of=["gpipe", self.trace])
        self.assertEqual([row.name.startswith("the order of ") for row in orders], [True, True])
        gpipe = pw.what_if("1f1b", family="gpipe")[0]
        self.assertEqual(orders[0].makespan_ms, gpipe.makespan_ms)
        refused = [row for row in pw.what_if("1f1b", devices=3, family="chimera") if row.refusal]
        self.assertEqual(len(refused), 1)
        self.assertIsNone(refused[0].makespan_ms)
        with self.assertRaises(pw.Error):
            refused[0].schedule()

    def test_files_that_are_no_traces_are_refused(self):
        path = pathlib.Path(self.folder.name) / "broken.json"
        path.write_text("{")
        with self.assertRaises(pw.Error):
            pw.import_trace(path)
        with self.assertRaises(pw.Error):
            pw.import_trace([])
        with self.assertRaises(pw.Error):
            pw.import_trace(self.path, rules="{nonsense}")


@unittest.skipUnless(os.environ.get("PIPEWRIGHT_PROGRAM"), "PIPEWRIGHT_PROGRAM names no program")
class Store(unittest.TestCase):
    def test_a_run_that_was_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "runs.sqlite")
            with self.assertRaises(pw.Error):
                pw.runs(store)
            subprocess.run(
                [os.environ["PIPEWRIGHT_PROGRAM"], "run", "1f1b", "--devices", "2", "--micro-batches", "4"]
                + ["--backend", "emulated", "--iterations", "3", "--store", store],
                check=True,
                capture_output=True,
            )
            runs = pw.runs(store)
            self.assertEqual(len(runs), 1)
            run = runs[0]
            self.assertEqual((run.number, run.family, run.status, run.ranks), (1, "1f1b", "finished", 2))
            schedule, measured, predicted = run.load()
            self.assertEqual(schedule, pw.schedule("1f1b", devices=2, micro_batches=4))
            self.assertAlmostEqual(measured.makespan_ms, run.makespan_ms, delta=0.5 * run.makespan_ms)
            self.assertGreater(predicted.makespan_ns, 0)
            self.assertGreaterEqual(len(run.records()), 3 * schedule.pass_count)
            kinds = run.records(iteration=0).kind
            self.assertEqual(len(kinds) - kinds.count("U"), schedule.pass_count)
            self.assertEqual(pw.runs(store, "nothing-like-it"), [])


if __name__ == "__main__":
    unittest.main()
