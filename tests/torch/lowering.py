# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What PyTorch's pipelining runtime makes of compute-only schedule files.

    python3 lowering.py FOLDER     for every NAME.only.csv: NAME.plain.csv, NAME.deferred.csv
"""

import csv
import sys
from pathlib import Path
from unittest import mock

from torch.distributed.pipelining.schedules import _Action, _PipelineScheduleRuntime
from torch.distributed.pipelining.stage import PipelineStage


def passes(rows):
    for row in rows:
        for action in row:
            if action is not None:
                yield from action.sub_actions or (action,)


def lowered(rows, defer):
    """The runtime's rows; no process group is needed for them."""
    stages = 1 + max(one.stage_index for one in passes(rows))
    micro_batches = 1 + max(one.microbatch_index for one in passes(rows))
    stage = mock.create_autospec(PipelineStage, instance=True)
    stage.group_rank, stage.group_size = 0, len(rows)
    stage.submod, stage.num_stages = None, stages
    runtime = _PipelineScheduleRuntime(
        [stage] * max(1, stages // len(rows)), micro_batches, defer_pp_recv=defer)
    runtime._prepare_schedule_with_comms({rank: list(row) for rank, row in enumerate(rows)})
    return [runtime.pipeline_order_with_comms[rank] for rank in range(len(rows))]


for file in sorted(Path(sys.argv[1]).glob("*.only.csv")):
    with open(file, newline="") as source:
        table = [[_Action.from_str(cell) for cell in row] for row in csv.reader(source)]
    for name, defer in (("plain", False), ("deferred", True)):
        target = file.with_name(file.name.replace(".only.csv", f".{name}.csv"))
        with open(target, "w", newline="") as out:
            csv.writer(out).writerows(lowered(table, defer))
