# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Runs the engines' own functions against what emits.py wrote: engines.py ENGINES EMITS

ENGINES has checkouts as folders: torchtitan, Automodel, Megatron-LM, Primus, Hetu-Galvatron, and Megatron-LM-5318 and -5329, the heads of
these pull requests, which take losses and multi-token layers on several stages. Their functions are taken from their files as
they stand, one by one, so that nothing that these import has to be installed. Prints a line for each engine.
"""

import ast
import collections
import copy
import enum
import functools
import importlib
import json
import logging
import os
import pathlib
import re
import sys
import types

ENGINES = pathlib.Path(sys.argv[1])


class Missing(Exception):
    """A source, or PyTorch, is not here."""


def tree_of(path):
    file = ENGINES / path
    if not file.is_file():
        raise Missing(f"there is no {file}")
    return ast.parse(file.read_text())


def taken(path, names, given):
    """Functions and classes of a file by name, wherever they are in it, with `given` as what they import."""
    found = {node.name: node for node in ast.walk(tree_of(path))
             if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in names}
    if lacking := set(names) - set(found):
        raise AssertionError(f"{path} has no {', '.join(lacking)} any more")
    space = dict(given)
    for name in names:
        found[name].decorator_list = [one for one in found[name].decorator_list
                                      if isinstance(one, ast.Name) and one.id == "staticmethod"]
        exec(compile(ast.Module([found[name]], []), path, "exec"), space)
    return space


def fields_of(path, name):
    node = next(one for one in ast.walk(tree_of(path)) if isinstance(one, ast.ClassDef) and one.name == name)
    return {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}


def torch_parts():
    try:
        import torch  # noqa: F401
        from torch import nn
        from torch.distributed.pipelining import schedules
    except ImportError as problem:
        raise Missing(f"there is no PyTorch with its pipelining: {problem}") from None
    return nn, schedules


def stages_of_rows(rows):
    return [sorted({int(re.match(r"\(?(\d+)", cell)[1]) for cell in row}) for row in rows]


def check_table(schedules, case, rows):
    """PyTorch's own reader and checker."""
    order = {rank: [schedules._Action.from_str(cell) for cell in row] for rank, row in enumerate(rows)}
    schedules._validate_schedule(order, case["devices"], len(case["layers"]), case["micro_batches"])


def check_parts(case, parts, keep, names):
    """@param keep  of a list of names, what an engine keeps of the model; names: embedding, layer, norm, head"""
    first, layer, norm, head = names
    number = 0
    assert len(parts) == len(case["layers"])
    for stage, count in enumerate(case["layers"]):
        last = stage + 1 == len(parts)
        expected = ({first} if stage == 0 else set()) | {layer.format(number + i) for i in range(count)} | \
            ({norm, head} if last else set())
        number += count
        assert keep(parts[stage]) == expected, (stage, keep(parts[stage]), expected)


def leaves(module, head=""):
    found = set()
    for name, child in module.named_children():
        full = f"{head}{name}"
        if type(child).__name__ in ("ModuleList", "ModuleDict", "Inner"):
            found |= leaves(child, full + ".")
        elif child is not None:
            found.add(full)
    return found


def with_number(nn, module):
    """Layers know their numbers, which lists of PyTorch count anew."""
    return {re.sub(r"layers\.\d+$", "layers." + str(one.number), name) if hasattr(one, "number") else name
            for name, one in ((name, module.get_submodule(name)) for name in leaves(module))}


def layer_of(nn, number):
    layer = nn.Identity()
    layer.number = number
    return layer


class Engine:
    def where(self):
        """Which of several checkouts were asked."""
        return ""


