// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/advice.h"

#include "core/advise/batch_changes.h"
#include "core/advise/memory_changes.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/family_traits.h"
#include "core/optimise/optimise.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace pw {

namespace {

constexpr double leastAdvisedGain = 0.003;
constexpr std::int64_t mostSearchedPasses = 20'000; // of an order that searches look at
constexpr int mostChunks = 4;

/// "cut the model into 8 stages".
Sentence cutText(const PipelineSpec& spec)
{
    return counted(spec.stages(), "cut the model into %1 stage", "cut the model into %1 stages");
}

Sentence splitTitle(const std::vector<int>& split)
{
    return said("Layers %1", shortLayersText(split));
}

Sentence splitTodo(const std::vector<int>& split)
{
    return said("give the stages %1 layers in your configuration", layersText(split));
}

Sentence loadTodo()
{
    return said("load the schedule file");
}

/// "first; then".
Sentence both(const Sentence& first, const Sentence& then)
{
    return said("%1; %2", first, then);
}

Sentence titleOf(const Family& family, const PlannedChange& change)
{
    Sentence title(family.title);
    for (const auto& [key, value] : change.what.family->options.parameters)
        if (const Parameter* parameter = findParameter(family, key))
            title = said("%1, %2", title, describe(*parameter, value));
    if (!change.split.empty())
        title = said("%1, layers %2", title, shortLayersText(change.split));
    return title;
}

/// Options of a family for as many devices, micro-batches and steps as an order has, and segments
/// where it has some.
FamilyOptions optionsOf(const Family& family, const PipelineSpec& spec)
{
    FamilyOptions options;
    options.devices = spec.devices;
    options.microBatches = spec.microBatches;
    options.steps = spec.steps;
    options.updates = spec.updates;
    const Parameter* segments = findParameter(family, ParameterRole::Segments);
    if (segments != nullptr && spec.segments() > 1)
        options.parameters.emplace_back(segments->name, spec.segments());
    return options;
}

/// Of sorted changes that are the same the first one.
std::vector<AdvisedChange> unlikeOf(std::vector<AdvisedChange> changes)
{
    std::vector<AdvisedChange> unlike;
    for (AdvisedChange& one : changes) {
        const bool known =
            std::any_of(unlike.begin(), unlike.end(), [&](const AdvisedChange& other) {
                return other.split() == one.split() && other.change.holding == one.change.holding &&
                       other.promise.prediction.schedule.orders() ==
                           one.promise.prediction.schedule.orders();
            });
        if (!known)
            unlike.push_back(std::move(one));
    }
    return unlike;
}

/// The first ones, and of every kind and every effort the best are told; bounds come behind.
void shorten(std::vector<AdvisedChange> all, const AdviceRequest& request, Advice& advice)
{
    std::vector<bool> stays(all.size(), false);
    std::set<ChangeKind> kinds;
    std::set<Effort> efforts;
    std::size_t left = request.most;
    for (const bool first : {true, false})
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool asked = all[i].split() == request.split && !request.split.empty();
            const bool newKind = first && kinds.insert(all[i].what).second;
            const bool newEffort = first && efforts.insert(all[i].effort).second;
            if (stays[i] || left == 0 || (first && !newKind && !newEffort && !asked))
                continue;
            stays[i] = true;
            --left;
        }
    for (std::size_t i = 0; i < all.size(); ++i)
        (stays[i] ? advice.changes : advice.more).push_back(std::move(all[i]));
}

/// Why searches are left out.
Sentence notSearched(std::int64_t passes)
{
    return said("Orders above %1 passes are not searched, and this one has %2: no best split, no "
                "other family and no better order was looked for",
                groupedNumber(mostSearchedPasses), groupedNumber(passes));
}

Sentence severalCopies(int routes)
{
    return said("No layers are moved: the model lies in the pipeline %1 times, and a layer would "
                "have to move in all of them",
                routes);
}

Sentence unknownLayers(int stages)
{
    return counted(stages, "How many layers the %1 stage has is not known",
                   "How many layers each of the %1 stages has is not known, so no layers are "
                   "moved, which is often the largest gain for the least work");
}

