# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A model of one's own for `--module own_model.py:build`: blocks of an MLP with a residual."""

import torch
from torch import nn

WIDTH, ROWS = 64, 16


class Block(nn.Module):
    def __init__(self, index):
        super().__init__()
        torch.manual_seed(index)
        self.inner = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(self, x):
        return x + self.inner(x)


def batch(seed, micro_batches):
    return torch.randn(micro_batches * ROWS, WIDTH, generator=torch.Generator().manual_seed(seed))


def build(stages):
    return {"stages": Block,
            "inputs": lambda execution, micro_batches: batch(2 * execution, micro_batches),
            "target": lambda execution, micro_batches: batch(2 * execution + 1, micro_batches),
            "loss": nn.functional.mse_loss}
