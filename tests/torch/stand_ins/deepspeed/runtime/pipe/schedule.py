# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A stand-in with the names of DeepSpeed's schedule.py (at edaa7221): instructions, and 1F1B made of them."""


class PipeInstruction:
    def __init__(self, **kwargs):
        self.kwargs = kwargs


class OptimizerStep(PipeInstruction):
    pass


class ForwardPass(PipeInstruction):
    pass


class BackwardPass(PipeInstruction):
    pass


class SendActivation(PipeInstruction):
    pass


class RecvActivation(PipeInstruction):
    pass


class SendGrad(PipeInstruction):
    pass


class RecvGrad(PipeInstruction):
    pass


class TrainSchedule:
    def __init__(self, micro_batches, stages, stage_id):
        self.micro_batches, self.stages, self.stage_id = micro_batches, stages, stage_id

    def num_pipe_buffers(self):
        return max(2, min(self.stages - self.stage_id, self.micro_batches))

    def __iter__(self):
        first, last = self.stage_id == 0, self.stage_id == self.stages - 1
        warmup = min(self.micro_batches, self.stages - self.stage_id - 1)

        def forward(i):
            at = {"buffer_id": i % self.num_pipe_buffers()}
            return ([] if first else [RecvActivation(**at)]) + [ForwardPass(**at)] + \
                ([] if last else [SendActivation(**at)])

        def backward(i):
            at = {"buffer_id": i % self.num_pipe_buffers()}
            return ([] if last else [RecvGrad(**at)]) + [BackwardPass(**at)] + ([] if first else [SendGrad(**at)])

        for i in range(self.micro_batches + warmup):
            if i < self.micro_batches:
                yield forward(i)
            if i >= warmup:
                yield backward(i - warmup)
        yield [OptimizerStep()]
