# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Labels for pipelines of torch.distributed.pipelining, in one line:

    import pipewright_torch.labels

From then on every schedule, and every loop that calls the methods of a stage, names its passes (`PP:2F3`, `PP:2B3`,
`PP:2I3`, `PP:2W3`), its messages (`PP:2SEND_F3`), its steps (`PP:STEP7`) and the place of the rank (`PP:MESH …`) in
whatever records: torch.profiler, or Nsight Systems on a GPU. Nothing else changes. The line can stand before or behind
other imports. PyTorch 2.4 or newer; schedules that name their actions themselves keep their own names.
"""

import itertools
import threading

import torch.distributed as dist
from torch.distributed import device_mesh
from torch.distributed.pipelining import schedules
from torch.distributed.pipelining import stage as stages

from . import mark
from .mark import Range, action, put_around

# Dimensions of a mesh whose ranks share one pipeline; along all others there are replicas of it.
PIPELINE = ("pp", "pipeline")
INSIDE = (*PIPELINE, "tp", "tensor", "cp", "context", "sp", "ep", "expert", "etp")

OWN_NAMES = hasattr(schedules, "_get_profiler_function_name")  # PyTorch's runtime has labels


class State(threading.local):
    """Of a thread: ranks may be threads of one process."""

    def __init__(self):
        self.named = 0  # schedules around us that name their actions themselves
        self.schedule = None  # that is at work
        self.posting = False
        self.last = None  # range of the last stage's F, which its loss belongs to
        self.steps = itertools.count()

    def close(self):
        last, self.last = self.last, None
        if last is not None:
            last.__exit__(None, None, None)


state = State()
meshes = []


def given(rest, more, place, *names):
    """An argument of a call, at its place or by one of its names; None: it is in neither."""
    if len(rest) > place:
        return rest[place]
    return next((more[name] for name in names if name in more), None)


def micro_batch_of(rest, more):
    return given(rest, more, 0, "fwd_chunk_id", "bwd_chunk_id")


def pass_of(kind):
    def make(old):
        def method(stage, *rest, **more):
            state.close()
            if state.named:
                return old(stage, *rest, **more)
            name = action(stage.stage_index, kind(rest, more), micro_batch_of(rest, more))
            if not waits_for_loss(stage, kind):
                with Range(name):
                    return old(stage, *rest, **more)
            state.last = Range(name).__enter__()
            try:
                return old(stage, *rest, **more)
            except BaseException:
                state.close()
                raise

        return method

    return make


def forward_kind(_rest, _more):
    return mark.FORWARD


def backward_kind(rest, more):
    whole = given(rest, more, 2, "full_backward")
    return mark.BACKWARD if whole is None or whole else mark.INPUT


def weight_kind(_rest, _more):
    return mark.WEIGHT


def waits_for_loss(stage, kind):
    """Whether a schedule computes the loss behind this pass: it is a part of the pass then."""
    schedule = state.schedule
    return (kind is forward_kind and schedule is not None and stage.is_last
            and getattr(schedule, "_loss_fn", None) is not None and getattr(schedule, "_has_backward", True))


def loss_of(old):
    def method(schedule, *rest, **more):
        try:
            return old(schedule, *rest, **more)
        finally:
            state.close()

    return method


def messages_of(kind):
    def make(old):
        def method(stage, *rest, **more):
            operations = old(stage, *rest, **more)
            name = action(stage.stage_index, kind, micro_batch_of(rest, more))
            for one in operations:
                one.pipewright = (kind, name)
            return operations

        return method

    return make


def posting(old):
    def post(*rest, **more):
        if state.named or state.posting:
            return old(*rest, **more)
        operations = given(rest, more, 0, "p2p_op_list", "p2p_ops") or ()
        told = dict.fromkeys(one.pipewright for one in operations if hasattr(one, "pipewright"))
        # What is awaited is the innermost: where one kernel does both, it is the receive's.
        names = [name for kind, name in sorted(told, key=lambda one: one[0] not in mark.SENDS)]
        state.posting = True
        try:
            with Range(*names):
                return old(*rest, **more)
        finally:
            state.posting = False

    return post


def step_of(old):
    def step(schedule, *rest, **more):
        if state.schedule is not None:  # one that calls another's
            return old(schedule, *rest, **more)
        named = OWN_NAMES and isinstance(schedule, schedules._PipelineScheduleRuntime)
        state.schedule = schedule
        state.named += named
        try:
            with Range(f"PP:STEP{next(state.steps)}"):
                tell_place(schedule)
                return old(schedule, *rest, **more)
        finally:
            state.close()
            state.named -= named
            state.schedule = None

    return step


def tell_place(schedule):
    """Once a step, of no length: where this rank is. A profiler may begin to record at any step."""
    stage = getattr(schedule, "_stage", None) or schedule._stages[0]
    parts = [f"rank={dist.get_rank()}/{dist.get_world_size()}" if dist.is_initialized() else "rank=0/1",
             f"pp={stage.group_rank}/{stage.group_size}"]
    replica = replica_of(meshes)
    if replica is not None:
        parts.append(f"dp={replica[0]}/{replica[1]}")
    with Range("PP:MESH " + " ".join(parts)):
        pass


def replica_of(known):
    """Which replica of the pipeline this rank is of, and how many there are, by the largest mesh with names.

    None: no mesh says so, or one of them has ranks that share a layer's tensors. Those are told by the process groups,
    which every trace has; a mesh of another view of the same ranks would tell them as replicas.
    """
    found = None
    for mesh in sorted(known, key=lambda one: one.ndim):
        replica, replicas = 0, 1
        for name, place, size in zip(mesh.mesh_dim_names, mesh.get_coordinate(), mesh.mesh.shape):
            if word_of(name) not in INSIDE:
                replica, replicas = replica * size + place, replicas * size
            elif word_of(name) not in PIPELINE and size > 1:
                return None
        found = (replica, replicas)
    return found


def word_of(name):
    return name.lower().split("_")[0]


def keep(mesh):
    """One of each shape that this rank is in: slices of a mesh are made again and again, and say the same."""
    if mesh.get_coordinate() is None:
        return
    kind = tuple(mesh.mesh_dim_names), tuple(mesh.mesh.shape)
    if all(kind != (tuple(one.mesh_dim_names), tuple(one.mesh.shape)) for one in meshes):
        meshes.append(mesh)


def mesh_of(old):
    def __init__(mesh, *rest, **more):
        old(mesh, *rest, **more)
        names = getattr(mesh, "mesh_dim_names", None) or ()
        if len(names) > 1 and any(word_of(name) in PIPELINE for name in names):
            keep(mesh)

    return __init__


def install():
    base = stages._PipelineStageBase
    put_around(base, "forward_one_chunk", pass_of(forward_kind))
    put_around(base, "backward_one_chunk", pass_of(backward_kind))
    put_around(base, "backward_weight_one_chunk", pass_of(weight_kind))
    for method, kind in (("get_fwd_send_ops", "SEND_F"), ("get_fwd_recv_ops", "RECV_F"),
                         ("get_bwd_send_ops", "SEND_B"), ("get_bwd_recv_ops", "RECV_B")):
        put_around(base, method, messages_of(kind))
    put_around(schedules, "_batch_p2p", posting)
    put_around(dist, "batch_isend_irecv", posting)
    put_around(schedules._PipelineSchedule, "_maybe_compute_loss", loss_of)
    for schedule in (schedules.PipelineScheduleSingle, schedules.PipelineScheduleMulti):
        put_around(schedule, "step", step_of)
    put_around(device_mesh.DeviceMesh, "__init__", mesh_of)


install()
