# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
import json
import os
import sys

from . import VERSION, WIRE_PROTOCOL, Cannot, Usage, options


def backend_list():
    """What `pipewright backends --json` says, of PyTorch."""
    common = {"program": VERSION, "wire_protocol": WIRE_PROTOCOL, "orders_only": True}
    try:
        import torch
        import torch.distributed as dist
        from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime  # noqa: F401
    except ImportError as problem:
        return [{"name": "cpu", "available": False, "summary": "", "devices": [], "notes": [], **common,
                 "missing": f"PyTorch 2.6 or newer with its pipelining: {problem}"}]
    from .host import cpu_name

    world = int(os.environ.get("WORLD_SIZE", 0))
    cores = max(os.cpu_count() or 1, world)
    cpu = {"name": "cpu", "available": dist.is_gloo_available(), **common,
           "summary": f"PyTorch {torch.__version__} on the CPU: its own pipelining runtime over gloo, a "
                      "process a device",
           "missing": "" if dist.is_gloo_available() else "this PyTorch was built without gloo",
           "devices": [{"name": cpu_name()["name"], "memory_bytes": 0}] * cores,
           "notes": [f"started with {world} processes: for schedules of {world} devices"] if world else []}
    emulated = dict(cpu, name="emulated", summary="PyTorch's runtime and messages, but every pass takes its "
                                                  "modelled time", devices=[], notes=[])
    found = [cpu, emulated]
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    missing = "" if gpus else "no GPU that this PyTorch can use"
    shown = [torch.cuda.get_device_properties(i) for i in range(gpus)]
    found.append({"name": "cuda", "available": gpus > 0, "missing": missing, **common,
                  "summary": f"PyTorch {torch.__version__} on GPUs: its own pipelining runtime over NCCL, a GPU "
                             "a device",
                  "devices": [{"name": one.name, "memory_bytes": one.total_memory} for one in shown],
                  "notes": []})
    return found


def show_backends(given):
    if int(os.environ.get("RANK", 0)) != 0:
        return 0
    found = backend_list()
    if given.json:
        print(json.dumps(found))
        return 0
    for one in found:
        print(one["name"] + ("" if one["available"] else "  not available"))
        for line in [one["summary"] if one["available"] else one["missing"], *one["notes"]]:
            print("  " + line)
    return 0


def check(given):
    from .plan import plan_from, read_input

    plan = plan_from(read_input(given.file, given.attended), given.file)
    print(f"PyTorch's runtime can hold it: {plan.devices} ranks, {plan.stages} stages, "
          f"{plan.micro_batches} micro-batches")
    return 0


def main(words):
    try:
        given = options.parse(words)
        if given.command == "backends":
            return show_backends(given)
        if given.command == "check":
            return check(given)
        if given.command == "costs":
            raise Cannot("this executor measures in a run, and puts the costs into it; leave out --as-planned")
        if "RANK" not in os.environ:
            from .start import spawn

            return spawn(given, words)
        from .rank import be_rank

        be_rank(given)
    except Usage as problem:
        print(f"pipewright_torch: {problem}", file=sys.stderr)
        return 2
    except Cannot as problem:
        print(f"pipewright_torch: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
