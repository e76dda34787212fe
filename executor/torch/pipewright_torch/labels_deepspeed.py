# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Labels for DeepSpeed's PipelineEngine, in one line, before training begins:

    import pipewright_torch.labels_deepspeed

The engine carries out instructions by a table of its class; each gets a range around it: passes `PP:2F3` and `PP:2B3`,
messages `PP:2SEND_F3`, the schedule as a step `PP:STEP7` and the place of the rank `PP:MESH …`, for Nsight Systems and
PyTorch's profiler. Its files stay as they are.
"""

import functools
import itertools
import threading

from deepspeed.runtime.pipe.engine import PipelineEngine

from . import mark
from .mark import Range, action, put_around

# The instructions of one kind run in the order of their micro-batches.
KINDS = {"ForwardPass": "F", "BackwardPass": "B", "SendActivation": "SEND_F", "RecvActivation": "RECV_F",
         "SendGrad": "SEND_B", "RecvGrad": "RECV_B"}


class State(threading.local):
    def __init__(self):
        self.steps = itertools.count()
        self.counts = {}


state = State()


def instruction(kind, old):
    @functools.wraps(old)
    def execute(engine, *rest, **more):
        micro_batch = state.counts.get(kind, 0)
        state.counts[kind] = micro_batch + 1
        with Range(action(engine.stage_id, kind, micro_batch)):
            return old(engine, *rest, **more)

    setattr(execute, mark.AROUND, True)
    return execute


def schedule_of(old):
    def _exec_schedule(engine, *rest, **more):
        state.counts = {}
        with Range(f"PP:STEP{next(state.steps)}"):
            with Range("PP:MESH " + place(engine)):
                pass
            return old(engine, *rest, **more)

    return _exec_schedule


def place(engine):
    parts = [f"rank={engine.global_rank}/{engine.world_size}", f"pp={engine.stage_id}/{engine.num_stages}"]
    # Ranks that share a layer's tensors are told by the process groups, which every trace has.
    if engine.world_size == engine.num_stages * engine.dp_world_size:
        parts.append(f"dp={engine.grid.get_data_parallel_id()}/{engine.dp_world_size}")
    return " ".join(parts)


def install():
    table = PipelineEngine._INSTRUCTION_MAP
    for one, old in list(table.items()):
        kind = KINDS.get(one.__name__)
        if kind is not None and not hasattr(old, mark.AROUND):
            table[one] = instruction(kind, old)
    put_around(PipelineEngine, "_exec_schedule", schedule_of)


install()
