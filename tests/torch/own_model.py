# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Models of one's own for `--module own_model.py:NAME`: good ones, and what people get wrong."""

import os
import sys

import torch
from torch import nn

WIDTH, ROWS = 64, 16


class Block(nn.Module):
    """An MLP with a residual; every block is of another width inside."""

    def __init__(self, index):
        super().__init__()
        inner = WIDTH * (1 + index % 3)
        self.inner = nn.Sequential(nn.Linear(WIDTH, inner), nn.GELU(), nn.Linear(inner, WIDTH))

    def forward(self, x):
        return x + self.inner(x)


class Narrowing(nn.Module):
    """Stages whose messages are of unequal size: 64, 48, 32, … wide."""

    def __init__(self, index, count):
        super().__init__()
        ins = WIDTH - 16 * min(index, 3)
        outs = WIDTH if index == count - 1 else WIDTH - 16 * min(index + 1, 3)
        self.linear = nn.Linear(ins, outs)

    def forward(self, x):
        return torch.tanh(self.linear(x))


class Words(nn.Module):
    """The first and the last stage of a language model, which share a table."""

    def __init__(self, table, last):
        super().__init__()
        self.table, self.last = table, last
        self.own = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        if self.last:
            return self.own(x) @ self.table.T
        return self.own(nn.functional.embedding(x, self.table))


def batch(seed, micro_batches):
    return torch.randn(micro_batches * ROWS, WIDTH, generator=torch.Generator().manual_seed(seed))


def of(stages, **other):
    return {"stages": stages, "inputs": lambda execution, count: batch(2 * execution, count),
            "target": lambda execution, count: batch(2 * execution + 1, count),
            "loss": nn.functional.mse_loss, **other}


def build(stages):
    return of(Block)


def uneven(stages):
    """A ModuleList; its first weights are those that PyTorch draws."""
    return of(nn.ModuleList(Narrowing(index, stages) for index in range(stages)))


def tied(stages):
    table = nn.Parameter(torch.randn(32, WIDTH, generator=torch.Generator().manual_seed(5)))

    def tokens(seed, micro_batches):
        return torch.randint(32, (micro_batches * ROWS,), generator=torch.Generator().manual_seed(seed))

    middle = [Block(index) for index in range(1, stages - 1)]
    return of([Words(table, False), *middle, Words(table, True)],
              inputs=lambda execution, count: tokens(2 * execution, count),
              target=lambda execution, count: tokens(2 * execution + 1, count),
              loss=nn.functional.cross_entropy)


# What goes wrong, with the words that have to be said about it.

def throws(stages):
    return {}["no such key"]


def gives_none(stages):
    pass


def no_loss(stages):
    return {name: part for name, part in of(Block).items() if name != "loss"}


def one_too_few(stages):
    return of([Block(index) for index in range(stages - 1)])


def no_module(stages):
    return of(lambda index: 7)


def no_weights(stages):
    return of(lambda index: nn.GELU() if index == 1 else Block(index))


def rows_left(stages):
    return of(Block, inputs=lambda execution, count: torch.randn(count * ROWS + 1, WIDTH))


def loss_of_many(stages):
    return of(Block, loss=lambda output, target: output - target)


def loss_throws(stages):
    return of(Block, loss=lambda output, target: output.nothing())


class Odd(Block):
    def forward(self, x):
        return super().forward(x)[:, :-1] if self.kind == "shape" else self.odd(x)

    def odd(self, x):
        if self.kind == "exit" and self.training_calls > 3:
            sys.exit(3)
        if self.kind == "gone" and self.training_calls > 3:
            os._exit(5)
        self.training_calls += 1
        return super().forward(x)


def odd(kind):
    def build_odd(stages):
        def stage(index):
            block = (Odd if index == 1 else Block)(index)
            block.kind, block.training_calls = kind, 0
            return block

        return of(stage)

    return build_odd


wrong_shape, exits, goes = odd("shape"), odd("exit"), odd("gone")

WRONG = {
    "throws": "throws raises KeyError in line",
    "gives_none": "gives_none returns None; it returns a dict with stages, inputs, target, loss",
    "no_loss": "what no_loss returns has no 'loss'",
    "one_too_few": "one_too_few returns 1 stages; the schedule has 2",
    "no_module": "of no_module is of type int; it is a torch.nn.Module",
    "no_weights": "stage 1 of no_weights has no weights to train",
    "rows_left": "'inputs' gives 65 rows, which do not make 4 equal micro-batches",
    "loss_of_many": "'loss' gives a tensor of shape (16, 64)",
    "loss_throws": "loss raises AttributeError in line",
    "not_there": "has no function not_there",
    "wrong_shape": "rank 1",
    "exits": "SystemExit",
    "goes": "rank 1 is lost: its process ended with exit code 5",
}
