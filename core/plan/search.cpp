// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search.h"

#include "core/base/try.h"
#include "core/cost/configuration_traits.h"
#include "core/plan/search_work.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace pw::plan {

namespace {

/// What a search is asked.
struct Asked
{
    const LanguageModel& model;
    const Cluster& cluster;
    const Wish& wish;
    const std::atomic<bool>* stop;
    SearchCut cut;
    const KnownBefore& known;
};

/// What pieces depend on; the replicas follow from the other degrees.
auto piecesKey(const Configuration& c)
{
    return std::tuple(c.tensorParallel, c.contextParallel, c.expertParallel, c.microBatchSize,
                      c.recompute, c.pipelineParallel, c.recomputedLayers > 0,
                      c.segmentLengths.size());
}

using PiecesMap = std::map<decltype(piecesKey(Configuration())), Pieces>;

/// Bounds of candidates that differ in nothing but families whose stages are placed alike.
class SecondsOfShapes
{
public:
    SecondsOfShapes(const LanguageModel& model, const Cluster& cluster)
        : m_model(model)
        , m_cluster(cluster)
    {
    }

    double least(const Configuration& c, const Pieces& pieces)
    {
        const Result<const Family*> family = findFamily(c.family);
        const Result<PipelineSpec> spec =
            family ? specOf(**family, familyOptions(**family, c, c.microBatches()))
                   : Result<PipelineSpec>(fail(family.error()));
        if (!spec)
            return leastSeconds(m_model, m_cluster, c, pieces);
        Configuration anyFamily = c;
        anyFamily.family.clear();
        anyFamily.parameters.clear();
        // Copies to the host only lengthen passes: no bound has them.
        anyFamily.offload = OffloadPolicy::None;
        anyFamily.offloadShares.clear();
        const FamilyTraits traits = traitsOf(c);
        const auto passes = std::tuple(traits.fused, traits.splitsBackward, traits.pairs);
        for (const Known& one : m_known) {
            if (one.pieces == &pieces && one.passes == passes && one.configuration == anyFamily &&
                one.spec == *spec)
                return one.seconds;
        }
        // Candidates that are alike are near each other.
        constexpr std::size_t mostKnown = 64;
        if (m_known.size() >= mostKnown)
            m_known.clear();
        const double seconds = leastSeconds(m_model, m_cluster, c, pieces);
        m_known.push_back({std::move(anyFamily), *spec, &pieces, passes, seconds});
        return seconds;
    }

private:
    struct Known
    {
        Configuration configuration;
        PipelineSpec spec;
        const Pieces* pieces;
        std::tuple<bool, bool, bool> passes; ///< fused, split, in pairs
        double seconds;
    };

