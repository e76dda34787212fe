# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Costs from executions of the order itself, on the machine that will run it."""

from statistics import median

from .simulate import inputs, slot

WAITED = 20_000  # nanoseconds: a shorter gap is the way from one pass to the next
SURE = 2_000_000  # what was sent so long before the end of a pass has come by then


def mean(times):
    """Without the shortest and the longest tenth, since a makespan adds passes up."""
    times = sorted(times)
    cut = len(times) // 10
    kept = times[cut: len(times) - cut]
    return round(sum(kept) / len(kept)) if kept else 0


def launch_gap(plan, executions):
    """From one pass to the next where its input was there already: what Python and the runtime take.

    A plan knows no such time, so it counts as part of every pass.
    """
    gaps = []
    for passes in executions:
        at = {({"BW": "B"}.get(p[0], p[0]), p[1], p[2]): p for p in passes}
        for order in plan.orders:
            before = None
            for entry in order:
                for one in entry.passes():
                    mine = at[slot(one)]
                    if before is not None and all(at[need][4] < before - SURE for need in inputs(one, plan.stages)
                                                  if plan.placement[need[1]] != plan.placement[one.stage]):
                        gaps.append(max(0, mine[3] - before))
                    before = mine[4]
    return mean(gaps)


def message_times(plan, executions):
    """From the end of a pass to the start of one that waited for it on another rank, idle till then."""
    found = []
    for passes in executions:
        at = {({"BW": "B"}.get(p[0], p[0]), p[1], p[2]): p for p in passes}
        for order in plan.orders:
            before = None
            for entry in order:
                for one in entry.passes():
                    start = at[slot(one)][3]
                    for need in inputs(one, plan.stages):
                        sent = at[need][4]
                        idle = before is None or start - before > WAITED
                        if (idle and plan.placement[need[1]] != plan.placement[one.stage]
                                and (before is None or sent > before)):
                            found.append(max(0, start - sent))
                    before = at[slot(one)][4]
    return found


def tables_of(plan, executions, message_bytes, memory):
    """
    executions: lists of (kind, stage, micro-batch, start, end) over all ranks
    memory: stage -> (weights, gradients, optimizer, activation) bytes
    """
    stages = range(plan.stages)
    took = {}
    for passes in executions:
        for kind, stage, _micro_batch, start, end in passes:
            took.setdefault((kind, stage), []).append(end - start)

    gap = launch_gap(plan, executions)

    def of(kind, stage):
        times = took.get((kind, stage))
        return mean(times) + gap if times else 0

    fused = [of("BW", s) for s in stages]
    backward = [of("B", s) or fused[s] - fused[s] // 2 for s in stages]
    weight = [of("W", s) or fused[s] // 2 for s in stages]
    fused = [fused[s] or backward[s] + weight[s] for s in stages]
    # A message leaves behind its pass and not behind the gap that counts as part of it.
    hops = [max(0, time - gap) for time in message_times(plan, executions)]
    per_device = [plan.placement.count(d) for d in plan.placement]
    share = [(1 << 20) // count for count in per_device]
    return {
        "forward_ns": [of("F", s) for s in stages], "backward_ns": backward, "weight_ns": weight,
        "fused_ns": fused,
        "forward_message_bytes": [message_bytes.get(("F", s), 0) for s in stages],
        "backward_message_bytes": [message_bytes.get(("B", s), 0) for s in stages],
        "weights_bytes": [memory[s][0] for s in stages],
        "gradients_bytes": [memory[s][1] for s in stages],
        "optimizer_bytes": [memory[s][2] for s in stages],
        "activation": [{"activation_bytes": memory[s][3], "kept_for_weight_bytes": memory[s][3],
                        "stash_bytes": 0, "share": share[s], "kept_for_weight_share": share[s],
                        "stash_share": 0} for s in stages],
        "link": {"latency_ns": round(median(hops)) if hops else 0, "bytes_per_second": 0},
    }