class Adviser
{
public:
    Adviser(const AdviceSource& source, const AdviceRequest& request)
        : m_source(source)
        , m_request(request)
        , m_spec(source.base.schedule.spec())
        , m_cap(request.cap > 0 ? request.cap : source.cap)
    {
    }

    Result<Advice> run()
    {
        for (const Sentence& note : m_source.notes)
            m_advice.notes.push_back({note});
        if (!small())
            m_advice.notes.push_back({notSearched(m_source.base.schedule.passCount())});
        PW_DO(splits());
        families();
        found();
        combined();
        microBatches();
        holdings();
        rank();
        bounds();
        return std::move(m_advice);
    }

private:
    bool stopped() const { return m_request.stopped && m_request.stopped(); }
    bool small() const { return m_source.base.schedule.passCount() <= mostSearchedPasses; }
    SplitLimits limits(double part) const
    {
        SplitLimits limits{m_cap, m_request.seconds * part, false, m_request.stopped};
        limits.most = m_request.looks.value_or(limits.most);
        return limits;
    }

    PlannedChange plain() const
    {
        PlannedChange change;
        change.what.weightPart = m_request.weightPart;
        change.fixedTime = m_request.fixedTime;
        return change;
    }

    /// Promises a change and keeps it; what is refused is none.
    AdvisedChange* add(ChangeKind what, Sentence title, PlannedChange change, Sentence todo,
                       Effort effort, bool asked = false)
    {
        ++m_advice.tried;
        Result<Promise> promise = promiseOf(m_source, change);
        if (!promise || (!asked && promise->gain < leastAdvisedGain))
            return nullptr;
        const std::vector<Bytes>& peaks = promise->peaks;
        const Bytes most = peaks.empty() ? 0 : *std::max_element(peaks.begin(), peaks.end());
        if (m_cap > 0 && most > m_cap) {
            m_over.push_back({what, std::move(title), std::move(change), std::move(todo), effort,
                              promise->gain});
            return nullptr;
        }
        m_changes.push_back({what, std::move(title), std::move(change), std::move(*promise),
                             std::move(todo), effort});
        return &m_changes.back();
    }

    Result<void> splits()
    {
        if (m_spec.routeCount() != 1) {
            m_advice.notes.push_back({severalCopies(m_spec.routeCount())});
            return {};
        }
        if (m_source.layers.empty()) {
            m_advice.notes.push_back({unknownLayers(m_spec.stages()), AdviceHint::Layers});
            return {};
        }
        if (!m_request.split.empty()) {
            PlannedChange change = plain();
            change.split = m_request.split;
            PW_DO(promiseOf(m_source, change));
            add(ChangeKind::Split, splitTitle(change.split), change, splitTodo(change.split),
                Effort::Number, true);
        }
        if (!small())
            return {};
        constexpr double part = 0.25;
        const Result<BestSplit> best = bestSplit(m_source, plain(), limits(part));
        if (!best) {
            m_advice.notes.push_back({said("No layers are moved: %1", best.error().message)});
            return {};
        }
        m_split = best->split;
        splitAbove();
        if (best->split == m_request.split)
            return {};
        PlannedChange change = plain();
        change.split = best->split;
        if (AdvisedChange* made = add(ChangeKind::Split, splitTitle(best->split), change,
                                      splitTodo(best->split), Effort::Number))
            made->best = best->proven;
        return {};
    }

    /// The best split whatever it needs: above the cap, stages may hold less of it.
    void splitAbove()
    {
        if (m_cap == 0 || !m_source.knowsMemory())
            return;
        SplitLimits any = limits(0.1);
        any.cap = 0;
        const Result<BestSplit> best = bestSplit(m_source, plain(), any);
        if (!best || best->split == m_split)
            return;
        PlannedChange change = plain();
        change.split = best->split;
        add(ChangeKind::Split, splitTitle(best->split), change, splitTodo(best->split),
            Effort::Number);
    }

