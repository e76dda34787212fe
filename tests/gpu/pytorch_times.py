#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""How long PyTorch takes for what tst_cuda_times and a calibration on a whole GPU measure.

Needs PyTorch with CUDA. Milliseconds by CUDA's events: medians of 20 after 5 that do not count, in bfloat16.
"""

import statistics

import torch
import torch.nn.functional as functional
from torch import nn


def timed(work, counted=20, warm=5):
    for _ in range(warm):
        work()
    times = []
    for _ in range(counted):
        begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def attention(heads, size, tokens):
    query, key, value = (
        torch.randn(1, heads, tokens, size, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(3)
    )

    def forward():
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)

    with torch.no_grad():
        there = timed(forward)
    out = forward()
    gradient = torch.randn_like(out)
    back = timed(lambda: torch.autograd.grad(out, (query, key, value), gradient, retain_graph=True))
    operations = 2 * heads * tokens * tokens * size  # what a causal mask leaves
    print(
        f"torch sdpa causal s={tokens} heads={heads} d={size}: forward {there:.3f} ms {operations / there / 1e9:.0f} TFLOP/s, "
        f"backward {back:.3f} ms {2.5 * operations / back / 1e9:.0f} TFLOP/s"
    )


class Layer(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.projections = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.mlp_in, self.mlp_out = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        samples, tokens, hidden = x.shape
        query, key, value = (
            part.view(samples, tokens, self.heads, hidden // self.heads).transpose(1, 2)
            for part in self.projections(self.norm1(x)).chunk(3, -1)
        )
        seen = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(samples, tokens, hidden))
        return x + self.mlp_out(functional.gelu(self.mlp_in(self.norm2(x))))


def layers(count, hidden, heads, tokens):
    model = nn.Sequential(*[Layer(hidden, heads) for _ in range(count)]).cuda().to(torch.bfloat16)
    x = torch.randn(1, tokens, hidden, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    with torch.no_grad():
        there = timed(lambda: model(x))

    def both():
        out = model(x)
        out.backward(torch.ones_like(out))

    print(
        f"torch eager, {count} layers of {hidden}, {tokens} tokens, bf16, sdpa: forward {there:.2f} ms, "
        f"forward and backward {timed(both):.2f} ms"
    )


torch.manual_seed(1)
for shape in ((40, 128, 2048), (40, 128, 4096), (16, 64, 2048)):
    attention(*shape)
layers(4, 5120, 40, 2048)
