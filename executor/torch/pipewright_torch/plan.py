# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""A project file as a plan: spec, order, costs, and what PyTorch's runtime makes of it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from dataclasses import dataclass, field

from . import Cannot, short
from .simulate import Costs

LONGEST_PROJECT = 32 << 20
MOST_DEVICES = 4096
MOST_PASSES = 16_000_000
KINDS = ("F", "B", "W", "BW", "R", "U")
TORCH_KINDS = {"F": "F", "B": "I", "W": "W", "BW": "B"}
OUR_KINDS = {"F": "F", "I": "B", "W": "W", "B": "BW"}


@dataclass(frozen=True)
class Pass:
    kind: str
    stage: int
    micro_batch: int

    def action(self):
        """As PyTorch's schedule file writes it."""
        return f"{self.stage}{TORCH_KINDS.get(self.kind, self.kind)}{self.micro_batch}"


@dataclass(frozen=True)
class Entry:
    """A pass, or two that run as one unit."""

    first: Pass
    second: Pass | None = None

    def passes(self):
        return (self.first,) if self.second is None else (self.first, self.second)

    def cell(self):
        if self.second is None:
            return self.first.action()
        return f"({self.first.action()};{self.second.action()})OVERLAP_F_B"

    def label(self):
        return "PP:" + self.cell()


@dataclass
class Plan:
    title: str
    devices: int
    micro_batches: int
    placement: list  # device of each stage
    orders: list  # of each device its entries, updates at the end left out
    first_entry: list = field(default_factory=list)  # of each device, in the common array
    update_entries: dict = field(default_factory=dict)  # stage -> entry, where U stand in the order
    entry_count: int = 0
    costs: dict = field(default_factory=dict)
    project: dict = field(default_factory=dict)  # as it was read
    family: str = ""

    @property
    def stages(self):
        return len(self.placement)

    def stages_of(self, device):
        return [s for s, d in enumerate(self.placement) if d == device]

    def csv(self):
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        for order in self.orders:
            writer.writerow([entry.cell() for entry in order])
        return text.getvalue()


def whole(value, name, least, most):
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Cannot(f"{name} is {short(value)}; it is a whole number from {least} to {most}")
    return value


def placement_of(text, devices):
    words = str(text).split()
    if words == ["linear"]:
        return list(range(devices))
    if words == ["reversed"]:
        return list(reversed(range(devices)))
    if words == ["v"]:
        return list(range(devices)) + list(reversed(range(devices)))
    if len(words) == 2 and words[0] in ("looped", "zigzag") and words[1].isdigit():
        count = int(words[1])
        if not 1 <= count * devices <= MOST_PASSES // 4:
            raise Cannot(f"placement {short(text)} has no or too many stages")
        leg = list(range(devices))
        return leg * count if words[0] == "looped" else (leg + leg[::-1]) * count
    if words and all(word.isdigit() for word in words):
        return [whole(int(word), "a device of the placement", 0, devices - 1) for word in words]
    raise Cannot(f"the placement is {short(text)}; there are linear, reversed, looped N, v, "
                 "zigzag N, or the device of each stage")


_PASS = re.compile(r"(F|BW|B|W|R|U)(\d+)(?:\.(\d+))?(?:/(\d+))?(?:@\d+)?")


def pass_of(word, device, stages):
    match = _PASS.fullmatch(word)
    if match is None:
        raise Cannot(f"device {device}: {short(word)} is not a pass of the text notation")
    kind, micro_batch, chunk, _segment = match.groups()
    chunk = int(chunk or 0)
    if chunk >= len(stages):
        raise Cannot(f"device {device}: {short(word)} names chunk {chunk} of {len(stages)}")
    return Pass(kind, stages[chunk], int(micro_batch))


def entry_of(word, device, stages):
    if word.startswith("(") and word.endswith(")"):
        parts = word[1:-1].split("+")
        if len(parts) != 2:
            raise Cannot(f"device {device}: {short(word)} is not an overlapped pair")
        return Entry(*(pass_of(part, device, stages) for part in parts))
    return Entry(pass_of(word, device, stages))


