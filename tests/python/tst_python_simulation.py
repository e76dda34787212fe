# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Times, figures, comparisons, plans and better orders."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import pipewright as pw

try:
    import numpy
except ImportError:
    numpy = None


class Simulating(unittest.TestCase):
    def test_figures_are_the_closed_forms(self):
        for p, m in ((2, 4), (4, 8), (8, 32)):
            done = pw.simulate("1f1b", devices=p, micro_batches=m, backward=1.25, weight=0.75)
            self.assertAlmostEqual(done.makespan_ms, (m + p - 1) * 3)
            self.assertAlmostEqual(done.span_bubble_ms, (p - 1) * 3)
            self.assertAlmostEqual(done.span_bubble_rate, (p - 1) / (m + p - 1))
            self.assertEqual(done.peak_activation_mb, [min(p - i, m) for i in range(p)])

    def test_costs_in_three_ways_are_the_same(self):
        made = pw.schedule("1f1b", devices=4, micro_batches=8)
        direct = pw.simulate("1f1b", devices=4, micro_batches=8, backward=2, comm=0.1)
        self.assertEqual(pw.simulate(made, backward=2, comm=0.1).makespan_ns, direct.makespan_ns)
        self.assertEqual(
            pw.simulate(made, costs={"backward": 2, "comm": 0.1}).makespan_ns, direct.makespan_ns
        )
        self.assertEqual(
            pw.simulate(made.with_costs(backward=2, comm=0.1)).makespan_ns, direct.makespan_ns
        )
        self.assertNotEqual(pw.simulate(made).makespan_ns, direct.makespan_ns)

    def test_lanes_and_columns_say_the_same(self):
        done = pw.simulate("zb-v", devices=4, micro_batches=8)
        self.assertEqual(len(done.start_ns), sum(len(lane) for lane in done.lanes))
        place = 0
        for lane in done.lanes:
            ends = list(lane.end_ns)
            self.assertEqual(list(lane.start_ns), list(done.start_ns)[place : place + len(lane)])
            self.assertEqual(len(lane.passes), len(lane))
            self.assertTrue(all(a <= b for a, b in zip(ends, lane.start_ns[1:])))
            self.assertAlmostEqual(
                lane.busy_ms * 1e6, sum(e - s for s, e in zip(lane.start_ns, ends)), places=3
            )
            place += len(lane)
        self.assertEqual(max(done.end_ns), done.makespan_ns)

    def test_a_column_is_a_read_only_buffer(self):
        done = pw.simulate("1f1b", devices=4, micro_batches=8)
        starts = done.lanes[1].start_ns
        view = memoryview(starts)
        self.assertEqual((view.format, view.itemsize, view.ndim), ("q", 8, 1))
        self.assertTrue(view.readonly)
        del done
        gc.collect()
        self.assertEqual(view.tolist(), starts.tolist())
        self.assertEqual(starts[-1], view[len(starts) - 1])
        self.assertEqual(starts[1:3].tolist(), view.tolist()[1:3])
        self.assertEqual(starts[::-1], view.tolist()[::-1])
        with self.assertRaises(IndexError):
            starts[len(starts)]

    @unittest.skipIf(numpy is None, "numpy is not installed")
    def test_numpy_copies_nothing(self):
        done = pw.simulate("1f1b", devices=4, micro_batches=8)
        array = numpy.asarray(done.start_ns)
        self.assertEqual(array.dtype, numpy.int64)
        self.assertFalse(array.flags.owndata)
        self.assertFalse(array.flags.writeable)
        self.assertEqual(
            array.__array_interface__["data"][0],
            numpy.asarray(done.start_ns).__array_interface__["data"][0],
        )
        busy = (numpy.asarray(done.end_ns) - array).sum() / 1e6
        self.assertAlmostEqual(busy, sum(lane.busy_ms for lane in done.lanes))

    def test_memory_and_limits(self):
        done = pw.simulate("gpipe", devices=2, micro_batches=4, activation=1000, memory_limit=3)
        self.assertEqual(done.peak_activation_bytes, [4000, 4000])
        self.assertEqual(done.peak_memory_bytes, [4000, 4000])
        self.assertIn("micro-batches", done.over_limit)
        self.assertIsNone(pw.simulate("1f1b", devices=2, micro_batches=4, memory_limit=3).over_limit)

    def test_a_model_has_bytes(self):
        done = pw.simulate("1f1b", devices=4, model="llama-7b", hardware="h100")
        self.assertGreater(min(done.peak_memory_bytes), 1e9)
        self.assertIn("llama-7b", done.costs_text)

    def test_the_dict_is_that_of_the_command_line(self):
        done = pw.simulate("1f1b", devices=4, micro_batches=8).as_dict()
        self.assertEqual(done["family"], "1f1b")
        self.assertEqual(done["makespan_ms"], 33)
        program = os.environ.get("PIPEWRIGHT_PROGRAM")
        if program:
            line = [program, "simulate", "1f1b", "--micro-batches", "8", "--json", "--passes"]
            printed = subprocess.run(line, capture_output=True, check=True, text=True).stdout
            self.assertEqual(__import__("json").loads(printed), done)


