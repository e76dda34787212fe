# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What the executor for PyTorch reads, whole and spoilt: every file is a plan or is refused in a sentence.

Needs no PyTorch.
"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "executor" / "torch"
sys.path.insert(0, str(PACKAGE))

from pipewright_torch import Cannot  # noqa: E402
from pipewright_torch.plan import plan_from  # noqa: E402
from pipewright_torch.simulate import simulate  # noqa: E402

PROGRAM = os.environ.get("PIPEWRIGHT_PROGRAM", "pipewright")
SPOILT = [None, True, -1, 0, 1, 10**30, 1.5, float("nan"), "", "x", "v", "looped 99999999999", "zigzag 0", [], {},
          [[]], [None], ["x"], [1], {"a": 1}, "\x00", "F0", "F99999999", "(F0+F0)"]


def project(family, *words):
    return json.loads(subprocess.run(
        [PROGRAM, "convert", family, "-", "--to", "project", "--order", "--devices", "2", "--micro-batches", "4", *words],
        check=True, capture_output=True, text=True, timeout=60).stdout)


def places(value, path=()):
    """Every place of a JSON value; of lists the first three."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(min(len(value), 3)):
            yield from places(value[index], (*path, index))


class Plans(unittest.TestCase):
    def test_whole_ones_are_held_and_run(self):
        for family, stages in (("1f1b", 2), ("zb-v", 4), ("interleaved-1f1b", 4), ("dualpipe-v", 4)):
            plan = plan_from(json.dumps(project(family)), "plan.json")
            self.assertEqual((plan.devices, plan.stages, plan.micro_batches), (2, stages, 4))
            self.assertGreater(simulate(plan, plan.costs)[0], 0)

    def test_spoilt_ones_are_refused_in_a_sentence(self):
        for family in ("zb-v", "1f1b"):
            whole = project(family)
            for path in places(whole):
                for spoilt in [*SPOILT, Cannot]:
                    made = copy.deepcopy(whole)
                    inner = made
                    for key in path[:-1]:
                        inner = inner[key]
                    if spoilt is Cannot:
                        del inner[path[-1]]
                    else:
                        inner[path[-1]] = spoilt
                    try:
                        plan = plan_from(json.dumps(made), "plan.json")
                        simulate(plan, plan.costs)
                    except Cannot as problem:
                        self.assertTrue(str(problem).isprintable(), problem)
                        self.assertLess(len(str(problem)), 300)

    def test_offloaded_activations_are_refused_by_name(self):
        whole = project("1f1b")
        whole["offload"] = {"cells": "0:0-1", "latency_ns": 0, "bytes_per_second": 5e10}
        with self.assertRaisesRegex(Cannot, "activations 0:0-1 go to the host's memory"):
            plan_from(json.dumps(whole), "plan.json")
        whole["offload"]["cells"] = ""
        self.assertEqual(plan_from(json.dumps(whole), "plan.json").devices, 2)

    def test_files_of_pytorch(self):
        plan = plan_from("0F0,,0B0\n,1F0,1B0\n", "a.csv")
        self.assertEqual((plan.devices, plan.stages, plan.micro_batches), (2, 2, 1))
        for text, word in (("", "no passes"), ("\n\n", "no passes"), ("0F0,1X2", "1X2 is not a compute action"),
                           ("0F0,0SEND_F0", "0SEND_F0"), ("0F0,0B0\n0F0,0B0", "on rank 0 and on rank 1"),
                           ("99999999999F0", "leaves out a stage"), ("0F0\0,0B0", "is not a compute action"),
                           ("0F0,0F0,0B0", "appears twice"), ("0F0", "is missing")):
            with self.assertRaisesRegex(Cannot, word):
                plan_from(text, "a.csv")

    def test_what_is_no_file_of_ours(self):
        for text in ("", "hello", "[" * 100_000, "[]", "7", '{"pipewright": 2}', '{"pipewright": 1}'):
            with self.assertRaises(Cannot):
                plan_from(text, "plan.json")

    def test_without_pytorch_a_run_says_so_on_a_whole_wire(self):
        done = subprocess.run([sys.executable, "-S", "-m", "pipewright_torch", "run", "-", "--wire"], input="{}",
                              capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        said = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([one["t"] for one in said], ["hello", "error", "finished"])
        self.assertIn("there is no PyTorch for", said[1]["text"])
        self.assertEqual((said[2]["status"], done.returncode), ("failed", 1))


if __name__ == "__main__":
    unittest.main()
