// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/configuration_traits.h"
#include "core/plan/search.h"

#include <algorithm>

namespace pw::plan {

Evaluation withBetterSplit(const LanguageModel& model, const Cluster& cluster,
                           const Evaluation& evaluation)
{
    Evaluation best = evaluation;
    if (evaluation.configuration.pipelineParallel == 1)
        return best;
    const Pieces pieces = piecesOf(model, cluster, evaluation.configuration);
    const int stages = static_cast<int>(best.configuration.split.size());
    const Result<const Family*> family = findFamily(best.configuration.family);
    const Result<PipelineSpec> spec = specOf(
        **family, familyOptions(**family, best.configuration, best.configuration.microBatches()));
    if (!spec)
        return best;
    const FamilyTraits traits = traitsOf(best.configuration);
    // What a split does not change, and the least that its pipeline takes.
    const double fixed = best.parts.tied + best.parts.other;
    constexpr int mostTries = 48;
    int tries = 0;
    const auto canWin = [&](const Configuration& moved) {
        const Costs costs = costsOf(model, cluster, moved, pieces, *spec, moved.split);
        if (leastPipelineSeconds(costs, *spec) + fixed >= best.seconds())
            return false;
        // The work of a device does not say it, but the way to it and back may: a try.
        ++tries;
        return leastPipelineSeconds(costs, *spec, traits) + fixed < best.seconds();
    };
    const auto move = [&](StageId from, StageId to) {
        if (from < 0 || to < 0 || from >= stages || to >= stages || to == from ||
            tries >= mostTries)
            return false;
        Configuration moved = best.configuration;
        const std::size_t f = from.index(), t = to.index();
        if (moved.split[f] <= 1)
            return false;
        --moved.split[f];
        ++moved.split[t];
        if (!canWin(moved))
            return false;
        auto other =
            evaluateBelow(model, cluster, moved, pieces, Exactness::Periodic, best.seconds());
        if (!other || !*other || (*other)->fits < best.fits)
            return false;
        best = std::move(**other);
        return true;
    };
    for (bool better = true; better && tries < mostTries;) {
        better = false;
        // The heavy ends first, then neighbours.
        for (const StageId to : Ids<StageId>(stages))
            better = move(StageId(stages - 1), to) || move(StageId(0), to) || better;
        for (const StageId from : Ids<StageId>(stages))
            better = move(from, from + 1) || move(from, from - 1) || better;
    }
    return best;
}

Evaluation withLessRecomputation(const LanguageModel& model, const Cluster& cluster,
                                 const Evaluation& evaluation)
{
    const Configuration& c = evaluation.configuration;
    if (!evaluation.fits || c.recompute != RecomputePolicy::Full || c.recomputedLayers > 0)
        return evaluation;
    // More layers need less memory and more time: the least that fits, by halving.
    Evaluation best = evaluation;
    int least = 1, most = *std::max_element(c.split.begin(), c.split.end());
    while (least < most) {
        Configuration fewer = c;
        fewer.recomputedLayers = least + (most - least) / 2;
        Result<Evaluation> other =
            evaluate(model, cluster, fewer, piecesOf(model, cluster, fewer), Exactness::Periodic);
        if (!other || !other->fits) {
            least = fewer.recomputedLayers + 1;
            continue;
        }
        most = fewer.recomputedLayers;
        if (other->seconds() < best.seconds())
            best = std::move(*other);
    }
    return best;
}

} // namespace pw::plan
