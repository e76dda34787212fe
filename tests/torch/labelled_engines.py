# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Trains with stand-ins of Megatron-Core and DeepSpeed, with labels from outside: traces for labelled.sh.

    labelled_engines.py megatron|interleaved|deepspeed TRACES
"""

import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.profiler import ProfilerActivity, profile

RANKS, MICRO_BATCHES, SHAPE = 2, 4, (64, 128)


def module(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(SHAPE[1], 4 * SHAPE[1]), nn.GELU(), nn.Linear(4 * SHAPE[1], SHAPE[1]))


def loss(output):
    return output.square().mean()


def batches():
    while True:
        yield torch.randn(SHAPE)


def megatron(rank, chunks):
    import pipewright_torch.labels_megatron  # noqa: F401
    from megatron.core.pipeline_parallel.schedules import get_forward_backward_func

    models = [module(rank + RANKS * chunk) for chunk in range(chunks)]
    data = [batches() for _ in models]

    def forward_step(data_iterator, model, source):
        return model(next(data_iterator) if source is None else source), loss

    run = get_forward_backward_func(RANKS, chunks if chunks > 1 else None)
    return lambda: run(forward_step_func=forward_step, data_iterator=data, model=models,
                       num_microbatches=MICRO_BATCHES, seq_length=SHAPE[1], micro_batch_size=SHAPE[0])


def deepspeed(rank):
    import pipewright_torch.labels_deepspeed  # noqa: F401
    from deepspeed.runtime.pipe.engine import PipelineEngine

    engine, data = PipelineEngine(module(rank), MICRO_BATCHES, SHAPE, loss), batches()
    return lambda: engine.train_batch(data)


def work(rank, engine, folder, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), USE_LIBUV="0")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    step = deepspeed(rank) if engine == "deepspeed" else megatron(rank, 2 if engine == "interleaved" else 1)
    step()
    with profile(activities=[ProfilerActivity.CPU]) as recorded:
        for _ in range(3):
            step()
    os.makedirs(folder, exist_ok=True)
    recorded.export_chrome_trace(f"{folder}/rank{rank}.json")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins"))
    os.environ["PYTHONPATH"] = ":".join(sys.path[:1] + [os.environ.get("PYTHONPATH", "")])
    mp.spawn(work, args=(sys.argv[1], sys.argv[2], 29500 + os.getpid() % 1000), nprocs=RANKS)
