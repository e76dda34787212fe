// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/trace_figures.h"

#include <algorithm>

namespace pw {

TraceFigures traceFigures(const RecoveredPipeline& pipeline, const AlignedClocks& clocks,
                          const std::vector<RankTransfers>& transfers)
{
    TraceFigures figures{clocks, {}};
    figures.clocks.impossibleList.clear();
    figures.clocks.contradiction.clear();
    for (std::size_t device = 0; device < pipeline.rankOfDevice.size(); ++device) {
        const auto found =
            std::find_if(transfers.begin(), transfers.end(), [&](const RankTransfers& one) {
                return one.rank == pipeline.rankOfDevice[device];
            });
        if (found == transfers.end())
            continue;
        figures.transfers.push_back(*found);
        figures.transfers.back().rank = static_cast<std::int32_t>(device);
    }
    return figures;
}

} // namespace pw
