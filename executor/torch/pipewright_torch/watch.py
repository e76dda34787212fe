# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Times the passes of PyTorch's runtime from inside, and keeps account of what they hold.

The runtime waits for a pass's input before it calls the stage, so a pass that is timed around that
call begins at its first computation and not at the wait.
"""

import os
import time
from dataclasses import dataclass

import torch

from . import Cannot
from .plan import Pass


@dataclass
class Timed:
    kind: str
    stage: int
    micro_batch: int
    start: int
    end: int


class HostClock:
    """Nanoseconds since the run's base; `offset` is what this host's clock is ahead of rank 0's."""

    def __init__(self, base=0, offset=0):
        self.base, self.offset = base, offset

    def now(self):
        return time.monotonic_ns() - self.offset - self.base

    mark = now

    def begin(self):
        pass

    def times(self, marks):
        return marks


class DeviceClock(HostClock):
    """CUDA events against one event of which the host's time is known, taken anew every execution."""

    def begin(self):
        torch.cuda.synchronize()
        self.zero = torch.cuda.Event(enable_timing=True)
        self.zero.record()
        torch.cuda.synchronize()
        self.zero_time = self.now()

    def mark(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def times(self, marks):
        torch.cuda.synchronize()
        return [self.zero_time + round(1e6 * self.zero.elapsed_time(mark)) for mark in marks]


class SavedBytes:
    """What autograd keeps of a forward for its backward, parameters left out."""

    def __init__(self, module):
        self.known = {p.untyped_storage().data_ptr() for p in module.parameters()}
        self.seen = set()
        self.bytes = 0

    def pack(self, tensor):
        try:
            storage = tensor.untyped_storage()
            where = storage.data_ptr()
        except (RuntimeError, NotImplementedError):
            return tensor
        if where not in self.known and where not in self.seen and tensor.device.type != "meta":
            self.seen.add(where)
            self.bytes += storage.nbytes()
        return tensor

    def hooks(self):
        return torch.autograd.graph.saved_tensors_hooks(self.pack, lambda tensor: tensor)


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class Memory:
    """Bytes of a rank by use, as the wire has them."""

    def __init__(self, device, optimizer_states):
        self.device, self.states = device, optimizer_states
        self.weights = self.gradients = 0
        self.kept = {}  # stage -> bytes that one forward leaves
        self.live = {}  # (stage, micro-batch) -> bytes

    def size(self, stage, module):
        own = sum(p.nbytes for p in module.parameters())
        self.weights += own
        self.gradients += own
        self.kept.setdefault(stage, 0)

    def passed(self, kind, stage, micro_batch):
        if kind == "F":
            self.live[stage, micro_batch] = self.kept[stage]
        elif kind in ("W", "BW"):
            self.live.pop((stage, micro_batch), None)

    def sample(self):
        """weights, versions, gradients, optimizer, activations, held for W, messages, workspace"""
        fixed = self.weights + self.gradients + self.states * self.weights
        if self.device.type == "cuda":
            activations = max(0, torch.cuda.memory_allocated() - fixed)
            workspace = max(0, torch.cuda.max_memory_allocated() - fixed - activations)
            torch.cuda.reset_peak_memory_stats()
        else:
            activations = sum(self.live.values())
            workspace = max(0, resident() - fixed - activations)
        return [self.weights, 0, self.gradients, self.states * self.weights, activations, 0, 0, workspace]


class Watch:
    """Puts itself around the stages of a schedule."""

    def __init__(self, schedule, stages, clock, memory, faults=()):
        self.clock, self.memory, self.faults = clock, memory, list(faults)
        self.iteration = 0
        self.recording = False
        self.at_hand = None  # (kind, stage, micro-batch) that computes
        self.since = 0.0  # of it, by time.monotonic
        self.done = 0  # passes of this execution
        self.marks, self.samples = [], []
        self.message_bytes = {}  # (kind of producer, stage) -> bytes
        self.measure_kept = False
        self.pace = None  # Costs: every pass takes its modelled time
        self.live = None  # called with passes as they come
        self.losses = {}
        for stage in stages:
            self.put_around(stage)
        self.put_around_loss(schedule)

    def put_around(self, stage):
        number = stage.stage_index
        forward, backward = stage.forward_one_chunk, stage.backward_one_chunk
        weight = stage.backward_weight_one_chunk
        sends, back_sends = stage.get_fwd_send_ops, stage.get_bwd_send_ops

        def forward_one_chunk(micro_batch, *rest, **more):
            if not self.measure_kept:
                return self.timed("F", number, micro_batch, forward, rest, more)
            saved = SavedBytes(stage.submod)
            with saved.hooks():
                out = self.timed("F", number, micro_batch, forward, rest, more)
            self.memory.kept[number] = max(self.memory.kept[number], saved.bytes)
            return out

        def backward_one_chunk(micro_batch, *rest, **more):
            whole = more.get("full_backward", rest[1] if len(rest) > 1 else True)
            return self.timed("BW" if whole else "B", number, micro_batch, backward, rest, more)

        def backward_weight_one_chunk(micro_batch, *rest, **more):
            return self.timed("W", number, micro_batch, weight, rest, more)

        def counted(kind, ops):
            def get(micro_batch):
                made = ops(micro_batch)
                self.message_bytes[kind, number] = sum(op.tensor.nbytes for op in made)
                return made

            return get

        stage.forward_one_chunk = forward_one_chunk
        stage.backward_one_chunk = backward_one_chunk
        stage.backward_weight_one_chunk = backward_weight_one_chunk
        stage.get_fwd_send_ops = counted("F", sends)
        stage.get_bwd_send_ops = counted("B", back_sends)

    def put_around_loss(self, schedule):
        """The loss belongs to the last F; and it is kept by micro-batch, since the runtime counts
        losses in the order in which they come, which is another one in some schedules."""
        compute = schedule._compute_loss

        def maybe_compute_loss(stage, output, targets, micro_batch, *rest, **more):
            if not stage.is_last or schedule._loss_fn is None:
                return
            loss = compute(output, targets[micro_batch], *rest, **more)
            self.losses[micro_batch] = loss
            if self.marks and self.recording:
                self.marks[-1][4] = self.clock.mark()

        def maybe_get_loss(stage, micro_batch):
            return self.losses.get(micro_batch) if stage.is_last else None

        def update_losses(_stages, losses):
            if losses is not None:
                losses[:] = [self.losses[i].detach() for i in sorted(self.losses)]
            self.losses.clear()

        schedule._maybe_compute_loss = maybe_compute_loss
        schedule._maybe_get_loss = maybe_get_loss
        schedule._update_losses = update_losses

    def timed(self, kind, stage, micro_batch, work, rest, more):
        self.since = time.monotonic()
        self.at_hand = (kind, stage, micro_batch)
        for fault in self.faults:
            fault.strike(self.iteration, self.at_hand, self.recording)
        start = self.clock.mark()
        result = work(micro_batch, *rest, **more)
        if self.pace is not None:
            left = start + self.pace.of(Pass(kind, stage, micro_batch)) - self.clock.now()
            time.sleep(max(0, left) / 1e9)
        end = self.clock.mark()
        self.memory.passed(kind, stage, micro_batch)
        if self.recording:
            self.marks.append([kind, stage, micro_batch, start, end])
            self.samples.append(self.memory.sample())
            if self.live is not None:
                self.live(self.drain(1))
        self.at_hand = None
        self.done += 1
        return result

    def begin(self, iteration, recording):
        self.iteration, self.recording = iteration, recording
        self.marks, self.samples, self.done = [], [], 0
        self.clock.begin()

    def drain(self, kept):
        """Passes since the last call with a memory sample each; on a device only between executions.

        @param kept  so many of the last ones stay for the next call: a loss may still join them
        """
        end = max(0, len(self.marks) - kept)
        marks, self.marks = self.marks[:end], self.marks[end:]
        samples, self.samples = self.samples[:end], self.samples[end:]
        times = self.clock.times([mark for one in marks for mark in one[3:5]])
        return [(Timed(one[0], one[1], one[2], times[2 * i], max(times[2 * i], times[2 * i + 1])), samples[i])
                for i, one in enumerate(marks)]


@dataclass
class Fault:
    """What goes wrong on purpose: throw, die or stall, at a pass of an iteration."""

    what: str
    kind: str
    micro_batch: int
    stage: int
    iteration: int

    @staticmethod
    def parse(text):
        import re

        match = re.fullmatch(r"(throw|die|stall):(F|BW|B|W)(\d+)(?:\.(\d+))?(?:@(-?\d+))?", text)
        if match is None:
            raise Cannot(f"--inject takes throw, die or stall, then the pass and the iteration, such as "
                         f"stall:F3.1@2, not {text[:40]!r}")
        return Fault(match[1], match[2], int(match[3]), int(match[4] or 0), int(match[5] or 0))

    def strike(self, iteration, at_hand, recording):
        if not recording or iteration != self.iteration:
            return
        if at_hand != (self.kind, self.stage, self.micro_batch):
            return
        if self.what == "throw":
            raise RuntimeError("a fault that was asked for")
        if self.what == "die":
            os._exit(9)
        time.sleep(3600)
