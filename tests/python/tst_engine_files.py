# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Files that other engines load, read by those engines' rules, which are written down here once more."""

import collections
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("PIPEWRIGHT_PROGRAM", "pipewright")


def said(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


SHAPES = [  # family, ranks, stages, micro-batches, options
    ("1f1b", 4, 4, 8, ()),
    ("gpipe", 3, 3, 4, ()),
    ("zb-h1", 4, 4, 8, ()),
    ("interleaved-1f1b", 2, 6, 4, ("--chunks", 3)),
    ("gis", 4, 8, 8, ()),
    ("zb-v", 4, 8, 8, ()),
    ("v-half", 4, 8, 8, ()),
    ("v-min", 2, 4, 6, ()),
    ("hanayo", 2, 4, 4, ()),
]


class SailPlans(unittest.TestCase):
    """Its passes.py and communication.py: what the runtime asserts of a plan before it runs it."""

    def plan(self, family, ranks, micro_batches, options, *more):
        return json.loads(said("convert", family, "-", "--to", "sail", "--devices", ranks, "--micro-batches",
                               micro_batches, *options, "--forward", 3, "--backward", 4, "--weight", 2, "--comm",
                               0.5, *more))

    @staticmethod
    def key(node, kind=None, group=None):
        return (kind or node["type"], node["layer_group_idx"] if group is None else group, node["microbatch"],
                node["seq_split_idx"])

    def needed(self, node, groups):
        """The pass that a pass waits for, by key."""
        kind, group = node["type"], node["layer_group_idx"]
        if kind == "F":
            return self.key(node, group=group - 1) if group > 0 else None
        if kind in ("B", "BW"):
            return self.key(node, group=group + 1) if group + 1 < groups else self.key(node, "F")
        return self.key(node, "F" if kind == "R" else "B")

    def test_every_pass_has_what_it_waits_for(self):
        for family, ranks, stages, micro_batches, options in SHAPES:
            with self.subTest(family=family):
                plan = self.plan(family, ranks, micro_batches, options)
                self.assertEqual(len(plan), ranks)
                for rank, nodes in enumerate(plan):
                    self.assertTrue(all(node["stage"] == rank for node in nodes))
                    times = [t for node in nodes for t in (node["start_time"], node["completion_time"])]
                    self.assertEqual(times, sorted(times), "a rank does one thing after the other")
                nodes = {self.key(node): node for row in plan for node in row}
                self.assertEqual(len(nodes), sum(map(len, plan)), "a key stands there once")
                forwards = [node for node in nodes.values() if node["type"] == "F"]
                self.assertEqual(len(forwards), stages * micro_batches)
                sends = dict.fromkeys(nodes)
                for key, node in nodes.items():
                    before = self.needed(node, stages)
                    peer = None
                    if before is not None:
                        self.assertIn(before, nodes)
                        producer = nodes[before]
                        hop = 500 if producer["stage"] != node["stage"] else 0
                        self.assertGreaterEqual(node["start_time"], producer["completion_time"] + hop)
                        if hop:
                            peer = producer["stage"]
                            sends[before] = node["stage"]
                    self.assertEqual(node["recv_peer_stage"], peer, key)
                for key, node in nodes.items():
                    self.assertEqual(node["send_peer_stage"], sends[key], key)

    def test_chunks_are_numbered_from_the_first_stage_on(self):
        for family, ranks, stages, micro_batches, options in SHAPES:
            with self.subTest(family=family):
                plan = self.plan(family, ranks, micro_batches, options)
                for nodes in plan:
                    groups = sorted({node["layer_group_idx"] for node in nodes})
                    for node in nodes:
                        self.assertEqual(groups[node["chunk"]], node["layer_group_idx"])
                self.assertEqual({node["layer_group_idx"] for row in plan for node in row}, set(range(stages)))

    def test_messages_come_in_pairs_and_nobody_waits_for_ever(self):
        for family, ranks, stages, micro_batches, options in SHAPES:
            with self.subTest(family=family):
                plan = self.plan(family, ranks, micro_batches, options, "--communication")
                pairs = collections.defaultdict(list)
                for nodes in plan:
                    for node in nodes:
                        if node["type"].startswith(("SEND_", "RECV_")):
                            pairs[node["comm_pair_id"]].append(node)
                for pair in pairs.values():
                    one, other = sorted(pair, key=lambda node: node["type"], reverse=True)
                    self.assertEqual(one["type"].replace("SEND_", "RECV_"), other["type"])
                    self.assertEqual((one["stage"], other["stage"]),
                                     (other["comm_peer_stage"], one["comm_peer_stage"]))
                    self.assertEqual(one["microbatch"], other["microbatch"])
                    self.assertLessEqual({one["comm_direction"], other["comm_direction"]}, {"NEXT", "PREV"})
                    step = 1 if one["type"].endswith("FORWARD") else -1
                    self.assertEqual(other["layer_group_idx"], one["layer_group_idx"] + step)
                    if ranks > 2:
                        self.assertNotEqual(one["comm_direction"], other["comm_direction"])
                self.play(plan, stages)

    def play(self, plan, stages):
        """Sends leave at once; a receive waits for its send, and a pass for its receive."""
        at, sent, got, done = [0] * len(plan), set(), set(), {}
        moved = True
        while moved:
            moved = False
            for rank, nodes in enumerate(plan):
                while at[rank] < len(nodes):
                    node = nodes[at[rank]]
                    if node["type"].startswith("SEND_"):
                        kinds = ("F",) if node["type"].endswith("FORWARD") else ("B", "BW")
                        self.assertTrue(any(done.get(self.key(node, kind)) == rank for kind in kinds))
                        sent.add(node["comm_pair_id"])
                    elif node["type"].startswith("RECV_"):
                        if node["comm_pair_id"] not in sent:
                            break
                        got.add((node["type"], node["layer_group_idx"], node["microbatch"]))
                    else:
                        before = self.needed(node, stages)
                        if node["recv_peer_stage"] is not None:
                            way = "RECV_FORWARD" if node["type"] == "F" else "RECV_BACKWARD"
                            self.assertIn((way, node["layer_group_idx"], node["microbatch"]), got)
                        elif before is not None:
                            self.assertEqual(done.get(before), rank)
                        done[self.key(node)] = rank
                    at[rank] += 1
                    moved = True
        self.assertEqual(at, [len(nodes) for nodes in plan], "a receive waits for ever")


class PyTorchWithMessages(unittest.TestCase):
    """Its schedules.py, format compute_comms: no blanks, a receive before its use and not twice, none between stages
    of one rank, and every send received."""

    FIELD = re.compile(r"(\d+)(F|I|B|W|SEND_F|RECV_F|SEND_B|RECV_B|UNSHARD|RESHARD|REDUCE_GRAD)(\d*)")

    def rows(self, *words):
        text = said("convert", *words, "-", "--to", "torch-csv", "--communication")
        rows = list(csv.reader(io.StringIO(text)))
        self.assertTrue(all(cell for row in rows for cell in row), "a blank raises")
        return [[self.FIELD.fullmatch(cell).groups() for cell in row] for row in rows]

    def test_it_runs_to_its_end(self):
        for family, ranks, stages, micro_batches, options in SHAPES:
            with self.subTest(family=family):
                rows = self.rows(family, "--devices", ranks, "--micro-batches", micro_batches, *options)
                self.assertEqual(len(rows), ranks)
                rank_of = {int(stage): rank for rank, row in enumerate(rows) for stage, _, _ in row}
                self.assertEqual(sorted(rank_of), list(range(stages)))
                self.play([[(kind, int(stage), int(mb)) for stage, kind, mb in row] for row in rows], rank_of, stages)

    def play(self, rows, rank_of, stages):
        at, sent, held, done = [0] * len(rows), set(), set(), set()
        moved = True
        while moved:
            moved = False
            for rank, row in enumerate(rows):
                while at[rank] < len(row):
                    kind, stage, mb = row[at[rank]]
                    self.assertEqual(rank_of[stage], rank, "every action fixes the rank of its stage")
                    if kind.startswith("SEND_"):
                        made = {"F"} if kind == "SEND_F" else {"I", "B"}
                        self.assertTrue(any((one, stage, mb) in done for one in made), (kind, stage, mb))
                        self.assertNotEqual(rank_of[stage + (1 if kind == "SEND_F" else -1)], rank)
                        sent.add((kind, stage, mb))
                    elif kind.startswith("RECV_"):
                        way = 1 if kind == "RECV_F" else -1
                        message = (kind.replace("RECV", "SEND"), stage - way, mb)
                        if message not in sent:
                            break
                        sent.remove(message)
                        self.assertNotIn((kind[-1], stage, mb), held, "a second receive before its use")
                        held.add((kind[-1], stage, mb))
                    else:
                        self.compute(kind, stage, mb, rank, rank_of, stages, held, done)
                    at[rank] += 1
                    moved = True
        self.assertEqual(at, [len(row) for row in rows], "a receive waits for ever")
        self.assertEqual(sent, set(), "a send that nobody receives")
        self.assertEqual(held, set(), "a receive that nobody uses")

    def compute(self, kind, stage, mb, rank, rank_of, stages, held, done):
        before = {"F": stage - 1, "I": stage + 1, "B": stage + 1}.get(kind)
        if before is not None and 0 <= before < stages:
            way = "F" if kind == "F" else "B"
            if rank_of[before] != rank:
                self.assertIn((way, stage, mb), held, f"{stage}{kind}{mb} without its receive")
                held.remove((way, stage, mb))
            else:
                made = {"F"} if kind == "F" else {"I", "B"}
                self.assertTrue(any((one, before, mb) in done for one in made))
        if kind in ("I", "B"):
            self.assertIn(("F", stage, mb), done)
        if kind == "W":
            self.assertIn(("I", stage, mb), done)
        done.add((kind, stage, mb))


class Galvatron(unittest.TestCase):
    """Its strategy file as its own reader takes it: lists of a number a layer are texts with commas."""

    LISTS = ("tp_sizes_enc", "tp_consecutive_flags", "dp_types_enc", "use_sp", "checkpoint")

    def test_every_layer_is_there_once(self):
        for family, kind in (("1f1b", "pipedream_flush"), ("gpipe", "gpipe")):
            for devices, layers, split in ((4, 16, "even"), (4, 30, "7,8,8,7"), (2, 5, "3,2")):
                with self.subTest(family=family, split=split):
                    strategy = json.loads(said("convert", family, "--to", "galvatron", "--devices", devices, "--micro-batches", 8,
                                               "--layers", layers, "--split", split))
                    for name in self.LISTS:
                        self.assertEqual(len([int(one) for one in strategy[name].split(",")]), layers, name)
                    division = [int(one) for one in strategy["pp_division"].split(",")]
                    self.assertEqual((len(division), sum(division)), (devices, layers))
                    if split != "even":
                        self.assertEqual(division, [int(one) for one in split.split(",")])
                    self.assertEqual((strategy["pp_deg"], strategy["chunks"]), (devices, 8))
                    self.assertEqual(strategy["pipeline_type"], kind)
                    self.assertEqual(strategy["global_bsz"] % strategy["chunks"], 0)
                    self.assertTrue(all(int(one) in (0, 1) for one in strategy["checkpoint"].split(",")))
                    self.assertIn(strategy["default_dp_type"], ("ddp", "zero2", "zero3"))


class SlurmScripts(unittest.TestCase):
    """sbatch reads directives only above the first command, and a shell reads the rest."""

    def test_the_script_is_one_of_bash_with_its_directives_on_top(self):
        with tempfile.TemporaryDirectory() as folder:
            said("convert", "1f1b", folder, "--to", "slurm", "--devices", 6, "--micro-batches", 8)
            script = pathlib.Path(folder) / "job.sbatch"
            self.assertEqual(subprocess.run(["bash", "-n", str(script)], timeout=60, check=False).returncode, 0)
            lines = script.read_text().splitlines()
            self.assertTrue(lines[0].startswith("#!"))
            first = next(i for i, line in enumerate(lines) if line and not line.startswith("#"))
            directives = [line for line in lines[1:first] if line.startswith("#SBATCH ")]
            for line in directives:
                self.assertRegex(line, r"^#SBATCH --[a-z-]+=\S+$")
            self.assertIn("#SBATCH --ntasks=6", directives)
            self.assertFalse(any(line.startswith("#SBATCH") for line in lines[first:]))
            named = re.search(r"run (\S+\.json)", lines[first])[1]
            self.assertTrue((script.parent / named).exists())


if __name__ == "__main__":
    unittest.main(verbosity=1)
