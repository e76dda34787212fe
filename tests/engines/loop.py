# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A job of PyTorch for loop.sh: four ranks on the CPU over gloo, a model of unlike parts, Schedule1F1B or the order of a file.

    loop.py TRACES --split 4,4,4,4 [--first MS] [--head MS] [--csv FILE --stages N] [--micro-batches N]

Layers really compute, little, and then wait as long as their share of a step says: the forward MS, the gradient of the input
and that of the weights as long each. So ranks do not take each other's cores, and a model of any weight runs anywhere.
--first and --head are what the first and the last stage have beside their layers.
"""

import argparse
import os
import re
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B
from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime
from torch.profiler import ProfilerActivity, profile

import pipewright_torch.labels  # noqa: F401  the one line


class Waits(torch.autograd.Function):
    """The same tensor, some time later: on the way there, and on the way back."""

    @staticmethod
    def forward(ctx, tensor, there, back):
        ctx.back = back
        time.sleep(there)
        return tensor.view_as(tensor)

    @staticmethod
    def backward(ctx, gradient):
        time.sleep(ctx.back)
        return gradient, None, None


class Layer(nn.Module):
    def __init__(self, width, ms):
        super().__init__()
        self.linear, self.seconds = nn.Linear(width, width), ms / 1000

    def forward(self, x):
        weight = Waits.apply(self.linear.weight, 0, self.seconds)
        x = Waits.apply(x, self.seconds, self.seconds)
        return torch.tanh(nn.functional.linear(x, weight, self.linear.bias))


def placement_of(file, ranks, stages):
    """Stage to rank: as the rows of a table have it."""
    if not file:
        return {s: s for s in range(stages)}
    with open(file, encoding="utf-8") as rows:
        return {int(s): rank for rank, row in enumerate(rows.read().split()) for s in
                re.findall(r"(?:^|[,(;])(\d+)[FBIW]", row)}


def work(rank, a, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), USE_LIBUV="0")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=a.ranks)
    split, width = a.split, 64
    placement = placement_of(a.csv, a.ranks, len(split))
    mine = [s for s in range(len(split)) if placement[s] == rank]
    stages = []
    for s in mine:
        torch.manual_seed(s)
        parts = [Layer(width, a.layer) for _ in range(split[s])]
        if s == 0 and a.first:
            parts.insert(0, Layer(width, a.first))
        if s + 1 == len(split) and a.head:
            parts.append(Layer(width, a.head))
        stages.append(PipelineStage(nn.Sequential(*parts), s, len(split), torch.device("cpu")))
    x, y = torch.randn(2, a.micro_batches * 4, width)
    loss = nn.MSELoss()
    if a.csv:
        schedule = _PipelineScheduleRuntime(stages, a.micro_batches, loss_fn=loss)
        for one in (schedule, *stages):
            one.stage_index_to_group_rank = placement
        schedule._load_csv(a.csv, "compute_only")
    else:
        schedule = Schedule1F1B(stages[0], a.micro_batches, loss_fn=loss)

    def step():
        for stage in stages:
            stage.submod.zero_grad()
        targets = {"target": y, "losses": []} if len(split) - 1 in mine else {}
        dist.barrier()
        schedule.step(*((x,) if 0 in mine else ()), **targets)

    step()
    with profile(activities=[ProfilerActivity.CPU]) as recorded:
        for _ in range(a.steps):
            step()
    os.makedirs(a.traces, exist_ok=True)
    recorded.export_chrome_trace(f"{a.traces}/rank{rank}.json")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("traces")
    p.add_argument("--split", default="4,4,4,4", type=lambda text: [int(n) for n in text.split(",")])
    p.add_argument("--csv", default="")
    for name, fallback in (("ranks", 4), ("micro-batches", 8), ("steps", 6), ("layer", 5.0), ("first", 0.0), ("head", 0.0)):
        p.add_argument("--" + name, type=type(fallback), default=fallback)
    a = p.parse_args()
    mp.spawn(work, args=(a, 29500 + os.getpid() % 1000), nprocs=a.ranks)
