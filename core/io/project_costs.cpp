// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/json_fields.h"
#include "core/io/offload_text.h"
#include "core/io/project_file.h"
#include "core/io/project_parts.h"

#include <limits>
#include <utility>

namespace pw {

Costs costsOf(const Project& project)
{
    const auto* uniform = std::get_if<UniformCosts>(&project.costs);
    Costs costs = uniform ? expand(*uniform, project.draft.spec) : std::get<Costs>(project.costs);
    costs.offload = project.offload;
    return costs;
}

void setTables(Project& project, Costs costs)
{
    project.offload = std::exchange(costs.offload, {});
    project.costs = std::move(costs);
}

Offload readOffload(JsonFields& fields, const PipelineSpec& spec)
{
    Offload offload;
    const std::string cells = fields.text("cells", "");
    offload.link.latency = fields.integer("latency_ns", 0, longestPass, 0);
    offload.link.bytesPerSecond = fields.number(
        "bytes_per_second", 0, std::numeric_limits<double>::max(), Offload::usualRate);
    if (cells.empty())
        return offload;
    auto read = parseOffload(cells, spec);
    if (read)
        offload.cells = std::move(*read);
    else
        fields.refuse("cells", "%1 is impossible: %2", read.error().message);
    return offload;
}

} // namespace pw
