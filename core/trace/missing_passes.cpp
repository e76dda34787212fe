// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/missing_passes.h"

#include "core/base/text.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pw {

namespace {

using Place = std::tuple<PassKind, StageId, std::int32_t, std::int32_t>;

} // namespace

std::vector<Pass> missingPasses(const RecoveredPipeline& pipeline)
{
    std::vector<Pass> missing;
    const RecoveredIteration* shown = pipeline.iteration();
    if (shown == nullptr)
        return missing;
    std::set<Place> there;
    std::set<std::pair<PassKind, StageId>> kinds; // of stages
    std::int32_t microBatches = 0, segments = 0;
    for (const RecordedPass& record : shown->passes) {
        const Pass& pass = record.pass;
        if (pass.kind == PassKind::U)
            continue;
        there.emplace(pass.kind, pass.stage, pass.microBatch, pass.segment);
        kinds.emplace(pass.kind, pass.stage);
        microBatches = std::max(microBatches, pass.microBatch + 1);
        segments = std::max(segments, pass.segment + 1);
    }
    // Every stage has forwards, also one whose passes are all lost.
    for (const StageId stage : Ids<StageId>(pipeline.stages))
        kinds.emplace(PassKind::F, stage);
    const double wanted = static_cast<double>(kinds.size()) * microBatches * segments;
    if (wanted > 2.0 * static_cast<double>(there.size()))
        return missing;
    for (const auto& [kind, stage] : kinds)
        for (std::int32_t microBatch = 0; microBatch < microBatches; ++microBatch)
            for (std::int32_t segment = 0; segment < segments; ++segment) {
                const auto has = [&, stage = stage](PassKind one) {
                    return there.count({one, stage, microBatch, segment}) > 0;
                };
                const bool stoodFor = kind == PassKind::BW ? has(PassKind::B) && has(PassKind::W)
                                      : kind == PassKind::B || kind == PassKind::W
                                          ? has(PassKind::BW)
                                          : kind == PassKind::R;
                if (!has(kind) && !stoodFor)
                    missing.push_back({kind, 0, stage, microBatch, segment});
            }
    return missing;
}

std::string missingText(const RecoveredPipeline& pipeline)
{
    const std::vector<Pass> missing = missingPasses(pipeline);
    if (missing.empty())
        return {};
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(missing.size(), most); ++i) {
        const Pass& pass = missing[i];
        text += (i == 0 ? "" : ", ") + std::string(name(pass.kind)) + " of micro-batch " +
                std::to_string(pass.microBatch) + " on stage " + std::to_string(pass.stage) +
                (pass.segment > 0 ? ", segment " + std::to_string(pass.segment) : "");
    }
    if (missing.size() > most)
        text += " and " + groupedNumber(static_cast<std::int64_t>(missing.size() - most)) + " more";
    return text + (missing.size() == 1 ? " is missing" : " are missing");
}

} // namespace pw
