// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/exchanges.h"

#include <algorithm>
#include <map>

namespace pw::communication {

namespace {

/// Passes that make gradients for an exchange and are still to come.
using GradientsLeft = std::map<std::int32_t, std::int64_t>;

/// Exchanges in the order in which the last copy has its last gradient. One order for all ranks, so
/// that no two of them wait for each other crosswise.
std::vector<std::int32_t> exchangeOrder(const Schedule& schedule, std::span<const EntryId> walked)
{
    GradientsLeft left;
    for (const EntryId entry : walked)
        eachExchangeOf(schedule, entry, [&](std::int32_t exchange) { ++left[exchange]; });
    std::vector<std::int32_t> order;
    for (const EntryId entry : walked) {
        eachExchangeOf(schedule, entry, [&](std::int32_t exchange) {
            if (--left[exchange] == 0)
                order.push_back(exchange);
        });
    }
    return order;
}

/// Puts its exchanges into the row of one rank.
class ExchangingRank
{
public:
    ExchangingRank(const Schedule& schedule, const std::vector<Action>& row,
                   const std::vector<std::int32_t>& order, ExchangePlace place)
        : m_schedule(schedule)
        , m_row(row)
        , m_place(place)
    {
        for (const Action& action : row) {
            if (action.kind == ActionKind::Compute)
                eachExchangeOf(schedule, EntryId(action.index),
                               [&](std::int32_t exchange) { ++m_left[exchange]; });
        }
        for (const std::int32_t exchange : order) {
            if (m_left.count(exchange) != 0)
                m_order.push_back(exchange);
        }
    }

    std::vector<Action> run()
    {
        // What stands behind the last pass and its sends are waits.
        std::size_t end = m_row.size();
        while (end > 0 && m_row[end - 1].kind == ActionKind::WaitSend)
            --end;
        for (std::size_t i = 0; i < m_row.size(); ++i) {
            if (i == end)
                post();
            const bool computes = m_row[i].kind == ActionKind::Compute;
            if (computes && isUpdate(EntryId(m_row[i].index)))
                post();
            m_out.push_back(m_row[i]);
            if (computes)
                compute(EntryId(m_row[i].index));
        }
        if (end == m_row.size())
            post();
        return std::move(m_out);
    }

private:
    bool isUpdate(EntryId entry) const
    {
        return m_schedule.places()[static_cast<std::size_t>(entry)].kind() == PassKind::U;
    }

    void compute(EntryId entry)
    {
        eachExchangeOf(m_schedule, entry, [&](std::int32_t exchange) {
            if (--m_left[exchange] == 0 && m_place == ExchangePlace::OwnOrder)
                m_out.push_back({ActionKind::Exchange, exchange});
        });
        if (m_place == ExchangePlace::AsDone)
            post();
    }

    /// Those that are next in the order of all and have all gradients of this rank.
    void post()
    {
        if (m_place == ExchangePlace::OwnOrder)
            return;
        for (; m_next < m_order.size() && m_left[m_order[m_next]] == 0; ++m_next)
            m_out.push_back({ActionKind::Exchange, m_order[m_next]});
    }

    const Schedule& m_schedule;
    const std::vector<Action>& m_row;
    ExchangePlace m_place;
    GradientsLeft m_left;
    std::vector<std::int32_t> m_order; ///< of this rank
    std::size_t m_next = 0;
    std::vector<Action> m_out;
};

} // namespace

std::vector<DeviceId> holdersOf(const PipelineSpec& spec, StageId stage)
{
    std::vector<DeviceId> ranks;
    for (int route = 0; route < spec.routeCount(); ++route)
        ranks.push_back(spec.device(route, stage));
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

std::int32_t exchangeOf(const PipelineSpec& spec, const Pass& pass)
{
    if (spec.routeCount() < 2 || (pass.kind != PassKind::W && pass.kind != PassKind::BW))
        return -1;
    if (holdersOf(spec, pass.stage).size() < 2) // one rank adds its copies by itself
        return -1;
    const int update = spec.updates ? spec.updateOf(pass.microBatch) : 0;
    return update * spec.stages() + pass.stage;
}

std::int32_t exchangeBefore(const PipelineSpec& spec, const Pass& update)
{
    if (spec.routeCount() < 2 || holdersOf(spec, update.stage).size() < 2)
        return -1;
    return update.microBatch * spec.stages() + update.stage; // an update's number stands there
}

void addExchanges(Listing& listing, const Schedule& schedule, std::span<const EntryId> walked,
                  ExchangePlace place)
{
    if (place == ExchangePlace::None || schedule.spec().routeCount() < 2)
        return;
    const std::vector<std::int32_t> order = exchangeOrder(schedule, walked);
    for (std::vector<Action>& row : listing.ranks)
        row = ExchangingRank(schedule, row, order, place).run();
}

} // namespace pw::communication
