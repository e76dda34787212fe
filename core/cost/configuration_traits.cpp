// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/configuration_traits.h"

#include "core/base/found_answers.h"
#include "core/cost/evaluate.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

namespace pw::plan {

namespace {

/// A family never changes once it is known, so that its id stands for it.
using AskedFamily = std::pair<std::string, std::vector<std::pair<std::string, double>>>;

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

bool isInTurns(const Family& family, const Configuration& c)
{
    const int p = c.pipelineParallel, m = c.microBatches();
    const Result<Schedule> schedule =
        buildUniform(family, familyOptions(family, c, m), UniformCosts{});
    if (!schedule || schedule->spec().routeCount() != 1 || schedule->spec().segments() != 1 ||
        schedule->spec().routes.front() != Placement::linear(p))
        return false;
    const DeviceOrders orders = schedule->orders();
    for (const DeviceId device : Ids<DeviceId>(p)) {
        const int ahead = std::min(p - 1 - device, m);
        const std::vector<OrderEntry>& entries = orders[device.index()];
        std::vector<OrderEntry> turns;
        const auto append = [&](PassKind kind, int microBatch) {
            turns.push_back(single({kind, 0, StageId(device.value), microBatch, 0}));
        };
        for (int j = 0; j < ahead; ++j)
            append(PassKind::F, j);
        for (int j = 0; j < m; ++j) {
            if (ahead + j < m)
                append(PassKind::F, ahead + j);
            append(PassKind::BW, j);
        }
        if (entries != turns)
            return false;
    }
    return true;
}

} // namespace

FamilyTraits traitsOf(const Configuration& configuration)
{
    // Every stage of a configuration asks for the same ones. Threads share what was found, and each
    // remembers where: what a thread owned would have to be destroyed at its end, which programs
    // for Windows do after its memory is gone.
    static std::mutex mutex;
    static std::map<AskedFamily, FamilyTraits> found;
    thread_local const std::pair<const AskedFamily, FamilyTraits>* last = nullptr;
    if (last != nullptr && last->first.first == configuration.family &&
        last->first.second == configuration.parameters)
        return last->second;
    const Result<const Family*> family = findFamily(configuration.family);
    if (!family)
        return {};
    const std::lock_guard lock(mutex);
    const auto [at, fresh] = found.try_emplace({configuration.family, configuration.parameters});
    if (fresh)
        at->second = traitsOf(**family, configuration.parameters);
    last = &*at;
    return last->second;
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
    using Asked = std::tuple<AskedFamily, std::vector<int>, int, int, int>;
    static FoundAnswers<Asked, double> found;
    const Asked asked(AskedFamily(c.family, c.parameters), c.segmentLengths, c.pipelineParallel,
                      c.chunks, c.microBatches());
    return inRange(found.of(asked, [&] { return inFlightOfOrder(**family, c); }));
}

bool hasOrderOf(const Configuration& configuration, const Family& other)
{
    const Result<const Family*> family = findFamily(configuration.family);
    if (!family)
        return false;
    const auto ordersOf = [&](const Family& one,
                              std::vector<std::pair<std::string, double>> parameters) {
        Configuration c = configuration;
        c.parameters = std::move(parameters);
        return buildUniform(one, familyOptions(one, c, c.microBatches()), UniformCosts{});
    };
    const Result<Schedule> own = ordersOf(**family, configuration.parameters);
    const Result<Schedule> theirs = ordersOf(other, {});
    return own && theirs && own->spec() == theirs->spec() && own->orders() == theirs->orders();
}

bool takesTurns(const Configuration& c)
{
    const Result<const Family*> family = findFamily(c.family);
    if (!family || c.chunks != 1)
        return false;
    using Asked = std::tuple<AskedFamily, int, int>;
    static FoundAnswers<Asked, bool> found;
    const Asked asked(AskedFamily(c.family, c.parameters), c.pipelineParallel, c.microBatches());
    return found.of(asked, [&] { return isInTurns(**family, c); });
}

} // namespace pw::plan
