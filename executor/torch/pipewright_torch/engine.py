# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""One rank's part of a run: its stages, the schedule, and execution after execution."""

import inspect
import os
import tempfile
import time

import torch
import torch.distributed as dist
from torch.distributed.pipelining import PipelineStage
from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime

from . import Cannot, calibrate
from .gpt import Gpt, Shape
from .own import OwnModel, Ties
from .place import exchange_tensors, exchange_values
from .simulate import Costs, inputs
from .watch import DeviceClock, Fault, HostClock, Memory, Watch

CALIBRATING = 4  # executions that are measured, behind one that is not


def model_of(options, plan):
    if options.module:
        return OwnModel(options.module, plan, options.seed)
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
        self.ties = Ties(self.model.shared(), plan, place, options.wrap)
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
        costs = Costs(plan, plan.costs)
        self.patience = options.patience / 1000 or 10 + 3e-9 * sum(
            costs.of(one) for order in plan.orders for e in order for one in e.passes())
        self.told_stuck = False
        self.optimizers = self.optimizers_of()

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
        # A loss is a share of the batch's already.
        schedule = _PipelineScheduleRuntime(self.stages, plan.micro_batches, loss_fn=self.model.loss,
                                            scale_grads=False)
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

    def optimizers_of(self):
        """An optimizer a stage; weights that stages share are stepped once."""
        found, taken = {}, set()
        for s, module in self.modules.items():
            own = [p for p in module.parameters() if p.requires_grad and id(p) not in taken]
            taken.update(id(p) for p in own)
            found[s] = self.optimizer_of(own) if own else None
        return found

    def optimizer_of(self, parameters):
        o = self.options
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
        self.ties.sum_gradients()
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
        messages = [[list(key), size] for key, size in self.watch.message_bytes.items()]
        mine = [executions, messages, list(sizes.items())] if self.place.replica == 0 else None
        told = exchange_values(mine, self.place.control, self.plan.devices * self.place.replicas)
        if self.place.rank != 0:
            return None
        told = [part for part in told if part is not None]
        together = [[tuple(one) for part in told for one in part[0][i]] for i in range(CALIBRATING)]
        message_bytes = {tuple(key): size for part in told for key, size in part[1]}
        return calibrate.tables_of(self.plan, together, message_bytes,
                                   {s: sizes for part in told for s, sizes in part[2]})

    def verify(self):
        """The worst relative error of a gradient of this rank, against the model in one piece."""
        self.execute(0, 0, False)
        mine = {s: [gradient_of(p).clone() for p in m.parameters()] for s, m in self.modules.items()}
        whole = [module.to(self.device) for module in self.model.whole(self.plan.stages)]
        for s, state in self.first_weights().items():
            whole[s].load_state_dict(state)
            whole[s].zero_grad()
        x, y = (part.to(self.device) for part in self.model.batch(self.place.replica))
        m = self.plan.micro_batches
        for xs, ys in zip(x.chunk(m), y.chunk(m)):
            for module in whole:
                xs = module(xs)
            self.model.loss(xs, ys).backward()
        worst = 0.0
        for s, gradients in mine.items():
            for gradient, other in zip(gradients, map(gradient_of, whole[s].parameters())):
                size = other.double().norm().item()
                apart = (gradient.double() - other.double()).norm().item()
                worst = max(worst, apart / size if size else apart)
        return worst

    def first_weights(self):
        """Weights by stage: of all ranks where a model of the user's own need not begin the same twice."""
        mine = {s: m.state_dict() for s, m in self.modules.items()}
        if not self.options.module:
            return mine
        here = {s: {name: value.cpu() for name, value in state.items()} for s, state in mine.items()}
        told = exchange_tensors(here, self.place.control, self.plan.devices * self.place.replicas)
        return {s: state for part in told for s, state in part.items()}

    def iterate(self, iteration):
        step = iteration + self.options.warmup
        self.watch.live = self.tell if self.device.type == "cpu" else None
        losses = self.execute(iteration, step, True)
        self.tell(self.watch.drain(0))
        for stage, optimizer in self.optimizers.items():
            start = self.watch.clock.now()
            if optimizer is not None:
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
        text = words_of(cause)
        return {"t": "error", "rank": rank, "peer": peer, "pass": label,
                "text": f"rank {rank}{' ' + where if where else ''}: {text}"}


def gradient_of(parameter):
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


def words_of(problem):
    """An exception for a person: what PyTorch says of itself, or its type before its words."""
    text = " ".join(str(problem).split())[:400]
    name = type(problem).__name__
    return text if text and isinstance(problem, (Cannot, RuntimeError)) else f"{name}: {text}" if text else name


def traced(folder, device, rank):
    """The profiler over all counted executions; leaves FOLDER/rank<N>.json."""
    from torch.profiler import ProfilerActivity, profile

    kinds = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if device.type == "cuda" else [])
    os.makedirs(folder, exist_ok=True)

    def keep(profiler):
        profiler.export_chrome_trace(os.path.join(folder, f"rank{rank}.json"))

    return profile(activities=kinds), keep