class TorchTitan(Engine):
    def __init__(self):
        nn, schedules = torch_parts()
        self.nn, self.schedules = nn, schedules
        path = "torchtitan/torchtitan/distributed/pipeline_parallel.py"
        given = {"nn": nn, "copy": copy, "ModuleDict": nn.ModuleDict, "ModuleList": nn.ModuleList, **vars(schedules)}
        self.its = taken(path, ["_split_module", "_get_pp_rank_to_stage_indices_mapping"], given)
        self.options = fields_of("torchtitan/torchtitan/config/configs.py", "ParallelismConfig")

    def check(self, case, folder):
        space = {"__file__": str(folder / "torchtitan_pipeline.py")}
        exec((folder / "torchtitan_pipeline.py").read_text(), space)
        said = types.SimpleNamespace()
        space["apply"](types.SimpleNamespace(parallelism=said))
        assert set(vars(said)) <= self.options, set(vars(said)) - self.options
        self.check_said(case, said.pipeline_parallel_schedule, said.pipeline_parallel_schedule_csv,
                        said.module_fqns_per_model_part, said.pipeline_parallel_degree, said.num_pp_microbatches)

    def check_said(self, case, name, file, parts, degree, micro_batches):
        assert (degree, micro_batches) == (case["devices"], case["micro_batches"])
        rows = [line.split(",") for line in pathlib.Path(file).read_text().split()]
        rows = [[cell for cell in row if cell] for row in rows]
        check_table(self.schedules, case, rows)
        for rank, stages in enumerate(stages_of_rows(rows)):
            mine = self.its["_get_pp_rank_to_stage_indices_mapping"](rank, degree, name, len(case["layers"]))
            assert sorted(mine) == stages, (name, rank, mine, stages)
        check_parts(case, parts, self.kept, ("tok_embeddings", "layers.{}", "norm", "lm_head"))

    def kept(self, names):
        model, count = self.nn.Module(), 64
        model.tok_embeddings, model.norm, model.lm_head = (self.nn.Identity() for _ in range(3))
        model.layers = self.nn.ModuleList([layer_of(self.nn, i) for i in range(count)])
        return with_number(self.nn, self.its["_split_module"](model, names))


