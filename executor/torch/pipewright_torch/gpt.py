# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The GPT that the executors of Pipewright train, cut into stages.

Token and position embedding; layers of LayerNorm, causal attention and an MLP with GELU; a last norm
and an output matrix of its own. First weights follow from the seed and a tensor's name alone, as in
the other executors: so losses can be compared between them.
"""

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as functional
from torch import nn

from . import Cannot
from .language import MASK, sample, scramble

NORM_EPSILON = 1e-5


@dataclass(frozen=True)
class Shape:
    layers: int
    hidden: int
    heads: int
    sequence: int
    vocabulary: int
    samples: int
    ffn: int = 0
    bf16: bool = False

    @property
    def ffn_width(self):
        return self.ffn or 4 * self.hidden


SIZES = {
    "tiny": Shape(8, 32, 2, 32, 64, 4),
    "small": Shape(8, 64, 4, 64, 64, 8),
    "medium": Shape(16, 512, 8, 256, 512, 4),
    "24gb": Shape(16, 1408, 11, 2048, 8192, 1, bf16=True),
    "40gb": Shape(16, 2176, 17, 2048, 8192, 1, bf16=True),
    "80gb": Shape(16, 3328, 26, 2048, 8192, 1, bf16=True),
    "h200": Shape(16, 4096, 32, 2048, 8192, 1, bf16=True),
}


def shape_of(options, stages):
    shape = SIZES[options.size]
    given = {name: getattr(options, name) for name in
             ("layers", "hidden", "heads", "ffn", "sequence", "vocabulary", "samples")
             if getattr(options, name) is not None}
    shape = replace(shape, bf16=shape.bf16 or options.bf16, **given)
    if "layers" not in given:
        shape = replace(shape, layers=max(shape.layers, stages))
    if shape.hidden % shape.heads:
        raise Cannot(f"hidden is {shape.hidden}, which {shape.heads} heads do not divide")
    return shape


def split_of(text, layers, stages):
    """Layers of every stage: even, ends, or counts such as 7,8,8,7."""
    if text == "even":
        counts = [layers // stages + (s < layers % stages) for s in range(stages)]
    elif text == "ends":
        if stages < 2:
            raise Cannot("one layer less at both ends needs at least 2 stages")
        counts = [(layers + 2) // stages + (s < (layers + 2) % stages) for s in range(stages)]
        counts[0] -= 1
        counts[-1] -= 1
    else:
        words = text.split(",")
        if not all(word.isdigit() for word in words):
            raise Cannot(f"--split takes even, ends, or counts such as 7,8,8,7, not {text[:40]!r}")
        counts = [int(word) for word in words]
    if len(counts) != stages or sum(counts) != layers:
        raise Cannot(f"the split has {len(counts)} stages and {sum(counts)} layers; the pipeline has "
                     f"{stages} stages and the model {layers} layers")
    if any(count < (0 if s in (0, stages - 1) else 1) for s, count in enumerate(counts)):
        raise Cannot("a stage between the ends has no layer: PyTorch's stage wants parameters")
    return counts


def key_of(seed, name):
    """FNV-1a of a tensor's name, mixed with the seed."""
    value = 0xCBF29CE484222325
    for letter in name.encode():
        value = ((value ^ letter) * 0x100000001B3) & MASK
    return scramble(value ^ scramble(seed))


def signed(x):
    x &= MASK
    return x - (1 << 64) if x >> 63 else x


def scrambled(words):
    """`scramble` for a tensor of 64-bit words."""

    def shifted(x, n):
        return (x >> n) & ((1 << (64 - n)) - 1)

    words = words + signed(0x9E3779B97F4A7C15)
    words = (words ^ shifted(words, 30)) * signed(0xBF58476D1CE4E5B9)
    words = (words ^ shifted(words, 27)) * signed(0x94D049BB133111EB)
    return words ^ shifted(words, 31)


def first_values(seed, name, rows, columns, deviation):
    """About normal: the sum of the four 16-bit parts of a word."""
    words = scrambled(torch.arange(rows * columns, dtype=torch.int64) + signed(key_of(seed, name)))
    parts = sum((words >> shift) & 0xFFFF for shift in (0, 16, 32, 48))
    unit = torch.tensor(1.7320508, dtype=torch.float32) / 65536.0
    bell = (parts - 2 * 0xFFFF).to(torch.float32) * unit
    return (bell * torch.tensor(deviation, dtype=torch.float32)).reshape(rows, columns)


class Maker:
    """Makes parameters with their first values."""

    def __init__(self, shape, seed):
        self.shape, self.seed = shape, seed
        self.dtype = torch.bfloat16 if shape.bf16 else torch.float32

    def matrix(self, name, rows, columns, scale=1.0, fixed=None):
        deviation = fixed if fixed is not None else scale / rows**0.5
        return nn.Parameter(first_values(self.seed, name, rows, columns, deviation).to(self.dtype))

    def vector(self, columns, value=0.0):
        return nn.Parameter(torch.full((columns,), value, dtype=self.dtype))