def refuse_spec(spec):
    """What PyTorch's runtime has no place for, each with its reason."""
    routes = spec.get("placement", [])
    if len(routes) > 1:
        raise Cannot("cannot run two routes (Chimera, DualPipe): PyTorch's runtime has every stage on "
                     "one rank, and this schedule has each on two. DualPipeV is the same idea with one route")
    if len(spec.get("segment_lengths", [1])) > 1:
        raise Cannot(f"cannot run {len(spec['segment_lengths'])} segments of a sequence: PyTorch's "
                     "runtime hands whole micro-batches from stage to stage")
    if spec.get("steps", 1) != 1:
        raise Cannot(f"cannot run {short(spec['steps'])} optimizer steps in one order: PyTorch's runtime ends "
                     "every step with a flush")
    if spec.get("update_rule", "flush") != "flush":
        raise Cannot(f"cannot run the update rule {short(spec['update_rule'])}: PyTorch's runtime keeps "
                     "one version of the weights")


def read_plan(text):
    if len(text) > LONGEST_PROJECT:
        raise Cannot(f"the project is longer than {LONGEST_PROJECT} bytes")
    try:
        project = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise Cannot(f"what came is not a project file: {short(problem)}") from None
    if not isinstance(project, dict) or "pipewright" not in project:
        raise Cannot("what came is not a project file: the field pipewright is missing")
    if project["pipewright"] != 1:
        raise Cannot(f"the project is of version {short(project['pipewright'])}; this program reads version 1")
    if "spec" not in project:
        name = project.get("family", {}).get("id", "?") if isinstance(project.get("family"), dict) else "?"
        raise Cannot(f"the project names the family {short(name)} and holds no order; send the order itself: "
                     "pipewright convert IN OUT.pipewright.json --order")
    try:
        plan = plan_of(project)
        Costs(plan, plan.costs)  # wrong ones are told before anything starts
        return plan
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as problem:
        raise Cannot(f"the project has a field that is missing or of another type: {short(problem)}") from None


def plan_of(project):
    spec = project["spec"]
    devices = whole(spec.get("devices"), "spec.devices", 1, MOST_DEVICES)
    micro_batches = whole(spec.get("micro_batches"), "spec.micro_batches", 1, MOST_PASSES)
    refuse_spec(spec)
    refuse_offload(project)
    placement = placement_of(spec["placement"][0], devices)
    lines = project["schedule"]
    if len(lines) != devices:
        raise Cannot(f"the schedule has {len(lines)} lines for {devices} devices")
    plan = Plan(title=str(project.get("title", "")), devices=devices, micro_batches=micro_batches,
                placement=placement, orders=[], costs=project.get("costs", {}), project=project)
    for device, line in enumerate(lines):
        stages = plan.stages_of(device)
        words = line.split("#")[0].split()
        if words and re.fullmatch(r"d\d+:", words[0]):
            words = words[1:]
        order = [entry_of(word, device, stages) for word in words]
        plan.first_entry.append(plan.entry_count)
        plan.entry_count += len(order)
        plan.orders.append(take_updates(plan, device, order))
    check_order(plan)
    return plan


def refuse_offload(project):
    cells = str(project.get("offload", {}).get("cells", "")).strip()
    if cells:
        raise Cannot(f"the activations {short(cells)} go to the host's memory, and PyTorch's runtime keeps every "
                     "activation on its device; Pipewright's own executor copies them, or keep them on the device "
                     "first")


def take_updates(plan, device, order):
    """Updates are the end of a step here: they may stand last, and nowhere else."""
    end = len(order)
    while end > 0 and order[end - 1].first.kind == "U":
        end -= 1
        plan.update_entries[order[end].first.stage] = plan.first_entry[device] + end
    for entry in order[:end]:
        for one in entry.passes():
            if one.kind == "U":
                raise Cannot(f"cannot run an update before the last pass of device {device}: PyTorch's runtime "
                             "has no optimizer in its order")
            if one.kind == "R":
                raise Cannot(f"cannot run R of micro-batch {one.micro_batch} on stage {one.stage}: PyTorch's "
                             "order has no recompute passes; checkpointing inside a module is the way there")
    return order[:end]


