# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Rank 0's account of a run: puts messages together, counts, and says the figures at the end."""

import threading

from .simulate import inputs, slot


class Tally:
    """Figures over the counted iterations, as Pipewright's own executor counts them."""

    def __init__(self, plan, iterations, warmup):
        self.plan, self.iterations, self.warmup = plan, iterations, warmup
        self.passes = sum(len(entry.passes()) for order in plan.orders for entry in order)
        self.lanes = {}  # iteration -> [(start, end)] by rank
        self.losses = {}
        self.peak = 0
        self.predicted = {}

    def add_pass(self, iteration, rank, start, end):
        if 0 <= iteration < self.iterations:
            lanes = self.lanes.setdefault(iteration, [[] for _ in range(self.plan.devices)])
            lanes[rank].append((start, end))

    def figures(self):
        whole = sorted((self.makespan(lanes), iteration) for iteration, lanes in self.lanes.items()
                       if sum(len(lane) for lane in lanes) == self.passes)
        figures = dict(self.predicted, iterations=len(whole), peak_activation=self.peak)
        if whole:
            middle = whole[(len(whole) - 1) // 2]
            figures.update(makespan=middle[0], makespan_low=whole[0][0], makespan_high=whole[-1][0],
                           span_bubble=self.bubble(self.lanes[middle[1]]))
        counted = [self.losses[step] for step in sorted(self.losses) if step >= self.warmup]
        if counted:
            figures.update(first_loss=counted[0], last_loss=counted[-1])
        return figures

    @staticmethod
    def makespan(lanes):
        full = [lane for lane in lanes if lane]
        return max(end for lane in full for _, end in lane) - min(start for lane in full for start, _ in lane)

    @staticmethod
    def bubble(lanes):
        worst = (0, 0.0)
        for lane in lanes:
            if lane:
                span = max(end for _, end in lane) - min(start for start, _ in lane)
                busy = sum(end - start for start, end in lane)
                worst = max(worst, (span, 1 - busy / span if span else 0.0))
        return worst[1]


class Messages:
    """A message is known when its producer and its consumer are: it leaves where the one ends, and is
    there, at the latest, where the other begins; where that rank waited, just then."""

    def __init__(self, plan):
        self.plan = plan
        self.bytes = {}
        self.seen = {}
        self.links = []  # (producer's slot, consumer's slot)
        self.of_slot = {}
        for order in plan.orders:
            for entry in order:
                for one in entry.passes():
                    for need in inputs(one, plan.stages):
                        if plan.placement[need[1]] != plan.placement[one.stage]:
                            for end in (need, slot(one)):
                                self.of_slot.setdefault(end, []).append(len(self.links))
                            self.links.append((need, slot(one)))

    def add(self, record):
        """Messages that this pass completes, as objects of the wire."""
        key = ({"BW": "B"}.get(record["kind"], record["kind"]), record["stage"], record["mb"])
        iteration = record["it"]
        self.seen[iteration, key] = record
        found = []
        for number in self.of_slot.get(key, ()):
            ends = [self.seen.get((iteration, end)) for end in self.links[number]]
            if all(ends):
                found.append(self.message(number, *ends))
        return found

    def message(self, number, producer, consumer):
        forward = producer["kind"] == "F"
        posted, ended = producer["end"], max(producer["end"], consumer["start"])
        return {"t": "message", "it": producer["it"], "id": number, "from": producer["rank"],
                "to": consumer["rank"], "kind": producer["kind"], "stage": producer["stage"],
                "mb": producer["mb"], "posted": posted, "started": posted, "ended": ended,
                "label": f"PP:{producer['stage']}SEND_{'F' if forward else 'B'}{producer['mb']}",
                "bytes": self.bytes.get(("F" if forward else "B", producer["stage"]), 0)}

    def forget(self, before):
        for key in [key for key in self.seen if key[0] < before]:
            del self.seen[key]


class Lead:
    def __init__(self, plan, wire, tally, replicas=1):
        self.plan, self.wire, self.tally, self.replicas = plan, wire, tally, replicas
        self.messages = Messages(plan)
        self.lock = threading.Lock()
        self.faults = []
        self.faulted = threading.Event()

    def hear(self, rank, batch):
        with self.lock:
            lines = []
            for one in batch:
                self.take(rank, one, lines)
            self.wire.write(lines)

    def take(self, rank, one, lines):
        kind = one["t"]
        if kind == "pass":
            if one["kind"] != "U":
                self.tally.add_pass(one["it"], one["rank"], one["start"], one["end"])
                lines.append(one)
                lines.extend(self.messages.add(one))
            else:
                lines.append(one)
        elif kind == "memory":
            if one["it"] >= 0:
                self.tally.peak = max(self.tally.peak, one["bytes"][4] + one["bytes"][5])
            lines.append(one)
        elif kind == "loss":
            self.tally.losses[one["step"]] = float(one["loss"])
            self.messages.forget(one["step"] - self.tally.warmup - 2)
            lines.append(one)
        elif kind == "bytes":
            for name, stage, size in one["list"]:
                self.messages.bytes[name, stage] = size
        elif kind == "error":
            self.faults.append(one)
            self.faulted.set()
        elif kind == "log":
            lines.append(one)