class Comparing(unittest.TestCase):
    def test_rows_and_refusals(self):
        rows = pw.compare(["1f1b", "zb-h1", "chimera"], devices=3, micro_batches=9)
        self.assertEqual([row.name for row in rows], ["1f1b", "zb-h1", "chimera"])
        self.assertEqual(rows[0].makespan_ms, 33)
        self.assertEqual(rows[0].span_bubble_formula_ms, 6)
        self.assertIsNotNone(rows[-1].refusal)
        self.assertIsNone(rows[2].makespan_ms)
        self.assertIn("<table>", rows._repr_html_())
        self.assertEqual(len(pw.compare(devices=4, micro_batches=8)), len(pw.families()))

    def test_own_schedules_stand_beside_families(self):
        own = pw.Schedule(["F0 F1 BW0 BW1", "F0 BW0 F1 BW1"], title="mine <b>")
        rows = pw.compare(["1f1b", own], devices=2, micro_batches=2)
        self.assertEqual(rows[0].makespan_ms, rows[1].makespan_ms)
        self.assertIn("mine &lt;b&gt;", rows._repr_html_())

    def test_a_parameter_of_nobody_is_refused(self):
        with self.assertRaisesRegex(pw.Error, "none of these takes chunks"):
            pw.compare(["1f1b", "gpipe"], chunks=2)


class Searching(unittest.TestCase):
    def test_a_better_order(self):
        found = pw.optimise("1f1b", devices=4, micro_batches=6, comm=0.3, time_limit=5)
        self.assertLess(found.found_ms, found.given_ms)
        self.assertGreaterEqual(found.found_ms, found.bound_ms)
        self.assertEqual(found.simulation.makespan_ms, found.found_ms)
        self.assertEqual(pw.simulate(found.schedule).makespan_ms, found.found_ms)
        for wrong in ({"goal": "fast"}, {"form": "x"}, {"time_limit": 0}, {"memory_limit": "much"}):
            with self.assertRaises(pw.Error):
                pw.optimise("1f1b", **wrong)

    def test_a_plan(self):
        found = pw.plan(model="llama3-8b", hardware="h100", gpus=16, global_batch=64, top=3)
        self.assertEqual(len(found.rows), 3)
        best = found.rows[0]
        self.assertEqual(best.iteration_ms, found.as_list()[0]["iteration_ms"])
        self.assertAlmostEqual(sum(best.parts_ms.values()), best.iteration_ms, delta=0.01 * best.iteration_ms)
        self.assertEqual(best.schedule().devices, best.pipeline_parallel)
        with self.assertRaisesRegex(pw.Error, "nothing fits.*memory_limit="):
            pw.plan(model="llama3-70b", hardware="h100", gpus=2, global_batch=64)
        with self.assertRaisesRegex(pw.Error, "global_batch is missing"):
            pw.plan(model="llama3-8b")

    def test_families_without_a_flush_are_rows_of_their_own(self):
        found = pw.plan(model="gpt-1.7b", hardware="a100", gpus=8, global_batch=64, pipeline_parallel=4, top=1)
        self.assertIn("pipedream", [row.family for row in found.unflushed])
        self.assertNotIn("pipedream", [row.family for row in found.rows])
        self.assertEqual(len(found.as_list()), 1)

    def test_old_names_of_keywords_work_and_warn(self):
        now = pw.optimise("1f1b", devices=2, micro_batches=3, time_limit=1, memory_limit="2mb")
        with self.assertWarnsRegex(DeprecationWarning, "memory_limit=2mb"):
            old = pw.optimise("1f1b", devices=2, micro_batches=3, time_limit=1, cap="2mb")
        self.assertEqual((old.found_ms, old.cap), (now.found_ms, now.cap))
        with self.assertWarnsRegex(DeprecationWarning, "time_limit"):
            pw.optimise("1f1b", devices=2, micro_batches=3, seconds=1)
        with self.assertWarnsRegex(DeprecationWarning, "recompute_policy=full"):
            pw.plan(model="tiny", gpus=2, global_batch=8, recompute="full")

    def test_other_threads_run_meanwhile(self):
        ticks = []
        done = threading.Event()

        def count():
            while not done.wait(0.01):
                ticks.append(None)

        counter = threading.Thread(target=count)
        counter.start()
        pw.optimise("v-half", devices=8, micro_batches=24, comm=0.1, time_limit=1, form="as-given")
        done.set()
        counter.join()
        self.assertGreater(len(ticks), 10)

    def test_ctrl_c_ends_a_search(self):
        line = "import pipewright as pw; print('begun', flush=True); pw.optimise('v-half', devices=8, micro_batches=32, comm=0.13, time_limit=600)"
        child = subprocess.Popen(
            [sys.executable, "-c", line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.assertEqual(child.stdout.readline(), "begun\n")
        time.sleep(1)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        try:
            _, problem = child.communicate(timeout=60)
        finally:
            child.kill()
        self.assertIn("KeyboardInterrupt", problem)
        self.assertLess(time.monotonic() - begin, 30)


if __name__ == "__main__":
    unittest.main()
