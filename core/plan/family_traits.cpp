// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/family_traits.h"

#include "core/families/family.h"
#include "core/plan/evaluate.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

namespace pw::plan {

namespace {

/// Answers that were found, kept by their question; threads share them.
template<typename Key, typename Value>
class FoundAnswers
{
public:
    template<typename Make>
    Value of(const Key& key, const Make& make)
    {
        {
            const std::lock_guard lock(m_mutex);
            if (const auto found = m_answers.find(key); found != m_answers.end())
                return found->second;
        }
        const Value made = make();
        const std::lock_guard lock(m_mutex);
        constexpr std::size_t mostKept = 20'000;
        if (m_answers.size() >= mostKept)
            m_answers.clear();
        m_answers.emplace(key, made);
        return made;
    }

private:
    std::mutex m_mutex;
    std::map<Key, Value> m_answers;
};

/// A family never changes once it is known, so that its id stands for it.
using AskedFamily = std::pair<std::string, std::vector<std::pair<std::string, double>>>;

FamilyTraits traitsIn(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    FamilyTraits traits;
    bool joined = false, apart = false;
    const auto look = [&](const Pass& pass) {
        joined = joined || pass.kind == PassKind::BW;
        apart = apart || pass.kind == PassKind::W;
    };
    for (const auto& entries : schedule.orders()) {
        for (const OrderEntry& entry : entries) {
            look(entry.pass);
            if (entry.paired)
                look(entry.partner);
        }
    }
    traits.splitsBackward = apart && !joined;
    traits.fused = joined && !apart;
    traits.chunks = std::max(spec.stages() / spec.devices, 1);
    bool looped = true;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        looped = looped && spec.device(0, stage) == stage % spec.devices;
    traits.oneWay = spec.routeCount() == 1 && spec.segments() == 1 && looped;
    if (spec.routeCount() == 1) {
        double length = 0;
        for (const int segment : spec.segmentLengths)
            length += segment;
        traits.firstPart = spec.segmentLengths.front() / length;
    }
    return traits;
}

std::optional<FamilyTraits> madeTraits(const AskedFamily& asked)
{
    const Result<const Family*> family = findFamily(asked.first);
    if (!family)
        return std::nullopt;
    constexpr std::array<std::pair<int, int>, 6> shapes = {
        {{4, 8}, {4, 16}, {2, 4}, {4, 12}, {8, 32}, {3, 9}}};
    for (const auto& [devices, microBatches] : shapes) {
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = microBatches;
        options.parameters = asked.second;
        if (const Result<Schedule> schedule = buildUniform(**family, options, UniformCosts{}))
            return traitsIn(*schedule);
    }
    return std::nullopt;
}

/// The most of equal stages that a device holds, with some micro-batches.
double inFlightOf(const Family& family, const Configuration& c, int m)
{
    const Result<Schedule> schedule =
        buildUniform(family, familyOptions(family, c, m), UniformCosts{});
    if (!schedule)
        return 1;
    const Costs costs = expand(UniformCosts{}, schedule->spec());
    const Result<SimResult> result = simulate(*schedule, costs);
    return result ? peakMicroBatches(*result) : 1;
}

/// Of many micro-batches a part, and p more, say whether all of them wait, as GPipe's do.
double inFlightOfOrder(const Family& family, const Configuration& c)
{
    constexpr int wholePeriods = 4, fewPasses = 4000;
    const int m = c.microBatches(), p = c.pipelineParallel;
    if (3 * std::int64_t{m} * c.stages() <= fewPasses || m <= (wholePeriods + 1) * p)
        return inFlightOf(family, c, m);
    const int part = wholePeriods * p + m % p;
    const double shorter = inFlightOf(family, c, part);
    const double more = inFlightOf(family, c, part + p) - shorter;
    return shorter + std::max(more, 0.0) * (m - part) / p;
}

} // namespace

FamilyTraits traitsOf(const Configuration& configuration)
{
    static FoundAnswers<AskedFamily, std::optional<FamilyTraits>> found;
    if (!findFamily(configuration.family))
        return {};
    const AskedFamily asked(configuration.family, configuration.parameters);
    return found.of(asked, [&asked] { return madeTraits(asked); }).value_or(FamilyTraits{});
}

double microBatchesInFlight(const Configuration& c)
{
    const Result<const Family*> family = findFamily(c.family);
    if (!family || c.pipelineParallel == 1)
        return 1;
    const FamilyOptions options = familyOptions(**family, c, c.microBatches());
    const ClosedFormInput input = closedFormInput(**family, options, UniformCosts{});
    const auto inRange = [&c](double value) {
        return std::clamp(value, 1.0, static_cast<double>(std::max(c.microBatches(), 1)));
    };
    for (const ClosedForm& form : (*family)->closedForms) {
        if (form.quantity != Quantity::PeakActivation || form.estimate)
            continue;
        if (const std::optional<double> value = form.value(input))
            return inRange(*value);
    }
    // What a search holds follows from what passes take.
    if ((*family)->search)
        return 1;
    using Asked = std::tuple<AskedFamily, int, int, int>;
    static FoundAnswers<Asked, double> found;
    const Asked asked(AskedFamily(c.family, c.parameters), c.pipelineParallel, c.chunks,
                      c.microBatches());
    return inRange(found.of(asked, [&] { return inFlightOfOrder(**family, c); }));
}

bool hasOrderOf(const Configuration& configuration, std::string_view other)
{
    Configuration c = configuration;
    const auto orders = [&c]() -> std::optional<Schedule> {
        const Result<const Family*> family = findFamily(c.family);
        if (!family)
            return std::nullopt;
        Result<Schedule> schedule =
            buildUniform(**family, familyOptions(**family, c, c.microBatches()), UniformCosts{});
        return schedule ? std::optional(std::move(*schedule)) : std::nullopt;
    };
    const std::optional<Schedule> own = orders();
    c.family = other;
    c.parameters.clear();
    const std::optional<Schedule> theirs = orders();
    return own && theirs && own->spec() == theirs->spec() && own->orders() == theirs->orders();
}

} // namespace pw::plan
