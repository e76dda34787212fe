# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A model of the user's own: `--module FILE.py:FUNCTION`, and weights that its stages share."""

import collections.abc
import copy
import importlib.util
import os
import sys
import traceback

import torch
import torch.distributed as dist
from torch import nn

from . import Cannot

FIELDS = ("stages", "inputs", "target", "loss")


class OwnModel:
    """`--module FILE.py:FUNCTION`: the function is given the number of stages and returns a mapping.

    stages   a list of modules, or a function of the index that makes one; modules of a list may share weights
    inputs   a function of the execution and its micro-batches: the whole batch for the first stage
    target   the same for the loss
    loss     a function of the last output and a target: the mean over a micro-batch
    """

    def __init__(self, where, plan, seed):
        path, _, self.name = where.rpartition(":")
        if not path or not self.name:
            raise Cannot(f"--module takes FILE.py:FUNCTION, not {where[:60]!r}")
        if not os.path.isfile(path):
            raise Cannot(f"--module: there is no file {path}")
        self.path, self.where, self.seed = os.path.abspath(path), where, seed
        self.micro_batches = plan.micro_batches
        torch.manual_seed(seed)  # all ranks begin with the same weights
        build = getattr(self.tried(os.path.basename(path), self.load), self.name, None)
        if not callable(build):
            raise Cannot(f"--module: {path} has no function {self.name}")
        self.made = self.tried(self.name, build, plan.stages)
        self.check(plan.stages)

    def load(self):
        spec = importlib.util.spec_from_file_location("pipewright_own_model", self.path)
        if spec is None:
            raise Cannot(f"--module: {self.path} is no Python file; its name ends with .py")
        sys.path.insert(0, os.path.dirname(self.path))  # it may import what lies beside it
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

    def check(self, stages):
        if not isinstance(self.made, collections.abc.Mapping):
            raise Cannot(f"--module: {self.name} returns {kind(self.made)}; it returns a dict with "
                         f"{', '.join(FIELDS)}")
        for field in FIELDS:
            if field not in self.made:
                raise Cannot(f"--module: what {self.name} returns has no {field!r}")
        for field in FIELDS[1:]:
            if not callable(self.made[field]):
                raise Cannot(f"--module: {field!r} of {self.name} is {kind(self.made[field])}; it is a function")
        given = self.made["stages"]
        # A ModuleList can be called too, and is a list all the same.
        self.listed = isinstance(given, (list, tuple, nn.ModuleList, nn.Sequential))
        if not self.listed and (not callable(given) or isinstance(given, nn.Module)):
            raise Cannot(f"--module: 'stages' of {self.name} is {kind(given)}; it is a list of modules or a "
                         "function of the stage's index")
        if self.listed and len(given) != stages:
            raise Cannot(f"--module: {self.name} returns {len(given)} stages; the schedule has {stages}")

    def tried(self, what, work, *arguments):
        """What the user's own code returns; what it raises is told with its line."""
        try:
            return work(*arguments)
        except Cannot:
            raise
        except (Exception, SystemExit) as problem:
            line = problem.lineno if isinstance(problem, SyntaxError) else None
            for frame in traceback.extract_tb(problem.__traceback__):
                if os.path.abspath(frame.filename) == self.path:
                    line = frame.lineno
            words = problem.msg if isinstance(problem, SyntaxError) else str(problem)
            words = " ".join(words.split())[:300]
            at = f" in line {line} of {os.path.basename(self.path)}" if line else ""
            raise Cannot(f"--module: {what} raises {type(problem).__name__}{at}"
                         + (f": {words}" if words else "")) from None

    def stage(self, index):
        if self.listed:
            module = self.made["stages"][index]
        else:
            torch.manual_seed(self.seed + index)  # the same on every rank that makes it
            module = self.tried(f"stage {index} of {self.name}", self.made["stages"], index)
        if not isinstance(module, nn.Module):
            raise Cannot(f"--module: stage {index} of {self.name} is {kind(module)}; it is a torch.nn.Module")
        if not any(p.requires_grad for p in module.parameters()):
            raise Cannot(f"--module: stage {index} of {self.name} has no weights to train; PyTorch's runtime "
                         "wants some in every stage")
        return module

    def whole(self, stages):
        """All stages, apart from those that are trained; what they share, they still share."""
        if self.listed:
            return copy.deepcopy(list(self.made["stages"]))
        return [self.stage(s) for s in range(stages)]

    def shared(self):
        """Of every parameter that more than one stage has: (the parameter, those stages)."""
        uses = {}
        for s, module in enumerate(self.made["stages"] if self.listed else ()):
            for parameter in module.parameters() if isinstance(module, nn.Module) else ():
                uses.setdefault(id(parameter), (parameter, []))[1].append(s)
        return [(parameter, stages) for parameter, stages in uses.values() if len(stages) > 1]

    def batch(self, step):
        return self.half("inputs", step), self.half("target", step)

    def half(self, field, step):
        tensor = self.tried(field, self.made[field], step, self.micro_batches)
        if not torch.is_tensor(tensor):
            raise Cannot(f"--module: {field!r} gives {kind(tensor)}; it gives a tensor, the whole batch")
        rows = len(tensor) if tensor.dim() else 0
        if rows == 0 or rows % self.micro_batches:
            raise Cannot(f"--module: {field!r} gives {rows} rows, which do not make "
                         f"{self.micro_batches} equal micro-batches")
        return tensor

    def loss(self, output, target):
        """Of a micro-batch, as its share of the mean over the batch."""
        loss = self.tried("loss", self.made["loss"], output, target)
        if not torch.is_tensor(loss) or loss.numel() != 1:
            shape = f"a tensor of shape {tuple(loss.shape)}" if torch.is_tensor(loss) else kind(loss)
            raise Cannot(f"--module: 'loss' gives {shape}; it gives one number, the mean over a micro-batch")
        return loss.reshape(()) / self.micro_batches

    def total_loss(self, losses):
        return float(sum(loss.item() for loss in losses))

    def settings(self):
        return {"module": self.where}


def kind(value):
    return "None" if value is None else f"of type {type(value).__name__}"


class Ties:
    """Weights that stages of different ranks share: their gradients are summed over those ranks."""

    def __init__(self, shared, plan, place, wrap):
        """Called by all ranks together. @param shared  see OwnModel.shared"""
        if shared and wrap:
            raise Cannot(f"--wrap {wrap}: stages {' and '.join(map(str, shared[0][1]))} share weights, and "
                         "what wraps a stage would hold them twice")
        self.parts = []  # (group, first rank, parameters) where this rank has some
        apart = {}
        for parameter, stages in shared:
            ranks = tuple(sorted({plan.placement[s] for s in stages}))
            if len(ranks) > 1:
                apart.setdefault(ranks, []).append(parameter)
        for ranks, parameters in sorted(apart.items()):
            group = dist.new_group(list(ranks))
            if place.device in ranks:
                self.parts.append((group, ranks[0], parameters))
        for group, first, parameters in self.parts:
            for parameter in parameters:
                dist.broadcast(parameter.data, first, group=group)

    def sum_gradients(self):
        for group, _first, parameters in self.parts:
            for parameter in parameters:
                if parameter.grad is None:
                    parameter.grad = torch.zeros_like(parameter)
                dist.all_reduce(parameter.grad, group=group)