    /// Every family that could stand in for the order: it flushes, and has the model once.
    void families()
    {
        for (const Family& family : allFamilies()) {
            if (stopped() || family.search || !small() || isOwn(family))
                continue;
            const FamilyTraits traits = traitsOf(family);
            if (traits.updates != UpdateRule::Flush || traits.routes != 1 ||
                (traits.segments != 1 && (m_spec.segments() != 1 || m_request.segments.empty())))
                continue;
            bestOf(family);
        }
    }

    bool isOwn(const Family& family) const
    {
        return m_source.base.family && m_source.base.family->id == family.id &&
               findParameter(family, ParameterRole::Chunks) == nullptr;
    }

    /// Numbers of chunks and of segments that are tried of a family.
    std::vector<FamilyOptions> variantsOf(const Family& family) const
    {
        const Parameter* chunks = findParameter(family, ParameterRole::Chunks);
        const Parameter* segments = findParameter(family, ParameterRole::Segments);
        std::vector<FamilyOptions> all = {optionsOf(family, m_spec)};
        const auto with = [&all](const Parameter* parameter, std::vector<int> counts) {
            std::vector<FamilyOptions> more;
            for (const FamilyOptions& options : all)
                for (const int count : counts) {
                    more.push_back(options);
                    more.back().parameters.emplace_back(parameter->name, count);
                }
            all = std::move(more);
        };
        if (chunks != nullptr)
            with(chunks, {2, 3, mostChunks});
        if (segments != nullptr && m_spec.segments() == 1)
            with(segments, m_request.segments);
        return all;
    }

    /// The best number of chunks and of segments of a family.
    void bestOf(const Family& family)
    {
        std::optional<std::pair<Ticks, PlannedChange>> best;
        for (FamilyOptions& options : variantsOf(family)) {
            PlannedChange change = plain();
            change.what.family = FamilyChoice{std::string(family.id), options};
            if (!layersFor(family, options, change))
                continue;
            const Result<Prediction> made = predictChange(m_source, change);
            if (made && made->schedule.orders() != m_source.base.schedule.orders() &&
                (!best || made->result.makespan < best->first))
                best.emplace(made->result.makespan, std::move(change));
        }
        if (!best)
            return;
        const Result<PipelineSpec> spec = specOf(family, best->second.what.family->options);
        const bool cut = spec && spec->stages() != m_spec.stages();
        const bool segments = spec && spec->segments() != m_spec.segments();
        add(ChangeKind::Family, titleOf(family, best->second), best->second,
            todoOf(*spec, cut, segments), cut || segments ? Effort::Model : Effort::File);
    }

    static Sentence todoOf(const PipelineSpec& spec, bool cut, bool segments)
    {
        Sentence todo = loadTodo();
        if (segments)
            todo = both(counted(spec.segments(), "cut sequences into %1 segment",
                                "cut sequences into %1 segments"),
                        todo);
        return cut ? both(cutText(spec), todo) : todo;
    }

    /// Layers of stages that are cut or put together: as many a device as it has. Whether the
    /// layers can be cut so.
    bool layersFor(const Family& family, const FamilyOptions& options, PlannedChange& change) const
    {
        if (m_source.layers.empty())
            return true;
        const Result<PipelineSpec> spec = specOf(family, options);
        if (!spec)
            return false;
        if (spec->stages() == m_spec.stages())
            return true;
        const int layers = std::accumulate(m_source.layers.begin(), m_source.layers.end(), 0);
        if (layers < spec->stages())
            return false;
        SplitLimits balanced = limits(1);
        balanced.balancedOnly = true;
        const Result<BestSplit> best = bestSplit(m_source, change, balanced);
        if (best)
            change.split = best->split;
        return best.has_value();
    }

    /// A better order of the same passes, searched.
    void found()
    {
        constexpr double part = 0.25;
        addFound({}, part);
    }

