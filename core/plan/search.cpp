// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search.h"

#include "core/base/try.h"
#include "core/plan/family_traits.h"
#include "core/plan/search_work.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pw::plan {

namespace {

/// What pieces depend on; the replicas follow from the other degrees.
auto piecesKey(const Configuration& c)
{
    return std::tuple(c.tensorParallel, c.contextParallel, c.expertParallel, c.microBatchSize,
                      c.recompute, c.pipelineParallel, c.recomputedLayers > 0,
                      traitsOf(c).splitsBackward);
}

using PiecesMap = std::map<decltype(piecesKey(Configuration())), Pieces>;

std::vector<Bounded> boundsOf(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                              const std::vector<Configuration>& candidates, PiecesMap& pieces)
{
    std::vector<Bounded> bounded;
    bounded.reserve(candidates.size());
    for (const Configuration& c : candidates) {
        // Where fewer layers may be computed again, the bound is that of one.
        Configuration quickest = c;
        if (!wish.recompute && c.recompute == RecomputePolicy::Full && c.recomputedLayers == 0)
            quickest.recomputedLayers = 1;
        const auto key = piecesKey(quickest);
        auto found = pieces.find(key);
        if (found == pieces.end())
            found = pieces.emplace(key, piecesOf(model, cluster, quickest)).first;
        bounded.push_back({&c, &found->second,
                           leastSeconds(model, cluster, quickest, found->second),
                           leastBytes(model, c)});
    }
    std::sort(bounded.begin(), bounded.end(),
              [](const Bounded& a, const Bounded& b) { return a.seconds < b.seconds; });
    return bounded;
}

bool isFaster(const Evaluation& a, const Evaluation& b)
{
    return std::pair(a.seconds(), a.peakBytes()) < std::pair(b.seconds(), b.peakBytes());
}

/// @param leaner  what is no row, but may need less than all rows
std::vector<Evaluation> paretoOf(const std::vector<Evaluation>& rows,
                                 const std::vector<Evaluation>& leaner)
{
    std::vector<Evaluation> sorted = rows;
    sorted.insert(sorted.end(), leaner.begin(), leaner.end());
    std::stable_sort(sorted.begin(), sorted.end(), isFaster);
    std::vector<Evaluation> pareto;
    for (Evaluation& row : sorted) {
        if (pareto.empty() || row.peakBytes() < pareto.back().peakBytes())
            pareto.push_back(std::move(row));
    }
    return pareto;
}

/// The candidates that may fit. With activations in the host's memory only where it cannot fit
/// without: the others are tried so when they do not.
std::vector<Bounded> hopefulOf(const PlanModel& model, const std::vector<Bounded>& bounded,
                               double usable, bool offloads)
{
    std::vector<Bounded> hopeful;
    for (const Bounded& one : bounded) {
        if (one.bytes > usable)
            continue;
        if (offloads && one.configuration->offload == OffloadPolicy::All)
            continue;
        if (offloads && one.configuration->offload == OffloadPolicy::Activations) {
            Configuration plain = *one.configuration;
            plain.offload = OffloadPolicy::None;
            if (leastBytes(model, plain) <= usable)
                continue;
        }
        hopeful.push_back(one);
    }
    return hopeful;
}

/// The candidates that could need less memory than any row, a few of the fastest at each step down.
std::vector<Bounded> leanCandidates(const std::vector<Bounded>& bounded, double best,
                                    double leastPeak)
{
    std::vector<Bounded> lean;
    for (const Bounded& one : bounded) {
        constexpr double slowest = 2;
        if (one.bytes < leastPeak && one.seconds < slowest * best)
            lean.push_back(one);
    }
    std::sort(lean.begin(), lean.end(),
              [](const Bounded& a, const Bounded& b) { return a.seconds < b.seconds; });
    constexpr std::size_t most = 60;
    std::vector<Bounded> kept;
    double below = std::numeric_limits<double>::infinity();
    for (const Bounded& one : lean) {
        if (one.bytes < below && kept.size() < most) {
            kept.push_back(one);
            below = 0.97 * one.bytes;
        }
    }
    return kept;
}

/// Whether all passes of a row are few enough to be simulated.
bool isSmall(const Configuration& configuration)
{
    constexpr double mostPasses = 100'000;
    return 3.0 * configuration.microBatches() * configuration.stages() <= mostPasses;
}

/// Searches one list of candidates; what is found comes to what was found before.
///
/// @param candidates  outlive the rows
void searchAmong(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                 const std::vector<Configuration>& candidates, FoundRows& found, PlanTable& table,
                 const std::atomic<bool>* stop,
                 const std::function<void(const SearchProgress&)>& progress)
{
    table.candidates += candidates.size();
    std::set<std::string_view> families;
    for (const Configuration& c : candidates)
        families.insert(c.family);
    table.families += families.size();
    PiecesMap pieces;
    std::vector<Bounded> bounded = boundsOf(model, cluster, wish, candidates, pieces);
    const bool offloads = !wish.offload;
    SearchWork fastest(model, cluster, wish,
                       hopefulOf(model, bounded, mostUsableMemory(cluster), offloads), found, stop);
    fastest.run(true, offloads, progress);
    table.stopped = fastest.stopped();
    if (table.stopped)
        return;
    auto& rows = found.rows();
    if (rows.empty()) {
        // What needs least, for the message.
        std::sort(bounded.begin(), bounded.end(),
                  [](const Bounded& a, const Bounded& b) { return a.bytes < b.bytes; });
        constexpr std::size_t few = 12;
        bounded.resize(std::min(bounded.size(), few));
        SearchWork leanest(model, cluster, wish, bounded, found, stop);
        leanest.run(false, false, {});
        table.stopped = leanest.stopped();
        return;
    }
    double best = rows.front().row.seconds(), leastPeak = rows.front().row.peakBytes();
    for (const FoundRow& one : rows) {
        best = std::min(best, one.row.seconds());
        leastPeak = std::min(leastPeak, one.row.peakBytes());
    }
    for (const Evaluation& row : found.leaner())
        leastPeak = std::min(leastPeak, row.peakBytes());
    SearchWork lean(model, cluster, wish, leanCandidates(bounded, best, leastPeak), found, stop);
    lean.run(false, false, {});
    table.stopped = lean.stopped();
}

} // namespace

