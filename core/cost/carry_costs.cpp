// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/carry_costs.h"

#include "core/base/try.h"
#include "core/model/offload.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

namespace pw {

namespace {

using Table = std::vector<std::int64_t>;

/// What happens to a number where stages are put together or cut.
enum class Along
{
    Sum,       ///< it adds up, and a part has its part
    Most,      ///< the largest counts, and a part has it whole
    LastStage, ///< it is of the boundary behind a stage
    FirstStage ///< it is of the boundary before a stage
};

/// The part of a whole between two marks of `of`; the parts from mark to mark add up to it.
std::int64_t part(std::int64_t whole, std::int64_t from, std::int64_t to, std::int64_t of)
{
    const auto upTo = [&](std::int64_t mark) { return whole / of * mark + whole % of * mark / of; };
    return upTo(to) - upTo(from);
}

class Carrier
{
public:
    Carrier(const PipelineSpec& from, const PipelineSpec& to)
        : m_from(from)
        , m_to(to)
        , m_together(from.stages() / to.stages())
        , m_pieces(to.stages() / from.stages())
    {
    }

    Table byStage(const Table& table, Along along = Along::Sum) const
    {
        return table.empty() ? table : stages(table, 1, along);
    }

    Table byCell(const Table& table, Along along = Along::Sum) const
    {
        if (table.empty())
            return table;
        return segments(stages(table, m_from.segmentLengths.size(), along));
    }

private:
    /// From the old stages to the new ones, `width` numbers each.
    Table stages(const Table& table, std::size_t width, Along along) const
    {
        if (m_from.stages() == m_to.stages())
            return table;
        Table out;
        for (const StageId stage : Ids<StageId>(m_to.stages()))
            for (std::size_t q = 0; q < width; ++q)
                out.push_back(stageNumber(table, stage.index(), q, width, along));
        return out;
    }

    std::int64_t stageNumber(const Table& table, std::size_t place, std::size_t q,
                             std::size_t width, Along along) const
    {
        const auto at = [&](std::size_t old) { return table[old * width + q]; };
        if (m_together > 0) {
            const auto together = static_cast<std::size_t>(m_together);
            const std::size_t first = place * together, last = first + together - 1;
            if (along == Along::LastStage || along == Along::FirstStage)
                return at(along == Along::LastStage ? last : first);
            std::int64_t sum = 0, most = 0;
            for (std::size_t old = first; old <= last; ++old) {
                sum += at(old);
                most = std::max(most, at(old));
            }
            return along == Along::Most ? most : sum;
        }
        const auto pieces = static_cast<std::size_t>(m_pieces);
        if (along != Along::Sum)
            return at(place / pieces);
        const auto piece = static_cast<std::int64_t>(place % pieces);
        return part(at(place / pieces), piece, piece + 1, m_pieces);
    }

    Table segments(const Table& table) const
    {
        const std::size_t before = m_from.segmentLengths.size(), after = m_to.segmentLengths.size();
        if (before == after)
            return table;
        const std::int64_t whole = std::accumulate(m_to.segmentLengths.begin(),
                                                   m_to.segmentLengths.end(), std::int64_t{0});
        Table out;
        for (std::size_t cell = 0; cell < table.size() / before; ++cell) {
            std::int64_t sum = 0;
            for (std::size_t q = 0; q < before; ++q)
                sum += table[cell * before + q];
            std::int64_t from = 0;
            for (std::size_t q = 0; q < after; ++q) {
                const std::int64_t to = from + m_to.segmentLengths[q];
                out.push_back(part(sum, from, to, whole));
                from = to;
            }
        }
        return out;
    }

