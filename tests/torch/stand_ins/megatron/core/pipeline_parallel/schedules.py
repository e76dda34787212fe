# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A stand-in with the names and signatures of Megatron-Core's schedules.py (at d98e8a64): functions that train a pipeline
over gloo, so small that they say nothing of how Megatron does it."""

import torch
import torch.distributed as dist

from .. import parallel_state


def forward_step(forward_step_func, data_iterator, model, num_microbatches, input_tensor, forward_data_store, config,
                 cp_group_size, collect_non_loss_data=False, checkpoint_activations_microbatch=None,
                 is_first_microbatch=False, current_microbatch=None, vp_stage=None, is_last_stage=True):
    output_tensor, loss_func = forward_step_func(data_iterator, model, input_tensor)
    if is_last_stage:
        output_tensor = loss_func(output_tensor) / num_microbatches
        forward_data_store.append(output_tensor)
    return output_tensor, torch.zeros(())


def backward_step(input_tensor, output_tensor, output_tensor_grad, config):
    if input_tensor is not None:
        input_tensor.retain_grad()
    torch.autograd.backward(output_tensor, grad_tensors=output_tensor_grad)
    return None if input_tensor is None else input_tensor.grad


def get_schedule_table(num_microbatches, num_model_chunks, microbatch_group_size_per_vp_stage):
    group = microbatch_group_size_per_vp_stage
    return [(one, chunk) for first in range(0, num_microbatches, group) for chunk in range(num_model_chunks)
            for one in range(first, min(first + group, num_microbatches))]


class Messages:
    """In order and blocking, but for sends, which are waited for at the end."""

    def __init__(self, shape):
        self.shape, self.rank, self.ranks, self.open = shape, dist.get_rank(), dist.get_world_size(), []

    def send(self, tensor, step, tag):
        self.open.append((dist.isend(tensor.detach().contiguous(), (self.rank + step) % self.ranks, tag=tag), tensor))

    def receive(self, step, tag, grad):
        tensor = torch.empty(self.shape)
        dist.recv(tensor, (self.rank - step) % self.ranks, tag=tag)
        return tensor.requires_grad_(grad)

    def finish(self):
        for work, _ in self.open:
            work.wait()


def run(order, forward_step_func, data_iterator, model, num_microbatches, shape, config):
    """Passes in an order of (is a forward, chunk, micro-batch)."""
    rank, ranks, chunks = dist.get_rank(), dist.get_world_size(), len(model)
    messages, kept, losses = Messages(shape), {}, []
    for forward, chunk, one in order:
        stage, stages = rank + chunk * ranks, ranks * chunks
        tag = one * stages
        parallel_state.chunk = chunk if chunks > 1 else None
        if forward:
            source = messages.receive(1, 2 * (tag + stage), True) if stage > 0 else None
            out, _ = forward_step(forward_step_func, data_iterator[chunk], model[chunk], num_microbatches, source, losses,
                                  config, cp_group_size=1, current_microbatch=one,
                                  vp_stage=chunk if chunks > 1 else None, is_last_stage=stage == stages - 1)
            kept[chunk, one] = source, out
            if stage + 1 < stages:
                messages.send(out, 1, 2 * (tag + stage + 1))
        else:
            gradient = messages.receive(-1, 2 * (tag + stage) + 1, False) if stage + 1 < stages else None
            source, out = kept.pop((chunk, one))
            given = backward_step(source, out, gradient, config)
            if stage > 0:
                messages.send(given, -1, 2 * (tag + stage - 1) + 1)
    messages.finish()
    return losses


def forward_backward_pipelining_without_interleaving(*, forward_step_func, data_iterator, model, num_microbatches,
                                                     seq_length, micro_batch_size, config=None, forward_only=False):
    warmup = min(num_microbatches, dist.get_world_size() - dist.get_rank() - 1)
    order = [(True, 0, i) for i in range(warmup)]
    for i in range(warmup, num_microbatches):
        order += [(True, 0, i), (False, 0, i - warmup)]
    order += [(False, 0, i) for i in range(num_microbatches - warmup, num_microbatches)]
    return run(order, forward_step_func, data_iterator, model, num_microbatches, (micro_batch_size, seq_length), config)


def forward_backward_pipelining_with_interleaving(*, forward_step_func, data_iterator, model, num_microbatches,
                                                  seq_length, micro_batch_size, config=None, forward_only=False):
    ranks, chunks = dist.get_world_size(), len(model)
    table = get_schedule_table(num_microbatches, chunks, ranks)
    forwards = [(True, chunk, one) for one, chunk in table]
    backwards = [(False, chunks - 1 - chunk, one) for one, chunk in table]
    warmup = min(len(table), 2 * (ranks - dist.get_rank() - 1) + (chunks - 1) * ranks)
    order = forwards[:warmup]
    for i in range(warmup, len(table)):
        order += [forwards[i], backwards[i - warmup]]
    order += backwards[len(table) - warmup:]
    return run(order, forward_step_func, data_iterator, model, num_microbatches, (micro_batch_size, seq_length), config)


def get_forward_backward_func(pp_size=None, vp_size=None):
    if vp_size is not None:
        return forward_backward_pipelining_with_interleaving
    return forward_backward_pipelining_without_interleaving
