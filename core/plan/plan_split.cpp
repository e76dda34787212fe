// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/configuration_traits.h"
#include "core/cost/pipeline_run.h"
#include "core/plan/search.h"

#include <algorithm>
#include <optional>

namespace pw::plan {

namespace {

/// Moves of a layer from one stage to another that may make an iteration shorter.
class SplitMoves
{
public:
    /// @pre the evaluation has its split, and its family makes a spec of it
    SplitMoves(const LanguageModel& model, const Cluster& cluster, const Evaluation& evaluation,
               const Family& family, const PipelineSpec& spec)
        : m_model(model)
        , m_cluster(cluster)
        , m_family(family)
        , m_spec(spec)
        , m_pieces(piecesOf(model, cluster, evaluation.configuration))
        , m_traits(traitsOf(evaluation.configuration))
        , m_best(evaluation)
        , m_fixed(evaluation.parts.tied + evaluation.parts.other)
    {
    }

    Evaluation best()
    {
        const StageId last(m_spec.stages() - 1);
        for (bool better = true; better && m_tries < mostTries;) {
            better = false;
            // The heavy ends first, then neighbours.
            for (const StageId to : Ids<StageId>(m_spec.stages()))
                better = move(last, to) || move(StageId(0), to) || better;
            for (const StageId from : Ids<StageId>(m_spec.stages()))
                better = move(from, from + 1) || move(from, from - 1) || better;
        }
        return std::move(m_best);
    }

private:
    static constexpr int mostTries = 48;

    bool move(StageId from, StageId to)
    {
        const int stages = m_spec.stages();
        if (from < 0 || to < 0 || from >= stages || to >= stages || to == from ||
            m_tries >= mostTries)
            return false;
        Configuration moved = m_best.configuration;
        const std::size_t f = from.index(), t = to.index();
        if (moved.split[f] <= 1)
            return false;
        --moved.split[f];
        ++moved.split[t];
        if (!canWin(moved) || !winsInKnownOrder(moved))
            return false;
        auto other = evaluateBelow(m_model, m_cluster, moved, m_pieces, Exactness::Periodic,
                                   m_best.seconds());
        if (!other || !*other || (*other)->fits < m_best.fits)
            return false;
        m_best = std::move(**other);
        m_orders.reset();
        return true;
    }

    bool canWin(const Configuration& moved)
    {
        const Costs costs = passTimesOf(m_model, m_cluster, moved, m_pieces, m_spec);
        if (leastPipelineSeconds(costs, m_spec) + m_fixed >= m_best.seconds())
            return false;
        // The work of a device does not say it, but the way to it and back may: a try.
        ++m_tries;
        return leastPipelineSeconds(costs, m_spec, m_traits) + m_fixed < m_best.seconds();
    }

    /// Whether it takes less in the order of the best so far, or nearly so. An order for its own
    /// costs takes most of the time of a try, and hardly ever gains more than what is let pass.
    bool winsInKnownOrder(Configuration moved)
    {
        if (!m_orders) {
            Configuration now = m_best.configuration;
            PipelineRun run(m_family, m_model, m_cluster, now, m_pieces);
            if (!run.times(Exactness::Periodic))
                return true;
            m_orders = run.orders();
        }
        PipelineRun run(m_family, m_model, m_cluster, moved, m_pieces);
        run.follow(*m_orders);
        const Result<PipelineTimes> times = run.times(Exactness::Periodic);
        const double gain = m_family.fixedOrder ? 0 : .01;
        return !times || (1 - gain) * times->seconds + m_fixed < m_best.seconds();
    }

    const LanguageModel& m_model;
    const Cluster& m_cluster;
    const Family& m_family;
    const PipelineSpec& m_spec;
    Pieces m_pieces;
    FamilyTraits m_traits;
    Evaluation m_best;
    double m_fixed; ///< seconds that a split does not change
    int m_tries = 0;
    std::optional<PipelineOrders> m_orders; ///< of the best, where they were asked for
};

} // namespace

Evaluation withBetterSplit(const LanguageModel& model, const Cluster& cluster,
                           const Evaluation& evaluation)
{
    const Configuration& c = evaluation.configuration;
    if (c.pipelineParallel == 1)
        return evaluation;
    const Result<const Family*> family = findFamily(c.family);
    const Result<PipelineSpec> spec =
        specOf(**family, familyOptions(**family, c, c.microBatches()));
    if (!spec)
        return evaluation;
    return SplitMoves(model, cluster, evaluation, **family, *spec).best();
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
