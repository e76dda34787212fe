// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/recognise.h"

#include "core/base/text.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace pw {

namespace {

/// At most one entry of these many may be out of order.
constexpr std::int64_t nearness = 50;
/// Values tried of one parameter, and orders made in all.
constexpr int mostValues = 64;
constexpr int mostBuilds = 400;
/// Orders searched for of a family, and passes of an order for which that is worth its time.
constexpr int mostSearches = 24;
constexpr std::int64_t mostSearched = 1024;
/// Passes made in all; past them only families that were begun are tried to their end.
constexpr std::int64_t mostWork = 40'000'000;

/// Whether two shapes are the same as far as a recorded order shows it.
bool sameShape(const PipelineSpec& a, const PipelineSpec& b)
{
    if (a.devices != b.devices || a.microBatches != b.microBatches || a.steps != b.steps ||
        a.routes != b.routes || a.segments() != b.segments() || a.updateRule != b.updateRule ||
        a.updates != b.updates)
        return false;
    for (int microBatch = 0; microBatch < a.microBatches; ++microBatch)
        if (a.route(microBatch) != b.route(microBatch))
            return false;
    return true;
}

/// Entries of a device that have to move: all but the longest run that is in order already.
std::int64_t displaced(const std::vector<std::int32_t>& places)
{
    std::vector<std::int32_t> tails; // of runs of each length, the least
    for (const std::int32_t place : places) {
        const auto at = std::lower_bound(tails.begin(), tails.end(), place);
        if (at == tails.end())
            tails.push_back(place);
        else
            *at = place;
    }
    return static_cast<std::int64_t>(places.size() - tails.size());
}

/// Entries out of order against another order of the same passes; none where they are not the same.
std::optional<std::int64_t> distance(const Schedule& schedule, const Schedule& ideal)
{
    if (schedule.entryCount() != ideal.entryCount() || schedule.passCount() != ideal.passCount())
        return std::nullopt;
    std::int64_t sum = 0;
    std::vector<std::int32_t> places;
    for (int device = 0; device < schedule.devices(); ++device) {
        places.clear();
        for (std::int32_t i = schedule.begin(device); i < schedule.end(device); ++i) {
            const Schedule::Places& entry = schedule.places()[static_cast<std::size_t>(i)];
            if (!ideal.has(entry.first) || ideal.kind(entry.first) != schedule.kind(entry.first))
                return std::nullopt;
            const std::int32_t place = ideal.entryOf(entry.first);
            const Schedule::Places& other = ideal.places()[static_cast<std::size_t>(place)];
            // A pair is one with either of the two first.
            const bool same = (other.first == entry.first && other.second == entry.second) ||
                              (other.first == entry.second && other.second == entry.first);
            if (!same || place < ideal.begin(device) || place >= ideal.end(device))
                return std::nullopt;
            places.push_back(place);
        }
        sum += displaced(places);
    }
    return sum;
}

/// Values that leave out what a family adds: one chunk, one segment, groups of one.
std::size_t trivialValues(const FamilyOptions& options)
{
    return static_cast<std::size_t>(std::count_if(
        options.parameters.begin(), options.parameters.end(), [](const auto& parameter) {
            return parameter.second == 1 &&
                   (parameter.first == "chunks" || parameter.first == "segments" ||
                    parameter.first == "group");
        }));
}

/// A family and an order that it makes.
struct Candidate
{
    FamilyMatch match;
    std::size_t trivial = 0; // parameters at a value that makes it a simpler family
    std::size_t given = 0;
    std::size_t order = 0; // number among the different orders
};

class Search
{
public:
    Search(const Schedule& schedule, const std::vector<Costs>& costs)
        : m_schedule(schedule)
        , m_costs(costs)
    {
    }

    Recognition run()
    {
        for (const Family& family : allFamilies())
            if (!family.search)
                tryFamily(family);
        const bool exact =
            std::any_of(m_candidates.begin(), m_candidates.end(),
                        [](const Candidate& one) { return one.match.outOfOrder == 0; });
        if (!exact && m_schedule.passCount() <= mostSearched)
            for (const Family& family : allFamilies())
                if (family.search)
                    trySearch(family);
        return best();
    }

private:
    void beginFamily()
    {
        m_options = {};
        m_options.devices = m_schedule.spec().devices;
        m_options.microBatches = m_schedule.spec().microBatches;
        m_options.steps = m_schedule.spec().steps;
        m_options.updates = m_schedule.spec().updates;
        m_builds = 0;
    }

    void tryFamily(const Family& family)
    {
        beginFamily();
        tryParameters(family, 0);
    }

    /// A search is told by its limit, its own or the peak that the order has, and only exactly.
    void trySearch(const Family& family)
    {
        beginFamily();
        const Result<SimResult> times = simulate(m_schedule, m_costs.front());
        if (!times)
            return;
        const auto takes = [&family](std::string_view name) {
            return std::any_of(family.parameters.begin(), family.parameters.end(),
                               [name](const Parameter& one) { return one.name == name; });
        };
        const double usual = m_schedule.spec().devices, peak = peakMicroBatches(*times);
        std::vector<double> limits = {peak};
        if (peak != usual)
            limits.push_back(usual);
        for (const double limit : limits) {
            for (const int aim : {0, 1}) {
                m_options.parameters.clear();
                if (limit != usual)
                    m_options.parameters.emplace_back("memory-limit", limit);
                if (aim > 0)
                    m_options.parameters.emplace_back("aim", aim);
                if (aim == 0 || takes("aim"))
                    tryOrder(family, mostSearches);
            }
        }
    }

