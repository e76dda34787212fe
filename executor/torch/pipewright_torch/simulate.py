# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What an order should take: every rank runs its entries in turn, and waits for what comes from others."""

from . import Cannot, short


MOST = 1 << 53  # of a time or a size


def check(name, table, entries):
    """Refuses a table of another length, or with a value that is no time and no size; None is no table."""
    if table is None:
        return
    if len(table) != entries:
        raise Cannot(f"costs: the table {name} has {len(table)} entries; {entries} are due")
    for value in table:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MOST:
            raise Cannot(f"costs: the table {name} holds {short(value, 40)}; values go from 0 to {MOST}")


class Costs:
    """Times of passes by stage and of messages by their two ranks, in nanoseconds."""

    def __init__(self, plan, costs):
        """@raise Cannot  where a table is missing, or holds what is no time or size"""
        self.plan = plan
        try:
            self.take(costs)
            self.check()
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as problem:
            raise Cannot(f"the costs of the project cannot be read: {type(problem).__name__}, "
                         f"{short(problem)}") from None

    def check(self):
        plan = self.plan
        for name in ("forward", "backward", "weight", "fused", "kept", "pair"):
            check(name, getattr(self, name), plan.stages)
        for name, table in self.bytes.items():
            check(f"{name} messages", table, plan.stages)
        for link in (self.link, *(self.links or ())):
            check("link", [link["latency_ns"], link["bytes_per_second"]], 2)
        check("links", self.links and [0] * len(self.links), plan.devices**2)

    def take(self, costs):
        plan, stages = self.plan, self.plan.stages
        on_device = [plan.placement.count(device) for device in plan.placement]
        if "tables" in costs:
            tables = costs["tables"]
            self.forward = list(tables["forward_ns"])
            self.backward = list(tables["backward_ns"])
            self.weight = list(tables["weight_ns"])
            fused = tables.get("fused_ns") or [b + w for b, w in zip(self.backward, self.weight)]
            self.fused = list(fused)
            self.pair = tables.get("pair_ns") or None
            self.link = tables.get("link", {"latency_ns": 0, "bytes_per_second": 0})
            self.links = tables.get("links")
            self.bytes = {"F": tables.get("forward_message_bytes") or [0] * stages,
                          "B": tables.get("backward_message_bytes") or [0] * stages}
            self.kept = [one["activation_bytes"] for one in tables.get("activation", [])] or [0] * stages
        else:
            uniform = costs.get("uniform", {"forward_ns": 1_000_000, "backward_ns": 1_000_000,
                                            "weight_ns": 1_000_000})

            def spread(name):
                return [round(uniform.get(name, 0) / count) for count in on_device]

            self.forward, self.backward = spread("forward_ns"), spread("backward_ns")
            self.weight = spread("weight_ns")
            self.fused = [b + w for b, w in zip(self.backward, self.weight)]
            self.pair = spread("pair_ns") if "pair_ns" in uniform else None
            self.link = {"latency_ns": uniform.get("hop_ns", 0), "bytes_per_second": 0}
            self.links = None
            self.bytes = {"F": [0] * stages, "B": [0] * stages}
            self.kept = spread("activation_bytes")

    def of(self, one):
        return {"F": self.forward, "B": self.backward, "W": self.weight, "BW": self.fused}[one.kind][one.stage]

    def entry(self, entry):
        total = sum(self.of(one) for one in entry.passes())
        if entry.second is None or self.pair is None:
            return total
        first = entry.first if entry.first.kind == "F" else entry.second
        both = self.pair[first.stage]
        split = [one for one in entry.passes() if one.kind == "B"]
        if not split:
            return both
        return max(both - self.weight[split[0].stage], *(self.of(one) for one in entry.passes()))

    def message(self, kind, stage, source, target):
        if source == target:
            return 0
        link = self.links[source * self.plan.devices + target] if self.links else self.link
        speed = link["bytes_per_second"]
        return link["latency_ns"] + (round(1e9 * self.bytes[kind][stage] / speed) if speed > 0 else 0)


def inputs(one, stages):
    """(slot of the producer, whether a message) of what a pass waits for. A slot: (kind, stage, micro-batch)."""
    if one.kind == "F":
        return [("F", one.stage - 1, one.micro_batch)] if one.stage > 0 else []
    if one.kind == "W":
        return []
    return [("B", one.stage + 1, one.micro_batch)] if one.stage + 1 < stages else []


def slot(one):
    return ("B" if one.kind in ("B", "BW") else one.kind, one.stage, one.micro_batch)


def simulate(plan, costs):
    """Makespan, span bubble of the device with the longest span, and the worst peak of activations."""
    times = Costs(plan, costs)
    ended, at = {}, [0] * plan.devices
    free, first, busy = [0] * plan.devices, [None] * plan.devices, [0] * plan.devices
    live, peak = [0] * plan.devices, [0] * plan.devices
    moved = True
    while moved:
        moved = False
        for device, order in enumerate(plan.orders):
            while at[device] < len(order):
                entry = order[at[device]]
                needs = [need for one in entry.passes() for need in inputs(one, plan.stages)]
                if any(need not in ended for need in needs):
                    break
                ready = max([free[device]] + [
                    ended[need] + times.message(need[0], need[1], plan.placement[need[1]], device)
                    for need in needs])
                length = times.entry(entry)
                for one in entry.passes():
                    ended[slot(one)] = ready + length
                    if one.kind == "F":
                        live[device] += times.kept[one.stage]
                        peak[device] = max(peak[device], live[device])
                for one in entry.passes():
                    if one.kind in ("W", "BW"):
                        live[device] -= times.kept[one.stage]
                first[device] = ready if first[device] is None else first[device]
                free[device] = ready + length
                busy[device] += length
                at[device] += 1
                moved = True
    for device, order in enumerate(plan.orders):
        if at[device] < len(order):
            raise Cannot(f"the order cannot run: device {device} waits for ever before {order[at[device]].label()}")
    begin, end = min(first), max(free)
    spans = [free[d] - first[d] for d in range(plan.devices)]
    worst = max(range(plan.devices), key=lambda d: spans[d])
    return end - begin, (1 - busy[worst] / spans[worst] if spans[worst] else 0.0), max(peak)
