# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A stand-in with the names of DeepSpeed's PipelineEngine (at edaa7221) that labels stand around."""

from types import MethodType

import torch
import torch.distributed as dist

from . import schedule


class Grid:
    def get_data_parallel_id(self):
        return 0


class PipelineEngine:
    def __init__(self, module, micro_batches, shape, loss):
        self.module, self.micro_batches, self.shape, self.loss_of = module, micro_batches, shape, loss
        self.global_rank = self.stage_id = dist.get_rank()
        self.world_size = self.num_stages = dist.get_world_size()
        self.dp_world_size, self.grid = 1, Grid()

    def train_batch(self, data_iter=None):
        self.data, self.sends, self.buffers = data_iter, [], {}
        self._exec_schedule(schedule.TrainSchedule(self.micro_batches, self.num_stages, self.stage_id))
        for work, _ in self.sends:
            work.wait()

    def _exec_forward_pass(self, buffer_id):
        source = self.buffers.get(("inputs", buffer_id))
        out = self.module(next(self.data) if source is None else source)
        self.buffers["outputs", buffer_id] = self.loss_of(out) if self.stage_id == self.num_stages - 1 else out

    def _exec_backward_pass(self, buffer_id):
        torch.autograd.backward(self.buffers["outputs", buffer_id], self.buffers.get(("gradients", buffer_id)))

    def _exec_send_activations(self, buffer_id):
        tensor = self.buffers["outputs", buffer_id].detach()
        self.sends.append((dist.isend(tensor, self.stage_id + 1), tensor))

    def _exec_recv_activations(self, buffer_id):
        tensor = torch.empty(self.shape)
        dist.recv(tensor, self.stage_id - 1)
        self.buffers["inputs", buffer_id] = tensor.requires_grad_()

    def _exec_send_grads(self, buffer_id):
        tensor = self.buffers["inputs", buffer_id].grad
        self.sends.append((dist.isend(tensor, self.stage_id - 1), tensor))

    def _exec_recv_grads(self, buffer_id):
        tensor = torch.empty(self.shape)
        dist.recv(tensor, self.stage_id + 1)
        self.buffers["gradients", buffer_id] = tensor

    def _exec_optimizer_step(self):
        self.module.zero_grad()

    _INSTRUCTION_MAP = {
        schedule.OptimizerStep: _exec_optimizer_step,
        schedule.ForwardPass: _exec_forward_pass,
        schedule.BackwardPass: _exec_backward_pass,
        schedule.SendActivation: _exec_send_activations,
        schedule.RecvActivation: _exec_recv_activations,
        schedule.SendGrad: _exec_send_grads,
        schedule.RecvGrad: _exec_recv_grads,
    }

    def _exec_schedule(self, pipe_schedule):
        for step_cmds in pipe_schedule:
            for cmd in step_cmds:
                self._exec_instr = MethodType(self._INSTRUCTION_MAP[type(cmd)], self)
                self._exec_instr(**cmd.kwargs)
