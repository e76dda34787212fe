# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""One rank's part of a run: its stages, the schedule, and execution after execution."""

import inspect
import os
import sys
import tempfile
import time

import torch
import torch.distributed as dist
from torch.distributed.pipelining import PipelineStage
from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime

from . import Cannot, calibrate
from .gpt import Gpt, Shape
from .simulate import Costs, inputs
from .watch import DeviceClock, Fault, HostClock, Memory, Watch

CALIBRATING = 4  # executions that are measured, behind one that is not


class OwnModel:
    """`--module FILE.py:FUNCTION`: the function is given the number of stages and returns a mapping.

    stages   a list of modules, or a function of the index that makes one
    inputs   a function of the execution and its micro-batches: the whole batch for the first stage
    target   the same for the loss
    loss     a function of the last output and a target: the mean over a micro-batch
    """

    scale_grads = True

    def __init__(self, where, plan):
        path, _, name = where.rpartition(":")
        if not path or not name:
            raise Cannot(f"--module takes FILE.py:FUNCTION, not {where[:60]!r}")
        if not os.path.isfile(path):
            raise Cannot(f"--module: there is no file {path}")
        import importlib.util

        spec = importlib.util.spec_from_file_location("pipewright_own_model", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        build = getattr(module, name, None)
        if not callable(build):
            raise Cannot(f"--module: {path} has no function {name}")
        self.made = build(plan.stages)
        for field in ("stages", "inputs", "target", "loss"):
            if field not in self.made:
                raise Cannot(f"--module: what {name} returns has no {field!r}")
        stages = self.made["stages"]
        if not callable(stages) and len(stages) != plan.stages:
            raise Cannot(f"--module: {name} returns {len(stages)} stages; the schedule has {plan.stages}")
        self.micro_batches, self.where = plan.micro_batches, where

    def stage(self, index):
        stages = self.made["stages"]
        return stages(index) if callable(stages) else stages[index]

    def batch(self, step):
        return self.made["inputs"](step, self.micro_batches), self.made["target"](step, self.micro_batches)

    def loss(self, output, target):
        return self.made["loss"](output, target)

    def total_loss(self, losses):
        return float(sum(loss.item() for loss in losses) / len(losses))

    def settings(self):
        return {"module": self.where}


def model_of(options, plan):
    if options.module:
        return OwnModel(options.module, plan)
    if options.backend == "emulated":
        model = Gpt(options, plan)
        model.shape = Shape(plan.stages, 8, 1, 4, 16, 1)
        model.split = [1] * plan.stages
        return model
    return Gpt(options, plan)


class Engine:
    def __init__(self, options, plan, place, say):
        """@param place  Place of this rank; @param say  takes objects of the wire"""
        self.options, self.plan, self.place, self.say = options, plan, place, say
        self.device = place.torch_device
        self.model = model_of(options, plan)
        self.entry_of = {}
        for device, order in enumerate(plan.orders):
            for i, entry in enumerate(order):
                for one in entry.passes():
                    self.entry_of[one.kind, one.stage, one.micro_batch] = (
                        plan.first_entry[device] + i, entry.label())
        mine = plan.stages_of(place.device)
        if self.device.type == "cpu":
            torch.set_num_threads(options.threads)
        if options.tf32:
            torch.backends.cuda.matmul.allow_tf32 = True
        self.modules = {s: self.model.stage(s).to(self.device) for s in mine}
        self.memory = Memory(self.device, 2 if options.optimizer == "adamw" else 1)
        for s, module in self.modules.items():
            self.memory.size(s, module)
        self.stages = [PipelineStage(self.wrapped(self.modules[s]), s, plan.stages, self.device,
                                     group=place.pipeline_group) for s in mine]
        self.schedule = self.schedule_of()
        clock = (DeviceClock if self.device.type == "cuda" else HostClock)(place.base, place.offset)
        faults = [Fault.parse(options.inject)] if options.inject else []
        self.watch = Watch(self.schedule, self.stages, clock, self.memory, faults)
        if options.backend == "emulated":
            self.watch.pace = Costs(plan, plan.costs)
        # Longer than any pass that goes on: the first ones make connections and buffers.
        self.patience = options.patience / 1000 or 10 + 3e-9 * sum(
            Costs(plan, plan.costs).of(one) for order in plan.orders for e in order for one in e.passes())
        self.told_stuck = False
        self.optimizers = {s: self.optimizer_of(module) for s, module in self.modules.items()}

    def wrapped(self, module):
        wrap = self.options.wrap
        if wrap == "ddp":
            return torch.nn.parallel.DistributedDataParallel(module, process_group=self.place.data_group)
        if wrap == "fsdp":
            from torch.distributed.fsdp import fully_shard

            return fully_shard(module, mesh=self.place.data_mesh)
        return module

    def schedule_of(self):
        plan = self.plan
        schedule = _PipelineScheduleRuntime(self.stages, plan.micro_batches, loss_fn=self.model.loss,
                                            scale_grads=self.model.scale_grads)
        placement = dict(enumerate(plan.placement))
        schedule.stage_index_to_group_rank = placement
        for stage in self.stages:
            stage.stage_index_to_group_rank = placement
        with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as file:
            file.write(plan.csv())
            file.flush()
            try:
                schedule._load_csv(file.name, "compute_only")
            except Exception as problem:
                raise Cannot(f"PyTorch's runtime refuses the order: {problem}") from None
        if self.options.dump and self.place.rank == 0:
            schedule._dump_csv(self.options.dump)
        return schedule

    def optimizer_of(self, module):
        o = self.options
        parameters = list(module.parameters())
        if o.optimizer == "sgd":
            return torch.optim.SGD(parameters, lr=o.learning_rate, momentum=o.momentum)
        groups = [{"params": [p for p in parameters if p.dim() > 1], "weight_decay": o.weight_decay},
                  {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0}]
        return torch.optim.AdamW([g for g in groups if g["params"]], lr=o.learning_rate,
                                 betas=(0.9, 0.99), eps=1e-8)

    def execute(self, iteration, step, recording):
        """The whole schedule once; losses of all micro-batches where the last stage is."""
        for module in self.modules.values():
            module.zero_grad()
        x, y = self.model.batch(step * self.place.replicas + self.place.replica)
        args = (x.to(self.device),) if 0 in self.modules else ()
        more = {}
        if self.plan.stages - 1 in self.modules:
            more = {"target": y.to(self.device), "losses": []}
        dist.barrier(group=self.place.control)
        self.watch.begin(iteration, recording)
        if "return_outputs" in inspect.signature(self.schedule.step).parameters:  # newer than 2.8
            more["return_outputs"] = False
        self.schedule.step(*args, **more)
        return more.get("losses")

    def set_up(self):
        """Connections and buffers; and what autograd keeps of every stage. Nothing is learnt."""
        self.watch.measure_kept = True
        self.execute(0, 0, False)
        self.watch.measure_kept = False
        self.say({"t": "bytes", "list": [[*key, size] for key, size in self.watch.message_bytes.items()]})

    def measure(self):
        """Costs of this order here: at rank 0 tables for a project, elsewhere nothing."""
        executions = []
        for i in range(CALIBRATING + 1):
            self.execute(i, 0, True)
            passes = [(t.kind, t.stage, t.micro_batch, t.start, t.end) for t, _ in self.watch.drain(0)]
            if i > 0:
                executions.append(passes)
        states = self.memory.states
        sizes = {s: [w := sum(p.nbytes for p in m.parameters()), w, states * w, self.memory.kept[s]]
                 for s, m in self.modules.items()}
        mine = (executions, self.watch.message_bytes, sizes) if self.place.replica == 0 else None
        told = [None] * (self.plan.devices * self.place.replicas) if self.place.rank == 0 else None
        dist.gather_object(mine, told, dst=0, group=self.place.control)
        if told is None:
            return None
        told = [part for part in told if part is not None]
        together = [[one for part in told for one in part[0][i]] for i in range(CALIBRATING)]
        message_bytes = {k: v for part in told for k, v in part[1].items()}
        return calibrate.tables_of(self.plan, together, message_bytes,
                                   {s: v for part in told for s, v in part[2].items()})

    def verify(self):
        """The worst relative error of a gradient of this rank, against the model in one piece."""
        self.execute(0, 0, False)
        mine = {s: [p.grad.clone() for p in m.parameters()] for s, m in self.modules.items()}
        whole = [self.model.stage(s).to(self.device) for s in range(self.plan.stages)]
        for s, module in self.modules.items():
            whole[s].load_state_dict(module.state_dict())
        x, y = (part.to(self.device) for part in self.model.batch(self.place.replica))
        m = self.plan.micro_batches
        for xs, ys in zip(x.chunk(m), y.chunk(m)):
            for module in whole:
                xs = module(xs)
            (self.model.loss(xs, ys) / (m if self.model.scale_grads else 1)).backward()
        worst = 0.0
        for s, gradients in mine.items():
            for gradient, other in zip(gradients, (p.grad for p in whole[s].parameters())):
                size = other.double().norm().item()
                apart = (gradient.double() - other.double()).norm().item()
                worst = max(worst, apart / size if size else apart)
        return worst

    def iterate(self, iteration):
        step = iteration + self.options.warmup
        self.watch.live = self.tell if self.device.type == "cpu" else None
        losses = self.execute(iteration, step, True)
        self.tell(self.watch.drain(0))
        for stage, optimizer in self.optimizers.items():
            start = self.watch.clock.now()
            optimizer.step()
            if self.device.type == "cuda":
                torch.cuda.synchronize()
            end = self.watch.clock.now()
            self.say({"t": "pass", "label": f"PP:{stage}U0", "it": iteration, "step": step,
                      "rank": self.place.device, "entry": self.plan.update_entries.get(stage, -1),
                      "kind": "U", "stage": stage, "mb": 0, "start": start, "end": end})
        if losses is not None:
            self.say({"t": "loss", "step": step, "loss": self.model.total_loss(losses)})

    def tell(self, timed):
        for one, memory in timed:
            entry, label = self.entry_of[one.kind, one.stage, one.micro_batch]
            common = {"it": self.watch.iteration, "rank": self.place.device}
            self.say({"t": "pass", "label": label, **common, "step": self.watch.iteration + self.options.warmup,
                      "entry": entry, "kind": one.kind, "stage": one.stage, "mb": one.micro_batch,
                      "start": one.start, "end": one.end},
                     {"t": "memory", **common, "time": one.end, "bytes": memory})

    def stuck(self):
        """An error, once, where a pass has taken longer than the patience."""
        at_hand, took = self.watch.at_hand, time.monotonic() - self.watch.since
        if at_hand is None or took < self.patience or self.told_stuck:
            return None
        self.told_stuck = True
        label = self.entry_of[at_hand][1]
        return {"t": "error", "rank": self.place.device, "peer": -1, "pass": label,
                "text": f"rank {self.place.device} has been in {label} for {took:.1f} s; the patience is "
                        f"{self.patience:.1f} s"}

    def fault(self, problem):
        """What went wrong, in a sentence with rank, pass and peer."""
        rank, peer, label, where = self.place.device, -1, "", ""
        if self.watch.at_hand is not None:
            label = self.entry_of[self.watch.at_hand][1]
            where = f"in {label}"
        else:
            flat = [(entry, one) for entry in self.plan.orders[rank] for one in entry.passes()]
            if self.watch.done < len(flat):
                entry, one = flat[self.watch.done]
                label = entry.label()
                peers = [self.plan.placement[need[1]] for need in inputs(one, self.plan.stages)]
                peer = peers[0] if peers and peers[0] != rank else -1
                where = f"before {label}" + (f", whose input comes from rank {peer}" if peer >= 0 else "")
        cause = problem.__cause__ or problem
        text = " ".join(str(cause).split())[:400] or type(cause).__name__
        return {"t": "error", "rank": rank, "peer": peer, "pass": label,
                "text": f"rank {rank}{' ' + where if where else ''}: {text}"}


def traced(folder, device, rank):
    """The profiler over all counted executions; leaves FOLDER/rank<N>.json."""
    from torch.profiler import ProfilerActivity, profile

    kinds = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if device.type == "cuda" else [])
    os.makedirs(folder, exist_ok=True)

    def keep(profiler):
        profiler.export_chrome_trace(os.path.join(folder, f"rank{rank}.json"))

    return profile(activities=kinds), keep
