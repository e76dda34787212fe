// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_position.h"

#include "core/io/pass_label.h"

#include <utility>

namespace pw::exec {

std::string placeText(std::int64_t place, const Schedule& schedule)
{
    switch (place) {
    case placeBegin:
        return "its begin";
    case placeBarrier:
        return "the start of an iteration";
    case placeUpdates:
        return "the updates after an iteration";
    case placeIterationEnd:
        return "the end of an iteration";
    case placeEnd:
        return "its end";
    default:
        return entryLabel(schedule.entry(EntryId(place)));
    }
}

RankPosition::RankPosition(const RunShared& shared, RankId rank)
    : m_shared(shared)
    , m_rank(rank)
{
}

void RankPosition::enterIteration(int iteration)
{
    m_iteration = iteration;
    enter(placeBarrier);
}

void RankPosition::enter(std::int64_t place, const OrderEntry& entry)
{
    m_place.store(place, std::memory_order_relaxed);
    m_entry = entry;
    m_hasEntry = place >= 0 || place == placeUpdates;
    m_what.clear();
}

void RankPosition::enterEntry(EntryId index, const OrderEntry& entry)
{
    enter(index.valid() ? index.value : std::int64_t{placeUpdates}, entry);
}

void RankPosition::enterIterationEnd()
{
    m_place.store(placeIterationEnd, std::memory_order_relaxed);
}

void RankPosition::atEntry(const OrderEntry& entry)
{
    if (entry.pass == m_entry.pass)
        return;
    m_entry = entry;
    m_what.clear();
}

void RankPosition::beginComputing()
{
    m_computingSince.store(m_shared.clock.now(), std::memory_order_relaxed);
}

const std::string& RankPosition::what()
{
    if (!m_what.empty())
        return m_what;
    const std::int64_t place = m_place.load(std::memory_order_relaxed);
    m_what = "rank " + std::to_string(m_rank) + ", ";
    if (m_hasEntry)
        m_what += entryLabel(m_entry);
    else if (place == placeBarrier)
        m_what += "start of iteration " + std::to_string(m_iteration);
    else
        m_what += place == placeBegin ? "begin" : "end of the run";
    return m_what;
}

Patience RankPosition::patience()
{
    return {m_shared.ended, m_shared.patience, what(), &m_overdue};
}

tl::unexpected<Error> RankPosition::named(const Error& error)
{
    return fail(error.code, "%1: %2", what(), error.message);
}

Result<void> RankPosition::checkEnded()
{
    if (m_shared.ended.requested())
        return fail(ErrorCode::Cancelled, "%1: stopped", what());
    return {};
}

RunFault RankPosition::faultOf(const Error& error) const
{
    RunFault fault;
    fault.rank = m_rank;
    fault.peer = peer();
    fault.pass = m_hasEntry ? entryLabel(m_entry) : "";
    fault.text = error.message;
    return fault;
}

bool RankPosition::failsWaiting(ErrorCode code) const
{
    return peer().valid() && (m_overdue || code == ErrorCode::Cancelled);
}

} // namespace pw::exec
