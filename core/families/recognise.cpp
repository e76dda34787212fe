// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/recognise.h"

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
/// And one of these many where the order is like a family.
constexpr std::int64_t likeness = 10;
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

/// Which of some places have to move so that they rise: all but a longest run that rises already.
std::vector<bool> movers(const std::vector<std::int32_t>& places)
{
    std::vector<std::size_t> tails;                 // of runs of each length, the least
    std::vector<std::size_t> before(places.size()); // in the best run that ends with a place
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto at = std::lower_bound(
            tails.begin(), tails.end(), places[i],
            [&places](std::size_t tail, std::int32_t place) { return places[tail] < place; });
        before[i] = at == tails.begin() ? places.size() : *(at - 1);
        if (at == tails.end())
            tails.push_back(i);
        else
            *at = i;
    }
    std::vector<bool> moving(places.size(), true);
    for (std::size_t i = tails.empty() ? places.size() : tails.back(); i < places.size();
         i = before[i])
        moving[i] = false;
    return moving;
}

/// How an order differs from another one of its shape.
struct Difference
{
    std::int64_t moved = 0;   ///< entries of both that have to move
    std::int64_t foreign = 0; ///< entries that only one of the two has

    std::int64_t all() const { return moved + foreign; }
};

/// An entry in another order; none where that has no such entry on the device.
EntryId placeIn(const Schedule& ideal, DeviceId device, const Schedule& schedule, EntryId i)
{
    const Schedule::Places& entry = schedule.places()[static_cast<std::size_t>(i)];
    if (!ideal.has(entry.first) || ideal.kind(entry.first) != schedule.kind(entry.first))
        return EntryId::none();
    const EntryId place = ideal.entryOf(entry.first);
    const Schedule::Places& other = ideal.places()[static_cast<std::size_t>(place)];
    // A pair is one with either of the two first.
    const bool same = (other.first == entry.first && other.second == entry.second) ||
                      (other.first == entry.second && other.second == entry.first);
    return same && place >= ideal.begin(device) && place < ideal.end(device) ? place
                                                                             : EntryId::none();
}

/// Compares an order with another one, up to a difference of `most`, past which the rest does not
/// matter.
/// @param displaced  the entries; may be null
Difference differenceOf(const Schedule& schedule, const Schedule& ideal, std::int64_t most,
                        std::vector<DisplacedEntry>* displaced = nullptr)
{
    Difference sum;
    std::vector<std::int32_t> places;
    std::vector<EntryId> entries;
    for (DeviceId device(0); device < schedule.devices() && sum.all() <= most; ++device) {
        places.clear();
        entries.clear();
        const EntryId begin = schedule.begin(device), end = schedule.end(device);
        for (const EntryId i : Ids<EntryId>(begin, end)) {
            if (const EntryId place = placeIn(ideal, device, schedule, i); place.valid()) {
                places.push_back(place);
                entries.push_back(i);
            } else if (displaced != nullptr) {
                displaced->push_back({i, i - begin, -1});
            }
        }
        const auto common = static_cast<std::int64_t>(places.size());
        sum.foreign +=
            std::max<std::int64_t>(end - begin, ideal.end(device) - ideal.begin(device)) - common;
        const std::vector<bool> moving = movers(places);
        sum.moved += std::count(moving.begin(), moving.end(), true);
        for (std::size_t i = 0; displaced != nullptr && i < moving.size(); ++i)
            if (moving[i])
                displaced->push_back(
                    {entries[i], entries[i] - begin, places[i] - ideal.begin(device)});
    }
    return sum;
}

/// Values that leave out what a family adds: one chunk, one segment, groups of one, one group of
/// all micro-batches.
std::size_t trivialValues(const Family& family, const FamilyOptions& options)
{
    const auto ones = std::count_if(
        options.parameters.begin(), options.parameters.end(), [&family](const auto& value) {
            const Parameter* parameter = findParameter(family, value.first);
            return value.second == 1 && parameter->ofShape() &&
                   parameter->role != ParameterRole::Waves;
        });
    const auto wholes = std::count_if(
        family.parameters.begin(), family.parameters.end(), [&options](const Parameter& parameter) {
            return parameter.role == ParameterRole::Group && parameter.rule == nullptr &&
                   chosen(options, parameter) >= options.microBatches;
        });
    return static_cast<std::size_t>(ones + wholes);
}

/// A family and an order that it makes.
struct Candidate
{
    FamilyMatch match;
    std::size_t trivial = 0; // parameters at a value that makes it a simpler family
    std::size_t given = 0;
    std::size_t order = 0;        // number among the different orders
    const Costs* costs = nullptr; // that it was built with