Evaluation refined(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                   const Evaluation& evaluation)
{
    return withAllPasses(model, cluster, wish,
                         wish.recompute ? evaluation
                                        : withLessRecomputation(model, cluster, evaluation));
}

Evaluation withAllPasses(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                         const Evaluation& evaluation, double limit)
{
    Evaluation better = evaluation;
    if (wish.split.empty() && !wish.evenSplit)
        better = withBetterSplit(model, cluster, better);
    // A part of the passes says within three thousandths what all take.
    constexpr double clearly = 1.01;
    if (!isSmall(better.configuration) || better.seconds() > clearly * limit)
        return better;
    Result<Evaluation> exact = evaluate(model, cluster, better.configuration);
    const bool good = exact && exact->fits;
    return good ? std::move(*exact) : better;
}

Result<PlanTable> search(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                         const std::atomic<bool>* stop,
                         const std::function<void(const SearchProgress&)>& progress)
{
    PW_TRY(const std::vector<Configuration> candidates, candidatesOf(model, cluster, wish));
    PlanTable table;
    FoundRows found(static_cast<std::size_t>(std::max(wish.rows, 1)));
    searchAmong(model, cluster, wish, candidates, found, table, stop, progress);
    std::vector<Configuration> further;
    if (found.rows().empty() && !table.stopped && wish.family.empty() && wish.families.empty()) {
        Wish others = wish;
        others.families = otherFamilies();
        if (auto more = candidatesOf(model, cluster, others)) {
            further = std::move(*more);
            searchAmong(model, cluster, wish, further, found, table, stop, progress);
        }
    }
    if (found.rows().empty() && !table.stopped && !found.nearest() && found.refusal())
        return fail(*found.refusal());
    if (!table.stopped)
        refineRows(model, cluster, wish, found.rows(),
                   static_cast<std::size_t>(std::max(wish.rows, 1)), stop);
    std::vector<Evaluation> rows;
    for (FoundRow& one : found.rows())
        rows.push_back(std::move(one.row));
    std::sort(rows.begin(), rows.end(), isFaster);
    table.stopped = table.stopped || (stop != nullptr && stop->load());
    table.evaluated = found.evaluated();
    table.nearest = std::move(found.nearest());
    table.pareto = paretoOf(rows, found.leaner());
    table.rows = std::move(rows);
    return table;
}

} // namespace pw::plan