    const PipelineSpec& m_from;
    const PipelineSpec& m_to;
    int m_together; // old stages in a new one; 0 where they are cut
    int m_pieces;   // new stages of an old one; 0 where they are put together
};

/// Whether two lists of lengths are the same parts of their sums.
bool sameParts(const std::vector<int>& a, const std::vector<int>& b)
{
    const auto sum = [](const std::vector<int>& all) {
        return std::accumulate(all.begin(), all.end(), std::int64_t{0});
    };
    const std::int64_t wholeA = sum(a), wholeB = sum(b);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [=](int x, int y) { return x * wholeB == y * wholeA; });
}

Result<void> checkShapes(const Costs& costs, const PipelineSpec& from, const PipelineSpec& to)
{
    const int s = from.stages(), t = to.stages();
    if (s % t != 0 && t % s != 0)
        return fail(ErrorCode::BadValue,
                    "%1: the costs are of %2, which can be put together or cut only where one "
                    "number divides the other",
                    counted(t, "%1 stage", "%1 stages"), counted(s, "%1 stage", "%1 stages"));
    if (from.segments() > 1 && to.segments() > 1 &&
        !sameParts(from.segmentLengths, to.segmentLengths))
        return fail(
            ErrorCode::BadValue,
            "%1: the costs are of %2 of other lengths, whose times apart say nothing of these",
            counted(to.segments(), "%1 segment", "%1 segments"),
            counted(from.segments(), "%1 segment", "%1 segments"));
    if (!costs.single.empty() && !(from == to))
        return fail(ErrorCode::BadValue,
                    "single passes have times of their own, which another shape does not have");
    return {};
}

/// Links and caps, which are of devices.
Result<void> carryDevices(Costs& costs, const PipelineSpec& from, const PipelineSpec& to)
{
    if (from.devices == to.devices)
        return {};
    const auto p = static_cast<std::size_t>(from.devices);
    if (!costs.links.empty()) {
        // A device's link to itself means nothing.
        const Link first = p > 1 ? costs.links[1] : costs.link;
        for (std::size_t i = 0; i < costs.links.size(); ++i)
            if (i / p != i % p && !(costs.links[i] == first))
                return fail(ErrorCode::BadValue,
                            "%1: the links of the costs differ, and say nothing of others",
                            counted(to.devices, "%1 device", "%1 devices"));
        costs.link = first;
        costs.links.clear();
    }
    std::vector<Bytes>& caps = costs.memoryCap;
    if (std::adjacent_find(caps.begin(), caps.end(), std::not_equal_to<>()) != caps.end())
        return fail(ErrorCode::BadValue,
                    "%1: the memory limits of the costs differ, and say nothing of others",
                    counted(to.devices, "%1 device", "%1 devices"));
    if (!caps.empty())
        caps.assign(static_cast<std::size_t>(to.devices), caps.front());
    return {};
}

void carryActivations(Costs& costs, const Carrier& carrier, const PipelineSpec& to)
{
    std::vector<ActivationCost> carried = activationShares(to, 1, 0);
    const auto table = [&](auto ActivationCost::*member) {
        Table numbers;
        for (const ActivationCost& cost : costs.activation)
            numbers.push_back(cost.*member);
        return carrier.byCell(numbers);
    };
    const Table bytes = table(&ActivationCost::activation),
                kept = table(&ActivationCost::keptForWeight), stash = table(&ActivationCost::stash),
                shares = table(&ActivationCost::share),
                keptShares = table(&ActivationCost::keptForWeightShare),
                stashShares = table(&ActivationCost::stashShare);
    for (std::size_t cell = 0; cell < carried.size(); ++cell) {
        ActivationCost& cost = carried[cell];
        cost.activation = bytes[cell];
        cost.keptForWeight = kept[cell];
        cost.stash = stash[cell];
        // What a device holds of the model decides the share; the parts of it stay.
        const auto ratio = [&](std::int64_t some) {
            const double whole = static_cast<double>(shares[cell]);
            return whole > 0 ? static_cast<double>(some) / whole : 0;
        };
        const auto share = [&](double of) {
            return static_cast<Share>(std::llround(static_cast<double>(cost.share) * of));
        };
        cost.keptForWeightShare = share(ratio(keptShares[cell]));
        cost.stashShare = share(ratio(stashShares[cell]));
    }
    costs.activation = std::move(carried);
}

std::string howText(const PipelineSpec& from, const PipelineSpec& to)
{
    const int s = from.stages(), t = to.stages();
    std::string how;
    if (t < s)
        how = "every " + std::to_string(s / t) + " of " + std::to_string(s) +
              " stages count as one, their times added";
    else if (t > s)
        how = "each of " + counted(s, "%1 stage", "%1 stages") + " is cut into " +
              std::to_string(t / s) + " equal parts";
    if (from.segments() == to.segments())
        return how;
    how += how.empty() ? "" : "; ";
    how += to.segments() == 1 ? "segments count as one, their times added"
                              : "a micro-batch is cut into " + std::to_string(to.segments()) +
                                    " segments by length alone";
    return how;
}

} // namespace

Result<CarriedCosts> carryCosts(const Costs& costs, const PipelineSpec& from,
                                const PipelineSpec& to)
{
    PW_DO(checkShapes(costs, from, to));
    CarriedCosts carried{costs, howText(from, to)};
    Costs& out = carried.costs;
    PW_DO(carryDevices(out, from, to));
    const bool sameCells = from.stages() == to.stages() && from.segments() == to.segments();
    out.offload.cells = offloadedCells(sameCells ? costs.offload.cells : std::vector<Pass>(), to);
    const Carrier carrier(from, to);
    for (Table Costs::*table : {&Costs::forward, &Costs::backward, &Costs::weight, &Costs::fused,
                                &Costs::recompute, &Costs::pair})
        out.*table = carrier.byCell(costs.*table);
    for (Table Costs::*table :
         {&Costs::update, &Costs::weights, &Costs::gradients, &Costs::optimizer})
        out.*table = carrier.byStage(costs.*table);
    for (Table Costs::*table : {&Costs::buffers, &Costs::workspace})
        out.*table = carrier.byStage(costs.*table, Along::Most);
    out.forwardMessage = carrier.byCell(costs.forwardMessage, Along::LastStage);
    out.backwardMessage = carrier.byCell(costs.backwardMessage, Along::FirstStage);
    carryActivations(out, carrier, to);
    PW_DO(check(out, to));
    return carried;
}

} // namespace pw
