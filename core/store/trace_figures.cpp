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
    for (const DeviceId device : Ids<DeviceId>(pipeline.rankOfDevice.size())) {
        const auto found =
            std::find_if(transfers.begin(), transfers.end(), [&](const RankTransfers& one) {
                return one.of == pipeline.rankOfDevice[device.index()];
            });
        if (found == transfers.end())
            continue;
        figures.transfers.push_back({device, found->count, found->time, found->exposure});
    }
    return figures;
}

} // namespace pw
