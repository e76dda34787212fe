# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A training program that knows nothing of Pipewright, for labelled.sh: every rank a process, over gloo on the CPU.

    labelled.py SCHEDULE [--labels] [--traces FOLDER] [--pairs N] …

SCHEDULE is a class of torch.distributed.pipelining (1F1B, GPipe, Interleaved1F1B, ZBVZeroBubble, …) or `loop`, an own
loop through the methods of the stages. --pairs measures what the labels cost: N pairs of steps, one of them with, one
without, in changing order.
"""

import argparse
import contextlib
import json
import os
import statistics
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.pipelining import PipelineStage, schedules
from torch.profiler import ProfilerActivity, profile


def model_of(a, stage):
    torch.manual_seed(stage)
    blocks = [nn.Sequential(nn.Linear(a.hidden, 4 * a.hidden), nn.GELU(), nn.Linear(4 * a.hidden, a.hidden))
              for _ in range(a.layers[stage])]
    return nn.Sequential(*blocks)


def own_loop(stage, micro_batches, x, y, loss):
    """All forwards, then all backwards, by a stage's methods and messages; every argument by its name."""
    def exchange(operations):
        for work in dist.batch_isend_irecv(p2p_op_list=operations) if operations else ():
            work.wait()

    stage.clear_runtime_states()
    xs, ys = x.chunk(micro_batches), y.chunk(micro_batches)
    losses = []
    for i in range(micro_batches):
        exchange(stage.get_fwd_recv_ops(fwd_chunk_id=i))
        out = stage.forward_one_chunk(fwd_chunk_id=i, args=(xs[i],) if stage.is_first else (), kwargs={})
        losses.append(loss(out, ys[i]) if stage.is_last else None)
        exchange(stage.get_fwd_send_ops(fwd_chunk_id=i))
    for i in range(micro_batches):
        exchange(stage.get_bwd_recv_ops(bwd_chunk_id=i))
        stage.backward_one_chunk(bwd_chunk_id=i, loss=losses[i], last_backward=i == micro_batches - 1)
        exchange(stage.get_bwd_send_ops(bwd_chunk_id=i))


class Training:
    def __init__(self, a, rank):
        self.a = a
        mesh = init_device_mesh("cpu", (a.replicas, a.ranks), mesh_dim_names=("dp", "pp"))
        group = mesh.get_group("pp")
        here, stages = dist.get_rank(group), len(a.layers)
        kind = None if a.schedule == "loop" else schedules.get_schedule_class(a.schedule)
        single = kind is None or issubclass(kind, schedules.PipelineScheduleSingle)
        v_shape = a.schedule in ("ZBVZeroBubble", "DualPipeV")
        mine = [here] if single else [here, 2 * a.ranks - 1 - here] if v_shape else list(range(here, stages, a.ranks))
        self.modules = [model_of(a, s) for s in mine]
        self.stages = [PipelineStage(module, s, stages, torch.device("cpu"), group=group)
                       for module, s in zip(self.modules, mine)]
        self.first, self.last = 0 in mine, stages - 1 in mine
        torch.manual_seed(100)
        self.x, self.y = (torch.randn(a.micro_batches * a.rows, a.hidden) for _ in range(2))
        self.loss = nn.MSELoss()
        self.schedule, self.prepared = None, False
        if kind is not None:
            self.schedule = kind(self.stages[0] if single else self.stages, a.micro_batches, loss_fn=self.loss)

    def step(self):
        for module in self.modules:
            module.zero_grad()
        if self.schedule is None and self.prepared:
            own_loop(self.stages[0], self.a.micro_batches, self.x, self.y, self.loss)
            return
        schedule = self.schedule or schedules.ScheduleGPipe(self.stages[0], self.a.micro_batches, loss_fn=self.loss)
        self.prepared = True  # what a stage sends and receives, a schedule finds out
        targets = {"target": self.y, "losses": []} if self.last else {}
        schedule.step(*((self.x,) if self.first else ()), **targets)

    def gradients(self):
        return [p.grad.double().norm().item() for module in self.modules for p in module.parameters()]


def pairs(training, count):
    """What a step takes with labels and without, in seconds; the order changes from pair to pair."""
    from pipewright_torch import mark

    enter, leave = mark.Range.__enter__, mark.Range.__exit__

    def one(labelled):
        mark.Range.__enter__ = enter if labelled else lambda self: self
        mark.Range.__exit__ = leave if labelled else lambda self, *problem: False
        dist.barrier()
        start = time.perf_counter()
        training.step()
        dist.barrier()
        return time.perf_counter() - start

    found = []
    for i in range(count):
        with_labels = i % 2 == 0
        first, second = one(with_labels), one(not with_labels)
        found.append((first, second) if with_labels else (second, first))
    mark.Range.__enter__, mark.Range.__exit__ = enter, leave
    return found


def cost_of_one():
    """Of one range with nothing that records, in microseconds: the least of several rounds."""
    from pipewright_torch.mark import Range

    def round_of(count):
        start = time.perf_counter()
        for _ in range(count):
            with Range("PP:0F0"):
                pass
        return 1e6 * (time.perf_counter() - start) / count

    return min(round_of(1000) for _ in range(10))


def work(rank, a, port):
    if a.labels:
        import pipewright_torch.labels  # noqa: F401
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), USE_LIBUV="0")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=a.ranks * a.replicas)
    training = Training(a, rank)
    training.step()
    if a.pairs:
        found = pairs(training, a.pairs)
        if rank == 0:
            by = [100 * (labelled / plain - 1) for labelled, plain in found]
            print(json.dumps({"pairs": len(by), "median_step_ms": 1000 * statistics.median(p for _, p in found),
                              "labels_cost_percent": statistics.median(by), "one_range_us": cost_of_one()}), flush=True)
    recorder = profile(activities=[ProfilerActivity.CPU]) if a.traces else contextlib.nullcontext()
    with recorder:
        for _ in range(a.steps):
            training.step()
            if a.traces and a.profiler_steps:
                recorder.step()
    if a.traces:
        os.makedirs(a.traces, exist_ok=True)
        recorder.export_chrome_trace(f"{a.traces}/rank{rank}.json")
    if a.gradients:
        with open(f"{a.gradients}.{rank}", "w", encoding="utf-8") as file:
            json.dump(training.gradients(), file)
    dist.barrier()
    dist.destroy_process_group()


def options():
    p = argparse.ArgumentParser()
    p.add_argument("schedule")
    p.add_argument("--labels", action="store_true")
    p.add_argument("--profiler-steps", action="store_true")
    p.add_argument("--traces", default="")
    p.add_argument("--gradients", default="")
    p.add_argument("--layers", default="1,1,1,1", type=lambda text: [int(n) for n in text.split(",")])
    for name, fallback in (("ranks", 4), ("replicas", 1), ("micro-batches", 8), ("hidden", 128), ("rows", 64),
                           ("steps", 3), ("pairs", 0)):
        p.add_argument("--" + name, type=int, default=fallback)
    return p.parse_args()


if __name__ == "__main__":
    a = options()
    mp.spawn(work, args=(a, 29500 + os.getpid() % 1000), nprocs=a.ranks * a.replicas)
