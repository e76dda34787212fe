# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Ranges with a name, for PyTorch's profiler and for Nsight Systems; and how to put oneself around a function.

The names are those that Pipewright reads: `PP:` and the text of PyTorch's own actions. Where nothing records,
a range costs some microseconds and nothing else.
"""

import functools

import torch
from torch.profiler import record_function

FORWARD, BACKWARD, INPUT, WEIGHT = "F", "B", "I", "W"
SENDS = ("SEND_F", "SEND_B")
AROUND = "_pipewright_around"


def action(stage, kind, micro_batch):
    """The name of a pass or a message: "PP:2F3"."""
    return f"PP:{stage}{kind}{micro_batch}"


def nvtx():
    """PyTorch's NVTX where a GPU is at work, and its profiler does not write the same ranges there itself."""
    if not torch.cuda.is_initialized():
        return None
    kind = getattr(torch._C._autograd, "_profiler_type", None)
    if kind is not None and kind() == torch._C._autograd.ActiveProfilerType.NVTX:
        return None
    return torch.cuda.nvtx


class Range:
    """One range, or several of the same extent; the last one is the innermost."""

    __slots__ = ("names", "records", "ranges")

    def __init__(self, *names):
        self.names, self.records, self.ranges = names, [], None

    def __enter__(self):
        self.ranges = nvtx()
        for name in self.names:
            record = record_function(name)
            record.__enter__()
            self.records.append(record)
            if self.ranges is not None:
                self.ranges.range_push(name)
        return self

    def __exit__(self, *problem):
        for record in reversed(self.records):
            if self.ranges is not None:
                self.ranges.range_pop()
            record.__exit__(*problem)
        self.records = []
        return False


def put_around(owner, name, make):
    """Replaces owner.name by make(owner.name), once. A name that is not there, or inherited, is left alone.

    @return whether it stands around it now
    """
    old = vars(owner).get(name)
    if old is None:
        return False
    if not hasattr(old, AROUND):
        new = functools.wraps(old)(make(old))
        setattr(new, AROUND, True)
        setattr(owner, name, new)
    return True
