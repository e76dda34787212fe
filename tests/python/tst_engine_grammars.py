# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What is emitted for other engines, read by their rules, which are written down here once more."""

import abc
import csv
import dataclasses
import enum
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

PROGRAM = os.environ.get("PIPEWRIGHT_PROGRAM", "pipewright")


def emitted(target, schedule, *words, out="-"):
    words = [PROGRAM, "convert", schedule, out, "--to", target, *map(str, words)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def megatron_stages(layout):
    """Megatron-LM's pipeline_parallel_layer_layout.py: commas, brackets, single repeats, bars, in this order."""
    layout = layout.replace(",", "")
    while True:
        found = re.search(r"\(([^()]+)\)\*(\d+)", layout)
        if not found:
            break
        layout = layout[: found.start()] + found[1] * int(found[2]) + layout[found.end() :]
    while True:
        found = re.search(r"(.)\*(\d+)", layout)
        if not found:
            break
        layout = layout[: found.start()] + found[1] * int(found[2]) + layout[found.end() :]
    stages = layout.split("|")
    for stage in stages:
        if re.sub("[EtmL]", "", stage):
            raise AssertionError(f"{stage!r} has a symbol that is none of E, t, m, L")
    return stages


def check_megatron(stages, ranks, layers):
    """Its checks: one E at the very beginning, L at the very end, as many t as layers, whole chunks; m and L on several stages
    as its pull requests 5329 and 5318 have them."""
    whole = "".join(stages)
    assert whole[0] == "E" and whole.count("E") == 1, whole
    assert whole[-1] == "L" and whole.count("L") in (1, 1 + whole.count("m")), whole
    assert whole.count("t") == layers, (whole.count("t"), layers)
    assert "mt" not in whole, "all t come before all m"
    assert len(stages) % ranks == 0, (len(stages), ranks)
    with_m = [k for k, stage in enumerate(stages) if "m" in stage]
    assert with_m == list(range(with_m[0], with_m[-1] + 1)) if with_m else True, "all m are on stages in a row"
    for stage in with_m:
        assert stage // ranks == len(stages) // ranks - 1 and stage % ranks != 0, "last chunk, not of rank 0"


def megatron_order(ranks, chunks, group, micro_batches, rank):
    """Its schedules.py: the table of groups, warm-up, one forward and one backward in turns, the rest."""
    table = [
        (chunk, mb)
        for first in range(0, micro_batches, group)
        for chunk in range(chunks)
        for mb in range(first, min(first + group, micro_batches))
    ]
    total = len(table)
    if chunks == 1:
        warm = ranks - rank - 1
    else:
        warm = 2 * (ranks - rank - 1) + (chunks - 1) * group
    warm = min(warm, total)
    forward = [("F", chunk, mb) for chunk, mb in table]
    backward = [("B", chunks - 1 - chunk, mb) for chunk, mb in table]
    order = forward[:warm]
    for i in range(total - warm):
        order += [forward[warm + i], backward[i]]
    return order + backward[total - warm :]


class Megatron(unittest.TestCase):
    SHAPES = [  # family, devices, chunks, split
        ("1f1b", 4, 1, "7,8,8,7"),
        ("1f1b", 8, 1, "ends"),
        ("interleaved-1f1b", 4, 2, "even"),
        ("interleaved-1f1b", 4, 3, "1,2,2,2,2,2,2,2,2,2,2,1"),
        ("interleaved-1f1b", 2, 4, "4,3,3,3,3,3,3,0"),
        ("1f1b", 3, 1, "E|t*5|t*5L"),
        ("interleaved-1f1b", 2, 2, "Et*3|(tt|)*2tmL"),
        ("interleaved-1f1b", 8, 2, "E|(t|)*11m|m|m|L"),
        ("interleaved-1f1b", 8, 2, "E|(t|)*10m|m|m|LL|LL"),
    ]

    def test_a_layout_expands_to_the_layers_that_were_asked_for(self):
        for family, devices, chunks, split in self.SHAPES:
            with self.subTest(family=family, devices=devices, split=split):
                words = [family, "--devices", devices, "--micro-batches", 2 * devices, "--split", split]
                if chunks > 1:
                    words += ["--chunks", chunks]
                if re.fullmatch(r"[\d,]+", split):
                    counts = [int(count) for count in split.split(",")]
                elif "E" in split:
                    counts = [stage.count("t") for stage in megatron_stages(split)]
                else:
                    counts = None
                words += ["--layers", sum(counts) if counts else 6 * devices * chunks]
                text = emitted("megatron", *words)
                flags = dict(re.findall(r"^--([a-z-]+) \"?([^\"\n]+)\"?$", text, re.M))
                layout = flags["pipeline-model-parallel-layout"]
                stages = megatron_stages(layout)
                self.assertEqual(len(stages), devices * chunks)
                check_megatron(stages, devices, int(flags["num-layers"]))
                self.assertEqual(int(flags["pipeline-model-parallel-size"]), devices)
                if counts:
                    self.assertEqual([stage.count("t") for stage in stages], counts)
                # May not stand beside a layout.
                self.assertNotIn("num-layers-per-virtual-pipeline-stage", flags)
                self.assertNotIn("num-virtual-stages-per-pipeline-rank", flags)

    def test_layouts_of_real_runs_are_read(self):
        stages = megatron_stages("Et*3|(tt|)*29,m|L")
        self.assertEqual(len(stages), 32)
        self.assertEqual("".join(stages).count("t"), 61)

    def test_an_order_that_is_megatrons_own_is_that_of_its_table(self):
        for family, devices, chunks, micro_batches in (
            ("1f1b", 4, 1, 8),
            ("interleaved-1f1b", 4, 2, 8),
            ("interleaved-1f1b", 2, 3, 6),
        ):
            with self.subTest(family=family), tempfile.TemporaryDirectory() as folder:
                words = [family, "--devices", devices, "--micro-batches", micro_batches]
                if chunks > 1:
                    words += ["--chunks", chunks]
                text = emitted("megatron", *words)
                self.assertIn("the order is Megatron's own", text)
                found = re.search(r"--microbatch-group-size-per-virtual-pipeline-stage (\d+)", text)
                group = int(found[1]) if found else devices
                emitted("torch", *words, out=folder)
                with open(pathlib.Path(folder) / "schedule.csv", newline="") as file:
                    rows = [[cell for cell in row if cell] for row in csv.reader(file)]
                for rank, row in enumerate(rows):
                    drawn = []
                    for cell in row:
                        stage, kind, mb = re.fullmatch(r"(\d+)([FB])(\d+)", cell).groups()
                        drawn.append((kind, int(stage) // devices, int(mb)))
                    self.assertEqual(drawn, megatron_order(devices, chunks, group, micro_batches, rank))

    def test_the_table_of_its_own_source(self):
        table = [
            (mb, chunk)
            for kind, chunk, mb in megatron_order(2, 2, 3, 5, 0)
            if kind == "F"
        ]
        self.assertEqual([mb for mb, _ in table], [0, 1, 2, 0, 1, 2, 3, 4, 3, 4])
        self.assertEqual([chunk for _, chunk in table], [0, 0, 0, 1, 1, 1, 0, 0, 1, 1])


class PrimusFunction(enum.Enum):
    """Of its scheduler_node.py."""

    F, B, W, BW = "FORWARD", "BACKWARD", "W_GRAD", "BACKWARD_W_GRAD"
    SF, SB, RF, RB = "SEND_FORWARD", "SEND_BACKWARD", "RECV_FORWARD", "RECV_BACKWARD"


@dataclasses.dataclass
class PrimusNode:
    func_type: PrimusFunction
    mini_batch: int
    chunk: int
    args: dict = None
    meta: dict = None

    def __str__(self):
        return f"({self.func_type.name}|{self.mini_batch}|{self.chunk})"


class PrimusAlgorithm(abc.ABC):
    def __init__(self, pp_size, vpp_size, micro_batches):
        self.pp_size, self.vpp_size, self.micro_batches = pp_size, vpp_size, micro_batches

    @abc.abstractmethod
    def generate_schedule_table(self):
        pass

    @abc.abstractmethod
    def direction_map(self, rank, chunk, func_type):
        pass


def primus_class(path):
    """The class of a file, where Primus has put it."""
    base = "primus.core.pipeline_parallel.scheduler"
    names = ["primus", "primus.core", "primus.core.pipeline_parallel", base, f"{base}.algorithms",
             f"{base}.algorithms.base", f"{base}.scheduler_node"]
    modules = {name: types.ModuleType(name) for name in names}
    modules[f"{base}.algorithms.base"].PipelineScheduleAlgo = PrimusAlgorithm
    modules[f"{base}.scheduler_node"].FuncType = PrimusFunction
    modules[f"{base}.scheduler_node"].SchedulerNode = PrimusNode
    sys.modules.update(modules)
    try:
        space = {}
        exec(compile(path.read_text(), str(path), "exec"), space)
    finally:
        for name in names:
            del sys.modules[name]
    return space["SchedulePipewright"]


class Primus(unittest.TestCase):
    SHAPES = [  # family, ranks, chunks, micro-batches
        ("1f1b", 4, 1, 8), ("gpipe", 3, 1, 3), ("zb-h1", 4, 1, 8), ("interleaved-1f1b", 2, 3, 4),
        ("zb-v", 4, 2, 8), ("v-min", 2, 2, 6), ("hanayo", 2, 2, 4), ("1f1b", 1, 1, 2),
    ]

    def test_its_class_makes_the_table_and_every_message_meets_its_other_end(self):
        for family, ranks, chunks, micro_batches in self.SHAPES:
            with self.subTest(family=family), tempfile.TemporaryDirectory() as folder:
                words = ["--chunks", chunks] if family == "interleaved-1f1b" else []
                emitted("primus", family, "--devices", ranks, "--micro-batches", micro_batches, *words, out=folder)
                made = primus_class(pathlib.Path(folder) / "pipewright_schedule.py")
                schedule = made(ranks, chunks, micro_batches)
                table = schedule.generate_schedule_table()
                text = "".join(f"Rank {rank}: {','.join(map(str, row))}\n" for rank, row in enumerate(table))
                self.assertEqual(text, (pathlib.Path(folder) / "primus_table.txt").read_text().split("\n", 1)[1])
                self.check_messages(schedule, table, ranks * chunks * micro_batches)
                with self.assertRaises(ValueError):
                    made(ranks + 1, chunks, micro_batches)

    def test_what_none_of_its_algorithms_does_is_refused(self):
        for words, why in ((("gis", "--devices", 4), "whole backwards only"),
                           (("hanayo", "--devices", 2, "--waves", 2), "another placement")):
            with self.assertRaisesRegex(AssertionError, why):
                emitted("primus", *words, "--micro-batches", 8)

    def check_messages(self, schedule, table, passes):
        """A receive names the rank and chunk whose send names it; and all comes to an end."""
        sent, at = set(), [0] * len(table)
        moved = True
        while moved:
            moved = False
            for rank, row in enumerate(table):
                while at[rank] < len(row):
                    node = row[at[rank]]
                    way = node.func_type.name[-1]
                    if node.func_type.name in ("SF", "SB"):
                        self.assertEqual(node.args["from_pp_rank"], rank)
                        sent.add((way, node.mini_batch, rank, node.chunk, node.args["to_pp_rank"],
                                  node.args["send_to_chunk"]))
                    elif node.func_type.name in ("RF", "RB"):
                        self.assertEqual(node.args["to_pp_rank"], rank)
                        due = (way, node.mini_batch, node.args["from_pp_rank"], node.args["recv_from_chunk"],
                               rank, node.chunk)
                        if due not in sent:
                            break
                        sent.remove(due)
                    at[rank] += 1
                    moved = True
        self.assertEqual(at, [len(row) for row in table], "a receive waits for ever")
        self.assertEqual(sent, set(), "a send that nobody receives")
        kinds = [node.func_type.name for row in table for node in row]
        self.assertEqual(kinds.count("F"), passes)
        self.assertEqual(kinds.count("B") + kinds.count("BW"), passes)
        self.assertEqual(kinds.count("B"), kinds.count("W"))

    def test_the_ways_of_a_v_are_those_of_its_own_base_class(self):
        """base.py: down with chunk 0, back with chunk 1, and a message to itself at the fold."""
        with tempfile.TemporaryDirectory() as folder:
            emitted("primus", "zb-v", "--devices", 4, "--micro-batches", 8, out=folder)
            schedule = primus_class(pathlib.Path(folder) / "pipewright_schedule.py")(4, 2, 8)
        for rank in range(4):
            for chunk in range(2):
                for function in (PrimusFunction.F, PrimusFunction.B):
                    down = chunk == (0 if function is PrimusFunction.F else 1)
                    fold = rank == 3
                    before = (rank - 1 if rank > 0 else None) if down else (rank if fold else rank + 1)
                    behind = (rank if fold else rank + 1) if down else (rank - 1 if rank > 0 else None)
                    ways = schedule.direction_map(rank, chunk, function)
                    self.assertEqual(ways["prev"][0], before)
                    self.assertEqual(ways["next"][0], behind)
                    self.assertEqual(ways["send_to_chunk"], 1 - chunk if down and fold else chunk)
                    self.assertEqual(ways["recv_from_chunk"], 1 - chunk if fold and not down else chunk)
        self.assertEqual((schedule.first_pp_stage_rank(), schedule.last_pp_stage_rank()), (0, 0))


def check_compute_only(rows, stages, micro_batches, rank_of):
    """PyTorch's schedules.py: every stage on its rank, F before its backward, every micro-batch once."""
    seen = {}
    for rank, row in enumerate(rows):
        done = set()
        assert row, "a row without a pass fails in lowering"
        for cell in row:
            for part in re.fullmatch(r"\((.*)\)OVERLAP_F_B", cell)[1].split(";") if cell.startswith("(") else [cell]:
                stage, kind, mb = re.fullmatch(r"(\d+)([FBIW])(\d+)", part).groups()
                key = (int(stage), kind, int(mb))
                assert rank_of(key[0]) == rank, f"{part} on rank {rank}"
                assert key not in done, f"{part} twice"
                if kind in "BI":
                    assert (key[0], "F", key[2]) in done, f"{part} before its forward"
                if kind == "W":
                    assert (key[0], "I", key[2]) in done, f"{part} before its input's gradient"
                done.add(key)
                seen[key[:2]] = seen.get(key[:2], 0) + 1
    for stage in range(stages):
        assert seen.get((stage, "F"), 0) == micro_batches
        assert seen.get((stage, "I"), 0) == seen.get((stage, "W"), 0)
        assert seen.get((stage, "B"), 0) + seen.get((stage, "I"), 0) == micro_batches


class Configurations(unittest.TestCase):
    #: TorchTitan's options of pipelines (torchtitan/config), and what each may be.
    TITAN = {
        "pipeline_parallel_degree": int,
        "module_fqns_per_model_part": list,
        "pipeline_parallel_first_stage_less_layers": int,
        "pipeline_parallel_last_stage_less_layers": int,
        "pipeline_parallel_layers_per_stage": int,
        "pipeline_parallel_schedule": str,
        "pipeline_parallel_schedule_csv": str,
        "num_pp_microbatches": int,
    }
    NEMO = {
        "pp_schedule", "pp_schedule_csv", "pp_microbatch_size", "pp_batch_size", "layers_per_stage",
        "round_virtual_stages_to_pp_multiple", "module_fqns_per_model_part", "scale_grads_in_schedule",
        "pp_recv_buffer_pool", "pp_recv_buffer_pool_slack",
    }
    SHAPES = [  # family, devices, stages a rank, layers
        ("1f1b", 4, 1, 16),
        ("gpipe", 2, 1, 7),
        ("zb-h1", 3, 1, 9),
        ("interleaved-1f1b", 4, 2, 16),
        ("zb-v", 4, 2, 19),
        ("dualpipe-v", 2, 2, 8),
    ]

    def placement(self, name, devices, stages):
        """Where a name puts the stages, whatever the CSV says."""
        if name in ("ZBVZeroBubble", "DualPipeV"):
            self.assertEqual(stages, 2 * devices)
            return lambda stage: min(stage, 2 * devices - 1 - stage)
        if name == "PipelineScheduleMulti":
            return lambda stage: stage % devices
        self.assertIn(name, ("1F1B", "GPipe"))
        self.assertEqual(stages, devices)
        return lambda stage: stage

    @staticmethod
    def titan_options(file):
        """What its function does to a configuration."""
        space = {"__file__": str(file)}
        exec(file.read_text(), space)
        said = types.SimpleNamespace()
        space["apply"](types.SimpleNamespace(parallelism=said))
        return vars(said)

    def check(self, name, modules, file, devices, per_rank, layers, micro_batches):
        stages = devices * per_rank
        parts, (first, layer, norm, head, everywhere) = modules
        self.assertEqual(len(parts), stages)
        for part in parts if everywhere else ():
            self.assertEqual(part.pop(), everywhere)
        modules = [module for part in parts for module in part]
        self.assertEqual(modules, [first, *(layer.format(i) for i in range(layers)), norm, head])
        with open(file, newline="") as read:
            rows = [[cell for cell in row if cell] for row in csv.reader(read)]
        self.assertEqual(len(rows), devices)
        check_compute_only(rows, stages, micro_batches, self.placement(name, devices, stages))

    def test_torchtitan_and_nemo(self):
        for family, devices, per_rank, layers in self.SHAPES:
            for target in ("torchtitan", "nemo"):
                with self.subTest(family=family, target=target), tempfile.TemporaryDirectory() as folder:
                    micro_batches = 2 * devices
                    emitted(target, family, "--devices", devices, "--micro-batches", micro_batches,
                            "--layers", layers, out=folder)
                    place = pathlib.Path(folder)
                    if target == "torchtitan":
                        options = self.titan_options(place / "torchtitan_pipeline.py")
                        for key, value in options.items():
                            self.assertIsInstance(value, self.TITAN[key], key)
                        self.assertEqual(options["pipeline_parallel_degree"], devices)
                        self.assertEqual(options["num_pp_microbatches"], micro_batches)
                        name = options["pipeline_parallel_schedule"]
                        # The name is looked up in PyTorch's table first, and that lacks it.
                        self.assertNotEqual(name, "_PipelineScheduleRuntime")
                        file = options["pipeline_parallel_schedule_csv"]
                        parts = options["module_fqns_per_model_part"]
                        names = ("tok_embeddings", "layers.{}", "norm", "lm_head", None)
                    else:
                        lines = (place / "nemo.yaml").read_text().splitlines()
                        self.assertEqual(lines[2:5], ["distributed:", f"  pp_size: {devices}", "  pipeline:"])
                        options = dict(
                            line.strip().split(": ", 1) for line in lines[5:] if not line.lstrip().startswith("#")
                        )
                        self.assertLessEqual(set(options), self.NEMO)
                        self.assertEqual(
                            int(options["pp_batch_size"]), micro_batches * int(options["pp_microbatch_size"])
                        )
                        name, file = options["pp_schedule"], options["pp_schedule_csv"]
                        # A list of YAML in one line is one of JSON.
                        parts = json.loads(options["module_fqns_per_model_part"])
                        names = ("model.embed_tokens", "model.layers.{}", "model.norm", "lm_head", "model.rotary_emb")
                    self.check(name, (parts, names), place / file, devices, per_rank, layers, micro_batches)


if __name__ == "__main__":
    unittest.main(verbosity=1)