    /// Values of a parameter from the `next`th on, the default first.
    void tryParameters(const Family& family, std::size_t next)
    {
        if (next == family.parameters.size()) {
            tryOrder(family, mostBuilds);
            return;
        }
        const Parameter& parameter = family.parameters[next];
        const PipelineSpec& spec = m_schedule.spec();
        // A group that depends on the devices is told as the number that it is.
        if (parameter.name != "group" || parameter.fallbackText.empty() ||
            spec.devices > mostValues)
            tryParameters(family, next + 1);
        int low = static_cast<int>(std::max(0.0, parameter.minimum));
        int high = static_cast<int>(std::min<double>(parameter.maximum, mostValues));
        const std::string name(parameter.name);
        if (name == "segments")
            low = high = spec.segments();
        else if (name == "chunks")
            low = high = spec.stages() / spec.devices;
        else if (parameter.maximum > mostValues)
            high = std::min(high, std::max(spec.microBatches, 2 * spec.devices));
        for (int value = low; value <= high && m_builds < mostBuilds; ++value) {
            if (parameter.fallbackText.empty() && parameter.fallback == value)
                continue;
            m_options.parameters.emplace_back(name, value);
            tryParameters(family, next + 1);
            m_options.parameters.pop_back();
        }
    }

    void tryOrder(const Family& family, int most)
    {
        if (m_builds >= most || m_work > mostWork)
            return;
        const Result<PipelineSpec> spec = specOf(family, m_options);
        if (!spec || !sameShape(*spec, m_schedule.spec()))
            return;
        DeviceOrders last;
        int unchanged = 0;
        for (const Costs& costs : m_costs) {
            ++m_builds;
            m_work += m_schedule.passCount();
            const Result<Schedule> ideal = family.build(*spec, m_options, costs);
            if (!ideal)
                continue;
            DeviceOrders orders = ideal->orders();
            // Most families do not look at times: three costs with one order tell them.
            unchanged = orders == last ? unchanged + 1 : 0;
            if (unchanged == 2 || (unchanged == 0 && tryIdeal(family, *ideal, orders)))
                return;
            last = std::move(orders);
        }
    }

    /// @return whether the order is exactly the family's
    bool tryIdeal(const Family& family, const Schedule& ideal, const DeviceOrders& orders)
    {
        const std::optional<std::int64_t> moved = distance(m_schedule, ideal);
        if (!moved || *moved > (family.search ? 0 : m_schedule.entryCount() / nearness))
            return false;
        const auto known = std::find(m_orders.begin(), m_orders.end(), orders);
        const auto order = static_cast<std::size_t>(known - m_orders.begin());
        if (known == m_orders.end())
            m_orders.push_back(orders);
        m_candidates.push_back({{&family, m_options, *moved, m_schedule.entryCount()},
                                trivialValues(m_options),
                                m_options.parameters.size(),
                                order});
        return *moved == 0;
    }

    Recognition best()
    {
        std::stable_sort(m_candidates.begin(), m_candidates.end(),
                         [](const Candidate& a, const Candidate& b) {
                             const auto key = [](const Candidate& one) {
                                 return std::tuple(one.match.outOfOrder, one.trivial, one.given,
                                                   one.match.family->parameters.size());
                             };
                             return key(a) < key(b);
                         });
        Recognition found;
        for (const Candidate& one : m_candidates) {
            const Candidate& first = m_candidates.front();
            if (one.match.outOfOrder != first.match.outOfOrder)
                break;
            if (one.order != first.order) {
                if (one.match.family == first.match.family)
                    continue; // the same for other times
                return {};    // two orders are as near: there is no name for it
            }
            const bool known = std::any_of(
                found.matches.begin(), found.matches.end(),
                [&](const FamilyMatch& match) { return match.family == one.match.family; });
            if (!known)
                found.matches.push_back(one.match);
        }
        return found;
    }

    const Schedule& m_schedule;
    const std::vector<Costs>& m_costs;
    FamilyOptions m_options;
    int m_builds = 0;
    std::int64_t m_work = 0;
    std::vector<DeviceOrders> m_orders;
    std::vector<Candidate> m_candidates;
};

} // namespace

Recognition recognise(const Schedule& schedule, const std::vector<Costs>& costs)
{
    return Search(schedule, costs).run();
}

std::string describe(const FamilyMatch& match)
{
    std::string text(match.family->title);
    std::string inside;
    for (const Parameter& parameter : match.family->parameters) {
        const bool shape = parameter.name == "chunks" || parameter.name == "segments" ||
                           parameter.name == "group" || parameter.name == "waves";
        const bool given =
            std::any_of(match.options.parameters.begin(), match.options.parameters.end(),
                        [&](const auto& one) { return one.first == parameter.name; });
        if (!given && !shape)
            continue;
        inside += (inside.empty() ? "" : ", ") + std::string(parameter.name) + " ";
        inside += given || parameter.fallbackText.empty()
                      ? exactNumber(parameterValue(*match.family, match.options, parameter.name))
                      : std::string(parameter.fallbackText);
    }
    return inside.empty() ? text : text + " (" + inside + ")";
}

} // namespace pw