    void addFound(const std::vector<int>& split, double part)
    {
        if (!small() || stopped())
            return;
        PlannedChange change = plain();
        change.split = split;
        const Result<Prediction> made = predictChange(m_source, change);
        if (!made)
            return;
        // What the ends of devices take beyond others belongs to whatever stands there.
        Costs costs = made->costs;
        costs.single.clear();
        OptimiseOptions options;
        options.seconds = m_request.seconds * part;
        options.stopped = [this, asked = std::int64_t{0}]() mutable {
            return stopped() || (m_request.looks && ++asked > *m_request.looks);
        };
        costs = withOwnPeak(made->schedule, costs, made->result);
        Result<OptimiseOutcome> outcome = optimiseOrder(made->schedule, costs, options);
        if (!outcome || outcome->schedule.orders() == made->schedule.orders())
            return;
        change.what.order = std::make_shared<const Schedule>(std::move(outcome->schedule));
        constexpr double whole = 100;
        const Sentence gap = outcome->proven ? said("proven best")
                                             : said("at most %1 % above the best",
                                                    plainNumber(whole * outcome->gap(), 2));
        if (split.empty())
            add(ChangeKind::Order, said("A better order, %1", gap), change, loadTodo(),
                Effort::File);
        else
            add(ChangeKind::Combined, said("%1 and a better order, %2", splitTitle(split), gap),
                change, both(splitTodo(split), loadTodo()), Effort::File);
    }