class Nemo(TorchTitan):
    def __init__(self):
        super().__init__()
        path = "Automodel/nemo_automodel/components/distributed/pipelining/"
        self.process = next(one for one in ast.walk(tree_of(path + "functional.py"))
                            if isinstance(one, ast.FunctionDef) and one.name == "_process_module")
        self.options = fields_of(path + "config.py", "PipelineConfig")

    def check(self, case, folder):
        lines = [line for line in (folder / "nemo.yaml").read_text().splitlines() if not line.lstrip().startswith("#")]
        assert lines[0] == "distributed:" and lines[2] == "  pipeline:", lines[:3]
        said = dict(line.strip().split(": ", 1) for line in lines[3:])
        assert set(said) <= self.options, set(said) - self.options
        self.check_said(case, said["pp_schedule"], folder / said["pp_schedule_csv"],
                        ast.literal_eval(said["module_fqns_per_model_part"]), int(lines[1].split()[1]),
                        int(said["pp_batch_size"]) // int(said["pp_microbatch_size"]))

    def kept(self, names):
        nn = self.nn

        class Inner(nn.Module):
            pass

        model, inner = nn.Module(), Inner()
        inner.embed_tokens, inner.norm, inner.rotary_emb, model.lm_head = (nn.Identity() for _ in range(4))
        inner.layers, model.model = nn.ModuleList([layer_of(nn, i) for i in range(64)]), inner
        space = {"nn": nn, "modules_to_keep": set(names)}
        exec(compile(ast.Module([copy.deepcopy(self.process)], []), "nemo", "exec"), space)
        space["_process_module"](model)
        kept = leaves(model)
        assert "model.rotary_emb" in kept, kept  # every stage turns positions by itself
        return kept - {"model.rotary_emb"}

    def check_said(self, case, *said):
        layers = ("model.embed_tokens", "model.layers.{}", "model.norm", "lm_head")
        plain, globals()["check_parts"] = check_parts, lambda one, parts, keep, _: plain_parts(one, parts, keep, layers)
        try:
            super().check_said(case, *said)
        finally:
            globals()["check_parts"] = plain


plain_parts = check_parts


class Megatron(Engine):
    def __init__(self):
        folder = "Megatron-LM/megatron/core/"
        kinds = taken(folder + "transformer/enums.py", ["LayerType"], {"enum": enum})
        self.given = {"LayerType": kinds["LayerType"], "copy": copy, "re": re, "lru_cache": functools.lru_cache,
                      "Optional": __import__("typing").Optional, "logger": logging.getLogger("megatron"),
                      "parallel_state": None, "logging": logging}
        self.layout = self.layout_of("Megatron-LM")
        self.asked = collections.Counter()
        self.its = taken(folder + "pipeline_parallel/schedules.py", ["get_schedule_table", "get_pp_rank_microbatches"],
                         {"Optional": __import__("typing").Optional, "P2PCommunicator": object})

    def where(self):
        return "; " + ", ".join(f"{count} read by {name}" for name, count in sorted(self.asked.items()))

    def layout_of(self, checkout):
        path = checkout + "/megatron/core/transformer/pipeline_parallel_layer_layout.py"
        return taken(path, ["PipelineParallelLayerLayout"], self.given)["PipelineParallelLayerLayout"]

    def stages_of(self, text, said, ranks):
        """The stages of a layout, as the Megatron reads it that the file names; the main line must refuse the others."""
        request = re.search(r"pull request (\d+)", text)
        given, tokens = said["--pipeline-model-parallel-layout"].strip('"'), said.get("--mtp-num-layers")
        counts = int(said["--num-layers"]), int(tokens) if tokens else None
        if request:
            try:
                self.layout(given, ranks).validate_layer_layout(*counts)
            except AssertionError:
                pass
            else:
                raise AssertionError(f"the main line takes {given}, and it is said that it does not")
        checkout = f"Megatron-LM-{request[1]}" if request else "Megatron-LM"
        layout = (self.layout_of(checkout) if request else self.layout)(given, ranks)
        layout.validate_layer_layout(*counts)
        self.asked[checkout] += 1
        return layout.layout

    def order(self, rank, case, group, overlap):
        group_of = types.SimpleNamespace(size=lambda: case["devices"], rank=lambda: rank)
        channel = types.SimpleNamespace(pp_group=group_of, virtual_pipeline_model_parallel_size=(
            case["chunks"] if case["chunks"] > 1 else None))
        total, _, warm, _ = self.its["get_pp_rank_microbatches"](
            case["micro_batches"], case["chunks"], group, overlap_moe_expert_parallel_comm=overlap,
            p2p_communicator=channel)
        table = self.its["get_schedule_table"](case["micro_batches"], case["chunks"], group)
        forwards = [f"{chunk * case['devices'] + rank}F{one}" for one, chunk in table]
        backwards = [f"{(case['chunks'] - 1 - chunk) * case['devices'] + rank}B{one}" for one, chunk in table]
        order = forwards[:warm]
        for i in range(warm, total):
            order += [forwards[i], backwards[i - warm]]
        return order + backwards[total - warm:]

    def check(self, case, folder):
        text = (folder / "megatron.args").read_text()
        said = dict((line.split(" ", 1) + [""])[:2] for line in text.splitlines() if line.startswith("--"))
        layout = self.stages_of(text, said, case["devices"])
        flat = [[kind.name for kind in layout[stage % case["devices"]][stage // case["devices"]]]
                for stage in range(len(case["layers"]))]
        for kind, letter in (("decoder", "t"), ("mtp", "m"), ("loss", "L")):
            assert [row.count(kind) for row in flat] == [part.count(letter) for part in case["layout"].split("|")], flat
        if case["order"] is None:
            return
        group = int(said.get("--microbatch-group-size-per-virtual-pipeline-stage", case["devices"]))
        drawn = [[one for cell in row for one in (cell[1:cell.index(")")].split(";") if cell[0] == "(" else [cell])]
                 for row in case["order"]]
        own = all(self.order(rank, case, group, "--overlap-moe-expert-parallel-comm" in said) == row
                  for rank, row in enumerate(drawn))
        assert own == ("the order is Megatron's own" in text), text


class Primus(Engine):
    def __init__(self):
        place = "primus.core.pipeline_parallel.scheduler"
        path = ENGINES / "Primus/primus/core/pipeline_parallel/scheduler"
        if not path.is_dir():
            raise Missing(f"there is no {path}")
        for name in ("primus", "primus.core", "primus.core.utils", "primus.core.pipeline_parallel", place):
            module = types.ModuleType(name)
            module.__path__ = [str(ENGINES / "Primus" / name.replace(".", "/"))]
            sys.modules[name] = module
        utils = types.ModuleType("primus.core.utils.module_utils")
        utils.log_rank_0 = print
        sys.modules["primus.core.utils.module_utils"] = utils
        self.factory = importlib.import_module(place + ".schedule_table_factory")
        launcher = "Primus/primus/backends/megatron/core/pipeline_parallel/primuspipe/pipeline_launcher.py"
        node = next(one for one in ast.walk(tree_of(launcher)) if isinstance(one, ast.FunctionDef)
                    and one.name == "__init__")
        self.init = compile(ast.Module([node], []), launcher, "exec")

    def launched(self, name, case):
        """The launcher's own checks of a name."""
        state = types.SimpleNamespace(get_pipeline_model_parallel_world_size=lambda: case["devices"],
                                      get_virtual_pipeline_model_parallel_world_size=lambda: case["chunks"],
                                      get_pipeline_model_parallel_rank=lambda: 0)
        space = {"parallel_state": state, "get_args": lambda: types.SimpleNamespace(pp_algorithm=name),
                 "megatron_primuspipe_handler_dict": {}, "ScheduleRunner": lambda *_: None, "set_streams": lambda: None,
                 "Optional": __import__("typing").Optional}
        exec(self.init, space)
        space["__init__"](types.SimpleNamespace())

    @staticmethod
    def peers(said):
        """Without a peer its chunk says nothing."""
        return (said["prev"], said["prev"][0] is not None and said["recv_from_chunk"],
                said["next"], said["next"][0] is not None and said["send_to_chunk"])

    def check(self, case, folder):
        text = (folder / "pipewright_schedule.py").read_text()
        name = re.search(r"`pp_algorithm: ([\w-]+)`", text)[1]
        self.launched(name, case)
        space = {"__name__": "pipewright_schedule"}
        exec(compile(text, "pipewright_schedule", "exec"), space)
        theirs = self.factory.pp_algorithm_map[name](case["devices"], case["chunks"], max(case["micro_batches"],
                                                                                        2 * case["devices"]))
        kept = dict(self.factory.pp_algorithm_map)
        self.factory._schedule_instance_cache.clear()
        self.factory.pp_algorithm_map[name] = space["SchedulePipewright"]
        try:
            made = self.factory.produce_schedule_instance(name, case["devices"], case["chunks"], case["micro_batches"])
        finally:
            self.factory.pp_algorithm_map.update(kept)
        kind = sys.modules["primus.core.pipeline_parallel.scheduler.scheduler_node"].FuncType
        for rank in range(case["devices"]):  # what surrounds a stage is where theirs has it
            for chunk in range(case["chunks"]):
                for way in (kind.F, kind.BW if name.startswith("1f1b") else kind.B):
                    ours, own = (self.peers(one.direction_map(rank, chunk, way)) for one in (made, theirs))
                    assert ours == own, (rank, chunk, way, ours, own)
        assert (made.first_pp_stage_rank(), made.last_pp_stage_rank()) == \
            (theirs.first_pp_stage_rank(), theirs.last_pp_stage_rank())
        counts = collections.Counter(node.func_type.name for row in made.generate_schedule_table() for node in row)
        passes = len(case["layers"]) * case["micro_batches"]
        assert counts["F"] == passes and counts["B"] + counts["BW"] == passes, counts
        assert counts["SF"] == counts["RF"] == counts["SB"] == counts["RB"] == passes - case["micro_batches"], counts


class Galvatron(Engine):
    def __init__(self):
        here = "Hetu-Galvatron/galvatron/"
        read = taken(here + "utils/config_utils.py", ["str2array", "read_json_config", "config2strategy"],
                     {"os": os, "json": json})
        self.world = types.SimpleNamespace(get_world_size=lambda: self.devices)
        path = here + "core/runtime/hybrid_parallel_config.py"
        names = ["get_pp_ranks_enc", "print_hp_config", "print_hp_configs", "check_hp_config",
                 "get_hybrid_parallel_configs_api"]
        self.its = taken(path, names, {**read, "torch": types.SimpleNamespace(distributed=self.world),
                                       "GalvatronRuntimeArgs": object, "GalvatronParallelArgs": object,
                                       "GalvatronModelArgs": object})

    def check(self, case, folder):
        self.devices = case["devices"]
        said = types.SimpleNamespace
        parallel = said(galvatron_config_path=str(folder / "galvatron.json"), pipeline_type="", default_dp_type="",
                        vocab_sdp=1)
        args = said(local_rank=1, parallel=parallel, model=said(num_layers=sum(case["layers"]), is_moe_model=False),
                    train=said(chunks=0, global_batch_size=0), ckpt=said(distributed_checkpoint=False))
        read = self.its["get_hybrid_parallel_configs_api"](args)
        self.its["check_hp_config"](read, case["layers"])
        assert read["pp_division"] == case["layers"], read["pp_division"]
        assert (parallel.pp_deg, args.train.chunks) == (case["devices"], case["micro_batches"])
        assert parallel.pipeline_type == {"1f1b": "pipedream_flush", "gpipe": "gpipe"}[case["family"]] or \
            case["micro_batches"] == 1, parallel.pipeline_type


def refusals(cases):
    """Why we refuse, without the numbers of the case."""
    reasons = (case["refused"].removeprefix("pipewright convert: ") for case in cases if case["refused"])
    return collections.Counter(re.sub(r"\d+", "N", why) for why in reasons)


def main():
    cases = [(json.loads(file.read_text()), file.parent) for file in
             sorted(pathlib.Path(sys.argv[2]).glob("*/case.json"))]
    bad = ran = 0
    for target, kind in (("torchtitan", TorchTitan), ("nemo", Nemo), ("megatron", Megatron), ("primus", Primus),
                         ("galvatron", Galvatron)):
        mine = [(case, folder) for case, folder in cases if case["target"] == target]
        emitted = [(case, folder) for case, folder in mine if not case["refused"]]
        if mine and not emitted:
            bad += 1
            print(f"    {target}: everything is refused by us, at last: {mine[-1][0]['refused']}")
        try:
            engine = kind()
        except Missing as why:
            print(f"{target:12} COULD NOT BE RUN: {why}; {len(emitted)} emits unchecked")
            continue
        wrong, unchecked = 0, collections.Counter()
        for case, folder in emitted:
            try:
                engine.check(case, folder)
            except Missing as why:
                unchecked[str(why)] += 1
            except Exception as problem:  # whatever their code raises is what there is to tell
                wrong += 1
                print(f"    {target} {' '.join(case['words'])} {case['layout']}: {type(problem).__name__}: "
                      f"{str(problem)[:300]}")
        asked = len(emitted) - sum(unchecked.values())
        bad, ran = bad + wrong, ran + asked
        print(f"{target:12} {asked - wrong} emits taken by its own functions, {wrong} not; {len(mine) - len(emitted)} "
              f"refused by us{engine.where()}")
        for why, count in unchecked.items():
            print(f"    {count} COULD NOT BE CHECKED: {why}")
        for why, count in refusals(case for case, _ in mine).most_common():
            print(f"    {count} times: {why}")
    print(f"{ran} emits checked, {bad} wrong")
    sys.exit(1 if bad else 77 if ran == 0 else 0)


if __name__ == "__main__":
    main()