    const LanguageModel& m_model;
    const Cluster& m_cluster;
    std::vector<Known> m_known;
};

/// Whether a candidate may fit. With activations in the host's memory where it cannot fit without,
/// the others are tried so when they do not; and where fewer layers may be computed again, which is
/// worth it although it fits without.
bool isHopeful(const LanguageModel& model, const Wish& wish, const Bounded& one, double usable)
{
    if (one.weightBytes > usable)
        return false;
    const OffloadPolicy offload = one.configuration->offload;
    if (wish.offload || offload == OffloadPolicy::None)
        return true;
    if (offload == OffloadPolicy::All)
        return false;
    if (offload != OffloadPolicy::Activations || mayRecomputeLess(wish, *one.configuration))
        return true;
    Configuration plain = *one.configuration;
    plain.offload = OffloadPolicy::None;
    return leastWeightBytes(model, plain) > usable;
}

/// Whether that there is no row says nothing of what fits.
bool isLimited(const KnownBefore& known)
{
    return known.below < std::numeric_limits<double>::infinity() || known.onlyOffload;
}

std::vector<Bounded> boundsOf(const Asked& asked, const std::vector<Configuration>& candidates,
                              PiecesMap& pieces)
{
    const auto& [model, cluster, wish, stop, cut, known] = asked;
    // Without a cut the bounds of memory are not believed either.
    const double usable = cut == SearchCut::Never ? std::numeric_limits<double>::infinity()
                                                  : mostUsableMemory(cluster);
    // Whether what cannot fit is looked at once more where nothing does.
    const bool anyCounts = cut != SearchCut::Rows || !isLimited(known);
    std::vector<Bounded> bounded;
    bounded.reserve(candidates.size());
    SecondsOfShapes seconds(model, cluster);
    for (const Configuration& c : candidates) {
        Bounded& one = bounded.emplace_back();
        one.configuration = &c;
        one.place = bounded.size() - 1;
        one.weightBytes = leastWeightBytes(model, c);
        one.hopeful = isHopeful(model, wish, one, usable);
        if (!one.hopeful && !anyCounts)
            continue;
        // Where fewer layers may be computed again, the bound is that of one.
        Configuration quickest = c;
        if (mayRecomputeLess(wish, c))
            quickest.recomputedLayers = 1;
        const auto key = piecesKey(quickest);
        auto found = pieces.find(key);
        if (found == pieces.end())
            found = pieces.emplace(key, piecesOf(model, cluster, quickest)).first;
        one.pieces = &found->second;
        one.seconds = seconds.least(quickest, found->second);
        one.bytes = cut == SearchCut::Rows ? 0 : leastBytes(model, c);
    }
    return bounded;
}

/// Gives candidates the memory that they are known to need. The same wish leaves them in the same
/// order, where more is asked for with others between them.
///
/// @return  what is known; no more than the limit where the candidates are others
KnownBefore knownOf(const KnownBefore& known, std::vector<Bounded>& bounded)
{
    if (known.tooLarge == nullptr)
        return known;
    auto next = known.tooLarge->begin();
    for (Bounded& one : bounded) {
        if (next != known.tooLarge->end() && next->configuration == *one.configuration)
            one.tooLarge = &*next++;
    }
    if (next == known.tooLarge->end())
        return known;
    for (Bounded& one : bounded)
        one.tooLarge = nullptr;
    return {.below = known.below};
}

bool isFaster(const Evaluation& a, const Evaluation& b)
{
    return std::pair(a.seconds(), a.peakBytes()) < std::pair(b.seconds(), b.peakBytes());
}

bool isQuicker(const Bounded& a, const Bounded& b)
{
    return std::pair(a.seconds, a.place) < std::pair(b.seconds, b.place);
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
    std::sort(lean.begin(), lean.end(), isQuicker);
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

/// About how many passes so many micro-batches are.
double passesOf(const Configuration& configuration, int microBatches)
{
    constexpr double passesOfCell = 3;
    const auto slices = std::max<std::size_t>(configuration.segmentLengths.size(), 1);
    return passesOfCell * configuration.stages() * microBatches * static_cast<double>(slices);
}

/// Whether all passes of a row are few enough to be simulated.
bool isSmall(const Configuration& configuration)
{
    constexpr double mostPasses = 100'000;
    return passesOf(configuration, configuration.microBatches()) <= mostPasses;
}

/// Time and memory of rows.
class Front
{
public:
    explicit Front(FoundRows& found)
    {
        for (const FoundRow& one : found.rows()) {
            take(one.best());
            if (one.leaner)
                take(*one.leaner);
        }
        for (const Evaluation& one : found.leaner())
            take(one);
    }
    double best() const { return m_peaks.begin()->first; }
    double leastPeak() const { return m_peaks.rbegin()->second; }
    /// Whether a row is at least as fast and needs no more.
    bool holds(double seconds, double bytes) const
    {
        const auto slower = m_peaks.upper_bound(seconds);
        return slower != m_peaks.begin() && std::prev(slower)->second <= bytes;
    }

private:
    void take(const Evaluation& row)
    {
        const double seconds = row.seconds(), bytes = row.peakBytes();
        if (holds(seconds, bytes))
            return;
        auto worse = m_peaks.insert_or_assign(seconds, bytes).first;
        for (++worse; worse != m_peaks.end() && worse->second >= bytes;)
            worse = m_peaks.erase(worse);
    }

    std::map<double, double> m_peaks; ///< by seconds, falling
};

/// About how many passes are simulated to look at a candidate.
double passesToLook(const Configuration& configuration)
{
    constexpr int periods = 4;
    return passesOf(configuration, std::min(configuration.microBatches(),
                                            periods * configuration.pipelineParallel));
}

/// The next candidates, fastest bound first, for whose bounds no row is as fast and as lean.
/// @param most  passes to simulate, about
std::vector<Bounded> beyondFront(const std::vector<Bounded>& bounded, FoundRows& found, double most)
{
    const Front front(found);
    std::vector<Bounded> beyond;
    for (const Bounded& one : bounded) {
        if (!found.hasLooked(one.configuration) && !front.holds(one.seconds, one.bytes))
            beyond.push_back(one);
    }
    std::sort(beyond.begin(), beyond.end(), isQuicker);
    std::size_t count = 0;
    for (double passes = 0; count < beyond.size() && passes < most; ++count)
        passes += passesToLook(*beyond[count].configuration);
    beyond.resize(count);
    return beyond;
}

/// Looks at what could need less memory than the rows. What of it could be among the first rows was
/// left out of them before, and stays so.
void searchLean(const Asked& asked, const std::vector<Bounded>& bounded, FoundRows& found,
                PlanTable& table)
{
    auto& rows = found.rows();
    const double limit = found.limit();
    const std::size_t before = rows.size();
    const auto lookAt = [&](const std::vector<Bounded>& list) {
        SearchWork work(asked.model, asked.cluster, asked.wish, list, found, asked.stop);
        work.run(WorkAim::Look, false, {});
        table.stopped = work.stopped();
    };
    // Down to the leanest, and then between it and the first rows.
    const Front first(found);
    lookAt(leanCandidates(bounded, first.best(), first.leastPeak()));
    constexpr int rounds = 8;
    constexpr double passesOfRound = 200'000; // what a core simulates in a fifth of a second
    for (int round = 0; round < rounds && !table.stopped; ++round) {
        const std::vector<Bounded> list = beyondFront(bounded, found, passesOfRound);
        if (list.empty())
            break;
        lookAt(list);
    }
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end(),
              [](const FoundRow& a, const FoundRow& b) { return a.place < b.place; });
    for (std::size_t i = before; i < rows.size();) {
        if (rows[i].bound > limit) {
            ++i;
            continue;
        }
        found.leaner().push_back(std::move(rows[i].row));
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

/// Searches one list of candidates; what is found comes to what was found before.
///
/// @param candidates  outlive the rows
/// @return            seconds that everything takes at least that was not looked at to its end
double searchAmong(const Asked& asked, const std::vector<Configuration>& candidates,
                   FoundRows& found, PlanTable& table,
                   const std::function<void(const SearchProgress&)>& progress)
{
    const auto& [model, cluster, wish, stop, cut, known] = asked;
    table.candidates += candidates.size();
    std::set<std::string_view> families;
    for (const Configuration& c : candidates)
        families.insert(c.family);
    table.families += families.size();
    PiecesMap pieces;
    std::vector<Bounded> bounded = boundsOf(asked, candidates, pieces);
    const KnownBefore told = knownOf(known, bounded);
    const bool offloads = !wish.offload, all = cut == SearchCut::Never;
    std::vector<Bounded> hopeful;
    std::copy_if(bounded.begin(), bounded.end(), std::back_inserter(hopeful),
                 [](const Bounded& one) { return one.hopeful; });
    SearchWork fastest(model, cluster, wish, hopeful, found, stop);
    fastest.setKnown(told);
    fastest.run(all ? WorkAim::All : WorkAim::Best, offloads, progress);
    table.stopped = fastest.stopped();
    if (table.stopped)
        return fastest.leastOpen();
    if (!all)
        found.settle();
    if (found.rows().empty() && isLimited(known))
        return std::numeric_limits<double>::infinity();
    if (found.rows().empty()) {
        // What needs least, for the message.
        for (Bounded& one : bounded)
            one.bytes = leastBytes(model, *one.configuration);
        std::sort(bounded.begin(), bounded.end(), [](const Bounded& a, const Bounded& b) {
            return std::pair(a.bytes, a.place) < std::pair(b.bytes, b.place);
        });
        constexpr std::size_t few = 12;
        bounded.resize(std::min(bounded.size(), few));
        SearchWork leanest(model, cluster, wish, bounded, found, stop);
        leanest.run(WorkAim::Look, false, {});
        table.stopped = leanest.stopped();
    } else if (cut == SearchCut::Proven) {
        searchLean(asked, bounded, found, table);
    }
    return std::numeric_limits<double>::infinity();
}

/// The rows, fastest first, and how many of the first of them nothing can come before.
///
/// @param open  seconds that everything takes at least that was not looked at to its end
void tellRows(FoundRows& found, double open, const Wish& wish, PlanTable& table)
{
    std::vector<FoundRow*> order;
    for (FoundRow& one : found.rows())
        order.push_back(&one);
    std::sort(order.begin(), order.end(), [](const FoundRow* a, const FoundRow* b) {
        return isFaster(a->best(), b->best()) ||
               (!isFaster(b->best(), a->best()) && a->place < b->place);
    });
    const auto wanted = static_cast<std::size_t>(std::max(wish.rows, 1));
    bool proven = true;
    for (FoundRow* one : order) {
        proven = proven && one->refined && one->best().seconds() < open && table.proven < wanted;
        table.proven += proven ? 1 : 0;
        table.rows.push_back(one->best());
        table.bounds.push_back(one->rowBound);
        if (one->leaner)
            found.leaner().push_back(std::move(*one->leaner));
    }
    table.pareto = paretoOf(table.rows, found.leaner());
}

/// Of each family that never flushes the best on the shapes of the first rows.
std::vector<Evaluation> unflushedLike(const Asked& asked, const std::vector<Evaluation>& rows)
{
    std::vector<Evaluation> best;
    const std::size_t wanted = std::min(rows.size(), static_cast<std::size_t>(asked.wish.rows));
    for (const std::string& family : unflushedFamilies()) {
        std::optional<Evaluation> found;
        for (std::size_t i = 0; i < wanted; ++i) {
            Configuration c = rows[i].configuration;
            c.family = family;
            c.parameters.clear();
            c.segmentLengths.clear();
            c.offloadShares.clear();
            c.split = asked.wish.split;
            c.chunks = traitsOf(c).chunks;
            if (!check(asked.model, asked.cluster, c))
                continue;
            Result<Evaluation> one =
                evaluate(asked.model, asked.cluster, c, piecesOf(asked.model, asked.cluster, c),
                         Exactness::Periodic);
            if (one && one->fits && (!found || isFaster(*one, *found)))
                found = std::move(*one);
        }
        if (found)
            best.push_back(std::move(*found));
    }
    std::stable_sort(best.begin(), best.end(), isFaster);
    return best;
}

} // namespace

Evaluation refined(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                   const Evaluation& evaluation)
{
    return withAllPasses(model, cluster, wish,
                         wish.recompute ? evaluation
                                        : withLessRecomputation(model, cluster, evaluation));
}

Result<Evaluation> evaluatedAsRow(const LanguageModel& model, const Cluster& cluster,
                                  const Configuration& configuration)
{
    return evaluate(model, cluster, configuration, piecesOf(model, cluster, configuration),
                    isSmall(configuration) ? Exactness::All : Exactness::Periodic);
}

Evaluation withAllPasses(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                         const Evaluation& evaluation)
{
    Evaluation better = evaluation;
    if (wish.split.empty() && !wish.evenSplit)
        better = withBetterSplit(model, cluster, better);
    if (!isSmall(better.configuration) || !check(model, cluster, better.configuration))
        return better;
    Result<Evaluation> exact = evaluatedAsRow(model, cluster, better.configuration);
    const bool good = exact && exact->fits;
    return good ? std::move(*exact) : better;
}

Result<PlanTable> search(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                         const std::atomic<bool>* stop,
                         const std::function<void(const SearchProgress&)>& progress, SearchCut cut,
                         const KnownBefore& known)
{
    PW_TRY(const std::vector<Configuration> candidates, candidatesOf(model, cluster, wish));
    PlanTable table;
    FoundRows found(static_cast<std::size_t>(std::max(wish.rows, 1)), known.below);
    const Asked asked{model, cluster, wish, stop, cut, known};
    double open = searchAmong(asked, candidates, found, table, progress);
    std::vector<Configuration> further;
    const bool limited = isLimited(known);
    if (found.rows().empty() && !table.stopped && !limited && wish.family.empty() &&
        wish.families.empty()) {
        Wish others = wish;
        others.families = otherFamilies();
        if (auto more = candidatesOf(model, cluster, others)) {
            further = std::move(*more);
            open = searchAmong(asked, further, found, table, progress);
        }
    }
    if (found.rows().empty() && !table.stopped && !limited && !found.nearest() && found.refusal())
        return fail(*found.refusal());
    table.stopped = table.stopped || (stop != nullptr && stop->load());
    table.evaluated = found.evaluated();
    if (further.empty() && cut == SearchCut::Proven)
        table.tooLarge = found.tooLarge();
    table.nearest = std::move(found.nearest());
    tellRows(found, open, wish, table);
    if (!table.stopped && cut != SearchCut::Rows && wish.family.empty() && wish.families.empty())
        table.unflushed = unflushedLike(asked, table.rows);
    return table;
}

} // namespace pw::plan
