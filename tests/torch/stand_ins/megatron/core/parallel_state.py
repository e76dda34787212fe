# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Names of Megatron-Core that labels ask for a rank's place; here every rank is a stage of one pipeline."""

import torch.distributed as dist

chunk = None


def get_pipeline_model_parallel_rank():
    return dist.get_rank()


def get_pipeline_model_parallel_world_size():
    return dist.get_world_size()


def get_virtual_pipeline_model_parallel_rank():
    return chunk


def get_tensor_model_parallel_world_size():
    return 1


def get_context_parallel_world_size():
    return 1


def get_data_parallel_rank():
    return 0


def get_data_parallel_world_size():
    return 1
