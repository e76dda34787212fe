# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Labels for pipelines of Megatron-Core, in one line, before training begins:

    import pipewright_torch.labels_megatron

It stands around forward_step and backward_step of megatron.core.pipeline_parallel.schedules from outside, whose files stay
as they are, and names passes `PP:2F3` and `PP:2B3`, pairs of --overlap-moe-expert-parallel-comm `PP:(2F7;2B3)OVERLAP_F_B`,
steps `PP:STEP7` and the place of the rank `PP:MESH …`, for Nsight Systems and PyTorch's profiler.
"""

import inspect
import itertools
import threading

import torch.distributed as dist
from megatron.core import parallel_state
from megatron.core.pipeline_parallel import schedules

from .mark import Range, action, put_around


class State(threading.local):
    def __init__(self):
        self.steps = itertools.count()
        self.inside = False
        self.begin()

    def begin(self):
        self.passes = {}  # a forward's output, by identity -> (stage, micro-batch)
        self.forwards = 0  # where no argument says the micro-batch
        self.backwards = 0


state = State()


def stage_of(chunk):
    return parallel_state.get_pipeline_model_parallel_rank() + \
        (chunk or 0) * parallel_state.get_pipeline_model_parallel_world_size()


def identity(output):
    return id(output[0] if isinstance(output, (list, tuple)) and output else output)


def forward_of(old):
    signature = inspect.signature(old)

    def forward_step(*rest, **more):
        said = {**signature.bind(*rest, **more).arguments, **more}
        chunk = said.get("vp_stage")
        if chunk is None:  # older: the rank's own number says it
            chunk = parallel_state.get_virtual_pipeline_model_parallel_rank()
        micro_batch = said.get("current_microbatch")
        if micro_batch is None:
            micro_batch, state.forwards = state.forwards, state.forwards + 1
        stage = stage_of(chunk)
        with Range(action(stage, "F", micro_batch)):
            made = old(*rest, **more)
        # A tuple of the output and the number of tokens; older: the output alone.
        state.passes[identity(made[0] if isinstance(made, tuple) else made)] = (stage, micro_batch)
        return made

    return forward_step


def backward_of(old):
    def backward_step(input_tensor, output_tensor, *rest, **more):
        stage, micro_batch = state.passes.pop(identity(output_tensor), (stage_of(0), state.backwards))
        state.backwards += 1
        with Range(action(stage, "B", micro_batch)):
            return old(input_tensor, output_tensor, *rest, **more)

    return backward_step


def pair_of(old):
    signature = inspect.signature(old)

    def combined(*rest, **more):
        said = {**signature.bind(*rest, **more).arguments, **more}
        parts = []
        for key, kind in (("f_virtual_microbatch_id", "F"), ("b_virtual_microbatch_id", "B")):
            number = said.get(key)
            if number is not None:
                # The table of micro-batches is one for both; the one of chunks runs backwards.
                chunk = said["get_model_chunk_id"](number, kind == "F")
                micro_batch = said["get_microbatch_id_in_model_chunk"](number, True)
                parts.append(f"{stage_of(chunk)}{kind}{micro_batch}")
        with Range("PP:" + (parts[0] if len(parts) == 1 else "(" + ";".join(parts) + ")OVERLAP_F_B")):
            return old(*rest, **more)

    return combined


def step_of(old):
    def step(*rest, **more):
        if state.inside:
            return old(*rest, **more)
        state.begin()
        state.inside = True
        try:
            with Range(f"PP:STEP{next(state.steps)}"):
                with Range("PP:MESH " + place()):
                    pass
                return old(*rest, **more)
        finally:
            state.inside = False
            state.begin()

    return step


def place():
    parts = [f"rank={dist.get_rank()}/{dist.get_world_size()}",
             f"pp={parallel_state.get_pipeline_model_parallel_rank()}"
             f"/{parallel_state.get_pipeline_model_parallel_world_size()}"]
    # Ranks that share a layer's tensors are told by the process groups, which every trace has.
    if parallel_state.get_tensor_model_parallel_world_size() * parallel_state.get_context_parallel_world_size() == 1:
        parts.append(f"dp={parallel_state.get_data_parallel_rank()}/{parallel_state.get_data_parallel_world_size()}")
    return " ".join(parts)


def install():
    put_around(schedules, "forward_step", forward_of)
    put_around(schedules, "backward_step", backward_of)
    put_around(schedules, "backward_step_multimodule", backward_of)
    put_around(schedules, "combined_1f1b_schedule_for_interleaved_pipelining", pair_of)
    for name in ("forward_backward_no_pipelining", "forward_backward_pipelining_without_interleaving",
                 "forward_backward_pipelining_with_interleaving"):
        put_around(schedules, name, step_of)


install()