    /// The nearest first, then the plainest.
    auto key() const
    {
        return std::tuple(match.outOfOrder, match.family->search, trivial, given,
                          match.family->parameters.size());
    }
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
        return named();
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
        const Parameter* limitOf = findParameter(family, ParameterRole::MemoryLimit);
        const Parameter* aimOf = findParameter(family, ParameterRole::Aim);
        const double usual = m_schedule.spec().devices, peak = peakMicroBatches(*times);
        std::vector<double> limits = {peak};
        if (peak != usual)
            limits.push_back(usual);
        for (const double limit : limits) {
            for (const int aim : {0, 1}) {
                m_options.parameters.clear();
                if ((limit != usual && limitOf == nullptr) || (aim > 0 && aimOf == nullptr))
                    continue;
                if (limit != usual)
                    m_options.parameters.emplace_back(limitOf->name, limit);
                if (aim > 0)
                    m_options.parameters.emplace_back(aimOf->name, aim);
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
        if (parameter.role != ParameterRole::Group || parameter.rule == nullptr ||
            spec.devices > mostValues)
            tryParameters(family, next + 1);
        int low = static_cast<int>(std::max(0.0, parameter.minimum));
        int high = static_cast<int>(std::min<double>(parameter.maximum, mostValues));
        const std::string name(parameter.name);
        if (parameter.role == ParameterRole::Segments)
            low = high = spec.segments();
        else if (parameter.role == ParameterRole::Chunks)
            low = high = spec.stages() / spec.devices;
        else if (parameter.maximum > mostValues)
            high = std::min(high, std::max(spec.microBatches, 2 * spec.devices));
        for (int value = low; value <= high && m_builds < mostBuilds; ++value) {
            if (parameter.rule == nullptr && parameter.fallback == value)
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
            if (unchanged == 2 || (unchanged == 0 && tryIdeal(family, *ideal, orders, costs)))
                return;
            last = std::move(orders);
        }
    }

    /// @return whether the order is exactly the family's
    bool tryIdeal(const Family& family, const Schedule& ideal, const DeviceOrders& orders,
                  const Costs& costs)
    {
        const std::int64_t entries = m_schedule.entryCount();
        const std::int64_t nameable = family.search ? 0 : entries / nearness;
        const std::int64_t most = std::max(nameable, entries / likeness);
        const Difference difference = differenceOf(m_schedule, ideal, most);
        if (difference.all() > most)
            return false;
        Candidate candidate{{&family, m_options, difference.all(), entries},
                            trivialValues(family, m_options),
                            m_options.parameters.size(),
                            0,
                            &costs};
        if (!m_like || candidate.key() < m_like->key())
            m_like = candidate;
        if (difference.foreign > 0 || difference.moved > nameable)
            return false;
        const auto known = std::find(m_orders.begin(), m_orders.end(), orders);
        candidate.order = static_cast<std::size_t>(known - m_orders.begin());
        if (known == m_orders.end())
            m_orders.push_back(orders);
        m_candidates.push_back(std::move(candidate));
        return difference.moved == 0;
    }

    /// The name, or what the order is like, and what differs.
    Recognition named()
    {
        Recognition found = best();
        const Candidate* nearest = nullptr;
        if (!found.matches.empty())
            nearest = &m_candidates.front();
        else if (m_like)
            nearest = &*m_like;
        if (nearest == nullptr || nearest->match.outOfOrder == 0)
            return found;
        if (found.matches.empty())
            found.like = nearest->match;
        const FamilyMatch& match = nearest->match;
        const Result<PipelineSpec> spec = specOf(*match.family, match.options);
        if (const Result<Schedule> ideal =
                match.family->build(*spec, match.options, *nearest->costs))
            differenceOf(m_schedule, *ideal, m_schedule.passCount(), &found.displaced);
        std::sort(
            found.displaced.begin(), found.displaced.end(),
            [](const DisplacedEntry& a, const DisplacedEntry& b) { return a.entry < b.entry; });
        return found;
    }

    Recognition best()
    {
        std::stable_sort(m_candidates.begin(), m_candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.key() < b.key(); });
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
    std::optional<Candidate> m_like; // the nearest of all, too far for a name or not
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
        const bool given =
            std::any_of(match.options.parameters.begin(), match.options.parameters.end(),
                        [&](const auto& one) { return one.first == parameter.name; });
        if (!given && !parameter.ofShape())
            continue;
        inside += inside.empty() ? "" : ", ";
        inside += given || parameter.rule == nullptr
                      ? describe(parameter, chosen(match.options, parameter))
                      : std::string(parameter.name) + ' ' + std::string(parameter.fallbackText);
    }
    return inside.empty() ? text : text + " (" + inside + ")";
}

std::string describe(const Recognition& recognition)
{
    const FamilyMatch* match = recognition.nearest();
    if (match == nullptr)
        return "unknown";
    std::string text = (recognition.matches.empty() ? "like " : "") + describe(*match);
    if (match->outOfOrder == 0)
        return text;
    constexpr double whole = 100;
    const double part =
        whole * static_cast<double>(match->outOfOrder) / static_cast<double>(match->entries);
    return text + (recognition.matches.empty() ? ": " : ", ") + groupedNumber(match->outOfOrder) +
           " of " + groupedNumber(match->entries) + " entries (" + plainNumber(part, 2) + " %) " +
           (match->outOfOrder == 1 ? "is" : "are") + " elsewhere";
}

std::string describe(const DisplacedEntry& displaced, const Schedule& schedule,
                     const FamilyMatch& match)
{
    const OrderEntry entry = schedule.entry(displaced.entry);
    const DeviceId device = schedule.device(schedule.table().id(entry.pass));
    std::string text = describe(entry.pass, schedule.spec());
    if (entry.paired)
        text += " with " + describe(entry.partner, schedule.spec());
    text +=
        ": entry " + std::to_string(displaced.place + 1) + " of device " + std::to_string(device);
    if (displaced.familyPlace < 0)
        return text + ", which " + std::string(match.family->title) + " does not have there";
    return text + ", in " + std::string(match.family->title) + " entry " +
           std::to_string(displaced.familyPlace + 1);
}

} // namespace pw