    /// The best of the other orders with layers that are split for them.
    void combined()
    {
        if (m_split.empty() || !small())
            return;
        std::vector<std::pair<double, PlannedChange>> families;
        for (const AdvisedChange& one : m_changes)
            if (one.what == ChangeKind::Family && one.split().empty())
                families.emplace_back(one.promise.gain, one.change);
        std::stable_sort(families.begin(), families.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        constexpr std::size_t most = 3;
        families.resize(std::min(families.size(), most));
        constexpr double part = 0.05;
        for (const auto& [gain, family] : families) {
            const Result<BestSplit> best = bestSplit(m_source, family, limits(part));
            if (!best || best->split == m_source.layers)
                continue;
            PlannedChange change = family;
            change.split = best->split;
            const Family& named = **findFamily(family.what.family->id);
            add(ChangeKind::Combined, said("%1 and %2", splitTitle(best->split), named.title),
                change, both(splitTodo(best->split), loadTodo()), Effort::File);
        }
        if (m_split != m_source.layers)
            addFound(m_split, 0.2);
    }

    /// The same batch in another number of micro-batches, of the order as it is and of the best
    /// others.
    void microBatches()
    {
        const bool asked = !m_request.microBatches.empty();
        for (CandidateChange& one :
             changesOfCount(m_source, m_request, plain(), bestOfKinds(false), m_advice.notes))
            add(std::move(one), asked);
    }

    AdvisedChange* add(CandidateChange one, bool asked = false)
    {
        return add(one.what, std::move(one.title), std::move(one.change), std::move(one.todo),
                   one.effort, asked);
    }

    /// The best of every kind of changes, or of those to the same stages.
    std::vector<CandidateChange> bestOfKinds(bool sameStages) const
    {
        std::array<const AdvisedChange*, changeKindCount> best{};
        for (const AdvisedChange& one : m_changes) {
            const AdvisedChange*& of = best[static_cast<std::size_t>(one.what)];
            const int stages = one.promise.prediction.schedule.spec().stages();
            if ((!sameStages || stages == m_spec.stages()) &&
                (of == nullptr || of->promise.gain < one.promise.gain))
                of = &one;
        }
        std::vector<CandidateChange> all;
        for (const AdvisedChange* one : best)
            if (one != nullptr)
                all.push_back({one->what, one->title, one->change, one->todo, one->effort,
                               one->promise.gain});
        return all;
    }

    /// What stages hold: without recomputation, and what is above the cap below it.
    void holdings()
    {
        for (CandidateChange& one : changesThatKeep(m_source, plain(), bestOfKinds(true), m_cap))
            add(std::move(one));
        if (std::optional<AdviceNote> note = recomputationNote(m_source))
            m_advice.notes.push_back(std::move(*note));
        if (m_cap == 0 || !m_source.knowsMemory())
            return;
        const Result<std::vector<Bytes>> now = peaksNow(m_source);
        const bool above =
            now && std::any_of(now->begin(), now->end(), [&](Bytes peak) { return peak > m_cap; });
        std::vector<CandidateChange> over = std::exchange(m_over, {});
        if (above)
            over.insert(over.begin(), {ChangeKind::Order, {}, plain(), {}, Effort::Number, 1});
        std::size_t below = 0;
        for (CandidateChange& one : changesBelow(m_source, over, m_cap, m_request.hostRate)) {
            const bool asOrdered = one.change.split.empty() && !one.change.what.family &&
                                   one.change.what.order == nullptr;
            below += add(one.what, std::move(one.title), std::move(one.change), std::move(one.todo),
                         one.effort, above && asOrdered) != nullptr;
        }
        m_overCap = over.size() - below;
    }

    /// What cannot be had.
    void bounds()
    {
        const auto bound = [&](Sentence title, const auto& set) {
            PlannedChange change = plain();
            set(change);
            const std::size_t before = m_changes.size();
            if (add(ChangeKind::Bound, std::move(title), change, {}, Effort::Number, true) ==
                nullptr)
                return;
            constexpr double little = 0.02;
            AdvisedChange& made = m_changes[before];
            made.todo = made.promise.gain < little ? said("not worth it") : said("an upper bound");
            m_advice.changes.push_back(std::move(made));
        };
        m_changes.clear();
        bound(said("Links without delay"), [](PlannedChange& change) { change.what.hop = 0; });
        if (!m_source.base.edges.empty())
            bound(said("Nothing between passes"),
                  [](PlannedChange& change) { change.noGaps = true; });
    }

    /// By gain; of those that are the same order on the same layers the one with the least to do.
    void rank()
    {
        if (m_request.cap > 0 && !m_source.knowsMemory())
            m_advice.notes.push_back(
                {said("What ranks hold at their peak is not known, so the limit leaves nothing "
                      "out")});
        if (m_overCap > 0)
            m_advice.notes.push_back(
                {counted(static_cast<std::int64_t>(m_overCap),
                         "%1 change left out, since a device would need more than the limit",
                         "%1 changes left out, since a device would need more than the limit")});
        std::stable_sort(
            m_changes.begin(), m_changes.end(), [](const AdvisedChange& a, const AdvisedChange& b) {
                return a.promise.gain != b.promise.gain ? a.promise.gain > b.promise.gain
                                                        : a.effort < b.effort;
            });
        shorten(unlikeOf(std::move(m_changes)), m_request, m_advice);
    }

    const AdviceSource& m_source;
    const AdviceRequest& m_request;
    const PipelineSpec& m_spec;
    Bytes m_cap;              // of a device; 0: none
    std::vector<int> m_split; // the best for the order as it is; empty: not known
    std::vector<AdvisedChange> m_changes;
    std::vector<CandidateChange> m_over; // need more than the cap
    std::size_t m_overCap = 0;           // and stay so
    Advice m_advice;
};

} // namespace

std::string_view name(ChangeKind kind)
{
    constexpr std::array<std::string_view, changeKindCount> names = {"split", "order", "family",
                                                                     "combined", "bound"};
    return names[static_cast<std::size_t>(kind)];
}

std::size_t Advice::tell(std::size_t index)
{
    if (index < changes.size())
        return index;
    const auto from = more.begin() + static_cast<std::ptrdiff_t>(index - changes.size());
    const auto place =
        std::find_if(changes.begin(), changes.end(), [&](const AdvisedChange& other) {
            return other.what == ChangeKind::Bound || other.promise.gain < from->promise.gain;
        });
    const auto told = static_cast<std::size_t>(place - changes.begin());
    changes.insert(place, std::move(*from));
    more.erase(from);
    return told;
}

Result<Advice> adviceOn(const AdviceSource& source, const AdviceRequest& request)
{
    return Adviser(source, request).run();
}

} // namespace pw