def check_order(plan):
    seen = {}
    for device, order in enumerate(plan.orders):
        if not order:
            raise Cannot(f"device {device} has no pass; PyTorch's runtime wants at least one a rank")
        for entry in order:
            for one in entry.passes():
                slot = (one.stage, one.micro_batch, {"BW": "B"}.get(one.kind, one.kind))
                if slot in seen:
                    raise Cannot(f"{one.kind} of micro-batch {one.micro_batch} on stage {one.stage} appears twice")
                if one.micro_batch >= plan.micro_batches:
                    raise Cannot(f"micro-batch {one.micro_batch} does not exist: there are {plan.micro_batches}")
                seen[slot] = one.kind
    for stage in range(plan.stages):
        for micro_batch in range(plan.micro_batches):
            need = ["F", "B"] + (["W"] if seen.get((stage, micro_batch, "B")) == "B" else [])
            for kind in need:
                if (stage, micro_batch, kind) not in seen:
                    raise Cannot(f"{kind} of micro-batch {micro_batch} on stage {stage} is missing")


def read_csv_plan(text, title="schedule"):
    """A compute-only schedule file of PyTorch as a plan; stages lie where their passes stand."""
    rows = [[cell.strip() for cell in row if cell.strip()] for row in csv.reader(io.StringIO(text))]
    rows = [row for row in rows if row]
    simple = re.compile(r"(\d+)(F|I|B|W)(\d+)")

    def one(cell):
        match = simple.fullmatch(cell)
        if match is None:
            raise Cannot(f"{short(cell)} is not a compute action of PyTorch's schedule file")
        return Pass(OUR_KINDS[match[2]], int(match[1]), int(match[3]))

    orders, where = [], {}
    for rank, row in enumerate(rows):
        order = []
        for cell in row:
            pair = re.fullmatch(r"\(([^;)]+);([^;)]+)\)OVERLAP_F_B", cell)
            entry = Entry(one(pair[1]), one(pair[2])) if pair else Entry(one(cell))
            for part in entry.passes():
                if where.setdefault(part.stage, rank) != rank:
                    raise Cannot(f"stage {part.stage} is on rank {where[part.stage]} and on rank {rank}")
            order.append(entry)
        orders.append(order)
    if not orders or sorted(where) != list(range(len(where))):
        raise Cannot("the schedule file has no passes, or leaves out a stage")
    plan = Plan(title=title, devices=len(orders), orders=orders,
                placement=[where[s] for s in range(len(where))],
                micro_batches=1 + max(p.micro_batch for o in orders for e in o for p in e.passes()))
    for order in orders:
        plan.first_entry.append(plan.entry_count)
        plan.entry_count += len(order)
    check_order(plan)
    plan.project = project_of(plan)
    return plan


def project_of(plan):
    """The project of a plan that came as a schedule file."""
    lines = []
    for device, order in enumerate(plan.orders):
        chunk = {stage: i for i, stage in enumerate(plan.stages_of(device))}

        def word(one, chunk=chunk):
            return f"{one.kind}{one.micro_batch}" + (f".{chunk[one.stage]}" if chunk[one.stage] else "")

        lines.append(" ".join(word(e.first) if e.second is None else f"({word(e.first)}+{word(e.second)})"
                              for e in order))
    return {"pipewright": 1, "title": plan.title, "notes": "",
            "spec": {"devices": plan.devices, "micro_batches": plan.micro_batches, "steps": 1,
                     "placement": [" ".join(map(str, plan.placement))], "segment_lengths": [1],
                     "update_rule": "flush", "updates": False, "messages": "early"},
            "schedule": lines}


def read_input(path, attended):
    """The text of a project: of a file, or of standard input up to its end or its zero byte."""
    if path != "-":
        try:
            with open(path, "rb") as file:
                return file.read().decode("utf-8", "replace")
        except OSError as problem:
            raise Cannot(f"cannot read {path}: {problem.strerror}") from None
    kept = bytearray()
    while True:
        piece = os.read(0, 1 << 16)
        if not piece:
            if attended:
                raise Cannot("standard input ended before the zero byte that ends a file with --attended")
            break
        zero = piece.find(b"\0") if attended else -1
        kept += piece if zero < 0 else piece[:zero]
        if zero >= 0:
            break
        if len(kept) > 64 << 20:
            raise Cannot("standard input is longer than 64 MiB, the most that is read")
    return kept.decode("utf-8", "replace")


def plan_from(text, path):
    if path.endswith(".csv"):
        return read_csv_plan(text, os.path.basename(path)[:-4])
    return read_plan(text)