class Layer(nn.Module):
    def __init__(self, make, number):
        super().__init__()
        shape = make.shape
        h, f = shape.hidden, shape.ffn_width
        self.heads = shape.heads
        out = (2.0 * shape.layers) ** -0.5  # the sum of all layers' outputs stays as large as one
        prefix = f"layer {number}: "
        self.query = make.matrix(prefix + "queries", h, h)
        self.key_value = make.matrix(prefix + "keys and values", h, 2 * h)
        self.attention_out = make.matrix(prefix + "attention out", h, h, out)
        self.mlp_in = make.matrix(prefix + "mlp in", h, f)
        self.mlp_out = make.matrix(prefix + "mlp out", f, h, out)
        self.query_bias, self.value_bias = make.vector(h), make.vector(h)
        self.attention_out_bias = make.vector(h)
        self.mlp_in_bias, self.mlp_out_bias = make.vector(f), make.vector(h)
        self.norm1_scale, self.norm1_shift = make.vector(h, 1.0), make.vector(h)
        self.norm2_scale, self.norm2_shift = make.vector(h, 1.0), make.vector(h)

    def forward(self, x):
        b, s, h = x.shape

        def heads(t):
            return t.view(b, s, self.heads, h // self.heads).transpose(1, 2)

        y = functional.layer_norm(x, (h,), self.norm1_scale, self.norm1_shift, NORM_EPSILON)
        query = y @ self.query + self.query_bias
        key, value = (y @ self.key_value).split(h, dim=2)
        mixed = functional.scaled_dot_product_attention(
            heads(query), heads(key), heads(value + self.value_bias), is_causal=True)
        x = x + (mixed.transpose(1, 2).reshape(b, s, h) @ self.attention_out + self.attention_out_bias)
        y = functional.layer_norm(x, (h,), self.norm2_scale, self.norm2_shift, NORM_EPSILON)
        y = functional.gelu(y @ self.mlp_in + self.mlp_in_bias, approximate="tanh")
        return x + (y @ self.mlp_out + self.mlp_out_bias)


class Stage(nn.Module):
    """What one stage holds of the model."""

    def __init__(self, shape, seed, first_layer, layers, embedding, output):
        super().__init__()
        make = Maker(shape, seed)
        h = shape.hidden
        self.embedding, self.output = embedding, output
        if embedding:
            self.tokens = make.matrix("embedding: tokens", shape.vocabulary, h, fixed=0.5)
            self.positions = make.matrix("embedding: positions", shape.sequence, h, fixed=0.25)
        self.layers = nn.ModuleList(Layer(make, first_layer + i) for i in range(layers))
        if output:
            self.out = make.matrix("output: weights", h, shape.vocabulary, 0.5)
            self.norm_scale, self.norm_shift = make.vector(h, 1.0), make.vector(h)

    def forward(self, x):
        if self.embedding:
            x = functional.embedding(x, self.tokens) + self.positions[: x.shape[1]]
        for layer in self.layers:
            x = layer(x)
        if self.output:
            x = functional.layer_norm(x, x.shape[-1:], self.norm_scale, self.norm_shift, NORM_EPSILON)
            x = x @ self.out
        return x


class Gpt:
    """The model as the run wants it: stages, data and loss."""

    def __init__(self, options, plan):
        self.shape = shape_of(options, plan.stages)
        self.seed, self.micro_batches = options.seed, plan.micro_batches
        self.split = split_of(options.split, self.shape.layers, plan.stages)

    def stage(self, index):
        last = len(self.split) - 1
        return Stage(self.shape, self.seed, sum(self.split[:index]), self.split[index],
                     index == 0, index == last)

    def whole(self, stages):
        return [self.stage(s) for s in range(stages)]  # first weights follow from their names

    def shared(self):
        return []

    def batch(self, step):
        """Tokens and targets of all micro-batches of an execution, counted from the first warm-up."""
        s = self.shape
        first = step * self.micro_batches * s.samples
        rows = [sample(self.seed, first + i, s.sequence + 1, s.vocabulary)
                for i in range(self.micro_batches * s.samples)]
        text = torch.tensor(rows, dtype=torch.int64)
        return text[:, :-1].contiguous(), text[:, 1:].contiguous()

    def loss(self, output, target):
        """Of a micro-batch, as its share of the mean over all tokens."""
        mean = functional.cross_entropy(output.flatten(0, 1).float(), target.flatten())
        return mean / self.micro_batches

    def total_loss(self, losses):
        return float(sum(loss.item() for loss in losses))

    def settings(self):
        s = self.shape
        return {"layers": s.layers, "hidden": s.hidden, "heads": s.heads, "ffn": s.ffn_width,
                "sequence": s.sequence, "vocabulary": s.vocabulary, "samples": s.samples,
                "element": "bfloat16" if s.bf16 else "float32", "flash_attention": True, "tf32": False}
