// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/display_text.h"
#include "core/base/try.h"
#include "core/io/checked_engines.h"
#include "core/io/engine_text.h"
#include "core/lower/program.h"

#include <algorithm>
#include <vector>

namespace pw {

namespace {

constexpr std::string_view classHead = R"py(
Primus reads no file of an order: a class makes its table. Its launcher runs only the names that it
knows, so the class takes the place of the one with this placement. Put this file into
primus/core/pipeline_parallel/scheduler/algorithms, and in schedule_table_factory.py beside that
folder change a line of pp_algorithm_map:

    from .algorithms.pipewright_schedule import SchedulePipewright
    "%NAME%": SchedulePipewright,

Then `patch_primus_pipeline: true` and `pp_algorithm: %NAME%` run it.
"""

import re

from primus.core.pipeline_parallel.scheduler.algorithms.base import PipelineScheduleAlgo
from primus.core.pipeline_parallel.scheduler.scheduler_node import FuncType, SchedulerNode

)py";

constexpr std::string_view classBody = R"py(
NODE = re.compile(r"\((\w+)\|(\d+)\|(\d+)\)")


class SchedulePipewright(PipelineScheduleAlgo):
    def __init__(self, pp_size, vpp_size, micro_batches, *_rest, **_options):
        super().__init__(pp_size, vpp_size, micro_batches)
        mine = (len(STAGES), len(STAGES[0]), MICRO_BATCHES)
        if (pp_size, vpp_size, micro_batches) != mine:
            raise ValueError(f"this order has {mine[0]} ranks, {mine[1]} chunks a rank and {mine[2]} "
                             f"micro-batches, not {pp_size}, {vpp_size} and {micro_batches}")
        self.places = {stage: (rank, chunk) for rank, stages in enumerate(STAGES)
                       for chunk, stage in enumerate(stages)}

    def generate_schedule_table(self):
        return [[self.node(rank, *one.groups()) for one in NODE.finditer(row)]
                for rank, row in enumerate(TABLE)]

    def node(self, rank, function, micro_batch, chunk):
        function, micro_batch, chunk = FuncType[function], int(micro_batch), int(chunk)
        args = None
        if function in (FuncType.SF, FuncType.SB):
            peer, peer_chunk = self.neighbour(rank, chunk, 1 if function is FuncType.SF else -1)
            args = {"from_pp_rank": rank, "to_pp_rank": peer, "send_to_chunk": peer_chunk}
        elif function in (FuncType.RF, FuncType.RB):
            peer, peer_chunk = self.neighbour(rank, chunk, -1 if function is FuncType.RF else 1)
            args = {"from_pp_rank": peer, "to_pp_rank": rank, "recv_from_chunk": peer_chunk}
        return SchedulerNode(func_type=function, mini_batch=micro_batch, chunk=chunk, args=args)

    def neighbour(self, rank, chunk, step):
        """Rank and chunk of the stage before or behind; no rank at the ends of the model."""
        return self.places.get(STAGES[rank][chunk] + step, (None, chunk))

    def direction_map(self, rank, chunk, func_type):
        forward = func_type == FuncType.F
        source, source_chunk = self.neighbour(rank, chunk, -1 if forward else 1)
        target, target_chunk = self.neighbour(rank, chunk, 1 if forward else -1)
        return {"prev": (source, FuncType.RF if forward else FuncType.RB),
                "next": (target, FuncType.SF if forward else FuncType.SB),
                "recv_from_chunk": source_chunk, "send_to_chunk": target_chunk}

    def first_pp_stage_rank(self):
        return self.places[0][0]

    def last_pp_stage_rank(self):
        return self.places[len(self.places) - 1][0]
)py";

/// For a docstring: what would end it is left out.
std::string docText(const std::string& title)
{
    std::string text = displayText(title);
    for (char& c : text) {
        if (c == '"' || c == '\\')
            c = '\'';
    }
    return text;
}

/// The name of Primus whose placement and kinds of passes a schedule has.
Result<std::string> primusName(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const Placement& placement = spec.routes.front();
    const std::vector<EntryId> entries(schedule.entries().begin(), schedule.entries().end());
    const bool split = std::any_of(entries.begin(), entries.end(), [&](EntryId one) {
        return schedule.entry(one).pass.kind == PassKind::W;
    });
    const int chunks = spec.stages() / spec.devices;
    if (placement == Placement::linear(spec.devices))
        return std::string(split ? "zero-bubble" : "1f1b");
    if (placement == Placement::vShape(spec.devices))
        return std::string("zbv-formatted");
    if (chunks > 1 && placement == Placement::looped(spec.devices, chunks)) {
        if (split)
            return fail(ErrorCode::BadValue,
                        "Primus keeps weights' gradients apart for one stage a rank and for a V; "
                        "of %1 chunks a rank laid round and round it has whole backwards only",
                        chunks);
        return std::string("1f1b-interleaved");
    }
    return fail(ErrorCode::BadValue,
                "Primus places stages one a rank, round and round, or in a V of two; this schedule "
                "has another placement");
}

std::string withName(std::string_view text, const std::string& name)
{
    constexpr std::string_view place = "%NAME%";
    std::string out(text);
    for (std::size_t at = out.find(place); at != std::string::npos; at = out.find(place, at))
        out.replace(at, place.size(), name);
    return out;
}

} // namespace

Result<std::string> primusClass(const Schedule& schedule, const std::string& title)
{
    PW_TRY(const std::string table, primusTable(schedule));
    PW_TRY(const std::string name, primusName(schedule));
    const auto devices = chunksOfDevices(schedule.spec());
    std::string stages;
    for (const std::vector<HostedStage>& device : devices) {
        if (device.size() != devices.front().size())
            return fail(
                ErrorCode::BadValue,
                "Primus has as many chunks on every rank; here device 0 has %1 and another %2",
                devices.front().size(), device.size());
        stages += stages.empty() ? "[" : ", [";
        for (std::size_t chunk = 0; chunk < device.size(); ++chunk)
            stages += (chunk > 0 ? ", " : "") + std::to_string(device[chunk].stage);
        stages += "]";
    }
    std::string rows;
    for (std::size_t at = table.find('\n') + 1; at < table.size();) {
        const std::size_t end = table.find('\n', at);
        const std::size_t begin = table.find(": ", at) + 2;
        rows += "    \"" + table.substr(begin, end - begin) + "\",\n";
        at = end + 1;
    }
    return checkedLine(primusChecked) + "\"\"\"" + docText(title) + ", as a schedule of Primus.\n" +
           withName(classHead, name) +
           "MICRO_BATCHES = " + std::to_string(schedule.spec().microBatches) + "\nSTAGES = [" +
           stages + "]  # of every rank, by chunk\nTABLE = [\n" + rows + "]\n" +
           std::string(classBody);
}

} // namespace pw
