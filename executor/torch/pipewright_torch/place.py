# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Where a rank stands: its process group, its device, and its clock beside rank 0's."""

import datetime
import io
import json
import os
import platform
import time
from dataclasses import dataclass

import torch
import torch.distributed as dist

from . import Cannot
from .host import boot, cpu_name
from .start import store_of_parent

PATIENCE = 120.0  # seconds; connections of many ranks take their time


@dataclass
class Place:
    rank: int
    device: int  # of the schedule
    replica: int
    replicas: int
    torch_device: torch.device
    control: object  # a gloo group of all ranks
    pipeline_group: object = None
    data_group: object = None
    data_mesh: object = None
    base: int = 0
    offset: int = 0


def open_store(rank, world):
    """Where the ranks meet: a file in the private folder of the parent that started them all here, so that nobody
    else can say anything; the launcher's store where there is a launcher, with the network that it trusts."""
    private = store_of_parent()
    if private is not None:
        return dist.PrefixStore("pipewright", dist.FileStore(private, world))
    # torchrun's agent holds one already. Without libuv, which not every build of PyTorch has.
    serves = rank == 0 and os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True"
    store = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), world, serves,
                          timeout=datetime.timedelta(seconds=60), wait_for_workers=False, use_libuv=False)
    # A launcher that starts its processes again has the same store for them.
    again = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    return dist.PrefixStore(f"pipewright/{again}", store)


def exchange(told, group, world):
    """What every rank tells, by rank: bytes, which nobody takes for objects of Python."""
    size = torch.tensor([len(told)], dtype=torch.int64)
    sizes = [torch.zeros(1, dtype=torch.int64) for _ in range(world)]
    dist.all_gather(sizes, size, group=group)
    most = max(1, max(int(one) for one in sizes))
    heard = [bytearray(most) for _ in range(world)]
    mine = torch.frombuffer(bytearray(told) + bytearray(most - len(told)), dtype=torch.uint8)
    dist.all_gather([torch.frombuffer(one, dtype=torch.uint8) for one in heard], mine, group=group)
    return [bytes(one[: int(size)]) for one, size in zip(heard, sizes)]


def exchange_values(value, group, world):
    """The same of numbers, texts and lists of them."""
    return [json.loads(one) for one in exchange(json.dumps(value).encode(), group, world)]


def exchange_tensors(tensors, group, world):
    """The same of dictionaries of tensors."""
    packed = io.BytesIO()
    torch.save(tensors, packed)
    return [torch.load(io.BytesIO(one), weights_only=True) for one in exchange(packed.getvalue(), group, world)]


def pick_backend(asked, local_ranks):
    """cuda where every process here has a GPU of its own."""
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if asked == "auto":
        return "cuda" if gpus >= local_ranks else "cpu"
    if asked == "cuda" and gpus < local_ranks:
        raise Cannot(f"--backend cuda: {local_ranks} processes here and {gpus} GPUs; NCCL wants one for each")
    return asked


def take_place(store, rank, world, plan, options):
    replicas = world // plan.devices
    cuda = options.backend == "cuda"
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", rank))) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    patience = datetime.timedelta(milliseconds=options.patience or 1000 * PATIENCE)
    more = {"device_id": device} if cuda else {}
    dist.init_process_group("nccl" if cuda else "gloo", store=dist.PrefixStore("group", store),
                            rank=rank, world_size=world, timeout=patience, **more)
    # A wait for another rank between executions is as long as what that rank still does.
    control = dist.new_group(backend="gloo", timeout=datetime.timedelta(hours=1))
    place = Place(rank, rank % plan.devices, rank // plan.devices, replicas, device, control)
    if replicas > 1:
        share_data(place, plan.devices, patience)
    align(place, world)
    return place


def share_data(place, devices, patience):
    for replica in range(place.replicas):
        ranks = list(range(replica * devices, (replica + 1) * devices))
        group = dist.new_group(ranks, timeout=patience)
        if replica == place.replica:
            place.pipeline_group = group
    for device in range(devices):
        ranks = list(range(device, devices * place.replicas, devices))
        group = dist.new_group(ranks, timeout=patience)
        if device == place.device:
            place.data_group = group
            from torch.distributed.device_mesh import DeviceMesh

            place.data_mesh = DeviceMesh.from_group(group, place.torch_device.type, mesh=ranks,
                                                    mesh_dim_names=("data",))


def align(place, world):
    """The base of all times, and what this host's clock is ahead of rank 0's: the best of several
    exchanges, whose half way there and back is the error."""
    boots = exchange_values([boot(), platform.node()], place.control, world)
    base = torch.tensor([time.monotonic_ns()])
    dist.broadcast(base, 0, group=place.control)
    place.base = int(base)
    for rank in range(1, world):
        if boots[rank][0] == boots[0][0] or place.rank not in (0, rank):
            continue
        best = None
        for _ in range(16):
            word = torch.zeros(1, dtype=torch.int64)
            if place.rank == 0:
                dist.recv(word, rank, group=place.control)
                word[0] = time.monotonic_ns()
                dist.send(word, rank, group=place.control)
            else:
                before = time.monotonic_ns()
                dist.send(word, 0, group=place.control)
                dist.recv(word, 0, group=place.control)
                after = time.monotonic_ns()
                if best is None or after - before < best[0]:
                    best = (after - before, (before + after) // 2 - int(word))
        if best is not None:
            place.offset = best[1]


def device_name(torch_device):
    if torch_device.type == "cuda":
        shown = torch.cuda.get_device_properties(torch_device)
        return {"name": shown.name, "memory": shown.total_memory}
    return cpu_name()
